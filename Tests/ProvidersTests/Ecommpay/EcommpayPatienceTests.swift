import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// How often the Gate is asked: it may show nothing of a payment for ten seconds, and nothing of a request.
@Suite struct EcommpayPatienceTests {
    private static let tenSeconds: Int64 = 10_000

    /// When each request to a path left after a refund was sent, on the stage's clock, and what became of the refund.
    private func asked(
        _ path: String, _ reading: String
    ) throws -> (after: [Int64], result: PaymentResult?) {
        var till = EcommpayTill()
        #expect(till.backend.play(reading))
        let (asked, scheduler) = (Locked([String: [Int64]]()), till.scheduler)
        till.tools.transport = Timing(inner: till.tools.transport) { target in
            asked.withLock { $0[target, default: []].append(scheduler.now) }
        }
        let result = try till.play { client in
            let payment = try #require(try await client.sale(try EcommpayTill.request()).payment)
            return try? await client.refund(payment.id, of: Money(minorUnits: 1_000, .eur))
        }
        let times = asked.withLock { $0 }
        let begun = try #require(times["/v2/payment/card/refund"]?.first)
        return ((times[path] ?? []).map { $0 - begun }, result)
    }

    @Test func aPaymentThatIsNotShownIsAskedForEveryTenSeconds() throws {
        let (asked, result) = try asked(
            "/v2/payment/status", "ecommpay.status.ten-seconds.not-before-ten-seconds")
        #expect(asked.count > 1 && zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 >= Self.tenSeconds }, "\(asked)")
        #expect(result?.payment != nil, "what is shown in the end is found within the call")
    }

    @Test func aRequestIsNotAskedForWithinTenSeconds() throws {
        let (asked, result) = try asked("/v2/payment/status/request", "ecommpay.names.neither.neither")
        #expect(!asked.isEmpty && asked.allSatisfy { $0 >= Self.tenSeconds }, "\(asked)")
        #expect(result?.payment != nil)
    }
}

/// Tells where each request goes.
private struct Timing: HTTPTransport {
    let inner: any HTTPTransport
    let tell: @Sendable (String) -> Void

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        tell(request.target)
        return try await inner.send(request)
    }
}
