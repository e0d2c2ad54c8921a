internal import PaymentBase
package import PaymentJournalKit
public import PaymentModel
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

/// A day of five attempts in which the n-th exchange or commit fails, before or after it was done.
public struct FailurePlay: Sendable {
    /// What is made to fail.
    public enum Fault: Hashable, Sendable, CaseIterable { case notSent, unheard, lostCommit, unheardCommit }

    private static let day: [(name: String, operation: PaymentOperation, payment: String?)] = [
        ("sale", .sale, nil), ("refund", .refund, "sale"), ("auth", .authorize, nil), ("capture", .capture, "auth"),
        ("next", .sale, nil),
    ]

    private let fault: Fault
    private let failing: Int
    private let exchanges = Counter()
    private let commits = Counter()

    /// Lets the n-th exchange or commit fail.
    public init(_ fault: Fault, failing: Int) { (self.fault, self.failing) = (fault, failing) }

    /// Whether the next commit shall fail.
    public func failsCommit() -> Bool { commits.next() == failing }

    /// Plays the day, with a journal that asks ``failsCommit()`` before each commit where commits are to fail; says
    /// whether anything failed at all.
    ///
    /// - Throws: `JournalViolation` where the books don't agree afterwards.
    public func play(_ store: OpenedStore) async throws -> Bool {
        let provider = LedgerProvider()
        // No other process is there.
        let till = JournalTestClient(store.journal, owner: "till", SingleProcess("till"))
        for (name, operation, payment) in Self.day {
            let intent = try JournalTestWriter.intent(name, operation, 1_000, of: payment)
            let end = try await till.make(intent) { intent in
                let isFailing = exchanges.next() == failing
                if isFailing, fault == .notSent { return nil }
                let verdict = provider.execute(intent.attempt.text, intent.amount)
                return isFailing && fault == .unheard ? nil : verdict
            }
            if case .open = end {
                let later = JournalTestClient(store.journal, owner: "later", SingleProcess("later"), at: 60_000)
                let left = try await later.recover { provider.found($0.attempt.text) }
                try require(left.isEmpty, "\(left) is left")
                _ = try await later.make(intent) { provider.execute($0.attempt.text, $0.amount) }
            }
            try require(provider.count(name) == 1, "\(name) was done \(provider.count(name)) times")
        }
        let found = try await provider.contradictions(store.journal) + store.problems()
        try require(found.isEmpty, "\(fault) \(failing): \(found)")
        await store.close()
        let count = fault == .notSent || fault == .unheard ? exchanges.next() - 1 : commits.next() - 1
        return count >= failing
    }
}

/// Many write at once, and now and then it is not known what became of a commit.
package enum DoubtPlay {
    /// Writes until everything is written; gives how often its fate was unknown, and how many attempts there are then.
    package static func writeTogether(_ count: Int, _ journal: any Journal) async throws -> (doubts: Int, open: Int) {
        let desk = JournalTestWriter(journal)
        let doubts = try await desk.atOnce(count) { number in
            let name = "a-\(number)"
            let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent(name)))
            var doubts = 0
            while true {
                do {
                    _ = try await journal.write(entry, WriteID(name), at: JournalTestWriter.at(0))
                    return doubts
                } catch JournalFailure.writeUnconfirmed { doubts += 1 }
            }
        }
        return (doubts.reduce(0, +), try await desk.names(.open(scope: nil)).count)
    }
}
