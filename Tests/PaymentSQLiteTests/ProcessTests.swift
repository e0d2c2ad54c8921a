import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPipes
import Testing

@testable import PaymentSQLite

/// Several processes on one file, against one provider that lives here.
@Suite(.serialized) struct RaceTests {
    @Test(arguments: [2, 4]) func everyAttemptIsDoneOnceByAnyProcess(_ processes: Int) async throws {
        for tally in try await RacePlay(processes: processes, callers: 8).play(.sqlite(try Folder()), killing: nil) {
            #expect(RacePlay.strange(tally) == [])
        }
    }

    @Test func whenOneOfFourDiesTheOthersTakeOver() async throws {
        let tallies = try await RacePlay(processes: 4, callers: 8).play(.sqlite(try Folder()), killing: 1)
        #expect(tallies.count { $0 == nil } == 1)
    }
}

/// Numbers that several processes take out of one file.
@Suite struct NumberTests {
    /// More than a million numbers, 512 at a time, by four processes that each open the file twice.
    @Test func aMillionNumbersOfFourProcessesNeverRepeat() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file()
        let (processes, blocks) = (4, 489)
        let children = try (0..<processes).map { _ in try Child("journal-child", ["numbers", path, "\(blocks)"]) }
        var (seen, repeated): (Set<Int64>, Int) = ([], 0)
        for child in children {
            guard case .done(let text) = try child.channel.receive() else {
                Issue.record("a child said something else")
                return
            }
            child.wait()
            for first in text.split(separator: " ").compactMap({ Int64($0) }) {
                for number in first..<(first + 512) where !seen.insert(number).inserted { repeated += 1 }
            }
        }
        #expect(repeated == 0)
        #expect(seen.count == processes * blocks * 512)
        #expect(seen.count >= 1_000_000)
    }
}

@Suite(.serialized) struct CrashTests {
    @Test(arguments: CrashPlay.cases) func theBooksAgreeWhereverTheProcessDies(
        _ operation: PaymentOperation
    ) async throws {
        let steps = try await CrashPlay(operation).play(.sqlite(try Folder()), killAt: nil)
        #expect(steps.count == CrashPlay.stepsCount)
        for number in 1...steps.count {
            let played = try await CrashPlay(operation).play(.sqlite(try Folder()), killAt: number)
            #expect(played.count == number)
        }
        print("killed, \(operation): \(steps.count) cases")
    }
}

/// Every exchange and every commit fails in turn, before or after it was done, and the books are compared.
@Suite(.serialized) struct NthFailureTests {
    @Test(arguments: FailurePlay.Fault.allCases) func theBooksAgreeWhicheverCallOrWriteFails(
        _ fault: FailurePlay.Fault
    ) async throws {
        var cases = 0
        for failing in 1...60 {
            let play = FailurePlay(fault, failing: failing)
            var options = OpeningOptions()
            if fault == .lostCommit { options.commitFault = { play.failsCommit() ? .lost : nil } }
            if fault == .unheardCommit { options.commitFault = { play.failsCommit() ? .unconfirmed : nil } }
            guard try await play.play(StorePlace.sqlite(try Folder(), options).open("opened")) else { break }
            cases += 1
        }
        #expect(cases >= 5)
        print("n-th failure over SQLite, \(fault): \(cases) cases")
    }
}

extension StorePlace {
    /// A file in a folder, which has to outlive it.
    static func sqlite(_ folder: Folder, _ options: OpeningOptions = OpeningOptions()) -> StorePlace {
        StorePlace(folder.file()) { owner in
            let locks = try ProcessLocks(besideJournal: folder.file(), owner: owner)
            let journal = try await folder.open("journal.sqlite", options, processes: locks)
            return OpenedStore(
                journal, problems: { try await journal.problems().map { "\($0)" } },
                close: {
                    await journal.close()
                    withExtendedLifetime(folder) {}
                })
        }
    }
}

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
        // A program that another test starts at this moment has the lock until it has begun.
        #expect((1...20_000).contains { _ in !one.isAlive("two") })
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
            // Another start of the machine: that process has ended.
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
