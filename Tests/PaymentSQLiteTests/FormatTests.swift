import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// A file of a former format is refused with its format, ours and what to do; it is never read as payments and never changed.
@Suite struct FormatTests {
    /// Files that former software wrote, and the format of each.
    private static let fixtures = [
        ("edition-1-version-1", 1), ("edition-1-version-2", 2), ("edition-1", 3), ("version-4", 4), ("version-5", 5),
    ]

    private func place(_ name: String, in folder: Folder) throws -> Data {
        let from = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/Journal/\(name).sqlite").standardized
        try FileManager.default.copyItem(atPath: from.path, toPath: folder.file())
        return try Data(contentsOf: from)
    }

    private func expectWords(_ words: String, _ version: Int) {
        #expect(words.contains("it is a journal of format \(version)"), "\(words)")
        #expect(words.contains("reads and writes format \(Schema.version)"), "\(words)")
        #expect(words.contains("Nothing was changed") && words.contains("another path"), "\(words)")
    }

    @Test(arguments: fixtures, [false, true])
    func fileOfAFormerFormat_opened_isRefusedAndLeftAsItIs(
        _ former: (name: String, version: Int), _ isReadOnly: Bool
    ) async throws {
        let folder = try Folder()
        let before = try place(former.name, in: folder)
        var options = OpeningOptions()
        options.isReadOnly = isReadOnly
        do {
            await (try await folder.open("journal.sqlite", options)).close()
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .journal && error.outcome == .notExecuted)
            expectWords(error.detail, former.version)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file() + ".last"))
    }

    @Test(arguments: fixtures) func fileOfAFormerFormat_accepted_isRefusedAndLeftAsItIs(
        _ name: String, _ version: Int
    ) async throws {
        let folder = try Folder()
        let before = try place(name, in: folder)
        let error = await #expect(throws: PaymentError.self) {
            try await SQLiteJournal.acceptRestored(path: folder.file())
        }
        expectWords(error?.detail ?? "", version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test(arguments: fixtures) func fileOfAFormerFormat_copied_isRefusedAndLeftAsItIs(
        _ name: String, _ version: Int
    ) throws {
        let folder = try Folder()
        let before = try place(name, in: folder)
        let error = #expect(throws: JournalCopyFailure.self) { try SQLiteSource(folder.file()) }
        expectWords(error?.words ?? "", version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    /// A process of the former software may have it open, and what it wrote last may stand in the log.
    @Test func logOfAFormerFormat_opened_isLeftAsItIs() async throws {
        let folder = try Folder()
        _ = try place("version-5", in: folder)
        let user = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        try user.execute(
            "PRAGMA journal_mode = WAL; UPDATE counter SET value = 7 WHERE name = 'number'", doing: "writing")
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.file() + "-wal"))
        #expect(!log.isEmpty)
        await #expect(throws: PaymentError.self) { try await folder.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file() + "-wal")) == log)
        user.close()
    }
}
