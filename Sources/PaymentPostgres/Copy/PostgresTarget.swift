package import PaymentAbstraction
internal import PaymentBase

/// A journal in a database that is filled, in one transaction.
package final class PostgresTarget: JournalTarget {
    private let opening: PostgresOpening
    private let keys: LockKey
    private let leaseMilliseconds: Int64
    private var line: PostgresLine?
    private var lastSeq: Int64 = 0

    /// Names a schema that needn't be there.
    ///
    /// - Throws: `JournalCopyFailure`: why it can't be used.
    package init(_ options: PostgresJournal.Options) throws {
        opening = try Self.explaining { try PostgresOpening(options) }
        keys = LockKey(schema: opening.link.schema)
        leaseMilliseconds = max(1, options.lease.wholeMilliseconds)
    }

    package func begin() throws {
        try Self.explaining {
            _ = try PostgresMigration(link: opening.link).run()
            _ = try opening.examine()
            let line = try opening.link.connect()
            self.line = line
            let held = try line.exchange([
                PostgresCall(.patient), PostgresCall(.hold, [.integer(keys.copying)]),
            ])[1]
            guard held.flag(0, 0) else { throw JournalCopyFailure("both are the same journal, or it is being copied") }
            let rows = try line.exchange([
                PostgresCall(.begin), PostgresCall(.lockCounters), PostgresCall(.lockTables), PostgresCall(.isFilled),
            ])
            guard !rows[3].flag(0, 0) else {
                throw JournalCopyFailure(
                    "the schema \(opening.link.schema) isn't empty; name one in which no journal was")
            }
            try Self.refuseUse(line, leaseMilliseconds, "filled")
        }
    }

    private func open() throws -> PostgresLine {
        guard let line else { throw JournalCopyFailure("the database isn't open") }
        return line
    }

    package func write(_ pieces: [JournalPiece]) throws {
        let line = try open()
        var rows = BatchRows()
        for piece in pieces {
            try rows.copy(piece)
            switch piece {
            case .attempt(let seq, _, _, _), .forgotten(let seq, _, _, _): lastSeq = max(lastSeq, seq)
            case .answer, .notice, .event: break
            }
        }
        try Self.explaining { _ = try line.exchange(rows.calls) }
    }

    package func pieces(
        _ kind: JournalPiece.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalPiece], next: JournalPlace)? {
        let line = try open()
        return try Self.explaining { try PostgresPieces(line: line).pieces(kind, after: place) }
    }

    package func counters() throws -> JournalCounters {
        let line = try open()
        return try Self.explaining { try PostgresPieces(line: line).counters() }
    }

    package func finish(_ counters: JournalCounters, gone: Set<String>) throws {
        let line = try open()
        let owners = gone.sorted()
        try Self.explaining {
            _ = try line.exchange([
                PostgresCall(
                    .copyCounters,
                    [
                        .integer(counters.number), .integer(counters.generation), .integer(counters.restored),
                        .integer(Fitness.Closed.restored.rawValue),
                    ]),
                PostgresCall(.copyOwners, [.texts(owners), .integers(owners.map { keys.owner($0) })]),
                PostgresCall(.copySeq, [.integer(max(1, lastSeq))]),
                PostgresCall(.commit),
            ])
        }
    }

    package func admit() throws {
        let line = try open()
        try Self.explaining { _ = try line.exchange([PostgresCall(.reopen)]) }
    }

    package func end() {
        if let line { _ = try? line.exchange([PostgresCall(.rollback)]) }
        line = nil
    }

    // MARK: - Of both ends

    /// Refuses a journal that processes use.
    static func refuseUse(_ line: PostgresLine, _ leaseMilliseconds: Int64, _ what: String) throws {
        let rows = try line.exchange([PostgresCall(.living, [.integer(leaseMilliseconds)])])[0]
        let living = (0..<rows.count).map { rows.text($0, 0) }
        guard living.isEmpty else {
            throw JournalCopyFailure(
                "the journal is in use, and can't be \(what) (\(living.joined(separator: ", "))); stop whoever uses it. "
                    + "Who died is taken for dead \(leaseMilliseconds / 1_000) s after his last sign of life")
        }
    }

    /// Says in words why something failed.
    static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as OpeningFailure {
            throw JournalCopyFailure(failure.words)
        } catch let failure as PostgresFailure { throw JournalCopyFailure(failure.words) } catch let failure
            as StoreFailure
        {
            guard case .notWritten(let words) = failure.meaning else { throw failure }
            throw JournalCopyFailure(words)
        }
    }
}

extension PostgresStatement {
    static let isFilled = PostgresStatement(
        "is_filled",
        """
        SELECT EXISTS (SELECT 1 FROM attempt) OR EXISTS (SELECT 1 FROM entry) OR EXISTS (SELECT 1 FROM answer) \
        OR EXISTS (SELECT 1 FROM notice) OR EXISTS (SELECT 1 FROM event) OR EXISTS (SELECT 1 FROM forgotten) \
        OR EXISTS (SELECT 1 FROM counter WHERE name = 'number' AND value <> 1 \
        OR name IN ('generation', 'restored', 'closed') AND value <> 0)
        """)
    static let copyCounters = PostgresStatement(
        "copy_counters",
        """
        UPDATE counter SET value = CASE name WHEN 'number' THEN $1::bigint WHEN 'generation' THEN $2::bigint \
        WHEN 'restored' THEN $3::bigint WHEN 'closed' THEN $4::bigint ELSE value END
        """)
    static let copyOwners = PostgresStatement(
        "copy_owners",
        """
        INSERT INTO owner (name, lock, is_gone) SELECT n.name, n.lock, true \
        FROM unnest($1::text[], $2::bigint[]) AS n(name, lock) ON CONFLICT DO NOTHING
        """)
    static let copySeq = PostgresStatement("copy_seq", "SELECT setval('attempt_seq', $1::bigint)")
    static let reopen = PostgresStatement("reopen", "UPDATE counter SET value = 0 WHERE name = 'closed'")
}
