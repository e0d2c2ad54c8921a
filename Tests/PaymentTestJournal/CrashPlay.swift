public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTestPipes

/// A process is killed (SIGKILL) at every step of an attempt: before and after every write, and after the provider has
/// done what it was asked and no process has heard.
///
/// This proves the death of a process, not the loss of power: what the kernel had taken is there afterwards, so nothing
/// here can tell whether the disk had it too.
public struct CrashPlay: Sendable {
    /// The operations that are tried.
    public static let cases: [PaymentOperation] = [.sale, .authorize, .debit, .capture, .refund, .void]
    /// Two writes, each before and after, and the exchange.
    public static let stepsCount = 5

    private let operation: PaymentOperation
    private let provider = LedgerProvider()

    /// Plays an operation.
    public init(_ operation: PaymentOperation) { self.operation = operation }

    private func intent() throws -> Attempt.Intent {
        try JournalTestWriter.intent("attempt", operation, 1_000, of: operation.isOrigin ? nil : "paid")
    }

    /// Serves a child step by step; kills it when its time has come.
    private func attend(_ child: Child, killAt: Int?) throws -> [String] {
        var steps: [String] = []
        while let message = try child.channel.receive() {
            switch message {
            case .step(let name, let units):
                steps.append(name)
                // The provider has done it by now, and no process has heard.
                if name == "execute" { provider.execute("attempt", Money(minorUnits: units, .eur)) }
            case .done(let words):
                guard child.wait() == .exited(0) else { throw JournalViolation("the child failed: \(words)") }
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

    /// Plays it in a fresh place, and settles what is left; gives the steps that were made.
    ///
    /// - Throws: `JournalViolation` where the books don't agree afterwards.
    public func play(_ place: StorePlace, killAt: Int?) async throws -> [String] {
        if !operation.isOrigin {
            let store = try await place.open("before")
            let before: PaymentOperation = operation == .refund || operation == .void ? .sale : .authorize
            try await JournalTestWriter(store.journal, name: "before").done(
                try JournalTestWriter.intent("paid", before, 1_000),
                provider.execute("paid", Money(minorUnits: 1_000, .eur)), names: ["at-paid"])
            await store.close()
        }
        let child = try Child(
            "journal-child",
            ["money", place.word, "child", "attempt", operation.rawValue, "1000", operation.isOrigin ? "-" : "paid"])
        let steps = try attend(child, killAt: killAt)
        // A new process: another owner opens it and settles what is left.
        let store = try await place.open("parent")
        try await store.awaitDeath("child")
        let till = JournalTestClient(store.journal, owner: "parent", store.journal.processes, at: 60_000)
        let left = try await till.recover { provider.found($0.attempt.text) }
        try require(left.isEmpty, "\(left) is left after \(steps)")
        try await compare(store, steps)
        // The same again: done once in the end, whatever happened before.
        let again = try await till.make(try intent()) { intent in
            provider.execute(intent.attempt.text, intent.amount)
        }
        switch again {
        case .done, .known(.approved): break
        case .known, .open, .refused: throw JournalViolation("again gave \(again) after \(steps)")
        }
        try require(provider.count("attempt") == 1, "done \(provider.count("attempt")) times after \(steps)")
        try await compare(store, steps)
        let problems = try await store.problems()
        try require(problems.isEmpty, "\(problems) after \(steps)")
        await store.close()
        return steps
    }

    private func compare(_ store: OpenedStore, _ steps: [String]) async throws {
        let found = try await provider.contradictions(store.journal)
        try require(found.isEmpty, "\(found) after \(steps)")
    }
}

func require(_ holds: Bool, _ words: @autoclosure () -> String) throws(JournalViolation) {
    if !holds { throw JournalViolation(words()) }
}
