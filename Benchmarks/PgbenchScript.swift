import PaymentJournalKit
import PaymentModel
import PaymentPostgres

/// A sale as the journal writes it, for pgbench: rows of the same size, two transactions, and no rule between them.
enum PgbenchScript {
    static func sale() throws -> String {
        let log = try JournalWork.filled(0)
        func row(_ number: Int) -> String {
            let entry = log.entries[number - 1]
            func bytes(_ letter: Character, _ count: Int) -> String { "repeat('\(letter)', \(count))::bytea" }
            return "INSERT INTO entry (payment, number, content, at, sum, write, events, answer, timeline) VALUES "
                + "(:place, \(number), 1, 1, 1, ('w-' || :r || '-\(number)')::bytea, \(bytes("e", entry.events.count)), "
                + "\(bytes("a", entry.answer.count)), ''::bytea);"
        }
        return """
            \\set r random(1, 9000000000000000)
            BEGIN;
            SELECT pg_advisory_xact_lock((:r)::bigint);
            SELECT payment FROM attempt WHERE id = 'a-' || :r;
            SELECT payment FROM reference WHERE hash = (:r)::bigint AND until > 0;
            SELECT nextval('place') AS place \\gset
            INSERT INTO attempt (payment, is_origin, is_dry_run, id, scope) VALUES (:place, true, false, 'a-' || :r, '');
            \(row(1))
            INSERT INTO reference (hash, payment, until) VALUES ((:r)::bigint, :place, 9223372036854775807);
            INSERT INTO open (payment, account, looks, next_look, is_open, is_candidate, attempt, scope) \
            VALUES (:place, 1, 0, 5000, true, true, 'a-' || :r, '');
            COMMIT;
            BEGIN;
            SELECT pg_advisory_xact_lock((:r)::bigint);
            SELECT payment FROM attempt WHERE id = 'a-' || :r;
            SELECT payment FROM name WHERE hash = (:r)::bigint;
            \(row(2))
            DELETE FROM open WHERE attempt = 'a-' || :r;
            INSERT INTO name (hash, payment) VALUES ((:r)::bigint, :place);
            COMMIT;

            """
    }
}
