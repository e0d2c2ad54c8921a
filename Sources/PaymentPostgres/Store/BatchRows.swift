internal import PaymentJournalKit
internal import PaymentModel

/// The rows that a batch writes, table by table.
struct BatchRows {
    /// A row of an attempt that is open, could be something found, or is looked up.
    private struct Open {
        let payment: Int64
        let attempt: Attempt
        var looks: Int64 = 0
        var next: Int64?
        var owed: [UInt8]?
        /// Whether what the server has of the looks stays.
        var keepsLooks = false
        var clearsMarks = false
        let wasThere: Bool

        /// Where the attempt is one that something found could be.
        var candidate: ProviderIdentity? { MatchRow(attempt)?.account }
        var isNeeded: Bool { attempt.isOpen || candidate != nil || next != nil }
        var account: Int64 { (candidate ?? attempt.newest?.account).map { RowHash.of($0) } ?? 0 }

        init(_ attempt: Attempt, _ payment: Int64, _ before: OpenRow?) {
            (self.attempt, self.payment, wasThere) = (attempt, payment, before != nil)
            (looks, next, owed, keepsLooks) = (before?.looks ?? 0, before?.next, before?.owed, before != nil)
        }

        mutating func look(_ looks: Int64, _ next: Int64?) {
            (self.looks, self.next, keepsLooks) = (looks, next, false)
        }
    }

    private var entries: [(payment: Int64, row: LogRow)] = []
    private var attempts: [(payment: Int64, attempt: Attempt)] = []
    /// Rehearsals that were executed all the same.
    private var executedRehearsals: [AttemptID] = []
    private var names: [(hash: Int64, payment: Int64)] = []
    private var references: [(hash: Int64, payment: Int64, until: Int64)] = []
    private var open: [Open] = []
    private var notices: [(seq: Int64, at: Int64, sum: Int64, message: [UInt8], body: [UInt8])] = []
    private var noticeNames: [(hash: Int64, seq: Int64)] = []
    private var counted: [Int64] = []
    private var countedNames: [(hash: Int64, seq: Int64)] = []
    private var overfull: [Int64] = []
    private var waiting: [Int64] = []
    private var steps: [(payment: Int64, body: [UInt8])] = []
    private var forgotten: [String] = []
    private var closesGap = false
    /// Whether what is answered was written before, and has to be as durable as a write of one's own.
    var mustFollow = false

    // MARK: - One decision

    /// Takes the entry of a payment, with everything of other tables that follows from its changes; returns its number.
    mutating func append(
        _ decision: JournalDecision, _ job: EntryJob, to held: HeldPayment?, at number: Int64
    ) -> Int64 {
        let events = decision.events(at: job.instant)
        let waits = held?.waiting ?? []
        waiting += waits.map(\.seq)
        var timeline = job.timeline
        if !waits.isEmpty || !events.isEmpty {
            let steps = waits.flatMap { (try? EventCodec.events($0.body)) ?? [] } + job.entry.timeline + events
            timeline = EventCodec.bytes(steps)
        }
        let appended = decision.changes.map { EventCodec.Appended($0.after.intent.attempt, $0.events) }
        let row = LogRow(
            number: Int64((held?.entry ?? 0) + 1), content: job.content, at: job.instant.wall, write: job.write,
            events: EventCodec.bytes(appended), answer: StoredAnswer(decision.answer)?.bytes ?? [], timeline: timeline)
        entries.append((number, row))
        for change in decision.changes {
            let id = change.after.intent.attempt
            let before = held?.attempt(id)
            if before == nil { attempts.append((number, change.after)) }
            if before?.isDryRun == true, !change.after.isDryRun { executedRehearsals.append(id) }
            for name in change.after.names where before?.names.contains(name) != true {
                names.append((RowHash.of(ProviderName(name.account, name.value)), number))
            }
        }
        if let row = decision.row, PaymentRecord(held?.attempts ?? []).referenceRow?.until != row.until {
            references.append((RowHash.of(row.reference), number, row.until))
        }
        return row.number
    }

    /// Takes what a decision keeps of messages, and what counted.
    mutating func takeMessages(
        _ decision: JournalDecision, _ loaded: BatchLoad.Loaded, at now: Attempt.Instant, _ place: () -> Int64?
    ) {
        for notice in decision.keeps {
            if let seq = place() { keep(notice, seq, at: now.wall) }
        }
        for (seq, notice) in loaded.kept where decision.removes.contains(where: { $0.isSame(as: notice) }) {
            counted.append(seq)
            countedNames += RowHash.all(of: notice).map { ($0, seq) }
        }
        if let name = decision.overfull { overfull.append(RowHash.of(name)) }
        if decision.gapClosedBy != nil { closesGap = true }
    }

    /// Takes what becomes of lookups: those of attempts that changed, those that a message owes, and the one that was made.
    mutating func takeLooks(
        _ decision: JournalDecision, _ command: JournalCommand, _ loaded: BatchLoad.Loaded, at now: Attempt.Instant,
        number: (PaymentID) -> Int64?
    ) {
        let held = loaded.payments.values.flatMap { payment in payment.open.map { ($0.key, $0.value) } }
        let before = Dictionary(held) { first, _ in first }
        var rows: [AttemptID: Open] = [:]
        func row(_ id: AttemptID) -> Open? {
            guard let attempt = loaded.slice.attempt(id), let payment = number(attempt.intent.paymentID) else {
                return nil
            }
            return Open(attempt, payment, before[id])
        }
        for change in decision.changes {
            let id = change.after.intent.attempt
            guard let payment = number(change.after.intent.paymentID) else { continue }
            var row = Open(change.after, payment, before[id])
            if change.isLookedUpAgain {
                if row.next == nil { row.look(0, JournalRules.nextLookup(after: 0, at: now)) }
            } else if row.owed == nil {
                row.look(0, nil)
            }
            row.clearsMarks = change.clearsMarks || !change.isLookedUpAgain
            rows[id] = row
        }
        for id in decision.looks {
            guard var owing = rows[id] ?? row(id) else { continue }
            owing.look(0, JournalRules.lookupAtOnce)
            owing.owed = LookCodec.bytes(now)
            rows[id] = owing
        }
        if case .report(let id, .lookup) = command, var looked = rows[id] ?? row(id),
            let since = looked.owed.flatMap({ LookCodec.instant($0) }),
            JournalRules.settles(command, owedSince: since, decision, isOpen: looked.attempt.isOpen)
        {
            looked.owed = nil
            if !looked.attempt.isOpen { looked.look(0, nil) }
            rows[id] = looked
        }
        open += rows.sorted { $0.key.text < $1.key.text }.map(\.value).filter { $0.isNeeded || $0.wasThere }
    }

    /// Takes a piece of another journal as it is; everything else is computed from it.
    ///
    /// - Throws: `EventCodec.DecodingError` if it can't be read.
    mutating func copy(_ piece: JournalChunk) throws {
        switch piece {
        case .payment(let log): try copy(log)
        case .notice(let waiting):
            guard let notice = waiting.notice else { throw EventCodec.DecodingError() }
            keep(notice, waiting.number, at: waiting.at)
        case .overfull(let hash): overfull.append(hash)
        case .forgotten(let id): forgotten.append(id)
        case .forgottenName(let hash, let payment): names.append((hash, payment))
        }
    }

    private mutating func copy(_ log: StoredLog) throws {
        let held = try log.attempts()
        entries += log.entries.enumerated().map { index, entry in
            let row = LogRow(
                number: Int64(index + 1), content: entry.content, at: entry.at, write: Array(entry.write.utf8),
                events: entry.events, answer: entry.answer, timeline: entry.timeline)
            return (log.number, row)
        }
        steps += log.waiting.map { (log.number, $0) }
        let looks = Dictionary(log.looks.map { ($0.attempt, $0) }, uniquingKeysWith: { first, _ in first })
        for attempt in held {
            attempts.append((log.number, attempt))
            names += attempt.names.map { (RowHash.of(ProviderName($0.account, $0.value)), log.number) }
            // Marks of boots stay behind: another machine's clock says nothing about them.
            var row = Open(attempt, log.number, nil)
            let look = looks[attempt.intent.attempt.text]
            row.look(look?.looks ?? 0, look?.next)
            row.owed = look?.owed
            if row.isNeeded { open.append(row) }
        }
        if let row = PaymentRecord(held).referenceRow {
            references.append((RowHash.of(row.reference), log.number, row.until))
        }
    }

    private mutating func keep(_ notice: Notice, _ seq: Int64, at: Int64) {
        let (message, body) = (notice.message, EventCodec.bytes(notice))
        notices.append((seq, at, Notice.sum(seq, at, message, body), message, body))
        noticeNames += RowHash.all(of: notice).map { ($0, seq) }
    }

    /// The entry that was appended last.
    func lastEntry(of payment: PaymentID) -> LastAcknowledgedWrite.Entry? {
        entries.last.map {
            LastAcknowledgedWrite.Entry(payment: payment, number: $0.payment, entry: $0.row.number, write: $0.row.write)
        }
    }

    /// How many rows there are.
    var count: Int {
        entries.count + open.count + notices.count + counted.count + overfull.count + (closesGap ? 1 : 0)
    }

    // MARK: - Statements

    /// What has to be sent for all of it.
    var calls: [PostgresCall] {
        var calls: [PostgresCall] = []
        func add(_ isNeeded: Bool, _ statement: PostgresStatement, _ values: @autoclosure () -> [PostgresValue]) {
            if isNeeded { calls.append(PostgresCall(statement, values())) }
        }
        add(!entries.isEmpty, .insertEntries, entryValues)
        add(
            !attempts.isEmpty, .insertAttempts,
            [
                .integers(attempts.map(\.payment)), .flags(attempts.map(\.attempt.intent.isOrigin)),
                .flags(attempts.map(\.attempt.isDryRun)), .texts(attempts.map(\.attempt.intent.attempt.text)),
                .texts(attempts.map(\.attempt.intent.scope)),
            ])
        add(!executedRehearsals.isEmpty, .listRehearsals, [.texts(executedRehearsals.map(\.text))])
        add(!names.isEmpty, .insertNames, [.integers(names.map(\.hash)), .integers(names.map(\.payment))])
        add(
            !references.isEmpty, .keepReferences,
            [
                .integers(references.map(\.hash)), .integers(references.map(\.payment)),
                .integers(references.map(\.until)),
            ])
        calls += openCalls
        add(
            !notices.isEmpty, .insertNotices,
            [
                .integers(notices.map(\.seq)), .integers(notices.map(\.at)), .integers(notices.map(\.sum)),
                .byteStrings(notices.map(\.message)), .byteStrings(notices.map(\.body)),
            ])
        add(
            !noticeNames.isEmpty, .insertNoticeNames,
            [.integers(noticeNames.map(\.hash)), .integers(noticeNames.map(\.seq))])
        add(
            !countedNames.isEmpty, .deleteNoticeNames,
            [.integers(countedNames.map(\.hash)), .integers(countedNames.map(\.seq))])
        add(!counted.isEmpty, .deleteNotices, [.integers(counted)])
        add(!overfull.isEmpty, .insertOverfull, [.integers(overfull)])
        add(!waiting.isEmpty, .deleteWaiting, [.integers(waiting)])
        add(
            !steps.isEmpty, .insertSteps,
            [
                .integers(steps.map(\.payment)), .integers(steps.map { RowSum.of(.bytes($0.body)) }),
                .byteStrings(steps.map(\.body)),
            ])
        add(!forgotten.isEmpty, .insertForgotten, [.texts(forgotten)])
        add(closesGap, .closeGap, [])
        add(mustFollow && calls.isEmpty, .follow, [])
        return calls
    }

    private var entryValues: [PostgresValue] {
        [
            .integers(entries.map(\.payment)), .integers(entries.map(\.row.number)),
            .integers(entries.map(\.row.content)), .integers(entries.map(\.row.at)),
            .integers(entries.map { $0.row.sum($0.payment) }), .byteStrings(entries.map(\.row.write)),
            .byteStrings(entries.map(\.row.events)), .byteStrings(entries.map(\.row.answer)),
            .byteStrings(entries.map(\.row.timeline)),
        ]
    }

    private var openCalls: [PostgresCall] {
        var calls: [PostgresCall] = []
        let new = open.filter { $0.isNeeded && !$0.wasThere }
        if !new.isEmpty {
            calls.append(
                PostgresCall(
                    .insertOpen,
                    [
                        .texts(new.map(\.attempt.intent.attempt.text)), .integers(new.map(\.payment)),
                        .texts(new.map(\.attempt.intent.scope)), .integers(new.map(\.account)),
                        .flags(new.map(\.attempt.isOpen)), .flags(new.map { $0.candidate != nil }),
                        .integers(new.map(\.looks)), .optionalIntegers(new.map(\.next)),
                        .byteStrings(new.map { $0.owed ?? [] }),
                    ]))
        }
        let changed = open.filter { $0.isNeeded && $0.wasThere }
        if !changed.isEmpty {
            calls.append(
                PostgresCall(
                    .updateOpen,
                    [
                        .texts(changed.map(\.attempt.intent.attempt.text)), .integers(changed.map(\.account)),
                        .flags(changed.map(\.attempt.isOpen)), .flags(changed.map { $0.candidate != nil }),
                        .integers(changed.map(\.looks)), .optionalIntegers(changed.map(\.next)),
                        .byteStrings(changed.map { $0.owed ?? [] }), .flags(changed.map(\.keepsLooks)),
                        .flags(changed.map(\.clearsMarks)),
                    ]))
        }
        let gone = open.filter { !$0.isNeeded }
        if !gone.isEmpty {
            calls.append(PostgresCall(.deleteOpen, [.texts(gone.map(\.attempt.intent.attempt.text))]))
        }
        return calls
    }
}

/// The checksum that is in each row.
enum RowSum {
    /// One value of a row.
    enum Value {
        case integer(Int64)
        case bytes([UInt8])
    }

    static func of(_ values: Value...) -> Int64 {
        var sum = RowChecksum()
        for value in values {
            switch value {
            case .integer(let number): sum.add(integer: number)
            case .bytes(let bytes): sum.add(bytes: bytes)
            }
        }
        return sum.value
    }
}
