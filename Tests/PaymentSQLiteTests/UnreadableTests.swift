import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// One payment that can't be read is named, and harms no other.
@Suite struct UnreadableTests {
    /// What is done to the rows of the payment `bad`.
    static let harms: [(String, String)] = [
        ("other bits", "UPDATE entry SET events = x'5b5d' WHERE payment = 3 AND number = 1"),
        ("an entry that is gone", "DELETE FROM entry WHERE payment = 3 AND number = 1"),
        ("another write id", "UPDATE entry SET write = 'x' WHERE payment = 3 AND number = 2"),
        ("an attempt too many", "INSERT INTO id (id, payment) VALUES ('more', 3)"),
    ]

    private func harmed(_ folder: Folder, _ harm: String) async throws -> (SQLiteJournal, JournalTestWriter) {
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b", "bad", "c", "d"] {
            try await desk.send(try JournalTestWriter.intent(name, reference: name == "bad" ? "r" : nil))
            try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id(name), nil))
        }
        try await journal.execute(harm)
        return (journal, desk)
    }

    @Test(arguments: harms) func itIsNamedAndTheOthersContinue(_ what: String, _ harm: String) async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, harm)
        let id = try JournalTestWriter.id("bad")
        let bad = PaymentID(id)
        await #expect(throws: JournalFailure.unreadable(bad)) { try await desk.attempt("bad") }
        await #expect(throws: JournalFailure.unreadable(bad)) { try await journal.payment(bad) }
        await #expect(throws: JournalFailure.unreadable(bad)) { try await journal.timeline(bad) }
        await #expect(throws: JournalFailure.unreadable(bad)) {
            try await desk.write(JournalTestWriter.finish(id, nil))
        }
        await #expect(throws: JournalFailure.unreadable(bad)) {
            try await desk.send(try JournalTestWriter.intent("bad", reference: "r"))
        }
        await #expect(throws: JournalFailure.unreadable(bad)) {
            try await desk.send(try JournalTestWriter.intent("back", .refund, 1, of: "bad"))
        }
        // Under its reference nothing begins, since it may have been paid.
        await #expect(throws: JournalFailure.unreadable(bad)) {
            try await desk.send(try JournalTestWriter.intent("again", reference: "r"))
        }
        for limit in [1, 2, 3, 10] {
            var (rows, unreadable): ([String], [PaymentID]) = ([], [])
            var cursor: JournalCursor?
            repeat {
                let page = try await journal.attempts(.open(scope: ""), after: cursor, limit: limit)
                rows += page.attempts.map(\.intent.attempt.text)
                unreadable += page.unreadable
                cursor = page.next
            } while cursor != nil
            #expect(rows == ["a", "b", "c", "d"], "pages of \(limit)")
            #expect(unreadable == [bad], "pages of \(limit)")
        }
        let origins = try await journal.attempts(.origins(scope: nil), after: nil, limit: 10)
        #expect(origins.attempts.count == 4 && origins.unreadable == [bad])
        let due = try await journal.takeDue(limit: 10, at: JournalTestWriter.at(10_000))
        #expect(Set(due.attempts.map(\.intent.attempt.text)) == ["a", "b", "c", "d"])
        #expect(due.unreadable == [bad])
        // It was put off with the others and blocks no other.
        #expect(try await journal.takeDue(limit: 10, at: JournalTestWriter.at(10_000)) == JournalPage())
        try await desk.accept(
            JournalTestWriter.lookup(try await desk.held("d"), known: 2, JournalTestWriter.approved(), at: 10), at: 10)
        try await desk.send(try JournalTestWriter.intent("e"))
        let problems = try await journal.problems()
        #expect(!problems.isEmpty)
        for problem in problems {
            switch problem {
            case .payment(3, "bad"), .row(bad, _): break
            default: Issue.record("\(problem)")
            }
        }
        await journal.close()
    }

    @Test func aWordOfNewerSoftwareMakesItsPaymentUnreadable() async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, "SELECT 1")
        let body = Array(#"[{"attempt":"bad","events":[{"event":"blessing","at":[1,2]}]}]"#.utf8)
        try await journal.keeping { keeper in
            let values: [SQLiteValue] = [
                .integer(3), .integer(2), .text("w"), .integer(0), .integer(0), .bytes(body), .bytes([]), .bytes([]),
            ]
            try keeper.connection.run(
                "UPDATE entry SET write = ?3, content = ?4, at = ?5, events = ?6, answer = ?7, timeline = ?8, sum = ?9 "
                    + "WHERE payment = ?1 AND number = ?2",
                values + [.integer(RowSum.of(values))], doing: "harm")
        }
        let bad = PaymentID(try JournalTestWriter.id("bad"))
        await #expect(throws: JournalFailure.unreadable(bad)) { try await desk.attempt("bad") }
        #expect(try await desk.attempt("a") != nil)
        await journal.close()
    }

    @Test func matchByAmountAndTime_readsEveryRival() async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, "UPDATE entry SET events = x'00' WHERE payment = 3")
        let held = try await desk.held("a")
        let seen = LookupResult.Candidate("x", JournalTestWriter.approved())
        let basis = Finding.Basis(held, known: 2, account: JournalTestWriter.one, askedAt: JournalTestWriter.at(9_000))
        let terms = LookupTerms(quietPeriod: 1_000, isExclusive: true)
        let finding = Finding.lookup(.candidates([seen]), basis, terms, names: ["x"])
        await #expect(throws: JournalFailure.unreadable(PaymentID(try JournalTestWriter.id("bad")))) {
            try await desk.write(.report(held.intent.attempt, finding), at: 9_000)
        }
        await journal.close()
    }
}

/// A file of a former format is refused with its format, ours and what to do; it is never read as payments and never changed.
@Suite struct FormatTests {
    /// Files that former software wrote, and the format of each.
    private static let fixtures = [
        ("edition-1-version-1", 1), ("edition-1-version-2", 2), ("edition-1", 3), ("version-4", 4), ("version-5", 5),
        ("version-7", 7), ("version-8", 8),
    ]

    private func place(_ name: String, in folder: Folder) throws -> Data {
        let from = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/Journal/\(name).sqlite").standardized
        try FileManager.default.copyItem(atPath: from.path, toPath: folder.file())
        return try Data(contentsOf: from)
    }

    private func expectWords(_ words: String, _ version: Int) {
        #expect(words.contains("it is a journal of format \(version)"), "\(words)")
        #expect(words.contains("reads and writes format \(Schema.version)"), "\(words)")
        #expect(words.contains("Nothing was changed") && words.contains("another path"), "\(words)")
        #expect(words.contains("what is not imported can be charged or refunded again"), "\(words)")
    }

    @Test(arguments: fixtures, [false, true])
    func fileOfAFormerFormat_opened_isRefusedAndLeftAsItIs(
        _ former: (name: String, version: Int), _ isReadOnly: Bool
    ) async throws {
        let folder = try Folder()
        let before = try place(former.name, in: folder)
        var options = OpeningOptions()
        options.isReadOnly = isReadOnly
        do {
            await (try await folder.open("journal.sqlite", options)).close()
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .journal && error.outcome == .notExecuted)
            expectWords(error.detail, former.version)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file() + ".last"))
    }

    @Test(arguments: fixtures) func fileOfAFormerFormat_accepted_isRefusedAndLeftAsItIs(
        _ name: String, _ version: Int
    ) async throws {
        let folder = try Folder()
        let before = try place(name, in: folder)
        let error = await #expect(throws: PaymentError.self) {
            try await SQLiteJournal.acceptRestored(path: folder.file())
        }
        expectWords(error?.detail ?? "", version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test(arguments: fixtures) func fileOfAFormerFormat_copied_isRefusedAndLeftAsItIs(
        _ name: String, _ version: Int
    ) throws {
        let folder = try Folder()
        let before = try place(name, in: folder)
        let error = #expect(throws: JournalCopyFailure.self) { try SQLiteSource(folder.file()) }
        expectWords(error?.words ?? "", version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    /// Format 10 had the same tables, and no row for a payment that a person alone named.
    @Test func fileOfFormatTen_opened_isRefusedByItsNumber() async throws {
        let folder = try Folder()
        let journal = try await folder.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        await journal.close()
        try folder.execute("PRAGMA user_version = 10; DELETE FROM open")
        do {
            await (try await folder.open()).close()
            Issue.record("it was opened")
        } catch { expectWords(error.detail, 10) }
    }

    /// A process of the former software may have it open, and what it wrote last may stand in the log.
    @Test func logOfAFormerFormat_opened_isLeftAsItIs() async throws {
        let folder = try Folder()
        _ = try place("version-5", in: folder)
        let user = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        try user.execute(
            "PRAGMA journal_mode = WAL; UPDATE counter SET value = 7 WHERE name = 'number'", doing: "writing")
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.file() + "-wal"))
        #expect(!log.isEmpty)
        await #expect(throws: PaymentError.self) { try await folder.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file() + "-wal")) == log)
        user.close()
    }
}
