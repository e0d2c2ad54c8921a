import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentSQLite

/// The SQLite journal: durable commits against the bare disk, and a large journal against a small one; the latter for the
/// journal in memory, too.
enum JournalBenchmark {
    /// How many payments a small and a large journal hold.
    static func sizes(_ options: BenchmarkOptions) -> [Int] {
        options.isShort ? [100, options.payments ?? 0] : [10_000, options.payments ?? 1_000_000]
    }
    /// How many callers write at once.
    static let callers = 64
    /// How long one figure is taken in one round, in milliseconds.
    static let roundMilliseconds: Int64 = 200
    /// How many payments are filled in at once.
    private static let filledAtOnce = 5_000
    /// More payments than these the journal in memory is not asked to hold.
    private static let memoryMax = 1_000_000

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run { try await measure(options) }
    }

    private static func measure(_ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let folder = NSTemporaryDirectory() + "payments-benchmark-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var results = try await commits(folder, options)
        var journals: [SQLiteJournal] = []
        let sizes = sizes(options)
        for size in sizes {
            let path = folder + "/\(size).sqlite"
            try fill(path, size)
            let journal = try await SQLiteJournal.open(path: path, processes: SingleProcess("benchmark"))
            for number in 0..<JournalWork.open { try await JournalWork.lose(journal, -1 - number) }
            journals.append(journal)
        }
        // What was filled in must not be written while something else is measured.
        sync()
        try DiskReads.readAll(folder)
        results += try await uses("journal", journals, options)
        for journal in journals { await journal.close() }
        if sizes.contains(where: { $0 > memoryMax }) { return results }
        let memory = sizes.map { _ in InMemoryJournal(processes: SingleProcess("benchmark")) }
        for (journal, size) in zip(memory, sizes) {
            for number in 0..<size { try await JournalWork.sell(journal, filled: number) }
            for number in 0..<JournalWork.open { try await JournalWork.lose(journal, -1 - number) }
        }
        return results + (try await uses("memory journal", memory, options))
    }

    // MARK: - Commits

    private static func commits(_ folder: String, _ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let disk = try BareDisk(folder + "/bare")
        let journal = try await SQLiteJournal.open(
            path: folder + "/commits.sqlite", processes: SingleProcess("benchmark"))
        let numbers = JournalWork.Numbers()
        var (bare, one, many) = ([Double](), [Double](), [Double]())
        for _ in 0..<options.rounds {
            bare.append(try await rate(callers: 1) { try disk.write() })
            one.append(try await rate(callers: 1) { try await JournalWork.begin(journal, numbers.next()) })
            many.append(try await rate(callers: callers) { try await JournalWork.begin(journal, numbers.next()) })
        }
        await journal.close()
        return [
            BenchmarkResult("journal bare fdatasync", unit: "per second", samples: bare),
            BenchmarkResult("journal durable begins, 1 caller", unit: "per second", samples: one),
            BenchmarkResult("journal durable begins, \(callers) callers", unit: "per second", samples: many),
            .ratio("journal 1 caller to bare disk", one, bare),
            .ratio("journal \(callers) callers to 1 caller", many, one),
            .ratio("journal \(callers) callers to bare disk", many, bare),
        ]
    }

    /// How often a second a body is done by so many callers.
    static func rate(callers: Int, _ body: @escaping @Sendable () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .milliseconds(roundMilliseconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var count = 0
                    while clock.now < end {
                        try await body()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / seconds(clock.now - start)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    // MARK: - A large journal

    private static func fill(_ path: String, _ count: Int) throws {
        let target = SQLiteTarget(path)
        try target.begin()
        for start in stride(from: 0, to: count, by: filledAtOnce) {
            try target.write((start..<min(count, start + filledAtOnce)).map { .payment(try JournalWork.filled($0)) })
        }
        try target.finish(
            JournalCounters(number: 1, generation: 1, generationName: 1, restored: 0, gap: 0, pruned: 0), gone: [])
        try target.admit()
        target.end()
    }

    static func uses(
        _ name: String, _ journals: [any Journal], _ options: BenchmarkOptions
    ) async throws -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        let (numbers, sizes) = (JournalWork.Numbers(), sizes(options))
        for use in JournalWork.uses {
            var samples = [[Double]](repeating: [], count: journals.count)
            var fetched: [Double] = []
            for _ in 0..<options.rounds {
                for (place, journal) in journals.enumerated() {
                    let (before, start) = (DiskReads.bytes, numbers.next())
                    let rate = try await rate(callers: 1) { try await use.body(journal, sizes[place], numbers.next()) }
                    samples[place].append(1_000_000 / rate)
                    guard place == journals.count - 1 else { continue }
                    fetched.append(Double(DiskReads.bytes - before) / Double(numbers.next() - start - 1))
                }
            }
            for (place, size) in sizes.enumerated() {
                results.append(
                    BenchmarkResult("\(name) \(use.name), \(size) payments", unit: "µs", samples: samples[place]))
            }
            results.append(.ratio("\(name) \(use.name), large to small", samples[1], samples[0]))
            results.append(
                BenchmarkResult("\(name) \(use.name), large, from the disk", unit: "bytes", samples: fetched))
        }
        return results
    }
}
