/// The shape of the file: what is created, and what a file must have when it is opened.
enum Schema {
    /// What tells that a file is one of ours: "PAYJ" as a number.
    static let applicationID: Int64 = 0x5041_594A
    /// The version of this shape; 1 to 3 are the first edition's. In 4 the rows were plain JSON; they are read as they are.
    static let version: Int64 = 5

    /// Facts are in `entry`, and in nothing else. The other columns are computed from them, to be looked for by; none of
    /// it is done by triggers, which a broken index would lead astray as well.
    static let sql = """
        CREATE TABLE attempt (
            seq INTEGER PRIMARY KEY,
            scope TEXT NOT NULL,
            id TEXT NOT NULL,
            payment TEXT NOT NULL,
            is_origin INTEGER NOT NULL,
            reference TEXT NOT NULL,
            account TEXT NOT NULL,
            standing TEXT NOT NULL,
            is_open INTEGER NOT NULL,
            blocks INTEGER NOT NULL,
            is_rival INTEGER NOT NULL,
            is_rehearsal INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            followers INTEGER NOT NULL,
            looks INTEGER NOT NULL,
            next_look INTEGER,
            UNIQUE (scope, id)
        ) STRICT;
        CREATE INDEX attempt_family ON attempt (scope, payment, seq);
        CREATE INDEX attempt_reference ON attempt (scope, reference, seq) WHERE is_origin = 1;
        CREATE INDEX attempt_blocking ON attempt (scope, reference, seq) WHERE blocks = 1;
        CREATE INDEX attempt_origin ON attempt (scope, seq) WHERE is_origin = 1 AND is_rehearsal = 0;
        CREATE INDEX attempt_open ON attempt (scope, seq) WHERE is_open = 1;
        CREATE INDEX attempt_rival ON attempt (account, seq) WHERE is_rival = 1;
        CREATE INDEX attempt_due ON attempt (scope, next_look, seq) WHERE next_look IS NOT NULL;
        CREATE TABLE entry (
            attempt INTEGER NOT NULL,
            number INTEGER NOT NULL,
            write TEXT NOT NULL,
            answer BLOB,
            at INTEGER NOT NULL,
            facts BLOB NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY (attempt, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX entry_write ON entry (write) WHERE answer IS NOT NULL;
        CREATE TABLE name (
            account TEXT NOT NULL,
            value TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            PRIMARY KEY (account, value, attempt)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notice (
            seq INTEGER PRIMARY KEY,
            account TEXT NOT NULL,
            value TEXT NOT NULL,
            at INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notice_name ON notice (account, value, seq);
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY,
            scope TEXT NOT NULL,
            payment TEXT NOT NULL,
            at INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX event_payment ON event (scope, payment, seq);
        CREATE TABLE forgotten (
            seq INTEGER PRIMARY KEY,
            scope TEXT NOT NULL,
            id TEXT NOT NULL,
            UNIQUE (scope, id)
        ) STRICT;
        CREATE TABLE counter (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO counter (name, value) VALUES ('commit', 0), ('number', 1), ('generation', 0), ('restored', 0);
        """

    /// Makes an empty file a journal, brings one of the first edition to this shape, and refuses every other.
    static func prepare(_ connection: SQLiteConnection, _ path: String, _ options: OpeningOptions) throws {
        let (application, version) = try signs(connection)
        let tables = try connection.number("SELECT count(*) FROM sqlite_master", doing: "reading the shape")
        guard application == applicationID || (application == 0 && tables == 0) else { throw OpeningFailure.notOurs }
        guard version <= self.version else { throw OpeningFailure.newer(found: version, known: Int(self.version)) }
        if application == 0 {
            try create(connection)
        } else if version <= FirstEdition.version {
            try Migration(path: path, connection: connection, now: options.now).run()
        } else if version < self.version {
            try sign(connection)
        }
        try compare(connection)
    }

    /// Says that rows of this version may follow, so that software which can't read them refuses the file.
    private static func sign(_ connection: SQLiteConnection) throws {
        let doing = "bringing the file to the present version"
        try connection.execute("BEGIN IMMEDIATE", doing: doing)
        if try signs(connection).version < version {
            try connection.execute("PRAGMA user_version = \(version)", doing: doing)
        }
        try connection.execute("COMMIT", doing: doing)
    }

    /// Refuses a file that can't be read as it is, where it is only read: another's, a newer one, the first edition's.
    static func require(_ connection: SQLiteConnection) throws {
        let (application, version) = try signs(connection)
        guard application == applicationID else { throw OpeningFailure.notOurs }
        guard version <= self.version else { throw OpeningFailure.newer(found: version, known: Int(self.version)) }
        guard version > FirstEdition.version else {
            throw OpeningFailure.notMigrated("it is only read, and the first to write has to do that")
        }
        try compare(connection)
    }

    /// The numbers in the file's head.
    static func signs(_ connection: SQLiteConnection) throws -> (application: Int64, version: Int64) {
        (
            try connection.number("PRAGMA application_id", doing: "reading the shape"),
            try connection.number("PRAGMA user_version", doing: "reading the shape")
        )
    }

    private static func create(_ connection: SQLiteConnection) throws {
        try connection.execute("BEGIN IMMEDIATE", doing: "making the file")
        // Another process may have been faster.
        if try signs(connection).application == 0 { try build(connection) }
        try connection.execute("COMMIT", doing: "making the file")
    }

    /// Makes all tables within a transaction.
    static func build(_ connection: SQLiteConnection) throws {
        try connection.execute(sql, doing: "making the file")
        try connection.execute("PRAGMA user_version = \(version)", doing: "making the file")
        try connection.execute("PRAGMA application_id = \(applicationID)", doing: "making the file")
    }

    /// Refuses a file whose shape isn't exactly the expected one: a view, a trigger or another table of the same name
    /// would answer in our place.
    static func compare(_ connection: SQLiteConnection) throws {
        let expected = try SQLiteConnection(path: ":memory:", isReadOnly: false, busyMilliseconds: 1)
        defer { expected.close() }
        try expected.execute(sql, doing: "comparing the shape")
        guard try shape(connection) == shape(expected) else { throw OpeningFailure.otherShape }
    }

    private static func shape(_ connection: SQLiteConnection) throws -> [[String?]] {
        try connection.rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' "
                + "ORDER BY type, name", [], doing: "comparing the shape"
        ) { row in (0...3).map { row.text($0) } }
    }
}
