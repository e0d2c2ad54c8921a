import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentProviderKit
import PaymentSQLite

/// A journal that a child shares with others: a file, or a schema of a database, named by one word.
struct SharedJournal {
    let journal: any Journal
    let close: @Sendable () async -> Void

    /// Opens what a word names: `postgres`, a schema, lease milliseconds and a connection string with colons between, or
    /// the path of a file.
    static func open(_ place: String, owner: String) async throws -> SharedJournal {
        let words = place.split(separator: ":", maxSplits: 3).map(String.init)
        guard words.count == 4, words[0] == "postgres", let lease = Int(words[2]) else {
            let locks = try ProcessLocks(besideJournal: place, owner: owner)
            let journal = try await SQLiteJournal.open(path: place, processes: locks)
            return SharedJournal(journal: journal) { await journal.close() }
        }
        var options = PostgresJournal.Options(connection: Secret(words[3]))
        (options.schema, options.durability, options.owner) = (words[1], .local, owner)
        options.lease = .milliseconds(lease)
        let journal = try await PostgresJournal.open(options)
        return SharedJournal(journal: journal) { await journal.close() }
    }
}
