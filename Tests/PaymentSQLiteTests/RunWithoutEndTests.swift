import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// A message decides an attempt while its process works on it, and that process dies before it writes its end.
@Suite struct RunWithoutEndTests {
    @Test func lockOfAProcess_whoseRunHasNoEnd_staysAlthoughAMessageDecided() async throws {
        let folder = try Folder()
        let here = try ProcessLocks(besideJournal: folder.file(), owner: "here")
        let journal = try await folder.open(processes: here)
        let (desk, id) = (JournalTestWriter(journal), try JournalTestWriter.id("a"))
        var dying: ProcessLocks? = try ProcessLocks(besideJournal: folder.file(), owner: "dying")
        try await desk.send(try JournalTestWriter.intent("a"), owner: "dying")
        let notice = Notice(
            "m-1", JournalTestWriter.one, .attempt(id), [.sale], JournalTestWriter.approved(100, ["payment": "n-1"]),
            at: nil, names: ["n-1"])
        try await desk.accept(.notice(notice))
        let held = try await desk.held("a")
        #expect(held.state == .approved && held.runs.map(\.end) == [nil] && here.isAlive("dying"))
        dying = nil
        #expect(dying == nil && !here.isAlive("dying"))
        // The next start of any program sweeps.
        try await journal.clearOwners(here)
        #expect(!here.isAlive("dying"), "no look and no person ends its run any more")
        // Recovery ends the run; then nothing refers to the process.
        let due = try await journal.takeDue(limit: 10, at: JournalTestWriter.at(60_000)).attempts
        #expect(due.map(\.intent.attempt) == [id])
        try await desk.accept(.takeOver(id, run: 1, .died))
        #expect(try await journal.clearOwners(here) == 1)
        await journal.close()
    }

    /// The same, and the journal is copied before the next start.
    @Test func processWhoseRunHasNoEnd_isGoneInTheCopyToo() async throws {
        let folder = try Folder()
        let here = try ProcessLocks(besideJournal: folder.file(), owner: "here")
        let journal = try await folder.open(processes: here)
        let (desk, id) = (JournalTestWriter(journal), try JournalTestWriter.id("a"))
        var dying: ProcessLocks? = try ProcessLocks(besideJournal: folder.file(), owner: "dying")
        try await desk.send(try JournalTestWriter.intent("a"), owner: "dying")
        let notice = Notice(
            "m-1", JournalTestWriter.one, .attempt(id), [.sale], JournalTestWriter.approved(100, ["payment": "n-1"]),
            at: nil, names: ["n-1"])
        try await desk.accept(.notice(notice))
        #expect(try await desk.held("a").state == .approved && dying != nil)
        dying = nil
        _ = try JournalCopy(
            from: try SQLiteSource(folder.file()), to: SQLiteTarget(folder.file("copy")), isMove: false
        ).run()
        let there = try ProcessLocks(besideJournal: folder.file("copy"), owner: "there")
        #expect(!there.isAlive("dying"), "no look and no person ends its run any more")
        await journal.close()
    }
}
