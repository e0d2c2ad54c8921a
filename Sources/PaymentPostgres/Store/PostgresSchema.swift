/// The shape of the tables, step by step; each step is made once and never changed afterwards.
enum PostgresSchema {
    /// The steps, the first one first.
    static let steps = [first, second, third]
    /// The version that this software works with.
    static var version: Int64 { Int64(steps.count) }

    /// Facts are in `entry`, and in nothing else. An attempt's own row never changes; what is computed from its facts and
    /// changes with them is in `live`, which has a row only for what is open, blocks others, or has to be looked at: so the
    /// table that is searched for work stays small however many attempts there are.
    ///
    /// Texts are compared byte by byte: an index that depends on the system's own order breaks when the system is renewed.
    private static let first = """
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
        """

    /// Whether it was closed, and where it is: on which server, and as which table there.
    private static let second = """
        INSERT INTO counter (name, value) SELECT 'server', system_identifier FROM pg_control_system();
        INSERT INTO counter (name, value) SELECT 'place', to_regclass('attempt')::oid::bigint;
        INSERT INTO counter (name, value) VALUES ('closed', 0);
        """

    /// From here on rows are packed. Those that are plain JSON stay and are read; software that can't read the others refuses.
    private static let third = ""

    /// The tables, and what whoever works with the journal has to be allowed on each.
    static let rights: [(table: String, rights: [String])] = [
        ("attempt", ["SELECT", "INSERT"]), ("live", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
        ("entry", ["SELECT", "INSERT"]), ("answer", ["SELECT", "INSERT"]), ("name", ["SELECT", "INSERT"]),
        ("notice", ["SELECT", "INSERT", "DELETE"]), ("event", ["SELECT", "INSERT"]), ("forgotten", ["SELECT"]),
        ("counter", ["SELECT", "UPDATE"]), ("owner", ["SELECT", "INSERT", "UPDATE"]), ("version", ["SELECT"]),
    ]
}
