import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

@Suite struct ProcessLocksTests {
    private func lock(_ folder: Folder, _ owner: String) -> String { folder.file() + ".owners/\(owner).lock" }

    private func write(_ folder: Folder, _ owner: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: lock(folder, owner)))
    }

    @Test func locksTellWhoIsThere() throws {
        let folder = try Folder()
        let one = try ProcessLocks(besideJournal: folder.file(), owner: "one")
        var two: ProcessLocks? = try ProcessLocks(besideJournal: folder.file(), owner: "two")
        #expect(one.isAlive("one"))
        #expect(one.isAlive("two"))
        #expect(two?.isAlive("one") == true)
        two = nil
        #expect(!one.isAlive("two"))
        // A lock that is missing, and a name that has none, prove nothing.
        #expect(one.isAlive("three"))
        #expect(one.isAlive("../two"))
        #expect(one.isAlive(""))
    }

    @Test func noNameIsUsedTwice() throws {
        let folder = try Folder()
        var one: ProcessLocks? = try ProcessLocks(besideJournal: folder.file(), owner: "one")
        for _ in 0..<2 {
            #expect(throws: PaymentError(.journal, outcome: .notExecuted)) {
                try ProcessLocks(besideJournal: folder.file(), owner: "one")
            }
            // Nor when its process has ended.
            one = nil
        }
        #expect(one == nil)
        for name in ["", "../x", "a b", "ü"] {
            #expect(throws: PaymentError(.journal, outcome: .notExecuted)) {
                try ProcessLocks(besideJournal: folder.file(), owner: name)
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file() + ".owners")
        #expect(names == ["one.lock"])
    }

    @Test func onlyTheLockThatWasHeldProvesADeath() throws {
        let folder = try Folder()
        let here = try ProcessLocks(besideJournal: folder.file(), owner: "here")
        _ = try ProcessLocks(besideJournal: folder.file(), owner: "gone")
        #expect(!here.isAlive("gone"))
        let mark = ProcessLockFile.of(RealPath.of(folder.file()))
        #expect(!mark.boot.isEmpty && mark.inode > 0)
        let cases: [(String, isAlive: Bool)] = [
            ("\(mark.device) \(mark.inode) \(mark.boot) \n", false),
            // A copy of the folder beside a journal that was brought back.
            ("\(mark.device) \(mark.inode + 1) \(mark.boot) \n", true),
            ("\(mark.device + 1) \(mark.inode) \(mark.boot) \n", true),
            // Another start of the machine: whoever it was has ended.
            ("\(mark.device) \(mark.inode) another-boot \n", false),
            ("\(mark.device + 1) \(mark.inode + 1) another-boot \n", false),
            // What says nothing proves nothing.
            ("", true), ("what", true), ("\(mark.device) \(mark.inode)  \n", true),
        ]
        for (number, (text, isAlive)) in cases.enumerated() {
            try write(folder, "case-\(number)", text)
            #expect(here.isAlive("case-\(number)") == isAlive, "\(text)")
        }
    }

    @Test func theSameJournalByAnotherPathHasTheSameLocks() throws {
        let folder = try Folder()
        let one = try ProcessLocks(besideJournal: folder.file(), owner: "one")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file())
        let two = try ProcessLocks(besideJournal: folder.file("link"), owner: "two")
        let three = try ProcessLocks(besideJournal: folder.path + "/./journal.sqlite", owner: "three")
        #expect(one.isAlive("two") && one.isAlive("three") && two.isAlive("one") && three.isAlive("two"))
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.file() + ".owners")).count == 3)
        #expect(!FileManager.default.fileExists(atPath: folder.file("link") + ".owners"))
    }

    @Test func aLockStaysWhileSomethingOpenRefersToIt() async throws {
        let folder = try Folder()
        let here = try ProcessLocks(besideJournal: folder.file(), owner: "here")
        let journal = try await folder.open(processes: here)
        let desk = JournalTestWriter(journal)
        var ended: [ProcessLocks] = []
        for owner in ["a", "b", "c", "d"] {
            ended.append(try ProcessLocks(besideJournal: folder.file(), owner: owner))
            try await desk.send(try JournalTestWriter.intent(owner), owner: owner)
        }
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), nil, owner: "b"))
        try await desk.accept(
            JournalTestWriter.finish(try JournalTestWriter.id("c"), JournalTestWriter.approved(), owner: "c"))
        ended.removeLast()
        ended.removeLast()
        ended.removeFirst()
        // d ended and has something under way; b runs; c ended and is done; a ended and has something under way.
        #expect(try await journal.clearOwners(here) == 1)
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.file() + ".owners"))
        #expect(names == ["here.lock", "a.lock", "b.lock", "d.lock"])
        for owner in ["a", "d"] {
            #expect(!here.isAlive(owner))
            try await desk.accept(.takeOver(try JournalTestWriter.id(owner), run: 1, .died))
        }
        #expect(try await journal.clearOwners(here) == 2)
        #expect(ended.count == 1)
        await journal.close()
    }
}
