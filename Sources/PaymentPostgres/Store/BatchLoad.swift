internal import PaymentJournalKit
internal import PaymentModel

/// What a batch of entries has to be asked about, loaded with one question of each kind.
struct BatchLoad {
    /// What the rules are asked with for one entry, and the rows that it came from.
    struct Loaded {
        var slice = JournalSlice()
        var payments: [PaymentID: HeldPayment] = [:]
        var kept: [(seq: Int64, notice: Notice)] = []
        /// The entry that the write has made before, with its payment.
        var answered: (payment: HeldPayment, row: LogRow)?
        /// Whether the message is kept already.
        var isKept = false
        var forgotten: AttemptID?
        var failure: PostgresStoreError?
        /// Why nothing may be begun or sent.
        var refusal: PostgresStoreError?
        fileprivate var byName: [ProviderName: [Int64]] = [:]

        /// The numbers of the payments that may change.
        var numbers: Set<Int64> { Set(payments.values.map(\.number)) }
    }

    /// Values that are looked for together, and for which entry each is.
    private struct Ask<Value> {
        private(set) var values: [Value] = []
        private(set) var jobs: [Int] = []

        mutating func add(_ job: Int, _ value: Value) {
            values.append(value)
            jobs.append(job)
        }
    }

    private typealias Taker = (inout BatchLoad, PostgresRows) throws(PostgresFailure) -> Void

    private(set) var loaded: [Loaded]
    /// Numbers for payments and messages that may be new.
    private(set) var places: [Int64] = []
    /// What has to be sent.
    private(set) var calls: [PostgresCall] = []
    private var takers: [Taker?] = []
    private let jobs: [EntryJob]

    private var (ids, forgotten): (Ask<AttemptID>, Ask<AttemptID>) = (Ask(), Ask())
    private var (names, pruned) = (Ask<(name: ProviderName, hash: Int64)>(), Ask<(name: ProviderName, hash: Int64)>())
    private var references = Ask<(hash: Int64, now: Int64)>()
    private var (accounts, notices): (Ask<Int64>, Ask<Int64>) = (Ask(), Ask())
    private var (writes, messages): (Ask<[UInt8]>, Ask<[UInt8]>) = (Ask(), Ask())

    /// Takes locks and loads what all entries need, for a transaction at a server; without one, it is only asked what would be.
    init(_ jobs: [EntryJob], _ keys: LockKey, at server: Int64? = nil) {
        (loaded, self.jobs) = (jobs.map { _ in Loaded() }, jobs)
        for (index, job) in jobs.enumerated() { ask(index, job) }
        if server != nil {
            add(PostgresCall(.begin))
            add(PostgresCall(.lock, [.integers(Set(jobs.flatMap(\.locks)).sorted())]))
            add(
                PostgresCall(
                    .lockPayments,
                    [.texts(ids.values.map(\.text)), .integers(names.values.map(\.hash)), .integer(keys.seed)]))
        }
        add(
            PostgresCall(
                .load,
                [
                    .texts(ids.values.map(\.text)), .integers(names.values.map(\.hash)),
                    .integers(references.values.map(\.hash)), .integers(references.values.map(\.now)),
                    .integers(accounts.values), .byteStrings(writes.values),
                ])
        ) { $0.takePayments($1) }
        add(PostgresCall(.forgotten, [.texts(forgotten.values.map(\.text))]), if: !forgotten.values.isEmpty) {
            load, rows in
            for place in rows.integers.map({ Int($0) - 1 }) {
                load.loaded[load.forgotten.jobs[place]].forgotten = load.forgotten.values[place]
            }
        }
        add(PostgresCall(.forgottenNames, [.integers(pruned.values.map(\.hash))]), if: !pruned.values.isEmpty) {
            load, rows in
            for place in rows.integers.map({ Int($0) - 1 }) {
                load.loaded[load.pruned.jobs[place]].slice.forgotten.insert(load.pruned.values[place].name)
            }
        }
        add(PostgresCall(.notices, [.integers(notices.values)]), if: !notices.values.isEmpty) { $0.takeNotices($1) }
        add(PostgresCall(.kept, [.byteStrings(messages.values)]), if: !messages.values.isEmpty) { load, rows in
            for place in rows.integers { load.loaded[load.messages.jobs[Int(place) - 1]].isKept = true }
        }
        add(PostgresCall(.fitness, [.integer(server ?? 0)])) { $0.takeFitness($1, isPreview: server == nil) }
        let newMax = jobs.count { $0.entry.mayNeedPlace }
        add(PostgresCall(.places, [.integer(Int64(newMax))]), if: server != nil && newMax > 0) {
            $0.places = $1.integers.reversed()
        }
    }

    private mutating func add(_ call: PostgresCall, if isNeeded: Bool = true, _ taker: Taker? = nil) {
        guard isNeeded else { return }
        calls.append(call)
        takers.append(taker)
    }

    private mutating func ask(_ index: Int, _ job: EntryJob) {
        for id in job.asks.attempts { ids.add(index, id) }
        for id in job.reads.attempts { forgotten.add(index, id) }
        for name in job.asks.names { names.add(index, name) }
        for name in job.asks.pruned { pruned.add(index, name) }
        if let hash = job.asks.reference {
            references.add(index, (hash, job.instant.wall.addingSaturating(-PaymentRecord.ReferenceRow.clockMargin)))
        }
        if let account = job.asks.account { accounts.add(index, account) }
        for hash in job.asks.notices { notices.add(index, hash) }
        writes.add(index, job.write)
        if case .notice = job.entry.command { messages.add(index, job.write) }
    }

    // MARK: - What came back

    /// Takes the answers to all calls.
    mutating func take(_ rows: some Sequence<PostgresRows>, isAlive: (String) -> Bool) throws(PostgresFailure) {
        for (taker, rows) in zip(takers, rows) { try taker?(&self, rows) }
        for index in loaded.indices { finish(&loaded[index], isAlive) }
    }

    /// Takes a number for a row that is new.
    mutating func takePlace() -> Int64? { places.popLast() }

    private mutating func takePayments(_ rows: PostgresRows) {
        for (index, row) in HeldPayment.rows(rows, from: 1).enumerated() {
            var reader = PieceReader(rows.bytes(index, 0))
            while let found = try? reader.integer() {
                guard let kind = PostgresStatement.Found(rawValue: found >> 32) else { continue }
                take(row, kind, Int(found & 0xFFFF_FFFF) - 1)
            }
        }
    }

    private mutating func take(_ row: HeldPayment.Row, _ kind: PostgresStatement.Found, _ place: Int) {
        let index =
            switch kind {
            case .id: ids.jobs[place]
            case .name: names.jobs[place]
            case .reference: references.jobs[place]
            case .account: accounts.jobs[place]
            case .write: writes.jobs[place]
            }
        let held: HeldPayment
        do { held = try row.get() } catch {
            loaded[index].failure = loaded[index].failure ?? error
            return
        }
        switch kind {
        case .id: take(held, index)
        case .name:
            take(held, index)
            loaded[index].byName[names.values[place].name, default: []].append(held.number)
        case .reference:
            guard let row = PaymentRecord(held.attempts).referenceRow, row.reference == jobs[index].reads.reference
            else { return }
            loaded[index].slice.underReference.append(row)
        case .account:
            guard let account = jobs[index].reads.matches else { return }
            loaded[index].slice.matches += held.attempts.compactMap { MatchRow($0) }.filter { $0.account == account }
        case .write:
            guard let row = held.log.first(where: { $0.write == jobs[index].write }) else { return }
            loaded[index].answered = (held, row)
        }
    }

    private mutating func take(_ held: HeldPayment, _ index: Int) {
        guard loaded[index].payments.updateValue(held, forKey: held.id) == nil else { return }
        loaded[index].slice.attempts += held.attempts
        loaded[index].slice.entries[held.id] = held.entry
        for row in held.open.values { loaded[index].slice.marks[row.attempt] = row.marks.map { LookCodec.marks($0) } }
    }

    /// A message that can't be read fails the entry: what it says may decide.
    private mutating func takeNotices(_ rows: PostgresRows) {
        for row in 0..<rows.count {
            let place = Int(rows.integer(row, 0)) - 1
            let (index, hash) = (notices.jobs[place], notices.values[place])
            if rows.isNull(row, 1) {
                for name in jobs[index].asks.names where name.hash == hash {
                    loaded[index].slice.overfull.insert(name.name)
                }
                continue
            }
            let (seq, at, sum) = (rows.integer(row, 1), rows.integer(row, 2), rows.integer(row, 3))
            let (message, body) = (rows.bytes(row, 4), rows.bytes(row, 5))
            guard sum == Notice.sum(seq, at, message, body), let notice = try? EventCodec.notice(body) else {
                loaded[index].failure = loaded[index].failure ?? .damagedRow
                continue
            }
            guard jobs[index].reads.wants(notice), !loaded[index].kept.contains(where: { $0.seq == seq }) else {
                continue
            }
            loaded[index].kept.append((seq, notice))
        }
    }

    private mutating func takeFitness(_ rows: PostgresRows, isPreview: Bool) {
        let fitness = RestoreCheck(rows)
        for (index, job) in jobs.enumerated() {
            (loaded[index].slice.generation, loaded[index].slice.hasGap) = (fitness.generation, fitness.hasGap)
            // What is written into a journal that continues elsewhere would be in no journal that is used.
            let isRefused = job.entry.asksForMore || fitness.refusal == .moved
            if isRefused, !isPreview { loaded[index].refusal = fitness.refusal }
        }
    }

    private func finish(_ one: inout Loaded, _ isAlive: (String) -> Bool) {
        one.kept.sort { $0.seq < $1.seq }
        one.slice.notices = one.kept.map(\.notice)
        for run in one.slice.attempts.flatMap(\.runs) where isAlive(run.owner) { one.slice.living.insert(run.owner) }
        for (name, numbers) in one.byName {
            let holders = one.payments.values.filter { numbers.contains($0.number) }.sorted { $0.number < $1.number }
                .flatMap(\.attempts).filter { $0.has(name) }.map(\.intent.attempt)
            if !holders.isEmpty { one.slice.holders[name] = holders }
        }
    }
}

extension BatchLoad {
    /// What the rules say to one of the entries.
    func decide(_ index: Int) throws -> JournalDecision {
        let (job, one) = (jobs[index], loaded[index])
        if let failure = one.failure ?? one.refusal { throw failure }
        if let id = one.forgotten { throw PostgresStoreError.forgotten(id) }
        return JournalRules.decide(job.entry, one.slice, job.reads, at: job.instant)
    }
}

extension JournalEntry {
    /// Whether it can make a payment, or a message that is kept.
    var mayNeedPlace: Bool {
        switch command {
        case .request(let open): open.begin != nil
        case .finish(let finish): finish.begin != nil
        case .report(_, .imported): true
        // Who closed the gap is kept like a message.
        case .notice, .closeGap: true
        case .report, .takeOver: false
        }
    }
}

extension Notice {
    /// What guards the row of a message.
    static func sum(_ seq: Int64, _ at: Int64, _ message: [UInt8], _ body: [UInt8]) -> Int64 {
        RowSum.of(.integer(seq), .bytes(message), .integer(at), .bytes(body))
    }
}

/// One entry of a log as it is stored.
struct LogRow {
    let number: Int64
    let content: Int64
    let at: Int64
    let write: [UInt8]
    let events, answer, timeline: [UInt8]

    /// What guards the row.
    func sum(_ payment: Int64) -> Int64 {
        RowSum.of(
            .integer(payment), .integer(number), .bytes(write), .integer(content), .integer(at), .bytes(events),
            .bytes(answer), .bytes(timeline))
    }

    /// The same as the tools have it.
    var entry: StoredLog.Entry {
        StoredLog.Entry(
            write: String(decoding: write, as: UTF8.self), content: content, at: at, events: events, answer: answer,
            timeline: timeline)
    }
}

/// The row of an attempt that is open, could be something found, or is looked up.
struct OpenRow {
    let attempt: AttemptID
    let isOpen: Bool
    let isCandidate: Bool
    let looks: Int64
    let next: Int64?
    /// Since when a message owes a lookup.
    let owed: [UInt8]?
    /// Which boots have looked at it.
    let marks: [UInt8]?
}

/// A payment as one statement shows it: its log, and the rows that change with it.
struct HeldPayment {
    let number: Int64
    let attempts: [Attempt]
    let log: [LogRow]
    let open: [AttemptID: OpenRow]
    /// Steps of the timeline that wait for the next entry.
    let waiting: [(seq: Int64, body: [UInt8])]

    var entry: Int { log.count }
    var id: PaymentID { attempts[0].intent.paymentID }
    func attempt(_ id: AttemptID) -> Attempt? { attempts.first { $0.intent.attempt == id } }

    /// A row of a statement: the payment, or the name of what can't be read.
    struct Row {
        let number: Int64
        /// The attempt that started it.
        let id: AttemptID?
        let outcome: Result<HeldPayment, PostgresStoreError>

        func get() throws(PostgresStoreError) -> HeldPayment { try outcome.get() }
    }

    /// Reads all rows of a statement whose columns from `column` on are those of a payment.
    static func rows(_ rows: PostgresRows, from column: Int = 0) -> [Row] {
        (0..<rows.count).map { row in
            let ids = rows.text(row, column + 1).split(separator: " ").map { try? AttemptID(String($0)) }
            let number = rows.integer(row, column)
            return Row(
                number: number, id: ids.first ?? nil,
                outcome: Result { () throws(PostgresStoreError) in
                    try HeldPayment(
                        number, ids, rows.bytes(row, column + 2), rows.bytes(row, column + 3),
                        rows.bytes(row, column + 4))
                })
        }
    }

    private init(
        _ number: Int64, _ ids: [AttemptID?], _ log: [UInt8], _ open: [UInt8], _ waiting: [UInt8]
    ) throws(PostgresStoreError) {
        let unreadable = PostgresStoreError.unreadable(ids.first ?? nil)
        self.number = number
        do {
            self.log = try Self.log(log, number)
            self.open = try Self.open(open)
            self.waiting = try Self.waiting(waiting)
            attempts = try EventCodec.histories(self.log.map(\.events)).map(\.attempt)
        } catch { throw unreadable }
        // A payment whose last entries are missing still has the ids of their attempts.
        guard !attempts.isEmpty, Set(ids) == Set(attempts.map(\.intent.attempt)) else { throw unreadable }
    }

    static func log(_ bytes: [UInt8], _ payment: Int64) throws(EventCodec.DecodingError) -> [LogRow] {
        var (rows, reader): ([LogRow], PieceReader) = ([], PieceReader(bytes))
        while !reader.isAtEnd {
            let (number, content, at) = (try reader.integer(), try reader.integer(), try reader.integer())
            let sum = try reader.integer()
            let row = LogRow(
                number: number, content: content, at: at, write: try reader.bytes(), events: try reader.bytes(),
                answer: try reader.bytes(), timeline: try reader.bytes())
            guard number == Int64(rows.count + 1), row.sum(payment) == sum else { throw EventCodec.DecodingError() }
            rows.append(row)
        }
        return rows
    }

    static func open(_ bytes: [UInt8]) throws(EventCodec.DecodingError) -> [AttemptID: OpenRow] {
        var (rows, reader): ([AttemptID: OpenRow], PieceReader) = ([:], PieceReader(bytes))
        while !reader.isAtEnd {
            let (looks, next, flags) = (try reader.integer(), try reader.integer(), try reader.integer())
            let text = String(decoding: try reader.bytes(), as: UTF8.self)
            guard let id = try? AttemptID(text) else { throw EventCodec.DecodingError() }
            let (owed, marks) = (try reader.optionalBytes(), try reader.optionalBytes())
            rows[id] = OpenRow(
                attempt: id, isOpen: flags & 1 != 0, isCandidate: flags & 2 != 0, looks: looks,
                next: next == .min ? nil : next, owed: owed, marks: marks)
        }
        return rows
    }

    static func waiting(_ bytes: [UInt8]) throws(EventCodec.DecodingError) -> [(seq: Int64, body: [UInt8])] {
        var (rows, reader): ([(seq: Int64, body: [UInt8])], PieceReader) = ([], PieceReader(bytes))
        while !reader.isAtEnd {
            let (seq, sum, body) = (try reader.integer(), try reader.integer(), try reader.bytes())
            guard sum == RowSum.of(.bytes(body)) else { throw EventCodec.DecodingError() }
            rows.append((seq, body))
        }
        return rows
    }
}

/// Takes apart what a statement put together of several rows.
struct PieceReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func number(_ count: Int) throws(EventCodec.DecodingError) -> Int64 {
        guard rest.count >= count, let first = rest.first else { throw EventCodec.DecodingError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// Eight bytes.
    mutating func integer() throws(EventCodec.DecodingError) -> Int64 { try number(8) }

    /// Bytes behind their length in four bytes; nil for a length of -1.
    mutating func optionalBytes() throws(EventCodec.DecodingError) -> [UInt8]? {
        let count = Int(try number(4))
        if count < 0 { return nil }
        guard rest.count >= count else { throw EventCodec.DecodingError() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func bytes() throws(EventCodec.DecodingError) -> [UInt8] { try optionalBytes() ?? [] }
}
