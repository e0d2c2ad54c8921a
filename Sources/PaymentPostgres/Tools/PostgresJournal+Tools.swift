package import PaymentAbstraction
internal import PaymentBase

extension PostgresJournal: JournalMaintenance {
    package func logs(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredLog] {
        try await still { try LogWalk(line: $0).logs(after: number, limit) }
    }

    package func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice] {
        try await still { try LogWalk(line: $0).notices(after: number, limit) }
    }

    package func damage() async throws(JournalFailure) -> [String] {
        try await still { try LogWalk(line: $0).damage() }
    }

    package func refusal() async throws(JournalFailure) -> String? {
        let refusal = try await alone { line in
            RestoreCheck(try line.exchange([try RestoreCheck.call(line)])[0]).refusal
        }
        guard case .notWritten(let words)? = refusal?.meaning else { return nil }
        return words
    }

    package func forget(_ payments: [StoredLog]) async throws(JournalFailure) -> Set<Int64> {
        let seed = seed
        return try await alone { try LogForgetter(line: $0, seed: seed).forget(payments) }
    }

    package func forgetNotices(before instant: Int64) async throws(JournalFailure) -> Int {
        try await alone { Int(try $0.exchange([PostgresCall(.forgetNotices, [.integer(instant)])])[0].integer(0, 0)) }
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
    func forget(_ payments: [StoredLog]) throws -> Set<Int64> {
        let numbers = payments.map(\.number)
        _ = try line.exchange([
            PostgresCall(.begin), PostgresCall(.lockNumbers, [.integers(numbers), .integer(seed)]),
        ])
        let now = Set(try LogWalk(line: line).logs(numbers))
        let same = payments.filter { now.contains($0) }
        let held = same.compactMap { log in (try? log.attempts()).map { (number: log.number, attempts: $0) } }
        let gone = held.map(\.number)
        let names = held.flatMap { number, attempts in
            attempts.flatMap { $0.names + $0.formerNames }
                .map { (hash: RowSum.hash(ProviderName($0.account, $0.value)), payment: number) }
        }
        let references = held.compactMap { number, attempts in
            PaymentRecord(attempts).referenceRow.map { (hash: RowSum.hash($0.reference), payment: number) }
        }
        _ = try line.exchange([
            PostgresCall(.insertForgotten, [.texts(held.flatMap(\.attempts).map(\.intent.attempt.text))]),
            PostgresCall(.forgetNames, [.integers(names.map(\.hash)), .integers(names.map(\.payment))]),
            PostgresCall(
                .forgetReferences, [.integers(references.map(\.hash)), .integers(references.map(\.payment))]),
            PostgresCall(.forgetRows("entry"), [.integers(gone)]), PostgresCall(.forgetRows("open"), [.integers(gone)]),
            PostgresCall(.forgetRows("waiting"), [.integers(gone)]),
            PostgresCall(.forgetRows("attempt"), [.integers(gone)]), PostgresCall(.commit),
        ])
        return Set(gone)
    }
}

extension PostgresStatement {
    static let lockNumbers = PostgresStatement(
        "lock_numbers",
        """
        SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashint8extended(payment, $2::bigint)) \
        FROM (SELECT DISTINCT payment FROM unnest($1::bigint[]) payment ORDER BY payment OFFSET 0) sorted OFFSET 0) held
        """)
    static let forgetNames = PostgresStatement(
        "forget_names",
        """
        UPDATE name SET payment = -name.payment FROM unnest($1::bigint[], $2::bigint[]) AS n(hash, payment) \
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
    static let forgetNotices = PostgresStatement(
        "forget_notices",
        """
        WITH gone AS (DELETE FROM notice WHERE at < $1::bigint RETURNING seq), \
        names AS (DELETE FROM notice_name WHERE notice IN (SELECT seq FROM gone)) SELECT count(*) FROM gone
        """)
}
