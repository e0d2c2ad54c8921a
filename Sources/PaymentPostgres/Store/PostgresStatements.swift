/// Every statement of the journal; the names of tables are found through the connection's path.
extension PostgresStatement {
    package static let begin = PostgresStatement("begin", "BEGIN")
    package static let commit = PostgresStatement("commit", "COMMIT")
    package static let rollback = PostgresStatement("rollback", "ROLLBACK")
    /// Waits for all locks of a transaction, in the order that is given; they are held until it ends.
    package static let lock = PostgresStatement(
        "lock", "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) k OFFSET 0) held")
    /// Makes a commit wait until everything before it is as durable as a write.
    package static let follow = PostgresStatement(
        "follow", "SELECT pg_logical_emit_message(true, 'payments', '') IS NULL")

    // MARK: - Attempts

    /// What is read of an attempt: its row, what is computed of it, and all its facts with how many entries they are.
    private static let columns = """
        a.seq, a.scope, a.id, a.payment, a.is_origin, coalesce(l.looks, 0), l.attempt IS NOT NULL, \
        f.facts, f.count, f.last
        """
    /// All of it in one statement, so that it is of one moment.
    private static let held = """
        LEFT JOIN live l ON l.attempt = a.seq CROSS JOIN LATERAL ( \
        SELECT string_agg(int4send(length(e.facts)) || e.facts, ''::bytea) AS facts, count(*) AS count, \
        max(e.number) AS last FROM ( \
        SELECT facts, number FROM entry WHERE attempt = a.seq ORDER BY number) e) f
        """
    private static let keys = "unnest($1::text[], $2::text[]) WITH ORDINALITY AS k(scope, value, place)"

    private static func find(_ name: String, _ from: String, where condition: String = "") -> PostgresStatement {
        PostgresStatement(
            name, "SELECT k.place, \(columns) FROM \(keys) \(from) \(held) \(condition) ORDER BY k.place, a.seq")
    }

    package static let byKey = find("by_key", "JOIN attempt a ON a.scope = k.scope AND a.id = k.value")
    package static let family = find(
        "family",
        """
        CROSS JOIN LATERAL (SELECT * FROM attempt WHERE scope = k.scope AND id = k.value AND is_origin \
        UNION ALL SELECT * FROM attempt WHERE scope = k.scope AND payment = k.value AND NOT is_origin) a
        """)
    package static let blocking = find(
        "blocking", "JOIN attempt a ON a.scope = k.scope AND a.reference = k.value AND a.is_origin",
        where: "WHERE l.blocks")
    /// Names that lead to attempts which are there; those that are forgotten have a negative number.
    package static let holders = find(
        "holders", "JOIN name n ON n.account = k.scope AND n.value = k.value JOIN attempt a ON a.seq = n.attempt")
    package static let forgottenHolders = PostgresStatement(
        "forgotten_holders",
        """
        SELECT k.place, g.scope, g.id FROM \(keys) JOIN name n ON n.account = k.scope AND n.value = k.value \
        AND n.attempt < 0 JOIN forgotten g ON g.seq = -n.attempt
        """)
    package static let rivals = PostgresStatement(
        "rivals",
        """
        SELECT k.place, \(columns) FROM unnest($1::text[]) WITH ORDINALITY AS k(account, place) \
        JOIN live r ON r.account = k.account AND r.is_rival JOIN attempt a ON a.seq = r.attempt \(held) \
        ORDER BY k.place, a.seq
        """)
    package static let notices = PostgresStatement(
        "notices",
        """
        SELECT k.place, n.seq, n.body FROM \(keys) JOIN notice n ON n.account = k.scope AND n.value = k.value \
        ORDER BY n.seq
        """)
    package static let forgotten = PostgresStatement(
        "forgotten",
        "SELECT k.place FROM \(keys) JOIN forgotten g ON g.scope = k.scope AND g.id = k.value")
    /// Writes that were answered before, by what they wrote or by an answer that says more.
    package static let answered = PostgresStatement(
        "answered",
        """
        SELECT k.place, e.attempt, a.body FROM unnest($1::text[]) WITH ORDINALITY AS k(write, place) \
        LEFT JOIN entry e ON e.write = k.write AND e.is_answer LEFT JOIN answer a ON a.write = k.write \
        WHERE e.write IS NOT NULL OR a.write IS NOT NULL
        """)
    package static let bySeq = PostgresStatement(
        "by_seq",
        """
        SELECT k.place, \(columns) FROM unnest($1::bigint[]) WITH ORDINALITY AS k(seq, place) \
        JOIN attempt a ON a.seq = k.seq \(held) ORDER BY k.place
        """)
    package static let places = PostgresStatement(
        "places", "SELECT nextval('attempt_seq') FROM generate_series(1, $1::bigint)")

    // MARK: - Pages

    private static func page(_ name: String, _ condition: String, _ order: String) -> PostgresStatement {
        PostgresStatement(
            name,
            """
            SELECT 1::bigint, \(columns) FROM (SELECT a.* FROM attempt a WHERE \(condition) \
            ORDER BY a.seq \(order) LIMIT $3::bigint) a \(held) ORDER BY a.seq \(order)
            """)
    }

    package static let origins = page(
        "page_origins", "a.scope = $1::text AND a.is_origin AND NOT a.is_rehearsal AND a.seq < $2::bigint", "DESC")
    package static let underReference = page(
        "page_reference", "a.scope = $1::text AND a.reference = $4::text AND a.is_origin AND a.seq > $2::bigint", "")
    package static let open = PostgresStatement(
        "page_open",
        """
        SELECT 1::bigint, \(columns) FROM (SELECT attempt FROM live WHERE scope = $1::text AND is_open \
        AND attempt > $2::bigint ORDER BY attempt LIMIT $3::bigint) o JOIN attempt a ON a.seq = o.attempt \(held) \
        ORDER BY a.seq
        """)
    package static let timeline = PostgresStatement(
        "timeline", "SELECT body FROM event WHERE scope = $1::text AND payment = $2::text ORDER BY seq")
    /// Everything, in pieces.
    package static let walk = page("walk", "a.seq > $2::bigint AND $1::text IS NOT NULL", "")

    // MARK: - Looks

    /// Takes what is due and nobody else takes; a look further off than any wait was made by a clock that ran ahead.
    package static let takeDue = PostgresStatement(
        "take_due",
        """
        SELECT attempt FROM live WHERE scope = $1::text AND next_look IS NOT NULL \
        AND (next_look <= $2::bigint OR next_look > $3::bigint) \
        ORDER BY next_look, attempt LIMIT $4::bigint FOR NO KEY UPDATE SKIP LOCKED
        """)
    package static let putOff = PostgresStatement(
        "put_off",
        """
        UPDATE live SET looks = n.looks, next_look = n.next_look \
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS n(attempt, looks, next_look) \
        WHERE live.attempt = n.attempt
        """)
}
