import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestTill
import PaymentTesting

/// A journal whose next writes get lost on their way, and the store can't tell what became of them.
final class LosingJournal: JournalWrapper {
    let inner: any Journal
    private let left = Locked(0)

    init(_ inner: any Journal) { self.inner = inner }

    /// Loses the next writes.
    func lose(_ count: Int) { left.withLock { $0 = count } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let isLost = left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
        if isLost { throw .writeUnconfirmed("the connection to the database was lost while committing") }
        return try await inner.write(entry, id, at: instant)
    }
}

/// A journal that can't write one attempt any more, because its row is damaged.
final class DamagedJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    private let damaged = Locked(AttemptID?.none)

    /// From now on this attempt's row can't be read.
    func damage(_ attempt: AttemptID) { damaged.withLock { $0 = attempt } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if let attempt = damaged.withLock({ $0 }), entry.attempt == attempt { throw .unreadable(PaymentID(attempt)) }
        return try await inner.write(entry, id, at: instant)
    }
}

/// A journal on whose way the entries of one attempt get lost.
final class OneLostJournal: JournalWrapper {
    let inner: any Journal
    private let lost = Locked(AttemptID?.none)

    init(_ inner: any Journal) { self.inner = inner }

    /// From now on this attempt's entries get lost; nil for none.
    func lose(_ attempt: AttemptID?) { lost.withLock { $0 = attempt } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if let attempt = lost.withLock({ $0 }), entry.attempt == attempt {
            throw .writeUnconfirmed("the connection to the database was lost while committing")
        }
        return try await inner.write(entry, id, at: instant)
    }
}

/// A journal whose index takes no long names, as PostgreSQL's.
final class ShortNameJournal: JournalWrapper {
    /// What a row of PostgreSQL's index takes.
    static let bytesMax = 2_704

    let inner: any Journal = InMemoryJournal()

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if JournalRules.reads(entry).names.contains(where: { $0.value.utf8.count > Self.bytesMax }) {
            throw .notWritten("54000: index row size exceeds the maximum for index \"name_pkey\"")
        }
        return try await inner.write(entry, id, at: instant)
    }
}

extension JournalEntry {
    /// The attempt of which a process writes what it did.
    fileprivate var attempt: AttemptID? {
        switch command {
        case .request(let open): open.attempt
        case .finish(let finish): finish.attempt
        case .report(let attempt, _), .takeOver(let attempt, _, _): attempt
        case .notice, .closeGap: nil
        }
    }
}

/// A journal's file in a folder of its own, which is removed with the test.
final class JournalFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "finding-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where the journal lies.
    var file: String { path + "/journal.sqlite" }

    /// Opens the journal for a stage, runs a body and closes the journal.
    func open<Value>(
        as processes: any ProcessRegistry = SingleProcess(UUID().uuidString), _ body: (any Journal) throws -> Value
    ) throws -> Value {
        let file = file
        let journal = try SchedulerJournal.wait { try await SQLiteJournal.open(path: file, processes: processes) }
        defer { try? SchedulerJournal.wait { await journal.close() } }
        return try body(SchedulerJournal(journal))
    }

    /// Keeps a copy of the closed journal.
    func backUp() throws { try FileManager.default.copyItem(atPath: file, toPath: path + "/backup") }

    /// Puts the copy back in the journal's place.
    func restore() throws {
        let manager = FileManager.default
        for ending in ["", "-wal", "-shm"] where manager.fileExists(atPath: file + ending) {
            try manager.removeItem(atPath: file + ending)
        }
        try manager.copyItem(atPath: path + "/backup", toPath: file)
    }

    /// A person accepts the restored journal.
    func acceptRestored() throws {
        let file = file
        _ = try SchedulerJournal.wait { try await SQLiteJournal.acceptRestored(path: file) }
    }

    /// Imports a payment of 10.00 EUR that another program took at a time (milliseconds since 1970).
    func importPayment(_ attempt: String, named name: String, of provider: ProviderIdentity, takenAt: Int64) throws {
        let line = """
            {"attempt":"\(attempt)","provider":"\(provider.id)","adapter":"\(provider.adapter)",\
            "environment":"\(provider.environment)","merchant":"\(provider.merchant)","reference":"old-1",\
            "minorUnits":1000,"currency":"EUR","takenAt":\(takenAt),"references":{"payment":"\(name)"}}
            """
        let file = file
        try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
            let answer: Result<Int, any Error>
            let now = Attempt.Instant(wall: takenAt + 60_000, uptime: 0)
            do { answer = .success(try await journal.adopt([line], at: now)) } catch { answer = .failure(error) }
            await journal.close()
            _ = try answer.get()
        }
    }
}
