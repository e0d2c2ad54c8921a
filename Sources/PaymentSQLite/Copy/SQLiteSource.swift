package import PaymentAbstraction

/// A file that is copied.
package final class SQLiteSource: JournalSource {
    private let path: String
    private let connection: SQLiteConnection

    /// Opens a journal that is there.
    ///
    /// - Throws: `JournalCopyFailure` where there is none, or it can't be used.
    package init(_ path: String) throws {
        guard JournalFile.isThere(path) else { throw JournalCopyFailure("there is no journal \(path)") }
        self.path = path
        connection = try SQLiteTarget.explaining(path) {
            try SQLiteJournal.connect(path, isReadOnly: false, OpeningOptions())
        }
    }

    package func begin(isMove: Bool) throws {
        guard isMove else {
            // The state that a first reading sees is the one that all others see.
            try connection.execute("BEGIN", doing: "copying")
            _ = try counters()
            return
        }
        // A process that opens it from now on waits for the lock; one that had it open before holds a lock of its own.
        try SQLiteTarget.explaining(path) { try connection.execute("BEGIN IMMEDIATE", doing: "copying") }
        try SQLiteTarget.refuseUse(path, "copied for good")
        let mark = HighWaterMarkFile.read(path)
        let moved = try connection.number("SELECT value FROM counter WHERE name = 'moved'", doing: "copying")
        guard moved == 0 else { throw JournalCopyFailure("\(path) was moved before, and continues elsewhere") }
        guard let mark, try !mark.isAhead(of: inside()) else {
            throw JournalCopyFailure(
                "\(path) was restored from a copy; accept it first (payctl journal accept-restored)")
        }
    }

    private func inside() throws -> HighWaterMarkFile {
        let counters = try counters()
        let commit = try connection.number("SELECT value FROM counter WHERE name = 'commit'", doing: "copying")
        return HighWaterMarkFile(commit: commit, number: counters.number, generation: counters.generation)
    }

    package func isGone(_ owner: String) throws -> Bool { ProcessLocks.isGone(owner, besideJournal: path) }

    package func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        try SQLiteTarget.explaining(path) { try SQLitePieces(connection: connection).pieces(kind, after: place) }
    }

    package func counters() throws -> JournalCounters { try SQLitePieces(connection: connection).counters() }

    package func retire() throws {
        try connection.execute(
            """
            UPDATE counter SET value = 1 WHERE name = 'moved'; \
            UPDATE counter SET value = value + 1 WHERE name = 'commit'; COMMIT
            """, doing: "moving")
        let descriptor = HighWaterMarkFile.open(path)
        guard descriptor >= 0 else { return }
        try inside().write(descriptor)
        HighWaterMarkFile.close(descriptor)
    }

    package func end() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "copying") }
        connection.close()
    }
}
