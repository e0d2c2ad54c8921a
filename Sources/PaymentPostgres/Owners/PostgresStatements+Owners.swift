/// The statements by which processes tell each other that they live.
extension PostgresStatement {
    /// Enters this process; where the row was lost with a server, again.
    static let enter = PostgresStatement(
        "owner_enter",
        """
        INSERT INTO owner (name, lock) VALUES ($1::text, $2::bigint) \
        ON CONFLICT (name) DO UPDATE SET seen = clock_timestamp() WHERE NOT owner.is_gone AND $3::boolean RETURNING name
        """)
    static let hold = PostgresStatement("owner_hold", "SELECT pg_try_advisory_lock($1::bigint)")
    /// A sign of life; no row where somebody has found this process dead.
    static let beat = PostgresStatement(
        "owner_beat",
        """
        UPDATE owner SET seen = clock_timestamp() WHERE name = $1::text AND NOT is_gone \
        RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """)
    /// Finds those dead that have given no sign for so long, counted from one's own connecting at the earliest, and whose
    /// lock is free: after a failover nobody has a lock, though all live.
    static let bury = PostgresStatement(
        "owner_bury",
        """
        UPDATE owner SET is_gone = true WHERE NOT is_gone AND name <> $1::text \
        AND CASE WHEN clock_timestamp() - greatest(seen, to_timestamp($3::bigint / 1000.0)) \
        > make_interval(secs => $2::bigint / 1000.0) \
        THEN pg_try_advisory_xact_lock(lock) ELSE false END RETURNING name
        """)
    static let gone = PostgresStatement("owner_gone", "SELECT name FROM owner WHERE is_gone")
    static let leave = PostgresStatement("owner_leave", "UPDATE owner SET is_gone = true WHERE name = $1::text")
    static let surely = PostgresStatement("surely", "SET LOCAL synchronous_commit = on")
    static let clock = PostgresStatement(
        "clock", "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    static let listen = PostgresStatement("listen", "LISTEN payment_changes")
    static let notify = PostgresStatement("notify", "SELECT pg_notify('payment_changes', $1::text) IS NULL")
}
