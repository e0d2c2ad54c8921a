import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentTesting
import PaymentTransport

/// One adapter alone: neutral request, wire bytes, recorded reply bytes, verdict; no client, and every door answers at
/// once.
///
/// A cycle of sales is made with the simulated provider once; from then on its replies, the cards and the journal's
/// answers are played again. The clock stands still, so that the adapter sends the same bytes each time.
struct TapedTill: Sendable {
    /// How many sales are recorded: as many as the numbers that a client takes out of its journal at a time, so that the
    /// messages of each cycle have the same ones.
    static let cycle = 32

    private let scheduler: TestScheduler
    private let replies: Tape<HTTPResponse>
    private let journal = TapedJournal()
    private let reader: TapedReader?
    private let driver: DriverBenchmark
    private let sales: [(request: SaleRequest, intent: Attempt.Intent)]

    struct Unplayable: Error {}

    init(_ harness: any ConformanceHarness) throws {
        let (scheduler, replies) = (TestScheduler(), Tape<HTTPResponse>())
        let fixture = try harness.open(scheduler)
        let door = Interceptor { (request, next) async throws(TransportFailure) in
            if let reply = replies.next { return reply }
            let reply = try await next(request)
            replies.record(reply)
            return reply
        }
        try self.init(fixture.driver(door), fixture, scheduler, replies)
    }

    /// The doors alone: an adapter that asks for one exchange and sends nothing.
    init() throws { try self.init(StillDriver(), nil, TestScheduler(), Tape()) }

    private init(
        _ shipped: any PaymentDriver, _ fixture: (any ConformanceFixture)?, _ scheduler: TestScheduler,
        _ replies: Tape<HTTPResponse>
    ) throws {
        (self.scheduler, self.replies) = (scheduler, replies)
        reader = fixture?.reader.map { TapedReader(inner: $0) }
        var dependencies = ClientOptions(journal: journal)
        let (isPlaying, now) = (Locked(false), Locked(scheduler.now))
        dependencies.clock = StillClock(
            time: { now.withLock { $0 } }, other: scheduler, isPlaying: { isPlaying.withLock { $0 } })
        (dependencies.executor, dependencies.reader) = (scheduler, reader)
        (dependencies.random, dependencies.answers) = (SeededRandom(seed: 3), CheckContext.defaultHandlers)
        if let visitor = fixture?.visitor {
            dependencies.answers.handle(PaymentLink.self) { page in
                if !isPlaying.withLock({ $0 }) { await visitor(page) }
                return true
            }
        }
        driver = DriverBenchmark(shipped, dependencies)
        let source = PaymentBenchmark.source(of: shipped.capabilities)
        var recorded: [(request: SaleRequest, intent: Attempt.Intent)] = []
        for number in 0..<(2 * Self.cycle) {
            // The first cycle signs in and prepares; it leaves nothing on the tapes.
            if number == Self.cycle {
                replies.rewind()
                journal.answers.rewind()
                reader?.reads.rewind()
                // Names of messages hold the time beside the numbers that come again.
                now.withLock { $0 += 3_000 }
            }
            let request = try Self.request(fixture, source, "order-\(1_000 + number)")
            let (amount, from) = (request.amount, request.source)
            let attempt = AttemptID(now: scheduler.now + Int64(number), random: SeededRandom(seed: UInt64(number)))
            var intent = Attempt.Intent(attempt, .sale, amount, reference: request.reference)
            (intent.source, intent.last4) = (from.kind, from.last4)
            let sale = (request: request, intent: intent)
            let verdict = try scheduler.run { [driver] in
                try await driver.sale(sale.request, sale.intent)
            }
            guard verdict?.isFine == true else { throw Unplayable() }
            if number >= Self.cycle { recorded.append(sale) }
        }
        sales = recorded
        isPlaying.withLock { $0 = true }
        replies.play()
        journal.answers.play()
        reader?.reads.play()
    }

    private static func request(
        _ fixture: (any ConformanceFixture)?, _ source: PaymentSource.Kind, _ reference: String
    ) throws -> SaleRequest {
        guard let fixture else {
            let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
            return SaleRequest(Money(minorUnits: 2_500, .eur), from: .card(card), reference: reference)
        }
        guard let scripted = fixture.scripted(.approved, .sale, source) else { throw Unplayable() }
        return scripted.request(reference)
    }

    /// How many requests one sale sends.
    var requestsOfSale: Double { Double(replies.count) / Double(Self.cycle) }

    /// Makes so many cycles of sales; how long one sale took, in microseconds.
    @discardableResult func sell(cycles: Int) throws -> Double {
        let nanoseconds = try scheduler.run { [driver, sales] in
            let start = ContinuousClock().now
            for _ in 0..<cycles {
                for sale in sales {
                    let verdict = try await driver.sale(sale.request, sale.intent)
                    guard verdict?.isFine == true else { throw Unplayable() }
                }
            }
            return (ContinuousClock().now - start).nanoseconds
        }
        return Double(nanoseconds) / 1_000 / Double(cycles * Self.cycle)
    }
}

extension Verdict {
    /// Whether it is what a recorded sale must come to; a terminal of the cloud may answer later.
    fileprivate var isFine: Bool {
        switch self {
        case .approved, .pending: true
        case .declined, .cancelled: false
        }
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
