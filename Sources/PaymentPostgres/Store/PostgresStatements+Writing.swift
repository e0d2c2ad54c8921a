/// The statements that write; each writes the rows of a whole batch.
extension PostgresStatement {
    package static let insertAttempts = PostgresStatement(
        "insert_attempts",
        """
        INSERT INTO attempt (seq, scope, id, payment, is_origin, reference, is_rehearsal) SELECT * FROM unnest( \
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::boolean[])
        """)
    package static let insertEntries = PostgresStatement(
        "insert_entries",
        """
        INSERT INTO entry (attempt, number, write, is_answer, at, facts) SELECT * FROM unnest( \
        $1::bigint[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::bytea[])
        """)
    package static let insertLive = PostgresStatement(
        "insert_live",
        """
        INSERT INTO live (attempt, scope, account, is_open, blocks, is_rival, looks, next_look) SELECT * FROM unnest( \
        $1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::boolean[], $6::boolean[], $7::bigint[], $8::bigint[])
        """)
    package static let updateLive = PostgresStatement(
        "update_live",
        """
        UPDATE live SET account = n.account, is_open = n.is_open, blocks = n.blocks, is_rival = n.is_rival, \
        looks = n.looks, next_look = n.next_look FROM unnest( \
        $1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::boolean[], $6::boolean[], $7::bigint[], $8::bigint[]) \
        AS n(attempt, scope, account, is_open, blocks, is_rival, looks, next_look) WHERE live.attempt = n.attempt
        """)
    package static let deleteLive = PostgresStatement(
        "delete_live", "DELETE FROM live WHERE attempt = ANY ($1::bigint[])")
    package static let insertNames = PostgresStatement(
        "insert_names",
        """
        INSERT INTO name (account, value, attempt) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) \
        ON CONFLICT DO NOTHING
        """)
    package static let insertAnswers = PostgresStatement(
        "insert_answers",
        "INSERT INTO answer (write, at, body) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])")
    package static let insertNotices = PostgresStatement(
        "insert_notices",
        """
        INSERT INTO notice (account, value, at, body) SELECT * FROM unnest( \
        $1::text[], $2::text[], $3::bigint[], $4::bytea[])
        """)
    package static let deleteNotices = PostgresStatement(
        "delete_notices", "DELETE FROM notice WHERE seq = ANY ($1::bigint[])")
    package static let insertEvents = PostgresStatement(
        "insert_events",
        """
        INSERT INTO event (scope, payment, at, body) SELECT * FROM unnest( \
        $1::text[], $2::text[], $3::bigint[], $4::bytea[])
        """)
    package static let insertForgotten = PostgresStatement(
        "insert_forgotten",
        """
        INSERT INTO forgotten (seq, scope, id) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])
        """)
}
