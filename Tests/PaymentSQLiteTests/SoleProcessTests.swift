import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// The journal as a phone has it: one process at a time, no inotify and no lock beside SQLite's; played here on Linux.
@Suite struct SoleProcessTests {
    private func open(_ folder: Folder, _ owner: String) async throws -> SQLiteJournal {
        try await SQLiteJournal.open(path: folder.file(), host: SoleProcess(owner))
    }

    private func begin(_ name: String, owner: String) throws -> JournalCommand {
        JournalTestWriter.request(try JournalTestWriter.intent(name), owner: owner)
    }

    @Test func portableForm_leavesTheJournalsFilesAndNoOther() async throws {
        let folder = try Folder()
        let journal = try await open(folder, "one")
        try await JournalTestWriter(journal).accept(begin("a", owner: "one"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal", "journal.sqlite.last"])
        await journal.close()
    }

    @Test func whatWasWritten_opened_again_isThere() async throws {
        let folder = try Folder()
        let first = try await open(folder, "one")
        try await JournalTestWriter(first, name: "one").accept(begin("a", owner: "one"))
        let number = try await first.draw(4)
        await first.close()
        let second = try await open(folder, "two")
        #expect(try await JournalTestWriter(second, name: "two").held("a").state == .running)
        #expect(!second.processes.isAlive("one"), "what one process left is another's to look up")
        #expect(try await second.draw(1) == number + 4)
        #expect(try await second.problems() == [])
        await second.close()
    }

    /// Two clients of one application, or a process that the system has not ended yet.
    @Test func openedAgain_theFirstReportsAndBeginsNothing() async throws {
        let folder = try Folder()
        let first = try await open(folder, "one")
        let early = JournalTestWriter(first, name: "one")
        try await early.accept(begin("a", owner: "one"))
        let second = try await open(folder, "two")
        let late = JournalTestWriter(second, name: "two")
        await #expect(throws: JournalFailure.self) { try await early.write(begin("b", owner: "one")) }
        await #expect(throws: JournalFailure.self) { _ = try await first.draw(1) }
        #expect(try await first.refusal()?.contains("opened again") == true)
        #expect(try await second.refusal() == nil)
        // What it had sent has an answer, which the newer one reads.
        let end = JournalTestWriter.finish(
            try JournalTestWriter.id("a"), JournalTestWriter.approved(), names: ["n"], owner: "one")
        try await early.accept(end)
        #expect(try await late.held("a").state == .approved)
        try await late.accept(begin("b", owner: "two"))
        await first.close()
        await second.close()
    }

    @Test func restored_isRefusedAsOnLinux() async throws {
        let folder = try Folder()
        let first = try await open(folder, "one")
        try await JournalTestWriter(first, name: "one").accept(begin("a", owner: "one"))
        await first.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let second = try await open(folder, "two")
        try await JournalTestWriter(second, name: "two").accept(begin("b", owner: "two"))
        await second.close()
        try copy.write(to: URL(fileURLWithPath: folder.file()))
        let third = try await open(folder, "three")
        #expect(try await third.refusal()?.contains("restored from a copy") == true)
        await third.close()
        #expect(try await SQLiteJournal.acceptRestored(path: folder.file()))
        let fourth = try await open(folder, "four")
        #expect(try await fourth.refusal() == nil)
        await fourth.close()
    }

    /// Who waits for an attempt is woken by an entry of this process, without a watch of the file.
    @Test func waiter_entryOfThisProcess_isWoken() async throws {
        let folder = try Folder()
        let journal = try await open(folder, "one")
        let desk = JournalTestWriter(journal)
        try await desk.accept(begin("a", owner: "one"))
        let id = try JournalTestWriter.id("a")
        async let woken: Void = journal.changed(id, after: 1)
        try await desk.accept(
            JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["n"], owner: "one"))
        try await woken
        #expect(try await desk.held("a").state == .approved)
        await journal.close()
    }

    @Test func disk_isAskedForEverything() async throws {
        let folder = try Folder()
        let journal = try await open(folder, "one")
        let settings = try await journal.keeping { keeper in
            try ["synchronous", "fullfsync", "checkpoint_fullfsync"].map {
                try keeper.connection.number("PRAGMA \($0)", doing: "looking")
            }
        }
        #expect(settings == [2, 1, 1])
        await journal.close()
    }
}

/// An application that is killed at every step of an attempt, and started again.
@Suite(.serialized) struct SoleProcessCrashTests {
    @Test(arguments: CrashPlay.cases) func books_applicationKilledAtAnyStep_agree(
        _ operation: PaymentOperation
    ) async throws {
        let steps = try await CrashPlay(operation).play(.alone(try Folder()), killAt: nil)
        #expect(steps.count == CrashPlay.stepsCount)
        for number in 1...steps.count {
            let played = try await CrashPlay(operation).play(.alone(try Folder()), killAt: number)
            #expect(played.count == number)
        }
        print("killed in the portable form, \(operation): \(steps.count) cases")
    }
}

extension StorePlace {
    /// A file that one process uses at a time, by its name for children.
    fileprivate static func alone(_ folder: Folder) -> StorePlace {
        StorePlace("alone:\(folder.file())") { owner in
            let journal = try await SQLiteJournal.open(path: folder.file(), host: SoleProcess(owner))
            return OpenedStore(
                journal, problems: { try await journal.problems().map { "\($0)" } },
                close: {
                    await journal.close()
                    withExtendedLifetime(folder) {}
                })
        }
    }
}
