/// The shape that files had in the first edition, and how they came to it; never edited, since such files are there.
enum FirstEdition {
    /// The last version of the first edition.
    static let version: Int64 = 3

    /// The steps from one version to the next that a file may still lack.
    private static let steps: [Int64: String] = [
        1: "CREATE TABLE number (name TEXT NOT NULL PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
        // The count of followers is worth nothing any more.
        2: "",
    ]

    /// What lies in the way of the new shape, and what the old tables are called while both are there.
    private static let asidePut = """
        DROP TRIGGER IF EXISTS attempt_followers;
        DROP INDEX attempt_payment;
        DROP INDEX attempt_origin;
        DROP INDEX attempt_reference;
        DROP INDEX attempt_unsettled;
        DROP INDEX handle_attempt;
        DROP INDEX event_payment;
        ALTER TABLE attempt RENAME TO first_attempt;
        ALTER TABLE event RENAME TO first_event;
        """

    /// Puts the old tables aside, within a transaction.
    static func putAside(_ connection: SQLiteConnection, from version: Int64) throws {
        for number in version..<Self.version {
            try connection.execute(steps[number] ?? "", doing: "bringing the file to the present version")
        }
        try connection.execute(asidePut, doing: "bringing the file to the present version")
    }

    /// Removes the old tables.
    static func remove(_ connection: SQLiteConnection) throws {
        try connection.execute(
            "DROP TABLE handle; DROP TABLE first_attempt; DROP TABLE first_event; DROP TABLE number",
            doing: "bringing the file to the present version")
    }
}
