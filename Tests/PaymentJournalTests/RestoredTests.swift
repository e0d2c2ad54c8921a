import Foundation
import PaymentAbstraction
import PaymentConformance
import Testing

@testable import PaymentJournal

/// A journal that was restored from a copy repeats no number and begins nothing before a person has said so.
@Suite struct RestoredTests {
    private func begin(_ desk: JournalDesk, _ name: String) async throws {
        try await desk.send(try JournalDesk.intent(name))
    }

    private func words(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch let failure as JournalFailure {
            if case .notWritten(let words) = failure { return words }
            return "\(failure)"
        } catch { return "\(error)" }
        return ""
    }

    /// A journal and what was drawn from it, with a copy of it from half-way.
    private func restored(_ folder: Folder, withMark: Bool) async throws -> (drawn: Int64, path: String) {
        let first = try await SQLiteJournal.open(path: folder.file())
        try await begin(JournalDesk(first, name: "one"), "a")
        _ = try await first.draw(32)
        await first.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let second = try await SQLiteJournal.open(path: folder.file())
        let drawn = try await second.draw(32)
        await second.close()
        try copy.write(to: URL(fileURLWithPath: folder.file()))
        if !withMark { try FileManager.default.removeItem(atPath: folder.file() + ".last") }
        return (drawn, folder.file())
    }

    @Test(arguments: [true, false]) func nothingBeginsUntilSomebodySaysSo(_ withMark: Bool) async throws {
        let folder = try Folder()
        let (drawn, path) = try await restored(folder, withMark: withMark)
        let journal = try await SQLiteJournal.open(path: path)
        let desk = JournalDesk(journal, name: "two")
        #expect(await words { try await begin(desk, "b") }.contains("it was restored from a copy"))
        #expect(await words { _ = try await journal.draw(1) }.contains("it was restored from a copy"))
        #expect(await words { try await desk.write("a", [JournalDesk.open()]) }.contains("it was restored from a copy"))
        // What is known is still answered, and what was left open can be concluded.
        #expect(try await desk.held("a").standing == .underWay)
        try await desk.accept("a", JournalDesk.lost)
        #expect(await words { try await begin(desk, "b") }.contains("accept-restored"))
        #expect(try await SQLiteJournal.acceptRestored(path: path))
        // Also for whoever had it open.
        try await begin(desk, "b")
        let next = try await journal.draw(1)
        #expect(next == JournalNumbers.ofGeneration)
        #expect(next > drawn + 32)
        await journal.close()
        let again = try await SQLiteJournal.open(path: path)
        #expect(try await again.draw(1) == next + 1)
        await again.close()
        #expect(try await SQLiteJournal.acceptRestored(path: path) == false)
    }

    @Test func eachGenerationHasItsOwnNumbers() async throws {
        let folder = try Folder()
        let path = folder.file()
        var seen: Set<Int64> = []
        for generation in 0..<5 {
            let journal = try await SQLiteJournal.open(path: path)
            try await begin(JournalDesk(journal, name: "g-\(generation)"), "a-\(generation)")
            await journal.close()
            let copy = try Data(contentsOf: URL(fileURLWithPath: path))
            let again = try await SQLiteJournal.open(path: path)
            let first = try await again.draw(1_000)
            await again.close()
            for number in first..<first + 1_000 {
                #expect(seen.insert(number % 2_176_782_336).inserted)
            }
            try copy.write(to: URL(fileURLWithPath: path))
            #expect(try await SQLiteJournal.acceptRestored(path: path))
        }
    }

    @Test func aCopyElsewhereIsRestoredToo() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await begin(JournalDesk(journal), "a")
        await journal.close()
        try FileManager.default.copyItem(atPath: folder.file(), toPath: folder.file("copy"))
        let copy = try await SQLiteJournal.open(path: folder.file("copy"))
        #expect(await words { try await begin(JournalDesk(copy, name: "copy"), "b") }.contains("restored"))
        await copy.close()
    }

    @Test func aNewJournalInAnOldOnesPlaceIsNoticed() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await begin(JournalDesk(journal), "a")
        await journal.close()
        try FileManager.default.removeItem(atPath: folder.file())
        let fresh = try await SQLiteJournal.open(path: folder.file())
        #expect(await words { try await begin(JournalDesk(fresh), "a") }.contains("restored"))
        await fresh.close()
    }

    @Test func aMarkThatStayedBehindSaysNothing() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let mark = try Data(contentsOf: URL(fileURLWithPath: folder.file() + ".last"))
        #expect(mark.count == 96)
        try await begin(JournalDesk(journal), "a")
        await journal.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file() + ".last")).count == 96)
        try mark.write(to: URL(fileURLWithPath: folder.file() + ".last"))
        let again = try await SQLiteJournal.open(path: folder.file())
        try await begin(JournalDesk(again, name: "again"), "b")
        await again.close()
    }
}
