import AllProviders
import PaymentProviderKit
import PaymentSimulator
import Payments
import Testing

@Suite struct ReadmeSnippet {
    @Test func takesAPayment() async throws {
        let simulated = MemoryBackend(clock: SystemClock())
        let payments = try await PaymentClient.open(configuration: "providers.json") {
            $0.transport = InProcessTransport(to: simulated)
            $0.reader = SimulatedReader(clock: SystemClock())
            $0.journal = .memory  // leave it out to keep what happened
        }
        try await payments.reader?.prepare { percent in print("preparing: \(percent) %") }

        switch try await payments.sale(Money("49.99", .usd), from: .reader, reference: "order-1001") {
        case .approved(let payment): print(payment.id, payment.card?.last4 ?? "", payment.amounts.captured)
        case .declined(let decline): print(decline.reason, decline.provider.code)  // a result, not an error
        case .cancelled, .pending: break
        }
        #expect(simulated.ledger.balance(.merchant) == ["USD": 4_999])

        let half = try Money("24.99", .usd)
        _ = try await payments.sale(half, from: .reader, reference: OrderReference("order-1002", part: "1 of 2"))
        _ = try await payments.sale(half, from: .reader, reference: OrderReference("order-1002", part: "2 of 2"))
        #expect(simulated.ledger.balance(.merchant) == ["USD": 9_997])
    }
}
