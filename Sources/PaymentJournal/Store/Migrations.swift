/// How the file came to its present shape: numbered steps, never edited once they were released.
enum Migrations {
    /// What tells that a file is one of ours: "PAYJ" as a number.
    static let applicationID: Int64 = 0x5041_594A

    /// The steps; the n-th leads from version n − 1 to n.
    static let steps: [String] = [
        """
        CREATE TABLE attempt (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            payment TEXT NOT NULL,
            is_origin INTEGER NOT NULL,
            operation TEXT NOT NULL,
            minor_units INTEGER NOT NULL,
            currency TEXT NOT NULL,
            reference TEXT NOT NULL,
            source TEXT,
            last4 TEXT,
            provider TEXT NOT NULL,
            adapter TEXT NOT NULL,
            environment TEXT NOT NULL,
            merchant TEXT NOT NULL,
            round INTEGER NOT NULL,
            state TEXT NOT NULL,
            is_unsettled INTEGER NOT NULL,
            begun_at INTEGER NOT NULL,
            submitted_at INTEGER,
            event_at INTEGER,
            evidence TEXT,
            claim TEXT,
            owner TEXT NOT NULL,
            verdict TEXT,
            notes TEXT NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX attempt_payment ON attempt (payment, seq);
        CREATE INDEX attempt_origin ON attempt (seq) WHERE is_origin = 1;
        CREATE INDEX attempt_reference ON attempt (reference) WHERE is_origin = 1;
        CREATE INDEX attempt_unsettled ON attempt (seq) WHERE is_unsettled = 1;
        CREATE TABLE handle (
            value TEXT NOT NULL,
            attempt INTEGER NOT NULL REFERENCES attempt (seq),
            PRIMARY KEY (value, attempt)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX handle_attempt ON handle (attempt);
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY,
            payment TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            attempt TEXT,
            provider TEXT,
            kind TEXT NOT NULL,
            attributes TEXT NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX event_payment ON event (payment, sequence, at, seq);
        """,
        "CREATE TABLE number (name TEXT NOT NULL PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
        // How many attempts follow an origin stands in its row, so that one which an index hides is missed.
        """
        ALTER TABLE attempt ADD COLUMN followers INTEGER NOT NULL DEFAULT 0;
        UPDATE attempt SET followers =
            (SELECT count(*) FROM attempt AS other WHERE other.payment = attempt.payment AND other.is_origin = 0)
            WHERE is_origin = 1;
        CREATE TRIGGER attempt_followers AFTER INSERT ON attempt WHEN NEW.is_origin = 0 BEGIN
            UPDATE attempt SET followers = followers + 1 WHERE payment = NEW.payment AND is_origin = 1;
        END;
        """,
    ]

    /// Brings a file to the present shape; refuses one that is not ours or newer than we are.
    static func run(_ connection: SQLiteConnection) throws {
        let version = try connection.number("PRAGMA user_version", doing: "reading the version")
        let application = try connection.number("PRAGMA application_id", doing: "reading the version")
        let tables = try connection.number("SELECT count(*) FROM sqlite_master", doing: "reading the version")
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw OpeningFailure.notOurs
        }
        guard version <= steps.count else { throw OpeningFailure.newer(found: version, known: steps.count) }
        for number in Int(version)..<steps.count {
            try connection.execute("BEGIN IMMEDIATE", doing: "changing the file's shape")
            let held = try connection.number("PRAGMA user_version", doing: "reading the version")
            // Another process may have been faster.
            if held == number {
                try connection.execute(steps[number], doing: "changing the file's shape")
                try connection.execute("PRAGMA user_version = \(number + 1)", doing: "changing the file's shape")
                try connection.execute("PRAGMA application_id = \(applicationID)", doing: "changing the file's shape")
            }
            try connection.execute("COMMIT", doing: "changing the file's shape")
        }
    }
}
