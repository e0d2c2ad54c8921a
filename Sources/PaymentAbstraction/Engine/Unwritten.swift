internal import PaymentBase

/// Entries that the journal could not take, or of which nobody knows whether it did; nothing new is written before they
/// are, each under its own id.
final class Unwritten: Sendable {
    private let entries = Locked([(entry: JournalEntry, id: WriteID)]())

    func add(_ entry: JournalEntry, _ id: WriteID) { entries.withLock { $0.append((entry, id)) } }

    /// Whether anything waits.
    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// Tries again to write them all, in order; throws at the first that fails.
    func flush(_ journal: any Journal, at instant: JournalInstant) async throws(JournalFailure) {
        while let next = entries.withLock({ $0.first }) {
            _ = try await journal.write(next.entry, next.id, at: instant)
            entries.withLock { $0.removeAll { $0.id == next.id } }
        }
    }
}
