import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct MemoryDriverTests {
    @Test func itHasEverything() throws {
        let till = Till()
        let view = try till.client().provider("memory")
        let missing = view.capabilityTable.entries.filter { !$0.isSupported }.map(\.name)
        #expect(missing == ["offline"])
    }
}

@Suite struct MemoryEchoTests {
    @Test func anAnswerAboutAnotherAttemptProvesNothing() throws {
        let till = Till()
        let provider = FaultInjector(
            till.backend, plan: FaultPlan(), clock: till.scheduler)
        var rule = FaultRule(.wrongReference)
        rule.path = "/payments"
        #expect(provider.plan.arm(rule) != nil)
        let client = try till.client(InProcessTransport([Till.origin: provider]))
        let card = try Cards.good()
        let result = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
        // The answer was not believed; the lookup under our own reference was.
        #expect(result.payment != nil)
        let kinds = try till.play { [id = result.payment?.id] in
            guard let id else { return [PaymentEvent.Kind]() }
            return try await client.timeline(of: id).map(\.kind)
        }
        #expect(kinds.contains(.lookedUp))
        #expect(till.backend.ledger.movements.count == 1)
    }
}

/// Tips given by the till and changed afterwards: our sums are the provider's.
@Suite struct MemoryTipTests {
    private static func euros(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    private static func request(_ tip: Int64?) throws -> SaleRequest {
        var request = SaleRequest(euros(1_200), from: try Cards.good(), reference: "order-1")
        request.tip = tip.map(euros)
        return request
    }

    @Test(arguments: [Int64?.none, 0, 200, 1_200]) func tip_ofASale_isChangedByTheDifference(_ tip: Int64?) throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let sold = try #require(try await client.sale(try Self.request(tip)).payment)
            #expect(sold.approved == Self.euros(1_200))
            return try await client.adjustTip(sold.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }

    @Test func tip_ofAHoldThatWasRaised_isChangedByTheDifference() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(200)).payment)
            try await client.adjust(held.id, to: Self.euros(2_000))
            return try await client.adjustTip(held.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.authorized.minorUnits == till.backend.ledger.balance(.held)["EUR"])
    }

    @Test func tip_afterACapture_isCharged() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(nil)).payment)
            try await client.capture(held.id)
            return try await client.adjustTip(held.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }

    @Test func tip_beforeACapture_isCapturedOnce() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(nil)).payment)
            try await client.adjustTip(held.id, to: Self.euros(300))
            return try await client.capture(held.id).payment?.amounts
        }
        #expect(amounts?.captured == Self.euros(1_500))
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }
}

/// Two applications of one merchant use the same attempt id: a lookup by the id finds what the other one has paid.
@Suite struct MemoryReusedIDTests {
    /// How a payment of another application differs from the one that was asked for.
    enum Difference: CaseIterable {
        case amount, reference, time
    }

    /// A sale whose request, or whose answer, is lost.
    private func sell(_ till: Till, _ reference: String, isLost: Bool) throws -> (PaymentError?, Attempt.State?) {
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                guard request.target == "/payments" else { return try await next(request) }
                if !isLost { _ = try await next(request) }
                throw .maybeSent(.stalled)
            })
        let card = try Cards.good()
        let attempt = try AttemptID("order-1001")
        let error = till.failure {
            _ = try await client.sale(
                Money(minorUnits: 1_000, .eur), from: card, reference: reference, attempt: attempt)
        }
        return (error, try till.play { try await client.attempt(attempt)?.state })
    }

    @Test(arguments: Difference.allCases)
    func sale_requestLostWhileAnotherApplicationHoldsTheID_isNeverApproved(_ difference: Difference) throws {
        let first = Till()
        let card = try Cards.good()
        let units: Int64 = difference == .amount ? 1_200 : 1_000
        let client = try first.client()
        let result = try first.play {
            try await client.sale(
                Money(minorUnits: units, .eur), from: card, reference: "o-1", attempt: AttemptID("order-1001"))
        }
        #expect(result.payment != nil)
        if difference == .time { first.scheduler.advance(by: 3_600_000) }
        var second = first
        second.journal = InMemoryJournal()
        let (error, state) = try sell(second, difference == .reference ? "o-2" : "o-1", isLost: true)
        #expect(error?.outcome == .unknown && state == .inDoubt, "\(String(describing: error))")
        #expect(first.backend.ledger.movements.count == 1)
    }

    @Test func sale_ownAnswerLost_isFound() throws {
        let till = Till()
        let (error, state) = try sell(till, "o-1", isLost: false)
        #expect(state == .approved, "it was not found: \(String(describing: error))")
        #expect(error == nil && till.backend.ledger.movements.count == 1)
    }
}

/// A part of an amount is approved, and the application does not take it.
@Suite struct MemoryPartTests {
    /// Nothing goes back, and the answer says that so much did.
    @Test(arguments: [Int64(1), 509, 511]) func part_goneBackOverAnotherAmount_isNotCancelled(_ units: Int64) throws {
        var till = Till()
        till.answers.handle(PartialApprovalOffer.self) { _ in false }
        let sold = Locked(JSON.null)
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                if request.target.hasSuffix("/void") {
                    let other: JSON = ["minorUnits": .number(JSONNumber(units)), "currency": "EUR"]
                    return HTTPResponse(200, body: sold.withLock { $0 }.adding("amount", other).bytes())
                }
                let response = try await next(request)
                if request.target == "/payments", let body = try? JSONReader().read(response.body) {
                    sold.withLock { $0 = body }
                }
                return response
            })
        var request = SaleRequest(.cents(1_020), from: try Cards.good(), reference: "o-1")
        request.acceptsPartialApproval = true
        let (asked, id) = (request, try AttemptID("sale"))
        _ = till.failure { _ = try await client.sale(asked, attempt: id) }
        let state = try till.play { try await client.attempt(id)?.state }
        #expect(state == .approved || state == .inDoubt, "\(String(describing: state))")
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [510])
    }
}
