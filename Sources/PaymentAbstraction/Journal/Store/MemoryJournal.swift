internal import PaymentBase

/// A journal that forgets everything with the process: for tests and demonstrations. It answers by index: the millionth
/// sale costs what the first did.
public final class MemoryJournal: Journal {
    private let state = Locked(MemoryStore())

    /// Makes an empty journal.
    public init() {}

    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let (answer, waiters) = state.withLock { $0.write(entry, id, at: instant) }
        for waiter in waiters { waiter.fulfil(true) }
        return answer
    }

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        state.withLock { $0.facts(key) }
    }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        state.withLock { $0.family(origin) }
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        state.withLock { $0.holders(name, provider) }
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        state.withLock { $0.page(query, scope, cursor, limit) }
    }

    public func due(
        scope: String, limit: Int, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalPage {
        state.withLock { JournalPage($0.takeDue(scope, limit, instant)) }
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        state.withLock { $0.timelines[origin] ?? [] }.sorted { ($0.sequence, $0.at) < ($1.sequence, $1.at) }
    }

    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { ours }

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) {
        let waiter = Promise<Bool>()
        let isWaiting = state.withLock { $0.wait(for: known, waiter) }
        guard isWaiting else { return }
        _ = await waiter.value(orWhenCancelled: false)
    }

    public func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        guard let first = state.withLock({ $0.draw(count) }) else {
            throw .notWritten("so many numbers can't be taken out")
        }
        return first
    }
}
