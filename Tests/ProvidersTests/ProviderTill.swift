import PaymentAbstraction
import PaymentTesting

/// A till in front of one simulated provider, on the stage of a scheduler.
protocol ProviderTill: Sendable {
    var scheduler: TestScheduler { get }

    /// A client of the till as it is set up now.
    func client() throws -> PaymentClient
}

extension ProviderTill {
    /// Runs a body with a client on the stage.
    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    /// How a body fails on the stage; nil when it doesn't.
    func failure(_ body: @escaping @Sendable (PaymentClient) async throws -> Void) -> PaymentError? {
        do { try play(body) } catch { return error as? PaymentError }
        return nil
    }
}
