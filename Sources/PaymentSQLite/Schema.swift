internal import PaymentBase
package import PaymentJournalKit
package import PaymentModel

/// The shape of the file: what is created, and what a file must have when it is opened.
enum Schema {
    /// What shows that a file is a journal of this library: "PAYJ" as a number.
    static let applicationID: Int64 = 0x5041_594A
    /// The number of this format. Former formats kept attempts in other tables, or had rows for other attempts; their files are
    /// refused as they are. What the rows hold is compared with the logs, so that another rule for them is another format.
    static let version: Int64 = 11

    /// What happened is in `entry`, and in nothing else. The rows of the other tables are computed from it, to be
    /// searched by; no trigger computes them, which a broken index would lead astray as well.
    static let sql = """
        CREATE TABLE entry (
            payment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            write TEXT NOT NULL,
            content INTEGER NOT NULL,
            at INTEGER NOT NULL,
            events BLOB NOT NULL,
            answer BLOB NOT NULL,
            timeline BLOB NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY (payment, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE id (id TEXT NOT NULL PRIMARY KEY, payment INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX id_payment ON id (payment);
        CREATE TABLE origin (
            payment INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            scope TEXT NOT NULL,
            is_dry_run INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX origin_id ON origin (id);
        CREATE INDEX origin_scope ON origin (scope, payment) WHERE is_dry_run = 0;
        CREATE TABLE name (
            hash INTEGER NOT NULL,
            payment INTEGER NOT NULL,
            PRIMARY KEY (hash, payment)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE reference (
            hash INTEGER NOT NULL,
            payment INTEGER NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (hash, payment)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reference_until ON reference (hash, until);
        CREATE TABLE open (
            payment INTEGER NOT NULL,
            attempt TEXT NOT NULL,
            scope TEXT NOT NULL,
            account INTEGER NOT NULL,
            is_open INTEGER NOT NULL,
            is_candidate INTEGER NOT NULL,
            looks INTEGER NOT NULL,
            next_look INTEGER,
            owed BLOB,
            marks BLOB,
            PRIMARY KEY (payment, attempt)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX open_due ON open (next_look, attempt) WHERE next_look IS NOT NULL;
        CREATE INDEX open_candidate ON open (account) WHERE is_candidate = 1;
        CREATE TABLE notice (
            seq INTEGER PRIMARY KEY,
            message TEXT NOT NULL UNIQUE,
            at INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE notice_name (
            hash INTEGER NOT NULL,
            notice INTEGER NOT NULL,
            PRIMARY KEY (hash, notice)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE overfull (hash INTEGER NOT NULL PRIMARY KEY) STRICT;
        CREATE TABLE waiting (
            seq INTEGER PRIMARY KEY,
            payment INTEGER NOT NULL,
            body BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX waiting_payment ON waiting (payment, seq);
        CREATE TABLE feed (
            seq INTEGER PRIMARY KEY,
            payment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE endpoint (
            name TEXT NOT NULL PRIMARY KEY,
            feed TEXT NOT NULL,
            row INTEGER NOT NULL,
            place INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            probe INTEGER NOT NULL,
            off INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE delivery (
            endpoint TEXT NOT NULL,
            event TEXT NOT NULL,
            body TEXT NOT NULL,
            at INTEGER NOT NULL,
            tries INTEGER NOT NULL,
            due INTEGER,
            taken INTEGER NOT NULL,
            failure TEXT NOT NULL,
            PRIMARY KEY (endpoint, event)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX delivery_due ON delivery (endpoint, due) WHERE due IS NOT NULL;
        CREATE TABLE forgotten (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE counter (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO counter (name, value) VALUES ('commit', 0), ('number', 1), ('generation', 1), ('generation-name', random() & 281474976710655),
            ('feed-name', random() & 281474976710655), ('restored', 0), ('gap', 0), ('moved', 0), ('pruned', 0);
        """

    /// Refuses a file that is neither empty nor of this format. It changes nothing, and comes before everything that
    /// does.
    static func examine(_ connection: SQLiteConnection) throws {
        let (application, version) = try signs(connection)
        if application == 0 {
            let tables = try connection.number("SELECT count(*) FROM sqlite_master", doing: "reading the shape")
            guard tables == 0 else { throw SQLiteOpenError.notOurs }
            return
        }
        guard application == applicationID else { throw SQLiteOpenError.notOurs }
        guard version <= self.version else { throw SQLiteOpenError.newer(found: version, known: self.version) }
        guard version == self.version else { throw SQLiteOpenError.former(found: version, known: self.version) }
    }

    /// Makes an empty file a journal, and refuses one of another shape.
    static func prepare(_ connection: SQLiteConnection) throws {
        try examine(connection)
        if try signs(connection).application == 0 { try create(connection) }
        try compare(connection)
    }

    /// Refuses a file that can't be read as it is, where it is only read.
    static func require(_ connection: SQLiteConnection) throws {
        try examine(connection)
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
        guard try shape(connection) == shape(expected) else { throw SQLiteOpenError.otherShape }
    }

    private static func shape(_ connection: SQLiteConnection) throws -> [[String?]] {
        try connection.rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' "
                + "ORDER BY type, name", [], doing: "comparing the shape"
        ) { row in (0...3).map { row.text($0) } }
    }
}

/// How a file is opened; the defaults are right but for tests and tools.
package struct OpeningOptions: Sendable {
    /// How long a journal that is opened waits unless its options say otherwise, in milliseconds.
    @TaskLocal package static var busyLimit: Int32 = 10_000

    /// How long to wait for another process that writes, in milliseconds; measured waits stay below one second.
    package var busyMilliseconds: Int32 = OpeningOptions.busyLimit
    /// How many pages the file may have; nil for as many as the disk takes.
    package var pagesMax: Int64?
    /// Up to how many pages a file is checked whole when it is opened; 32 MB take well under a second.
    package var checkedPagesMax: Int64 = 8_192
    /// Whether the file is only read; nothing can begin then.
    package var isReadOnly = false
    /// Whether nothing writes the file in the meantime, so that it is read without its log and any other file.
    package var isUnchanging = false
    /// What time it is for what the opening itself writes down.
    package var now = Attempt.Instant(
        wall: SystemClock().now, uptime: SystemClock().uptime, boot: SystemClock().boot)

    /// By what the opening claims the file for itself; nil where several processes share it.
    var claim: Int64?
    /// Asked before each commit whether it shall fail.
    package var commitFault: (@Sendable () -> CommitFault?)?

    package init() {}
}
