/// The shape of the tables.
enum PostgresSchema {
    /// The number of this format. Former formats kept attempts in other tables, or had rows for other attempts; their journals
    /// are refused as they are.
    static let version: Int64 = 9

    /// What happened is in `entry`, and in nothing else; rows of it are added and never changed. The rows of the other tables
    /// are computed from it, to be searched by. `open` has a row only for what is open, could be something found, or is looked
    /// up: the table that is searched for work stays small however many payments there are.
    ///
    /// Texts are compared byte by byte: an index that depends on the system's own order breaks when the system is renewed.
    static let sql = """
        CREATE TABLE version (number bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE TABLE entry (
            payment bigint NOT NULL,
            number bigint NOT NULL,
            content bigint NOT NULL,
            at bigint NOT NULL,
            sum bigint NOT NULL,
            write bytea NOT NULL,
            events bytea NOT NULL,
            answer bytea NOT NULL,
            timeline bytea NOT NULL,
            PRIMARY KEY (payment, number)
        );
        CREATE UNIQUE INDEX entry_write ON entry (write);
        CREATE TABLE attempt (
            payment bigint NOT NULL,
            is_origin boolean NOT NULL,
            is_dry_run boolean NOT NULL,
            id text COLLATE "C" PRIMARY KEY,
            scope text COLLATE "C" NOT NULL
        );
        CREATE INDEX attempt_payment ON attempt (payment);
        CREATE INDEX attempt_scope ON attempt (scope, payment) WHERE is_origin AND NOT is_dry_run;
        CREATE SEQUENCE place;
        CREATE TABLE name (hash bigint NOT NULL, payment bigint NOT NULL, PRIMARY KEY (hash, payment));
        CREATE INDEX name_forgotten ON name (hash, payment) WHERE payment < 0;
        CREATE TABLE reference (
            hash bigint NOT NULL,
            payment bigint NOT NULL,
            until bigint NOT NULL,
            PRIMARY KEY (hash, payment)
        );
        CREATE INDEX reference_until ON reference (hash, until) WHERE until > 0;
        CREATE TABLE open (
            payment bigint NOT NULL,
            account bigint NOT NULL,
            looks bigint NOT NULL,
            next_look bigint,
            is_open boolean NOT NULL,
            is_candidate boolean NOT NULL,
            attempt text COLLATE "C" PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            owed bytea,
            marks bytea
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
        CREATE INDEX open_due ON open (next_look, attempt) WHERE next_look IS NOT NULL;
        CREATE INDEX open_payment ON open (payment);
        CREATE INDEX open_candidate ON open (account) WHERE is_candidate;
        CREATE TABLE notice (
            seq bigint PRIMARY KEY,
            at bigint NOT NULL,
            sum bigint NOT NULL,
            message bytea NOT NULL UNIQUE,
            body bytea NOT NULL
        );
        CREATE TABLE notice_name (hash bigint NOT NULL, notice bigint NOT NULL, PRIMARY KEY (hash, notice));
        CREATE TABLE overfull (hash bigint PRIMARY KEY);
        CREATE TABLE waiting (
            seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            payment bigint NOT NULL,
            sum bigint NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX waiting_payment ON waiting (payment, seq);
        CREATE TABLE feed (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            payment bigint NOT NULL,
            number bigint NOT NULL,
            at bigint NOT NULL,
            place bigint
        );
        CREATE UNIQUE INDEX feed_place ON feed (place) WHERE place IS NOT NULL;
        CREATE INDEX feed_new ON feed (id) WHERE place IS NULL;
        CREATE TABLE endpoint (
            name text COLLATE "C" PRIMARY KEY,
            feed text COLLATE "C" NOT NULL,
            row bigint NOT NULL,
            place bigint NOT NULL,
            failures bigint NOT NULL,
            probe bigint NOT NULL,
            off bigint
        );
        CREATE TABLE delivery (
            at bigint NOT NULL,
            tries bigint NOT NULL,
            due bigint,
            taken bigint NOT NULL,
            endpoint text COLLATE "C" NOT NULL,
            event text COLLATE "C" NOT NULL,
            body text COLLATE "C" NOT NULL,
            failure text COLLATE "C" NOT NULL,
            PRIMARY KEY (endpoint, event)
        );
        CREATE INDEX delivery_due ON delivery (endpoint, due) WHERE due IS NOT NULL;
        CREATE TABLE forgotten (id text COLLATE "C" PRIMARY KEY);
        CREATE TABLE counter (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
        INSERT INTO counter (name, value) VALUES \
        ('number', 1), ('generation', 1), ('generation-name', \(PostgresStatement.generationName)), \
        ('feed-name', \(PostgresStatement.generationName)), \
        ('restored', 0), ('gap', 0), ('closed', 0), ('pruned', 0);
        INSERT INTO counter (name, value) SELECT 'server', system_identifier FROM pg_control_system();
        INSERT INTO counter (name, value) SELECT 'place', \(PostgresStatement.homePlace);
        CREATE TABLE owner (
            name text COLLATE "C" PRIMARY KEY,
            lock bigint NOT NULL,
            begun timestamptz NOT NULL DEFAULT clock_timestamp(),
            seen timestamptz NOT NULL DEFAULT clock_timestamp(),
            is_gone boolean NOT NULL DEFAULT false
        );
        CREATE INDEX owner_gone ON owner (name) WHERE NOT is_gone;
        INSERT INTO version (number) VALUES (\(version));
        """

    /// What a row of a process may become, whichever role changes it: it keeps its name and its lock, no process comes back,
    /// and none is called dead while another connection holds its lock. And what of `counter` a till may change: a role that may
    /// not change a counter's name draws numbers and closes the journal, and opens no closed or restored one.
    static let guards = [
        """
        CREATE FUNCTION owner_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $guard$
        BEGIN
            IF NEW.name <> OLD.name OR NEW.lock <> OLD.lock OR NEW.begun <> OLD.begun OR OLD.is_gone AND NOT NEW.is_gone
            THEN RAISE insufficient_privilege USING MESSAGE = 'a process keeps its name and its lock, and none comes back';
            END IF;
            IF NEW.is_gone AND NOT OLD.is_gone AND EXISTS (
                SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
                AND l.pid IS DISTINCT FROM pg_backend_pid()
                AND (l.classid::bigint << 32 | l.objid::bigint) = OLD.lock)
            THEN RAISE insufficient_privilege USING MESSAGE = 'this process lives: another connection holds its lock';
            END IF;
            RETURN NEW;
        END $guard$
        """,
        """
        CREATE FUNCTION counter_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $guard$
        BEGIN
            IF NOT has_column_privilege(TG_RELID, 'name', 'UPDATE') AND NOT (NEW.name = OLD.name AND (
                OLD.name = 'number' AND NEW.value >= OLD.value OR OLD.name = 'closed' AND OLD.value = 0
                OR OLD.name = 'pruned' AND NEW.value >= OLD.value
                AND has_table_privilege(format('%I.entry', TG_TABLE_SCHEMA), 'DELETE')))
            THEN RAISE insufficient_privilege USING MESSAGE =
                'this role may draw numbers and close the journal, and change nothing else in counter';
            END IF;
            RETURN NEW;
        END $guard$
        """,
        "CREATE TRIGGER counter_guard BEFORE UPDATE ON counter FOR EACH ROW EXECUTE FUNCTION counter_guard()",
        "CREATE TRIGGER owner_guard BEFORE UPDATE ON owner FOR EACH ROW EXECUTE FUNCTION owner_guard()",
    ]

    /// The tables, and what the role that works with the journal has to be allowed on each.
    static let rights: [(table: String, rights: [String])] = [
        ("entry", ["SELECT", "INSERT"]), ("attempt", ["SELECT", "INSERT"]), ("name", ["SELECT", "INSERT"]),
        ("reference", ["SELECT", "INSERT", "UPDATE"]), ("open", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
        ("notice", ["SELECT", "INSERT", "DELETE"]), ("notice_name", ["SELECT", "INSERT", "DELETE"]),
        ("overfull", ["SELECT", "INSERT"]), ("waiting", ["SELECT", "INSERT", "DELETE"]), ("forgotten", ["SELECT"]),
        ("feed", ["SELECT", "INSERT", "UPDATE", "DELETE"]), ("endpoint", ["SELECT", "INSERT", "UPDATE"]),
        ("delivery", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
        ("counter", ["SELECT"]), ("owner", ["SELECT", "INSERT", "UPDATE"]), ("version", ["SELECT"]),
    ]
}
