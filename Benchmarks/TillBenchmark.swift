import Foundation
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentSQLite

/// Tills over a driver that sends nothing and the SQLite journal: what a sale costs, how long a till waits beyond
/// what its provider takes.
enum TillBenchmark {
    /// How many tills pay at a time.
    private static let callers = 64
    /// How long the slow provider thinks, in milliseconds.
    private static let thinks: Int64 = 100
    /// How many tills wait for it at a time.
    private static let width = 200
    /// How many payments are written to see how many bytes one takes.
    private static let kept = 10_000

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run {
            let folder = NSTemporaryDirectory() + "payments-tills-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            return try await sales(folder, options) + latency(folder, options) + bytes(folder, options)
        }
    }

    /// Takes one payment.
    private static func sell(_ client: PaymentClient, _ number: Int) async throws {
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let request = SaleRequest(Money(minorUnits: 2_500, .eur), from: .card(card), reference: "order-\(number)")
        guard case .approved = try await client.sale(request) else { throw JournalWork.Missing() }
    }

    // MARK: - What a sale costs

    /// What was measured of one kind of work, round by round.
    private struct Sample {
        private(set) var rates: [Double] = []
        private(set) var costs: [Double] = []
        private(set) var switches: [Double] = []
        private(set) var worst: [Double] = []

        /// Does the work for one round with so many callers.
        mutating func take(_ callers: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
            let times = Locked([Double]())
            let (cost, switched) = (CPUTime.microseconds, CPUTime.switches)
            let rate = try await JournalBenchmark.rate(callers: callers) {
                let start = ContinuousClock().now
                try await body()
                let took = milliseconds(ContinuousClock().now - start)
                times.withLock { $0.append(took) }
            }
            let sorted = times.withLock { $0 }.sorted()
            rates.append(rate)
            costs.append(Double(CPUTime.microseconds - cost) / Double(sorted.count))
            switches.append(Double(CPUTime.switches - switched) / Double(sorted.count))
            worst.append(sorted[sorted.count * 99 / 100])
        }

        func results(_ name: String) -> [BenchmarkResult] {
            [
                BenchmarkResult(name, unit: "per second", samples: rates),
                BenchmarkResult("\(name), CPU", unit: "µs", samples: costs),
                BenchmarkResult("\(name), thread switches", unit: "switches", samples: switches),
                BenchmarkResult("\(name), p99", unit: "ms", samples: worst),
            ]
        }
    }

    /// Beside the tills what they can't get below: the disk, and the journal without a client.
    private static func sales(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(
            path: folder + "/sales.sqlite", processes: SingleProcess("benchmark"))
        let bare = try await SQLiteJournal.open(path: folder + "/bare.sqlite", processes: SingleProcess("benchmark"))
        let disk = try BareDisk(folder + "/bare")
        let client = try PaymentClient(StillDriver(), ClientOptions(journal: journal))
        let numbers = JournalWork.Numbers()
        let sale: @Sendable () async throws -> Void = { try await sell(client, numbers.next()) }
        let entries: @Sendable () async throws -> Void = { try await JournalWork.sell(bare, numbers.next()) }
        var (syncs, alone, shared) = (Sample(), Sample(), Sample())
        var (one, many) = (Sample(), Sample())
        for _ in 0..<options.rounds {
            try await syncs.take(1) {
                try disk.write()
                try disk.write()
            }
            try await alone.take(1, entries)
            try await one.take(1, sale)
            try await shared.take(callers, entries)
            try await many.take(callers, sale)
        }
        await journal.close()
        await bare.close()
        return syncs.results("two bare syncs") + alone.results("two entries, SQLite, 1 caller")
            + one.results("sale, SQLite, 1 till")
            + [
                .ratio("sale, 1 till, time to two bare syncs", syncs.rates, one.rates),
                .ratio("sale, 1 till, time to two entries", alone.rates, one.rates),
            ]
            + shared.results("two entries, SQLite, \(callers) callers")
            + many.results("sale, SQLite, \(callers) tills")
            + [.ratio("sale, \(callers) tills, to half the journal's entries", many.rates, shared.rates)]
    }

    // MARK: - How many bytes a payment takes

    private static func bytes(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let path = folder + "/bytes.sqlite"
        let count = options.isShort ? 100 : kept
        func fill(_ numbers: Range<Int>) async throws -> Double {
            let journal = try await SQLiteJournal.open(path: path, processes: SingleProcess("benchmark"))
            let client = try PaymentClient(StillDriver(), ClientOptions(journal: journal))
            for number in numbers { try await sell(client, number) }
            try await client.flush()
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

    /// How long tills wait beyond what the provider takes: one, many that begin in the same moment, and many that begin
    /// one after the other while the provider thinks. Beside them what no till gets below: a sync, the wait, a sync.
    private static func latency(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let journal = try await SQLiteJournal.open(
            path: folder + "/latency.sqlite", processes: SingleProcess("benchmark"))
        let clock = SystemClock()
        let client = try PaymentClient(
            StillDriver(thinks: (thinks, clock)), ClientOptions(journal: journal))
        let (numbers, disk) = (JournalWork.Numbers(), try BareDisk(folder + "/latency"))
        let sale: @Sendable () async throws -> Void = { try await sell(client, numbers.next()) }
        let bare: @Sendable () async throws -> Void = {
            try disk.write()
            try await clock.sleep(until: clock.now + thinks)
            try disk.write()
        }
        let kinds: [(name: String, width: Int, isSpread: Bool, work: @Sendable () async throws -> Void)] = [
            ("two bare syncs", 1, false, bare), ("1 till", 1, false, sale),
            ("\(width) tills at a time", width, false, sale), ("\(width) tills spread", width, true, sale),
        ]
        var samples = [[Double]](repeating: [], count: kinds.count)
        for _ in 0..<options.rounds {
            for (place, kind) in kinds.enumerated() {
                samples[place] += try await waits(kind.width, isSpread: kind.isSpread, kind.work)
            }
        }
        await journal.close()
        return zip(kinds, samples).flatMap { kind, samples in
            let name = "added at \(thinks) ms, \(kind.name)"
            return [
                BenchmarkResult(name, unit: "ms", samples: samples),
                BenchmarkResult("\(name), p99", unit: "ms", samples: [samples.sorted()[samples.count * 99 / 100]]),
            ]
        }
    }

    /// How long each of so many waited beyond the provider's time.
    private static func waits(
        _ width: Int, isSpread: Bool, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> [Double] {
        try await withThrowingTaskGroup(of: Double.self) { group in
            for place in 0..<width {
                let pause = Duration.milliseconds(thinks) * (isSpread ? place : 0) / width
                group.addTask {
                    try await Task.sleep(for: pause, tolerance: .zero)
                    let start = ContinuousClock().now
                    try await work()
                    return milliseconds(ContinuousClock().now - start) - Double(thinks)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }
}
