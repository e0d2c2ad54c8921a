import Foundation
import PaymentJournalKit
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// A journal that is only read: nothing is made beside it, and nothing has to be writable.
@Suite struct ReadingTests {
    @Test func fileOpenedForReading_showsAllAndMakesNothingOfItsOwn() async throws {
        let folder = try Folder()
        let first = try await folder.open()
        try await JournalTestWriter(first).send(try JournalTestWriter.intent("a"))
        await first.close()
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(
                atPath: URL(filePath: folder.file()).deletingLastPathComponent().path
            ).sorted()
        }
        let before = try names()
        let reader = try await SQLiteJournal.openForReading(path: folder.file())
        #expect(try await JournalTestWriter(reader, name: "reader").names(.open(scope: nil)) == ["a"])
        await reader.close()
        // The log and the index are SQLite's own, and shared with those who write.
        #expect(Set(try names()).subtracting(before).allSatisfy { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
        await #expect(throws: (any Error).self) {
            _ = try await SQLiteJournal.openForReading(path: folder.file() + ".none")
        }
    }

    @Test func refusalOfTheSystem_saysWhatToDo() {
        #expect(SystemRefusal.words(ENOSPC) == "the disk is full; make room")
        #expect(SystemRefusal.words(EDQUOT) == SystemRefusal.words(ENOSPC))
        #expect(SystemRefusal.words(EROFS).contains("read only") && SystemRefusal.words(EACCES).contains("mode"))
        #expect(SystemRefusal.words(99_999).contains("error 99999"))
    }
}
