import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentSQLite
import PaymentTestPipes
import PaymentTesting

/// The process that is killed, or that competes with others: `journal-child <what> <arguments…>`.
@main struct JournalChild {
    /// The arguments were not understood.
    struct Misused: Error {}

    static func main() async throws {
        var words = CommandLine.arguments.dropFirst()
        switch words.popFirst() {
        case "money": try await MoneyRun(Array(words)).play()
        case "race": try await RaceRun(Array(words)).play()
        case "refunds": try await RefundRun(Array(words)).play()
        case "failover": try await FailoverRun(Array(words)).play()
        case "limited": try await LimitedRun(Array(words)).play()
        case "numbers": try await NumberRun(Array(words)).play()
        default: throw Misused()
        }
    }
}

/// A journal that announces every write, before and after, and waits until the parent lets it happen.
struct AnnouncingJournal: JournalWrapper {
    let inner: any Journal
    let channel: Channel

    private func step(_ name: String) throws(JournalFailure) {
        do {
            try channel.send(.step(name, at: 0))
            if case .proceed? = try channel.receive() { return }
        } catch {}
        throw .notWritten("the parent is gone")
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try step("write, before")
        let answer = try await inner.write(entry, id, at: instant)
        try step("write, after")
        return answer
    }
}

/// A journal that a child shares with others: a file, or a schema of a database, named by one word.
struct SharedJournal {
    let journal: any Journal
    let close: @Sendable () async -> Void

    /// Opens what a word names: `postgres`, a schema, lease milliseconds and a connection string with colons between; `alone`
    /// and the path of a file that one process uses at a time; or the path of a file.
    static func open(_ place: String, owner: String) async throws -> SharedJournal {
        if place.hasPrefix("alone:") {
            let file = String(place.dropFirst("alone:".count))
            let journal = try await SQLiteJournal.open(path: file, host: SoleProcess(owner))
            return SharedJournal(journal: journal) { await journal.close() }
        }
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
