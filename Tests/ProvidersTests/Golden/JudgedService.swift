import PaymentSimulator
import PaymentTransport
import Testing

/// A simulated provider whose every message has to be as its provider publishes it, or the test fails.
struct JudgedService: SimulatorService {
    let provider: any SimulatedProvider
    let judge = Self.judge()

    init(_ provider: any SimulatedProvider) { self.provider = provider }

    /// A judge under whom a test fails.
    static func judge() -> ContractValidator { ContractValidator { Issue.record("not as published: \($0)") } }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let answer = await provider.answer(request)
        judge.hear(provider, request, answer)
        return answer
    }
}
