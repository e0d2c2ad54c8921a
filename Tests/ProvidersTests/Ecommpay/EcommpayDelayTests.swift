import EcommpayProvider
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Answers that come late, twice or never, and callbacks that come at any time.
@Suite struct EcommpayDelayTests {
    private static let minute: Int64 = 60_000

    private func challenge(after minutes: Int64) throws -> (EcommpayTill, PaymentResult?, PaymentError?) {
        var till = EcommpayTill()
        let scheduler = till.scheduler
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            if asked.step == .challenge { try await scheduler.sleep(until: scheduler.now + minutes * Self.minute) }
            return .init(result: Secret("ok"))
        }
        let (client, request) = (try till.client(), try EcommpayTill.request(5_000, "5413330000000019"))
        let id = try AttemptID("late-1")
        do {
            let result = try scheduler.run {
                try await client.sale(request, attempt: id, timeout: .milliseconds(120) * Self.minute)
            }
            return (till, result, nil)
        } catch { return (till, nil, error as? PaymentError) }
    }

    @Test func anAuthenticationAnsweredWithinHalfAnHourIsTaken() throws {
        let (till, result, _) = try challenge(after: 29)
        #expect(result?.payment != nil && till.backend.ledger.movements.count == 1)
    }

    @Test func anAuthenticationAnsweredTooLateIsDeclinedAndMovesNothing() throws {
        let (till, result, error) = try challenge(after: 31)
        #expect(result?.payment == nil && error?.outcome != .notExecuted)
        till.scheduler.advance(by: Self.minute)
        _ = try till.play { try await $0.recover() }
        let id = try AttemptID("late-1")
        guard case .declined(let decline) = try till.play({ try await $0.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "108" && till.backend.ledger.movements.isEmpty)
    }

    /// The reply to the answer is lost, so that it is sent again and meets a payment that waits for nothing.
    @Test(arguments: ["/msdk/v1/3ds/check", "/msdk/v1/3ds/result", "/msdk/v1/pay"])
    func anAnswerThatIsSentTwiceChargesOnce(_ path: String) throws {
        var till = EcommpayTill()
        let sent = Locked(0)
        till.tools.transport = Losing(till.tools.transport, path) { sent.withLock { $0 += 1 } }
        #expect(try till.sell(5_000, "5413330000000019").payment != nil)
        #expect(sent.withLock { $0 } == 2 && till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    @Test func everyAnswerRestartsTheTimeForClarification() throws {
        var till = EcommpayTill()
        let (scheduler, rounds) = (till.scheduler, Locked(0))
        till.answers.handle(RequestedFields.self) { _ in
            let round = rounds.withLock { count in
                count += 1
                return count
            }
            try await scheduler.sleep(until: scheduler.now + 20 * Self.minute)
            return round == 1 ? ["avs_post_code": "SW1"] : ["avs_post_code": "SW1", "avs_street_address": "Main"]
        }
        let (client, request) = (try till.client(), try EcommpayTill.request(5_031))
        let result = try scheduler.run { try await client.sale(request, timeout: .milliseconds(120) * Self.minute) }
        #expect(result.payment != nil && rounds.withLock { $0 } == 2)
    }

    @Test func clarificationThatComesTooLateIsDeclined() throws {
        var till = EcommpayTill()
        let scheduler = till.scheduler
        till.answers.handle(RequestedFields.self) { _ in
            try await scheduler.sleep(until: scheduler.now + 31 * Self.minute)
            return ["avs_post_code": "SW1", "avs_street_address": "Main"]
        }
        let (client, request) = (try till.client(), try EcommpayTill.request(5_031))
        let id = try AttemptID("late-2")
        let result = try? scheduler.run {
            try await client.sale(request, attempt: id, timeout: .milliseconds(120) * Self.minute)
        }
        #expect(result?.payment == nil)
        scheduler.advance(by: Self.minute)
        _ = try scheduler.run { try await client.recover() }
        guard case .declined(let decline) = try scheduler.run({ try await client.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "3191" && till.backend.ledger.movements.isEmpty)
    }

    // MARK: Callbacks

    private func kept(_ milliseconds: Int64 = 0) -> EcommpayTill {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = milliseconds
        return EcommpayTill(rules: rules)
    }

    @Test func aCallbackBeforeTheStatusEndsTheSale() throws {
        let till = kept(60_000)
        let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
        let (request, id) = (try EcommpayTill.request(), try AttemptID("early-1"))
        try scheduler.run {
            let start = scheduler.now
            let sale = Task(executorPreference: scheduler) { try await client.sale(request, attempt: id) }
            try await scheduler.sleep(until: start + 300)
            let news = try #require(provider.decide(id.text, succeeds: true))
            try await client.receiveWebhook(news.body, from: "ecommpay")
            let payment = try await sale.value.payment
            #expect(payment != nil && scheduler.now == start + 300)
        }
        #expect(provider.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    @Test func aCallbackInsteadOfTheStatusSettlesRepeatedOrNot() throws {
        var till = kept()
        till.tools.transport = Deaf(till.tools.transport, "/msdk/v1/status", "/v2/payment/status")
        let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
        let (request, id) = (try EcommpayTill.request(), try AttemptID("instead-1"))
        try scheduler.run {
            let error = await #expect(throws: PaymentError.self) { try await client.sale(request, attempt: id) }
            #expect(error?.outcome == .unknown)
            let shop = Shop(client)
            let told = await provider.deliver(
                over: shop, to: Origin(.http, "shop.test"), "/callbacks", at: scheduler.now)
            let payment = try await client.status(id).payment
            #expect(told > 0 && payment?.approved == Money(minorUnits: 5_000, .eur))
            // The same once more.
            for message in shop.heard.withLock({ $0 }) { try await client.receiveWebhook(message, from: "ecommpay") }
            let after = try await client.status(id).payment
            #expect(after?.amounts.captured == Money(minorUnits: 5_000, .eur))
        }
        #expect(provider.ledger.movements.count == 1)
    }

    @Test func callbacksInAnyOrderEndTheSame() throws {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [2, 2, 0, 1, 0, 1, 2]]
        for order in orders {
            let till = EcommpayTill()
            let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
            let (request, sale, refund) = (
                try EcommpayTill.request(5_015), try AttemptID("sale-1"), try AttemptID("refund-1")
            )
            let part = Money(minorUnits: 1_015, .eur)
            try scheduler.run {
                _ = try await client.sale(request, attempt: sale)
                let sold = try #require(provider.decide("sale-1", succeeds: true))
                try await client.receiveWebhook(sold.body, from: "ecommpay")
                let payment = try #require(try await client.status(sale).payment)
                scheduler.advance(by: 5_000)
                _ = try await client.refund(payment.id, of: part, attempt: refund)
                scheduler.advance(by: 5_000)
                let done = try #require(provider.decide("refund-1", succeeds: true))
                scheduler.advance(by: 5_000)
                let back = try #require(provider.failLater("refund-1"))
                for index in order {
                    try await client.receiveWebhook([sold, done, back][index].body, from: "ecommpay")
                }
                let amounts = try await client.payment(payment.id).amounts
                #expect(amounts.captured.minorUnits == 5_015 && amounts.refunded.minorUnits == 0, "\(order)")
            }
        }
    }

    @Test func callback_ofAShopThatDoesNotAnswer_isRepeatedByTheSchedule() throws {
        let till = kept()
        let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
        let request = try EcommpayTill.request()
        let answers = Locked(0)
        try scheduler.run {
            _ = try await client.sale(request)
            let start = scheduler.now
            var waits: [Int64] = []
            let shop = Counting {
                answers.withLock { count in
                    count += 1
                    return count > 8 ? 200 : 500
                }
            }
            while let due = provider.nextDelivery {
                waits.append(due - scheduler.now)
                try await scheduler.sleep(until: max(due, scheduler.now))
                await provider.deliver(
                    over: shop, to: Origin(.http, "shop.test"), "/callbacks", at: scheduler.now)
            }
            #expect(waits.prefix(7) == [0, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000])
            #expect(waits[7] > 70_000 && waits[8] > waits[7] && waits.count == 9)
            #expect(scheduler.now - start < 600_000)
        }
    }
}

/// Sends, and loses the first answer of one path.
struct Losing: HTTPTransport {
    let inner: any HTTPTransport
    let path: String
    let tell: @Sendable () -> Void
    private let hasLost = Locked(false)

    init(_ inner: any HTTPTransport, _ path: String, _ tell: @escaping @Sendable () -> Void) {
        (self.inner, self.path, self.tell) = (inner, path, tell)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = try await inner.send(request)
        guard request.target == path else { return response }
        tell()
        let isFirst = hasLost.withLock { hasLost in
            defer { hasLost = true }
            return !hasLost
        }
        if isFirst { throw .maybeSent(.connectionReset) }
        return response
    }
}

/// Lets some paths fail for good.
private struct Deaf: HTTPTransport {
    let inner: any HTTPTransport
    let paths: [String]

    init(_ inner: any HTTPTransport, _ paths: String...) { (self.inner, self.paths) = (inner, paths) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if paths.contains(request.target) { return HTTPResponse(503) }
        return try await inner.send(request)
    }
}

/// A shop that hears callbacks.
private struct Shop: HTTPTransport {
    let client: PaymentClient
    let heard = Locked([[UInt8]]())

    init(_ client: PaymentClient) { self.client = client }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        heard.withLock { $0.append(request.body) }
        do { try await client.receiveWebhook(request.body, from: "ecommpay") } catch { return HTTPResponse(400) }
        return HTTPResponse(200)
    }
}

/// Answers with a status.
private struct Counting: HTTPTransport {
    let status: @Sendable () -> Int

    init(_ status: @escaping @Sendable () -> Int) { self.status = status }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { HTTPResponse(status()) }
}

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

/// Reports where each request goes.
private struct Timing: HTTPTransport {
    let inner: any HTTPTransport
    let tell: @Sendable (String) -> Void

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        tell(request.target)
        return try await inner.send(request)
    }
}

/// The provider says that it is locked for a moment, which is also what a second copy of a request hears while the first
/// one is carried out.
@Suite struct EcommpayLockTests {
    @Test(arguments: [1, 3]) func increment_answeredWithALockAfterItWasCarriedOut_isNotMadeAgain(times: Int) throws {
        var till = EcommpayTill()
        let (client, hold) = (try till.client(), try EcommpayTill.request(6_000))
        let held = try #require(try till.scheduler.run { try await client.authorize(hold) }.payment)
        let count = Locked(0)
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            let response = try await next(request)
            guard request.target.hasSuffix("/incremental") else { return response }
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= times else { return response }
            let said: JSON = ["status": "error", "code": "2147", "message": "Lock Error"]
            return HTTPResponse(429, headers: ["Content-Type": "application/json"], body: said.bytes())
        }
        let (more, id) = (Money(minorUnits: 7_000, .eur), try AttemptID("adjust-1"))
        let error = till.failure { _ = try await $0.adjust(held.id, to: more, attempt: id) }
        #expect(count.withLock { $0 } == 1)
        #expect(error?.outcome != .notExecuted, "\(String(describing: error))")
        #expect(till.backend.ledger.balance(.held)["EUR"] == 7_000)
    }
}
