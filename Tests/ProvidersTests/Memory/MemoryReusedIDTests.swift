import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

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
