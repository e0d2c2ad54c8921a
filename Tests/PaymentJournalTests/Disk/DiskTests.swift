import PaymentAbstraction
import PaymentBase
import PaymentSandbox
import PaymentTestPipes
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentJournal

/// A disk that is full, read-only, or held by somebody else.
@Suite(.serialized) struct DiskTests {
    private func words(_ error: any Error) -> String {
        guard case .store(let words)? = error as? JournalFailure else { return "\(error)" }
        return words
    }

    @Test func aFullFileLosesNothingAndTakesMoreWhenThereIsRoom() async throws {
        let folder = try Folder()
        var options = OpeningOptions()
        options.pagesMax = 20
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        let desk = JournalDesk(journal: journal)
        var (written, failure) = ([String](), "")
        for number in 0..<2_000 where failure.isEmpty {
            do {
                try await desk.fresh(try JournalDesk.intent("a-\(number)"))
                written.append("a-\(number)")
            } catch { failure = words(error) }
        }
        #expect(failure.contains("full"))
        #expect(written.count >= 5)
        #expect(try await desk.names(.open) == written)
        await journal.close()
        let wider = try await SQLiteJournal.open(path: folder.file())
        let again = JournalDesk(journal: wider)
        #expect(try await again.names(.open) == written)
        try await again.fresh(try JournalDesk.intent("more"))
        await wider.close()
    }

    @Test func aFullDiskInAnotherProcessLosesNothing() async throws {
        let folder = try Folder()
        let child = try Child("journal-child", ["limited", folder.file(), "200000"])
        guard case .done(let text)? = try child.channel.receive() else {
            Issue.record("the child said nothing")
            return
        }
        #expect(child.wait() == .exited(0))
        let parts = text.split(separator: ";", maxSplits: 1).map(String.init)
        let count = try #require(Int(parts[0]))
        #expect(count >= 5)
        #expect(parts[1].contains("disk"))
        let journal = try await SQLiteJournal.open(path: folder.file())
        let names = try await JournalDesk(journal: journal).names(.open)
        #expect(names == (0..<count).map { "a-\($0)" })
        await journal.close()
    }

    @Test func aFileThatIsOnlyReadTakesNothingAndShowsAll() async throws {
        let folder = try Folder()
        let first = try await SQLiteJournal.open(path: folder.file())
        try await JournalDesk(journal: first).fresh(try JournalDesk.intent("a"))
        await first.close()
        var options = OpeningOptions()
        options.isReadOnly = true
        let second = try await SQLiteJournal.open(path: folder.file(), options)
        let desk = JournalDesk(journal: second)
        #expect(try await desk.names(.open) == ["a"])
        do {
            try await desk.fresh(try JournalDesk.intent("b"))
            Issue.record("it was written")
        } catch { #expect(words(error).contains("can't be written")) }
        await second.close()
    }

    @Test func aFileThatIsHeldTooLongSaysSo() async throws {
        let folder = try Folder()
        var options = OpeningOptions()
        options.busyMilliseconds = 20
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        let desk = JournalDesk(journal: journal)
        let other = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 20)
        try other.execute("BEGIN IMMEDIATE", doing: "holding")
        do {
            try await desk.fresh(try JournalDesk.intent("a"))
            Issue.record("it was written")
        } catch { #expect(words(error).contains("another process holds the file")) }
        #expect(try await desk.names(.open) == [])
        try other.execute("ROLLBACK", doing: "letting go")
        other.close()
        try await desk.fresh(try JournalDesk.intent("a"))
        await journal.close()
    }

    /// The journal fails from the money exchange on, because somebody holds the file.
    @Test func whatMovedIsToldAndRecordedLater() throws {
        let folder = try Folder()
        var till = Till()
        let path = folder.file()
        var options = OpeningOptions()
        options.busyMilliseconds = 5
        let sqlite = try SchedulerJournal.wait { [options] in try await SQLiteJournal.open(path: path, options) }
        till.journal = SchedulerJournal(sqlite)
        let connection = Locked(FileHold?.none)
        let transport = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            let reply = try await next(request)
            if request.target == "/payments" { connection.withLock { $0 = try? FileHold(path) } }
            return reply
        }
        let client = try till.client(transport)
        let attempt = try AttemptID("a")
        let result = try till.play {
            try await client.sale(.cents(2_500), from: Cards.good(), reference: "order", attempt: attempt)
        }
        #expect(result.payment?.isRecorded == false)
        #expect(till.backend.ledger.movements(attempt: "a").count == 1)
        let refused = till.failure {
            _ = try await client.sale(.cents(2_500), from: Cards.good(), reference: "next", attempt: AttemptID("b"))
        }
        #expect(refused == PaymentError(.journal, outcome: .nothingMoved))
        #expect(till.backend.ledger.movements(attempt: "b").isEmpty)
        connection.withLock { $0 = nil }
        // Another process, which knows only what the file holds.
        till.scheduler.advance(by: 60_000)
        let fresh = try till.client()
        let (open, again) = try till.play {
            let open = try await fresh.recover()
            let again = try await fresh.sale(
                .cents(2_500), from: Cards.good(), reference: "order", attempt: attempt)
            return (open, again)
        }
        #expect(open == [])
        #expect(again.payment?.isRecorded == true)
        #expect(till.backend.ledger.movements(attempt: "a").count == 1)
        try SchedulerJournal.wait { await sqlite.close() }
    }
}
