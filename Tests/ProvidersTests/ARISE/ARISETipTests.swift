import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// A tip that the till gives, and that is changed afterwards: our sums are the platform's.
@Suite struct ARISETipTests {
    @Test func tip_ofAKeyedCard_isChangedByTheDifference() throws {
        let bench = ARISEBench()
        let amounts = try bench.play { client in
            var request = SaleRequest(.dollars(1_200), from: try ARISEBench.card(), reference: "order-1")
            request.tip = .dollars(200)
            let sold = try #require(try await client.sale(request).payment)
            #expect(sold.approved == .dollars(1_200))
            return try await client.adjustTip(sold.id, to: .dollars(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == bench.backend.ledger.balance(.merchant)["USD"])
    }

    @Test func tip_afterACapture_isCharged() throws {
        let bench = ARISEBench()
        let amounts = try bench.play { client in
            let payment = try #require(
                try await client.authorize(.dollars(1_200), from: try ARISEBench.card(), reference: "order-1").payment)
            try await client.capture(payment.id)
            return try await client.adjustTip(payment.id, to: .dollars(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == bench.backend.ledger.balance(.merchant)["USD"])
        #expect(amounts?.refundable.minorUnits == bench.backend.ledger.balance(.merchant)["USD"])
    }

    /// The price that a sale rests on says which tip is in it: another one beside it is refused before anything leaves.
    @Test func tip_thatTheQuoteDoesNotHave_isNotCounted() throws {
        let bench = ARISEBench()
        let amounts: PaymentAmounts? = try bench.play { client in
            var asked = QuoteRequest(.dollars(1_000))
            asked.tip = .dollars(100)
            let quote = try #require(try await client.provider("arise").pricing?.quote(asked))
            var request = try SaleRequest(quote, .credit, from: try ARISEBench.card(), reference: "order-1")
            request.tip = .dollars(200)
            guard let sold = try? await client.sale(request).payment else { return nil }
            return try await client.adjustTip(sold.id, to: .dollars(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits ?? 0 == bench.backend.ledger.balance(.merchant)["USD"] ?? 0)
    }
}

/// A tip in an amount of which ARISE knows one total: it is not changed, since ARISE would charge the whole new tip.
@Suite struct ARISEForgottenTipTests {
    /// What became of a payment whose tip was to be changed.
    struct Told: Sendable {
        var error: PaymentError?
        let captured: Int64
    }

    private static func request(_ source: PaymentSource, tip: Int64?) -> SaleRequest {
        var request = SaleRequest(.dollars(1_200), from: source, reference: "order-1")
        request.tip = tip.map { .dollars($0) }
        return request
    }

    private static func change(
        _ id: PaymentID, to tips: [Int64] = [300], _ client: PaymentClient
    ) async throws -> Told {
        var failure: PaymentError?
        for tip in tips {
            do { try await client.adjustTip(id, to: .dollars(tip)) } catch { failure = error }
        }
        return Told(error: failure, captured: try await client.payment(id).amounts.captured.minorUnits)
    }

    /// Nothing was asked of ARISE, and the books are its own.
    private static func expectRefused(_ told: Told, _ bench: ARISEBench) {
        #expect(told.error?.code == .conflict && told.error?.outcome == .notExecuted)
        #expect(told.error?.detail.hasPrefix("ARISE must know the tip to change it") == true, "\(told)")
        #expect(bench.sent("/tip-adjustment").isEmpty)
        #expect(told.captured == bench.backend.ledger.balance(.merchant)["USD"])
    }

    private static func expectChanged(_ told: Told, _ total: Int64, _ bench: ARISEBench) {
        #expect(told.error == nil && told.captured == total)
        #expect(bench.backend.ledger.balance(.merchant)["USD"] == total)
    }

    private static func tap(_ tip: Int64?, _ bench: ARISEBench) throws -> Told {
        try bench.play { client in
            try await client.reader?.activate()
            let sold = try #require(try await client.sale(request(.reader, tip: tip)).payment)
            return try await change(sold.id, client)
        }
    }

    @Test func tip_ofATapWithTheKit_isNotChanged() throws {
        let till = ARISEKitTill()
        let told = try till.play { client in
            let sold = try #require(try await client.sale(Self.request(.reader, tip: 200)).payment)
            return try await Self.change(sold.id, client)
        }
        Self.expectRefused(told, till.inner)
        #expect(told.captured == 1_200)
    }

    @Test func tip_ofAQuotedTapWithTheKit_isNotChanged() throws {
        let till = ARISEKitTill()
        let told = try till.play { client in
            var asked = QuoteRequest(.dollars(1_000))
            asked.tip = .dollars(200)
            let quote = try #require(try await client.provider("arise").pricing?.quote(asked))
            let request = try SaleRequest(quote, .credit, from: .reader, reference: "order-1")
            let sold = try #require(try await client.sale(request).payment)
            return try await Self.change(sold.id, client)
        }
        Self.expectRefused(told, till.inner)
    }

    @Test func tip_ofATapThroughTheInterface_isNotChanged() throws {
        let bench = ARISEBench()
        Self.expectRefused(try Self.tap(200, bench), bench)
    }

    @Test func tip_ofATapWithoutOne_isCharged() throws {
        let (till, bench) = (ARISEKitTill(), ARISEBench())
        let told = try till.play { client in
            let sold = try #require(try await client.sale(Self.request(.reader, tip: nil)).payment)
            return try await Self.change(sold.id, client)
        }
        Self.expectChanged(told, 1_500, till.inner)
        Self.expectChanged(try Self.tap(nil, bench), 1_500, bench)
    }

    @Test(arguments: [Int64?.none, 1_100]) func tip_ofACapturedHold_isNotChanged(part: Int64?) throws {
        let bench = ARISEBench()
        let told = try bench.play { client in
            let held = try await client.authorize(Self.request(try ARISEBench.card(), tip: 200)).payment
            let id = try #require(held).id
            try await client.capture(id, of: part.map { .dollars($0) })
            return try await Self.change(id, client)
        }
        Self.expectRefused(told, bench)
        #expect(told.captured == part ?? 1_200)
    }

    @Test func tip_ofAKeyedCard_isChangedMoreThanOnce() throws {
        let bench = ARISEBench()
        let told = try bench.play { client in
            let sold = try await client.sale(Self.request(try ARISEBench.card(), tip: 200)).payment
            return try await Self.change(try #require(sold).id, to: [300, 0, 150], client)
        }
        Self.expectChanged(told, 1_150, bench)
        #expect(bench.sent("/tip-adjustment").count == 3)
    }

    /// The merchant changes the tip in ARISE's own portal: what the till asks for afterwards is the whole tip in both books.
    @Test func tip_changedInThePortal_isChangedToTheSameTotal() throws {
        let bench = ARISEBench()
        let told = try bench.play { client in
            let sold = try await client.sale(Self.request(try ARISEBench.card(), tip: 200)).payment
            let id = try #require(sold).id
            var portal = try #require(bench.sent("/sale").last)
            portal.target = portal.target.replacing("/sale", with: "/tip-adjustment")
            portal.body = JSON.object([
                "transactionId": .string(try #require(sold?.references["transaction"])), "tipAmount": 5,
            ]).bytes()
            _ = try await InProcessTransport([ARISEBench.origin: bench.backend], clock: bench.scheduler).send(portal)
            #expect(bench.backend.ledger.balance(.merchant)["USD"] == 1_500)
            return try await Self.change(id, client)
        }
        Self.expectChanged(told, 1_300, bench)
    }
}
