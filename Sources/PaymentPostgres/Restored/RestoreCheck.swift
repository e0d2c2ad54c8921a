internal import PaymentAbstraction

/// Whether a journal may begin anything, by what is kept in it and where it is.
///
/// A journal knows the server that it was made on and the number of a table there. One that was brought back from a dump
/// has another table, perhaps on another server. A standby that takes over has both of its primary's; what it lacks, only
/// those notice who had been told more (``LastAcknowledgedWrite``).
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
    package static let fitness = PostgresStatement(
        "fitness",
        """
        SELECT coalesce(max(value) FILTER (WHERE name = 'generation-name'), 0), \
        coalesce(max(value) FILTER (WHERE name = 'closed'), 0), \
        coalesce(bool_or(name = 'server' AND value <> $1::bigint \
        OR name = 'place' AND value <> coalesce(to_regclass('attempt')::oid::bigint, 0)), true), \
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
        OR c.name = 'place' AND c.value <> coalesce(to_regclass('attempt')::oid::bigint, 0)) \
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
        WHEN 'place' THEN to_regclass('attempt')::oid::bigint ELSE value END
        """)
    /// 48 bits that the server draws for a secret's use, and no other journal has.
    static let generationName = "('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint"
    static let generation = PostgresStatement(
        "generation", "SELECT value FROM counter WHERE name = 'generation-name'")
    static let number = PostgresStatement("number", "SELECT value FROM counter WHERE name = 'number' FOR UPDATE")
}
