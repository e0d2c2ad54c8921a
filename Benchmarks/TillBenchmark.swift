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
    /// How many payments are written to see how many bytes one takes.
    private static let kept = 10_000
    /// How many merchants one process serves.
    private static let merchants = 1_000

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run {
            let folder = NSTemporaryDirectory() + "payments-tills-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            // First what a merchant costs: later the memory of other work would be used again.
            let served = try await memory(folder, options)
            return try await sales(folder, options) + latency(folder, options) + bytes(folder, options) + served
        }
    }

    /// Takes one payment.
    private static func sell(_ client: PaymentClient, _ number: Int) async throws {
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let request = SaleRequest(Money(minorUnits: 2_500, .eur), from: .card(card), reference: "order-\(number)")
        guard case .approved = try await client.sale(request) else { throw JournalWork.Missing() }
    }

    // MARK: - What a sale costs

    /// What was measured with so many tills.
    private struct Sample {
        var rates: [Double] = []
        var costs: [Double] = []
        var switches: [Double] = []
        var worst: [Double] = []
    }

    private static func sales(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(path: folder + "/sales.sqlite")
        let bare = try await SQLiteJournal.open(path: folder + "/bare.sqlite")
        let disk = try BareDisk(folder + "/bare")
        let client = try PaymentClient(StillDriver(), ClientDependencies(journal: journal))
        let numbers = JournalWork.Numbers()
        var (syncs, entries) = ([Double](), [Double]())
        var samples: [Int: Sample] = [:]
        for _ in 0..<options.rounds {
            syncs.append(try await JournalBenchmark.rate(callers: 1) { try disk.write() })
            let sold = try await JournalBenchmark.rate(callers: callers) {
                try await JournalWork.sell(bare, numbers.next())
            }
            entries.append(2 * sold)
            for width in [1, callers] {
                let times = Locked([Double]())
                let (before, switches) = (CPUTime.microseconds, CPUTime.switches)
                let rate = try await JournalBenchmark.rate(callers: width) {
                    let start = ContinuousClock().now
                    try await sell(client, numbers.next())
                    let took = milliseconds(ContinuousClock().now - start)
                    times.withLock { $0.append(took) }
                }
                let sorted = times.withLock { $0 }.sorted()
                samples[width, default: Sample()].rates.append(rate)
                samples[width]?.costs.append(Double(CPUTime.microseconds - before) / Double(sorted.count))
                samples[width]?.switches.append(Double(CPUTime.switches - switches) / Double(sorted.count))
                samples[width]?.worst.append(sorted[sorted.count * 99 / 100])
            }
        }
        await journal.close()
        await bare.close()
        let (one, many) = (samples[1, default: Sample()], samples[callers, default: Sample()])
        return [
            BenchmarkResult("sale, SQLite, 1 till", unit: "per second", samples: one.rates),
            BenchmarkResult("sale, SQLite, 1 till, CPU", unit: "µs", samples: one.costs),
            BenchmarkResult("sale, SQLite, 1 till, thread switches", unit: "switches", samples: one.switches),
            BenchmarkResult("sale, SQLite, 1 till, p99", unit: "ms", samples: one.worst),
            .ratio("sale, 1 till, time to two bare syncs", syncs.map { $0 / 2 }, one.rates),
            BenchmarkResult("sale, SQLite, \(callers) tills", unit: "per second", samples: many.rates),
            BenchmarkResult("sale, SQLite, \(callers) tills, CPU", unit: "µs", samples: many.costs),
            BenchmarkResult(
                "sale, SQLite, \(callers) tills, thread switches", unit: "switches", samples: many.switches),
            BenchmarkResult("sale, SQLite, \(callers) tills, p99", unit: "ms", samples: many.worst),
            BenchmarkResult("journal alone, \(callers) callers, entries", unit: "per second", samples: entries),
            .ratio("sale, \(callers) tills, to half the journal's entries", many.rates, entries.map { $0 / 2 }),
        ]
    }

    // MARK: - How many bytes a payment takes

    private static func bytes(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let path = folder + "/bytes.sqlite"
        let count = options.isShort ? 100 : kept
        func fill(_ numbers: Range<Int>) async throws -> Double {
            let journal = try await SQLiteJournal.open(path: path)
            let client = try PaymentClient(StillDriver(), ClientDependencies(journal: journal))
            for number in numbers { try await sell(client, number) }
            try await client.finish()
            // The last one to close it writes the log into the file.
            await journal.close()
            return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Double ?? 0
        }
        let before = try await fill(0..<count / 10)
        let after = try await fill(count / 10..<count / 10 + count)
        return [
            BenchmarkResult(
                "SQLite, a payment with its timeline", unit: "bytes", samples: [(after - before) / Double(count)])
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
        var clients: [PaymentClient] = []
        for number in numbers {
            var driver = StillDriver()
            driver.identity = ProviderIdentity(
                "still", adapter: "still", environment: "sandbox", merchant: "m-\(number)")
            let client = try PaymentClient(driver, ClientDependencies(journal: journal))
            try await sell(client, number)
            clients.append(client)
        }
        return clients
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
