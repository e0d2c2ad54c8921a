import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
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
