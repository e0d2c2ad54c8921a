import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The provider behind a line on which it can't be asked for tokens any more.
private struct NoTokens: HTTPTransport {
    let line: any HTTPTransport
    let isCut: Locked<Bool>
    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.target == "/token", isCut.withLock({ $0 }) { throw .notSent(.connectionRefused) }
        return try await line.send(request)
    }
}

@Suite struct RenewalDoubtTests {
    /// The first money exchange was answered with a question; then the access lapses and can't be renewed.
    @Test func anAccessThatCanNotBeRenewedLiftsNoDoubt() throws {
        var till = Till()
        let isCut = Locked(false)
        let scheduler = till.scheduler
        till.answers.handle(ThreeDSecureChallenge.self) { _ in
            isCut.withLock { $0 = true }
            scheduler.advance(by: MemoryBackend.tokenMilliseconds)
            return ThreeDSecureChallenge.Answer(result: Secret("ok"))
        }
        let second = MemoryBackend(clock: till.scheduler)
        let drivers: [any PaymentDriver] = [
            till.driver(NoTokens(line: till.transport, isCut: isCut), name: "one"),
            till.driver(InProcessTransport([Till.origin: second]), name: "two"),
        ]
        var routing = Routing(active: "one")
        routing.rules = [Routing.Rule(["one", "two"])]
        let client = try PaymentClient(drivers: drivers, routing: routing, till.dependencies)
        let card = try Cards.good()
        let request = SaleRequest(.cents(1_030), from: card, reference: "o")
        let hour = Duration.seconds(3_600)
        let error = till.failure { _ = try await client.sale(request, timeout: hour) }
        #expect(second.requestCount == 0, "something was sent to the first provider, so that no other may be tried")
        #expect(error?.outcome == .unknown, "the first exchange may have moved money")
    }
}
