/// The statements that write; each writes the rows of a whole batch.
extension PostgresStatement {
    package static let insertEntries = PostgresStatement(
        "insert_entries",
        """
        INSERT INTO entry (payment, number, content, at, sum, write, events, answer, timeline) SELECT * FROM unnest( \
        $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[], $8::bytea[], \
        $9::bytea[])
        """)
    package static let insertAttempts = PostgresStatement(
        "insert_attempts",
        """
        INSERT INTO attempt (payment, is_origin, is_dry_run, id, scope) SELECT * FROM unnest( \
        $1::bigint[], $2::boolean[], $3::boolean[], $4::text[], $5::text[])
        """)
    /// A rehearsal that was executed stands among the payments.
    package static let listRehearsals = PostgresStatement(
        "list_rehearsals", "UPDATE attempt SET is_dry_run = false WHERE id = ANY($1::text[])")
    package static let insertNames = PostgresStatement(
        "insert_names",
        """
        INSERT INTO name (hash, payment) SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING
        """)
    package static let keepReferences = PostgresStatement(
        "keep_references",
        """
        INSERT INTO reference (hash, payment, until) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) \
        ON CONFLICT (hash, payment) DO UPDATE SET until = excluded.until
        """)
    package static let insertOpen = PostgresStatement(
        "insert_open",
        """
        INSERT INTO open (attempt, payment, scope, account, is_open, is_candidate, looks, next_look, owed) \
        SELECT attempt, payment, scope, account, is_open, is_candidate, looks, next_look, nullif(owed, ''::bytea) \
        FROM unnest( \
        $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::boolean[], $6::boolean[], $7::bigint[], $8::bigint[], \
        $9::bytea[]) n(attempt, payment, scope, account, is_open, is_candidate, looks, next_look, owed)
        """)
    /// What another process that looked up has written meanwhile stays, unless it is set again or cleared.
    package static let updateOpen = PostgresStatement(
        "update_open",
        """
        UPDATE open SET account = n.account, is_open = n.is_open, is_candidate = n.is_candidate, \
        looks = CASE WHEN n.keeps_looks THEN open.looks ELSE n.looks END, \
        next_look = CASE WHEN n.keeps_looks THEN open.next_look ELSE n.next_look END, \
        owed = nullif(n.owed, ''::bytea), marks = CASE WHEN n.clears_marks THEN NULL ELSE open.marks END \
        FROM unnest( \
        $1::text[], $2::bigint[], $3::boolean[], $4::boolean[], $5::bigint[], $6::bigint[], $7::bytea[], \
        $8::boolean[], $9::boolean[]) \
        AS n(attempt, account, is_open, is_candidate, looks, next_look, owed, keeps_looks, clears_marks) \
        WHERE open.attempt = n.attempt
        """)
    package static let deleteOpen = PostgresStatement(
        "delete_open", "DELETE FROM open WHERE attempt = ANY ($1::text[])")
    package static let insertNotices = PostgresStatement(
        "insert_notices",
        """
        INSERT INTO notice (seq, at, sum, message, body) SELECT * FROM unnest( \
        $1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[])
        """)
    package static let insertNoticeNames = PostgresStatement(
        "insert_notice_names",
        "INSERT INTO notice_name (hash, notice) SELECT * FROM unnest($1::bigint[], $2::bigint[])")
    package static let deleteNotices = PostgresStatement(
        "delete_notices", "DELETE FROM notice WHERE seq = ANY ($1::bigint[])")
    package static let deleteNoticeNames = PostgresStatement(
        "delete_notice_names",
        """
        DELETE FROM notice_name w USING unnest($1::bigint[], $2::bigint[]) k(hash, notice) \
        WHERE w.hash = k.hash AND w.notice = k.notice
        """)
    package static let insertOverfull = PostgresStatement(
        "insert_overfull", "INSERT INTO overfull (hash) SELECT * FROM unnest($1::bigint[]) ON CONFLICT DO NOTHING")
    package static let insertWaiting = PostgresStatement(
        "insert_waiting",
        """
        INSERT INTO waiting (payment, sum, body) SELECT payment, $2::bigint, $3::bytea FROM attempt WHERE id = $1::text \
        AND NOT ($4::boolean AND EXISTS (SELECT 1 FROM waiting w WHERE w.payment = attempt.payment \
        AND w.sum = $2::bigint AND w.body = $3::bytea))
        """)
    package static let insertSteps = PostgresStatement(
        "insert_steps",
        """
        INSERT INTO waiting (payment, sum, body) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])
        """)
    package static let insertForgotten = PostgresStatement(
        "insert_forgotten", "INSERT INTO forgotten (id) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING")
    package static let deleteWaiting = PostgresStatement(
        "delete_waiting", "DELETE FROM waiting WHERE seq = ANY ($1::bigint[])")
    package static let closeGap = PostgresStatement("close_gap", "UPDATE counter SET value = 0 WHERE name = 'gap'")
}
