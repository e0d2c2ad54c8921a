import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// Counts requests for tokens and refusals of tokens, and takes its time with each request.
private final class CountingTransport: HTTPTransport {
    struct Counts {
        var renewalsUnderWay = 0
        var renewalsAtOnceMax = 0
        var renewals = 0
        var requests = 0
        /// How often each token was refused.
        var refusals: [String: Int] = [:]
        /// How often each sale's request arrived, by attempt.
        var arrivals: [String: Int] = [:]
    }

    let line: any HTTPTransport
    let backend: MemoryBackend
    let clock: TestScheduler
    let random: SeededRandom
    let revokesAt: Int
    let counts = Locked(Counts())

    init(_ till: Till, seed: UInt64, revokesAt: Int) {
        (line, backend, clock) = (till.transport, till.backend, till.scheduler)
        (random, self.revokesAt) = (SeededRandom(seed: seed &* 31), revokesAt)
    }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let isRenewal = request.target == "/token"
        let number = counts.withLock { counts in
            if isRenewal {
                counts.renewals += 1
                counts.renewalsUnderWay += 1
                counts.renewalsAtOnceMax = max(counts.renewalsAtOnceMax, counts.renewalsUnderWay)
                return -1
            }
            counts.requests += 1
            return counts.requests
        }
        defer { if isRenewal { counts.withLock { $0.renewalsUnderWay -= 1 } } }
        await wait()
        if number == revokesAt { backend.revokeTokens() }
        let response = try await line.send(request)
        await wait()
        counts.withLock { counts in
            let token = request.headers["Authorization"] ?? ""
            if response.status == 401 { counts.refusals[token, default: 0] += 1 }
            let body = try? JSONReader().read(request.body)
            if let attempt = body?["attempt"]?.string { counts.arrivals[attempt, default: 0] += 1 }
        }
        return response
    }

    private func wait() async {
        let milliseconds = Int64(random.next() % 40)
        if milliseconds > 0 { try? await clock.sleep(until: clock.now + milliseconds) }
    }
}

@Suite struct TokenCacheTests {
    static let seeds: ClosedRange<UInt64> = 1...200

    /// Sales at once, each with an order of its own; all must be approved, each booked once.
    private static func sell(_ count: Int, _ client: PaymentClient, _ scheduler: TestScheduler) async throws
        -> [PaymentResult]
    {
        let card = try Cards.good()
        let tasks = (0..<count).map { number in
            Task(executorPreference: scheduler) {
                try await client.sale(.cents(2_100 + Int64(number)), from: card, reference: "o-\(number)")
            }
        }
        var results: [PaymentResult] = []
        for task in tasks { results.append(try await task.value) }
        return results
    }

    private static func check(
        _ till: Till, _ counts: CountingTransport.Counts, _ results: [PaymentResult], _ what: String
    ) {
        #expect(counts.renewalsAtOnceMax == 1, "\(what): \(counts.renewalsAtOnceMax) renewals at once")
        #expect(results.allSatisfy { $0.payment != nil }, "\(what): a sale failed for its access")
        #expect(till.backend.ledger.movements.count == results.count, "\(what): a sale was booked twice or not at all")
        let arrivals = counts.arrivals.values.reduce(0, +)
        let refused = counts.refusals.values.reduce(0, +)
        #expect(arrivals == results.count + refused, "\(what): \(arrivals) requests, \(refused) of them refused")
    }

    /// Two configurations of one account: what the first address gave is not sent to the second.
    @Test func access_thatAnotherAddressGave_isNotSent() throws {
        let (till, sent) = (Till(), Locked([String]()))
        var given = till.dependencies
        given.tokens = InMemoryTokenStore()
        let other = Origin(.http, "other.test", 80)
        for (order, origin) in [Till.origin, other, other].enumerated() {
            let line = InProcessTransport([origin: till.backend])
            let transport = HookTransport(line) { request, next throws(TransportFailure) in
                sent.withLock { $0.append("\(request.target) \(request.headers["Authorization"] ?? "")") }
                return try await next(request)
            }
            let driver = MemoryDriver(
                MemoryConfiguration(endpoint: origin, secret: Secret("memory-client-secret")), transport)
            let client = try PaymentClient(driver, given)
            _ = try till.play { try await client.sale(.cents(100), from: try Cards.good(), reference: "o-\(order)") }
            // The third one finds what the second address gave.
            let requests = sent.withLock { sent in
                defer { sent = [] }
                return sent
            }
            #expect(requests.contains { $0.hasPrefix("/token") } == (order < 2), "\(requests)")
        }
    }

    /// The token is taken back while the sales are on their way: one refresh, and one repeat for each refusal.
    @Test func aRevokedTokenIsRenewedOnceForAll() throws {
        var refusals = 0
        for seed in Self.seeds {
            let till = Till(seed: seed)
            let transport = CountingTransport(till, seed: seed, revokesAt: 1 + Int(seed % 12))
            let client = try till.client(transport)
            let scheduler = till.scheduler
            let results = try till.play { try await Self.sell(12, client, scheduler) }
            let counts = transport.counts.withLock { $0 }
            Self.check(till, counts, results, "seed \(seed)")
            #expect(counts.refusals.count <= 1, "seed \(seed): the renewed token was refused too")
            #expect(counts.renewals == 1 + counts.refusals.count, "seed \(seed): \(counts.renewals) renewals")
            refusals += counts.refusals.values.reduce(0, +)
        }
        #expect(refusals > 200, "the token was hardly ever refused: \(refusals)")
        print("access: \(Self.seeds.count) seeds, \(refusals) refusals of a revoked token")
    }

    /// The token lapses between two waves of sales, and within the margin before: all share one renewal.
    @Test func aLapsedTokenIsRenewedOnceForAll() throws {
        for seed in Self.seeds {
            let till = Till(seed: seed)
            let transport = CountingTransport(till, seed: seed, revokesAt: -1)
            let client = try till.client(transport)
            let scheduler = till.scheduler
            // From well before the margin to well after the end.
            let pause = MemoryBackend.tokenMilliseconds - 60_000 + (Int64(seed) - 100) * 1_000
            let results = try till.play {
                let first = try await Self.sell(6, client, scheduler)
                scheduler.advance(by: pause)
                let card = try Cards.good()
                let tasks = (0..<8).map { number in
                    Task(executorPreference: scheduler) {
                        try await client.sale(.cents(3_200 + Int64(number)), from: card, reference: "p-\(number)")
                    }
                }
                var second: [PaymentResult] = []
                for task in tasks { second.append(try await task.value) }
                return first + second
            }
            let counts = transport.counts.withLock { $0 }
            Self.check(till, counts, results, "seed \(seed)")
            #expect(counts.refusals.isEmpty, "seed \(seed): a lapsed token was sent")
            #expect(counts.renewals <= 2, "seed \(seed): \(counts.renewals) renewals")
            if seed > 101 { #expect(counts.renewals == 2, "seed \(seed): the token was not renewed") }
        }
    }

    /// No sale is refused twice, and a provider that refuses every token is asked no more than twice by each sale.
    @Test func whoIsRefusedTwiceGivesUp() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let till = Till(seed: seed)
            let refusing = RefusingTransport(line: till.transport)
            let client = try till.client(refusing)
            let card = try Cards.good()
            let error = till.failure { _ = try await client.sale(.cents(2_000), from: card, reference: "o") }
            #expect(error == PaymentError(.authentication, outcome: .notExecuted))
            #expect(error?.requiresTokenRefresh == true)
            #expect(refusing.saleCount.withLock { $0 } == 2)
        }
    }
}

/// Refuses every token, whatever it is.
private struct RefusingTransport: HTTPTransport {
    let line: any HTTPTransport
    let saleCount = Locked(0)

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.target == "/token" { return try await line.send(request) }
        saleCount.withLock { $0 += 1 }
        let body: JSON = ["error": ["code": "tokenRefused", "message": "sign in again"]]
        return HTTPResponse(401, body: body.bytes())
    }
}

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
