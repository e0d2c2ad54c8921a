import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// Which kinds of messages a terminal gets: each that the adapter can write is sent by something.
@Suite struct AdyenRequestKindsTests {
    private struct Watching: HTTPTransport {
        let inner: any HTTPTransport
        let kinds: Locked<Set<String>>
        var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            let body = try? JSONReader().read(request.body)
            if let kind = body?.member("SaleToPOIRequest", "MessageHeader", "MessageCategory")?.text {
                kinds.withLock { _ = $0.insert(kind) }
            }
            return try await inner.send(request)
        }
    }

    @Test func terminal_getsTheMessagesOfPaymentsAndOfQuestionsAlone() throws {
        let till = AdyenTill()
        let kinds = Locked(Set<String>())
        var rule = FaultRule(.replyLost)
        rule.text = "\"PaymentRequest\""
        till.plan.arm(rule)
        let client = try till.client(over: Watching(inner: till.transport, kinds: kinds))
        try till.play { [scheduler = till.scheduler] in
            _ = try await client.reader?.compatibility()
            let payment = try await client.sale(Money("12.00", .eur), from: .reader, reference: "o-1").payment
            if let payment { _ = try await client.refund(payment.id) }
            till.backend.present(nil)
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(Money("13.00", .eur), from: .reader, reference: "o-2")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await client.reader?.cancel()
            _ = try? await sale.value
        }
        #expect(
            kinds.withLock { $0 } == ["Abort", "Diagnosis", "Payment", "Reversal", "TransactionStatus"])
    }
}
