internal import PaymentBase
package import PaymentJournalKit
internal import PaymentModel

extension PostgresJournal: JournalMaintenance {
    package func logs(
        after number: Int64, limit: Int, isCompared: Bool
    ) async throws(JournalFailure) -> [StoredLog] {
        try await still { try LogWalk(line: $0, isCompared: isCompared).logs(after: number, limit) }
    }

    package func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice] {
        try await still { try LogWalk(line: $0).notices(after: number, limit) }
    }

    package func damage() async throws(JournalFailure) -> [String] {
        try await still { try LogWalk(line: $0).damage() }
    }

    package func refusal() async throws(JournalFailure) -> String? {
        guard case .notWritten(let words)? = try await fitness().refusal?.meaning else { return nil }
        return words
    }

    package func hasGap() async throws(JournalFailure) -> Bool { try await fitness().hasGap }

    /// Whether it may begin anything.
    private func fitness() async throws(JournalFailure) -> RestoreCheck {
        try await alone { line in RestoreCheck(try line.exchange([try RestoreCheck.call(line)])[0]) }
    }

    package func prunedBefore() async throws(JournalFailure) -> Int64? {
        let moment = try await alone { try $0.exchange([PostgresCall(.prunedBefore)])[0].integer(0, 0) }
        return moment == 0 ? nil : moment
    }

    package func forget(_ payments: [StoredLog], before instant: Int64) async throws(JournalFailure) -> Set<Int64> {
        let seed = seed
        return try await alone { try LogForgetter(line: $0, seed: seed).forget(payments, before: instant) }
    }

    package func forgetNotices(before instant: Int64, besides kept: [Int64]) async throws(JournalFailure) -> Int {
        var count = 0
        while true {
            let gone = try await alone { line in
                let call = PostgresCall(.forgetNotices, [.integer(instant), .integers(kept)])
                return Int(try line.exchange([call])[0].integer(0, 0))
            }
            count += gone
            if gone < PostgresStatement.noticesAtOnce { return count }
        }
    }

    /// Reads within a transaction that sees one moment.
    private func still<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try await alone { line in
            _ = try line.exchange([PostgresCall(.beginStill)])
            let value = try body(line)
            _ = try line.exchange([PostgresCall(.commit)])
            return value
        }
    }
}

/// Removes payments for good; their ids and names stay taken. It needs a role that may delete rows.
struct LogForgetter {
    let line: PostgresConnection
    let seed: Int64

    /// Removes payments that are as they were read; returns the numbers of those that were removed.
    func forget(_ payments: [StoredLog], before instant: Int64) throws -> Set<Int64> {
        let numbers = payments.map(\.number)
        let opened = try line.exchange([
            PostgresCall(.begin), PostgresCall(.lockNumbers, [.integers(numbers), .integer(seed)]),
            PostgresCall(.notesPruning),
        ])
        let now = Set(try LogWalk(line: line).logs(numbers))
        let same = try withoutOrders(payments.filter { now.contains($0) })
        let held = same.compactMap { log in (try? log.attempts()).map { (number: log.number, attempts: $0) } }
        let gone = held.map(\.number)
        let names = held.flatMap { number, attempts in
            PaymentRecord(attempts).namesLeft.map { (hash: RowHash.of($0), payment: number) }
        }
        let everyName = same.flatMap { log in
            ((try? log.everyName()) ?? []).map { (hash: RowHash.of($0), payment: log.number) }
        }
        let references = held.compactMap { number, attempts in
            PaymentRecord(attempts).referenceRow.map { (hash: RowHash.of($0.reference), payment: number) }
        }
        // A journal of an earlier time has no row for the note. Only the schema's owner may make it; without it, nothing would
        // say later what was forgotten, so that another role forgets nothing there.
        if !gone.isEmpty, !opened[2].flag(0, 0) { _ = try line.exchange([PostgresCall(.insertPruned)]) }
        _ = try line.exchange([
            PostgresCall(.insertForgotten, [.texts(held.flatMap(\.attempts).map(\.intent.attempt.text))]),
            PostgresCall(.forgetNames, [.integers(names.map(\.hash)), .integers(names.map(\.payment))]),
            // What a person took back is free, and leads to nothing.
            PostgresCall(.forgetRest, [.integers(everyName.map(\.hash)), .integers(everyName.map(\.payment))]),
            PostgresCall(
                .forgetReferences, [.integers(references.map(\.hash)), .integers(references.map(\.payment))]),
            PostgresCall(.forgetRows("entry"), [.integers(gone)]), PostgresCall(.forgetRows("open"), [.integers(gone)]),
            PostgresCall(.forgetRows("waiting"), [.integers(gone)]),
            PostgresCall(.forgetRows("attempt"), [.integers(gone)]),
            PostgresCall(.notePruned, [.integer(gone.isEmpty ? 0 : instant)]), PostgresCall(.commit),
        ])
        return Set(gone)
    }

    /// Those without the imports that an attempt of another payment turned out to be: nothing else says that it is paid.
    private func withoutOrders(_ payments: [StoredLog]) throws -> [StoredLog] {
        let hashes = payments.map { log in
            (try? log.attempts()).flatMap { PaymentRecord($0).nameOfTheSame }.map { RowHash.of($0) }
        }
        let asked = hashes.compactMap { $0 }
        if asked.isEmpty { return payments }
        let taken = Set(try line.exchange([PostgresCall(.takenNames, [.integers(asked)])])[0].integers)
        return zip(payments, hashes).filter { pair in pair.1.map { !taken.contains($0) } ?? true }.map { $0.0 }
    }
}

extension PostgresStatement {
    static let prunedBefore = PostgresStatement(
        "pruned_before", "SELECT coalesce(max(value), 0) FROM counter WHERE name = 'pruned'")
    static let notesPruning = PostgresStatement(
        "notes_pruning", "SELECT EXISTS (SELECT 1 FROM counter WHERE name = 'pruned')")
    static let insertPruned = PostgresStatement(
        "insert_pruned", "INSERT INTO counter (name, value) VALUES ('pruned', 0) ON CONFLICT DO NOTHING")
    static let notePruned = PostgresStatement(
        "note_pruned", "UPDATE counter SET value = $1::bigint WHERE name = 'pruned' AND value < $1::bigint")
    static let lockNumbers = PostgresStatement(
        "lock_numbers",
        """
        SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashint8extended(payment, $2::bigint)) \
        FROM (SELECT DISTINCT payment FROM unnest($1::bigint[]) payment ORDER BY payment OFFSET 0) sorted OFFSET 0) held
        """)
    static let takenNames = PostgresStatement(
        "taken_names", "SELECT DISTINCT hash FROM name WHERE hash = ANY ($1::bigint[]) AND payment > 0")
    static let forgetNames = PostgresStatement(
        "forget_names",
        """
        WITH gone AS (DELETE FROM name USING unnest($1::bigint[], $2::bigint[]) AS n(hash, payment) \
        WHERE name.hash = n.hash AND name.payment = n.payment) \
        INSERT INTO name (hash, payment) SELECT DISTINCT n.hash, -n.payment \
        FROM unnest($1::bigint[], $2::bigint[]) AS n(hash, payment) ON CONFLICT DO NOTHING
        """)
    static let forgetRest = PostgresStatement(
        "forget_rest",
        """
        DELETE FROM name USING unnest($1::bigint[], $2::bigint[]) AS n(hash, payment) \
        WHERE name.hash = n.hash AND name.payment = n.payment
        """)
    static let forgetReferences = PostgresStatement(
        "forget_references",
        """
        DELETE FROM reference r USING unnest($1::bigint[], $2::bigint[]) AS n(hash, payment) \
        WHERE r.hash = n.hash AND r.payment = n.payment
        """)
    static func forgetRows(_ table: String) -> PostgresStatement {
        PostgresStatement("forget_\(table)", "DELETE FROM \(table) WHERE payment = ANY ($1::bigint[])")
    }
    static let noticesAtOnce = 1_000
    /// Some of the old messages: no statement takes long. A condition that is no join looks each name up once, in a table of those
    /// that are gone.
    static let forgetNotices = PostgresStatement(
        "forget_notices",
        """
        WITH gone AS (DELETE FROM notice WHERE seq = ANY (ARRAY( \
        SELECT seq FROM notice WHERE at < $1::bigint AND seq <> ALL ($2::bigint[]) \
        ORDER BY seq LIMIT \(noticesAtOnce))) RETURNING seq), \
        names AS (DELETE FROM notice_name WHERE (notice IN (SELECT seq FROM gone)) IS TRUE) SELECT count(*) FROM gone
        """)
}

/// Reads the whole journal in the order in which payments began, and compares what is computed from it; within a transaction
/// that sees one moment.
struct LogWalk {
    let line: PostgresConnection
    /// Whether the rows beside a log are compared with it.
    var isCompared = true

    /// The next payments after a number, oldest first; one that can't be read is marked, so that the others are read.
    func logs(after number: Int64, _ limit: Int) throws -> [StoredLog] {
        try logs(.walk, [.integer(number), .integer(Int64(limit))])
    }

    /// Payments of numbers.
    func logs(_ numbers: [Int64]) throws -> [StoredLog] { try logs(.byNumber, [.integers(numbers)]) }

    private func logs(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> [StoredLog] {
        let rows = try line.exchange([PostgresCall(statement, values)])[0]
        var logs: [StoredLog] = []
        var found: [[AttemptID: OpenRow]] = []
        var ids: [[String]] = []
        for row in 0..<rows.count {
            let own = rows.text(row, 1).split(separator: " ").map(String.init)
            var log = StoredLog(number: rows.integer(row, 0), id: own.first ?? "")
            do {
                log.entries = try HeldPayment.log(rows.bytes(row, 2), log.number).map(\.entry)
                log.waiting = try HeldPayment.waiting(rows.bytes(row, 4)).map(\.body)
                let open = try HeldPayment.open(rows.bytes(row, 3))
                log.looks = open.values.sorted { $0.attempt.text < $1.attempt.text }.map {
                    .init($0.attempt.text, looks: $0.looks, next: $0.next, owed: $0.owed)
                }
                found.append(open)
            } catch {
                log.isWhole = false
                found.append([:])
            }
            ids.append(own)
            logs.append(log)
        }
        if !isCompared { return logs }
        let kept = try KeptRows(line, logs)
        for index in logs.indices {
            guard let attempts = try? logs[index].attempts() else { continue }
            logs[index].mismatches = kept.mismatches(attempts, index, ids[index], found[index])
        }
        return logs
    }

    /// The next messages that wait for a name.
    func notices(after number: Int64, _ limit: Int) throws -> [StoredNotice] {
        let rows = try line.exchange([
            PostgresCall(.walkNotices, [.integer(number), .integer(Int64(limit))])
        ])[0]
        return (0..<rows.count).map { row in
            let (seq, at, body) = (rows.integer(row, 0), rows.integer(row, 1), rows.bytes(row, 4))
            let isWhole = rows.integer(row, 2) == Notice.sum(seq, at, rows.bytes(row, 3), body)
            return StoredNotice(seq, at: at, isWhole ? try? EventCodec.notice(body) : nil)
        }
    }

    // MARK: - Rows that lead nowhere

    private static let rowsMax: Int64 = 20_000

    /// Which rows lead to no payment, in pieces, so that no statement takes long.
    func damage() throws -> [String] {
        var found: [String] = []
        for table in ["entry", "open", "waiting"] {
            var (last, lost): (Int64, Int64) = (0, 0)
            while true {
                let rows = try line.exchange([
                    PostgresCall(.lostPayments(table), [.integer(last), .integer(Self.rowsMax)])
                ])[0]
                lost += rows.integer(0, 0)
                if rows.isNull(0, 1) { break }
                last = rows.integer(0, 1)
            }
            if lost > 0 { found.append("\(lost) payments have rows in \(table) and are not found") }
        }
        for table in ["reference", "name"] {
            var (hash, payment, lost): (Int64, Int64, Int64) = (.min, .min, 0)
            while true {
                let rows = try line.exchange([
                    PostgresCall(.lostHashes(table), [.integer(hash), .integer(payment), .integer(Self.rowsMax)])
                ])[0]
                if rows.count == 0 { break }
                lost += (0..<rows.count).reduce(0) { $0 + (rows.flag($1, 2) ? 1 : 0) }
                (hash, payment) = (rows.integer(rows.count - 1, 0), rows.integer(rows.count - 1, 1))
            }
            if lost > 0 { found.append("\(lost) rows in \(table) lead to no payment") }
        }
        return found
    }
}

/// Which rows that logs ask for are kept.
private struct KeptRows {
    private let names: Set<[Int64]>
    private let references: Set<[Int64]>
    private let origins: Set<Int>
    private let numbers: [Int64]

    init(_ line: PostgresConnection, _ logs: [StoredLog]) throws {
        numbers = logs.map(\.number)
        var names: [(hash: Int64, payment: Int64)] = []
        var references: [[Int64]] = []
        var origins: [(place: Int, attempt: Attempt)] = []
        for (place, log) in logs.enumerated() {
            guard let attempts = try? log.attempts() else { continue }
            names += attempts.flatMap(\.names).map { (RowHash.of(ProviderName($0.account, $0.value)), log.number) }
            let record = PaymentRecord(attempts)
            if let row = record.referenceRow { references.append([RowHash.of(row.reference), log.number, row.until]) }
            if let origin = record.origin { origins.append((place, origin)) }
        }
        let rows = try line.exchange([
            PostgresCall(.keptNames, [.integers(names.map(\.hash)), .integers(names.map(\.payment))]),
            PostgresCall(
                .keptReferences,
                [
                    .integers(references.map { $0[0] }), .integers(references.map { $0[1] }),
                    .integers(references.map { $0[2] }),
                ]),
            PostgresCall(
                .keptOrigins,
                [
                    .texts(origins.map(\.attempt.intent.attempt.text)),
                    .integers(origins.map { logs[$0.place].number }), .texts(origins.map(\.attempt.intent.scope)),
                    .flags(origins.map(\.attempt.isDryRun)),
                ]),
        ])
        self.names = Set(rows[0].integers.map { names[Int($0) - 1] }.map { [$0.hash, $0.payment] })
        self.references = Set(rows[1].integers.map { references[Int($0) - 1] })
        self.origins = Set(rows[2].integers.map { origins[Int($0) - 1].place })
    }

    func mismatches(_ attempts: [Attempt], _ place: Int, _ ids: [String], _ open: [AttemptID: OpenRow]) -> [String] {
        StoredLog.mismatches(
            attempts, ids: ids, open: open.values.filter(\.isOpen).map(\.attempt.text),
            candidates: open.values.filter(\.isCandidate).map(\.attempt.text),
            hasOrigin: { _ in origins.contains(place) },
            hasName: { names.contains([RowHash.of($0), numbers[place]]) },
            hasReference: { references.contains([RowHash.of($0.reference), numbers[place], $0.until]) })
    }
}

extension PostgresStatement {
    /// One moment for all that follows in the transaction.
    static let beginStill = PostgresStatement("begin_still", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let walkNotices = PostgresStatement(
        "walk_notices",
        "SELECT seq, at, sum, message, body FROM notice WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint")
    static let keptNames = PostgresStatement(
        "kept_names",
        """
        SELECT k.place FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY k(hash, payment, place) \
        JOIN name n ON n.hash = k.hash AND n.payment = k.payment
        """)
    static let keptReferences = PostgresStatement(
        "kept_references",
        """
        SELECT k.place FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) \
        WITH ORDINALITY k(hash, payment, until, place) \
        JOIN reference r ON r.hash = k.hash AND r.payment = k.payment AND r.until = k.until
        """)
    static let keptOrigins = PostgresStatement(
        "kept_origins",
        """
        SELECT k.place FROM unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[]) \
        WITH ORDINALITY k(id, payment, scope, is_dry_run, place) \
        JOIN attempt a ON a.id = k.id AND a.payment = k.payment AND a.is_origin AND a.scope = k.scope \
        AND a.is_dry_run = k.is_dry_run
        """)

    static func lostPayments(_ table: String) -> PostgresStatement {
        PostgresStatement(
            "lost_\(table)",
            """
            SELECT count(*) FILTER (WHERE NOT EXISTS ( \
            SELECT 1 FROM attempt a WHERE a.payment = t.payment AND a.is_origin)), max(t.payment) \
            FROM (SELECT DISTINCT payment FROM \(table) WHERE payment > $1::bigint ORDER BY payment LIMIT $2::bigint) t
            """)
    }

    static func lostHashes(_ table: String) -> PostgresStatement {
        PostgresStatement(
            "lost_\(table)",
            """
            SELECT t.hash, t.payment, t.payment > 0 AND NOT EXISTS ( \
            SELECT 1 FROM attempt a WHERE a.payment = t.payment AND a.is_origin) \
            FROM (SELECT hash, payment FROM \(table) WHERE (hash, payment) > ($1::bigint, $2::bigint) \
            ORDER BY hash, payment LIMIT $3::bigint) t ORDER BY t.hash, t.payment
            """)
    }
}
