internal import PaymentAbstraction
internal import PaymentBase

// Lookups that are owed, and which boots have looked at an attempt.
extension LogWriter {
    /// The row of an attempt that is open or to which a lookup is owed.
    struct State {
        let looks: Int64
        let next: Int64?
        let owed: [UInt8]?
        let marks: [UInt8]?
    }

    func state(_ id: AttemptID) throws -> State? {
        try connection.rows(
            "SELECT looks, next_look, owed, marks FROM open WHERE attempt = ?1", [.text(id.text)],
            doing: "reading an attempt"
        ) { State(looks: $0.integer(0), next: $0.optionalInteger(1), owed: $0.bytes(2), marks: $0.bytes(3)) }.first
    }

    func marks(_ id: AttemptID) throws -> JournalClock.Marks? {
        guard let bytes = try state(id)?.marks else { return nil }
        return LookCodec.marks(bytes)
    }

    /// A message owes a lookup of an attempt, decided or not.
    func owe(_ id: AttemptID, _ now: JournalInstant) throws {
        guard let payment = try reader.payment(of: id), let held = payment.attempt(id) else { return }
        let since = SQLiteValue.bytes(LookCodec.bytes(now))
        try connection.run(
            "INSERT INTO open (attempt, payment, scope, account, is_open, is_candidate, looks, next_look, owed, marks) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, NULL) "
                + "ON CONFLICT (attempt) DO UPDATE SET looks = 0, next_look = excluded.next_look, owed = excluded.owed",
            [
                .text(id.text), .integer(payment.number), .text(held.intent.scope),
                .integer(held.newest.map { LogReader.hash($0.account) } ?? 0), .flag(held.isOpen),
                .flag(MatchRow(held) != nil), .integer(now.wall), since,
            ], doing: "writing down a lookup")
    }

    func settle(_ command: JournalCommand, _ decision: JournalDecision) throws {
        guard case .report(let id, .lookup) = command,
            let since = try state(id)?.owed.flatMap({ LookCodec.instant($0) })
        else { return }
        let isOpen = try reader.payment(of: id)?.attempt(id)?.isOpen == true
        guard JournalRules.settles(command, owedSince: since, decision, isOpen: isOpen) else { return }
        try connection.run(
            isOpen
                ? "UPDATE open SET owed = NULL WHERE attempt = ?1"
                : "UPDATE open SET owed = NULL, looks = 0, next_look = NULL WHERE attempt = ?1",
            [.text(id.text)], doing: "writing down a lookup")
        if !isOpen {
            try connection.run(
                "DELETE FROM open WHERE attempt = ?1 AND is_open = 0 AND is_candidate = 0", [.text(id.text)],
                doing: "writing down a lookup")
        }
    }

    /// Takes attempts to which a lookup is owed, moves their next lookup forward, and leaves this boot's mark.
    func takeDue(_ terms: DueTerms, at now: JournalInstant, isAlive: (String) -> Bool) throws -> JournalPage {
        let farthest = now.wall.addingSaturating(JournalRules.lookupScheduleMilliseconds.last ?? 0)
        let generation = try reader.generation().description
        let rows = try connection.rows(
            "SELECT attempt, looks FROM open WHERE next_look IS NOT NULL AND (next_look <= ?1 OR next_look > ?2) "
                + "ORDER BY next_look, attempt", [.integer(now.wall), .integer(farthest)],
            doing: "looking for what is due"
        ) { ($0.text(0) ?? "", $0.integer(1)) }
        var page = JournalPage()
        for (text, looks) in rows {
            if page.attempts.count + page.unreadable.count >= terms.limit { break }
            guard let id = try? AttemptID(text) else { throw SQLiteStoreError.damagedRow }
            let held: Attempt?
            do { held = try reader.payment(of: id)?.attempt(id) } catch SQLiteStoreError.unreadable(let origin) {
                let payment = PaymentID(origin ?? id)
                if !page.unreadable.contains(payment) { page.unreadable.append(payment) }
                try postpone(id, looks, nil, now)
                continue
            }
            guard let held else { throw SQLiteStoreError.damagedIndex(id) }
            guard terms.wants(held) else { continue }
            if held.isOpen, let run = held.newest, run.end == nil, isAlive(run.owner), run.generation == generation {
                continue
            }
            try postpone(id, looks, held, now)
            page.attempts.append(held)
        }
        return page
    }

    private func postpone(_ id: AttemptID, _ looks: Int64, _ held: Attempt?, _ now: JournalInstant) throws {
        var marks = try marks(id) ?? [:]
        if held?.isOpen == true, marks[now.boot] == nil, marks.count < 4 { marks[now.boot] = now.uptime }
        try connection.run(
            "UPDATE open SET looks = ?2, next_look = ?3, marks = ?4 WHERE attempt = ?1",
            [
                .text(id.text), .integer(looks.addingSaturating(1)),
                .integer(JournalRules.nextLookup(after: Int(clamping: looks), at: now)),
                marks.isEmpty ? .null : .bytes(LookCodec.bytes(marks)),
            ], doing: "writing down a lookup")
    }
}
