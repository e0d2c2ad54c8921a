import PaymentAbstraction
import PaymentBase
import PaymentSandbox
import PaymentTestTill
import Testing

@testable import PaymentJournal

@Suite struct ToolTests {
    private func line(
        _ attempt: String = "old-1", _ reference: String = "mp_7", more: String = "", units: String = "5000"
    ) -> String {
        """
        {"attempt":"\(attempt)","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1",\
        "reference":"order-\(attempt)","minorUnits":\(units),"currency":"EUR","takenAt":1700000000000,\
        "last4":"1111","references":{"payment":"\(reference)"}\(more)}
        """
    }

    @Test func anAdoptedPaymentCanBeRefundedOnceAndNoMore() throws {
        let folder = try Folder()
        // The provider knows the payment; our journal has never heard of it.
        var till = Till()
        let elsewhere = try till.client()
        let sold = try till.play {
            try await elsewhere.sale(.cents(5_000), from: Cards.good(), reference: "long ago")
        }
        let reference = try #require(sold.payment?.references["payment"])
        let opened = try SQLiteJournal.onStage(folder.file())
        till.journal = opened.staged
        let given = line("old-1", reference)
        _ = try SchedulerJournal.wait { try await opened.journal.adopt([given]) }
        let client = try till.client()
        let payment = try PaymentID("old-1")
        let refunded = try till.play { try await client.refund(payment, of: .cents(4_000)) }
        #expect(refunded.payment?.amounts.refunded == .cents(4_000))
        let tooMuch = till.failure { _ = try await client.refund(payment, of: .cents(1_001)) }
        #expect(tooMuch == PaymentError(.exceeds, outcome: .nothingMoved))
        let record = try SchedulerJournal.wait { try await opened.journal.records(.payment(payment)).first }
        #expect(record?.evidence == .imported)
        #expect(record?.intent.last4 == "1111")
        #expect(till.backend.ledger.isBalanced)
        let report = try SchedulerJournal.wait { try await opened.journal.check() }
        #expect(report.problems == [])
        #expect(report.attempts == 2)
        opened.close()
    }

    @Test func whatIsNoPaymentIsRefusedByItsLineAndNothingIsAdopted() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await journal.adopt([line("there", "mp_1")])
        let bad = [
            "", "[]", "{}", line(more: ",\"cvv\":\"737\""), line("old-1", "4111111111111111"), line(units: "0"),
            line(units: "-1"), line(units: "1.5"), line(units: "\"5\""), line("there", "mp_9"), line("old-9", "mp_1"),
            line("first", "mp_5"), line("old-2", "mp_first"), line("has space"), line("old-1", ""),
            line(more: ",\"number\":\"4111111111111111\""),
        ]
        for text in bad {
            do {
                try await journal.adopt([line("first", "mp_first"), text])
                Issue.record("taken: \(text)")
            } catch {
                #expect(error == PaymentError(.invalidRequest, outcome: .nothingMoved))
                #expect(error.detail.contains("line 2"))
                #expect(!error.detail.contains("4111") && !error.detail.contains("737"))
            }
            #expect(try await journal.records(.attempt(try AttemptID("first"))) == [])
        }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .nothingMoved)) {
            try await journal.adopt([String](repeating: "", count: SQLiteJournal.importedMax + 1))
        }
        await journal.close()
    }

    @Test func anExportGivesEverythingLineByLine() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        let count = JournalWalk.rowsMax + 7
        for number in 0..<count {
            try await desk.done(
                try JournalDesk.intent("a-\(number)"), JournalDesk.approved(100, ["payment": "r-\(number)"]))
        }
        let payment = try PaymentID("a-0")
        try await journal.append([
            PaymentEvent(.approved, sequence: 1, at: 5, payment: payment, attributes: ["k": "\n"])
        ])
        var lines: [String] = []
        try await journal.export { lines.append($0) }
        #expect(lines.count == count + 1)
        #expect(lines.allSatisfy { !$0.contains("\n") })
        let first = try JSONReader().read(Array(lines[0].utf8))
        #expect(first["attempt"]?.string == "a-0")
        #expect(first["verdict"]?["references"]?["payment"]?.string == "r-0")
        #expect(first["minorUnits"]?.int64 == 100)
        let last = try JSONReader().read(Array(try #require(lines.last).utf8))
        #expect(last["type"]?.string == "event")
        #expect(last["attributes"]?["k"]?.string == "\n")
        await journal.close()
    }

    @Test func pruningLeavesWhatIsOpenOrYounger() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        func event(_ name: String, at instant: Int64) throws -> PaymentEvent {
            PaymentEvent(.approved, sequence: 1, at: instant, payment: try PaymentID(name))
        }
        for name in ["old", "refunded", "doubtful", "late-refund", "late-event"] {
            let references = ["payment": "r-\(name)"]
            try await desk.done(try JournalDesk.intent(name), JournalDesk.approved(100, references), at: 10)
            try await journal.append([try event(name, at: 10)])
        }
        try await desk.done(try JournalDesk.intent("r1", .refund, of: "refunded"), JournalDesk.approved(), at: 20)
        try await desk.fresh(try JournalDesk.intent("r2", .refund, of: "doubtful"), at: 20)
        try await desk.conclude("r2", .inDoubt)
        try await desk.done(try JournalDesk.intent("r3", .refund, of: "late-refund"), JournalDesk.approved(), at: 100)
        try await journal.append([try event("late-event", at: 100)])
        try await desk.fresh(try JournalDesk.intent("open"), at: 10)
        try await desk.done(try JournalDesk.intent("pending"), JournalDesk.pending, at: 10)
        try await desk.done(try JournalDesk.intent("young"), JournalDesk.declined, at: 100)
        let pruned = try await journal.prune(before: 100)
        #expect(pruned == JournalPruning(payments: 2, attempts: 3, events: 2))
        let left = try await desk.names(.page(after: nil, limit: 100))
        #expect(Set(left) == ["doubtful", "late-refund", "late-event", "open", "pending", "young"])
        #expect(try await desk.names(.holding(JournalDesk.one, ["r-old"])) == [])
        #expect(try await desk.names(.holding(JournalDesk.one, ["r-doubtful"])) == ["doubtful"])
        #expect(try await journal.timeline(of: try PaymentID("old")) == [])
        #expect(try await journal.check().problems == [])
        #expect(try await journal.prune(before: 100) == JournalPruning(payments: 0, attempts: 0, events: 0))
        await journal.close()
    }

    @Test func pruningLeavesWhatMayStillBeHeld() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        for name in ["held", "part", "whole", "voided", "raised", "refused", "recent"] {
            let state = name == "refused" ? JournalDesk.declined : JournalDesk.approved()
            let instant: Int64 = name == "recent" ? 60 : 10
            try await desk.done(try JournalDesk.intent(name, .authorize), state, at: instant)
        }
        for (name, operation, cents, of) in [
            ("c1", PaymentOperation.capture, 40, "part"), ("c2", .capture, 100, "whole"), ("v", .void, 100, "voided"),
            ("a", .adjust, 150, "raised"),
        ] as [(String, PaymentOperation, Int64, String)] {
            let intent = try JournalDesk.intent(name, operation, cents, of: of)
            try await desk.done(intent, JournalDesk.approved(cents), at: 20)
        }
        try await desk.done(try JournalDesk.intent("c3", .capture, 100, of: "raised"), JournalDesk.approved(), at: 30)
        let kept = ["held", "part", "raised", "recent"]
        #expect(try await journal.prune(before: 1_000) == JournalPruning(payments: 3, attempts: 5, events: 0))
        #expect(Set(try await desk.names(.page(after: nil, limit: 100))) == Set(kept))
        // What can't be known isn't guessed, whatever is said about time that makes no sense.
        for hold in [-1, .max, 969] as [Int64] {
            #expect(try await journal.prune(before: 1_000, holdMilliseconds: hold).payments == (hold == 969 ? 3 : 0))
        }
        #expect(try await desk.names(.page(after: nil, limit: 100)) == ["recent"])
        #expect(try await journal.prune(before: 1_000, holdMilliseconds: 939).payments == 1)
        await journal.close()
    }

    @Test func aCheckFindsWhatIsWrong() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        for name in ["a", "b", "c", "d"] {
            try await desk.done(try JournalDesk.intent(name), JournalDesk.approved(100, ["payment": "r-\(name)"]))
        }
        try await desk.done(try JournalDesk.intent("r", .refund, of: "d"), JournalDesk.approved())
        try await journal.append([PaymentEvent(.approved, sequence: 1, at: 5, payment: try PaymentID("a"))])
        #expect(try await journal.check().problems == [])
        try await journal.writing { connection in
            try connection.execute("UPDATE attempt SET minor_units = 101 WHERE id = 'a'", doing: "harm")
            try connection.execute("DELETE FROM handle WHERE value = 'r-b'", doing: "harm")
            try connection.execute("UPDATE event SET at = 6", doing: "harm")
            try connection.execute("DELETE FROM handle WHERE value = 'r-d'", doing: "harm")
            try connection.execute("PRAGMA defer_foreign_keys = ON", doing: "harm")
            try connection.execute("DELETE FROM attempt WHERE id = 'd'", doing: "harm")
        }
        let found = try await journal.check()
        #expect(
            Set(found.problems) == [
                .attempt(row: 1), .handles(try AttemptID("b")), .event(row: 1), .orphan(try AttemptID("r")),
            ])
        #expect((found.attempts, found.events) == (4, 1))
        await #expect(throws: JournalFailure.self) { try await desk.record("a") }
        await #expect(throws: JournalFailure.self) { try await journal.export { _ in } }
        await journal.close()
    }

    @Test func moreGivenBackThanTakenIsFound() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
        try await desk.fresh(try JournalDesk.intent("r", .refund, 100, of: "p"))
        try await desk.conclude("r", JournalDesk.approved(150), by: .webhook)
        #expect(try await journal.check().problems == [.overRefunded(try PaymentID("p"))])
        await journal.close()
    }

    @Test func anAttemptThatIsMissingFromItsFamilyIsFound() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal: journal)
        try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
        try await desk.done(try JournalDesk.intent("r", .refund, 60, of: "p"), JournalDesk.approved(60))
        #expect(try await journal.check().problems == [])
        try await journal.writing { try $0.execute("DELETE FROM attempt WHERE id = 'r'", doing: "harm") }
        let words = "not as many attempts of the payment p are found as it counts"
        #expect(try await journal.check().problems == [.file(words)])
        let again = try JournalDesk.intent("r2", .refund, 60, of: "p")
        await #expect(throws: JournalFailure.self) { try await desk.begin(again) }
        await journal.close()
    }

    @Test func oneProcessSettlesAtATime() throws {
        let folder = try Folder()
        let (one, two) = (
            FileSettlementLock(besideJournal: folder.file()), FileSettlementLock(besideJournal: folder.file())
        )
        #expect(one.acquire())
        #expect(!one.acquire())
        #expect(!two.acquire())
        two.release()
        #expect(!two.acquire())
        one.release()
        #expect(two.acquire())
        var three: FileSettlementLock? = FileSettlementLock(besideJournal: folder.file("other"))
        #expect(three?.acquire() == true)
        three = nil
        #expect(FileSettlementLock(besideJournal: folder.file("other")).acquire())
        #expect(!FileSettlementLock(besideJournal: folder.file("no/folder")).acquire())
    }
}
