internal import PaymentAbstraction

/// The rows that a batch writes, table by table.
struct BatchRows {
    private var attempts: [(seq: Int64, intent: AttemptIntent, isRehearsal: Bool)] = []
    private var entries: [(seq: Int64, number: Int64, id: WriteID, isAnswer: Bool, at: Int64, facts: [UInt8])] = []
    private var (inserted, updated, deleted): ([Live], [Live], [Int64]) = ([], [], [])
    private var names: [(account: String, value: String, seq: Int64)] = []
    private var answers: [(id: WriteID, at: Int64, body: [UInt8])] = []
    private var notices: [(account: String, name: String, at: Int64, body: [UInt8])] = []
    private var filed: [Int64] = []
    private var events: [(scope: String, payment: String, at: Int64, body: [UInt8])] = []
    private var stones: [(seq: Int64, scope: String, id: String)] = []
    /// Whether what is told was written by others, and has to be as durable as a write of one's own.
    var mustFollow = false

    /// What is computed of an attempt.
    private struct Live {
        let seq: Int64
        let facts: AttemptFacts
        let (looks, next): (Int, Int64?)

        var blocks: Bool { facts.intent.isOrigin && facts.blocks }
        var isRival: Bool { facts.isOpen || facts.hasMoved && facts.names.isEmpty }
        var isNeeded: Bool { facts.isOpen || blocks || isRival || next != nil }
    }

    /// Appends facts to an attempt.
    mutating func append(
        _ facts: [JournalFact], _ after: AttemptFacts, to held: HeldAttempt?, at seq: Int64, _ id: WriteID,
        isAnswer: Bool, _ now: JournalInstant
    ) {
        if held == nil { attempts.append((seq, after.intent, after.isRehearsal)) }
        entries.append((seq, (held?.entries ?? 0) + 1, id, isAnswer, now.wall, FactCodec.bytes(facts)))
        let looks = held?.looks ?? 0
        let next = JournalRules.nextLook(after, looks: looks, at: now)
        let live = Live(seq: seq, facts: after, looks: next == nil ? 0 : looks, next: next)
        switch (held?.isLive ?? false, live.isNeeded) {
        case (true, true): updated.append(live)
        case (true, false): deleted.append(seq)
        case (false, true): inserted.append(live)
        case (false, false): break
        }
        for case .name(let name) in facts { names.append((FactCodec.text(name.provider), name.value, seq)) }
    }

    mutating func remember(_ answer: JournalAnswer, _ id: WriteID, _ now: JournalInstant) {
        answers.append((id, now.wall, FactCodec.bytes(answer)))
    }

    mutating func keep(_ notice: KeptNotice, _ now: JournalInstant) {
        notices.append((FactCodec.text(notice.provider), notice.name, now.wall, FactCodec.bytes(notice)))
    }

    mutating func file(_ seq: Int64) { filed.append(seq) }

    /// Writes timelines: what belongs to one payment is one row.
    mutating func append(_ events: [PaymentEvent], scope: String) {
        var payments: [PaymentID] = []
        for event in events { if let payment = event.payment, !payments.contains(payment) { payments.append(payment) } }
        for payment in payments {
            let own = events.filter { $0.payment == payment }
            self.events.append((scope, payment.attempt.text, own.map(\.at).max() ?? 0, FactCodec.bytes(own)))
        }
    }

    /// The entry that was appended last.
    func lastEntry(of key: AttemptKey) -> Acknowledged.Entry? {
        entries.last.map { Acknowledged.Entry(key: key, seq: $0.seq, number: $0.number, write: $0.id) }
    }

    /// Takes pieces of another journal as they are.
    ///
    /// - Throws: `FactCodec.Unreadable` where one can't be read.
    mutating func copy(_ piece: JournalPiece) throws {
        switch piece {
        case .attempt(let seq, let copied, let looks, let nextLook):
            let list = try JournalPiece.list(copied)
            guard let facts = AttemptFacts(list) else { throw FactCodec.Unreadable() }
            attempts.append((seq, facts.intent, facts.isRehearsal))
            for (index, entry) in copied.enumerated() {
                entries.append(
                    (seq, Int64(index + 1), WriteID(entry.write), entry.isAnswer, entry.at, entry.facts))
            }
            let live = Live(seq: seq, facts: facts, looks: Int(clamping: looks), next: nextLook)
            if live.isNeeded { inserted.append(live) }
            for case .name(let name) in list { names.append((FactCodec.text(name.provider), name.value, seq)) }
        case .answer(let write, let at, let body): answers.append((WriteID(write), at, body))
        case .notice(let account, let name, let at, let body): notices.append((account, name, at, body))
        case .event(let scope, let payment, let at, let body): events.append((scope, payment, at, body))
        case .forgotten(let seq, let scope, let id, let old):
            stones.append((seq, scope, id))
            for name in old { names.append((name.account, name.value, -seq)) }
        }
    }

    /// How many rows there are.
    var count: Int {
        attempts.count + entries.count + names.count + answers.count + notices.count + filed.count + events.count
    }

    /// What has to be sent for all of it.
    var calls: [PostgresCall] {
        var calls: [PostgresCall] = []
        func add(_ isNeeded: Bool, _ statement: PostgresStatement, _ values: @autoclosure () -> [PostgresValue]) {
            if isNeeded { calls.append(PostgresCall(statement, values())) }
        }
        add(
            !attempts.isEmpty, .insertAttempts,
            [
                .integers(attempts.map(\.seq)), .texts(attempts.map(\.intent.scope)),
                .texts(attempts.map(\.intent.attempt.text)), .texts(attempts.map(\.intent.paymentID.attempt.text)),
                .flags(attempts.map(\.intent.isOrigin)), .texts(attempts.map(\.intent.reference)),
                .flags(attempts.map(\.isRehearsal)),
            ])
        add(
            !entries.isEmpty, .insertEntries,
            [
                .integers(entries.map(\.seq)), .integers(entries.map(\.number)), .texts(entries.map(\.id.text)),
                .flags(entries.map(\.isAnswer)), .integers(entries.map(\.at)), .byteStrings(entries.map(\.facts)),
            ])
        add(!inserted.isEmpty, .insertLive, Self.values(inserted))
        add(!updated.isEmpty, .updateLive, Self.values(updated))
        add(!deleted.isEmpty, .deleteLive, [.integers(deleted)])
        add(
            !names.isEmpty, .insertNames,
            [.texts(names.map(\.account)), .texts(names.map(\.value)), .integers(names.map(\.seq))])
        add(
            !answers.isEmpty, .insertAnswers,
            [.texts(answers.map(\.id.text)), .integers(answers.map(\.at)), .byteStrings(answers.map(\.body))])
        add(
            !notices.isEmpty, .insertNotices,
            [
                .texts(notices.map(\.account)), .texts(notices.map(\.name)), .integers(notices.map(\.at)),
                .byteStrings(notices.map(\.body)),
            ])
        add(
            !stones.isEmpty, .insertForgotten,
            [.integers(stones.map(\.seq)), .texts(stones.map(\.scope)), .texts(stones.map(\.id))])
        add(!filed.isEmpty, .deleteNotices, [.integers(filed)])
        add(
            !events.isEmpty, .insertEvents,
            [
                .texts(events.map(\.scope)), .texts(events.map(\.payment)), .integers(events.map(\.at)),
                .byteStrings(events.map(\.body)),
            ])
        add(mustFollow && calls.isEmpty, .follow, [])
        return calls
    }

    private static func values(_ live: [Live]) -> [PostgresValue] {
        [
            .integers(live.map(\.seq)), .texts(live.map(\.facts.intent.scope)),
            .texts(live.map { FactCodec.text($0.facts.newest.provider) }), .flags(live.map(\.facts.isOpen)),
            .flags(live.map(\.blocks)), .flags(live.map(\.isRival)), .integers(live.map { Int64($0.looks) }),
            .optionalIntegers(live.map(\.next)),
        ]
    }
}
