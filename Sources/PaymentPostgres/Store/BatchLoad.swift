internal import PaymentAbstraction

/// What a batch of entries has to be asked about, loaded with one question of each kind.
struct BatchLoad {
    /// What the rules are asked with for one entry, and the rows that it came from.
    struct Loaded {
        var slice = JournalSlice()
        var rows: [AttemptKey: HeldAttempt] = [:]
        var kept: [(seq: Int64, notice: KeptNotice)] = []
        /// The answer that the write has had before: the attempt that it wrote to, or an answer that says more.
        var answered: (seq: Int64?, body: [UInt8]?)?
        var isForgotten = false
        /// Whether something forgotten was called by a name that is asked for.
        var hasForgottenName = false
        var failure: StoreFailure?
        /// Why nothing may be begun or sent.
        var refusal: StoreFailure?

        fileprivate mutating func take(_ row: HeldAttempt.Row) -> AttemptFacts? {
            switch row.outcome {
            case .success(let held):
                rows[held.facts.intent.key] = held
                return held.facts
            case .failure(let problem):
                failure = failure ?? problem
                return nil
            }
        }
    }

    /// Pairs of texts that are looked for together, and for which entry each is.
    private struct Ask {
        var scopes: [String] = []
        var values: [String] = []
        var jobs: [Int] = []
        /// What the value is to the entry.
        var names: [String] = []

        mutating func add(_ job: Int, _ scope: String, _ value: String, as name: String = "") {
            scopes.append(scope)
            values.append(value)
            jobs.append(job)
            names.append(name)
        }

        func call(_ statement: PostgresStatement) -> PostgresCall? {
            jobs.isEmpty ? nil : PostgresCall(statement, [.texts(scopes), .texts(values)])
        }
    }

    private(set) var loaded: [Loaded]
    /// Places for attempts that may be new.
    private(set) var places: [Int64] = []

    private var (attempts, families, references): (Ask, Ask, Ask) = (Ask(), Ask(), Ask())
    private var (holders, forgotten): (Ask, Ask) = (Ask(), Ask())
    private var rivals: (accounts: [String], jobs: [Int]) = ([], [])
    private var accounts: [ProviderIdentity?]

    private static let isTold = "told"

    /// Begins a transaction, unless it is begun, waits for the locks of all entries, and loads what they need.
    init(_ line: PostgresLine, _ jobs: [EntryJob], begins: Bool = true) throws(PostgresFailure) {
        loaded = jobs.map { _ in Loaded() }
        accounts = jobs.map(\.reads.provider)
        var newMax = 0
        for (index, job) in jobs.enumerated() {
            ask(index, job)
            newMax += job.entry.parts.count { $0.mayBeNew }
        }
        let keys = Set(jobs.flatMap(\.keys)).sorted()
        var calls = (begins ? [PostgresCall(.begin)] : []) + [PostgresCall(.lock, [.integers(keys)])]
        let first = calls.count
        // What was asked, in the order in which the answers come.
        var takers: [(inout BatchLoad, PostgresRows) -> Void] = []
        func add(_ call: PostgresCall?, _ taker: @escaping (inout BatchLoad, PostgresRows) -> Void) {
            guard let call else { return }
            calls.append(call)
            takers.append(taker)
        }
        add(PostgresCall(.answered, [.texts(jobs.map(\.id.text))])) { $0.takeAnswered($1) }
        add(attempts.call(.byKey)) { $0.takeAttempts($1) }
        add(forgotten.call(.forgotten)) { load, rows in
            for row in 0..<rows.count {
                load.loaded[load.forgotten.jobs[Int(rows.integer(row, 0)) - 1]].isForgotten = true
            }
        }
        add(families.call(.family)) { load, rows in
            load.each(rows, load.families.jobs) { $0.slice.family.append($1) }
        }
        add(references.call(.blocking)) { load, rows in
            load.each(rows, load.references.jobs) { $0.slice.underReference.append($1) }
        }
        add(holders.call(.holders)) { $0.takeHolders($1) }
        add(holders.call(.forgottenHolders)) { $0.takeForgotten($1) }
        add(holders.call(.notices)) { $0.takeNotices($1) }
        if !rivals.jobs.isEmpty {
            add(PostgresCall(.rivals, [.texts(rivals.accounts)])) { load, rows in
                load.each(rows, load.rivals.jobs) { $0.slice.rivals.append($1) }
            }
        }
        if jobs.contains(where: \.entry.asksForMore) {
            add(try Fitness.call(line)) { load, rows in
                let fitness = Fitness(rows)
                for (index, job) in jobs.enumerated() {
                    load.loaded[index].slice.restoredAt = fitness.restoredAt
                    if job.entry.asksForMore { load.loaded[index].refusal = fitness.refusal }
                }
            }
        }
        if newMax > 0 {
            add(PostgresCall(.places, [.integer(Int64(newMax))])) { $0.places = $1.integers.reversed() }
        }
        let rows = try line.exchange(calls)
        for (taker, rows) in zip(takers, rows.dropFirst(first)) { taker(&self, rows) }
    }

    /// Takes a place for an attempt that is new.
    mutating func takePlace() -> Int64? { places.popLast() }

    private mutating func ask(_ index: Int, _ job: EntryJob) {
        let reads = job.reads
        if let key = reads.attempt {
            attempts.add(index, key.scope, key.attempt.text)
            forgotten.add(index, key.scope, key.attempt.text)
        }
        for key in reads.told { attempts.add(index, key.scope, key.attempt.text, as: Self.isTold) }
        if let origin = reads.family { families.add(index, origin.scope, origin.attempt.text) }
        if let text = reads.reference, let scope = reads.attempt?.scope { references.add(index, scope, text) }
        guard let provider = reads.provider else { return }
        let account = FactCodec.text(provider)
        for name in reads.names.sorted() { holders.add(index, account, name, as: name) }
        if reads.wantsRivals {
            rivals.accounts.append(account)
            rivals.jobs.append(index)
        }
    }

    // MARK: - What came back

    private mutating func each(
        _ rows: PostgresRows, _ jobs: [Int], _ take: (inout Loaded, AttemptFacts) -> Void
    ) {
        for row in HeldAttempt.rows(rows) {
            let index = jobs[row.place]
            if let facts = loaded[index].take(row) { take(&loaded[index], facts) }
        }
    }

    private mutating func takeAnswered(_ rows: PostgresRows) {
        for row in 0..<rows.count {
            loaded[Int(rows.integer(row, 0)) - 1].answered = (
                rows.isNull(row, 1) ? nil : rows.integer(row, 1), rows.isNull(row, 2) ? nil : rows.bytes(row, 2)
            )
        }
    }

    private mutating func takeAttempts(_ rows: PostgresRows) {
        for row in HeldAttempt.rows(rows) {
            let index = attempts.jobs[row.place]
            guard attempts.names[row.place] == Self.isTold else {
                loaded[index].slice.attempt = loaded[index].take(row)
                continue
            }
            // Who was told may be forgotten; that costs a conflict, never a charge.
            guard case .success(let held) = row.outcome else { continue }
            loaded[index].rows[held.facts.intent.key] = held
            loaded[index].slice.told.append(held.facts)
        }
    }

    private mutating func takeHolders(_ rows: PostgresRows) {
        for row in HeldAttempt.rows(rows) {
            let index = holders.jobs[row.place]
            guard let facts = loaded[index].take(row) else { continue }
            loaded[index].slice.holders[holders.names[row.place], default: []].append(facts)
        }
    }

    private mutating func takeForgotten(_ rows: PostgresRows) {
        for row in 0..<rows.count {
            let place = Int(rows.integer(row, 0)) - 1
            let index = holders.jobs[place]
            guard let provider = accounts[index], let id = try? AttemptID(rows.text(row, 2)) else { continue }
            let facts = FactCodec.forgotten(AttemptKey(id, scope: rows.text(row, 1)), at: provider)
            loaded[index].slice.holders[holders.names[place], default: []].append(facts)
            loaded[index].hasForgottenName = true
        }
    }

    /// One that can't be read stays where it is.
    private mutating func takeNotices(_ rows: PostgresRows) {
        for row in 0..<rows.count {
            let index = holders.jobs[Int(rows.integer(row, 0)) - 1]
            guard let notice = try? FactCodec.notice(rows.bytes(row, 2)) else { continue }
            loaded[index].kept.append((rows.integer(row, 1), notice))
            loaded[index].slice.kept.append(notice)
        }
    }
}

extension JournalEntry {
    /// Whether it asks that something be done that may have been done before.
    var asksForMore: Bool {
        parts.contains { part in
            switch part {
            case .begin, .open: true
            case .byProvider, .close, .end, .word, .silence, .likeness, .names, .note: false
            }
        }
    }
}

extension JournalEntry.Part {
    /// Whether it can make an attempt.
    var mayBeNew: Bool {
        switch self {
        case .begin, .byProvider: true
        case .open, .close, .end, .word, .silence, .likeness, .names, .note: false
        }
    }
}
