import PaymentAbstraction
import PaymentConformance
import PaymentJournal
import PaymentTestPipes
import Testing

/// A process is killed (SIGKILL) at every step of an attempt: before and after every write, and after the provider has
/// done what it was asked and nobody has heard.
///
/// This proves the death of a process, not the loss of power: what the kernel had taken is there afterwards, so nothing
/// here can tell whether the disk had it too.
@Suite(.serialized) struct CrashTests {
    static let cases: [PaymentOperation] = [.sale, .authorize, .debit, .capture, .refund, .void]

    private func intent(_ operation: PaymentOperation) throws -> AttemptIntent {
        try JournalDesk.intent("attempt", operation, 1_000, of: operation.isOrigin ? nil : "paid")
    }

    /// Serves a child step by step; kills it when its time has come.
    private func attend(_ child: Child, _ provider: LedgerProvider, killAt: Int?) throws -> [String] {
        var steps: [String] = []
        while let message = try child.channel.receive() {
            switch message {
            case .step(let name, let units):
                steps.append(name)
                // The provider has done it by now, and nobody has heard.
                if name == "execute" { provider.execute("attempt", Money(minorUnits: units, .eur)) }
            case .done:
                #expect(child.wait() == .exited(0))
                return steps
            case .proceed, .reply, .cut, .request: throw PipeMessage.Unreadable()
            }
            if steps.count == killAt {
                child.kill()
                return steps
            }
            try child.channel.send(.proceed)
        }
        return steps
    }

    private func play(_ operation: PaymentOperation, killAt: Int?) async throws -> [String] {
        let folder = try Folder()
        let (path, provider) = (folder.file(), LedgerProvider())
        if !operation.isOrigin {
            let journal = try await SQLiteJournal.open(path: path)
            let before: PaymentOperation = operation == .refund || operation == .void ? .sale : .authorize
            try await JournalDesk(journal, name: "before").done(
                try JournalDesk.intent("paid", before, 1_000),
                provider.execute("paid", Money(minorUnits: 1_000, .eur)), names: ["at-paid"])
            await journal.close()
        }
        let child = try Child(
            "journal-child",
            ["money", path, "child", "attempt", operation.rawValue, "1000", operation.isOrigin ? "-" : "paid"])
        let steps = try attend(child, provider, killAt: killAt)
        // A new process: another owner opens the file and settles what is left.
        let locks = try ProcessLocks(besideJournal: path, owner: "parent")
        #expect(!locks.isAlive("child"))
        let journal = try await SQLiteJournal.open(path: path)
        let till = JournalTill(journal, owner: "parent", locks, at: 60_000)
        #expect(try await till.recover { provider.found($0.attempt.text) } == [])
        #expect(try await provider.contradictions(journal) == [], "killed at \(steps)")
        // The same again: done once in the end, whatever happened before.
        let again = try await till.make(try intent(operation)) { intent in
            provider.execute(intent.attempt.text, intent.amount)
        }
        switch again {
        case .done, .known(.moved): break
        case .known, .open, .refused: Issue.record("again gave \(again) after \(steps)")
        }
        #expect(provider.count("attempt") == 1)
        #expect(try await provider.contradictions(journal) == [])
        #expect(try await journal.check().problems == [])
        await journal.close()
        return steps
    }

    @Test(arguments: cases) func theBooksAgreeWhereverTheProcessDies(_ operation: PaymentOperation) async throws {
        let steps = try await play(operation, killAt: nil)
        // Two writes and the exchange, and that somebody was told.
        #expect(steps.count == 7)
        for number in 1...steps.count {
            let played = try await play(operation, killAt: number)
            #expect(played.count == number)
        }
        print("killed, \(operation): \(steps.count) cases")
    }
}
