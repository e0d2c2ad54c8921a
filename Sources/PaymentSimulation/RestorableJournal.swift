internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentTesting

/// The journal of a world, of which a backup can be made and brought back.
final class RestorableJournal: JournalWrapper {
    private struct State {
        var current: InMemoryJournal
        var backup: InMemoryJournal?
        var writes = 0
        var generation: UInt64 = 1
    }

    /// After how many writes a backup is made, whether or not a step makes one.
    private static let backUpEvery = 20

    let processes: any ProcessRegistry
    private let state: Locked<State>

    init(_ processes: any ProcessRegistry) {
        self.processes = processes
        state = Locked(State(current: InMemoryJournal(processes: processes)))
    }

    var inner: any Journal { state.withLock { $0.current } }

    func backUp() { state.withLock { $0.backup = $0.current.copied() } }

    /// Brings the last backup back.
    ///
    /// - Returns: The payments of which something is lost, and the processes that ran when the backup was made; nil without a
    ///   backup.
    func restore() -> (lost: Set<PaymentID>, owners: Set<String>)? {
        state.withLock { state in
            guard let backup = state.backup else { return nil }
            let known = backup.attempts
            let lost = state.current.attempts.values.filter { known[$0.intent.attempt] != $0 }.map(\.intent.paymentID)
            let owners = Set(known.values.flatMap(\.runs).map(\.owner))
            state.generation += 1
            state.current = backup.copied(restoredAs: JournalGeneration(state.generation))
            return (Set(lost), owners)
        }
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        state.withLock { state in
            state.writes += 1
            if state.writes.isMultiple(of: Self.backUpEvery) { state.backup = state.current.copied() }
        }
        return try await inner.write(entry, id, at: instant)
    }

    /// The generation that names are drawn under now.
    var generationNow: JournalGeneration { JournalGeneration(state.withLock { $0.generation }) }
}
