import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTesting

@testable import PaymentSQLite

// Everything that knows how a journal is made or spoken with. What a store has to offer will change; then this file
// changes, and no test does.

/// A journal that is gone with the test.
func memoryJournal() -> any Journal { InMemoryJournal() }

/// A file, opened for a stage.
struct FileJournal: Sendable {
    let path: String
    private let file: SQLiteJournal
    /// The journal as a client on a stage needs it.
    var staged: any Journal { SchedulerJournal(file) }
    /// The journal as a client without a stage needs it.
    var plain: any Journal { file }

    /// Opens or makes a file, from synchronous code.
    init(at path: String) throws {
        self.path = path
        file = try SchedulerJournal.wait {
            try await SQLiteJournal.open(path: path, processes: SingleProcess(UUID().uuidString))
        }
    }

    /// Fills in sales that a provider has accepted and never decides, as a client would have left them.
    func fill(pending count: Int, of provider: ProviderIdentity, at milliseconds: Int64) throws {
        let at = JournalInstant(wall: milliseconds, uptime: 0)
        let entries = try (0..<count).map { number -> JournalEntry in
            var intent = Attempt.Intent(
                try AttemptID("old-\(number)"), .sale, .cents(100), reference: "order-\(number)")
            (intent.source, intent.last4) = (.card, "1111")
            var finish = Finish(intent.attempt, owner: "gone", account: provider)
            (finish.begin, finish.verdict) = (Begin(intent, provider), .pending(Pending(shouldPoll: false)))
            return JournalEntry(.finish(finish))
        }
        try SchedulerJournal.wait { [file] in
            try await withThrowingTaskGroup { group in
                for (number, entry) in entries.enumerated() {
                    group.addTask { _ = try await file.write(entry, WriteID("old-\(number)"), at: at) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Closes it, so that all that was written lies in the file.
    func close() throws { try SchedulerJournal.wait { [file] in await file.close() } }

    /// Writes a word into an attempt's entry that only a later version knows, as that version would: with a sum that
    /// fits.
    static func writeLaterWord(about attempt: AttemptID, at path: String) throws {
        let connection = try SQLiteConnection(path: path, isReadOnly: false, busyMilliseconds: 1_000)
        defer { connection.close() }
        let rows = try connection.rows(
            "SELECT payment, number, write, content, at, events, answer, timeline FROM entry "
                + "WHERE number = 1 AND payment = (SELECT payment FROM id WHERE id = ?1)",
            [.text(attempt.text)], doing: "reading"
        ) { $0.values(0...7) }
        guard var values = rows.first, case .bytes(let packed) = values[5] else { throw JournalFailure.unreadable(nil) }
        let written = try EventCodec.appended(packed).map { one -> JSON in
            ["attempt": .string(one.attempt.text), "events": .array(one.events.map { EventCodec.json($0) })]
        }
        let text = String(decoding: JSON.array(written).bytes(), as: UTF8.self).replacing(
            "\"operation\":\"sale\"", with: "\"operation\":\"teleport\"")
        values[5] = .bytes(Array(text.utf8))
        try connection.run(
            "UPDATE entry SET events = ?2, sum = ?3 WHERE payment = ?1 AND number = 1",
            [values[0], values[5], .integer(RowSum.of(values))], doing: "writing")
    }

    /// Takes over a payment of 10.00 from before our time, of which something was given back already; the import has no
    /// place for that yet.
    func adopt(_ attempt: String, of provider: ProviderIdentity, refunded: Money) throws {
        let line = """
            {"attempt":"\(attempt)","provider":"\(provider.id)","adapter":"\(provider.adapter)",\
            "environment":"\(provider.environment)","merchant":"\(provider.merchant)","reference":"old-1",\
            "minorUnits":1000,"currency":"EUR","takenAt":1767225600000,\
            "references":{"payment":"p-old"},"refunded":\(refunded.minorUnits)}
            """
        let now = JournalInstant(wall: 1_767_225_600_000, uptime: 0)
        _ = try SchedulerJournal.wait { [file] in try await file.adopt([line], at: now) }
    }
}

/// A folder that is gone with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "attempts-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file in it.
    func file(_ name: String = "journal.sqlite") -> String { path + "/" + name }

    /// Puts a copy of one file in the place of another, which is what restoring a backup does.
    func copy(_ from: String, to other: String) throws {
        let manager = FileManager.default
        for ending in ["", "-wal", "-shm"] where manager.fileExists(atPath: file(other) + ending) {
            try manager.removeItem(atPath: file(other) + ending)
        }
        try manager.copyItem(atPath: file(from), toPath: file(other))
    }

    /// Copies a file with its log, as they lie there.
    func copyWithLog(_ from: String, to other: String) throws {
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file(from) + ending, toPath: file(other) + ending)
        }
    }

    /// Writes other bits wherever a text stands in a file; says how often it stood there.
    func damage(_ text: String, in name: String = "journal.sqlite") throws -> Int {
        var data = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        var (count, start) = (0, data.startIndex)
        while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
            data[range.upperBound - 1] ^= 1
            (count, start) = (count + 1, range.upperBound)
        }
        try data.write(to: URL(fileURLWithPath: file(name)))
        return count
    }
}

/// A journal that takes nothing more while it is broken, and can be mended.
final class BreakableJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    private let broken = Locked(false)

    func setBroken(_ isBroken: Bool) { broken.withLock { $0 = isBroken } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        if broken.withLock({ $0 }) { throw .notWritten("the disk is full") }
        return try await inner.write(entry, id, at: instant)
    }
}
