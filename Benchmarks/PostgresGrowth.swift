import Foundation
import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentTestPostgres

/// The uses of a large journal in PostgreSQL against those of a small one, on one server.
enum PostgresGrowth {
    /// How many attempts are filled in at once.
    private static let filledAtOnce = 10_000

    static func measure(_ options: BenchmarkOptions) async throws -> [BenchmarkResult] {
        let server = try PostgresServer(
            [
                "shared_buffers=1GB", "max_wal_size=4GB", "checkpoint_timeout=30min", "wal_level=minimal",
                "max_wal_senders=0",
            ])
        defer { server.stop() }
        var journals: [PostgresJournal] = []
        let sizes = JournalBenchmark.sizes(options)
        for (place, size) in sizes.enumerated() {
            var options = PostgresJournal.Options(connection: Secret(server.connection()))
            (options.schema, options.durability) = (schema(place), .local)
            try fill(options, size)
            let journal = try await PostgresJournal.open(options)
            for number in 0..<JournalWork.open { try await JournalWork.lose(journal, -1 - number) }
            journals.append(journal)
        }
        // As a server does on its own, in time.
        _ = try server.sql("VACUUM ANALYZE")
        _ = try server.sql("CHECKPOINT")
        try DiskReads.readAll(server.folder)
        let weights = try sizes.enumerated().map { place, size in
            let bytes = try server.sql(weighing(schema(place))).first.flatMap { Double($0) } ?? 0
            return BenchmarkResult("postgres, of \(size) attempts one", unit: "bytes", samples: [bytes / Double(size)])
        }
        let uses = try await JournalBenchmark.uses("postgres", journals, options)
        for journal in journals { await journal.close() }
        return weights + uses
    }

    private static func schema(_ place: Int) -> String { "journal_\(place)" }

    private static func weighing(_ schema: String) -> String {
        """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class \
        WHERE relkind = 'r' AND relnamespace = '\(schema)'::regnamespace
        """
    }

    /// Fills a schema as a copy of another journal does, in one transaction.
    private static func fill(_ options: PostgresJournal.Options, _ count: Int) throws {
        let target = try PostgresTarget(options)
        try target.begin()
        for start in stride(from: 0, to: count, by: filledAtOnce) {
            try target.write((start..<min(count, start + filledAtOnce)).map { .payment(try JournalWork.filled($0)) })
        }
        try target.finish(
            JournalCounters(number: 1, generation: 1, generationName: 1, restored: 0, gap: 0, pruned: 0), gone: [])
        try target.admit()
        target.end()
    }
}
