import Foundation
import PaymentJournalKit
import PaymentModel
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
        // The log and the index are SQLite's own, and shared with the processes that write.
        #expect(Set(try names()).subtracting(before).allSatisfy { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
        await #expect(throws: (any Error).self) {
            _ = try await SQLiteJournal.openForReading(path: folder.file() + ".none")
        }
    }

    /// Under each name SQLite keeps another log: what is written under one is not seen under the other.
    @Test func journalWithASecondName_isReadAndNotWritten() async throws {
        let folder = try Folder()
        try await folder.open().close()
        try FileManager.default.linkItem(atPath: folder.file(), toPath: folder.file("other.sqlite"))
        for name in ["journal.sqlite", "other.sqlite"] {
            let error = await #expect(throws: PaymentError.self) { _ = try await folder.open(name) }
            #expect(error?.detail.contains("a second name") == true, "\(String(describing: error))")
            let read = try await SQLiteJournal.openForReading(path: folder.file(name))
            await read.close()
        }
        try FileManager.default.removeItem(atPath: folder.file("other.sqlite"))
        try await folder.open().close()
    }

    /// Opening a pipe would wait for a process that writes into it.
    @Test func pipeInAJournalsPlace_isRefusedAndNotWaitedFor() async throws {
        let folder = try Folder()
        let made = unsafe mkfifo(folder.file(), 0o600)
        #expect(made == 0)
        let read = await #expect(throws: PaymentError.self) {
            _ = try await SQLiteJournal.openForReading(path: folder.file())
        }
        let written = await #expect(throws: PaymentError.self) { _ = try await folder.open() }
        for error in [read, written] { #expect(error?.detail.contains("no ordinary file") == true) }
    }

    @Test func refusalOfTheSystem_saysWhatToDo() {
        #expect(SystemRefusal.words(ENOSPC) == "the disk is full; make room")
        #expect(SystemRefusal.words(EDQUOT) == SystemRefusal.words(ENOSPC))
        #expect(SystemRefusal.words(EROFS).contains("read only") && SystemRefusal.words(EACCES).contains("mode"))
        #expect(SystemRefusal.words(99_999).contains("error 99999"))
    }
}
