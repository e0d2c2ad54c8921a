import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTesting
import Testing

@testable import PaymentSQLite

/// A journal that was restored from a copy repeats no number and begins nothing before a person has said so.
@Suite struct RestoredTests {
    private func begin(_ desk: JournalTestWriter, _ name: String) async throws {
        try await desk.send(try JournalTestWriter.intent(name))
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
        let first = try await folder.open()
        try await begin(JournalTestWriter(first, name: "one"), "a")
        _ = try await first.draw(32)
        await first.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let second = try await folder.open()
        let drawn = try await second.draw(32)
        await second.close()
        try copy.write(to: URL(fileURLWithPath: folder.file()))
        if !withMark { try FileManager.default.removeItem(atPath: folder.file() + ".last") }
        return (drawn, folder.file())
    }

    @Test(arguments: [true, false]) func restored_nothingBeginsUntilAPersonAcceptsIt(_ withMark: Bool) async throws {
        let folder = try Folder()
        let (number, path) = try await restored(folder, withMark: withMark)
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal, name: "two")
        #expect(await words { try await begin(desk, "b") }.contains("it was restored from a copy"))
        #expect(await words { _ = try await journal.draw(1) }.contains("it was restored from a copy"))
        var more = OpenRequest(
            try JournalTestWriter.id("a"), owner: JournalTestWriter.owner, account: JournalTestWriter.one, sendLimit: 1)
        (more.run, more.closing) = (1, Closing(1, .notSent))
        let command = JournalCommand.request(more)
        #expect(await words { try await desk.write(command) }.contains("it was restored from a copy"))
        // What is known is still answered, and what was left open can be concluded.
        #expect(try await desk.held("a").state == .running)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("a"), nil))
        #expect(await words { try await begin(desk, "b") }.contains("accept-restored"))
        #expect(try await SQLiteJournal.acceptRestored(path: path))
        // Also for a process that had it open. An id of its own may be of the lost time.
        let refused = try await desk.write(JournalTestWriter.request(try JournalTestWriter.intent("b")))
        #expect(refused == .refused(.mayBeLost, nil))
        let drawn = AttemptID(generation: try await journal.generation(), now: 0, random: SystemRandom())
        try await begin(desk, drawn.text)
        try await desk.closeGap()
        try await begin(desk, "b")
        let next = try await journal.draw(1)
        #expect(next >= JournalNumbers.ofGeneration)
        #expect(next > number + 32)
        await journal.close()
        let again = try await folder.open()
        #expect(try await again.draw(1) == next + 1)
        await again.close()
        #expect(try await SQLiteJournal.acceptRestored(path: path) == false)
    }

    /// A snapshot of a folder or of a machine sets the mark back as well, so that only a person knows.
    @Test func setBackWithItsMark_isDeclaredRestoredByAPerson() async throws {
        let folder = try Folder()
        let path = folder.file()
        let first = try await folder.open()
        try await begin(JournalTestWriter(first, name: "one"), "a")
        await first.close()
        let copies = try ["", ".last"].map { (path + $0, try Data(contentsOf: URL(fileURLWithPath: path + $0))) }
        let second = try await folder.open()
        try await begin(JournalTestWriter(second, name: "two"), "lost")
        let drawn = try await second.draw(1)
        await second.close()
        for (file, bytes) in copies { try bytes.write(to: URL(fileURLWithPath: file)) }
        #expect(try await SQLiteJournal.acceptRestored(path: path) == false)
        #expect(try await SQLiteJournal.acceptRestored(path: path, anyway: true))
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal, name: "three")
        let refused = try await desk.write(JournalTestWriter.request(try JournalTestWriter.intent("lost")))
        #expect(refused == .refused(.mayBeLost, nil))
        let next = try await journal.draw(1)
        #expect(next >= JournalNumbers.ofGeneration && next > drawn)
        await journal.close()
    }

    /// What the first acceptance has drawn is in no file that the second one sees.
    @Test func snapshotRestoredTwice_drawsOtherNumbers() async throws {
        let folder = try Folder()
        let path = folder.file()
        let first = try await folder.open()
        try await begin(JournalTestWriter(first, name: "one"), "a")
        await first.close()
        let copies = try ["", ".last"].map { (path + $0, try Data(contentsOf: URL(fileURLWithPath: path + $0))) }
        var drawn: [Int64] = []
        for _ in 1...2 {
            for (file, bytes) in copies { try bytes.write(to: URL(fileURLWithPath: file)) }
            #expect(try await SQLiteJournal.acceptRestored(path: path, anyway: true))
            let journal = try await folder.open()
            drawn.append(try await journal.draw(1))
            await journal.close()
        }
        #expect(Set(drawn).count == 2, "\(drawn)")
    }

    /// A copy that is put back beside the log of what it replaces: the two don't fit together, however large the file is.
    @Test func copyBesideAnOldLog_isNotOpened() async throws {
        let folder = try Folder()
        let path = folder.file()
        for days in ["a", "b"] {
            let journal = try await folder.open()
            for number in 0..<40 { try await begin(JournalTestWriter(journal, name: days), "\(days)-\(number)") }
            // What was written before is in the file alone, and the log has only what changes.
            await journal.close()
            guard days == "a" else { continue }
            _ = try JournalCopy(from: try SQLiteSource(path), to: SQLiteTarget(folder.file("copy")), isMove: false)
                .run()
        }
        let journal = try await folder.open()
        for number in 0..<40 { try await begin(JournalTestWriter(journal, name: "c"), "c-\(number)") }
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("log"))
        await journal.close()
        for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) }
        try FileManager.default.moveItem(atPath: folder.file("log"), toPath: path + "-wal")
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: path)
        var options = OpeningOptions()
        options.checkedPagesMax = 0
        await #expect(throws: PaymentError.self) {
            let again = try await folder.open("journal.sqlite", options)
            await again.close()
        }
    }

    @Test func eachGenerationHasItsOwnNumbers() async throws {
        let folder = try Folder()
        let path = folder.file()
        var seen: Set<Int64> = []
        for generation in 0..<5 {
            let journal = try await folder.open()
            let desk = JournalTestWriter(journal, name: "g-\(generation)")
            try await desk.closeGap()
            try await begin(desk, "a-\(generation)")
            await journal.close()
            let copy = try Data(contentsOf: URL(fileURLWithPath: path))
            let again = try await folder.open()
            let first = try await again.draw(1_000)
            await again.close()
            for number in first..<first + 1_000 {
                #expect(seen.insert(number % 2_176_782_336).inserted)
            }
            try copy.write(to: URL(fileURLWithPath: path))
            #expect(try await SQLiteJournal.acceptRestored(path: path))
        }
    }

    /// Whatever the day, as a terminal's message has the numbers: six digits to the base of 36.
    @Test func generationsOfOneMoment_areApartOnAnyDay() throws {
        for quarter: Int64 in 0..<400 {
            let wall = 1_796_000_000_000 + quarter * 21_600_000
            var (number, firsts): (Int64, [Int64]) = (1, [])
            for later: Int64 in 0..<5 {
                number = try #require(JournalNumbers.next(after: number + 5_000, at: wall + later))
                firsts.append(number % 2_176_782_336)
            }
            let sorted = firsts.sorted()
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 + 5_000 < $1 }, "\(wall): \(sorted)")
        }
    }

    @Test func aCopyElsewhereIsRestoredToo() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        try await begin(JournalTestWriter(journal), "a")
        await journal.close()
        try FileManager.default.copyItem(atPath: folder.file(), toPath: folder.file("copy"))
        let copy = try await folder.open("copy")
        #expect(await words { try await begin(JournalTestWriter(copy, name: "copy"), "b") }.contains("restored"))
        await copy.close()
    }

    @Test func aNewJournalInAnOldOnesPlaceIsNoticed() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        try await begin(JournalTestWriter(journal), "a")
        await journal.close()
        try FileManager.default.removeItem(atPath: folder.file())
        let fresh = try await folder.open()
        #expect(await words { try await begin(JournalTestWriter(fresh), "a") }.contains("restored"))
        await fresh.close()
    }

    @Test func aMarkThatStayedBehindSaysNothing() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let mark = try Data(contentsOf: URL(fileURLWithPath: folder.file() + ".last"))
        #expect(mark.count == 96)
        try await begin(JournalTestWriter(journal), "a")
        await journal.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file() + ".last")).count == 96)
        try mark.write(to: URL(fileURLWithPath: folder.file() + ".last"))
        let again = try await folder.open()
        try await begin(JournalTestWriter(again, name: "again"), "b")
        await again.close()
    }

    /// A process that ran before the restore runs no more for the journal, whatever its name is.
    @Test func run_begunBeforeTheRestore_isTakenOverAfterwards() async throws {
        let folder = try Folder()
        let path = try await restored(folder, withMark: true).path
        let early = try await folder.open()
        let takeOver = JournalCommand.takeOver(try JournalTestWriter.id("a"), run: 1, .died)
        let before = try await JournalTestWriter(early, name: "early").write(takeOver)
        if case .refused = before {} else { Issue.record("the run of a process that lives was ended: \(before)") }
        await early.close()
        #expect(try await SQLiteJournal.acceptRestored(path: path))
        let late = try await folder.open()
        #expect(try await JournalTestWriter(late, name: "late").accept(takeOver).state == .inDoubt)
        await late.close()
    }

    /// While a restore may have lost something, only what this generation of the journal knows begins.
    @Test func gap_open_beginsNoOtherIdUntilAPersonClosesIt() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await journal.execute("UPDATE counter SET value = 1 WHERE name = 'gap'")
        let command = JournalTestWriter.request(try JournalTestWriter.intent("a"))
        let refused = try await desk.write(command)
        #expect(refused == .refused(.mayBeLost, nil))
        #expect(try await journal.preview(JournalEntry(command), at: JournalTestWriter.at(1)) == refused)
        // An id that was drawn in this generation can't be lost.
        let drawn = AttemptID(generation: try await journal.generation(), now: 0, random: SystemRandom())
        try await desk.send(try JournalTestWriter.intent(drawn.text))
        #expect(try await journal.closedGaps().isEmpty)
        #expect(try await desk.write(.closeGap(by: "Ann"), at: 7) == .kept)
        let closed = try await journal.closedGaps()
        #expect(closed.map(\.person) == ["Ann"] && closed.map(\.at) == [JournalTestWriter.at(7).wall])
        try await desk.accept(command)
        await journal.close()
    }
}

/// The suite of providers over two journals at once that get the same calls: the one in memory and a file. What both answer
/// and keep is the same after every write.
@Suite(.serialized) struct TwinTests {
    /// All checks of the memory provider, and a part of those of links of three others.
    private static let links = [("memory", 1), ("adyen", 4), ("ecommpay", 4), ("halo", 4)]

    @Test(arguments: links) func suite_overMemoryAndSQLite_differsNowhere(_ name: String, _ every: Int) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        var passed = 0
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: every) {
            passed += try await play(check, harness, files: 1) ? 1 : 0
        }
        print("memory and SQLite side by side, \(name): \(passed) checks passed")
    }

    /// Two connections of which each makes every other call, on one file.
    @Test func suite_overMemoryAndSharedSQLite_differsNowhere() async throws {
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: 5) {
            _ = try await play(check, MemoryHarness(), files: 2)
        }
    }

    /// A store that forgets something is noticed.
    @Test func twin_storeThatForgetsNames_isFound() async throws {
        let twin = TwinJournal(InMemoryJournal(), Nameless(inner: InMemoryJournal()))
        try await JournalTestWriter(twin).done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        #expect(twin.differences.contains { $0.contains("payment a") }, "\(twin.differences)")
    }

    private struct Nameless: JournalWrapper {
        let inner: any Journal

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
        ) async throws(JournalFailure) -> JournalAnswer {
            guard case .finish(var finish) = entry.command else { return try await inner.write(entry, id, at: instant) }
            finish.closing?.names = []
            return try await inner.write(JournalEntry(.finish(finish), timeline: entry.timeline), id, at: instant)
        }
    }

    /// Plays one check; says whether it passed.
    private func play(_ check: Check, _ harness: any ConformanceHarness, files: Int) async throws -> Bool {
        let (folder, table) = (try Folder(), LateRegistry())
        var stores: [SQLiteJournal] = []
        for _ in 0..<files { stores.append(try await folder.open(processes: table)) }
        let (passed, differences) = try await TwinPlay(harness, TurnsJournal(stores), table).play(check)
        #expect(differences.isEmpty, "\(harness.name) \(check.id): \(differences.joined(separator: "\n"))")
        for store in stores { await store.close() }
        return passed
    }
}
