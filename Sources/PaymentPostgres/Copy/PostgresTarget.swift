package import PaymentAbstraction
internal import PaymentBase

/// A journal in a database that is filled, in one transaction.
package final class PostgresTarget: JournalTarget {
    private let opening: PostgresOpening
    private let keys: LockKey
    private let leaseMilliseconds: Int64
    private var line: PostgresConnection?
    /// The greatest number of a payment or a message.
    private var last: Int64 = 0

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
            _ = try PostgresMaking(link: opening.link).run()
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

    private func open() throws -> PostgresConnection {
        guard let line else { throw JournalCopyFailure("the database isn't open") }
        return line
    }

    package func write(_ pieces: [JournalChunk]) throws {
        let line = try open()
        var rows = BatchRows()
        for piece in pieces {
            try rows.copy(piece)
            switch piece {
            case .payment(let log): last = max(last, log.number)
            case .notice(let waiting): last = max(last, waiting.number)
            case .forgottenName(_, let payment): last = max(last, Int64(clamping: payment.magnitude))
            case .forgotten: break
            }
        }
        try Self.explaining { _ = try line.exchange(rows.calls) }
    }

    package func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
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
                        .integer(RestoreCheck.Closed.restored.rawValue), .integer(counters.gap),
                        .integer(counters.generationName),
                    ]),
                PostgresCall(.copyOwners, [.texts(owners), .integers(owners.map { keys.owner($0) })]),
                PostgresCall(.copyPlace, [.integer(max(1, last))]),
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
    static func refuseUse(_ line: PostgresConnection, _ leaseMilliseconds: Int64, _ what: String) throws {
        let rows = try line.exchange([PostgresCall(.living, [.integer(leaseMilliseconds)])])[0]
        let living = (0..<rows.count).map { rows.text($0, 0) }
        guard living.isEmpty else {
            throw JournalCopyFailure(
                "the journal is in use, and can't be \(what) (\(living.joined(separator: ", "))); stop what uses it. "
                    + "A process that died is taken for dead \(leaseMilliseconds / 1_000) s after its last sign of life"
            )
        }
    }

    /// Says in words why something failed.
    static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as PostgresOpenError {
            throw JournalCopyFailure(failure.words)
        } catch let failure as PostgresFailure { throw JournalCopyFailure(failure.words) } catch let failure
            as PostgresStoreError
        {
            switch failure {
            case .unreadable(let id):
                throw JournalCopyFailure("the payment \(id?.text ?? "in a row") can't be read: restore a backup first")
            case .damagedRow, .forgotten, .restored, .moved:
                guard case .notWritten(let words) = failure.meaning else { throw failure }
                throw JournalCopyFailure(words)
            }
        }
    }
}

extension PostgresStatement {
    static let isFilled = PostgresStatement(
        "is_filled",
        """
        SELECT EXISTS (SELECT 1 FROM attempt) OR EXISTS (SELECT 1 FROM entry) OR EXISTS (SELECT 1 FROM notice) \
        OR EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM counter \
        WHERE name IN ('number', 'generation') AND value <> 1 OR name IN ('restored', 'gap', 'closed') AND value <> 0)
        """)
    static let copyCounters = PostgresStatement(
        "copy_counters",
        """
        UPDATE counter SET value = CASE name WHEN 'number' THEN $1::bigint WHEN 'generation' THEN $2::bigint \
        WHEN 'restored' THEN $3::bigint WHEN 'closed' THEN $4::bigint WHEN 'gap' THEN $5::bigint \
        WHEN 'generation-name' THEN $6::bigint \
        ELSE value END
        """)
    static let copyOwners = PostgresStatement(
        "copy_owners",
        """
        INSERT INTO owner (name, lock, is_gone) SELECT n.name, n.lock, true \
        FROM unnest($1::text[], $2::bigint[]) AS n(name, lock) ON CONFLICT DO NOTHING
        """)
    static let copyPlace = PostgresStatement("copy_place", "SELECT setval('place', $1::bigint)")
    static let reopen = PostgresStatement("reopen", "UPDATE counter SET value = 0 WHERE name = 'closed'")
}
