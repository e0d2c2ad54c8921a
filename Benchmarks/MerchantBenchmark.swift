import Foundation
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentModel
import PaymentSQLite

/// Many merchants in one process, each a client with a scope of its own over one SQLite journal: what they
/// cost, and whether tills notice that one is added and one removed.
enum MerchantBenchmark {
    /// How many merchants one process serves.
    private static let merchants = 1_000
    /// How many tills sell at a time.
    private static let tills = 64

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run {
            let folder = NSTemporaryDirectory() + "payments-merchants-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let journal = try await SQLiteJournal.open(
                path: folder + "/merchants.sqlite", processes: SingleProcess("benchmark"))
            let (shops, cost) = try await cost(journal, options)
            let changes = try await changes(shops, journal, options)
            await journal.close()
            return cost + changes
        }
    }

    /// A merchant's client; the driver is an account of its own.
    private static func open(_ number: Int, _ journal: SQLiteJournal) throws -> PaymentClient {
        var driver = StillDriver()
        driver.identity = ProviderIdentity("still", adapter: "still", environment: "sandbox", merchant: "m-\(number)")
        var options = ClientOptions(journal: journal)
        options.scope = "shop-\(number)"
        return try PaymentClient(driver, options)
    }

    /// Takes one payment; two merchants may have the same reference.
    private static func sell(_ client: PaymentClient, _ number: Int) async throws {
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let request = SaleRequest(Money(minorUnits: 2_500, .eur), from: .card(card), reference: "order-\(number)")
        guard case .approved = try await client.sale(request) else { throw JournalWork.Missing() }
    }

    // MARK: - What a merchant costs

    /// Opens a client for each merchant, which takes a payment and stays.
    private static func cost(
        _ journal: SQLiteJournal, _ options: BenchmarkOptions
    ) async throws -> ([PaymentClient], [BenchmarkResult]) {
        let count = options.isShort ? 10 : merchants
        var shops = [try open(0, journal)]
        try await sell(shops[0], 0)
        let (before, threads) = (try status("VmRSS"), try status("Threads"))
        var opening = Duration.zero
        for number in 1..<count {
            let start = ContinuousClock().now
            shops.append(try open(number, journal))
            opening += ContinuousClock().now - start
            try await sell(shops[number], 0)
        }
        let (after, more) = (try status("VmRSS"), try status("Threads") - threads)
        return (
            shops,
            [
                BenchmarkResult("\(count) merchants, opened", unit: "ms", samples: [milliseconds(opening)]),
                BenchmarkResult("\(count) merchants above one", unit: "MiB", samples: [(after - before) / 1_024]),
                BenchmarkResult("\(count) merchants above one, threads", unit: "threads", samples: [more]),
            ]
        )
    }

    /// A line of what the system says of this process.
    private static func status(_ name: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let figure = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        guard let value = figure.flatMap({ Double($0) }) else { throw JournalWork.Missing() }
        return value
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }

    // MARK: - A merchant is added and one removed while tills sell

    /// When a sale began, and how long it took, in milliseconds.
    private typealias Timed = (began: ContinuousClock.Instant, took: Double)

    /// In each round: how long the slowest hundredth of sales takes in the second before the change and in the second after it.
    private static func changes(
        _ shops: [PaymentClient], _ journal: SQLiteJournal, _ options: BenchmarkOptions
    ) async throws -> [BenchmarkResult] {
        let window: Duration = options.isShort ? .milliseconds(100) : .seconds(1)
        let numbers = JournalWork.Numbers()
        var (before, after) = ([Double](), [Double]())
        for round in 0..<options.rounds {
            let (sales, isOver) = (Locked([Timed]()), Locked(false))
            let change = try await withThrowingTaskGroup(of: Void.self) { group in
                for till in 0..<tills {
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            let began = ContinuousClock().now
                            try await sell(shops[till % shops.count], numbers.next())
                            let took = milliseconds(ContinuousClock().now - began)
                            sales.withLock { $0.append((began, took)) }
                        }
                    }
                }
                // A window to begin with, and the one before the change.
                try await Task.sleep(for: window * 2)
                let change = ContinuousClock().now
                try await addAndRemove(merchants + round, journal)
                try await Task.sleep(for: window)
                isOver.withLock { $0 = true }
                try await group.waitForAll()
                return change
            }
            let timed = sales.withLock { $0 }
            before.append(p99(timed.filter { $0.began >= change - window && $0.began < change }))
            after.append(p99(timed.filter { $0.began >= change && $0.began < change + window }))
        }
        let name = "\(tills) tills, p99"
        return [
            BenchmarkResult("\(name) before a change", unit: "ms", samples: before),
            BenchmarkResult("\(name) after it", unit: "ms", samples: after),
            .ratio("\(name), after to before", after, before),
        ]
    }

    /// A merchant comes, sells once and goes.
    private static func addAndRemove(_ number: Int, _ journal: SQLiteJournal) async throws {
        let shop = try open(number, journal)
        try await sell(shop, 0)
        try await shop.flush()
    }

    private static func p99(_ sales: [Timed]) -> Double {
        let sorted = sales.map(\.took).sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count * 99 / 100]
    }
}
