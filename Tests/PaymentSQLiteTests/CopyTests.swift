import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

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
