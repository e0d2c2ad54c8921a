import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct FollowUpTests {
    private func sold(
        _ till: Till, _ client: PaymentClient, _ cents: Int64 = 5_000, reference: OrderReference = "order"
    ) throws -> PaymentID {
        let result = try till.play { try await client.sale(.cents(cents), from: .reader, reference: reference) }
        return try #require(result.payment).id
    }

    private func held(_ till: Till, _ client: PaymentClient) throws -> PaymentID {
        let result = try till.play { try await client.authorize(.cents(5_000), from: .reader, reference: "order") }
        return try #require(result.payment).id
    }

    @Test func capturesAndRefundsAddUp() throws {
        let till = Till()
        let client = try till.client()
        let id = try held(till, client)
        let amounts = try till.play {
            try await client.capture(id, of: .cents(2_000))
            try await client.capture(id, of: .cents(1_000))
            try await client.refund(id, of: .cents(500))
            return try await client.refund(id, of: .cents(700)).payment?.amounts
        }
        #expect(amounts?.captured == .cents(3_000))
        #expect(amounts?.refunded == .cents(1_200))
        #expect(amounts?.refundable == .cents(1_800))
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 1_800])
        #expect(till.backend.ledger.isBalanced)
    }

    @Test func moreThanIsLeftIsRefusedBeforeAnythingIsSent() throws {
        let till = Till()
        let client = try till.client()
        let id = try sold(till, client)
        let count = till.backend.requestCount
        let error = till.failure { _ = try await client.refund(id, of: .cents(5_001)) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
        #expect(error?.detail.contains("50.00 EUR is left") == true)
        #expect(till.backend.requestCount == count)
    }

    @Test func aPendingRefundReservesUntilItsWebhookComes() throws {
        let till = Till()
        let client = try till.client()
        let id = try sold(till, client, 5_000)
        let attempt = try AttemptID("refund-1")
        let result = try till.play { try await client.refund(id, of: .cents(3_015), attempt: attempt) }
        guard case .pending = result else {
            Issue.record("\(result)")
            return
        }
        let error = till.failure { _ = try await client.refund(id, of: .cents(2_000)) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
        let hook = try #require(till.backend.decide(attempt.text, succeeds: false))
        _ = try till.play { try await client.receiveWebhook(hook.body, headers: hook.headers, from: "memory") }
        let after = try till.play { try await client.refund(id, of: .cents(2_000)).payment?.amounts }
        #expect(after?.refunded == .cents(2_000))
        #expect(after?.refundPending == .cents(0))
    }

    @Test func aRefundThatFailsLaterCanBeMadeAgain() throws {
        let till = Till()
        let client = try till.client()
        let id = try sold(till, client)
        let attempt = try AttemptID("refund-1")
        _ = try till.play { try await client.refund(id, of: .cents(5_000), attempt: attempt) }
        till.scheduler.advance(by: 1_000)
        let hook = try #require(till.backend.failLater(attempt.text))
        for _ in 1...3 {
            _ = try till.play { try await client.receiveWebhook(hook.body, headers: hook.headers, from: "memory") }
        }
        #expect(try till.play { try await client.payment(id).amounts.refunded } == .cents(0))
        let again = try till.play { try await client.refund(id).payment?.amounts.refunded }
        #expect(again == .cents(5_000))
        #expect(till.backend.ledger.isBalanced)
    }

    @Test func anUnsignedWebhookIsRefused() throws {
        let till = Till()
        let client = try till.client()
        let error = till.failure { _ = try await client.receiveWebhook(Array("{}".utf8), from: "memory") }
        #expect(error == PaymentError(.signatureInvalid, outcome: .notExecuted))
    }

    @Test func concurrentCallsOnOnePaymentAreSerialised() throws {
        let till = Till()
        let calls = Locked((now: 0, most: 0))
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                guard request.target.hasSuffix("/refund") else { return try await next(request) }
                calls.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                try? await till.scheduler.sleep(until: till.scheduler.now + 100)
                defer { calls.withLock { $0.now -= 1 } }
                return try await next(request)
            })
        let one = try sold(till, client)
        let same = try till.play {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for item in 1...10 {
                    group.addTask {
                        try await client.refund(one, of: .cents(500), reference: "item \(item)").payment != nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
        }
        #expect(same == 10)
        #expect(calls.withLock { $0.most } == 1)
        let two = try sold(till, client, reference: "order 2")
        let three = try sold(till, client, reference: "order 3")
        _ = try till.play {
            async let first = client.refund(two)
            async let second = client.refund(three)
            return try await [first, second]
        }
        #expect(calls.withLock { $0.most } == 2, "different payments don't wait for each other")
    }

    @Test func whatAProviderLacksIsSaidBeforeAnythingIsSent() throws {
        let till = Till()
        let client = try till.client(over: BlindDriver(till.driver()))
        let card = try Cards.good()
        let id = try #require(
            try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }.payment
        ).id
        let count = till.backend.requestCount
        let error = till.failure { _ = try await client.refund(id) }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(client.reader == nil)
        #expect(till.backend.requestCount == count)
    }
}
