package import PaymentAbstraction

/// A file that is filled, in one transaction.
package final class SQLiteTarget: JournalTarget {
    private let path: String
    private var connection: SQLiteConnection?
    private let now = OpeningOptions().now

    /// Names a file that needn't be there.
    package init(_ path: String) { self.path = path }

    package func begin() throws {
        let connection = try Self.explaining(path) {
            JournalFile.prepare(path)
            return try SQLiteJournal.connect(path, isReadOnly: false, OpeningOptions())
        }
        self.connection = connection
        try Self.explaining(path) { try connection.execute("BEGIN IMMEDIATE", doing: "copying") }
        try Self.refuseUse(path, "filled")
        let held = try connection.number(
            """
            SELECT EXISTS (SELECT 1 FROM entry) OR EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM notice) \
            OR EXISTS (SELECT 1 FROM counter WHERE value > 1 AND name <> 'generation-name')
            """, doing: "copying")
        let mark = HighWaterMarkFile.read(path)
        guard held == 0, mark.map({ $0.commit == 0 && $0.number == 1 && $0.generation == 0 }) ?? true else {
            throw JournalCopyFailure("\(path) isn't empty, or a journal was there before; name a file that is new")
        }
    }

    private func open() throws -> SQLiteConnection {
        guard let connection else { throw JournalCopyFailure("\(path) isn't open") }
        return connection
    }

    package func write(_ pieces: [JournalChunk]) throws {
        let connection = try open()
        try Self.explaining(path) {
            for piece in pieces { try PieceWriter(connection: connection).write(piece) }
        }
    }

    package func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        let connection = try open()
        return try Self.explaining(path) { try SQLitePieces(connection: connection).pieces(kind, after: place) }
    }

    package func counters() throws -> JournalCounters { try SQLitePieces(connection: open()).counters() }

    package func finish(_ counters: JournalCounters, gone: Set<String>) throws {
        let connection = try open()
        for (name, value) in [
            ("number", counters.number), ("generation", counters.generation),
            ("generation-name", counters.generationName), ("restored", counters.restored), ("gap", counters.gap),
            ("commit", 1),
        ] {
            try connection.run(
                "UPDATE counter SET value = ?2 WHERE name = ?1", [.text(name), .integer(value)], doing: "copying")
        }
        for owner in gone.sorted() { ProcessLocks.bury(owner, besideJournal: path) }
        // Without its mark it is a journal that was restored, and begins nothing.
        HighWaterMarkFile.remove(path)
        try Self.explaining(path) { try connection.execute("COMMIT", doing: "copying") }
    }

    package func admit() throws {
        let descriptor = HighWaterMarkFile.open(path)
        guard descriptor >= 0 else { throw JournalCopyFailure("the mark beside \(path) can't be written") }
        let counters = try counters()
        HighWaterMarkFile(commit: 1, number: counters.number, generation: counters.generation).write(descriptor)
        HighWaterMarkFile.close(descriptor)
    }

    package func end() {
        guard let connection else { return }
        if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "copying") }
        connection.close()
        self.connection = nil
    }

    // MARK: - Of both ends

    /// Whether two paths lead to one file.
    package static func isSame(_ one: String, _ other: String) -> Bool { RealPath.of(one) == RealPath.of(other) }

    /// Refuses a journal that processes use.
    static func refuseUse(_ path: String, _ what: String) throws {
        let living = ProcessLocks.living(besideJournal: path)
        guard living.isEmpty else {
            throw JournalCopyFailure(
                "\(path) is in use, and can't be \(what) (\(living.joined(separator: ", "))); stop what uses it")
        }
    }

    /// Says in words why something failed.
    static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as SQLiteOpenError {
            throw JournalCopyFailure("\(path): \(failure.words)")
        } catch let failure as SQLiteFailure { throw JournalCopyFailure("\(path): \(failure.words)") } catch let failure
            as SQLiteStoreError
        {
            switch failure.ofReading {
            case .notWritten(let words), .writeUnconfirmed(let words), .unwritable(let words):
                throw JournalCopyFailure("\(path): \(words)")
            case .unreadable(let payment):
                throw JournalCopyFailure(
                    "\(path): the payment \(payment?.attempt.text ?? "in a row") can't be read: restore a backup first")
            case .pruned(let attempt): throw JournalCopyFailure("\(path): \(attempt) was pruned")
            }
        }
    }
}
