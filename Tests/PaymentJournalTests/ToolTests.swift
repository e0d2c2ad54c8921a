import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import Testing

@testable import PaymentJournal

@Suite struct ToolTests {
    private func line(
        _ attempt: String = "old-1", _ reference: String = "mp_7", more: String = "", units: String = "5000"
    ) -> String {
        """
        {"attempt":"\(attempt)","provider":"one","adapter":"memory","environment":"sandbox","merchant":"m-1",\
        "reference":"order-\(attempt)","minorUnits":\(units),"currency":"EUR","takenAt":1700000000000,\
        "last4":"1111","references":{"payment":"\(reference)"}\(more)}
        """
    }

    private func used(_ name: String = "desk") async throws -> (Folder, SQLiteJournal, JournalDesk) {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        return (folder, journal, JournalDesk(journal, name: name))
    }

    // MARK: - Import

    @Test func anAdoptedPaymentCanBeRefundedOnceAndNoMore() async throws {
        let (folder, journal, desk) = try await used()
        try await journal.adopt([line("old-1", "mp_7", more: #","refunded":1000"#), line("old-2", "mp_8")])
        let sale = try await desk.held("old-1")
        #expect(sale.standing == .moved && sale.isTold && sale.isEnded && sale.sends.isEmpty)
        #expect(sale.ends.map(\.by) == [.imported])
        #expect(sale.evidence == .imported)
        #expect(sale.intent.last4 == "1111")
        #expect(try await desk.holders("mp_7") == ["old-1"])
        let family = try await journal.family(try JournalDesk.key("old-1"))
        #expect(family.count == 2)
        #expect(family.last?.verdict == JournalDesk.approved(1_000))
        try await desk.done(try JournalDesk.intent("r1", .refund, 3_000, of: "old-1"), JournalDesk.approved(3_000))
        guard
            case .refused(.exceeds(let left, []), nil) = try await desk.write(
                "r2", [JournalDesk.begin(try JournalDesk.intent("r2", .refund, 1_001, of: "old-1"))])
        else {
            Issue.record("more than was left could be refunded")
            return
        }
        #expect(left == Money(minorUnits: 1_000, .eur))
        #expect(try await journal.check().problems == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// Whatever a provider calls a payment is taken, also where its digits add up as a card's do; a card's number isn't.
    @Test func aProvidersNameOfManyDigitsIsNoCardNumber() async throws {
        let (folder, journal, desk) = try await used()
        let names = [
            "8815000000000008", "7914073381342283", "9914435036340184", "8535296650153316", "4r7i000.8815000000000008",
            "0000000000000000",
        ]
        try await journal.adopt(names.enumerated().map { line("adyen-\($0)", $1) })
        for (number, name) in names.enumerated() { #expect(try await desk.holders(name) == ["adyen-\(number)"]) }
        for card in [
            "4111111111111111", "4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "2223000048400011",
            "8100000000000002", "6011000990139424", "4r7i000.4111111111111111", "x4111111111111111y",
        ] {
            await #expect(throws: PaymentError(.invalidRequest, outcome: .nothingMoved), "\(card)") {
                try await journal.adopt([line("card-1", card)])
            }
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func whatIsNoPaymentIsRefusedByItsLineAndNothingIsAdopted() async throws {
        let (folder, journal, desk) = try await used()
        try await journal.adopt([line("there", "mp_1")])
        let bad = [
            "", "[]", "{}", line(more: ",\"cvv\":\"737\""), line("old-1", "4111111111111111"), line(units: "0"),
            line(units: "-1"), line(units: "1.5"), line(units: "\"5\""), line("there", "mp_9"), line("old-9", "mp_1"),
            line("first", "mp_5"), line("old-2", "mp_first"), line("has space"), line("old-1", ""),
            line(more: ",\"number\":\"4111111111111111\""), line(more: ",\"refunded\":5001"),
            line(more: ",\"refunded\":-1"), line(more: ",\"refunded\":\"1\""), line(more: ",\"holdsUntil\":1"),
            line(more: ",\"holdsUntil\":null"), line(more: ",\"scope\":7"),
            line(more: ",\"scope\":\"4111111111111111\""),
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
            #expect(try await desk.facts("first") == nil)
        }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .nothingMoved)) {
            try await journal.adopt([String](repeating: "", count: SQLiteJournal.importedMax + 1))
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func keptNoticesFromBeforeAreFiledAndLaterOnesApplied() async throws {
        let (folder, journal, desk) = try await used()
        for (id, time) in [("early", 1_700_000_005_000), ("late", 1_700_000_015_000)] as [(String, Int64)] {
            let word = JournalDesk.word(.webhook, JournalDesk.approved(5_000, ["payment": "mp_7"]), time: time, id: id)
            let entry = JournalEntry(.holder(JournalDesk.one, "mp_7", []), [.word(word)])
            #expect(try await journal.write(entry, desk.fresh(), at: JournalDesk.at(1)) == .kept)
        }
        try await journal.adopt([line("old-1", "mp_7", more: #","holdsUntil":1700000010000"#)])
        let sale = try await desk.held("old-1")
        #expect(sale.words.map(\.id) == [nil, "late"])
        #expect(sale.verdict.map { AttemptFacts.Word.Content.verdict($0) } != nil)
        #expect(try await desk.timeline("old-1").map(\.attributes["filed"]) == ["early"])
        #expect(try await journal.check().notices == 0)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Export

    @Test func anExportGivesEverythingLineByLine() async throws {
        let (folder, journal, desk) = try await used()
        let count = JournalWalk.rowsMax + 7
        try await journal.fill(
            (0..<count).map { number in
                let intent = try JournalDesk.intent("a-\(number)")
                return [
                    .intent(intent), FactCodec.round(1, JournalDesk.one, owner: "x", at: JournalDesk.at(0)),
                    FactCodec.end(1, by: .owner, at: JournalDesk.at(0)),
                    .word(JournalDesk.word(.reply, JournalDesk.approved(100, ["payment": "r-\(number)"]))),
                ]
            }, at: JournalDesk.at(0))
        try await desk.accept(
            "a-0", [],
            events: [
                PaymentEvent(.approved, sequence: 1, at: 5, payment: try PaymentID("a-0"), attributes: ["k": "\n"])
            ])
        let entry = JournalEntry(
            .holder(JournalDesk.one, "x", [.sale]), [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
        _ = try await journal.write(entry, desk.fresh(), at: JournalDesk.at(1))
        var lines: [String] = []
        try await journal.export { lines.append($0) }
        #expect(lines.count == count + 2)
        #expect(lines.allSatisfy { !$0.contains("\n") })
        let first = try JSONReader().read(Array(lines[0].utf8))
        #expect(first["attempt"]?.string == "a-0")
        #expect(first["standing"]?.string == "moved")
        #expect(first["minorUnits"]?.int64 == 100)
        #expect(first["facts"]?[3]?["verdict"]?["references"]?["payment"]?.string == "r-0")
        let event = try JSONReader().read(Array(lines[count].utf8))
        #expect(event["type"]?.string == "event")
        #expect(event["attributes"]?["k"]?.string == "\n")
        let notice = try JSONReader().read(Array(try #require(lines.last).utf8))
        #expect(notice["kept"]?["name"]?.string == "x")
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Pruning

    private static let start = JournalDesk.at(0).wall

    private func event(_ name: String, at instant: Int64) throws -> [PaymentEvent] {
        [PaymentEvent(.approved, sequence: 1, at: Self.start + instant, payment: try PaymentID(name))]
    }

    @Test func pruningLeavesWhatIsOpenOrYounger() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["old", "refunded", "doubtful", "late-refund", "late-event"] {
            try await desk.done(try JournalDesk.intent(name), JournalDesk.approved(), names: ["r-\(name)"], at: 10)
            try await desk.accept(name, [], at: 13, events: try event(name, at: 10))
        }
        try await desk.done(try JournalDesk.intent("r1", .refund, 10, of: "refunded"), JournalDesk.approved(10), at: 20)
        try await desk.send(try JournalDesk.intent("r2", .refund, 10, of: "doubtful"), at: 20)
        try await desk.accept("r2", JournalDesk.lost, at: 21)
        try await desk.done(
            try JournalDesk.intent("r3", .refund, 10, of: "late-refund"), JournalDesk.approved(10), at: 100)
        try await desk.accept("late-event", [], at: 100, events: try event("late-event", at: 100))
        try await desk.send(try JournalDesk.intent("open"), at: 10)
        try await desk.done(try JournalDesk.intent("pending"), JournalDesk.pending, at: 10)
        try await desk.done(try JournalDesk.intent("young"), JournalDesk.declined, at: 100)
        let pruned = try await journal.prune(before: Self.start + 100)
        #expect(pruned == JournalPruning(payments: 2, attempts: 3, events: 2))
        let left = try await desk.names(.origins)
        #expect(Set(left) == ["doubtful", "late-refund", "late-event", "open", "pending", "young"])
        #expect(try await desk.timeline("old") == [])
        #expect(try await desk.holders("r-doubtful") == ["doubtful"])
        #expect(try await journal.check().problems == [])
        #expect(try await journal.prune(before: Self.start + 100) == JournalPruning())
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func idsAndNamesOfWhatWasPrunedStayTaken() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalDesk.intent("old"), JournalDesk.approved(), names: ["x"], at: 10)
        #expect(try await journal.prune(before: Self.start + 1_000).payments == 1)
        #expect(try await desk.facts("old") == nil)
        // Nobody does it again, and nobody else is called so.
        await #expect(throws: JournalFailure.forgotten(try JournalDesk.key("old"))) {
            try await desk.send(try JournalDesk.intent("old"))
        }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .nothingMoved)) {
            try await journal.adopt([line("old", "y")])
        }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .nothingMoved)) {
            try await journal.adopt([line("other", "x")])
        }
        try await desk.done(try JournalDesk.intent("new"), JournalDesk.approved(), names: ["x"], at: 2_000)
        #expect(try await desk.held("new").names == [])
        #expect(try await desk.timeline("new").map(\.kind) == [.nameTaken])
        #expect(try await desk.holders("x") == [])
        let late = JournalEntry(
            .holder(JournalDesk.one, "x", []), [.word(JournalDesk.word(.webhook, JournalDesk.declined, id: "m"))])
        guard case .refused(.noProof, nil) = try await journal.write(late, desk.fresh(), at: JournalDesk.at(3_000))
        else {
            Issue.record("a message about what was forgotten was taken")
            return
        }
        // A look-alike that bears such a name is nobody's.
        try await desk.send(try JournalDesk.intent("doubt"), at: 3_000)
        try await desk.accept("doubt", JournalDesk.lost, at: 3_001)
        let seen = LookupResult.Candidate("x", JournalDesk.approved())
        guard
            case .refused(.noProof, _) = try await desk.write(
                "doubt", [.likeness(JournalDesk.one, [seen], askedAt: JournalDesk.at(9_000))], at: 9_000)
        else {
            Issue.record("a look-alike was taken twice")
            return
        }
        #expect(try await journal.check().problems == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func noticesThatNobodyWantedAreForgotten() async throws {
        let (folder, journal, desk) = try await used()
        for (name, instant) in [("x", 10), ("y", 200)] as [(String, Int64)] {
            let entry = JournalEntry(
                .holder(JournalDesk.one, name, []), [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
            _ = try await journal.write(entry, desk.fresh(), at: JournalDesk.at(instant))
        }
        #expect(try await journal.prune(before: Self.start + 100) == JournalPruning(notices: 1))
        #expect(try await journal.check().notices == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func pruningLeavesWhatMayStillBeHeld() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["held", "part", "whole", "voided", "refused", "recent"] {
            let verdict = name == "refused" ? JournalDesk.declined : JournalDesk.approved()
            try await desk.done(try JournalDesk.intent(name, .authorize), verdict, at: name == "recent" ? 60 : 10)
        }
        for (name, operation, cents, of) in [
            ("c1", PaymentOperation.capture, 40, "part"), ("c2", .capture, 100, "whole"), ("v", .void, 100, "voided"),
        ] as [(String, PaymentOperation, Int64, String)] {
            try await desk.done(
                try JournalDesk.intent(name, operation, cents, of: of), JournalDesk.approved(cents), at: 20)
        }
        #expect(
            try await journal.prune(before: Self.start + 1_000) == JournalPruning(payments: 3, attempts: 5, events: 0))
        #expect(Set(try await desk.names(.origins)) == ["held", "part", "recent"])
        // What can't be known isn't guessed, whatever is said about time that makes no sense.
        for hold in [-1, .max, 969] as [Int64] {
            let pruned = try await journal.prune(before: Self.start + 1_000, holdMilliseconds: hold)
            #expect(pruned.payments == (hold == 969 ? 2 : 0), "\(hold)")
        }
        #expect(try await desk.names(.origins) == ["recent"])
        #expect(try await journal.prune(before: Self.start + 1_000, holdMilliseconds: 930).payments == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Check

    @Test func aCheckFindsWhatIsWrong() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["a", "b", "c", "d"] {
            try await desk.done(try JournalDesk.intent(name), JournalDesk.approved(), names: ["r-\(name)"])
        }
        try await desk.done(try JournalDesk.intent("r", .refund, 10, of: "d"), JournalDesk.approved(10))
        try await desk.accept("a", [], events: [try JournalDesk.event("k", 1, of: "a")])
        let entry = JournalEntry(
            .holder(JournalDesk.one, "x", []), [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
        _ = try await journal.write(entry, desk.fresh(), at: JournalDesk.at(1))
        #expect(try await journal.check().problems == [])
        try await journal.writing { connection in
            try connection.execute("UPDATE entry SET facts = x'00' WHERE attempt = 1 AND number = 1", doing: "harm")
            try connection.execute("DELETE FROM name WHERE value = 'r-b'", doing: "harm")
            try connection.execute("UPDATE event SET at = 6", doing: "harm")
            try connection.execute("UPDATE notice SET value = 'y'", doing: "harm")
            try connection.execute("DELETE FROM attempt WHERE id = 'd'", doing: "harm")
        }
        let found = try await journal.check()
        #expect(
            Set(found.problems) == [
                .attempt(row: 1), .handles(try AttemptID("b")), .event(row: 1), .orphan(try AttemptID("r")),
                .notice(row: 1),
            ])
        #expect((found.attempts, found.events, found.notices) == (4, 1, 1))
        await #expect(throws: JournalFailure.self) { try await desk.held("a") }
        await #expect(throws: JournalFailure.self) { try await journal.export { _ in } }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func columnsThatSaySomethingElseAreFound() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.send(try JournalDesk.intent("a"))
        // Somebody knows how the checksum is made, and lets it block nobody.
        let facts = try await desk.held("a")
        try await journal.writing { connection in
            var values = AttemptRow.values(1, facts, entries: 1)
            values[9] = .integer(0)
            try connection.run(
                "UPDATE attempt SET blocks = 0, sum = ?1", [.integer(RowSum.of(values))], doing: "harm")
        }
        #expect(try await journal.check().problems == [.columns(try AttemptID("a"))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func moreGivenBackThanTakenIsFound() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
        try await desk.send(try JournalDesk.intent("r", .refund, 100, of: "p"))
        try await desk.accept("r", JournalDesk.closing(JournalDesk.approved(150)))
        #expect(try await journal.check().problems == [.overRefunded(try PaymentID("p"))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// It takes nothing, since there is no payment before it.
    @Test func whatIsGivenWithoutAPaymentIsNotTooMuch() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalDesk.intent("u", .unlinkedRefund, 60), JournalDesk.approved(60))
        #expect(try await journal.check().problems.isEmpty)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func anAttemptThatIsMissingFromItsFamilyIsFound() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalDesk.intent("p"), JournalDesk.approved())
        try await desk.done(try JournalDesk.intent("r", .refund, 60, of: "p"), JournalDesk.approved(60))
        #expect(try await journal.check().problems == [])
        try await journal.writing { try $0.execute("DELETE FROM attempt WHERE id = 'r'", doing: "harm") }
        let words = "not as many attempts of the payment p are found as it counts"
        #expect(try await journal.check().problems.contains(.file(words)))
        await #expect(throws: JournalFailure.self) {
            try await desk.send(try JournalDesk.intent("r2", .refund, 60, of: "p"))
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }
}
