internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Writes entries through the one connection that writes; each call is one piece of a batch.
struct LogWriter {
    let connection: SQLiteConnection
    let reader: LogReader
    private let isAlive: @Sendable (String) -> Bool

    init(_ connection: SQLiteConnection, isAlive: @escaping @Sendable (String) -> Bool) {
        (self.connection, reader, self.isAlive) = (connection, LogReader(connection: connection), isAlive)
    }

    /// What an entry came to, and the payment that has one more entry.
    struct Written {
        let answer: JournalAnswer
        var payment: PaymentID?
    }

    // MARK: - Entries

    func write(_ entry: JournalEntry, _ id: WriteID, at now: Attempt.Instant) throws -> Written {
        let key = entry.key(id)
        let (decision, loaded): (JournalDecision, Loaded)
        switch try decide(entry, under: key, at: now) {
        case .repeated(let answer): return Written(answer: answer)
        case .new(let new, let held): (decision, loaded) = (new, held)
        }
        var written = Written(answer: decision.answer, payment: decision.payment)
        guard !decision.isEmpty else {
            try settle(entry.command, decision)
            return written
        }
        if let payment = decision.payment {
            var entryNumber = loaded.payments[payment]?.entry ?? 0
            let number = try loaded.payments[payment]?.number ?? nextNumber()
            entryNumber += 1
            if loaded.payments[payment] == nil { try begin(decision.changes.map(\.after), number) }
            for change in decision.changes { try keep(change, number, loaded, now) }
            let events = try waiting(number) + entry.timeline + decision.events(at: now)
            try append(number, entryNumber, key, entry.content, now, decision, events)
        } else {
            // A message that only causes a lookup belongs to no payment's log.
            written.payment = nil
        }
        if let row = decision.row, let number = try reader.number(of: row.payment.attempt) { try keep(row, number) }
        for id in decision.looks { try owe(id, now) }
        for notice in decision.keeps { try keep(notice, now) }
        for notice in decision.removes { try remove(notice) }
        if let name = decision.overfull { try insertOverfull(RowHash.of(name)) }
        if decision.gapClosedBy != nil { try set("gap", 0) }
        try settle(entry.command, decision)
        return written
    }

    func preview(_ entry: JournalEntry, at now: Attempt.Instant) throws -> JournalAnswer {
        switch try decide(entry, under: nil, at: now) {
        case .repeated(let answer): answer
        case .new(let decision, _): decision.answer
        }
    }

    private enum Decided {
        /// The write was made before, and has its first answer.
        case repeated(JournalAnswer)
        case new(JournalDecision, Loaded)
    }

    /// What an entry comes to. A write that is repeated finds its own row in the log of a payment that it asks for, and is
    /// answered by it.
    private func decide(_ entry: JournalEntry, under key: String?, at now: Attempt.Instant) throws -> Decided {
        var reads = JournalRules.reads(entry)
        let hasPruned = try connection.number("SELECT EXISTS (SELECT 1 FROM forgotten)", doing: "looking for a payment")
        if hasPruned > 0 { try refuseForgotten(reads.attempts) }
        for _ in 0..<4 {
            let loaded = try load(reads, under: key, hasPruned: hasPruned > 0, at: now)
            if let key, let answer = try answered(entry, key, loaded) { return .repeated(answer) }
            let decision = JournalRules.decide(entry, loaded.slice, reads, at: now)
            if reads.holds(decision.needs) { return .new(decision, loaded) }
            reads.add(decision.needs)
        }
        throw SQLiteStoreError.senseless("The messages that wait lead to too many payments.")
    }

    // MARK: - Loading

    /// What was loaded for an entry.
    struct Loaded {
        var slice = JournalSlice()
        var payments: [PaymentID: LogReader.Payment] = [:]
        var kept: [(seq: Int64, notice: Notice)] = []
    }

    private func load(
        _ reads: JournalReads, under key: String?, hasPruned: Bool, at now: Attempt.Instant
    ) throws -> Loaded {
        var loaded = Loaded()
        var numbers: Set<Int64> = []
        for id in reads.attempts.union(reads.payments.map(\.attempt)) {
            if let number = try reader.number(of: id) { numbers.insert(number) }
        }
        var byName: [ProviderName: [Int64]] = [:]
        for name in reads.names {
            let found = try reader.numbers(with: name)
            if found.contains(where: { $0 < 0 }) { loaded.slice.forgotten.insert(name) }
            byName[name] = found
            numbers.formUnion(found.filter { $0 > 0 })
        }
        for name in hasPruned ? reads.pruned : [] where try reader.numbers(with: name).contains(where: { $0 < 0 }) {
            loaded.slice.forgotten.insert(name)
        }
        for number in numbers.sorted() {
            let payment = try reader.payment(number, writtenUnder: key)
            guard let id = payment.id else { throw SQLiteStoreError.unreadable(nil) }
            loaded.payments[id] = payment
            loaded.slice.attempts += payment.attempts
            loaded.slice.entries[id] = payment.entry
        }
        for (name, found) in byName {
            let holders = loaded.payments.values.filter { found.contains($0.number) }.sorted { $0.number < $1.number }
                .flatMap(\.attempts).filter { $0.has(name) }.map(\.intent.attempt)
            if !holders.isEmpty { loaded.slice.holders[name] = holders }
        }
        try loadOthers(reads, at: now, &loaded)
        return loaded
    }

    /// What an entry needs of other payments, and of the journal as a whole.
    private func loadOthers(_ reads: JournalReads, at now: Attempt.Instant, _ loaded: inout Loaded) throws {
        for payment in loaded.payments.values {
            for attempt in payment.attempts {
                let id = attempt.intent.attempt
                loaded.slice.marks[id] = try marks(id, of: payment.number)
                for run in attempt.runs where isAlive(run.owner) { loaded.slice.living.insert(run.owner) }
            }
        }
        if let reference = reads.reference {
            let numbers = try connection.rows(
                "SELECT payment FROM reference WHERE hash = ?1 AND until > ?2",
                [
                    .integer(RowHash.of(reference)),
                    .integer(now.wall.addingSaturating(-PaymentRecord.ReferenceRow.clockMargin)),
                ], doing: "looking for a reference"
            ) { $0.integer(0) }
            for number in numbers {
                guard let row = PaymentRecord(try reader.payment(number).attempts).referenceRow,
                    row.reference == reference
                else { continue }
                loaded.slice.underReference.append(row)
            }
        }
        if let account = reads.matches {
            for number in try reader.numbersOfCandidates(at: account) {
                loaded.slice.matches += try reader.payment(number).attempts.compactMap { MatchRow($0) }
                    .filter { $0.account == account }
            }
        }
        let hashes = Set(reads.names.map { RowHash.of($0) } + reads.attempts.map { RowHash.of($0) })
        loaded.kept = try reader.notices(hashes).filter { reads.wants($0.notice) }
        loaded.slice.notices = loaded.kept.map(\.notice)
        for name in reads.names {
            let isFull = try connection.number(
                "SELECT count(*) FROM overfull WHERE hash = ?1", [.integer(RowHash.of(name))],
                doing: "looking for notices")
            if isFull > 0 { loaded.slice.overfull.insert(name) }
        }
        loaded.slice.generation = try reader.generation().description
        loaded.slice.hasGap = try reader.counter("gap") != 0
    }

    // MARK: - The same write again

    private func answered(_ entry: JournalEntry, _ key: String, _ loaded: Loaded) throws -> JournalAnswer? {
        if let (payment, written) = loaded.payments.values.lazy.compactMap({ payment in
            payment.written.map { (payment, $0) }
        }).first {
            guard written.content == entry.content else {
                return .refused(.notWritten("The write id belongs to another entry."), nil)
            }
            guard let answer = written.answer.answer(among: payment.attempts) else { throw SQLiteStoreError.damagedRow }
            return answer
        }
        guard case .notice = entry.command else { return nil }
        let isKept = try connection.number(
            "SELECT count(*) FROM notice WHERE message = ?1", [.text(key)], doing: "looking for a write")
        return isKept > 0 ? .kept : nil
    }

    private func refuseForgotten(_ attempts: Set<AttemptID>) throws {
        for id in attempts {
            let isForgotten = try connection.number(
                "SELECT count(*) FROM forgotten WHERE id = ?1", [.text(id.text)], doing: "looking for an attempt")
            if isForgotten > 0 { throw SQLiteStoreError.forgotten(id) }
        }
    }

    // MARK: - Appending

    private func nextNumber() throws -> Int64 {
        try connection.number("SELECT coalesce(max(payment), 0) + 1 FROM id", doing: "writing a payment")
    }

    private func append(
        _ payment: Int64, _ number: Int, _ key: String, _ content: Int64, _ now: Attempt.Instant,
        _ decision: JournalDecision, _ timeline: [PaymentEvent]
    ) throws {
        let appended = decision.changes.map { EventCodec.Appended($0.after.intent.attempt, $0.events) }
        let entry = StoredLog.Entry(
            write: key, content: content, at: now.wall, events: EventCodec.bytes(appended),
            answer: StoredAnswer(decision.answer)?.bytes ?? [],
            timeline: timeline.isEmpty ? [] : EventCodec.bytes(timeline))
        try insert(entry, payment, Int64(number))
        if timeline.isEmpty { return }
        try connection.run(
            "INSERT INTO feed (payment, number, at) VALUES (?1, ?2, ?3)",
            [.integer(payment), .integer(Int64(number)), .integer(now.wall)], doing: "writing an entry")
        guard number == 1, payment.isMultiple(of: Self.feedCleanedEvery) else { return }
        try Self.removeOldFeed(connection, at: now.wall)
    }

    private func insert(_ entry: StoredLog.Entry, _ payment: Int64, _ number: Int64) throws {
        let values = entry.values(payment, number)
        try connection.run(
            "INSERT INTO entry (payment, number, write, content, at, events, answer, timeline, sum) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            values + [.integer(RowSum.of(values))], doing: "writing an entry")
    }

    /// Removes old rows of the feed. The newest stays, so that no number is used twice. Rows go from the front alone, up to the
    /// first young one: a reader would miss what is missing in the middle, and not see that it does. A row of a clock that
    /// ran ahead goes with those around it.
    static func removeOldFeed(_ connection: SQLiteConnection, at now: Int64) throws {
        let front = "(SELECT seq, at FROM feed ORDER BY seq LIMIT 10000)"
        let young = "(SELECT min(seq) FROM \(front) WHERE at >= ?1 AND at <= ?2)"
        try connection.run(
            "DELETE FROM feed WHERE seq < (SELECT max(seq) FROM feed) AND seq <= (SELECT max(seq) FROM \(front) "
                + "WHERE at < ?1 AND seq < coalesce(\(young), \(Int64.max)))",
            [.integer(now.addingSaturating(-FeedPage.keptMilliseconds)), .integer(now)], doing: "writing an entry")
    }

    /// After how many payments the feed's old rows are removed.
    private static let feedCleanedEvery: Int64 = 1_000

    /// Keeps under which id the tools find a payment: of the attempt that started it, or, if that is not in this journal, of
    /// the first one that followed it.
    private func begin(_ attempts: [Attempt], _ number: Int64) throws {
        guard let first = attempts.first(where: \.intent.isOrigin) ?? attempts.first else { return }
        try connection.run(
            "INSERT INTO origin (payment, id, scope, is_dry_run) VALUES (?1, ?2, ?3, ?4)",
            [
                .integer(number), .text(first.intent.attempt.text), .text(first.intent.scope),
                .flag(first.isDryRun),
            ], doing: "writing a payment")
    }

    private func keep(
        _ change: JournalDecision.Change, _ number: Int64, _ loaded: Loaded, _ now: Attempt.Instant
    ) throws {
        let (after, id) = (change.after, change.after.intent.attempt)
        if loaded.slice.attempt(id) == nil { try insert(id, number) }
        if loaded.slice.attempt(id)?.isDryRun == true, !after.isDryRun {
            // A rehearsal that was executed is among the payments.
            try connection.run(
                "UPDATE origin SET is_dry_run = 0 WHERE id = ?1", [.text(id.text)], doing: "writing a payment")
        }
        for name in after.names { try insert(name, number) }
        try keepState(change, number, now)
    }

    private func insert(_ id: AttemptID, _ number: Int64) throws {
        try connection.run(
            "INSERT INTO id (id, payment) VALUES (?1, ?2)", [.text(id.text), .integer(number)],
            doing: "writing an attempt")
    }

    private func insert(_ name: Attempt.Name, _ number: Int64) throws {
        try connection.run(
            "INSERT OR IGNORE INTO name (hash, payment) VALUES (?1, ?2)",
            [.integer(RowHash.of(ProviderName(name.account, name.value))), .integer(number)],
            doing: "writing a name")
    }

    /// Writes or removes the row of an attempt that is open, could be a candidate, or to which a lookup is owed.
    private func keepState(_ change: JournalDecision.Change, _ number: Int64, _ now: Attempt.Instant) throws {
        let (after, id) = (change.after, change.after.intent.attempt)
        let before = try state(id, of: number)
        var next = before?.next
        var looks = before?.looks ?? 0
        if change.isLookedUpAgain {
            if next == nil { (looks, next) = (0, JournalRules.nextLookup(after: 0, at: now)) }
        } else if before?.owed == nil {
            (looks, next) = (0, nil)
        }
        let marks = change.clearsMarks || !change.isLookedUpAgain ? nil : before?.marks
        guard after.isOpen || change.match != nil || next != nil else {
            return try connection.run(
                "DELETE FROM open WHERE payment = ?1 AND attempt = ?2", [.integer(number), .text(id.text)],
                doing: "writing an attempt")
        }
        try keep(after, change.match, number, State(looks: looks, next: next, owed: before?.owed, marks: marks))
    }

    private func keep(_ attempt: Attempt, _ match: MatchRow?, _ number: Int64, _ state: State) throws {
        let account = match?.account ?? attempt.newest?.account
        try connection.run(
            "INSERT OR REPLACE INTO open (attempt, payment, scope, account, is_open, is_candidate, looks, next_look, owed, "
                + "marks) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            [
                .text(attempt.intent.attempt.text), .integer(number), .text(attempt.intent.scope),
                .integer(account.map { RowHash.of($0) } ?? 0), .flag(attempt.isOpen), .flag(match != nil),
                .integer(state.looks), .integer(orNull: state.next), state.owed.map { .bytes($0) } ?? .null,
                state.marks.map { .bytes($0) } ?? .null,
            ], doing: "writing an attempt")
    }

    private func keep(_ row: PaymentRecord.ReferenceRow, _ number: Int64) throws {
        // What is as it was writes no page.
        try connection.run(
            "INSERT INTO reference (hash, payment, until) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (hash, payment) DO UPDATE SET until = excluded.until WHERE until <> excluded.until",
            [.integer(RowHash.of(row.reference)), .integer(number), .integer(row.until)],
            doing: "writing a reference")
    }

    func set(_ name: String, _ value: Int64) throws {
        try connection.run(
            "UPDATE counter SET value = ?2 WHERE name = ?1", [.text(name), .integer(value)], doing: "counting")
    }

    // MARK: - Messages

    private func keep(_ notice: Notice, _ now: Attempt.Instant) throws {
        let seq = try connection.number("SELECT coalesce(max(seq), 0) + 1 FROM notice", doing: "keeping a notice")
        try insert(notice, seq, at: now.wall)
    }

    private func insert(_ notice: Notice, _ seq: Int64, at: Int64) throws {
        let values: [SQLiteValue] = [
            .integer(seq), .text(notice.key), .integer(at), .bytes(EventCodec.bytes(notice)),
        ]
        try connection.run(
            "INSERT OR IGNORE INTO notice (seq, message, at, body, sum) VALUES (?1, ?2, ?3, ?4, ?5)",
            values + [.integer(RowSum.of(values))], doing: "keeping a notice")
        guard connection.changedCount == 1 else { return }
        for hash in RowHash.all(of: notice) {
            try connection.run(
                "INSERT OR IGNORE INTO notice_name (hash, notice) VALUES (?1, ?2)", [.integer(hash), .integer(seq)],
                doing: "keeping a notice")
        }
    }

    private func insertOverfull(_ hash: Int64) throws {
        try connection.run(
            "INSERT OR IGNORE INTO overfull (hash) VALUES (?1)", [.integer(hash)], doing: "keeping a notice")
    }

    private func remove(_ notice: Notice) throws {
        let message = SQLiteValue.text(notice.key)
        try connection.run(
            "DELETE FROM notice_name WHERE notice IN (SELECT seq FROM notice WHERE message = ?1)", [message],
            doing: "applying a notice")
        try connection.run("DELETE FROM notice WHERE message = ?1", [message], doing: "applying a notice")
    }

    /// Steps that waited for an entry of their payment; they go into it.
    private func waiting(_ number: Int64) throws -> [PaymentEvent] {
        var steps: [PaymentEvent] = []
        // What can't be read stays where a check finds it.
        for (seq, body) in try reader.waiting(number) {
            guard let body, let events = try? EventCodec.events(body) else { continue }
            try connection.run("DELETE FROM waiting WHERE seq = ?1", [.integer(seq)], doing: "writing a timeline")
            steps += events
        }
        return steps
    }

    /// Steps that belong to no entry wait for the payment's next one.
    func add(_ events: [PaymentEvent], to payment: PaymentID) throws {
        guard !events.isEmpty, let number = try reader.number(of: payment.attempt) else { return }
        try insertWaiting(EventCodec.bytes(events), number)
    }

    private func insertWaiting(_ body: [UInt8], _ number: Int64) throws {
        let seq = try connection.number("SELECT coalesce(max(seq), 0) + 1 FROM waiting", doing: "writing a timeline")
        let values: [SQLiteValue] = [.integer(seq), .integer(number), .bytes(body)]
        try connection.run(
            "INSERT INTO waiting (seq, payment, body, sum) VALUES (?1, ?2, ?3, ?4)",
            values + [.integer(RowSum.of(values))], doing: "writing a timeline")
    }
}

// Lookups that are owed, and which boots have looked at an attempt.
extension LogWriter {
    /// The row of an attempt that is open or to which a lookup is owed.
    struct State {
        let looks: Int64
        let next: Int64?
        let owed: [UInt8]?
        let marks: [UInt8]?
    }

    func state(_ id: AttemptID, of payment: Int64) throws -> State? {
        try connection.rows(
            "SELECT looks, next_look, owed, marks FROM open WHERE payment = ?1 AND attempt = ?2",
            [.integer(payment), .text(id.text)], doing: "reading an attempt"
        ) { State(looks: $0.integer(0), next: $0.optionalInteger(1), owed: $0.bytes(2), marks: $0.bytes(3)) }.first
    }

    func marks(_ id: AttemptID, of payment: Int64) throws -> JournalClock.Marks? {
        guard let bytes = try state(id, of: payment)?.marks else { return nil }
        return LookCodec.marks(bytes)
    }

    /// A message owes a lookup of an attempt, decided or not.
    func owe(_ id: AttemptID, _ now: Attempt.Instant) throws {
        guard let payment = try reader.payment(of: id), let held = payment.attempt(id) else { return }
        let since = SQLiteValue.bytes(LookCodec.bytes(now))
        try connection.run(
            "INSERT INTO open (attempt, payment, scope, account, is_open, is_candidate, looks, next_look, owed, marks) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, NULL) "
                + "ON CONFLICT (payment, attempt) DO UPDATE SET looks = 0, next_look = excluded.next_look, owed = excluded.owed",
            [
                .text(id.text), .integer(payment.number), .text(held.intent.scope),
                .integer(held.newest.map { RowHash.of($0.account) } ?? 0), .flag(held.isOpen),
                .flag(MatchRow(held) != nil), .integer(JournalRules.lookupAtOnce), since,
            ], doing: "writing down a lookup")
    }

    func settle(_ command: JournalCommand, _ decision: JournalDecision) throws {
        guard case .report(let id, .lookup) = command, let number = try reader.number(of: id),
            let since = try state(id, of: number)?.owed.flatMap({ LookCodec.instant($0) })
        else { return }
        let row: [SQLiteValue] = [.integer(number), .text(id.text)]
        let isOpen = try reader.payment(of: id)?.attempt(id)?.isOpen == true
        guard JournalRules.settles(command, owedSince: since, decision, isOpen: isOpen) else { return }
        try connection.run(
            isOpen
                ? "UPDATE open SET owed = NULL WHERE payment = ?1 AND attempt = ?2"
                : "UPDATE open SET owed = NULL, looks = 0, next_look = NULL WHERE payment = ?1 AND attempt = ?2",
            row, doing: "writing down a lookup")
        if !isOpen {
            try connection.run(
                "DELETE FROM open WHERE payment = ?1 AND attempt = ?2 AND is_open = 0 AND is_candidate = 0", row,
                doing: "writing down a lookup")
        }
    }

    /// Takes attempts to which a lookup is owed, moves their next lookup forward, and leaves this boot's mark.
    func takeDue(_ terms: DueTerms, at now: Attempt.Instant, isAlive: (String) -> Bool) throws -> JournalPage {
        let generation = try reader.generation().description
        let rows = try connection.rows(
            "SELECT attempt, looks, payment FROM open WHERE next_look IS NOT NULL AND \(JournalRules.isDue(sql: "?1")) "
                + "ORDER BY next_look, attempt", [.integer(now.wall)], doing: "looking for what is due"
        ) { ($0.text(0) ?? "", $0.integer(1), $0.integer(2)) }
        var page = JournalPage()
        for (text, looks, number) in rows {
            if page.attempts.count + page.unreadable.count >= terms.limit { break }
            guard let id = try? AttemptID(text) else { throw SQLiteStoreError.damagedRow }
            let held: Attempt?
            do { held = try reader.payment(of: id)?.attempt(id) } catch SQLiteStoreError.unreadable(let origin) {
                let payment = PaymentID(origin ?? id)
                if !page.unreadable.contains(payment) { page.unreadable.append(payment) }
                try postpone(id, of: number, looks, nil, now)
                continue
            }
            guard let held else { throw SQLiteStoreError.damagedIndex(id) }
            guard terms.wants(held) else {
                // Of an account that is not configured any more, a person decides: for that this boot has to have seen it.
                try leaveMark(held, of: number, now)
                continue
            }
            if held.isOpen, let run = held.newest, run.end == nil, isAlive(run.owner), run.generation == generation {
                continue
            }
            try postpone(id, of: number, looks, held, now)
            page.attempts.append(held)
        }
        return page
    }

    private func leaveMark(_ held: Attempt, of payment: Int64, _ now: Attempt.Instant) throws {
        let id = held.intent.attempt
        var marks = try marks(id, of: payment) ?? [:]
        guard held.isOpen, marks[now.boot] == nil else { return }
        _ = JournalClock.mark(&marks, after: 0, at: now, isFile: true)
        try connection.run(
            "UPDATE open SET marks = ?3 WHERE payment = ?1 AND attempt = ?2",
            [.integer(payment), .text(id.text), .bytes(LookCodec.bytes(marks))], doing: "writing down a lookup")
    }

    private func postpone(
        _ id: AttemptID, of payment: Int64, _ looks: Int64, _ held: Attempt?, _ now: Attempt.Instant
    ) throws {
        var (marks, looks) = (try marks(id, of: payment) ?? [:], looks)
        if held?.isOpen == true { looks = JournalClock.mark(&marks, after: looks, at: now, isFile: true) }
        try connection.run(
            "UPDATE open SET looks = ?3, next_look = ?4, marks = ?5 WHERE payment = ?1 AND attempt = ?2",
            [
                .integer(payment), .text(id.text), .integer(looks.addingSaturating(1)),
                .integer(JournalRules.nextLookup(after: Int(clamping: looks), at: now)),
                marks.isEmpty ? .null : .bytes(LookCodec.bytes(marks)),
            ], doing: "writing down a lookup")
    }
}

// What another journal holds is written as it is, into a file that is empty; all other rows are computed from the logs.
extension LogWriter {
    func copy(_ piece: JournalChunk) throws {
        switch piece {
        case .payment(let log): try copy(log)
        case .notice(let waiting):
            guard let notice = waiting.notice else { throw SQLiteStoreError.damagedRow }
            try insert(notice, waiting.number, at: waiting.at)
        case .overfull(let hash): try insertOverfull(hash)
        case .forgotten(let id):
            try connection.run("INSERT INTO forgotten (id) VALUES (?1)", [.text(id)], doing: "copying")
        case .forgottenName(let hash, let payment):
            try connection.run(
                "INSERT INTO name (hash, payment) VALUES (?1, ?2)", [.integer(hash), .integer(payment)],
                doing: "copying")
        }
    }

    private func copy(_ log: StoredLog) throws {
        guard let attempts = try? log.attempts() else { throw SQLiteStoreError.unreadable(nil) }
        try begin(attempts, log.number)
        for (index, entry) in log.entries.enumerated() { try insert(entry, log.number, Int64(index + 1)) }
        for body in log.waiting { try insertWaiting(body, log.number) }
        let looks = Dictionary(log.looks.map { ($0.attempt, $0) }, uniquingKeysWith: { first, _ in first })
        for attempt in attempts {
            try insert(attempt.intent.attempt, log.number)
            for name in attempt.names + attempt.formerNames { try insert(name, log.number) }
            let (match, look) = (MatchRow(attempt), looks[attempt.intent.attempt.text])
            guard attempt.isOpen || match != nil || look != nil else { continue }
            // Marks of boots stay behind: another machine's clock says nothing about them.
            let state = State(looks: look?.looks ?? 0, next: look?.next, owed: look?.owed, marks: nil)
            try keep(attempt, match, log.number, state)
        }
        if let row = PaymentRecord(attempts).referenceRow { try keep(row, log.number) }
    }
}
