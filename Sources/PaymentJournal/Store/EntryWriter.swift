internal import PaymentAbstraction

/// Writes entries through the one connection that writes; each call is one piece of a batch.
struct EntryWriter {
    let connection: SQLiteConnection
    let reader: FactReader

    init(_ connection: SQLiteConnection, _ cache: FactCache? = nil) {
        self.connection = connection
        reader = FactReader(connection: connection, cache: cache)
    }

    /// What came of an entry, and which attempts have more facts now.
    struct Written {
        let answer: JournalAnswer
        var changed: [AttemptKey] = []
    }

    func write(_ entry: JournalEntry, _ id: WriteID, at now: JournalInstant) throws -> Written {
        if let answer = try answered(id) { return Written(answer: answer) }
        if let refused = try refusedAsForgotten(entry) { return Written(answer: refused) }
        let reads = JournalRules.reads(entry)
        var loaded = try slice(entry, reads)
        let decision = JournalRules.decide(entry, loaded.slice, at: now)
        var written = Written(answer: decision.answer)
        for change in decision.changes {
            let isOwn = change == decision.changes.last && isPlain(decision.answer, of: change)
            try append(change, id, answers: isOwn, &loaded.rows, now)
            written.changed.append(change.after.intent.key)
        }
        if let kept = decision.keeps { try keep(kept, now) }
        try file(decision, loaded.kept)
        let events = entry.events(beside: decision, at: now) { (try? reader.timeline($0)) ?? [] }
        try append(events, scope: decision.answer.facts?.intent.scope ?? entry.key?.scope ?? "")
        let isAnswered = decision.changes.last.map { isPlain(decision.answer, of: $0) } ?? false
        if !isAnswered, !decision.changes.isEmpty || decision.keeps != nil || !events.isEmpty {
            try remember(decision.answer, id, now)
        }
        return written
    }

    // MARK: - The same again

    /// Whether an answer says no more than that a change was written.
    private func isPlain(_ answer: JournalAnswer, of change: JournalDecision.Change) -> Bool {
        if case .accepted(let facts) = answer { return facts.intent.key == change.after.intent.key }
        return false
    }

    /// The answer that a write has had before; nil when it is new.
    private func answered(_ id: WriteID) throws -> JournalAnswer? {
        let found = try connection.rows(
            "SELECT attempt, number, write, answer, at, facts, sum FROM entry WHERE write = ?1 AND answer IS NOT NULL",
            [.text(id.text)], doing: "looking for a write"
        ) { row -> (place: Int64, answer: [UInt8]) in
            guard row.integer(6) == RowSum.of(row.values(0...5)) else { throw StoreFailure.damagedRow }
            return (row.integer(0), row.bytes(3) ?? [])
        }
        guard let first = found.first else { return nil }
        guard first.answer.isEmpty else {
            do { return try FactCodec.answer(first.answer) { try reader.held($0)?.facts } } catch is FactCodec
                .Unreadable
            {
                throw StoreFailure.damagedRow
            }
        }
        guard let held = try reader.find("seq = ?1", [.integer(first.place)]).first else {
            throw StoreFailure.damagedRow
        }
        return .accepted(try held.get().facts)
    }

    /// Writes down an answer that says more, or belongs to no attempt.
    private func remember(_ answer: JournalAnswer, _ id: WriteID, _ now: JournalInstant) throws {
        let number = try connection.number(
            "SELECT coalesce(max(number), 0) + 1 FROM entry WHERE attempt = 0", doing: "writing an answer")
        try insert(0, number, id, answer: FactCodec.bytes(answer), facts: [], now)
    }

    // MARK: - What was forgotten

    /// What was pruned can't be begun again, and nothing can be said about it.
    private func refusedAsForgotten(_ entry: JournalEntry) throws -> JournalAnswer? {
        switch entry.subject {
        case .attempt(let key):
            guard try reader.isForgotten(key) else { return nil }
            throw StoreFailure.forgotten(key)
        case .holder(let provider, let name, _):
            let holders = try reader.holders(name, provider)
            guard holders.held.isEmpty, !holders.forgotten.isEmpty else { return nil }
            return .refused(.noProof("what it names was forgotten"), nil)
        }
    }

    // MARK: - Appending

    private func append(
        _ change: JournalDecision.Change, _ id: WriteID, answers: Bool, _ rows: inout [AttemptKey: AttemptRow],
        _ now: JournalInstant
    ) throws {
        let row = rows[change.after.intent.key]
        if row == nil, !change.isNew { throw StoreFailure.damagedIndex(change.after.intent.key) }
        try append(change.facts, change.after, to: row, id, answers: answers, now)
    }

    /// Writes finished facts of an attempt that comes from elsewhere, without asking a rule.
    func adopt(_ facts: [JournalFact], _ id: WriteID, at now: JournalInstant) throws {
        guard let after = AttemptFacts(facts) else { throw StoreFailure.senseless("these are no facts of an attempt") }
        try append(facts, after, to: nil, id, answers: true, now, asked: false)
    }

    private func append(
        _ facts: [JournalFact], _ after: AttemptFacts, to row: AttemptRow?, _ id: WriteID, answers: Bool,
        _ now: JournalInstant, asked: Bool = true
    ) throws {
        let seq = try row?.seq ?? nextSeq("attempt")
        let number = (row?.entries ?? 0) + 1
        let values = AttemptRow.values(seq, after, entries: number)
        let looks = row?.looks ?? 0
        let next = JournalRules.nextLook(after, looks: looks, at: now)
        let sum = RowSum.of(values)
        let state: [SQLiteValue] = [
            .integer(sum), .integer(next == nil ? 0 : Int64(looks)), .integer(orNull: next),
        ]
        try connection.run(row == nil ? Self.insertion : Self.update, values + state, doing: "writing an attempt")
        try insert(seq, number, id, answer: answers ? [] : nil, facts: FactCodec.bytes(facts), now)
        for case .name(let name) in facts {
            try connection.run(
                "INSERT OR IGNORE INTO name (account, value, attempt) VALUES (?1, ?2, ?3)",
                [.text(FactCodec.text(name.provider)), .text(name.value), .integer(seq)], doing: "writing a name")
        }
        if row == nil, !after.intent.isOrigin { try count(after.intent.origin, isKnown: asked) }
        if let cache = reader.cache, let before = row == nil ? [] : cache.list(seq, entries: number - 1) {
            cache.keep(seq, entries: number, sum: sum, after, before + facts)
        }
    }

    /// The number of a table's next row; nobody else writes meanwhile.
    func nextSeq(_ table: String) throws -> Int64 {
        try connection.number("SELECT coalesce(max(seq), 0) + 1 FROM \(table)", doing: "writing")
    }

    /// How many attempts follow an origin stands in its row, so that one which an index hides is missed.
    private func count(_ origin: AttemptKey, isKnown: Bool) throws {
        try connection.run(
            "UPDATE attempt SET followers = followers + 1 WHERE scope = ?1 AND id = ?2 AND is_origin = 1",
            [.text(origin.scope), .text(origin.attempt.text)], doing: "writing an intent")
        guard connection.changedCount == 1 || !isKnown else { throw StoreFailure.damagedIndex(origin) }
    }

    static let insertion = """
        INSERT OR FAIL INTO attempt (seq, scope, id, payment, is_origin, reference, account, standing, is_open, \
        blocks, is_rival, is_rehearsal, entries, sum, looks, next_look, followers) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 0)
        """

    /// Only what changes, so that the other indexes are left alone.
    private static let update = """
        UPDATE attempt SET account = ?7, standing = ?8, is_open = ?9, blocks = ?10, is_rival = ?11, \
        is_rehearsal = ?12, entries = ?13, sum = ?14, looks = ?15, next_look = ?16 WHERE seq = ?1
        """

    func insert(
        _ attempt: Int64, _ number: Int64, _ id: WriteID, answer: [UInt8]?, facts: [UInt8], _ now: JournalInstant
    ) throws {
        let values: [SQLiteValue] = [
            .integer(attempt), .integer(number), .text(id.text), answer.map { .bytes($0) } ?? .null,
            .integer(now.wall), .bytes(facts),
        ]
        try connection.run(
            "INSERT INTO entry (attempt, number, write, answer, at, facts, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            values + [.integer(RowSum.of(values))], doing: "writing an entry")
    }

    // MARK: - Beside the attempts

    private func keep(_ notice: KeptNotice, _ now: JournalInstant) throws {
        let seq = try nextSeq("notice")
        let values: [SQLiteValue] = [
            .integer(seq), .text(FactCodec.text(notice.provider)), .text(notice.name), .integer(now.wall),
            .bytes(FactCodec.bytes(notice)),
        ]
        try connection.run(
            "INSERT INTO notice (seq, account, value, at, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            values + [.integer(RowSum.of(values))], doing: "keeping a notice")
    }

    /// Takes out what was applied: of the messages under a name, those that are about this kind of operation.
    private func file(_ decision: JournalDecision, _ kept: [(seq: Int64, notice: KeptNotice)]) throws {
        guard let after = decision.changes.last?.after else { return }
        for (seq, notice) in kept where decision.applied.contains(notice.name) {
            guard notice.operations.isEmpty || notice.operations.contains(after.intent.operation) else { continue }
            try connection.run("DELETE FROM notice WHERE seq = ?1", [.integer(seq)], doing: "applying a notice")
        }
    }

    /// Writes timelines: what belongs to one payment is one row.
    func append(_ events: [PaymentEvent], scope: String) throws {
        var payments: [PaymentID] = []
        for event in events { if let payment = event.payment, !payments.contains(payment) { payments.append(payment) } }
        for payment in payments {
            let own = events.filter { $0.payment == payment }
            let seq = try nextSeq("event")
            let values: [SQLiteValue] = [
                .integer(seq), .text(scope), .text(payment.attempt.text), .integer(own.map(\.at).max() ?? 0),
                .bytes(FactCodec.bytes(own)),
            ]
            try connection.run(
                "INSERT INTO event (seq, scope, payment, at, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                values + [.integer(RowSum.of(values))], doing: "writing a timeline")
        }
    }
}
