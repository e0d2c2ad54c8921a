internal import PaymentAbstraction

/// Reads attempts through one connection.
struct FactReader {
    let connection: SQLiteConnection
    /// What need not be read again; nil for a reader that believes nothing but the file.
    var cache: FactCache?

    /// An attempt with the row beside it.
    struct Held {
        let row: AttemptRow
        let facts: AttemptFacts
        /// The facts one by one, as they were written.
        let list: [JournalFact]
    }

    /// A row that was looked for: the attempt, or the name of what can't be read.
    struct Found {
        let seq: Int64
        let outcome: Result<Held, StoreFailure>

        /// The attempt.
        ///
        /// - Throws: `StoreFailure.unreadable` when it can't be read.
        func get() throws(StoreFailure) -> Held { try outcome.get() }
    }

    // MARK: - One attempt

    /// The attempt of a name; nil when there is none.
    func held(_ key: AttemptKey) throws -> Held? {
        try find("scope = ?1 AND id = ?2", [.text(key.scope), .text(key.attempt.text)]).first?.get()
    }

    /// The same, found in a second way where an index could hide it: as the head of its payment's family.
    func heldSurely(_ key: AttemptKey) throws -> Held? {
        if let held = try held(key) { return held }
        let hidden = try family(key).contains { try $0.get().facts.intent.key == key }
        if hidden { throw StoreFailure.damagedIndex(key) }
        return nil
    }

    /// A payment's attempts, oldest first.
    func family(_ origin: AttemptKey) throws -> [Found] {
        try find(
            "scope = ?1 AND payment = ?2 ORDER BY seq", [.text(origin.scope), .text(origin.attempt.text)])
    }

    /// A payment's attempts, all of them: as many as the origin's own row counts.
    func wholeFamily(_ origin: AttemptKey) throws -> [Held] {
        let family = try family(origin).map { try $0.get() }
        let head = try held(origin)
        let isHead = head?.row.isOrigin ?? false
        guard family.first(where: \.row.isOrigin)?.row.seq == (isHead ? head?.row.seq : nil) else {
            throw StoreFailure.damagedIndex(origin)
        }
        let count = isHead ? (head?.row.followers ?? 0) + 1 : 0
        guard Int64(family.count) == count else { throw StoreFailure.damagedIndex(origin) }
        return family
    }

    /// Attempts that a provider calls so, and whether one was called so that is forgotten.
    func holders(_ name: String, _ provider: ProviderIdentity) throws -> (held: [Held], forgotten: [AttemptKey]) {
        let places = try connection.rows(
            "SELECT attempt FROM name WHERE account = ?1 AND value = ?2 ORDER BY attempt",
            [.text(FactCodec.text(provider)), .text(name)], doing: "reading names"
        ) { $0.integer(0) }
        var (held, forgotten) = ([Held](), [AttemptKey]())
        for place in places {
            if place < 0 {
                forgotten += try connection.rows(
                    "SELECT scope, id FROM forgotten WHERE seq = ?1", [.integer(-place)], doing: "reading names"
                ) { AttemptKey(try AttemptID($0.text(1) ?? ""), scope: $0.text(0) ?? "") }
            } else {
                // A name that leads nowhere is damage; nobody else may get it.
                guard let found = try find("seq = ?1", [.integer(place)]).first else { throw StoreFailure.damagedRow }
                held.append(try found.get())
            }
        }
        return (held, forgotten)
    }

    /// Whether an attempt of that name was there and is forgotten.
    func isForgotten(_ key: AttemptKey) throws -> Bool {
        try connection.number(
            "SELECT EXISTS (SELECT 1 FROM forgotten WHERE scope = ?1 AND id = ?2)",
            [.text(key.scope), .text(key.attempt.text)], doing: "reading attempts") == 1
    }

    /// Whether an origin has nothing before it under its id, its payment and its reference, asked in one question, since
    /// it is so for nearly every sale.
    func isNew(_ intent: AttemptIntent) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM attempt WHERE scope = ?1 AND id = ?2) \
            OR EXISTS (SELECT 1 FROM attempt WHERE scope = ?1 AND payment = ?2) \
            OR EXISTS (SELECT 1 FROM forgotten WHERE scope = ?1 AND id = ?2) \
            OR EXISTS (SELECT 1 FROM attempt WHERE scope = ?1 AND reference = ?3 AND blocks = 1)
            """
        return try connection.number(
            sql, [.text(intent.scope), .text(intent.attempt.text), .text(intent.reference)], doing: "reading attempts")
            == 0
    }

    // MARK: - Rows

    private static let selection = "SELECT \(AttemptRow.columns) FROM attempt WHERE "

    /// Rows that fulfil a condition, each with its facts.
    func find(_ condition: String, _ values: [SQLiteValue]) throws -> [Found] {
        let rows = try connection.rows(Self.selection + condition, values, doing: "reading attempts") { row in
            (seq: row.integer(0), row: Result { () throws(StoreFailure) in try AttemptRow(row) })
        }
        return try rows.map { seq, read in
            switch read {
            case .failure(let failure): Found(seq: seq, outcome: .failure(failure))
            case .success(let row): Found(seq: seq, outcome: try held(row))
            }
        }
    }

    private func held(_ row: AttemptRow) throws -> Result<Held, StoreFailure> {
        if let known = cache?.held(row) { return .success(known) }
        do {
            let list = try facts(row)
            guard let whole = AttemptFacts(list), whole.intent.key == row.key else {
                return .failure(.unreadable(row.key))
            }
            cache?.keep(row.seq, entries: row.entries, sum: row.sum, whole, list)
            return .success(Held(row: row, facts: whole, list: list))
        } catch let failure as StoreFailure {
            return .failure(failure)
        }
    }

    /// All facts of an attempt: its entries in order, none of them missing.
    private func facts(_ row: AttemptRow) throws -> [JournalFact] {
        let entries = try connection.rows(
            "SELECT attempt, number, write, answer, at, facts, sum FROM entry WHERE attempt = ?1 ORDER BY number",
            [.integer(row.seq)], doing: "reading facts"
        ) { entry -> [UInt8]? in
            entry.integer(6) == RowSum.of(entry.values(0...5)) ? entry.bytes(5) : nil
        }
        guard Int64(entries.count) == row.entries else { throw StoreFailure.unreadable(row.key) }
        var facts: [JournalFact] = []
        for entry in entries {
            guard let entry, let read = try? FactCodec.facts(entry) else { throw StoreFailure.unreadable(row.key) }
            facts += read
        }
        return facts
    }

    /// When the journal was taken as it is after it had been restored from a copy; nil when it never was.
    func restoredAt() throws -> Int64? {
        let found = try connection.rows(
            "SELECT value FROM counter WHERE name = 'restored'", [], doing: "looking for a restoration"
        ) { $0.integer(0) }
        return found.first.flatMap { $0 > 0 ? $0 : nil }
    }
}
