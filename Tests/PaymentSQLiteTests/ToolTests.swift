import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

@Suite struct ToolTests {
    private func line(
        _ attempt: String = "old-1", _ reference: String = "mp_7", more: String = "", units: String = "5000",
        order: String? = nil
    ) -> String {
        """
        {"attempt":"\(attempt)","provider":"one","adapter":"memory","environment":"sandbox","merchant":"m-1",\
        "reference":"\(order ?? "order-\(attempt)")","minorUnits":\(units),"currency":"EUR","takenAt":1700000000000,\
        "last4":"1111","references":{"payment":"\(reference)"}\(more)}
        """
    }

    private func used(_ name: String = "desk") async throws -> (Folder, SQLiteJournal, JournalTestWriter) {
        let folder = try Folder()
        let journal = try await folder.open()
        return (folder, journal, JournalTestWriter(journal, name: name))
    }

    // MARK: - Import

    @Test func anAdoptedPaymentCanBeRefundedOnceAndNoMore() async throws {
        let (folder, journal, desk) = try await used()
        let lines = [
            line("old-1", "mp_7", more: #","refunded":1000,"holdsUntil":1700000000000"#), line("old-2", "mp_8"),
        ]
        #expect(try await journal.adopt(lines, at: JournalTestWriter.at(0)) == 2)
        // The same lines again change nothing.
        #expect(try await journal.adopt(lines, at: JournalTestWriter.at(1)) == 0)
        let sale = try await desk.held("old-1")
        #expect(sale.state == .approved && sale.isEnded && sale.isImported && sale.requests.isEmpty)
        #expect(sale.runs.map(\.end) == [.imported])
        #expect(sale.intent.last4 == "1111")
        #expect(try await desk.holders("mp_7") == ["old-1"])
        let family = try await desk.family("old-1")
        #expect(family.count == 2)
        #expect(family.last?.reports.compactMap(\.verdict) == [JournalTestWriter.approved(1_000)])
        try await desk.done(
            try JournalTestWriter.intent("r1", .refund, 3_000, of: "old-1"), JournalTestWriter.approved(3_000))
        let more = try await desk.write(
            JournalTestWriter.request(try JournalTestWriter.intent("r2", .refund, 1_001, of: "old-1")))
        #expect(more == .refused(.exceeds(left: Money(minorUnits: 1_000, .eur), open: []), nil))
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    private func followUp(
        _ attempt: String, of payment: String = "s1", units: Int = 2_000, name: String? = nil, more: String = "",
        operation: String = "refund"
    ) -> String {
        let references = name.map { ",\"references\":{\"payment\":\"\($0)\"}" } ?? ""
        return """
            {"attempt":"\(attempt)","payment":"\(payment)","operation":"\(operation)","provider":"one","adapter":"memory",\
            "environment":"sandbox","merchant":"m-1","minorUnits":\(units),"currency":"EUR",\
            "takenAt":1700000000000\(references)\(more)}
            """
    }

    /// A restore lost it, of a payment that is there.
    @Test func importedFollowUp_countsOnItsPayment_andItsIDBeginsNothing() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(
            try JournalTestWriter.intent("s1", .sale, 5_000), JournalTestWriter.approved(5_000), names: ["mp_1"])
        let lines = [followUp("r1", name: "back-1"), followUp("r2", units: 1_000)]
        #expect(try await journal.adopt(lines, at: JournalTestWriter.at(0)) == 2)
        #expect(try await journal.adopt(lines, at: JournalTestWriter.at(1)) == 0)
        let family = try await desk.family("s1")
        #expect(family.map(\.state) == [.approved, .approved, .approved])
        #expect(try await desk.holders("back-1") == ["r1"])
        // The key that was lost, and more than is left.
        let held = try await desk.held("r1")
        let again = try await desk.write(
            JournalTestWriter.request(try JournalTestWriter.intent("r1", .refund, 2_000, of: "s1")))
        #expect(again == .refused(.conflict, held))
        let more = try await desk.write(
            JournalTestWriter.request(try JournalTestWriter.intent("r3", .refund, 2_001, of: "s1")))
        #expect(more == .refused(.exceeds(left: Money(minorUnits: 2_000, .eur), open: []), nil))
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func importedFollowUp_thatDoesNotFit_isRefused() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(
            try JournalTestWriter.intent("s1", .sale, 5_000), JournalTestWriter.approved(5_000), names: ["mp_1"])
        try await desk.done(
            try JournalTestWriter.intent("s2", .sale, 5_000), JournalTestWriter.approved(5_000), names: ["mp_2"])
        try await desk.send(try JournalTestWriter.intent("open-1", .refund, 700, of: "s2"))
        _ = try await journal.adopt(
            [line("old-1", "mp_7", more: #","refunded":1000,"holdsUntil":1700000000000"#)], at: JournalTestWriter.at(0))
        let bad = [
            followUp("r1", of: "nothing"), followUp("r1", units: 5_001), followUp("r1", operation: "sale"),
            followUp("r1", operation: "capture"), followUp("r1", name: "mp_2"), followUp("r1", of: "s2"),
            followUp("r1", of: "old-1"), followUp("r1", more: #","scope":"other""#),
            followUp("r1", more: #","refunded":0"#), followUp("r1", more: #","part":"1 of 2""#),
            followUp("s2"), line("old-9", "mp_9", more: #","payment":"s1""#),
            line("old-9", "mp_9", more: #","operation":"refund""#),
        ]
        for text in bad {
            await #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted), "\(text)") {
                _ = try await journal.adopt([text], at: JournalTestWriter.at(0))
            }
        }
        #expect(try await desk.family("s1").count == 1)
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
        _ = try await journal.adopt(names.enumerated().map { line("adyen-\($0)", $1) }, at: JournalTestWriter.at(0))
        for (number, name) in names.enumerated() { #expect(try await desk.holders(name) == ["adyen-\(number)"]) }
        for card in [
            "4111111111111111", "4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "2223000048400011",
            "8100000000000002", "6011000990139424", "4r7i000.4111111111111111", "x4111111111111111y",
        ] {
            await #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted), "\(card)") {
                _ = try await journal.adopt([line("card-1", card)], at: JournalTestWriter.at(0))
            }
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func whatIsNoPaymentIsRefusedByItsLineAndNothingIsAdopted() async throws {
        let (folder, journal, desk) = try await used()
        _ = try await journal.adopt([line("there", "mp_1")], at: JournalTestWriter.at(0))
        try await desk.send(try JournalTestWriter.intent("open", .sale, 5_000, reference: "order-open"), at: 1_000_000)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("open"), nil), at: 1_000_001)
        let bad = [
            "", "[]", "{}", line(more: ",\"cvv\":\"737\""), line("old-1", "4111111111111111"), line(units: "0"),
            line(units: "-1"), line(units: "1.5"), line(units: "\"5\""), line("there", "mp_9"), line("old-9", "mp_1"),
            line("there", "mp_1", order: "other"), line("there", "mp_1", units: "4000"),
            line("open", "mp_9", order: "other"), line("open", "mp_9", more: ",\"part\":\"1 of 2\""),
            line("open", "mp_9", more: ",\"scope\":\"s\""),
            line("first", "mp_5"), line("old-2", "mp_first"), line("has space"), line("old-1", ""),
            line(more: ",\"number\":\"4111111111111111\""), line(more: ",\"refunded\":5001"),
            line(more: ",\"refunded\":-1"), line(more: ",\"refunded\":\"1\""), line(more: ",\"holdsUntil\":1"),
            line(more: ",\"holdsUntil\":null"), line(more: ",\"scope\":7"),
            line(more: ",\"scope\":\"4111111111111111\""),
            line(units: "1000000000000001"), line("old-1", String(repeating: "n", count: 201)),
            line(order: String(repeating: "o", count: 257)),
            line(more: ",\"scope\":\"\(String(repeating: "s", count: 201))\""),
        ]
        for text in bad {
            do {
                _ = try await journal.adopt([line("first", "mp_first"), text], at: JournalTestWriter.at(0))
                Issue.record("taken: \(text)")
            } catch let error as PaymentError {
                #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
                #expect(error.detail.contains("line 2"))
                #expect(!error.detail.contains("4111") && !error.detail.contains("737"))
            }
            #expect(try await desk.attempt("first") == nil)
        }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            _ = try await journal.adopt(
                [String](repeating: "", count: ImportedPayment.importedMax + 1), at: JournalTestWriter.at(0))
        }
        // Each is compared with all others under its reference.
        let same = (0...ImportedPayment.sameReferenceMax).map { line("same-\($0)", "mp_s\($0)", order: "same") }
        await #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            _ = try await journal.adopt(same, at: JournalTestWriter.at(0))
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func keptNoticesFromBeforeAreFiledAndLaterOnesApplied() async throws {
        let (folder, journal, desk) = try await used()
        for (id, time) in [("early", 1_700_000_005_000), ("late", 1_700_000_015_000)] as [(String, Int64)] {
            let verdict = JournalTestWriter.approved(5_000, ["payment": "mp_7"])
            let notice = Notice(id, JournalTestWriter.one, .name("mp_7"), [.sale], verdict, at: time, names: ["mp_7"])
            #expect(try await desk.write(.notice(notice), at: 1) == .kept)
        }
        let adopted = try await journal.adopt(
            [line("old-1", "mp_7", more: #","holdsUntil":1700000010000"#)], at: JournalTestWriter.at(2))
        #expect(adopted == 1)
        let sale = try await desk.held("old-1")
        #expect(
            sale.reports.map(\.evidence) == [
                .imported(saidAt: 1_700_000_010_000), .webhook(id: "late", providerTime: 1_700_000_015_000),
            ])
        #expect(
            try await desk.timeline("old-1").compactMap { $0.attributes["filed"] } == ["The import had counted it."])
        #expect(try await journal.check(at: JournalTestWriter.at(0)).notices == 0)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Export

    @Test func anExportGivesEverythingLineByLine() async throws {
        let (folder, journal, desk) = try await used()
        // More than are read at once.
        let count = 207
        for number in 0..<count {
            let verdict = JournalTestWriter.approved(100, ["payment": "r-\(number)"])
            try await desk.done(try JournalTestWriter.intent("a-\(number)"), verdict)
        }
        let id = PaymentID(try JournalTestWriter.id("a-0"))
        try await journal.add(
            [PaymentEvent(.approved, sequence: 1, at: 5, payment: id, attributes: ["k": "\n"])], to: id)
        _ = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.approved()), at: 1)
        var lines: [String] = []
        try await journal.export { lines.append($0) }
        #expect(lines.count == count + 2)
        #expect(lines.allSatisfy { !$0.contains("\n") })
        let first = try JSONReader().read(Array(lines[0].utf8))
        #expect(first["attempt"]?.string == "a-0")
        #expect(first["state"]?.string == "approved")
        #expect(first["minorUnits"]?.int64 == 100)
        let report = first["events"]?.array?.first { $0["event"]?.string == "report" }
        #expect(report?["verdict"]?["references"]?["payment"]?.string == "r-0")
        let event = try JSONReader().read(Array(lines[1].utf8))
        #expect(event["type"]?.string == "event")
        #expect(event["attributes"]?["k"]?.string == "\n")
        let notice = try JSONReader().read(Array(try #require(lines.last).utf8))
        #expect(notice["notice"]?["name"]?.string == "x")
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Pruning

    private static let start = JournalTestWriter.at(0).wall

    private func step(_ name: String, at instant: Int64, _ journal: SQLiteJournal) async throws {
        let id = PaymentID(try JournalTestWriter.id(name))
        try await journal.add([PaymentEvent(.approved, sequence: 1, at: Self.start + instant, payment: id)], to: id)
    }

    private func counts(_ pruned: JournalPruning) -> [Int] {
        [pruned.payments, pruned.attempts, pruned.events, pruned.notices]
    }

    @Test func pruningLeavesWhatIsOpenOrYounger() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["old", "refunded", "doubtful", "late-refund", "late-event"] {
            try await desk.done(
                try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["r-\(name)"], at: 10)
            try await step(name, at: 10, journal)
        }
        try await desk.done(
            try JournalTestWriter.intent("r1", .refund, 10, of: "refunded"), JournalTestWriter.approved(10),
            names: ["n-r1"], at: 20)
        try await desk.send(try JournalTestWriter.intent("r2", .refund, 10, of: "doubtful"), at: 20)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("r2"), nil), at: 21)
        try await desk.done(
            try JournalTestWriter.intent("r3", .refund, 10, of: "late-refund"), JournalTestWriter.approved(10), at: 100)
        try await step("late-event", at: 100, journal)
        try await desk.send(try JournalTestWriter.intent("open"), at: 10)
        try await desk.done(try JournalTestWriter.intent("pending"), .pending(Pending(shouldPoll: true)), at: 10)
        try await desk.done(try JournalTestWriter.intent("young"), JournalTestWriter.declined, at: 100)
        #expect(counts(try await journal.prune(before: Self.start + 100)) == [2, 3, 2, 0])
        let left = try await desk.names(.origins(scope: nil))
        #expect(Set(left) == ["doubtful", "late-refund", "late-event", "open", "pending", "young"])
        #expect(try await desk.timeline("old") == [])
        #expect(try await desk.holders("r-doubtful") == ["doubtful"])
        #expect(try await journal.problems() == [])
        #expect(try await journal.prune(before: Self.start + 100) == JournalPruning())
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func idsAndNamesOfWhatWasPrunedStayTaken() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("old"), JournalTestWriter.approved(), names: ["x"], at: 10)
        // The newest payment of a file stays.
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), names: ["z"], at: 10)
        #expect(try await journal.prune(before: Self.start + 1_000).payments == 1)
        #expect(try await desk.attempt("old") == nil)
        // It is not done again, and nothing else is called so.
        await #expect(throws: JournalFailure.pruned(try JournalTestWriter.id("old"))) {
            try await desk.send(try JournalTestWriter.intent("old"))
        }
        for taken in [line("old", "y"), line("other", "x")] {
            await #expect(throws: (any Error).self, "\(taken)") {
                try await journal.adopt([taken], at: JournalTestWriter.at(0))
            }
        }
        #expect(try await desk.attempt("other") == nil)
        try await desk.done(
            try JournalTestWriter.intent("new", .sale, 200), JournalTestWriter.approved(200), names: ["x"], at: 2_000)
        #expect(try await desk.held("new").names == [])
        #expect(try await desk.timeline("new").map(\.kind) == [.nameTaken])
        #expect(try await desk.holders("x") == [])
        // A message about it changes nothing.
        let late = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.declined), at: 3_000)
        if case .written = late { Issue.record("a message about what was forgotten was taken: \(late)") }
        // A look-alike that bears such a name is another payment's.
        try await desk.send(try JournalTestWriter.intent("doubt"), at: 3_000)
        let doubt = try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("doubt"), nil), at: 3_001)
        let basis = Finding.Basis(
            doubt, known: 2, account: JournalTestWriter.one, askedAt: JournalTestWriter.at(90_000))
        let terms = LookupTerms(quietPeriod: 1_000, isExclusive: true)
        let seen = LookupResult.Candidate("x", JournalTestWriter.approved(), at: JournalTestWriter.at(3_000).wall)
        let finding = Finding.lookup(.candidates([seen]), basis, terms, names: ["x"])
        let found = try await desk.write(.report(doubt.intent.attempt, finding), at: 90_000)
        #expect(try await desk.held("doubt").isOpen, "\(found)")
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func unclaimedNoticesAreForgotten() async throws {
        let (folder, journal, desk) = try await used()
        for (name, instant) in [("x", 10), ("y", 200)] as [(String, Int64)] {
            _ = try await desk.write(
                JournalTestWriter.notice("m-\(name)", name, JournalTestWriter.approved()), at: instant)
        }
        #expect(counts(try await journal.prune(before: Self.start + 100)) == [0, 0, 0, 1])
        #expect(try await journal.check(at: JournalTestWriter.at(0)).notices == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// The first payment that is open began its doubt last.
    @Test func messagesSinceTheOldestDoubt_surviveThePruning() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("first"), JournalTestWriter.approved(), at: 5)
        try await desk.send(try JournalTestWriter.intent("doubt"), at: 20)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("doubt"), nil), at: 21)
        for (name, instant) in [("early", 10), ("x", 30)] as [(String, Int64)] {
            _ = try await desk.write(
                JournalTestWriter.notice("m-\(name)", name, JournalTestWriter.approved()), at: instant)
        }
        try await desk.send(try JournalTestWriter.intent("refund", .refund, 10, of: "first"), at: 200)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("refund"), nil), at: 201)
        #expect(counts(try await journal.prune(before: Self.start + 300)) == [0, 0, 0, 1])
        #expect(try await journal.check(at: JournalTestWriter.at(0)).notices == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// An old attempt that never ends, or can't be read, keeps every message.
    @Test(arguments: [true, false]) func messagesThatAnOldAttemptKeeps_areNamedWithIt(_ isReadable: Bool) async throws {
        let (folder, journal, desk) = try await used()
        try await desk.send(try JournalTestWriter.intent("open"), at: 5)
        _ = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.approved()), at: 10)
        if !isReadable { try await journal.execute("UPDATE entry SET events = x'00'") }
        let pruned = try await journal.prune(before: Self.start + 100)
        let open = try JournalTestWriter.id("open")
        #expect(pruned.notices == 0 && pruned.keptNotices == 1)
        #expect(pruned.keepers == [isReadable ? .open(open) : .unreadable(PaymentID(open))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func paymentToWhichALookupIsOwed_staysAndIsNamed() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["r-a"], at: 10)
        _ = try await desk.write(JournalTestWriter.notice("hint", "r-a", nil), at: 20)
        // The newest payment of a file stays.
        try await desk.send(try JournalTestWriter.intent("last"), at: 60)
        let pruned = try await journal.prune(before: Self.start + 1_000)
        #expect(pruned.payments == 0)
        #expect(pruned.keepers == [.owed(PaymentID(try JournalTestWriter.id("a")))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// Nothing else shows it to a person when the payment is gone.
    @Test func pruning_whatAPersonHasToDecide_staysAndIsNamed() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["over", "returned"] {
            try await desk.done(
                try JournalTestWriter.intent(name), JournalTestWriter.approved(150), names: ["r-\(name)"], at: 10)
        }
        try await desk.done(
            try JournalTestWriter.intent("back", .refund, 50, of: "returned"), JournalTestWriter.approved(50), at: 20)
        try await desk.done(
            try JournalTestWriter.intent("disputed"), JournalTestWriter.approved(), names: ["r-disputed"], at: 10)
        var chargeback = Notice(
            "m", JournalTestWriter.one, .name("cb-1"), [.chargeback], JournalTestWriter.approved(),
            at: Self.start + 20, names: ["cb-1"], original: "r-disputed")
        chargeback.amount = Money(minorUnits: 100, .eur)
        _ = try await desk.write(.notice(chargeback), at: 20)
        // The newest payment of a file stays.
        try await desk.send(try JournalTestWriter.intent("last"), at: 60)
        let pruned = try await journal.prune(before: Self.start + 1_000)
        #expect(pruned.payments == 1 && pruned.attempts == 2)
        let named = try ["over", "disputed"].map { PaymentID(try JournalTestWriter.id($0)) }
        #expect(pruned.keepers == named.map { .undecided($0) })
        // A person may leave it so: what was executed, and no other amount.
        for (cents, payments) in [(120, 0), (150, 1)] as [(Int64, Int)] {
            let over = try await desk.held("over")
            let basis = Finding.Basis(
                over, known: 2, account: JournalTestWriter.one, askedAt: JournalTestWriter.at(50))
            let said = Finding.person(
                .acknowledge(.amount(Money(minorUnits: cents, .eur))), basis, quietPeriod: nil, by: "Ann",
                reason: "a surcharge")
            _ = try await desk.write(.report(over.intent.attempt, said), at: 50)
            #expect(try await journal.prune(before: Self.start + 1_000).payments == payments)
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// A charge that no rule books: its payment and its mark stay until a person has seen it.
    @Test func pruning_chargeThatIsNotBooked_staysUntilAPersonHasSeenIt() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("paid"), JournalTestWriter.approved(), at: 10)
        let paid = PaymentID(try JournalTestWriter.id("paid"))
        try await desk.write(JournalTestWriter.notice("w", "unknown", JournalTestWriter.approved()), at: 20)
        let mark = PersonMark.unbooked(paid, "later")
        try await desk.write(.notice(.of(mark, at: JournalTestWriter.one)), at: 30)
        try await desk.write(JournalTestWriter.notice("x", "other", JournalTestWriter.approved()), at: 40)
        // The newest payment of a file stays.
        try await desk.done(try JournalTestWriter.intent("last"), JournalTestWriter.approved(), at: 2_000)
        let before = try await journal.prune(before: Self.start + 1_000)
        #expect(before.payments == 0 && before.notices == 2 && before.keepers == [.undecided(paid)], "\(before)")
        let marks = try await journal.marks()
        #expect(marks.map(\.mark) == [mark] && marks.first?.at == JournalTestWriter.at(30).wall)
        #expect(try await journal.end(marks, at: JournalTestWriter.at(50)).isEmpty)
        #expect(try await journal.marks().isEmpty)
        #expect(try await journal.prune(before: Self.start + 1_000).payments == 1)
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// Of the day that is not over another list may come, which leaves no mark.
    @Test func markOfToday_aboutChargebacks_staysUntilTheDayIsOver() async throws {
        let (folder, journal, desk) = try await used()
        let now = JournalTestWriter.at(0)
        let today = now.wall / PersonMark.dayMilliseconds
        for day in [today - 1, today, today] {
            try await desk.write(.notice(.of(.chargebacks(day: day), at: JournalTestWriter.one)))
        }
        let stay = try await journal.end(try await journal.marks(), at: now)
        #expect(stay.map(\.mark) == [.chargebacks(day: today)])
        #expect(try await journal.marks() == stay && !stay.contains { $0.mark.isProven })
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func newestPaymentOfAFile_staysAndIsNamed() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["old", "newest"] {
            try await desk.done(try JournalTestWriter.intent(name), JournalTestWriter.approved(), at: 10)
        }
        let pruned = try await journal.prune(before: Self.start + 1_000)
        #expect(pruned.payments == 1)
        #expect(pruned.keepers == [.newest(PaymentID(try JournalTestWriter.id("newest")))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// The journal is open: no end of it has carried its log over.
    @Test func whatWasPruned_isInNoFileOfTheJournal() async throws {
        let (folder, journal, desk) = try await used()
        func isThere() -> Bool {
            let files = [folder.file(), folder.file() + "-wal"]
            let planted = Data("planted-reference".utf8)
            return files.contains { FileManager.default.contents(atPath: $0)?.range(of: planted) != nil }
        }
        let intent = try JournalTestWriter.intent("old", reference: "planted-reference")
        try await desk.done(intent, JournalTestWriter.approved(), names: ["n-old"], at: 10)
        try await desk.send(try JournalTestWriter.intent("last"), at: 60)
        #expect(isThere())
        #expect(try await journal.prune(before: Self.start + 1_000).payments == 1)
        #expect(!isThere())
        let erases = try await journal.keeping { try $0.connection.number("PRAGMA secure_delete", doing: "asking") }
        #expect(erases == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func pruningLeavesWhatMayStillBeHeld() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["held", "part", "whole", "voided", "refused", "recent"] {
            let verdict = name == "refused" ? JournalTestWriter.declined : JournalTestWriter.approved()
            try await desk.done(try JournalTestWriter.intent(name, .authorize), verdict, at: name == "recent" ? 60 : 10)
        }
        for (name, operation, cents, of) in [
            ("c1", PaymentOperation.capture, 40, "part"), ("c2", .capture, 100, "whole"), ("v", .void, 100, "voided"),
        ] as [(String, PaymentOperation, Int64, String)] {
            try await desk.done(
                try JournalTestWriter.intent(name, operation, cents, of: of), JournalTestWriter.approved(cents), at: 20)
        }
        // The newest payment of a file stays.
        try await desk.send(try JournalTestWriter.intent("last"), at: 60)
        #expect(counts(try await journal.prune(before: Self.start + 1_000)) == [3, 5, 0, 0])
        #expect(Set(try await desk.names(.origins(scope: nil))) == ["held", "part", "recent", "last"])
        // What can't be known isn't guessed, whatever is said about time that makes no sense.
        for hold in [-1, .max, 969] as [Int64] {
            let pruned = try await journal.prune(before: Self.start + 1_000, holdMilliseconds: hold)
            #expect(pruned.payments == (hold == 969 ? 2 : 0), "\(hold)")
        }
        #expect(try await desk.names(.origins(scope: nil)) == ["last", "recent"])
        #expect(try await journal.prune(before: Self.start + 1_000, holdMilliseconds: 930).payments == 1)
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    // MARK: - Check

    @Test func aCheckFindsWhatIsWrong() async throws {
        let (folder, journal, desk) = try await used()
        for name in ["a", "b", "c", "d", "e"] {
            try await desk.done(try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["r-\(name)"])
        }
        try await desk.done(try JournalTestWriter.intent("r", .refund, 10, of: "d"), JournalTestWriter.approved(10))
        try await journal.add([try JournalTestWriter.event("k", of: "e")], to: PaymentID(try JournalTestWriter.id("e")))
        _ = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.approved()), at: 1)
        #expect(try await journal.problems() == [])
        let name = RowHash.of(ProviderName(JournalTestWriter.one, "r-b"))
        try await journal.execute("UPDATE entry SET events = x'00' WHERE payment = 1 AND number = 1")
        try await journal.execute("DELETE FROM name WHERE hash = \(name)")
        try await journal.execute("DELETE FROM reference WHERE payment = 3")
        try await journal.execute("DELETE FROM origin WHERE id = 'd'")
        try await journal.execute("UPDATE waiting SET body = x'00'")
        try await journal.execute("UPDATE notice SET body = x'00'")
        let found = try await journal.check(at: JournalTestWriter.at(0))
        let (b, c) = (PaymentID(try JournalTestWriter.id("b")), PaymentID(try JournalTestWriter.id("c")))
        #expect(
            Set(found.problems) == [
                .payment(number: 1, id: "a"), .row(b, "it is not found by the provider's name r-b"),
                .row(c, "its reference is not kept as its log says"),
                .store("1 payments have rows in entry and are not found"),
                .store("1 payments have rows in id and are not found"),
                .store("1 payments have rows in reference and are not found"),
                .store("1 payments have rows in open and are not found"),
                .store("1 names lead to no payment"), .payment(number: 5, id: "e"), .notice(number: 1),
            ])
        #expect((found.payments, found.attempts, found.notices) == (4, 2, 1))
        await #expect(throws: JournalFailure.self) { try await desk.held("a") }
        await #expect(throws: JournalFailure.self) { try await journal.export { _ in } }
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// Rows that are computed from a log, and say something else than it.
    @Test(
        arguments: [
            ("UPDATE reference SET until = 0", "its reference is not kept as its log says"),
            ("UPDATE open SET is_open = 0", "its open attempts are not the ones that are found"),
            ("UPDATE open SET is_candidate = 0", "its candidates are not the ones that are found"),
            ("UPDATE origin SET scope = 'x'", "it is not found under its scope"),
        ])
    func rowsThatSaySomethingElseAreFound(_ harm: String, _ words: String) async throws {
        let (folder, journal, desk) = try await used()
        try await desk.send(try JournalTestWriter.intent("a"))
        try await journal.execute(harm)
        #expect(try await journal.problems() == [.row(PaymentID(try JournalTestWriter.id("a")), words)])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func moreRefundedThanTakenIsFound() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("p"), JournalTestWriter.approved())
        try await desk.done(try JournalTestWriter.intent("r", .refund, 100, of: "p"), JournalTestWriter.approved(150))
        #expect(try await journal.problems() == [.overRefunded(PaymentID(try JournalTestWriter.id("p")))])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    /// It takes nothing, since there is no payment before it.
    @Test func whatIsGivenWithoutAPaymentIsNotTooMuch() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("u", .unlinkedRefund, 60), JournalTestWriter.approved(60))
        #expect(try await journal.problems() == [])
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func anAttemptThatIsMissingFromItsPaymentIsFound() async throws {
        let (folder, journal, desk) = try await used()
        try await desk.done(try JournalTestWriter.intent("p"), JournalTestWriter.approved())
        try await desk.done(
            try JournalTestWriter.intent("r", .refund, 60, of: "p"), JournalTestWriter.approved(60), names: ["n-r"])
        #expect(try await journal.problems() == [])
        try await journal.execute("DELETE FROM entry WHERE number > 2")
        let words = "its attempts are not the ones that are found"
        #expect(try await journal.problems() == [.row(PaymentID(try JournalTestWriter.id("p")), words)])
        await #expect(throws: JournalFailure.self) {
            try await desk.send(try JournalTestWriter.intent("r2", .refund, 60, of: "p"))
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }
}

/// A file that is copied into another file.
@Suite struct CopyTests {
    /// Two payments may have had names of one hash; both stay taken in the copy, on whichever page they are.
    @Test func forgottenNamesOfOneHash_onTwoPages_areBothCopied() async throws {
        let folder = try Folder()
        await (try await folder.open()).close()
        let rows = (1...450).map { "(7, -\($0))" }.joined(separator: ", ")
        try folder.execute("INSERT INTO name (hash, payment) VALUES \(rows)")
        let report = try JournalCopy(
            from: try SQLiteSource(folder.file()), to: SQLiteTarget(folder.file("copy")), isMove: false
        ).run()
        #expect(report.counts[.forgottenNames] == 450)
        let copy = try await folder.open("copy")
        #expect(try await copy.number("SELECT count(*) FROM name WHERE hash = 7") == 450)
        await copy.close()
    }

    /// A name that is not set is empty; SQLite takes it for a file that it removes when it is closed.
    @Test(arguments: ["", "journal.sqlite-wal", "copy-shm", "copy.last", "copy.owners"])
    func copy_toNoNameOrThatOfAFileBesideAJournal_isRefused(_ name: String) async throws {
        let folder = try Folder()
        await (try await folder.open()).close()
        let target = name.isEmpty ? "" : folder.file(name)
        for isMove in [false, true] {
            #expect(throws: JournalCopyFailure.self) {
                try JournalCopy(from: try SQLiteSource(folder.file()), to: SQLiteTarget(target), isMove: isMove).run()
            }
        }
        await (try await folder.open()).close()
        await #expect(throws: PaymentError.self) {
            _ = try await SQLiteJournal.open(path: "", processes: SingleProcess("till"))
        }
    }

    /// More messages came about a name than are kept: what gets the name later has to be looked up.
    @Test func overfullNames_copied_stayMarked() async throws {
        let folder = try Folder()
        await (try await folder.open()).close()
        let rows = (1...450).map { "(\($0 - 225))" }.joined(separator: ", ")
        try folder.execute("INSERT INTO overfull (hash) VALUES \(rows)")
        let report = try JournalCopy(
            from: try SQLiteSource(folder.file()), to: SQLiteTarget(folder.file("copy")), isMove: false
        ).run()
        #expect(report.counts[.overfull] == 450)
        let copy = try await folder.open("copy")
        #expect(try await copy.number("SELECT count(*) FROM overfull") == 450)
        await copy.close()
    }

    /// What is computed from the logs is computed again: the copy says the same, and so do its tools.
    @Test func everyKindOfPayment_copied_isTheSame() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("a", .sale, 100), JournalTestWriter.approved(), names: ["n-a"])
        try await desk.done(
            try JournalTestWriter.intent("r", .refund, 40, of: "a"), JournalTestWriter.approved(40), names: ["n-r"])
        try await desk.done(try JournalTestWriter.intent("no"), JournalTestWriter.declined)
        try await desk.send(try JournalTestWriter.intent("lost", scope: "s"))
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("lost"), nil))
        try await desk.send(try JournalTestWriter.intent("runs"))
        try await journal.add([try JournalTestWriter.event("k", of: "a")], to: PaymentID(try JournalTestWriter.id("a")))
        _ = try await desk.write(JournalTestWriter.notice("m", "x", JournalTestWriter.approved()), at: 1)
        var lines: [String] = []
        try await journal.export { lines.append($0) }
        await journal.close()
        _ = try JournalCopy(
            from: try SQLiteSource(folder.file()), to: SQLiteTarget(folder.file("copy")), isMove: false
        ).run()
        let copy = try await folder.open("copy")
        var copied: [String] = []
        try await copy.export { copied.append($0) }
        #expect(copied == lines)
        #expect(try await copy.problems() == [])
        #expect(try await JournalTestWriter(copy).holders("n-r") == ["r"])
        let due = try await copy.takeDue(limit: 10, at: JournalTestWriter.at(10_000))
        #expect(due.attempts.map(\.intent.attempt.text) == ["lost"])
        await copy.close()
    }
}
