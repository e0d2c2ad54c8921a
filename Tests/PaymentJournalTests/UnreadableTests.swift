import PaymentAbstraction
import PaymentConformance
import Testing

@testable import PaymentJournal

/// One row that can't be read is named, and harms no other.
@Suite struct UnreadableTests {
    /// What is done to the entry of the attempt `bad`.
    static let harms: [(String, String)] = [
        ("other bits", "UPDATE entry SET facts = x'5b5d' WHERE attempt = 3"),
        ("an entry that is gone", "DELETE FROM entry WHERE attempt = 3 AND number = 2"),
        ("another row", "UPDATE attempt SET reference = 'x' WHERE seq = 3"),
        ("another count", "UPDATE attempt SET entries = 1 WHERE seq = 3"),
    ]

    private func harmed(_ folder: Folder, _ harm: String) async throws -> (SQLiteJournal, JournalDesk) {
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        for name in ["a", "b", "bad", "c", "d"] {
            try await desk.send(try JournalDesk.intent(name, reference: name == "bad" ? "r" : nil))
            try await desk.accept(name, JournalDesk.lost)
        }
        try await journal.writing { try $0.execute(harm, doing: "harm") }
        return (journal, desk)
    }

    @Test(arguments: harms) func itIsNamedAndTheOthersGoOn(_ what: String, _ harm: String) async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, harm)
        let bad = try JournalDesk.key("bad")
        await #expect(throws: JournalFailure.unreadable(bad)) { try await desk.facts("bad") }
        await #expect(throws: JournalFailure.unreadable(bad)) { try await journal.family(bad) }
        await #expect(throws: JournalFailure.unreadable(bad)) { try await desk.write("bad", JournalDesk.lost) }
        await #expect(throws: JournalFailure.unreadable(bad)) {
            try await desk.send(try JournalDesk.intent("bad", reference: "r"))
        }
        // Under its reference nobody begins, since nobody knows.
        if what != "another row" {
            await #expect(throws: JournalFailure.unreadable(bad)) {
                try await desk.send(try JournalDesk.intent("more", reference: "r"))
            }
        }
        for limit in [1, 2, 3, 10] {
            var (rows, unreadable): ([String], [AttemptKey]) = ([], [])
            var cursor: JournalCursor?
            repeat {
                let page = try await journal.page(.open, scope: "", after: cursor, limit: limit)
                rows += page.rows.map(\.intent.attempt.text)
                unreadable += page.unreadable
                cursor = page.next
            } while cursor != nil
            #expect(rows == ["a", "b", "c", "d"], "pages of \(limit)")
            #expect(unreadable == [bad], "pages of \(limit)")
        }
        let due = try await journal.due(scope: "", limit: 10, at: JournalDesk.at(10_000))
        #expect(Set(due.rows.map(\.intent.attempt.text)) == ["a", "b", "c", "d"])
        #expect(due.unreadable == [bad])
        // It was put off with the others and stands in nobody's way.
        #expect(try await journal.due(scope: "", limit: 10, at: JournalDesk.at(10_000)) == JournalPage())
        try await desk.accept("d", [.word(JournalDesk.word(.webhook, JournalDesk.approved()))])
        try await desk.send(try JournalDesk.intent("e"))
        #expect(try await journal.check().problems == [.attempt(row: 3)])
        await journal.close()
    }

    @Test func aWordOfNewerSoftwareMakesItsAttemptUnreadable() async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, "SELECT 1")
        let body = Array(#"[{"fact":"blessing","at":[1,2]}]"#.utf8)
        try await journal.writing { connection in
            let values: [SQLiteValue] = [.integer(3), .integer(2), .text("w"), .bytes([]), .integer(0), .bytes(body)]
            try connection.run(
                "UPDATE entry SET write = ?3, answer = ?4, at = ?5, facts = ?6, sum = ?7 WHERE attempt = ?1 AND number = ?2",
                values + [.integer(RowSum.of(values))], doing: "harm")
        }
        await #expect(throws: JournalFailure.unreadable(try JournalDesk.key("bad"))) { try await desk.facts("bad") }
        #expect(try await desk.facts("a") != nil)
        await journal.close()
    }

    @Test func aLikenessNeedsEveryRival() async throws {
        let folder = try Folder()
        let (journal, desk) = try await harmed(folder, "UPDATE entry SET facts = x'00' WHERE attempt = 3")
        let seen = LookupResult.Candidate("x", JournalDesk.approved())
        await #expect(throws: JournalFailure.unreadable(try JournalDesk.key("bad"))) {
            try await desk.write("a", [.likeness(JournalDesk.one, [seen], askedAt: JournalDesk.at(9_000))], at: 9_000)
        }
        await journal.close()
    }
}
