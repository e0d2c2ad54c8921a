internal import PaymentBase
package import PaymentJournalKit
internal import PaymentModel

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
                let rows = try line.exchange([
                    PostgresCall(.beginStill), PostgresCall(.counters), try RestoreCheck.call(line),
                ])
                // A copy of a moved journal could be accepted, and is behind the one that continues.
                if let refusal = RestoreCheck(rows[2]).refusal, refusal == .moved { throw refusal }
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
        WHEN clock_timestamp() - seen BETWEEN -make_interval(secs => $1::bigint / 1000.0) \
        AND make_interval(secs => $1::bigint / 1000.0) THEN true \
        ELSE NOT pg_try_advisory_xact_lock(lock) END ORDER BY name
        """)
}

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
            case .forgotten, .overfull: break
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
                        .integer(counters.generationName), .integer(counters.pruned),
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
        WHEN 'generation-name' THEN $6::bigint WHEN 'pruned' THEN $7::bigint \
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

/// Reads what a database holds, piece by piece.
struct PostgresPieces {
    let line: PostgresConnection

    private static let rowsMax = 200

    func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        let limit = PostgresValue.integer(Int64(Self.rowsMax))
        // What is computed from a log the other store computes again, so that it is not compared here.
        let walk = LogWalk(line: line, isCompared: false)
        switch kind {
        case .payments:
            let logs = try walk.logs(after: max(0, place.number), Self.rowsMax)
            return logs.last.map { (logs.map { .payment($0) }, JournalPlace($0.number)) }
        case .notices:
            let notices = try walk.notices(after: max(0, place.number), Self.rowsMax)
            if let lost = notices.first(where: { $0.notice == nil }) {
                throw JournalCopyFailure("the message in row \(lost.number) can't be read: restore a backup first")
            }
            return notices.last.map { (notices.map { .notice($0) }, JournalPlace($0.number)) }
        case .overfull:
            let rows = try line.exchange([PostgresCall(.copyOverfull, [.integer(place.number), limit])])[0]
            let hashes = (0..<rows.count).map { rows.integer($0, 0) }
            return hashes.last.map { (hashes.map { .overfull(hash: $0) }, JournalPlace($0)) }
        case .forgotten:
            let rows = try line.exchange([PostgresCall(.copyForgotten, [.text(place.text), limit])])[0]
            let ids = (0..<rows.count).map { rows.text($0, 0) }
            return ids.last.map { (ids.map { .forgotten($0) }, JournalPlace(.min, $0)) }
        case .forgottenNames:
            let rows = try line.exchange([
                PostgresCall(
                    .copyForgottenNames, [.integer(place.number), .integer(Int64(place.text) ?? .min), limit])
            ])[0]
            let names = (0..<rows.count).map { (hash: rows.integer($0, 0), payment: rows.integer($0, 1)) }
            return names.last.map {
                (
                    names.map { .forgottenName(hash: $0.hash, payment: $0.payment) },
                    JournalPlace($0.hash, String($0.payment))
                )
            }
        }
    }

    func counters() throws -> JournalCounters {
        let rows = try line.exchange([PostgresCall(.counters)])[0]
        let values = Dictionary(
            (0..<rows.count).map { (rows.text($0, 0), rows.integer($0, 1)) }, uniquingKeysWith: { first, _ in first })
        return JournalCounters(
            number: values["number"] ?? 1, generation: values["generation"] ?? 1,
            generationName: values["generation-name"] ?? 0, restored: values["restored"] ?? 0, gap: values["gap"] ?? 0,
            pruned: values["pruned"] ?? 0)
    }
}

extension PostgresStatement {
    static let counters = PostgresStatement("counters", "SELECT name, value FROM counter ORDER BY name")
    static let copyOverfull = PostgresStatement(
        "copy_overfull", "SELECT hash FROM overfull WHERE hash > $1::bigint ORDER BY hash LIMIT $2::bigint")
    static let copyForgotten = PostgresStatement(
        "copy_forgotten", "SELECT id FROM forgotten WHERE id > $1::text ORDER BY id LIMIT $2::bigint")
    static let copyForgottenNames = PostgresStatement(
        "copy_forgotten_names",
        """
        SELECT hash, payment FROM name WHERE payment < 0 AND (hash, payment) > ($1::bigint, $2::bigint) \
        ORDER BY hash, payment LIMIT $3::bigint
        """)
}
