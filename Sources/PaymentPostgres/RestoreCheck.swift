internal import PaymentBase
internal import PaymentJournalKit
package import PaymentModel

/// Whether a journal may begin anything, by what is kept in it and where it is.
///
/// A journal knows the server that it was made on, and the numbers of its database and of a table there. One that was brought
/// back from a dump has another table, perhaps on another server; a database that was made of another one has another number. A
/// standby that takes over has all of its primary's; what it lacks, only a process notices that had read more
/// (``LastAcknowledgedWrite``).
struct RestoreCheck: Hashable {
    /// The name of the journal's present generation.
    let generation: String
    /// Whether a restore may have lost something, and no person has closed the gap.
    let hasGap: Bool
    /// Why nothing is begun; nil where something may be.
    let refusal: PostgresStoreError?
    private let closed: Closed?

    /// Why it was closed.
    enum Closed: Int64 {
        /// It is a copy, or something that was acknowledged is missing; a person can accept that.
        case restored = 1
        /// It continues elsewhere.
        case moved = 2
    }

    static func call(_ line: PostgresConnection) throws(PostgresFailure) -> PostgresCall {
        PostgresCall(.fitness, [.integer(try line.serverNumber())])
    }

    /// Reads the answer.
    init(_ rows: PostgresRows) {
        guard rows.count > 0 else {
            (generation, hasGap, refusal, closed) = ("", true, .restored, nil)
            return
        }
        generation = JournalGeneration(UInt64(truncatingIfNeeded: rows.integer(0, 0))).description
        hasGap = rows.integer(0, 3) != 0
        closed = Closed(rawValue: rows.integer(0, 1))
        switch closed {
        case .moved: refusal = .moved
        case .restored: refusal = .restored
        case nil: refusal = rows.integer(0, 1) != 0 || rows.flag(0, 2) ? .restored : nil
        }
    }
}

extension PostgresStatement {
    private static let tableNumber = "coalesce(to_regclass('attempt')::oid::bigint, 0)"
    /// Where a journal is on its server: the tables of a database that was made of another one have the numbers of that one's.
    static let homePlace =
        "((SELECT oid::bigint FROM pg_catalog.pg_database WHERE datname = current_database()) << 32 | \(tableNumber))"
    /// The places that a journal may name. Those that were made before know their table alone.
    private static let knownPlaces = "(\(homePlace), \(tableNumber))"
    package static let fitness = PostgresStatement(
        "fitness",
        """
        SELECT coalesce(max(value) FILTER (WHERE name = 'generation-name'), 0), \
        coalesce(max(value) FILTER (WHERE name = 'closed'), 0), \
        coalesce(bool_or(name = 'server' AND value <> $1::bigint \
        OR name = 'place' AND value NOT IN \(knownPlaces)), true), \
        coalesce(max(value) FILTER (WHERE name = 'gap'), 0) \
        FROM counter WHERE name = ANY (ARRAY['generation-name', 'closed', 'server', 'place', 'gap'])
        """)
    static let server = PostgresStatement("server", "SELECT system_identifier FROM pg_control_system()")
    package static let draw = PostgresStatement(
        "draw",
        """
        UPDATE counter SET value = value + $1::bigint WHERE name = 'number' AND value <= 9223372036854775807 - $1::bigint \
        AND NOT EXISTS (SELECT 1 FROM counter c WHERE c.name = 'closed' AND c.value <> 0 \
        OR c.name = 'server' AND c.value <> $2::bigint \
        OR c.name = 'place' AND c.value NOT IN \(knownPlaces)) \
        RETURNING value - $1::bigint
        """)
    static let shut = PostgresStatement(
        "shut", "UPDATE counter SET value = $1::bigint WHERE name = 'closed' AND value = 0")
    /// Continues in a new generation, with a gap that a person has to close.
    static let accept = PostgresStatement(
        "accept",
        """
        UPDATE counter SET value = CASE name WHEN 'number' THEN $1::bigint WHEN 'generation' THEN value + 1 \
        WHEN 'generation-name' THEN \(generationName) WHEN 'gap' THEN 1 \
        WHEN 'restored' THEN $2::bigint WHEN 'closed' THEN 0 WHEN 'server' THEN $3::bigint \
        WHEN 'place' THEN \(homePlace) ELSE value END
        """)
    /// 48 bits that the server draws for a secret's use, and no other journal has.
    static let generationName = "('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint"
    static let generation = PostgresStatement(
        "generation", "SELECT value FROM counter WHERE name = 'generation-name'")
    /// The feed's name: the rows of a copy have numbers of their own, so that it is not the generation's alone.
    static let feedName = PostgresStatement(
        "feed_name",
        """
        SELECT (SELECT value FROM counter WHERE name = 'generation-name') \
        # coalesce((SELECT value FROM counter WHERE name = 'feed-name'), 0)
        """)
    static let number = PostgresStatement("number", "SELECT value FROM counter WHERE name = 'number' FOR UPDATE")
}

/// The last entries that were acknowledged to this process, kept outside of the journal: in its memory.
///
/// A process that connects again, as after a failover, looks for them first: the threads that write, and the one that gives
/// signs of life, so that a process that has nothing to write notices as well. A server that lacks one has lost
/// payments; the journal is closed then, for every process, until a person accepts it. What no living process had
/// read can't be missed.
final class LastAcknowledgedWrite: Sendable {
    /// An entry that was written.
    struct Entry {
        let payment: PaymentID
        let number: Int64
        let entry: Int64
        let write: [UInt8]
        /// The generation of the journal in which it was written.
        var generation = ""
    }

    private struct State {
        /// The newest ones. Each writing thread notes what it committed, so that the one noted last need not be the newest.
        var entries: [Entry] = []
        /// The number behind the last one that was drawn here.
        var number: Int64 = 0
    }

    private static let entriesMax = 8

    private let state = Locked(State())

    /// It was said that this is written.
    func note(_ entry: Entry) {
        state.withLock { state in
            if state.entries.count >= Self.entriesMax { state.entries.removeFirst() }
            state.entries.append(entry)
        }
    }

    /// Numbers were drawn up to this one.
    func drew(upTo number: Int64) { state.withLock { $0.number = max($0.number, number) } }

    /// Looks on a connection that is new whether the server has what was said to be written, and closes the journal
    /// where it hasn't.
    func check(_ line: PostgresConnection) throws(PostgresFailure) {
        let known = state.withLock { $0 }
        let asked: [Entry?] = known.entries.isEmpty ? [nil] : known.entries
        let answers = try line.exchange(
            asked.map { entry in
                PostgresCall(
                    .known,
                    [
                        .integer(entry?.number ?? 0), .integer(entry?.entry ?? 0), .bytes(entry?.write ?? []),
                        .text(entry?.payment.attempt.text ?? ""),
                    ])
            })
        guard let first = answers.first, first.count > 0 else { return }
        let generation = JournalGeneration(UInt64(truncatingIfNeeded: first.integer(0, 0))).description
        // A person has accepted what is there since; of what was before, nothing has to be. Numbers continue higher.
        let isMissing = zip(known.entries, answers).contains { entry, rows in
            entry.generation == generation && rows.count > 0 && !rows.flag(0, 2)
        }
        guard isMissing || first.integer(0, 1) < known.number else { return }
        // Also on a connection that does not wait for its commits.
        _ = try line.exchange([
            PostgresCall(.begin), PostgresCall(.surely),
            PostgresCall(.shut, [.integer(RestoreCheck.Closed.restored.rawValue)]), PostgresCall(.commit),
        ])
        state.withLock { $0 = State() }
    }
}

extension PostgresStatement {
    /// What was forgotten since is not missing.
    static let known = PostgresStatement(
        "known",
        """
        SELECT (SELECT value FROM counter WHERE name = 'generation-name'), \
        (SELECT value FROM counter WHERE name = 'number'), \
        EXISTS (SELECT 1 FROM entry WHERE payment = $1::bigint AND number = $2::bigint AND write = $3::bytea) \
        OR EXISTS (SELECT 1 FROM forgotten WHERE id = $4::text)
        """)
}

extension PostgresJournal {
    /// Takes a journal as it is that was restored or copied, after a person has compared it with the provider: it
    /// begins attempts again, and numbers continue in a new generation, far from those that may have been drawn since.
    ///
    /// - Parameter anyway: Whether it is done also where nothing shows that it was restored: a server that was set back
    ///   to an earlier moment from a copy of its files is the same server.
    /// - Returns: Whether it was done.
    /// - Throws: `journal`, nothing moved: why it can't be.
    @discardableResult
    package static func acceptRestored(_ options: Options, anyway: Bool = false) async throws(PaymentError) -> Bool {
        let now = SystemClock().now
        return try await onThread(options) { opening throws(PostgresOpenError) in
            do {
                let line = try opening.link.connect()
                try opening.examineSchema(line)
                let server = try line.serverNumber()
                let rows = try line.exchange([
                    PostgresCall(.begin), PostgresCall(.number), try RestoreCheck.call(line),
                ])
                let (number, fitness) = (rows[1].integer(0, 0), RestoreCheck(rows[2]))
                if fitness.refusal == .moved { throw PostgresOpenError.moved }
                guard let next = JournalNumbers.next(after: number, at: now) else { throw PostgresOpenError.noNumbers }
                guard anyway || fitness.refusal != nil else {
                    _ = try line.exchange([PostgresCall(.rollback)])
                    return false
                }
                _ = try line.exchange([
                    PostgresCall(.accept, [.integer(next), .integer(now), .integer(server)]), PostgresCall(.commit),
                ])
                return true
            } catch let failure as PostgresOpenError { throw failure } catch let failure as PostgresFailure {
                throw .unreachable(failure.words)
            } catch { throw .unreachable("\(type(of: error))") }
        }
    }
}
