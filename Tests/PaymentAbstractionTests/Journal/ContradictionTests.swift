import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentAbstraction

/// What can't be true beside what is written is never lost in silence.
@Suite struct ContradictionTests {
    /// The quiet time proved that the request never arrived; then the provider says that it charged the card.
    @Test func aChargeAfterTheProofOfNoneRaisesAnEventAndIsRecorded() throws {
        let till = Till()
        let client = try till.client()
        let events = client.events()
        let error = till.failure { _ = try await client.sale(.cents(1_014), from: .reader, reference: "o") }
        #expect(error == PaymentError(.notReceived, outcome: .notExecuted))
        let attempt = try #require(error?.attempt)
        let body: JSON = [
            "id": "mp_9", "attempt": .string(attempt.text), "state": "approved", "event": "sale",
            "amount": ["minorUnits": 1_014, "currency": "EUR"], "at": .number(JSONNumber(till.scheduler.now)),
        ]
        let kinds = try till.play {
            try await client.receiveWebhook(
                body.bytes(), headers: ["x-memory-secret": "memory-webhook-secret"], from: "memory")
            client.services.events.finish()
            var kinds: [PaymentEvent.Kind] = []
            for await event in events { kinds.append(event.kind) }
            return kinds
        }
        #expect(kinds.filter { $0 == .contradiction }.count == 1)
        // The money is in the books, where it can be given back.
        let payment = try till.play { try await client.payment(PaymentID(attempt)) }
        #expect(payment.amounts.refundable == .cents(1_014))
    }
}
