import PaymentAbstraction
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

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
        #expect(words.contains("reads and writes format 4") && words.contains("name another schema"), "\(words)")
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
