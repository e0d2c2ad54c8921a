import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@testable import PaymentPostgres

/// A journal of another format is refused with its format, ours and what to do; it is never read and never changed.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct FormatTests {
    /// A schema as format 3 made it, with one attempt.
    private func place() async throws -> Place {
        var place = try await Place()
        place.options.schema = place.server.freshSchema()
        let name = place.options.schema
        try place.server.sql("CREATE SCHEMA \(name); SET search_path = \(name), pg_catalog; \(Self.formatThree)")
        try place.server.sql(
            """
            INSERT INTO \(name).attempt VALUES (1, '', 'a', 'a', true, 'order-a', false); \
            INSERT INTO \(name).entry VALUES (1, 1, 'w', true, 5, 'facts')
            """)
        return place
    }

    private func dump(_ place: Place) throws -> [Substring] {
        let said = try PostgresServer.run(
            place.server.folder, "pg_dump",
            ["-h", place.server.folder, "-U", "pay", "-n", place.options.schema, "postgres"])
        // Lines that name each dump at random.
        return said.split(separator: "\n").filter { !$0.hasPrefix("\\restrict") && !$0.hasPrefix("\\unrestrict") }
    }

    private func expectWords(_ words: String, _ place: Place) {
        #expect(words.contains("the schema \(place.options.schema) holds a journal of format 3"), "\(words)")
        #expect(words.contains("reads and writes format \(PostgresSchema.version)"), "\(words)")
        #expect(words.contains("name another schema"), "\(words)")
        #expect(words.contains("what is not imported can be charged or refunded again"), "\(words)")
    }

    @Test func journalOfFormatThree_opened_isRefusedAndLeftAsItIs() async throws {
        let place = try await place()
        let before = try dump(place)
        let breach = await #expect(throws: JournalViolation.self) { try await place.open() }
        expectWords(breach?.description ?? "", place)
        #expect(try dump(place) == before)
    }

    @Test func journalOfFormatThree_prepared_isRefusedAndLeftAsItIs() async throws {
        let place = try await place()
        let before = try dump(place)
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        expectWords(error?.detail ?? "", place)
        #expect(error?.outcome == .notExecuted)
        #expect(try dump(place) == before)
    }

    @Test func journalOfFormatThree_accepted_isRefusedAndLeftAsItIs() async throws {
        let place = try await place()
        let before = try dump(place)
        let error = await #expect(throws: PaymentError.self) {
            try await PostgresJournal.acceptRestored(place.options, anyway: true)
        }
        expectWords(error?.detail ?? "", place)
        #expect(try dump(place) == before)
    }

    /// Format 8 had the same tables, and no row for a payment that a person alone named.
    @Test func journalOfFormatEight_opened_isRefusedByItsNumber() async throws {
        let place = try await Place()
        try place.server.sql("UPDATE \(place.options.schema).version SET number = 8")
        let breach = await #expect(throws: JournalViolation.self) { try await place.open() }
        let words = breach?.description ?? ""
        #expect(words.contains("holds a journal of format 8") && words.contains("name another schema"), "\(words)")
    }

    private static let formatThree = """
        CREATE TABLE version (number bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE TABLE attempt (
            seq bigint PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            payment text COLLATE "C" NOT NULL,
            is_origin boolean NOT NULL,
            reference text COLLATE "C" NOT NULL,
            is_rehearsal boolean NOT NULL,
            UNIQUE (scope, id)
        );
        CREATE SEQUENCE attempt_seq OWNED BY attempt.seq;
        CREATE INDEX attempt_follower ON attempt (scope, payment, seq) WHERE NOT is_origin;
        CREATE INDEX attempt_reference ON attempt (scope, reference, seq) WHERE is_origin;
        CREATE INDEX attempt_origin ON attempt (scope, seq) WHERE is_origin AND NOT is_rehearsal;
        CREATE TABLE live (
            attempt bigint PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            is_open boolean NOT NULL,
            blocks boolean NOT NULL,
            is_rival boolean NOT NULL,
            looks bigint NOT NULL,
            next_look bigint
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
        CREATE INDEX live_due ON live (scope, next_look, attempt) WHERE next_look IS NOT NULL;
        CREATE TABLE entry (
            attempt bigint NOT NULL,
            number bigint NOT NULL,
            write text COLLATE "C" NOT NULL,
            is_answer boolean NOT NULL,
            at bigint NOT NULL,
            facts bytea NOT NULL,
            PRIMARY KEY (attempt, number)
        );
        CREATE UNIQUE INDEX entry_write ON entry (write) WHERE is_answer;
        CREATE TABLE answer (
            write text COLLATE "C" PRIMARY KEY,
            at bigint NOT NULL,
            body bytea NOT NULL
        );
        CREATE TABLE name (
            account text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            attempt bigint NOT NULL,
            PRIMARY KEY (account, value, attempt)
        );
        CREATE TABLE notice (
            seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            account text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX notice_name ON notice (account, value, seq);
        CREATE TABLE event (
            seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            payment text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX event_payment ON event (scope, payment, seq);
        CREATE TABLE forgotten (
            seq bigint PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            UNIQUE (scope, id)
        );
        CREATE TABLE counter (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
        INSERT INTO counter (name, value) VALUES ('number', 1), ('generation', 0), ('restored', 0);
        CREATE TABLE owner (
            name text COLLATE "C" PRIMARY KEY,
            lock bigint NOT NULL,
            begun timestamptz NOT NULL DEFAULT clock_timestamp(),
            seen timestamptz NOT NULL DEFAULT clock_timestamp(),
            is_gone boolean NOT NULL DEFAULT false
        );
        CREATE INDEX owner_gone ON owner (name) WHERE NOT is_gone;
        INSERT INTO counter (name, value) SELECT 'server', system_identifier FROM pg_control_system();
        INSERT INTO counter (name, value) SELECT 'place', to_regclass('attempt')::oid::bigint;
        INSERT INTO counter (name, value) VALUES ('closed', 0);

        INSERT INTO version (number) VALUES (1), (2), (3);
        """
}

/// What the rows of the store guard, and what is found by them.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct RowTests {
    /// Each row has a sum of its own, so that it takes no checksums of the database's.
    @Test(arguments: ["events", "answer", "timeline", "write"])
    func entry_bitFlipped_isNoticed(_ column: String) async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b"] {
            let step = try JournalTestWriter.event("seen", of: name)
            try await desk.accept(JournalTestWriter.request(try JournalTestWriter.intent(name)), timeline: [step])
        }
        let middle = "length(\(column)) / 2"
        try place.server.sql(
            """
            UPDATE \(place.options.schema).entry SET \(column) = set_byte(\(column), \(middle), get_byte(\(column), \(middle)) # 1) \
            WHERE number = 1 AND payment = (SELECT payment FROM \(place.options.schema).attempt WHERE id = 'a')
            """)
        let unreadable = JournalFailure.unreadable(PaymentID(try JournalTestWriter.id("a")))
        await #expect(throws: unreadable) { try await desk.attempt("a") }
        let damaged = PaymentID(try JournalTestWriter.id("a"))
        await #expect(throws: unreadable) { try await journal.timeline(damaged) }
        await #expect(throws: unreadable) {
            try await desk.write(JournalTestWriter.finish(try JournalTestWriter.id("a"), JournalTestWriter.approved()))
        }
        // Others are read and written, and lists name the one that can't be read.
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), JournalTestWriter.approved()))
        for query in [JournalQuery.origins(scope: nil), .open(scope: nil)] {
            let page = try await journal.attempts(query, after: nil, limit: 10)
            #expect(page.unreadable == [PaymentID(try JournalTestWriter.id("a"))])
        }
        let due = try await journal.takeDue(limit: 10, at: JournalTestWriter.at(100_000))
        #expect(due.unreadable == [PaymentID(try JournalTestWriter.id("a"))])
        await journal.close()
    }

    /// A payment whose last entries are gone still has the ids of their attempts.
    @Test func payment_lastEntryLost_isNoticed() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        try await desk.send(try JournalTestWriter.intent("r", .refund, of: "a"))
        try place.server.sql("DELETE FROM \(place.options.schema).entry WHERE number = 3")
        await #expect(throws: JournalFailure.self) { try await desk.attempt("a") }
        await journal.close()
    }

    /// Only what begins under one reference waits for the other; the second is refused, whichever came first.
    @Test func sales_underOneReferenceAtOnce_payOnce() async throws {
        let place = try await Place()
        let journals = [try await place.open("one"), try await place.open("two")]
        let desks = journals.map { JournalTestWriter($0, name: $0.processes.own) }
        let answers = try await desks[0].atOnce(24) { number in
            try await desks[number % 2].write(
                JournalTestWriter.request(try JournalTestWriter.intent("s-\(number)", reference: "order"), owner: "o"))
        }
        let written = answers.count { if case .written = $0 { true } else { false } }
        let refused = answers.count { if case .refused(.referenceInUse, _) = $0 { true } else { false } }
        #expect(written == 1 && refused == 23)
        for journal in journals { await journal.close() }
    }

    /// Refunds of the same payments and messages about them, from two processes in every order: each refund counts once, and
    /// no transaction waits for another one for ever.
    @Test func refundsAndMessages_fromAllSides_countOnce() async throws {
        let place = try await Place()
        let journals = [try await place.open("one"), try await place.open("two")]
        let desks = journals.map { JournalTestWriter($0, name: $0.processes.own) }
        for payment in 0..<6 {
            let verdict = JournalTestWriter.approved(1_000, ["id": "pay-\(payment)"])
            try await desks[0].done(
                try JournalTestWriter.intent("p-\(payment)", .sale, 1_000), verdict, names: ["pay-\(payment)"])
        }
        _ = try await desks[0].atOnce(96) { number in
            let (desk, payment, name) = (desks[number % 2], number / 2 % 6, "back-\(number / 2)")
            let verdict = JournalTestWriter.approved(1, ["id": name])
            guard number.isMultiple(of: 2) else {
                _ = try await desk.write(
                    JournalTestWriter.notice("m-\(number)", name, verdict, [.refund], original: "pay-\(payment)"))
                return
            }
            let intent = try JournalTestWriter.intent("r-\(number / 2)", .refund, 1, of: "p-\(payment)")
            try await desk.done(intent, verdict, names: [name])
        }
        for payment in 0..<6 {
            let family = try await desks[1].family("p-\(payment)")
            #expect(PaymentRecord(family).amounts.refunded.minorUnits == 8, "\(family)")
        }
        #expect(try place.server.sql("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'") == ["0"])
        for journal in journals { await journal.close() }
    }

    /// The locks of payments are really taken, and each payment has one, whether an id or a name leads to it.
    @Test func lockPayments_idsAndNames_lockEachPaymentOnce() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b", "c"] {
            try await desk.done(try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["n-\(name)"])
        }
        try await desk.send(try JournalTestWriter.intent("r", .refund, 1, of: "a"))
        await journal.close()
        let name = place.options.schema
        let hashes = try place.server.sql("SELECT hash FROM \(name).name ORDER BY payment LIMIT 2").joined(
            separator: ",")
        let counts = try place.server.sql(
            """
            SET search_path = pg_catalog, \(name); BEGIN; PREPARE p AS \(PostgresStatement.lockPayments.sql); \
            EXECUTE p(ARRAY['a', 'r', 'new'], ARRAY[\(hashes)]::bigint[], 7); \
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
            """)
        #expect(counts == ["2", "2"])
    }
}
