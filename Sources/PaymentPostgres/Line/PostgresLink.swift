internal import PaymentBase

/// How connections of one journal are made.
struct PostgresLink: Sendable {
    let address: PostgresAddress
    let schema: String
    /// How long work waits for a database that can't be reached, in milliseconds.
    var outageMilliseconds: Int64 = 10_000
    /// Whether a commit of this connection may be lost: for signs of life, which are given again.
    var isHasty = false

    /// How long a lock is waited for, in milliseconds; longer than the server leaves a transaction whose client says
    /// nothing, so that one that was stopped doesn't fail the others.
    private static let lockMilliseconds = 6_000
    private static let silenceMilliseconds = 5_000

    func connect() throws(PostgresFailure) -> PostgresConnection { try PostgresConnection(address, settings: settings) }

    /// What every connection is set to. A name without a schema is the server's own before it is the journal's, so that
    /// nothing that another role makes there can take the place of a function. Statements find their rows by indexes alone,
    /// also while a table is small.
    var settings: String {
        """
        SET search_path = pg_catalog, "\(schema)", pg_temp; SET client_min_messages = warning; \
        SET synchronous_commit = \(isHasty ? "off" : "on"); SET default_transaction_isolation = 'read committed'; \
        SET lock_timeout = \(Self.lockMilliseconds); SET statement_timeout = 15000; \
        SET idle_in_transaction_session_timeout = \(Self.silenceMilliseconds); \
        SET client_connection_check_interval = 1000; SET jit = off; SET plan_cache_mode = force_generic_plan; \
        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off
        """
    }
}
