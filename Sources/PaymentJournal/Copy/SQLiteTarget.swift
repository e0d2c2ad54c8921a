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
            OR EXISTS (SELECT 1 FROM event) OR EXISTS (SELECT 1 FROM counter WHERE value > 1)
            """, doing: "copying")
        let mark = OutsideMark.read(path)
        guard held == 0, mark.map({ $0.commit == 0 && $0.number == 1 && $0.generation == 0 }) ?? true else {
            throw JournalCopyFailure("\(path) isn't empty, or a journal was there before; name a file that is new")
        }
    }

    private func open() throws -> SQLiteConnection {
        guard let connection else { throw JournalCopyFailure("\(path) isn't open") }
        return connection
    }

    package func write(_ pieces: [JournalPiece]) throws {
        let connection = try open()
        try Self.explaining(path) {
            let writer = EntryWriter(connection)
            for piece in pieces { try writer.copy(piece) }
        }
    }

    package func pieces(
        _ kind: JournalPiece.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalPiece], next: JournalPlace)? {
        let connection = try open()
        return try Self.explaining(path) { try SQLitePieces(connection: connection).pieces(kind, after: place) }
    }

    package func counters() throws -> JournalCounters { try SQLitePieces(connection: open()).counters() }

    package func finish(_ counters: JournalCounters, gone: Set<String>) throws {
        let connection = try open()
        for (name, value) in [
            ("number", counters.number), ("generation", counters.generation), ("restored", counters.restored),
            ("commit", 1),
        ] {
            try connection.run(
                "UPDATE counter SET value = ?2 WHERE name = ?1", [.text(name), .integer(value)], doing: "copying")
        }
        for owner in gone.sorted() { ProcessLocks.bury(owner, besideJournal: path) }
        // Without its mark it is a journal that was restored, and begins nothing.
        OutsideMark.remove(path)
        try Self.explaining(path) { try connection.execute("COMMIT", doing: "copying") }
    }

    package func admit() throws {
        let descriptor = OutsideMark.open(path)
        guard descriptor >= 0 else { throw JournalCopyFailure("the mark beside \(path) can't be written") }
        let counters = try counters()
        OutsideMark(commit: 1, number: counters.number, generation: counters.generation).write(descriptor)
        OutsideMark.close(descriptor)
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
                "\(path) is in use, and can't be \(what) (\(living.joined(separator: ", "))); stop whoever uses it")
        }
    }

    /// Says in words why something failed.
    static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as OpeningFailure {
            throw JournalCopyFailure("\(path): \(failure.words)")
        } catch let failure as SQLiteFailure { throw JournalCopyFailure("\(path): \(failure.words)") } catch let failure
            as StoreFailure
        {
            switch failure.ofReading {
            case .notWritten(let words), .fateUnknown(let words): throw JournalCopyFailure("\(path): \(words)")
            case .unreadable(let key):
                throw JournalCopyFailure(
                    "\(path): the attempt \(key?.attempt.text ?? "in a row") can't be read: restore a backup first")
            case .forgotten(let key): throw JournalCopyFailure("\(path): \(key.attempt) was pruned")
            }
        }
    }
}

extension EntryWriter {
    /// Writes a piece of another journal as it is.
    fileprivate func copy(_ piece: JournalPiece) throws {
        switch piece {
        case .attempt(let seq, let entries, let looks, let nextLook): try copy(seq, entries, looks, nextLook)
        case .answer(let write, let at, let body):
            let number = try connection.number(
                "SELECT coalesce(max(number), 0) + 1 FROM entry WHERE attempt = 0", doing: "copying")
            try insert(0, number, WriteID(write), answer: body, facts: [], JournalInstant(wall: at, uptime: 0))
        case .notice(let account, let value, let at, let body):
            try insert("notice (seq, account, value, at, body, sum)", nextSeq("notice"), account, value, at, body)
        case .event(let scope, let payment, let at, let body):
            try insert("event (seq, scope, payment, at, body, sum)", nextSeq("event"), scope, payment, at, body)
        case .forgotten(let seq, let scope, let id, let names):
            try connection.run(
                "INSERT INTO forgotten (seq, scope, id) VALUES (?1, ?2, ?3)",
                [.integer(seq), .text(scope), .text(id)], doing: "copying")
            for name in names { try insert(name.account, name.value, -seq) }
        }
    }

    private func copy(
        _ seq: Int64, _ entries: [JournalPiece.Entry], _ looks: Int64, _ nextLook: Int64?
    ) throws {
        let list = try JournalPiece.list(entries)
        guard let facts = AttemptFacts(list) else { throw StoreFailure.unreadable(nil) }
        let values = AttemptRow.values(seq, facts, entries: Int64(entries.count))
        try connection.run(
            Self.insertion,
            values + [.integer(RowSum.of(values)), .integer(looks), .integer(orNull: nextLook)], doing: "copying")
        for (index, entry) in entries.enumerated() {
            try insert(
                seq, Int64(index + 1), WriteID(entry.write), answer: entry.isAnswer ? [] : nil, facts: entry.facts,
                JournalInstant(wall: entry.at, uptime: 0))
        }
        for case .name(let name) in list { try insert(FactCodec.text(name.provider), name.value, seq) }
        if !facts.intent.isOrigin {
            try connection.run(
                "UPDATE attempt SET followers = followers + 1 WHERE scope = ?1 AND id = ?2 AND is_origin = 1",
                [.text(facts.intent.scope), .text(facts.intent.origin.attempt.text)], doing: "copying")
        }
    }

    private func insert(
        _ place: String, _ seq: Int64, _ first: String, _ second: String, _ at: Int64, _ body: [UInt8]
    ) throws {
        let values: [SQLiteValue] = [.integer(seq), .text(first), .text(second), .integer(at), .bytes(body)]
        try connection.run(
            "INSERT INTO \(place) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", values + [.integer(RowSum.of(values))],
            doing: "copying")
    }

    private func insert(_ account: String, _ value: String, _ seq: Int64) throws {
        try connection.run(
            "INSERT OR IGNORE INTO name (account, value, attempt) VALUES (?1, ?2, ?3)",
            [.text(account), .text(value), .integer(seq)], doing: "copying")
    }
}
