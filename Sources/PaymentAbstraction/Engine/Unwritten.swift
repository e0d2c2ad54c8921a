internal import PaymentBase

/// Outcomes that are known and that the journal could not take; nothing new begins before it has.
final class Unwritten: Sendable {
    struct Entry: Sendable {
        let attempt: AttemptID
        let round: Int
        let conclusion: Conclusion
    }

    private let entries = Locked([Entry]())

    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    /// What the client knows of an attempt beyond the journal.
    func conclusion(of attempt: AttemptID) -> Conclusion? {
        entries.withLock { $0.last { $0.attempt == attempt }?.conclusion }
    }

    /// Tries again to write them all; throws at the first that fails.
    func flush(_ journal: any Journal) async throws {
        while let entry = entries.withLock({ $0.first }) {
            _ = try await journal.conclude(entry.attempt, round: entry.round, entry.conclusion)
            entries.withLock { entries in
                entries.removeAll { $0.attempt == entry.attempt && $0.round == entry.round }
            }
        }
    }
}
