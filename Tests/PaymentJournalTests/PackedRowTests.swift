import Foundation
import PaymentConformance
import Testing

@testable import PaymentAbstraction
@testable import PaymentBase
@testable import PaymentJournal

/// Rows as the version before wrote them, in plain JSON, and as this one writes them.
@Suite struct PackedRowTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/Journal").standardized

    private static func lines(of name: String) throws -> [String] {
        try String(contentsOf: fixtures.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func brought(_ folder: Folder) async throws -> SQLiteJournal {
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: "version-4.sqlite").path, toPath: folder.file())
        return try await SQLiteJournal.open(path: folder.file())
    }

    private func forms(_ folder: Folder) throws -> [String: Int64] {
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: true, busyMilliseconds: 100)
        defer { connection.close() }
        #expect(try Schema.signs(connection).version == Schema.version)
        func count(_ sign: String) throws -> Int64 {
            try connection.number("SELECT count(*) FROM entry WHERE hex(substr(facts, 1, 1)) = '\(sign)'", doing: "")
        }
        return ["plain": try count("5B"), "packed": try count("01")]
    }

    @Test func plainRowsSayWhatTheySaidAndStay() async throws {
        let folder = try Folder()
        let journal = try await brought(folder)
        #expect(try await journal.check().problems == [])
        var lines: [String] = []
        try await journal.export { lines.append($0) }
        #expect(lines == (try Self.lines(of: "version-4.jsonl")))
        await journal.close()
        #expect(try forms(folder)["packed"] == 0)
    }

    /// Whoever only reads reads what is there, and leaves the file as it is.
    @Test func aFileOfBeforeIsReadWithoutBeingWritten() async throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: "version-4.sqlite").path, toPath: folder.file())
        var options = OpeningOptions()
        options.isReadOnly = true
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        #expect(try await journal.check().attempts == 7)
        await journal.close()
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: true, busyMilliseconds: 100)
        defer { connection.close() }
        #expect(try Schema.signs(connection).version == 4)
    }

    @Test func packedRowsFollowPlainOnesOfTheSamePayment() async throws {
        let folder = try Folder()
        await (try await brought(folder)).close()
        // The mark beside the journal stayed where it was made.
        _ = try await SQLiteJournal.acceptRestored(path: folder.file())
        var journal = try await SQLiteJournal.open(path: folder.file())
        let plain = try #require(try forms(folder)["plain"])
        let key = AttemptKey(try AttemptID("a-1"))
        let facts = try #require(try await journal.facts(key))
        let account = facts.newest.provider
        let intent = AttemptIntent(
            try AttemptID("refund-2"), .refund, Money(minorUnits: 1_000, .eur), reference: "order-1",
            payment: PaymentID(key.attempt))
        let now = JournalInstant(wall: 1_800_000_000_000, uptime: 1)
        let begin = JournalEntry(intent.key, [.begin(intent, AdmissionTerms(account, owner: "o"))])
        guard case .accepted = try await journal.write(begin, WriteID("w-1"), at: now) else {
            Issue.record("a refund of what is left was not begun")
            return
        }
        await journal.close()
        #expect(try forms(folder) == ["plain": plain, "packed": 1])
        journal = try await SQLiteJournal.open(path: folder.file())
        #expect(try await journal.facts(intent.key)?.intent == intent)
        #expect(try await journal.check().problems == [])
        await journal.close()
    }

    /// A row that any version wrote says the same for ever: these are of the first that packed.
    @Test func packedRowsKeepTheirMeaning() throws {
        for line in try Self.lines(of: "packed-rows.txt") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            let bytes = try #require(Hex.decode(parts[0]))
            let plain = Array(parts[1].utf8)
            #expect(try FactCodec.facts(bytes) == (try FactCodec.facts(plain)))
            #expect(FactCodec.bytes(try FactCodec.facts(plain)) == bytes)
        }
    }

    /// The lines cover each word, by a note for each: one that moved in the list would be another.
    @Test func everyWordIsPinned() throws {
        let lines = try Self.lines(of: "packed-rows.txt")
        let text = lines.joined()
        #expect(JournalWords.often.count == PackedWords.shortCount)
        #expect(Set(JournalWords.packed.list).count == JournalWords.packed.list.count)
        for word in JournalWords.packed.list { #expect(text.contains("\"name\":\"\(word)\"")) }
    }

    /// What a sale takes is less than two fifths of what it took.
    @Test func packedRowsAreShort() async throws {
        let folder = try Folder()
        await (try await brought(folder)).close()
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: true, busyMilliseconds: 100)
        defer { connection.close() }
        let rows = try connection.rows("SELECT facts FROM entry WHERE length(facts) > 0", [], doing: "") { row in
            row.bytes(0) ?? []
        }
        let packed = try rows.map { FactCodec.bytes(try FactCodec.facts($0)).count }.reduce(0, +)
        #expect(packed * 5 < rows.map(\.count).reduce(0, +) * 2)
    }
}
