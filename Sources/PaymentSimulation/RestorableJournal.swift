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
        /// How many writes the backup has.
        var writesOfBackup = 0
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

    /// The same journal as it is now, in another place.
    func copied() -> InMemoryJournal { state.withLock { $0.current.copied() } }

    func backUp() { state.withLock { ($0.backup, $0.writesOfBackup) = ($0.current.copied(), $0.writes) } }

    /// What a restore did.
    struct Restored {
        /// The payments of which something is lost.
        let lost: Set<PaymentID>
        /// The attempts of which the provider would have been asked, because of a message that is lost.
        let unasked: Set<AttemptID>
        /// The processes that ran when the backup was made.
        let owners: Set<String>
        /// How many writes the journal had when the backup was made.
        let writes: Int
    }

    /// How often something was written, also what a restore took away.
    var writes: Int { state.withLock { $0.writes } }

    /// Brings the last backup back; nil without one.
    func restore() -> Restored? {
        state.withLock { state in
            guard let backup = state.backup else { return nil }
            let known = backup.attempts
            let lost = state.current.attempts.values.filter { known[$0.intent.attempt] != $0 }.map(\.intent.paymentID)
            let owners = Set(known.values.flatMap(\.runs).map(\.owner))
            let owed = state.current.owedLookups.subtracting(backup.owedLookups)
            state.generation += 1
            state.current = backup.copied(restoredAs: JournalGeneration(state.generation))
            return Restored(lost: Set(lost), unasked: owed, owners: owners, writes: state.writesOfBackup)
        }
    }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        state.withLock { state in
            state.writes += 1
            if state.writes.isMultiple(of: Self.backUpEvery) {
                (state.backup, state.writesOfBackup) = (state.current.copied(), state.writes - 1)
            }
        }
        return try await inner.write(entry, id, at: instant)
    }

    /// The generation that names are drawn under now.
    var generationNow: JournalGeneration { JournalGeneration(state.withLock { $0.generation }) }
}
