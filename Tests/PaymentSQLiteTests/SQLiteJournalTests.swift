import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

@Suite struct SQLiteJournalTests {
    @Test func everythingSurvivesTheFile() async throws {
        let folder = try Folder()
        let first = try await folder.open()
        let desk = JournalTestWriter(first)
        var written: [Attempt] = []
        for (number, verdict) in EventSamples.verdicts.enumerated() {
            written.append(
                try await desk.done(
                    try JournalTestWriter.intent("a\(number)", scope: "s"), verdict, names: ["n-\(number)"]))
        }
        let event = try JournalTestWriter.event("k", of: "a0", at: 3)
        try await first.add([event], to: PaymentID(try JournalTestWriter.id("a0")))
        #expect(
            try await desk.write(JournalTestWriter.notice("m", "late", JournalTestWriter.approved()), at: 1) == .kept)
        let number = try await first.draw(5)
        await first.close()

        let second = try await folder.open()
        let again = JournalTestWriter(second, name: "again")
        for (number, attempt) in written.enumerated() {
            #expect(try await again.attempt("a\(number)") == attempt)
            #expect(try await again.holders("n-\(number)") == ["a\(number)"])
        }
        #expect(try await again.timeline("a0") == [event])
        #expect(try await second.draw(1) == number + 5)
        try await again.send(try JournalTestWriter.intent("b"))
        let late = try await again.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), nil, names: ["late"]))
        #expect(late.state == .approved)
        #expect(try await second.problems() == [])
        await second.close()
    }

    /// The promise of the specification's table: one write before the money, one after it.
    @Test func aPlainSaleIsTwoDurableWrites() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        func commits() async throws -> Int64 {
            try await journal.number("SELECT value FROM counter WHERE name = 'commit'")
        }
        for number in 0..<5 {
            let before = try await commits()
            let name = "a-\(number)"
            let steps = [
                try JournalTestWriter.event("begun", of: name),
                try JournalTestWriter.event("submitted", of: name, at: 2),
            ]
            try await desk.accept(JournalTestWriter.request(try JournalTestWriter.intent(name)), timeline: steps)
            #expect(try await commits() == before + 1)
            try await desk.accept(
                JournalTestWriter.finish(
                    try JournalTestWriter.id(name), JournalTestWriter.approved(), names: ["n-\(number)"]),
                timeline: [try JournalTestWriter.event("approved", of: name, at: 3)])
            #expect(try await commits() == before + 2)
        }
        #expect(try await journal.number("SELECT count(*) FROM entry WHERE payment = 1") == 2)
        // What is refused, asked or repeated costs nothing.
        let before = try await commits()
        _ = try await desk.write(JournalTestWriter.request(try JournalTestWriter.intent("a-1")))
        _ = try await desk.write(JournalTestWriter.finish(try JournalTestWriter.id("nobody"), nil))
        _ = try await journal.takeDue(limit: 5, at: JournalTestWriter.at(1))
        #expect(try await commits() == before)
        await journal.close()
    }

    @Test func manyCallersWriteTogetherAndOneRefusalFailsAlone() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        let answers = try await desk.atOnce(200) { number in
            guard number % 10 == 0 else {
                return try await desk.write(JournalTestWriter.request(try JournalTestWriter.intent("c-\(number)")))
            }
            return try await desk.write(JournalTestWriter.finish(try JournalTestWriter.id("nobody-\(number)"), nil))
        }
        #expect(answers.count { if case .written = $0 { true } else { false } } == 180)
        #expect(answers.count { $0 == .refused(.noSuchAttempt, nil) } == 20)
        #expect(try await desk.names(.open(scope: nil)).count == 180)
        #expect(try await journal.number("SELECT value FROM counter WHERE name = 'commit'") < 180)
        await journal.close()
    }

    /// What fails after it has written takes nothing of its own along, and nothing of others.
    @Test func writeThatFailsHalfway_leavesNothing_andHarmsNoOther() async throws {
        struct Broken: Error {}
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        let refusals = try await desk.atOnce(200) { number in
            guard number % 10 == 0 else {
                try await desk.send(try JournalTestWriter.intent("c-\(number)"))
                return false
            }
            let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("half-\(number)")))
            do {
                try await journal.keeping { keeper in
                    let writer = LogWriter(keeper.connection, isAlive: { _ in false })
                    _ = try writer.write(entry, WriteID("half-\(number)"), at: JournalTestWriter.at(0))
                    throw Broken()
                }
            } catch JournalFailure.notWritten {
                return true
            }
            return false
        }
        #expect(refusals.count { $0 } == 20)
        let open = try await desk.names(.open(scope: nil))
        #expect(Set(open).count == 180)
        #expect(!open.contains { $0.hasPrefix("half") })
        #expect(try await journal.problems() == [])
        await journal.close()
    }

    /// Each of two that share a file hears of what the other writes, and takes no look that the other has.
    @Test func twoProcessesHearOfEachOther() async throws {
        let folder = try Folder()
        let (one, two) = (try await folder.open(), try await folder.open())
        let desk = JournalTestWriter(one)
        for round in 0..<20 {
            let id = try JournalTestWriter.id("a-\(round)")
            try await desk.send(try JournalTestWriter.intent("a-\(round)"))
            async let heard: Void = two.changed(id, after: 1)
            try await desk.accept(JournalTestWriter.finish(id, JournalTestWriter.approved()))
            try await heard
            #expect(try await two.payment(PaymentID(id))?.attempts.map(\.state) == [.approved])
        }
        for number in 0..<40 {
            try await desk.send(try JournalTestWriter.intent("b-\(number)"))
            try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b-\(number)"), nil))
        }
        let taken = try await desk.atOnce(16) { number in
            try await (number % 2 == 0 ? one : two).takeDue(limit: 5, at: JournalTestWriter.at(6_000)).attempts
                .map(\.intent.attempt.text)
        }
        #expect(Set(taken.joined()).count == 40)
        #expect(taken.joined().count == 40)
        await one.close()
        await two.close()
    }

    /// A read during another process's writing sees a payment as it was or as it is, never half of it.
    @Test func concurrentWrite_isNeverHalfSeen() async throws {
        let folder = try Folder()
        let (one, two) = (try await folder.open(), try await folder.open())
        let desk = JournalTestWriter(one)
        try await desk.done(try JournalTestWriter.intent("p"), JournalTestWriter.approved())
        let (attempt, origin) = (try JournalTestWriter.id("a"), PaymentID(try JournalTestWriter.id("p")))
        try await desk.send(try JournalTestWriter.intent("a"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<150 {
                    try await desk.accept(JournalTestWriter.note(attempt, "n", "\(number)"))
                    if number % 10 == 0 {
                        try await desk.done(
                            try JournalTestWriter.intent("r-\(number)", .refund, 1, of: "p"),
                            JournalTestWriter.approved(1))
                    }
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    _ = try await two.attempts(.attempt(attempt), after: nil, limit: 1)
                    _ = try await two.payment(origin)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await JournalTestWriter(two).attempt("a")?.notes.count == 150)
        #expect(try await two.payment(origin)?.attempts.count == 16)
        await one.close()
        await two.close()
    }

    @Test func whoWaitsIsLetGoWhenTheJournalIsClosed() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let id = try await JournalTestWriter(journal).send(try JournalTestWriter.intent("a")).intent.attempt
        let waiter = Task { try await journal.changed(id, after: 1) }
        await journal.close()
        // Whether it waited already or comes too late, it returns.
        _ = await waiter.result
        await #expect(throws: JournalFailure.notWritten("the journal is closed")) {
            try await journal.payment(PaymentID(id))
        }
    }

    // MARK: - Lookups

    /// Does the same in memory and in a file, in each of which "a" is in doubt.
    private func inEachJournal(_ body: (any Journal, JournalTestWriter) async throws -> Void) async throws {
        let folder = try Folder()
        let file = try await folder.open()
        for journal in [InMemoryJournal(processes: SingleProcess(JournalTestWriter.owner)), file] as [any Journal] {
            let desk = JournalTestWriter(journal)
            let sale = try JournalTestWriter.intent("a")
            try await desk.send(sale)
            try await desk.accept(JournalTestWriter.finish(sale.attempt, nil))
            try await body(journal, desk)
        }
        await file.close()
    }

    /// A process whose clock is five hours ahead looks, and puts the next look off by its clock: for a process whose clock is
    /// right that look is due at once.
    @Test func lookPutOffByAClockThatWasAhead_isDueAtOnce() async throws {
        try await inEachJournal { (journal, desk) async throws in
            func due(_ seconds: Int64) async throws -> Int {
                try await journal.takeDue(limit: 9, at: JournalTestWriter.at(seconds * 1_000)).attempts.count
            }
            #expect(try await [due(6), due(7), due(5 * 3_600), due(8)] == [1, 0, 1, 1])
            // What a clock puts off that is right is not due before its time.
            #expect(try await [due(9), due(200), due(400)] == [0, 0, 1])
        }
    }

    /// What follows a sale shows that the sale was executed: it is looked up at once.
    @Test func refundThatOvertakesItsSale_makesTheSaleDue() async throws {
        try await inEachJournal { (journal, desk) async throws in
            func due(_ seconds: Int64) async throws -> [String] {
                try await journal.takeDue(limit: 9, at: JournalTestWriter.at(seconds * 1_000)).attempts
                    .map(\.intent.attempt.text)
            }
            let sale = try JournalTestWriter.intent("b")
            try await desk.send(sale)
            try await desk.accept(JournalTestWriter.finish(sale.attempt, nil, names: ["p-1"]))
            #expect(try await [due(6).sorted(), due(7)] == [["a", "b"], []])
            let refund = JournalTestWriter.notice(
                "m", "r-1", JournalTestWriter.approved(40), [.refund], original: "p-1")
            _ = try await desk.write(refund, at: 7_000)
            #expect(try await due(8) == ["b"])
            #expect(try await desk.family("b").map(\.intent.operation) == [.sale, .refund])
        }
    }

    /// A till that is switched off each night: each morning's first look leaves a mark, and is followed by looks that count.
    @Test func doubt_inItsEighthBoot_isLookedAtUntilItIsQuiet() async throws {
        try await inEachJournal { (journal, desk) async throws in
            func at(_ day: Int64, _ seconds: Int64) -> Attempt.Instant {
                Attempt.Instant(
                    wall: JournalTestWriter.at(day * 90_000_000 + seconds * 1_000).wall, uptime: seconds * 1_000,
                    boot: "boot-\(day)")
            }
            func look(_ moment: Attempt.Instant) async throws -> Int {
                let due = try await journal.takeDue(limit: 9, at: moment).attempts
                for held in due {
                    let entry = try #require(try await journal.payment(PaymentID(held.intent.attempt))).entry
                    let basis = Finding.Basis(held, known: entry, account: JournalTestWriter.one, askedAt: moment)
                    let absent = Finding.lookup(
                        .notFound(seesBack: nil), basis, LookupTerms(quietPeriod: 60_000), names: [])
                    _ = try await journal.write(
                        JournalEntry(.report(held.intent.attempt, absent)), desk.fresh(), at: moment)
                }
                return due.count
            }
            for day in 1...7 as ClosedRange<Int64> {
                #expect(try await look(at(day, 60)) == 1)
                #expect(try await desk.held("a").state == .inDoubt)
            }
            #expect(try await look(at(8, 60)) == 1)
            #expect(try await look(at(8, 200)) == 1)
            #expect(try await desk.held("a").state == .notExecuted)
        }
    }

    /// The entry of its account is gone: no process asks any more, and a person can still decide after a boot.
    @Test func doubt_atAnAccountThatIsNotConfigured_isDecidedByAPersonAfterABoot() async throws {
        try await inEachJournal { (journal, desk) async throws in
            func at(_ seconds: Int64) -> Attempt.Instant {
                Attempt.Instant(
                    wall: JournalTestWriter.at(90_000_000 + seconds * 1_000).wall, uptime: seconds * 1_000,
                    boot: "next")
            }
            let due = try await journal.takeDue(DueTerms(limit: 9, accounts: []), at: at(60))
            #expect(due.attempts.isEmpty)
            let held = try await desk.held("a")
            let entry = try #require(try await journal.payment(PaymentID(held.intent.attempt))).entry
            let basis = Finding.Basis(held, known: entry, account: JournalTestWriter.one, askedAt: at(300))
            let said = Finding.person(.notExecuted(), basis, quietPeriod: 60_000, by: "Ann", reason: "seen")
            _ = try await journal.write(JournalEntry(.report(held.intent.attempt, said)), desk.fresh(), at: at(300))
            #expect(try await desk.held("a").state == .notExecuted)
        }
    }

    // MARK: - Rows

    /// A payment that keeps its reference no longer is not read for the next one under it, an hour after that: until
    /// then the wall clock may have been set forward.
    @Test func reference_ofPaymentThatLapsed_isNotRead() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        func intent(_ name: String) throws -> Attempt.Intent {
            Attempt.Intent(
                try JournalTestWriter.id(name), .sale, Money(minorUnits: 100, .eur), reference: "table 5",
                holdsFor: 600_000)
        }
        try await desk.done(try intent("a"), JournalTestWriter.approved())
        let early = try await desk.write(JournalTestWriter.request(try intent("b")), at: 600_000)
        #expect(early == .refused(.referenceInUse(try JournalTestWriter.id("a"), .approved), nil))
        try await journal.execute("UPDATE entry SET events = x'00' WHERE payment = 1")
        try await desk.accept(JournalTestWriter.request(try intent("b")), at: 4_200_002)
        await journal.close()
    }

    /// A list of one scope holds no attempt of another one, also where both follow one payment.
    @Test func openPage_ofOneScope_holdsNoOtherScope() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("p"), JournalTestWriter.approved())
        for scope in ["x", "y"] {
            try await desk.send(try JournalTestWriter.intent("r-\(scope)", .refund, 10, of: "p", scope: scope))
        }
        #expect(try await desk.names(.open(scope: "x")) == ["r-x"])
        #expect(try await desk.names(.open(scope: nil)) == ["r-x", "r-y"])
        await journal.close()
    }

    /// A device approved a refund of a payment that this journal does not know: it is recorded, and listed by the
    /// tools, and the next payment gets a number of its own.
    @Test func finish_approvalOfUnknownPayment_takesNoOthersNumber() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("a"))
        let refund = try JournalTestWriter.intent("r", .refund, 10, of: "gone")
        var finish = Finish(refund.attempt, owner: JournalTestWriter.owner, account: JournalTestWriter.one)
        (finish.begin, finish.verdict) = (Begin(refund, JournalTestWriter.one), JournalTestWriter.approved(10))
        try await desk.accept(.finish(finish))
        try await desk.send(try JournalTestWriter.intent("b"))
        #expect(try await desk.names(.open(scope: nil)) == ["a", "b"])
        #expect(try await desk.held("r").state == .approved)
        var exported: [String] = []
        try await journal.export { exported.append($0) }
        #expect(exported.contains { $0.contains("\"attempt\":\"r\"") })
        let gone = PaymentID(try JournalTestWriter.id("gone"))
        #expect(try await journal.problems() == [.row(gone, "the attempt that started it is missing")])
        await journal.close()
    }

    /// A step that a disk returns changed is not shown for what was written.
    @Test(arguments: ["entry SET timeline", "waiting SET body"])
    func timeline_bitsChanged_isUnreadable(_ what: String) async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        let id = PaymentID(try JournalTestWriter.id("a"))
        try await desk.accept(
            JournalTestWriter.request(try JournalTestWriter.intent("a")),
            timeline: [try JournalTestWriter.event("seen", of: "a")])
        try await journal.add([try JournalTestWriter.event("seen", of: "a")], to: id)
        #expect(try await journal.timeline(id).count == 2)
        let body = Hex.encode(EventCodec.bytes([try JournalTestWriter.event("other", of: "a")]))
        try await journal.execute("UPDATE \(what) = x'\(body)'")
        await #expect(throws: JournalFailure.unreadable(id)) { try await journal.timeline(id) }
        await journal.close()
    }

    // MARK: - Files

    @Test func onlyItsOwnerMayReadTheFiles() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
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
            await #expect(throws: PaymentError(.journal, outcome: .notExecuted)) { try await folder.open(name) }
        }
    }

    @Test(
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END", "DROP INDEX open_due",
            "CREATE VIEW v AS SELECT 1", "ALTER TABLE name ADD COLUMN more TEXT",
            "DROP INDEX origin_id; CREATE INDEX origin_id ON origin (id)", "CREATE TABLE more (a)",
        ])
    func aFileOfAnotherShapeIsRefused(_ harm: String) async throws {
        let folder = try Folder()
        await (try await folder.open()).close()
        try folder.execute(harm)
        do {
            await (try await folder.open()).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("its tables are not those")) }
    }

    @Test func aNewerFileIsRefused() async throws {
        let folder = try Folder()
        await (try await folder.open()).close()
        try folder.execute("PRAGMA user_version = \(Schema.version + 1)")
        do {
            await (try await folder.open()).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("use the newer software")) }
    }
}

/// A commit without an acknowledgement: written or not, the same write again finds out, and nothing is done twice.
@Suite struct FateTests {
    @Test(arguments: CommitFault.allCases)
    func theSameWriteAgainFindsOut(_ fault: CommitFault) async throws {
        for failing in 1...9 {
            let folder = try Folder()
            let count = Counter()
            var options = OpeningOptions()
            options.commitFault = { count.next() == failing ? fault : nil }
            let journal = try await folder.open("journal.sqlite", options)
            let desk = JournalTestWriter(journal)
            var unknown = 0
            func surely(_ name: String, _ command: JournalCommand) async throws -> JournalAnswer {
                let (entry, id) = (JournalEntry(command), desk.fresh())
                let before = try await desk.attempt(name)
                while true {
                    do { return try await journal.write(entry, id, at: JournalTestWriter.at(0)) } catch {
                        guard case .writeUnconfirmed = error else { throw error }
                        unknown += 1
                        // A look in between sees all of it or nothing.
                        let after = try await desk.attempt(name)
                        #expect((after == before) == (fault == .lost))
                    }
                }
            }
            for name in ["a", "b", "c"] {
                let (intent, id) = (try JournalTestWriter.intent(name), try JournalTestWriter.id(name))
                let begun = try await surely(name, JournalTestWriter.request(intent))
                let held = try await desk.held(name)
                #expect(begun.receipt?.request == 1 && begun.attempt == held)
                _ = try await surely(name, JournalTestWriter.note(id, "n", "v"))
                _ = try await surely(
                    name, JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["n-\(name)"]))
            }
            #expect(unknown == 1)
            for name in ["a", "b", "c"] {
                let held = try await desk.held(name)
                #expect(held.requests.count == 1 && held.reports.count == 1 && held.notes.count == 1)
                #expect(try await desk.holders("n-\(name)") == [name])
            }
            #expect(try await journal.problems() == [])
            await journal.close()
            // A commit that failed leaves nothing in the log that looks like damage.
            await (try await folder.open()).close()
        }
    }

    @Test func writersOfOneBatch_haveTheSameDoubt() async throws {
        let folder = try Folder()
        let count = Counter()
        var options = OpeningOptions()
        options.commitFault = { count.next() % 3 == 1 ? .lost : nil }
        let journal = try await folder.open("journal.sqlite", options)
        let (doubts, open) = try await DoubtPlay.writeTogether(120, journal)
        #expect(doubts > 0 && open == 120)
        #expect(try await journal.problems() == [])
        await journal.close()
    }

    /// A write id that is used for something else is not taken for the first one: on the same payment it writes nothing, on
    /// another payment it is another entry.
    @Test func write_idOfAnotherCommand_isNotTheFirstOne() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let first = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("a")))
        _ = try await journal.write(first, WriteID("w"), at: JournalTestWriter.at(0))
        let again = JournalEntry(.takeOver(try AttemptID("a"), run: 1, .isGone(by: "anna", reason: "the till is gone")))
        let answer = try await journal.write(again, WriteID("w"), at: JournalTestWriter.at(0))
        #expect(answer == .refused(.notWritten("The write id belongs to another entry."), nil))
        #expect(try await JournalTestWriter(journal).attempt("a")?.runs.last?.end == nil)
        let other = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("b")))
        guard case .written = try await journal.write(other, WriteID("w"), at: JournalTestWriter.at(0)) else {
            Issue.record("the other payment was not written")
            return
        }
        #expect(try await JournalTestWriter(journal).attempt("b") != nil)
        await journal.close()
    }
}
