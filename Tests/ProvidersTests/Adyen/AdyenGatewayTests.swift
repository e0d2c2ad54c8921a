import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// The cloud refuses a payment that it hands on to the terminal later.
@Suite struct AdyenGatewayTests {
    /// How long the cloud keeps the first payment after it has refused it, in milliseconds: less than the quiet time.
    private static let lagMilliseconds: Int64 = 100_000

    /// A line whose first payment is refused for too many requests, and comes to the terminal late.
    private static func line(_ till: AdyenTill, _ payments: Locked<[[UInt8]]>) -> HookTransport {
        HookTransport(till.transport) {
            [scheduler = till.scheduler, transport = till.transport] request, next throws(TransportFailure) in
            guard NexoMessage(try? JSONReader().read(request.body))?.header.category == .payment else {
                return try await next(request)
            }
            let isFirst = payments.withLock { payments in
                payments.append(request.body)
                return payments.count == 1
            }
            guard isFirst else { return try await next(request) }
            let end = scheduler.now + Self.lagMilliseconds
            Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: end)
                _ = try await transport.send(request)
            }
            return HTTPResponse(429, headers: ["Content-Type": "text/html"], body: Array("<h1>429</h1>".utf8))
        }
    }

    /// What a terminal posts by itself: it names an attempt and proves nothing.
    private static func hint(_ attempt: String) -> [UInt8] {
        Array(
            """
            {"SaleToPOIResponse":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service","MessageCategory":\
            "Payment","MessageType":"Response","ServiceID":"1","SaleID":"X","POIID":"\(AdyenSimulator.terminal)"},\
            "PaymentResponse":{"Response":{"Result":"Failure","ErrorCondition":"Refusal"},"SaleData":\
            {"SaleTransactionID":{"TransactionID":"\(attempt)","TimeStamp":"2026-01-05T09:15:00.000Z"}}}}}
            """.utf8)
    }

    @Test(arguments: [Int64?.none, 1_000, 60_000])
    func payment_refusedByTheCloudAndHintedAt_isNotSentAgainBeforeTheQuietTime(hintAfter: Int64?) throws {
        let (till, payments) = (AdyenTill(), Locked([[UInt8]]()))
        let client = try till.client(over: Self.line(till, payments))
        let told: String = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("late-1")
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(
                    Money(minorUnits: 1_500, .eur), from: .reader, reference: "o-1", attempt: attempt)
            }
            if let hintAfter {
                try await scheduler.sleep(until: scheduler.now + hintAfter)
                try await client.receiveWebhook(Self.hint("late-1"), from: "adyen")
            }
            let told: String
            do { told = "\(try await sale.value.payment?.approved.minorUnits ?? 0)" } catch { told = "\(error)" }
            try await scheduler.sleep(until: scheduler.now + 300_000)
            return told
        }
        #expect(payments.withLock { $0.count } == 1)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_500], "\(told)")
    }
}
