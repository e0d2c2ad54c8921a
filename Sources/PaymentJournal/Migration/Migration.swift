internal import PaymentAbstraction
internal import PaymentSystem

/// Brings a file of the first edition to the present one: in one transaction, after a copy of it as it was.
///
/// Nobody can write meanwhile, and whoever has it open with the earlier software can't afterwards: his tables are gone.
struct Migration {
    let path: String
    let connection: SQLiteConnection
    let now: JournalInstant

    private static let doing = "bringing the file to the present version"

    /// Where the file is kept as it was.
    static func kept(_ path: String) -> String { path + ".edition-1" }

    func run() throws {
        let owners = try FirstOwners(besideJournal: path)
        defer { owners.release() }
        try connection.execute("BEGIN IMMEDIATE", doing: Self.doing)
        do {
            let version = try Schema.signs(connection).version
            // Another process may have been faster.
            if version <= FirstEdition.version {
                try copy()
                try FirstEdition.putAside(connection, from: version)
                try Schema.build(connection)
                try fill()
                try compare()
                try FirstEdition.remove(connection)
                try mark()
            }
            try connection.execute("COMMIT", doing: Self.doing)
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: Self.doing) }
            throw error
        }
    }

    // MARK: - The copy

    /// Keeps the file as it is now; the writing lock is held, so that it stays so.
    private func copy() throws {
        let (kept, made) = (Self.kept(path), Self.kept(path) + ".new")
        _ = unsafe unlink(made)
        JournalFile.prepare(made)
        let other = try SQLiteConnection(path: path, isReadOnly: true, busyMilliseconds: 1_000)
        defer { other.close() }
        try other.run("VACUUM INTO ?1", [.text(made)], doing: "keeping the file as it was")
        let descriptor = unsafe open(made, O_RDONLY | O_CLOEXEC)
        let isSafe = descriptor >= 0 && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        guard isSafe, unsafe rename(made, kept) == 0 else {
            throw OpeningFailure.notMigrated("no copy of it can be kept beside it; look at the disk")
        }
    }

    /// Makes the mark outside, so that what was brought over isn't taken for restored; one that is there belongs to a
    /// journal of this edition, in whose place an old copy was put.
    private func mark() throws {
        guard OutsideMark.read(path) == nil else { return }
        let number = try connection.number("SELECT value FROM counter WHERE name = 'number'", doing: Self.doing)
        let descriptor = OutsideMark.open(path)
        guard descriptor >= 0 else { throw OpeningFailure.notMigrated("nothing can be written beside it") }
        defer { close(descriptor) }
        OutsideMark(commit: 0, number: number, generation: 0).write(descriptor)
        fsync(descriptor)
    }

    // MARK: - The facts

    private func fill() throws {
        let writer = EntryWriter(connection)
        let taken = try ambiguous()
        try eachRow("SELECT \(FirstAttempt.columns) FROM first_attempt WHERE seq > ?1 ORDER BY seq") { row in
            let seq = row.integer(0)
            guard let attempt = try? FirstAttempt(row) else { return try Row(row).write(writer, seq, now) }
            let account = FactCodec.text(attempt.provider)
            let names = attempt.names.filter { !taken.contains([account, $0]) }
            try writer.adopt(
                attempt.facts(names: Array(names), at: now), WriteID("edition-1-\(seq)"), at: now)
        }
        let events = """
            SELECT seq, payment, sequence, at, attempt, provider, kind, attributes, sum FROM first_event \
            WHERE seq > ?1 ORDER BY seq
            """
        try eachRow(events) { row in
            guard let event = try? Self.event(row) else { return try Self.writeUnreadable(row, writer) }
            try writer.append([event], scope: "")
        }
        try connection.run(
            "UPDATE counter SET value = coalesce((SELECT next FROM number WHERE name = 'message'), 1) "
                + "WHERE name = 'number'", [], doing: Self.doing)
    }

    /// Names that attempts of different payments have at one account: they name nobody for certain.
    private func ambiguous() throws -> Set<[String]> {
        var holders: [[String]: String] = [:]
        var ambiguous: Set<[String]> = []
        try eachRow("SELECT \(FirstAttempt.columns) FROM first_attempt WHERE seq > ?1 ORDER BY seq") { row in
            guard let attempt = try? FirstAttempt(row) else { return }
            let (account, payment) = (FactCodec.text(attempt.provider), attempt.intent.paymentID.attempt.text)
            for name in attempt.names where holders.updateValue(payment, forKey: [account, name]) ?? payment != payment
            {
                ambiguous.insert([account, name])
            }
        }
        return ambiguous
    }

    /// Goes through a table in pieces, so that a large journal needs no large memory, and what is done with a row may
    /// use the connection.
    private func eachRow(_ sql: String, _ body: (SQLiteStatement) throws -> Void) throws {
        // A statement of its own, which nothing in between goes back to the beginning of.
        let statement = try connection.prepared(sql, doing: Self.doing)
        try statement.bind([.integer(-1)])
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    private static func event(_ row: SQLiteStatement) throws -> PaymentEvent {
        guard row.integer(8) == RowSum.of(row.values(1...7)), let payment = row.text(1), let kind = row.text(6),
            let attributes = row.text(7)
        else { throw FactCodec.Unreadable() }
        return PaymentEvent(
            PaymentEvent.Kind(rawValue: kind), sequence: Int(clamping: row.integer(2)), at: row.integer(3),
            payment: try PaymentID(payment), attempt: try row.text(4).map { try AttemptID($0) },
            provider: row.text(5).map { ProviderID(rawValue: $0) },
            attributes: try FactCodec.names(Array(attributes.utf8)))
    }

    /// What can't be read stays so, in its place.
    private static func writeUnreadable(_ row: SQLiteStatement, _ writer: EntryWriter) throws {
        let values: [SQLiteValue] = [
            .integer(try writer.nextSeq("event")), .text(""), .text(row.text(1) ?? ""), .integer(row.integer(3)),
            .bytes([]),
        ]
        try writer.connection.run(
            "INSERT INTO event (seq, scope, payment, at, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            values + [.integer(RowSum.of(values))], doing: doing)
    }

    // MARK: - The comparison

    /// The new tables say of every attempt what the old ones said.
    private func compare() throws {
        let reader = FactReader(connection: connection)
        try eachRow("SELECT \(FirstAttempt.columns) FROM first_attempt WHERE seq > ?1 ORDER BY seq") { row in
            guard let attempt = try? FirstAttempt(row) else { return }
            guard let held = try reader.held(attempt.intent.key), attempt.isSame(as: held.facts) else {
                throw OpeningFailure.notMigrated("the attempt \(attempt.intent.attempt) would be another")
            }
        }
        let (old, new) = (
            try connection.number("SELECT count(*) FROM first_attempt", doing: Self.doing),
            try connection.number("SELECT count(*) FROM attempt", doing: Self.doing)
        )
        guard old == new else { throw OpeningFailure.notMigrated("\(old) attempts would be \(new)") }
    }

    /// A row that can't be read: it stays where it would be looked for, and is named as unreadable.
    private struct Row {
        private let columns: [SQLiteValue]
        private let account: String
        private let isUnsettled: Bool

        init(_ row: SQLiteStatement) {
            let isOrigin = row.integer(3) == 1
            isUnsettled = row.integer(16) == 1
            account = FactCodec.text(
                ProviderIdentity(
                    ProviderID(rawValue: row.text(10) ?? ""), adapter: row.text(11) ?? "",
                    environment: row.text(12) ?? "", merchant: row.text(13) ?? ""))
            columns = [
                .text(""), .text(row.text(1) ?? ""), .text(row.text(2) ?? ""), .flag(isOrigin),
                .text(row.text(7) ?? ""), .text(account), .text("unreadable"), .flag(isUnsettled),
                .flag(isOrigin && isUnsettled), .flag(isUnsettled), .flag(false), .integer(1),
            ]
        }

        func write(_ writer: EntryWriter, _ seq: Int64, _ now: JournalInstant) throws {
            let values = [.integer(try writer.nextSeq("attempt"))] + columns
            guard case .integer(let place) = values[0] else { return }
            let state: [SQLiteValue] = [
                .integer(RowSum.of(values)), .integer(0), .integer(orNull: isUnsettled ? now.wall : nil),
            ]
            try writer.connection.run(EntryWriter.insertion, values + state, doing: Migration.doing)
            try writer.insert(place, 1, WriteID("edition-1-\(seq)"), answer: [], facts: [], now)
            if case .text(let payment) = columns[2], columns[3] == .flag(false) {
                try writer.connection.run(
                    "UPDATE attempt SET followers = followers + 1 WHERE scope = '' AND id = ?1 AND is_origin = 1",
                    [.text(payment)], doing: Migration.doing)
            }
        }
    }
}
