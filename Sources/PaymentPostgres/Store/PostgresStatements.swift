internal import PaymentJournalKit

/// Every statement that reads; the names of tables are found through the connection's path.
extension PostgresStatement {
    package static let begin = PostgresStatement("begin", "BEGIN")
    package static let commit = PostgresStatement("commit", "COMMIT")
    package static let rollback = PostgresStatement("rollback", "ROLLBACK")
    /// Waits for locks in the order that is given; they are held until the transaction ends.
    package static let lock = PostgresStatement(
        "lock", "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) k OFFSET 0) held")
    /// Waits for the payments to which ids and names lead, in the order of their numbers. The names are locked before, so that
    /// none of them can lead to another payment in the meantime.
    package static let lockPayments = PostgresStatement(
        "lock_payments",
        """
        SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashint8extended(payment, $3::bigint)) FROM ( \
        SELECT DISTINCT payment FROM ( \
        SELECT a.payment FROM unnest($1::text[]) k(id) JOIN attempt a ON a.id = k.id UNION ALL \
        SELECT n.payment FROM unnest($2::bigint[]) k(hash) JOIN name n ON n.hash = k.hash AND n.payment > 0) found \
        ORDER BY payment OFFSET 0) sorted OFFSET 0) held
        """)
    /// Makes a commit wait until everything before it is as durable as a write.
    package static let follow = PostgresStatement(
        "follow", "SELECT pg_logical_emit_message(true, 'payments', '') IS NULL")

    // MARK: - Payments

    /// A payment: its number, the ids of its attempts with the origin's first, its log, its rows in `open`, and the steps that
    /// wait. All of it in one statement, so that it is of one moment.
    private static let payment = """
        p.payment, \
        (SELECT string_agg(id, ' ' ORDER BY NOT is_origin, id) FROM attempt WHERE payment = p.payment), \
        (SELECT string_agg(int8send(number) || int8send(content) || int8send(at) || int8send(sum) || \
        int4send(length(write)) || write || int4send(length(events)) || events || \
        int4send(length(answer)) || answer || int4send(length(timeline)) || timeline, ''::bytea ORDER BY number) \
        FROM entry WHERE payment = p.payment), \
        (SELECT string_agg(int8send(looks) || int8send(coalesce(next_look, -9223372036854775808)) || \
        int8send(is_open::int + 2 * is_candidate::int) || \
        int4send(octet_length(attempt)) || convert_to(attempt, 'UTF8') || \
        int4send(coalesce(length(owed), -1)) || coalesce(owed, ''::bytea) || \
        int4send(coalesce(length(marks), -1)) || coalesce(marks, ''::bytea), ''::bytea) \
        FROM open WHERE payment = p.payment), \
        (SELECT string_agg(int8send(seq) || int8send(sum) || int4send(length(body)) || body, ''::bytea ORDER BY seq) \
        FROM waiting WHERE payment = p.payment)
        """

    /// How the server says by what a payment was found: the kind above 32 bits, and the place among those that were asked for.
    package enum Found: Int64, CaseIterable { case id, name, reference, account, write }

    private static func kind(_ kind: Found) -> String { "k.place + \(kind.rawValue << 32)" }

    /// All payments that a batch needs, each once, with everything by which it was found.
    package static let load = PostgresStatement(
        "load",
        """
        WITH w(payment, found) AS ( \
        SELECT a.payment, \(kind(.id)) FROM unnest($1::text[]) WITH ORDINALITY k(id, place) \
        JOIN attempt a ON a.id = k.id UNION ALL \
        SELECT n.payment, \(kind(.name)) FROM unnest($2::bigint[]) WITH ORDINALITY k(hash, place) \
        JOIN name n ON n.hash = k.hash AND n.payment > 0 UNION ALL \
        SELECT r.payment, \(kind(.reference)) FROM unnest($3::bigint[], $4::bigint[]) WITH ORDINALITY k(hash, now, place) \
        JOIN reference r ON r.hash = k.hash AND r.until > k.now AND r.until > 0 UNION ALL \
        SELECT o.payment, \(kind(.account)) FROM unnest($5::bigint[]) WITH ORDINALITY k(account, place) \
        JOIN open o ON o.account = k.account AND o.is_candidate UNION ALL \
        SELECT e.payment, \(kind(.write)) FROM unnest($6::bytea[]) WITH ORDINALITY k(write, place) \
        JOIN entry e ON e.write = k.write) \
        SELECT p.found, \(payment) FROM ( \
        SELECT payment, string_agg(int8send(found), ''::bytea) AS found FROM w GROUP BY payment) p ORDER BY p.payment
        """)
    package static let byID = PostgresStatement(
        "by_id", "SELECT \(payment) FROM attempt p WHERE p.id = $1::text")
    package static let byName = PostgresStatement(
        "by_name",
        "SELECT \(payment) FROM (SELECT payment FROM name WHERE hash = $1::bigint AND payment > 0 ORDER BY payment) p")
    package static let byNumber = PostgresStatement(
        "by_number",
        """
        SELECT \(payment) FROM (SELECT DISTINCT n AS payment FROM unnest($1::bigint[]) n ORDER BY n) p
        """)
    /// Messages that are kept, by their own ids.
    package static let kept = PostgresStatement(
        "kept",
        """
        SELECT k.place FROM unnest($1::bytea[]) WITH ORDINALITY k(message, place) JOIN notice n ON n.message = k.message
        """)
    package static let forgotten = PostgresStatement(
        "forgotten",
        "SELECT k.place FROM unnest($1::text[]) WITH ORDINALITY k(id, place) JOIN forgotten f ON f.id = k.id")
    /// Names of payments that were forgotten, which have numbers below zero.
    package static let forgottenNames = PostgresStatement(
        "forgotten_names",
        """
        SELECT k.place FROM unnest($1::bigint[]) WITH ORDINALITY k(hash, place) \
        JOIN name n ON n.hash = k.hash AND n.payment < 0
        """)
    /// Messages that wait under hashes; a row without one says that more came than are kept.
    package static let notices = PostgresStatement(
        "notices",
        """
        SELECT k.place, n.seq, n.at, n.sum, n.message, n.body FROM unnest($1::bigint[]) WITH ORDINALITY k(hash, place) \
        JOIN notice_name w ON w.hash = k.hash JOIN notice n ON n.seq = w.notice UNION ALL \
        SELECT k.place, NULL, NULL, NULL, NULL, NULL FROM unnest($1::bigint[]) WITH ORDINALITY k(hash, place) \
        JOIN overfull o ON o.hash = k.hash
        """)
    package static let places = PostgresStatement(
        "places", "SELECT nextval('place') FROM generate_series(1, $1::bigint)")
    package static let lockFeed = PostgresStatement(
        "lock_feed",
        "SELECT count(*) FROM (SELECT pg_advisory_xact_lock(hashtextextended('feed', $1::bigint)) OFFSET 0) held")
    /// Gives places to the rows that were committed since, so many at a time that it never takes long.
    package static let placeFeed = PostgresStatement(
        "place_feed",
        """
        UPDATE feed SET place = n.place FROM ( \
        SELECT id, (SELECT coalesce(max(place), 0) FROM feed) + row_number() OVER (ORDER BY id) AS place \
        FROM (SELECT id FROM feed WHERE place IS NULL ORDER BY id LIMIT 5000) fresh) n WHERE feed.id = n.id
        """)
    /// Whether that gives all of them their places.
    package static let placesAll = PostgresStatement(
        "places_all", "SELECT count(*) < 5000 FROM (SELECT 1 FROM feed WHERE place IS NULL LIMIT 5000) fresh")
    /// Removes old rows; the newest stays, so that no place is used twice. Rows go from the front alone, up to the first young
    /// one: a reader would miss what is missing in the middle, and not see that it does. A row of a clock that ran ahead goes
    /// with those around it.
    package static let cleanFeed = PostgresStatement(
        "clean_feed",
        """
        WITH newest AS (SELECT place, at FROM feed WHERE place = (SELECT max(place) FROM feed)), \
        front AS (SELECT place, at FROM feed WHERE place IS NOT NULL ORDER BY place LIMIT 10000), \
        young AS (SELECT min(f.place) AS place FROM front f, newest n \
        WHERE f.at >= n.at - $1::bigint AND f.at <= n.at), \
        old AS (SELECT max(f.place) AS place FROM front f, newest n, young y \
        WHERE f.at < n.at - $1::bigint AND (y.place IS NULL OR f.place < y.place)) \
        DELETE FROM feed USING newest, old WHERE feed.place < newest.place AND feed.place <= old.place
        """)
    package static let feedRange = PostgresStatement(
        "feed_range", "SELECT coalesce(min(place), 0), coalesce(max(place), 0) FROM feed")
    package static let feed = PostgresStatement(
        "feed",
        """
        SELECT f.place, coalesce((SELECT scope FROM attempt a WHERE a.payment = f.payment AND a.is_origin LIMIT 1), ''), \
        e.timeline FROM feed f JOIN entry e ON e.payment = f.payment AND e.number = f.number \
        WHERE f.place >= $1::bigint ORDER BY f.place LIMIT $2::bigint
        """)
    /// The payment of an attempt, and the number of its last entry.
    package static let lastEntry = PostgresStatement(
        "last_entry",
        """
        SELECT k.place, (SELECT id FROM attempt WHERE payment = a.payment AND is_origin), \
        (SELECT max(number) FROM entry WHERE payment = a.payment) \
        FROM unnest($1::text[]) WITH ORDINALITY k(id, place) JOIN attempt a ON a.id = k.id
        """)

    // MARK: - Pages

    private static func page(_ name: String, _ numbers: String, _ order: String = "") -> PostgresStatement {
        PostgresStatement(name, "SELECT \(payment) FROM (\(numbers)) p ORDER BY p.payment \(order)")
    }

    package static let origins = page(
        "page_origins",
        """
        SELECT payment FROM attempt WHERE is_origin AND NOT is_dry_run AND payment < $1::bigint \
        ORDER BY payment DESC LIMIT $2::bigint
        """, "DESC")
    package static let originsOfScope = page(
        "page_origins_scope",
        """
        SELECT payment FROM attempt WHERE is_origin AND NOT is_dry_run AND scope = $3::text AND payment < $1::bigint \
        ORDER BY payment DESC LIMIT $2::bigint
        """, "DESC")
    package static let underReference = page(
        "page_reference",
        """
        SELECT DISTINCT payment FROM reference WHERE hash = ANY ($3::bigint[]) AND payment > $1::bigint \
        ORDER BY payment LIMIT $2::bigint
        """)
    package static let open = page(
        "page_open",
        """
        SELECT DISTINCT payment FROM open WHERE is_open AND payment > $1::bigint ORDER BY payment LIMIT $2::bigint
        """)
    package static let openOfScope = page(
        "page_open_scope",
        """
        SELECT DISTINCT payment FROM open WHERE is_open AND scope = $3::text AND payment > $1::bigint \
        ORDER BY payment LIMIT $2::bigint
        """)
    /// All payments, the oldest first.
    package static let walk = page(
        "walk", "SELECT payment FROM attempt WHERE is_origin AND payment > $1::bigint ORDER BY payment LIMIT $2::bigint"
    )

    // MARK: - Looks

    /// Locks what is due and no other process takes now; a lookup further off than any interval was set by a clock that ran
    /// ahead.
    package static let takeDue = PostgresStatement(
        "take_due",
        """
        SELECT attempt, payment, looks, next_look, marks FROM open WHERE next_look IS NOT NULL \
        AND \(JournalRules.isDue(sql: "$1::bigint")) AND (next_look, attempt) > ($2::bigint, $3::text) \
        ORDER BY next_look, attempt LIMIT $4::bigint FOR NO KEY UPDATE SKIP LOCKED
        """)
    package static let putOff = PostgresStatement(
        "put_off",
        """
        UPDATE open SET looks = n.looks, next_look = n.next_look, marks = nullif(n.marks, ''::bytea) \
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[]) AS n(attempt, looks, next_look, marks) \
        WHERE open.attempt = n.attempt
        """)
}

/// The statements that write; each writes the rows of a whole batch.
extension PostgresStatement {
    package static let insertEntries = PostgresStatement(
        "insert_entries",
        """
        WITH written AS ( \
        INSERT INTO entry (payment, number, content, at, sum, write, events, answer, timeline) SELECT * FROM unnest( \
        $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[], $8::bytea[], \
        $9::bytea[]) RETURNING payment, number, at, timeline) \
        INSERT INTO feed (payment, number, at) SELECT payment, number, at FROM written WHERE timeline <> ''::bytea
        """)
    package static let insertAttempts = PostgresStatement(
        "insert_attempts",
        """
        INSERT INTO attempt (payment, is_origin, is_dry_run, id, scope) SELECT * FROM unnest( \
        $1::bigint[], $2::boolean[], $3::boolean[], $4::text[], $5::text[])
        """)
    /// A rehearsal that was executed is among the payments.
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
    /// What another process that looked up has written in the meantime stays, unless it is set again or cleared.
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
