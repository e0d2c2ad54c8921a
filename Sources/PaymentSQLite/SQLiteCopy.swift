#if os(Linux) && !APPLE_CHECK
internal import PaymentBase
package import PaymentJournalKit
internal import PaymentModel

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
            return try refuseMoved()
        }
        // A process that opens it from now on waits for the lock; one that had it open before holds a lock of its own.
        try SQLiteTarget.explaining(path) { try connection.execute("BEGIN IMMEDIATE", doing: "copying") }
        try SQLiteTarget.refuseUse(path, "copied for good")
        let mark = HighWaterMarkFile.read(path)
        try refuseMoved()
        guard let mark, try !mark.isAhead(of: inside()) else {
            throw JournalCopyFailure(
                "\(path) was restored from a copy; accept it first (payctl journal accept-restored)")
        }
    }

    /// A copy of a moved journal could be accepted, and is behind the one that continues.
    private func refuseMoved() throws {
        let moved = try connection.number("SELECT value FROM counter WHERE name = 'moved'", doing: "copying")
        guard moved == 0 else { throw JournalCopyFailure("\(path) was moved before, and continues elsewhere") }
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

/// A file that is filled, in one transaction.
package final class SQLiteTarget: JournalTarget {
    private let path: String
    private var connection: SQLiteConnection?
    private let now = OpeningOptions().now

    /// Names a file that needn't be there.
    package init(_ path: String) { self.path = path }

    /// How the names of files end that lie beside a journal.
    private static let companions = ["-wal", "-shm", "-journal", ".last", ".owners"]

    package func begin() throws {
        guard !path.isEmpty, !Self.companions.contains(where: { path.hasSuffix($0) }) else {
            throw JournalCopyFailure(
                "\"\(path)\" is no name for a journal: give one that is not empty, and that no file beside a journal has"
            )
        }
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
            OR EXISTS (SELECT 1 FROM counter WHERE value > 1 AND name NOT IN ('generation-name', 'feed-name'))
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
        let writer = LogWriter(connection) { _ in false }
        try Self.explaining(path) { for piece in pieces { try writer.copy(piece) } }
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
            ("pruned", counters.pruned), ("commit", 1),
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

/// Reads all that a file holds, in pieces.
struct SQLitePieces {
    let connection: SQLiteConnection
    private static let limit = 200

    init(connection: SQLiteConnection) { self.connection = connection }

    func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        // What is computed from a log the other store computes again, so that it is not compared here.
        let walk = LogWalk(connection: connection, isCompared: false)
        switch kind {
        case .payments:
            let logs = try walk.logs(after: max(0, place.number), Self.limit)
            return logs.last.map { (logs.map { .payment($0) }, JournalPlace($0.number)) }
        case .notices:
            let notices = try walk.notices(after: max(0, place.number), Self.limit)
            if let lost = notices.first(where: { $0.notice == nil }) {
                throw JournalCopyFailure("the message in row \(lost.number) can't be read: restore a backup first")
            }
            return notices.last.map { (notices.map { .notice($0) }, JournalPlace($0.number)) }
        case .overfull:
            let hashes = try connection.rows(
                "SELECT hash FROM overfull WHERE hash > ?1 ORDER BY hash LIMIT \(Self.limit)", [.integer(place.number)],
                doing: "copying"
            ) { $0.integer(0) }
            return hashes.last.map { (hashes.map { .overfull(hash: $0) }, JournalPlace($0)) }
        case .forgotten:
            let ids = try connection.rows(
                "SELECT id FROM forgotten WHERE id > ?1 ORDER BY id LIMIT \(Self.limit)", [.text(place.text)],
                doing: "copying"
            ) { $0.text(0) ?? "" }
            return ids.last.map { (ids.map { .forgotten($0) }, JournalPlace(.min, $0)) }
        case .forgottenNames:
            let names = try connection.rows(
                "SELECT hash, payment FROM name WHERE payment < 0 AND (hash, payment) > (?1, ?2) ORDER BY hash, payment "
                    + "LIMIT \(Self.limit)", [.integer(place.number), .integer(Int64(place.text) ?? .min)],
                doing: "copying"
            ) { (hash: $0.integer(0), payment: $0.integer(1)) }
            return names.last.map { last in
                let pieces = names.map { JournalChunk.forgottenName(hash: $0.hash, payment: $0.payment) }
                return (pieces, JournalPlace(last.hash, String(last.payment)))
            }
        }
    }

    func counters() throws -> JournalCounters {
        let reader = LogReader(connection: connection)
        return JournalCounters(
            number: try reader.counter("number"), generation: try reader.counter("generation"),
            generationName: try reader.counter("generation-name"), restored: try reader.counter("restored"),
            gap: try reader.counter("gap"), pruned: try reader.pruned())
    }
}
#endif
