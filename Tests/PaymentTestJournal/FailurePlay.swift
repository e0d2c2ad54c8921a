internal import PaymentAbstraction
internal import PaymentBase

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
