internal import PaymentAbstraction
internal import PaymentBase

/// The last that this process was told to be written, kept outside of the journal: in its memory.
///
/// A process that connects again, as after a failover, looks for it first. A server that doesn't have it has lost payments; the
/// journal is closed then, for everybody, until a person accepts it. What no process that lives was told can't be missed.
final class LastAcknowledgedWrite: Sendable {
    /// An entry that was written.
    struct Entry {
        let payment: PaymentID
        let number: Int64
        let entry: Int64
        let write: [UInt8]
    }

    private struct State {
        var entry: Entry?
        /// The number behind the last one that was drawn here.
        var number: Int64 = 0
        /// Of which generation both are.
        var generation: Int64?
    }

    private let state = Locked(State())

    /// It was said that this is written.
    func note(_ entry: Entry) { state.withLock { $0.entry = entry } }

    /// Numbers were drawn up to this one.
    func drew(upTo number: Int64) { state.withLock { $0.number = max($0.number, number) } }

    /// Looks on a connection that is new whether the server has what was said to be written, and closes the journal where
    /// it hasn't.
    func check(_ line: PostgresConnection) throws(PostgresFailure) {
        let known = state.withLock { $0 }
        let rows = try line.exchange([
            PostgresCall(
                .known,
                [
                    .integer(known.entry?.number ?? 0), .integer(known.entry?.entry ?? 0),
                    .bytes(known.entry?.write ?? []), .text(known.entry?.payment.attempt.text ?? ""),
                ])
        ])[0]
        guard rows.count > 0 else { return }
        let (generation, number, isThere) = (rows.integer(0, 0), rows.integer(0, 1), rows.flag(0, 2))
        let isBehind = number < known.number || known.entry != nil && !isThere
        // A person has accepted what is there since; of what was before, nothing has to be.
        let isOld = known.generation.map { $0 != generation } ?? false
        if isBehind, !isOld {
            _ = try line.exchange([PostgresCall(.shut, [.integer(RestoreCheck.Closed.restored.rawValue)])])
        }
        state.withLock { state in
            if isBehind || isOld { state = State() }
            state.generation = generation
        }
    }
}

extension PostgresStatement {
    /// What was forgotten since is not missing.
    static let known = PostgresStatement(
        "known",
        """
        SELECT (SELECT value FROM counter WHERE name = 'generation'), (SELECT value FROM counter WHERE name = 'number'), \
        EXISTS (SELECT 1 FROM entry WHERE payment = $1::bigint AND number = $2::bigint AND write = $3::bytea) \
        OR EXISTS (SELECT 1 FROM forgotten WHERE id = $4::text)
        """)
}
