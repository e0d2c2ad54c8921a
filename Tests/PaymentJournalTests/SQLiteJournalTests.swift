import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import Testing

@testable import PaymentJournal

@Suite struct SQLiteJournalTests {
    @Test func everythingSurvivesTheFile() async throws {
        let folder = try Folder()
        let first = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(first)
        var written: [AttemptFacts] = []
        for (number, verdict) in JournalSamples.verdicts.enumerated() {
            written.append(
                try await desk.done(try JournalDesk.intent("a\(number)", scope: "s"), verdict, names: ["n-\(number)"]))
        }
        let event = try JournalDesk.event("k", 3, of: "a0")
        try await desk.accept("a0", [], scope: "s", events: [event])
        let kept = JournalEntry(
            .holder(JournalDesk.one, "late", []), [.word(JournalDesk.word(.webhook, JournalDesk.approved(), id: "m"))])
        #expect(try await first.write(kept, desk.fresh(), at: JournalDesk.at(1)) == .kept)
        let number = try await first.draw(5)
        await first.close()

        let second = try await SQLiteJournal.open(path: folder.file())
        let again = JournalDesk(second, name: "again")
        for (number, facts) in written.enumerated() {
            #expect(try await again.facts("a\(number)", scope: "s") == facts)
            #expect(try await again.holders("n-\(number)") == ["a\(number)"])
        }
        #expect(try await again.timeline("a0", scope: "s") == [event])
        #expect(try await second.draw(1) == number + 5)
        try await again.send(try JournalDesk.intent("b"))
        #expect(try await again.accept("b", [.names(JournalDesk.one, ["late"])]).hasMoved)
        #expect(try await second.check().problems == [])
        await second.close()
    }

    /// The promise of the specification's table: one write before the money, one after it.
    @Test func aPlainSaleIsTwoDurableWrites() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        func commits() async throws -> Int64 {
            try await journal.reading {
                try $0.number("SELECT value FROM counter WHERE name = 'commit'", doing: "counting")
            }
        }
        for number in 0..<5 {
            let before = try await commits()
            let name = "a-\(number)"
            try await desk.accept(
                name, [JournalDesk.begin(try JournalDesk.intent(name)), JournalDesk.open()],
                events: [try JournalDesk.event("begun", 1, of: name), try JournalDesk.event("submitted", 2, of: name)])
            #expect(try await commits() == before + 1)
            // Whoever was told of the sale before is written with this one.
            try await desk.accept(
                name, JournalDesk.closing(JournalDesk.approved(), names: ["n-\(number)"]),
                events: [try JournalDesk.event("approved", 3, of: name)], told: number == 0 ? [] : ["a-\(number - 1)"])
            #expect(try await commits() == before + 2)
        }
        let entries = try await journal.reading {
            try $0.number("SELECT count(*) FROM entry WHERE attempt = 1", doing: "counting")
        }
        #expect(entries == 3)
        // What is refused, asked or repeated costs nothing.
        let before = try await commits()
        _ = try await desk.write("a-1", [JournalDesk.begin(try JournalDesk.intent("a-1")), JournalDesk.open()])
        _ = try await desk.write("nobody", JournalDesk.lost)
        _ = try await journal.due(scope: "x", limit: 5, at: JournalDesk.at(1))
        #expect(try await commits() == before)
        await journal.close()
    }

    @Test func manyCallersWriteTogetherAndOneRefusalFailsAlone() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        let answers = try await desk.atOnce(200) { number in
            let name = number % 10 == 0 ? "nobody-\(number)" : "c-\(number)"
            let parts =
                number % 10 == 0
                ? JournalDesk.lost : [JournalDesk.begin(try JournalDesk.intent(name)), JournalDesk.open()]
            return try await desk.write(name, parts)
        }
        #expect(answers.count { if case .accepted = $0 { true } else { false } } == 180)
        #expect(answers.count { $0 == .unknownAttempt } == 20)
        #expect(try await desk.names(.open).count == 180)
        let commits = try await journal.reading {
            try $0.number("SELECT value FROM counter WHERE name = 'commit'", doing: "counting")
        }
        #expect(commits < 180)
        await journal.close()
    }

    /// What fails after it has written takes nothing of its own along, and nothing of others.
    @Test func whatFailsHalfDoneLeavesNothingAndHarmsNobody() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        try await desk.send(try JournalDesk.intent("taken"))
        @Sendable func facts(_ name: String) throws -> [JournalFact] {
            [
                .intent(try JournalDesk.intent(name)),
                FactCodec.round(1, JournalDesk.one, owner: "x", at: JournalDesk.at(0)),
            ]
        }
        let refusals = try await desk.atOnce(200) { number in
            guard number % 10 == 0 else {
                try await desk.send(try JournalDesk.intent("c-\(number)"))
                return false
            }
            do {
                try await journal.fill([try facts("half-\(number)"), try facts("taken")], at: JournalDesk.at(0))
            } catch JournalFailure.notWritten {
                return true
            }
            return false
        }
        #expect(refusals.count { $0 } == 20)
        let open = try await desk.names(.open)
        #expect(Set(open).count == 181)
        #expect(!open.contains { $0.hasPrefix("half") })
        #expect(try await journal.check().problems == [])
        await journal.close()
    }

    /// Each of two that share a file hears of what the other writes, and takes no look that the other has.
    @Test func twoProcessesHearOfEachOther() async throws {
        let folder = try Folder()
        let (one, two) = (
            try await SQLiteJournal.open(path: folder.file()), try await SQLiteJournal.open(path: folder.file())
        )
        let desk = JournalDesk(one)
        for round in 0..<20 {
            let known = try await desk.send(try JournalDesk.intent("a-\(round)"))
            async let heard: Void = two.changed(known)
            try await desk.accept("a-\(round)", JournalDesk.closing(JournalDesk.approved()))
            try await heard
            #expect(try await two.facts(known.intent.key)?.standing == .moved)
        }
        for number in 0..<40 { try await desk.send(try JournalDesk.intent("b-\(number)")) }
        let taken = try await desk.atOnce(16) { number in
            try await (number % 2 == 0 ? one : two).due(scope: "", limit: 5, at: JournalDesk.at(6_000)).rows
                .map(\.intent.attempt.text)
        }
        #expect(Set(taken.joined()).count == 40)
        #expect(taken.joined().count == 40)
        await one.close()
        await two.close()
    }

    /// Whoever reads while another process writes sees an attempt as it was or as it is, never half of it.
    @Test func whatIsWrittenMeanwhileIsNeverHalfSeen() async throws {
        let folder = try Folder()
        let (one, two) = (
            try await SQLiteJournal.open(path: folder.file()), try await SQLiteJournal.open(path: folder.file())
        )
        let desk = JournalDesk(one)
        try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
        let (attempt, origin) = (try JournalDesk.key("a"), try JournalDesk.key("p"))
        try await desk.send(try JournalDesk.intent("a"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<150 {
                    try await desk.accept("a", [.note(name: "n", value: "\(number)")])
                    if number % 10 == 0 {
                        try await desk.done(
                            try JournalDesk.intent("r-\(number)", .refund, 1, of: "p"), JournalDesk.approved(1))
                    }
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    _ = try await two.facts(attempt)
                    _ = try await two.family(origin)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await two.facts(attempt)?.notes.count == 150)
        await one.close()
        await two.close()
    }

    @Test func whoWaitsIsLetGoWhenTheJournalIsClosed() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let known = try await JournalDesk(journal).send(try JournalDesk.intent("a"))
        let waiter = Task { try await journal.changed(known) }
        await journal.close()
        // Whether it waited already or comes too late, it returns.
        _ = await waiter.result
        await #expect(throws: JournalFailure.notWritten("the journal is closed")) {
            try await journal.facts(known.intent.key)
        }
    }

    @Test func onlyItsOwnerMayReadTheFiles() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        for suffix in ["", ".last"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file() + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        await journal.close()
    }

    @Test func aFileOfSomethingElseIsRefused() async throws {
        let folder = try Folder()
        try Data("this is a shopping list, not a journal; it is long enough to look at".utf8)
            .write(to: URL(fileURLWithPath: folder.file("list")))
        for name in ["list", "missing/folder.sqlite"] {
            await #expect(throws: PaymentError(.journal, outcome: .nothingMoved)) {
                try await SQLiteJournal.open(path: folder.file(name))
            }
        }
    }

    @Test(
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END", "DROP INDEX attempt_blocking",
            "CREATE VIEW v AS SELECT 1", "ALTER TABLE name ADD COLUMN more TEXT",
            "DROP INDEX entry_write; CREATE INDEX entry_write ON entry (write)", "CREATE TABLE more (a)",
        ])
    func aFileOfAnotherShapeIsRefused(_ harm: String) async throws {
        let folder = try Folder()
        await (try await SQLiteJournal.open(path: folder.file())).close()
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        try connection.execute(harm, doing: "harm")
        connection.close()
        do {
            await (try await SQLiteJournal.open(path: folder.file())).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("its tables are not those")) }
    }

    @Test func aNewerFileIsRefused() async throws {
        let folder = try Folder()
        await (try await SQLiteJournal.open(path: folder.file())).close()
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        try connection.execute("PRAGMA user_version = \(Schema.version + 1)", doing: "harm")
        connection.close()
        do {
            await (try await SQLiteJournal.open(path: folder.file())).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("use the newer software")) }
    }
}
