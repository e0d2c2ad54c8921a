import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct SaleTests {
    @Test func aTapIsApproved() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(4_999), from: .reader, reference: "order-1001") }
        let payment = try #require(result.payment)
        #expect(payment.amounts.captured == .cents(4_999))
        #expect(payment.card?.last4 == "1111")
        #expect(payment.isRecorded)
        #expect(till.backend.ledger.movements(attempt: payment.id.attempt.text).map(\.amount.minorUnits) == [4_999])
    }

    @Test func aDeclineIsAResult() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_051), from: .reader, reference: "o") }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .insufficientFunds)
        #expect(decline.provider.code == "51")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aLostReplyIsSettledByLookup() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_013), from: .reader, reference: "o") }
        let payment = try #require(result.payment)
        #expect(till.backend.ledger.movements.count == 1)
        let kinds = try till.play { try await client.timeline(of: payment.id).map(\.kind) }
        #expect(kinds.contains(.lookedUp))
        #expect(kinds.last == .approved)
    }

    @Test func aLostRequestIsProvenOnlyAfterTheQuietTime() throws {
        let till = Till()
        let client = try till.client()
        let start = till.scheduler.now
        let error = till.failure { _ = try await client.sale(.cents(1_014), from: .reader, reference: "o") }
        #expect(error == PaymentError(.notReceived, outcome: .notExecuted))
        #expect(error?.attempt != nil)
        #expect(till.scheduler.now - start >= 5_000)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func thePINIsTheReadersSecondCall() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_065), from: .reader, reference: "o") }
        #expect(result.payment?.amounts.captured == .cents(1_065))
    }

    @Test func anUnknownWordIsNeverADecline() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_016), from: .reader, reference: "o") }
        // The word was unreadable, the lookup says approved.
        #expect(result.payment?.amounts.captured == .cents(1_016))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anotherAmountInTheEchoIsUnknownUntilLookedUp() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_019), from: .reader, reference: "o") }
        #expect(result.payment?.approved == .cents(1_019))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func whatWasRefusedBeforeExecutionIsRepeated() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_018), from: .reader, reference: "o") }
        #expect(result.payment != nil)
        #expect(till.backend.ledger.movements.count == 1)
    }
}

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

/// A request that comes twice on its way is carried out once and then refused, because nothing is left for it; only the
/// refusal is recorded.
@Suite struct RefusedRepeatTests {
    /// Sends what ends so twice and gives the second answer back; what asks meets `asking`.
    private func client(
        _ till: Till, twice ending: String,
        asking: @escaping @Sendable () throws(TransportFailure) -> Void = {}
    ) throws -> PaymentClient {
        try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                if request.method == "GET" { try asking() }
                guard request.target.hasSuffix(ending) else { return try await next(request) }
                _ = try await next(request)
                return try await next(request)
            })
    }

    private func sold(_ till: Till, _ client: PaymentClient) throws -> PaymentID {
        let result = try till.play { try await client.sale(.cents(5_000), from: .reader, reference: "order") }
        return try #require(result.payment).id
    }

    @Test(arguments: [5_000, 3_000] as [Int64])
    func whatWasDoneBeforeItsRefusalIsDone(_ cents: Int64) throws {
        let till = Till()
        let client = try client(till, twice: "/refund")
        let id = try sold(till, client)
        let refunded = try till.play { try await client.refund(id, of: .cents(cents)).payment?.amounts.refunded }
        #expect(refunded == .cents(cents))
        #expect(till.backend.ledger.balance(.merchant)["EUR"] ?? 0 == 5_000 - cents)
        let error = till.failure { _ = try await client.refund(id, of: .cents(5_001 - cents)) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
    }

    @Test func aRefusedRepeatOfAVoidIsAVoid() throws {
        let till = Till()
        let client = try client(till, twice: "/void")
        let id = try sold(till, client)
        #expect(try till.play { try await client.void(id).payment?.amounts.isVoided } == true)
    }

    @Test func aRefusalOfWhatWasNotDoneStands() throws {
        let till = Till()
        let client = try till.client()
        let id = try sold(till, client)
        let refusal = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            guard request.target.hasSuffix("/refund") else { return try await next(request) }
            return HTTPResponse(409, body: Array(#"{"error":{"code":"tooMuch","message":"too much"}}"#.utf8))
        }
        let refused = try till.client(refusal)
        let error = till.failure { _ = try await refused.refund(id) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
        #expect(try till.play { try await client.refund(id).payment?.amounts.refunded } == .cents(5_000))
    }

    @Test func refusalThatCanNotBeChecked_isInDoubt() throws {
        let till = Till()
        let isCut = Locked(true)
        let client = try client(till, twice: "/refund") { () throws(TransportFailure) in
            if isCut.withLock({ $0 }) { throw .notSent(.connectionRefused) }
        }
        let id = try sold(till, client)
        let error = till.failure { _ = try await client.refund(id) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .unknown))
        isCut.withLock { $0 = false }
        _ = try till.play { try await client.recover() }
        #expect(try till.play { try await client.payment(id).amounts.refunded } == .cents(5_000))
    }
}
