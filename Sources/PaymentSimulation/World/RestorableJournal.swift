internal import PaymentAbstraction
internal import PaymentBase

/// The journal of a world, of which a backup can be made and brought back.
final class RestorableJournal: Journal {
    private struct State {
        var store = InMemoryStore()
        var backup: InMemoryStore?
        var next: Int64 = 1
        var waiting: [Promise<Bool>] = []
    }

    /// After how many writes a backup is made, whether or not a step makes one.
    private static let backUpEvery = 20

    let processes: any ProcessRegistry
    private let state = Locked(State())

    init(_ processes: any ProcessRegistry) { self.processes = processes }

    func backUp() { state.withLock { $0.backup = $0.store } }

    /// Brings the last backup back.
    ///
    /// - Returns: The payments of which something is lost, and the processes that ran then; nil without a backup.
    func restore() -> (lost: Set<PaymentID>, owners: Set<String>)? {
        state.withLock { state in
            guard var backup = state.backup else { return nil }
            let known = backup.attempts
            var lost: Set<PaymentID> = []
            for (id, attempt) in state.store.attempts where known[id] != attempt {
                lost.insert(attempt.intent.paymentID)
            }
            let owners = Set(known.values.flatMap(\.runs).map(\.owner))
            backup.restored(as: JournalGeneration(state.store.generation.bits + 1))
            state.store = backup
            return (lost, owners)
        }
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let (answer, woken) = state.withLock { state in
            // A backup is made every now and then.
            if state.store.writeCount.isMultiple(of: Self.backUpEvery) { state.backup = state.store }
            let (answer, more) = state.store.write(entry, id, at: instant, isAlive: processes.isAlive)
            defer { state.waiting = [] }
            return (answer, more + state.waiting)
        }
        for waiter in woken { waiter.fulfil(true) }
        return answer
    }

    func preview(_ entry: JournalEntry, at instant: JournalInstant) async throws(JournalFailure) -> JournalAnswer {
        state.withLock { $0.store.preview(entry, at: instant, isAlive: processes.isAlive) }
    }

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        state.withLock { $0.store.page(query, after: cursor, limit: limit) }
    }

    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        state.withLock { $0.store.payment(id) }
    }

    func takeDue(limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        state.withLock { $0.store.takeDue(limit: limit, at: instant, isAlive: processes.isAlive) }
    }

    func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        state.withLock { $0.store.timelines[payment] ?? [] }
    }

    /// Nothing here reads what belongs to no entry.
    func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {}

    func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { ours }

    func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        let waiter = Promise<Bool>()
        let isWaiting = state.withLock { state in
            let payment = state.store.attempts[attempt]?.intent.paymentID
            guard let payment, state.store.entry(payment) == entry else { return false }
            state.waiting.append(waiter)
            return true
        }
        if isWaiting { _ = await waiter.value(orWhenCancelled: false) }
    }

    func generation() async throws(JournalFailure) -> JournalGeneration { present }

    var present: JournalGeneration { state.withLock { $0.store.generation } }

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        state.withLock { state in
            defer { state.next += count }
            return state.next
        }
    }
}
