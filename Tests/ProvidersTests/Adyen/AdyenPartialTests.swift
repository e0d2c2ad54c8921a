import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentSimulator
import PaymentTesting
import Testing

/// A part that was approved and that the application does not take.
@Suite struct AdyenPartialTests {
    private static let reference = "order-1"

    private static func request() -> SaleRequest {
        var request = SaleRequest(Money(minorUnits: 10_139, .eur), from: .reader, reference: OrderReference(reference))
        request.acceptsPartialApproval = true
        return request
    }

    /// Delivers what the provider sends until nothing more comes.
    private static func settle(_ till: AdyenTill, _ client: PaymentClient) async throws {
        for _ in 0..<4 {
            try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
        }
    }

    /// Checks that nothing is left of the payment, and that its order can be sold.
    private static func expectFree(_ till: AdyenTill, _ client: PaymentClient, _ id: AttemptID) async throws {
        let status = try await client.status(id)
        #expect(status.payment == nil, "\(status)")
        let amounts = try await client.payment(PaymentID(id)).amounts
        #expect(amounts.captured.isZero && amounts.inDoubt.isZero && amounts.inFlight.isZero, "\(amounts)")
        // The part, and its return.
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_069, 5_069])
        let again = SaleRequest(Money(minorUnits: 1_000, .eur), from: .reader, reference: OrderReference(reference))
        #expect(try await client.sale(again).payment != nil)
    }

    @Test func part_notTaken_leavesNothing_andFreesItsOrder() throws {
        let till = AdyenTill()
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in false }
        let client = try till.client(answers)
        try till.play {
            let id = try AttemptID("part-1")
            _ = try await client.sale(Self.request(), attempt: id)
            try await Self.settle(till, client)
            try await Self.expectFree(till, client, id)
        }
    }

    @Test func part_notTakenAfterTheCallerLeft_isReturned() throws {
        let till = AdyenTill()
        let answer = Promise<Bool>()
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in await answer.value() }
        let client = try till.client(answers)
        try till.play {
            let id = try AttemptID("part-1")
            do throws(PaymentError) {
                _ = try await client.sale(Self.request(), attempt: id, timeout: .seconds(30))
                Issue.record("it was decided")
            } catch { #expect(error.outcome == .unknown) }
            answer.fulfill(false)
            try await Self.settle(till, client)
            try await Self.expectFree(till, client, id)
        }
    }
}
