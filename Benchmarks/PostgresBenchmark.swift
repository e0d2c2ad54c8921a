import Foundation
import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentSQLite
import PaymentTestPostgres

/// The journal in PostgreSQL against pgbench with the same statements on the same server, and against SQLite: durable
/// writes a second, and what one costs.
enum PostgresBenchmark {
    private static let tills = [1, 64, 256]
    /// With how many connections pgbench is given its best, beside one.
    private static let connections = [1, 16, 64]
    /// A sale is two durable writes.
    private static let writesOfSale = 2.0
    /// How many sales pgbench makes in a round; by time it would not end, where the alarm's signal is blocked.
    private static let salesOfPgbench = 3_200

    /// PostgreSQL isn't installed.
    struct Missing: Error {}

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        try Blocking.run { try await measure(options) + PostgresGrowth.measure(options) }
    }

    private static func measure(_ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        guard PostgresServer.programs != nil else { throw NotHere(what: "no PostgreSQL 15") }
        let server = try PostgresServer(["shared_buffers=128MB", "max_wal_size=4GB"])
        defer { server.stop() }
        var place = PostgresJournal.Options(connection: Secret(server.connection()))
        place.durability = .local
        try await PostgresJournal.prepare(place)
        let journal = try await PostgresJournal.open(place)
        let file = try await SQLiteJournal.open(
            path: server.folder + "/journal.sqlite", processes: SingleProcess("benchmark"))
        let script = server.folder + "/sale.pgbench"
        try PgbenchScript.sale().write(toFile: script, atomically: true, encoding: .utf8)
        let numbers = JournalWork.Numbers()
        var (ours, costs) = ([Int: [Double]](), [Int: [Double]]())
        var (theirs, sqlite) = ([Int: [Double]](), [Int: [Double]]())
        for _ in 0..<options.rounds {
            for count in tills {
                let (before, start) = (CPUTime.microseconds, numbers.next())
                ours[count, default: []].append(
                    writesOfSale
                        * (try await JournalBenchmark.rate(callers: count) {
                            try await JournalWork.sell(journal, numbers.next())
                        }))
                let writes = writesOfSale * Double(numbers.next() - start)
                costs[count, default: []].append(Double(CPUTime.microseconds - before) / writes)
                sqlite[count, default: []].append(
                    writesOfSale
                        * (try await JournalBenchmark.rate(callers: count) {
                            try await JournalWork.sell(file, numbers.next())
                        }))
            }
            for count in connections {
                theirs[count, default: []].append(writesOfSale * (try pgbench(server, script, count)))
            }
        }
        await journal.close()
        await file.close()
        return results(ours, costs, theirs, sqlite)
    }

    private static func results(
        _ ours: [Int: [Double]], _ costs: [Int: [Double]], _ theirs: [Int: [Double]], _ sqlite: [Int: [Double]]
    ) -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        func add(_ name: String, _ unit: String, _ samples: [Double]?) {
            results.append(BenchmarkResult(name, unit: unit, samples: samples ?? []))
        }
        for count in tills {
            add("postgres durable writes, \(count) tills", "per second", ours[count])
            add("postgres own CPU a write, \(count) tills", "µs", costs[count])
            add("sqlite durable writes, \(count) tills", "per second", sqlite[count])
        }
        for count in connections {
            add("pgbench the same, \(count) connections", "per second", theirs[count])
        }
        let best = theirs.values.max { $0.reduce(0, +) < $1.reduce(0, +) } ?? []
        results.append(.ratio("postgres 64 tills to pgbench's best", ours[64] ?? [], best))
        return results
    }

    /// Sales a second that pgbench makes with so many connections.
    private static func pgbench(_ server: PostgresServer, _ script: String, _ connections: Int) throws -> Double {
        let said = try PostgresServer.run(
            server.folder, "pgbench",
            [
                "-h", server.folder, "-U", "pay", "-n", "-M", "prepared", "-c", "\(connections)", "-j",
                "\(min(2, connections))", "-t", "\(salesOfPgbench / connections)", "-f", script, "postgres",
            ], ["PGOPTIONS=-c search_path=payments -c enable_seqscan=off -c plan_cache_mode=force_generic_plan"])
        let line = said.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        guard let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }) else { throw Missing() }
        return rate
    }
}
