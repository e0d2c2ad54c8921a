import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentJournal

/// Tills over a driver that speaks with nobody and the SQLite journal: what a sale costs, how long a till waits beyond
/// what its provider takes, and what a merchant costs who does nothing more.
enum TillBenchmark {
    /// How many tills pay at a time.
    private static let callers = 64
    /// How long the slow provider thinks, in milliseconds.
    private static let thinks: Int64 = 100
    /// How many tills wait for it at a time.
    private static let widths = [1, 200]
    /// How many merchants one process serves.
    private static let merchants = 1_000

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run {
            let folder = NSTemporaryDirectory() + "payments-tills-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            // First what a merchant costs: later the memory of other work would be used again.
            let served = try await memory(folder, options)
            return try await sales(folder, options) + latency(folder, options) + served
        }
    }

    /// Takes one payment.
    private static func sell(_ client: PaymentClient, _ number: Int) async throws {
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let request = SaleRequest(Money(minorUnits: 2_500, .eur), from: .card(card), reference: "order-\(number)")
        guard case .approved = try await client.sale(request) else { throw JournalWork.Missing() }
    }

    // MARK: - What a sale costs

    private static func sales(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(path: folder + "/sales.sqlite")
        let bare = try await SQLiteJournal.open(path: folder + "/bare.sqlite")
        let disk = try BareDisk(folder + "/bare")
        let client = try PaymentClient(StillDriver(), ClientDependencies(journal: journal))
        let numbers = JournalWork.Numbers()
        var (syncs, entries) = ([Double](), [Double]())
        var (rates, costs) = ([Int: [Double]](), [Int: [Double]]())
        for _ in 0..<options.rounds {
            syncs.append(try await JournalBenchmark.rate(callers: 1) { try disk.write() })
            let sold = try await JournalBenchmark.rate(callers: callers) {
                try await JournalWork.sell(bare, numbers.next())
            }
            entries.append(2 * sold)
            for width in [1, callers] {
                let (before, first) = (CPUTime.microseconds, numbers.next())
                rates[width, default: []].append(
                    try await JournalBenchmark.rate(callers: width) { try await sell(client, numbers.next()) })
                let count = Double(numbers.next() - first - 1)
                costs[width, default: []].append(Double(CPUTime.microseconds - before) / count)
            }
        }
        await journal.close()
        await bare.close()
        let (one, many) = (rates[1, default: []], rates[callers, default: []])
        return [
            BenchmarkResult("sale, SQLite, 1 till", unit: "per second", samples: one),
            BenchmarkResult("sale, SQLite, 1 till, CPU", unit: "µs", samples: costs[1, default: []]),
            .ratio("sale, 1 till, time to two bare syncs", syncs.map { $0 / 2 }, one),
            BenchmarkResult("sale, SQLite, \(callers) tills", unit: "per second", samples: many),
            BenchmarkResult("sale, SQLite, \(callers) tills, CPU", unit: "µs", samples: costs[callers, default: []]),
            .ratio("sale, \(callers) tills, to half the journal's entries", many, entries.map { $0 / 2 }),
        ]
    }

    // MARK: - How long a till waits

    private static func latency(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(path: folder + "/latency.sqlite")
        let driver = StillDriver(thinks: (thinks, SystemClock()))
        let client = try PaymentClient(driver, ClientDependencies(journal: journal))
        let numbers = JournalWork.Numbers()
        var results: [BenchmarkResult] = []
        for width in widths {
            var samples: [Double] = []
            for _ in 0..<options.rounds {
                samples += try await withThrowingTaskGroup(of: Double.self) { group in
                    for _ in 0..<width {
                        group.addTask {
                            let start = ContinuousClock().now
                            try await sell(client, numbers.next())
                            return milliseconds(ContinuousClock().now - start) - Double(thinks)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            samples.sort()
            let place = samples.count * 99 / 100
            results += [
                BenchmarkResult("added at \(thinks) ms, \(width) tills", unit: "ms", samples: samples),
                BenchmarkResult("added at \(thinks) ms, \(width) tills, p99", unit: "ms", samples: [samples[place]]),
            ]
        }
        await journal.close()
        return results
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }

    // MARK: - What a merchant costs

    private static func memory(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(path: folder + "/merchants.sqlite")
        let count = options.isShort ? 10 : merchants
        let first = try await serve(0..<1, journal)
        let (before, threads) = (try kibibytes("VmRSS"), try kibibytes("Threads"))
        let others = try await serve(1..<count, journal)
        let (after, more) = (try kibibytes("VmRSS"), try kibibytes("Threads") - threads)
        guard first.count + others.count == count else { throw JournalWork.Missing() }
        await journal.close()
        return [
            BenchmarkResult("\(count) merchants above one", unit: "MiB", samples: [(after - before) / 1_024]),
            BenchmarkResult("\(count) merchants above one, threads", unit: "threads", samples: [more]),
        ]
    }

    /// Opens a client for each merchant, which takes a payment and stays.
    private static func serve(_ numbers: Range<Int>, _ journal: SQLiteJournal) async throws -> [PaymentClient] {
        try await withThrowingTaskGroup(of: PaymentClient.self) { group in
            for number in numbers {
                group.addTask {
                    var driver = StillDriver()
                    driver.identity = ProviderIdentity(
                        "still", adapter: "still", environment: "sandbox", merchant: "m-\(number)")
                    let client = try PaymentClient(driver, ClientDependencies(journal: journal))
                    try await sell(client, number)
                    return client
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// A line of what the system says of this process.
    private static func kibibytes(_ name: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let figure = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        guard let value = figure.flatMap({ Double($0) }) else { throw JournalWork.Missing() }
        return value
    }
}
