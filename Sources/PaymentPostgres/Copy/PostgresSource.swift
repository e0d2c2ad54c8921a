package import PaymentAbstraction
internal import PaymentBase

/// A journal in a database that is copied.
package final class PostgresSource: JournalSource {
    private let line: PostgresConnection
    private let keys: LockKey
    private let leaseMilliseconds: Int64
    private var isMove = false

    /// Connects to a journal that is there.
    ///
    /// - Throws: `JournalCopyFailure`: why it can't be used.
    package init(_ options: PostgresJournal.Options) throws {
        (line, keys) = try PostgresTarget.explaining {
            let opening = try PostgresOpening(options)
            let line = try opening.link.connect()
            try opening.examineSchema(line)
            return (line, LockKey(schema: opening.link.schema))
        }
        leaseMilliseconds = max(1, options.lease.wholeMilliseconds)
    }

    package func begin(isMove: Bool) throws {
        self.isMove = isMove
        try PostgresTarget.explaining {
            // What is filled looks whether it is this one.
            _ = try line.exchange([PostgresCall(.patient), PostgresCall(.hold, [.integer(keys.copying)])])
            guard isMove else {
                // The state that a first reading sees is the one that all others see.
                _ = try line.exchange([PostgresCall(.beginStill), PostgresCall(.counters)])
                return
            }
            _ = try line.exchange([
                PostgresCall(.begin), PostgresCall(.lockCounters), PostgresCall(.lockTables),
            ])
            try PostgresTarget.refuseUse(line, leaseMilliseconds, "copied for good")
            if let refusal = RestoreCheck(try line.exchange([try RestoreCheck.call(line)])[0]).refusal { throw refusal }
        }
    }

    package func isGone(_ owner: String) throws -> Bool {
        let rows = try PostgresTarget.explaining {
            try line.exchange([PostgresCall(.ownerIsGone, [.text(owner)])])[0]
        }
        // No process lives any more when all of it is moved.
        return rows.count > 0 && (isMove || rows.flag(0, 0))
    }

    package func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        try PostgresTarget.explaining { try PostgresPieces(line: line).pieces(kind, after: place) }
    }

    package func counters() throws -> JournalCounters {
        try PostgresTarget.explaining { try PostgresPieces(line: line).counters() }
    }

    package func retire() throws {
        try PostgresTarget.explaining {
            _ = try line.exchange([
                PostgresCall(.shut, [.integer(RestoreCheck.Closed.moved.rawValue)]), PostgresCall(.commit),
            ])
        }
    }

    package func end() { _ = try? line.exchange([PostgresCall(.rollback)]) }
}

extension PostgresStatement {
    /// The other end may take its time.
    static let patient = PostgresStatement("patient", "SET idle_in_transaction_session_timeout = 0")
    /// Every transaction that begins something reads these first, and has them until it is written: so none is in between.
    static let lockCounters = PostgresStatement("lock_counters", "LOCK TABLE counter IN ACCESS EXCLUSIVE MODE")
    static let lockTables = PostgresStatement(
        "lock_tables",
        "LOCK TABLE entry, attempt, name, reference, open, notice, notice_name, overfull, waiting, forgotten "
            + " IN SHARE ROW EXCLUSIVE MODE")
    static let ownerIsGone = PostgresStatement("owner_is_gone", "SELECT is_gone FROM owner WHERE name = $1::text")
    /// Which processes may live: those that gave a sign within the lease, or hold their lock.
    static let living = PostgresStatement(
        "owner_living",
        """
        SELECT name FROM owner WHERE NOT is_gone AND CASE \
        WHEN clock_timestamp() - seen <= make_interval(secs => $1::bigint / 1000.0) THEN true \
        ELSE NOT pg_try_advisory_xact_lock(lock) END ORDER BY name
        """)
}
