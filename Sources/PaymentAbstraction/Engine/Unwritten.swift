internal import PaymentBase

/// Entries that the journal could not take, or may not have taken. Nothing else of the same payment is
/// written before they are, each under its own id; other payments don't wait for them.
final class Unwritten: Sendable {
    /// Makes the entry that takes back what another one has begun, from what the journal answered to that one.
    typealias Undoing = @Sendable (JournalAnswer) -> JournalEntry?

    /// One entry that waits.
    struct Waiting: Sendable {
        let entry: JournalEntry
        let id: WriteID
        /// The payment that it belongs to; nil where that is not known.
        let payment: AttemptKey?
        /// What is to be written after it, if it was or is written now.
        var undoing: Undoing?
    }

    /// How long after the last time what waits is tried again beside what could be written, in milliseconds.
    static let triedAfterMilliseconds: Int64 = 5_000

    private let entries = Locked([Waiting]())
    private let nextTry = Locked(Int64.min)

    func add(_ waiting: Waiting) { entries.withLock { $0.append(waiting) } }

    /// How many entries wait.
    var count: Int { entries.withLock { $0.count } }
    /// Whether nothing waits.
    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// Whether something waits that was not tried for a while; then it counts as tried.
    func isDue(at now: Int64) -> Bool {
        if isEmpty { return false }
        return nextTry.withLock { next in
            guard now >= next else { return false }
            next = now + Self.triedAfterMilliseconds
            return true
        }
    }

    /// Tries again to write what waits of a payment, in order; throws at the first that fails.
    func flush(
        of payment: AttemptKey?, _ journal: any Journal, at instant: JournalInstant, _ freshWrite: () -> WriteID
    ) async throws(JournalFailure) {
        while let next = entries.withLock({ $0.first { $0.payment == payment } }) {
            let answer = try await journal.write(next.entry, next.id, at: instant)
            // Another process may have begun the same attempt since: only what this very entry wrote is taken back.
            let undo = next.undoing?(answer).map { Waiting(entry: $0, id: freshWrite(), payment: payment) }
            entries.withLock { entries in
                guard let place = entries.firstIndex(where: { $0.id == next.id }) else { return }
                entries.replaceSubrange(place...place, with: undo.map { [$0] } ?? [])
            }
        }
    }

    /// Tries again to write everything that waits; what fails of one payment does not keep the others. Throws the first
    /// failure.
    func flush(
        _ journal: any Journal, at instant: JournalInstant, _ freshWrite: () -> WriteID
    ) async throws(JournalFailure) {
        var failure: JournalFailure?
        for payment in Set(entries.withLock { $0.map(\.payment) }) {
            do { try await flush(of: payment, journal, at: instant, freshWrite) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
