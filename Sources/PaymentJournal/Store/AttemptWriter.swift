internal import PaymentAbstraction

/// Writes attempts and timelines through the one connection that writes; each call is one savepoint of a batch.
struct AttemptWriter {
    let connection: SQLiteConnection
    let reader: AttemptReader

    init(_ connection: SQLiteConnection) {
        self.connection = connection
        reader = AttemptReader(connection: connection)
    }

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) throws -> Beginning {
        let isNew = try reader.isNew(intent)
        let (existing, family) = isNew ? (nil, []) : try reader.known(intent)
        let rivals = isNew || !intent.isOrigin ? [] : try reader.unsettled(reference: intent.reference)
        let answer = Admission.decide(
            intent, terms, existing: existing?.record, family: family, sameReference: rivals, at: instant)
        if case .fresh(let record) = answer {
            if let existing { try restart(existing.seq, record) } else { try insert(record) }
        }
        return answer
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) throws {
        guard let row = try reader.row(attempt) else { throw JournalFailure.noSuchAttempt }
        try update(row.seq, from: row.record, to: try row.record.marked(mark, round: round))
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) throws -> AttemptRecord {
        guard let row = try reader.row(attempt) else { throw JournalFailure.noSuchAttempt }
        if let claim = conclusion.claim {
            let holders = try reader.holding(row.record.provider, [claim])
            if holders.contains(where: { $0.intent.attempt != attempt }) { return row.record }
        }
        guard let changed = row.record.concluded(by: conclusion, round: round) else { return row.record }
        try update(row.seq, from: row.record, to: changed)
        return changed
    }

    func append(_ events: [PaymentEvent]) throws {
        let sql = """
            INSERT INTO event (payment, sequence, at, attempt, provider, kind, attributes, sum) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        for event in events {
            guard let payment = event.payment else { continue }
            let values = EventRows.values(event, payment)
            try run(sql, values + [.integer(RowSum.of(values))], doing: "writing a timeline")
        }
    }

    /// Takes the next numbers out for good; the first of them.
    func draw(_ count: Int64) throws -> Int64 {
        let sql = """
            INSERT INTO number (name, next) VALUES ('message', 1 + ?1) \
            ON CONFLICT (name) DO UPDATE SET next = next + ?1
            """
        try run(sql, [.integer(count)], doing: "taking out numbers")
        let next = try connection.number(
            "SELECT next FROM number WHERE name = 'message'", doing: "taking out numbers")
        return next - count
    }

    /// Writes a finished record that comes from elsewhere, with its handles.
    func adopt(_ record: AttemptRecord) throws {
        try insert(record)
        let seq = connection.lastRow
        for value in record.handles {
            try run(
                "INSERT INTO handle (value, attempt) VALUES (?1, ?2)", [.text(value), .integer(seq)],
                doing: "adopting a payment")
        }
    }

    /// `OR FAIL`: one row is refused before anything of it is written, so that SQLite needs no copy to undo it with.
    private static let insertion: String = {
        let places = (1...AttemptRows.columnCount + 1).map { "?\($0)" }.joined(separator: ", ")
        return "INSERT OR FAIL INTO attempt (\(AttemptRows.columns), sum) VALUES (\(places))"
    }()

    private func insert(_ record: AttemptRecord) throws {
        let values = AttemptRows.values(record)
        try run(Self.insertion, values + [.integer(RowSum.of(values))], doing: "writing an intent")
    }

    /// A new round of an attempt that moved nothing; it may go to another provider.
    private func restart(_ seq: Int64, _ record: AttemptRecord) throws {
        let sql = "UPDATE attempt SET provider = ?1, adapter = ?2, environment = ?3, merchant = ?4 WHERE seq = ?5"
        let provider = record.provider
        try run(
            sql,
            [
                .text(provider.id.rawValue), .text(provider.adapter), .text(provider.environment),
                .text(provider.merchant), .integer(seq),
            ], doing: "writing an intent")
        try write(seq, record)
        try run("DELETE FROM handle WHERE attempt = ?1", [.integer(seq)], doing: "writing an intent")
    }

    private func update(_ seq: Int64, from old: AttemptRecord, to new: AttemptRecord) throws {
        try write(seq, new)
        let (before, after) = (old.handles, new.handles)
        let drop = "DELETE FROM handle WHERE value = ?1 AND attempt = ?2"
        for value in before.subtracting(after) {
            try run(drop, [.text(value), .integer(seq)], doing: "writing an outcome")
        }
        let add = "INSERT INTO handle (value, attempt) VALUES (?1, ?2)"
        for value in after.subtracting(before) {
            try run(add, [.text(value), .integer(seq)], doing: "writing an outcome")
        }
    }

    private func write(_ seq: Int64, _ record: AttemptRecord) throws {
        let sql = """
            UPDATE attempt SET round = ?1, state = ?2, is_unsettled = ?3, begun_at = ?4, submitted_at = ?5, \
            event_at = ?6, evidence = ?7, claim = ?8, owner = ?9, verdict = ?10, notes = ?11, sum = ?12 \
            WHERE seq = ?13
            """
        let sum = RowSum.of(AttemptRows.values(record))
        try run(sql, AttemptRows.stateValues(record) + [.integer(sum), .integer(seq)], doing: "writing an outcome")
    }

    private func run(_ sql: String, _ values: [SQLiteValue], doing: String) throws {
        let statement = try connection.prepared(sql, doing: doing)
        try statement.bind(values)
        try statement.run()
    }
}
