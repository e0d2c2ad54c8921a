import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentTesting
import PaymentTransport

/// Whether a simulated provider does anything slower after many payments: what happens behind its door, with a large
/// history against a small one.
enum GrowthBenchmark {
    /// How many payments a large history holds, without `--payments`.
    private static let many = 20_000
    /// A small one holds so much less, and no more than this.
    private static let (fraction, fewMax) = (20, 10_000)
    private static let usesInRound = 20

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let large = options.isShort ? 100 : options.payments ?? many
        let small = options.isShort ? 50 : min(fewMax, large / fraction)
        var results: [BenchmarkResult] = []
        // A kit and another link of one provider have the same simulated provider behind them.
        let names = ["arise", "adyen", "ecommpay", "halo", "memory", "ni"]
        for harness in HarnessRegistry.builtin.harnesses where names.contains(harness.name) {
            if let only = options.only, harness.name != only { continue }
            let (few, many) = (try FullProvider(harness, small), try FullProvider(harness, large))
            for use in FullProvider.Use.allCases {
                var (early, late) = ([Double](), [Double]())
                for _ in 0..<options.rounds {
                    guard let one = try few.behind(use, usesInRound), let other = try many.behind(use, usesInRound)
                    else { break }
                    early.append(one)
                    late.append(other)
                }
                if early.isEmpty { continue }
                let name = "\(harness.name), simulated, \(use.rawValue)"
                results += [
                    BenchmarkResult("\(name), \(large) payments", unit: "µs", samples: late),
                    .ratio("\(name), large to small", late, early),
                ]
            }
        }
        return results
    }
}

/// A simulated provider that has taken many payments, and a till.
private struct FullProvider {
    /// What is asked of it.
    enum Use: String, CaseIterable {
        case sale
        case status = "status of one"
        case refund
        case page = "list page 1"
        case lastPage = "list, its last page"
    }

    private static let pageCount = 20
    private let scheduler = TestScheduler()
    private let client: PaymentClient
    private let fixture: any ConformanceFixture
    private let source: PaymentSource.Kind
    private let payments = Locked([Payment]())
    private let behind = Locked<Int64>(0)
    private let refunded = Locked(0)
    private let count: Int
    private let last: String?

    /// Where the last page begins, as the provider has it; nil where only the page before says so.
    private static func cursor(_ name: String, _ count: Int) -> String? {
        switch name {
        case "arise": "\(count / pageCount - 1)"
        case "halo", "ni": "\(count - pageCount)"
        default: nil
        }
    }

    init(_ harness: any ConformanceHarness, _ count: Int) throws {
        fixture = try harness.open(scheduler)
        let door = Interceptor { [behind] (request, next) async throws(TransportFailure) in
            let start = ContinuousClock().now
            defer { behind.withLock { $0 += (ContinuousClock().now - start).nanoseconds } }
            return try await next(request)
        }
        let driver = try fixture.driver(door)
        var dependencies = ClientOptions(journal: .memory)
        (dependencies.clock, dependencies.executor) = (scheduler, scheduler)
        (dependencies.reader, dependencies.answers) = (fixture.reader, CheckContext.defaultHandlers)
        dependencies.random = SeededRandom(seed: 2)
        let client = try PaymentClient(driver, dependencies)
        self.client = client
        source = PaymentBenchmark.source(of: driver.capabilities)
        self.count = count
        last = Self.cursor(harness.name, count)
        for _ in 0..<count { try sell() }
        _ = fixture.trigger(.settled)
    }

    private func sell() throws {
        guard let scripted = fixture.scripted(.approved, .sale, source) else { throw JournalWork.Missing() }
        let number = payments.withLock { $0.count }
        let request = scripted.request("order-\(number)")
        let result = try scheduler.run { [client] in try await client.sale(request) }
        guard case .approved(let payment) = result else { throw JournalWork.Missing() }
        payments.withLock { $0.append(payment) }
        _ = fixture.deliveredWebhooks()
    }

    /// How long the provider took for one use, in microseconds; nil where it can't be asked for it.
    func behind(_ use: Use, _ times: Int) throws -> Double? {
        guard let there = client.all.first?.transactions, use != .lastPage || last != nil else { return nil }
        behind.withLock { $0 = 0 }
        for number in 0..<times {
            let payment = payments.withLock { $0[(number * 7_919 + 13) % $0.count] }
            do {
                switch use {
                case .sale: try sell()
                case .status: _ = try scheduler.run { try await there.details(payment.references) }
                case .refund:
                    // Each time another one that is settled, and little of it.
                    let place = refunded.withLock {
                        $0 += 1; return $0 % self.count
                    }
                    let mine = payments.withLock { $0[place] }
                    let cent = Money(minorUnits: 100, mine.approved.currency)
                    _ = try scheduler.run { [client] in try await client.refund(mine.id, of: cent) }
                case .page: _ = try scheduler.run { try await there.list(ListQuery(limit: Self.pageCount)) }
                case .lastPage:
                    var query = ListQuery(limit: Self.pageCount)
                    query.cursor = last
                    _ = try scheduler.run { [query] in try await there.list(query) }
                }
            } catch let error as PaymentError where error.code == .unsupported { return nil }
        }
        return Double(behind.withLock { $0 }) / 1_000 / Double(times)
    }
}
