internal import PaymentBase
package import PaymentModel

/// A journal that ends with the process: for tests and demonstrations. It answers by index, so that the millionth sale
/// costs what the first did.
package final class InMemoryJournal: Journal {
    private let state = Locked(InMemoryStore())
    private let messages = Locked(InMemoryDeliveries())
    private let waits = ChangeWaits<PaymentID>()
    package let processes: any ProcessRegistry
    package let place = "memory"

    /// Makes an empty journal.
    package init(
        processes: any ProcessRegistry = SingleProcess(), clock: JournalClock = JournalClock(),
        generation: JournalGeneration = JournalGeneration(1)
    ) {
        self.processes = processes
        state.withLock { ($0.clock, $0.generation) = (clock, generation) }
    }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let (answer, payment) = state.withLock { $0.write(entry, id, at: instant, isAlive: processes.isAlive) }
        if let payment { waits.wake([payment]) }
        return answer
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        state.withLock { $0.preview(entry, at: instant, isAlive: processes.isAlive) }
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        state.withLock { $0.page(query, after: cursor, limit: limit) }
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        state.withLock { $0.payment(id) }
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        state.withLock { $0.takeDue(terms, at: instant, isAlive: processes.isAlive) }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        state.withLock { $0.timelines[payment] ?? [] }
    }

    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        state.withLock { $0.feed(after: position, limit: limit) }
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let made: Result<Value, JournalFailure> = messages.withLock { messages in
            var rows: any DeliveryRows = messages
            do {
                let value = try body(&rows)
                if let changed = rows as? InMemoryDeliveries { messages = changed }
                return .success(value)
            } catch { return .failure(.notWritten("\(type(of: error))")) }
        }
        return try made.get()
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        state.withLock { $0.add(events, to: payment) }
    }

    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant { ours }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        guard let payment = state.withLock({ $0.attempts[attempt]?.intent.paymentID }) else { return }
        try await waits.wait(for: payment, after: entry, payment) {
            state.withLock { $0.payment(payment)?.entry ?? 0 }
        }
    }

    /// How many entries changed something: each would be one durable write of a store.
    package var writeCount: Int { state.withLock { $0.writeCount } }

    /// The attempts of which a message owes a lookup, for tests.
    package var owedLookups: Set<AttemptID> { state.withLock { $0.owedLookups } }

    /// All attempts, for tests.
    package var attempts: [AttemptID: Attempt] { state.withLock { $0.attempts } }

    /// The same content in a journal of its own, for tests: a backup, or what comes back from one under a new generation.
    package func copied(restoredAs generation: JournalGeneration? = nil) -> InMemoryJournal {
        let copy = InMemoryJournal(processes: processes)
        var store = state.withLock { $0 }
        if let generation { store.restored(as: generation) }
        copy.state.withLock { [store] in $0 = store }
        return copy
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration { state.withLock { $0.generation } }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        guard let first = state.withLock({ $0.draw(count) }) else {
            throw .notWritten("The journal has no \(count) numbers left.")
        }
        return first
    }
}

/// The registry of a process that alone uses a journal: any other process that wrote in it is dead.
package struct SingleProcess: ProcessRegistry {
    package let own: String
    package let runs: ProcessRuns? = ProcessRuns()
    package init(_ own: String = "process") { self.own = own }
    package func isAlive(_ owner: String) -> Bool { owner == own }
}

/// What a journal in memory holds, with an index for each question.
package struct InMemoryStore: Sendable {
    /// One row of a payment's log: what was asked for, and what this very entry wrote.
    private struct Row: Sendable {
        let command: JournalCommand
        let answer: JournalAnswer
    }

    private struct Payment: Sendable {
        var attempts: [AttemptID] = []
        var entry = 0
        var row: PaymentRecord.ReferenceRow?
    }

    private struct Due: Sendable {
        var looks: Int
        var next: Int64
        /// Since when a message owes a lookup; nil if none does.
        var owedSince: Attempt.Instant?
    }

    package private(set) var attempts: [AttemptID: Attempt] = [:]
    private var order: [AttemptID] = []
    private var payments: [PaymentID: Payment] = [:]
    private var references: [PaymentRecord.Reference: [PaymentID]] = [:]
    private var names: [ProviderName: [AttemptID]] = [:]
    private var matches: [ProviderIdentity: [AttemptID: MatchRow]] = [:]
    private var log: [WriteID: Row] = [:]
    private var heard: [ProviderIdentity: [String: Row]] = [:]
    package private(set) var notices: [Notice] = []
    private var overfull: Set<ProviderName> = []
    private var marks: [AttemptID: JournalClock.Marks] = [:]
    private var due: [AttemptID: Due] = [:]
    package private(set) var alerts: [JournalAlert] = []
    package private(set) var filed: [String] = []
    package private(set) var timelines: [PaymentID: [PaymentEvent]] = [:]
    /// The rows of the feed.
    private var rows: [(payment: PaymentID, events: [PaymentEvent])] = []
    package private(set) var writeCount = 0
    package fileprivate(set) var generation = JournalGeneration(1)
    package private(set) var hasGap = false
    package var clock = JournalClock()
    private var nextNumber: Int64 = 1

    package init() {}

    package func feed(after position: FeedPosition?, limit: Int) -> FeedPage? {
        let range = FeedRange(generation.description, first: rows.isEmpty ? 0 : 1, last: Int64(rows.count))
        guard let position else { return FeedPage(at: range.end) }
        guard range.holds(position) else { return nil }
        var page = FeedPage(at: position)
        for number in position.row..<range.last + 1 {
            let (payment, events) = rows[Int(number) - 1]
            let scope = attempts[payment.attempt]?.intent.scope ?? ""
            guard page.add(row: number, events, scope: scope, limit: limit) else { break }
        }
        return page
    }

    // MARK: - Writing

    /// Writes an entry; returns the payment that has one more entry beside the answer.
    package mutating func write(
        _ entry: JournalEntry, _ id: WriteID, at now: Attempt.Instant, isAlive: (String) -> Bool
    ) -> (JournalAnswer, PaymentID?) {
        if let row = known(entry.command, id) {
            // A message is one by its id, whatever else it says.
            guard row.command == entry.command || entry.command.isNotice else {
                return (.refused(.notWritten("The write id belongs to another entry."), nil), nil)
            }
            return (again(row.answer), nil)
        }
        let decision = decide(entry, at: now, isAlive)
        apply(decision, entry, id, now)
        settle(entry.command, decision)
        return (decision.answer, decision.payment)
    }

    package func preview(_ entry: JournalEntry, at now: Attempt.Instant, isAlive: (String) -> Bool) -> JournalAnswer {
        decide(entry, at: now, isAlive).answer
    }

    private func decide(_ entry: JournalEntry, at now: Attempt.Instant, _ isAlive: (String) -> Bool) -> JournalDecision
    {
        var reads = JournalRules.reads(entry)
        var decision = JournalRules.decide(entry, slice(reads, isAlive), reads, at: now)
        for _ in 0..<3 {
            if reads.holds(decision.needs) { break }
            reads.add(decision.needs)
            decision = JournalRules.decide(entry, slice(reads, isAlive), reads, at: now)
        }
        return decision
    }

    private func known(_ command: JournalCommand, _ id: WriteID) -> Row? {
        if case .notice(let notice) = command { return heard[notice.account]?[notice.id] }
        return log[id]
    }

    /// The first receipt, with the attempt as it is now.
    private func again(_ answer: JournalAnswer) -> JournalAnswer {
        switch answer {
        case .written(let attempt, var receipt):
            receipt.isAlone = payments[attempt.intent.paymentID]?.attempts.count == 1
            return .written(attempts[attempt.intent.attempt] ?? attempt, receipt)
        case .hint(let attempt, let alerts): return .hint(attempts[attempt.intent.attempt] ?? attempt, alerts)
        case .known, .refused, .kept: return answer
        }
    }

    private mutating func apply(
        _ decision: JournalDecision, _ entry: JournalEntry, _ id: WriteID, _ now: Attempt.Instant
    ) {
        if let payment = decision.payment {
            payments[payment, default: Payment()].entry += 1
            let steps = entry.timeline + decision.events(at: now)
            timelines[payment, default: []] += steps
            if !steps.isEmpty { rows.append((payment, steps)) }
        }
        for change in decision.changes { keep(change, now) }
        for id in decision.looks { due[id] = Due(looks: 0, next: JournalRules.lookupAtOnce, owedSince: now) }
        alerts += decision.alerts
        if let row = decision.row { keep(row) }
        notices += decision.keeps
        if let why = decision.filed { filed.append(why) }
        if let name = decision.overfull { overfull.insert(name) }
        if !decision.removes.isEmpty {
            notices.removeAll { notice in decision.removes.contains { $0.isSame(as: notice) } }
        }
        if decision.gapClosedBy != nil { hasGap = false }
        if !decision.isEmpty {
            let row = Row(command: entry.command, answer: decision.answer)
            if case .notice(let notice) = entry.command {
                // A hint that only causes a lookup leaves nothing behind: strangers can send any number of them.
                if decision.payment != nil || !decision.keeps.isEmpty {
                    heard[notice.account, default: [:]][notice.id] = row
                }
            } else {
                log[id] = row
            }
            writeCount += 1
        }
    }

    mutating func add(_ events: [PaymentEvent], to payment: PaymentID) {
        guard payments[payment] != nil else { return }
        timelines[payment, default: []] += events
    }

    private mutating func keep(_ change: JournalDecision.Change, _ now: Attempt.Instant) {
        let (after, id) = (change.after, change.after.intent.attempt)
        let before = attempts[id]
        if before == nil {
            order.append(id)
            payments[after.intent.paymentID, default: Payment()].attempts.append(id)
        }
        for name in before?.names ?? [] { names[ProviderName(name.account, name.value)]?.removeAll { $0 == id } }
        for name in after.names {
            let named = ProviderName(name.account, name.value)
            if names[named]?.contains(id) != true { names[named, default: []].append(id) }
        }
        attempts[id] = after
        for run in before?.runs ?? [] { matches[run.account]?[id] = nil }
        if let match = change.match { matches[match.account, default: [:]][id] = match }
        if change.clearsMarks || !change.isLookedUpAgain, !marks.isEmpty { marks[id] = nil }
        let known = due[id]
        if change.isLookedUpAgain {
            if known == nil { due[id] = Due(looks: 0, next: JournalRules.nextLookup(after: 0, at: now)) }
        } else if known != nil, known?.owedSince == nil {
            due[id] = nil
        }
    }

    private mutating func keep(_ row: PaymentRecord.ReferenceRow) {
        let before = payments[row.payment]?.row
        payments[row.payment, default: Payment()].row = row
        if before == nil { references[row.reference, default: []].append(row.payment) }
    }

    private mutating func settle(_ command: JournalCommand, _ decision: JournalDecision) {
        guard let id = command.attempt, let since = due[id]?.owedSince else { return }
        let isOpen = attempts[id]?.isOpen == true
        guard JournalRules.settles(command, owedSince: since, decision, isOpen: isOpen) else { return }
        due[id]?.owedSince = nil
        if !isOpen { due[id] = nil }
    }

    // MARK: - Reading

    private func slice(_ reads: JournalReads, _ isAlive: (String) -> Bool) -> JournalSlice {
        var wanted = reads.payments
        for id in reads.attempts { if let payment = attempts[id]?.intent.paymentID { wanted.insert(payment) } }
        var slice = JournalSlice()
        for name in reads.names {
            guard let holders = names[name], !holders.isEmpty else { continue }
            slice.holders[name] = holders
            for id in holders { if let payment = attempts[id]?.intent.paymentID { wanted.insert(payment) } }
        }
        for payment in wanted {
            guard let stored = payments[payment] else { continue }
            slice.attempts += stored.attempts.compactMap { attempts[$0] }
            slice.entries[payment] = stored.entry
        }
        for attempt in slice.attempts {
            slice.marks[attempt.intent.attempt] = marks[attempt.intent.attempt]
            for run in attempt.runs where isAlive(run.owner) { slice.living.insert(run.owner) }
        }
        if let reference = reads.reference {
            slice.underReference = (references[reference] ?? []).compactMap { payments[$0]?.row }
        }
        if let account = reads.matches { slice.matches = Array((matches[account] ?? [:]).values) }
        slice.notices = notices.filter { reads.wants($0) }
        slice.overfull = overfull.intersection(reads.names)
        (slice.generation, slice.hasGap, slice.clock) = (generation.description, hasGap, clock)
        return slice
    }

    package func payment(_ id: PaymentID) -> StoredPayment? {
        payments[id].map { StoredPayment($0.attempts.compactMap { attempts[$0] }, entry: $0.entry) }
    }

    package func page(_ query: JournalQuery, after cursor: JournalCursor?, limit: Int) -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        switch query {
        case .attempt(let id): return JournalPage(attempts[id].map { [$0] } ?? [])
        case .named(let name): return JournalPage((names[name] ?? []).compactMap { attempts[$0] })
        case .origins(let scope):
            return page(order.indices.reversed(), after: cursor.map { Int($0.number) }, limit, isBackward: true) {
                attempt in
                attempt.intent.isOrigin && !attempt.isDryRun && (scope == nil || attempt.intent.scope == scope)
            }
        case .reference(let scope, let text):
            let normalized = ReferenceText.normalized(text)
            return page(order.indices, after: cursor.map { Int($0.number) }, limit, isBackward: false) { attempt in
                attempt.intent.isOrigin && !attempt.isDryRun && attempt.intent.scope == scope
                    && attempt.intent.reference == normalized
            }
        case .open(let scope):
            return page(order.indices, after: cursor.map { Int($0.number) }, limit, isBackward: false) { attempt in
                attempt.isOpen && (scope == nil || attempt.intent.scope == scope)
            }
        }
    }

    private func page(
        _ places: some Sequence<Int>, after place: Int?, _ limit: Int, isBackward: Bool, _ isWanted: (Attempt) -> Bool
    ) -> JournalPage {
        var found = JournalPage()
        for index in places {
            if let place, isBackward ? index >= place : index <= place { continue }
            guard let attempt = attempts[order[index]], isWanted(attempt) else { continue }
            found.attempts.append(attempt)
            if found.attempts.count == limit {
                found.next = JournalCursor(Int64(index))
                break
            }
        }
        return found
    }

    package mutating func takeDue(
        _ terms: DueTerms, at now: Attempt.Instant, isAlive: (String) -> Bool
    ) -> JournalPage {
        let open = due.filter { JournalRules.isDue($0.value.next, after: $0.value.looks, at: now) }
        // Of an account that is not configured any more, a person decides: for that this boot has to have seen it.
        for id in open.keys where attempts[id].map({ !terms.wants($0) }) ?? false { look(at: id, now) }
        let ready = open.filter { id, _ in
            guard let attempt = attempts[id], terms.wants(attempt) else { return false }
            guard attempt.isOpen, let run = attempt.newest, run.end == nil else { return true }
            return !isAlive(run.owner) || run.generation != generation.description
        }
        let taken = ready.sorted { ($0.value.next, $0.key.text) < ($1.value.next, $1.key.text) }.prefix(
            max(0, terms.limit))
        var page = JournalPage()
        for (id, look) in taken {
            let looks = self.look(at: id, after: look.looks, now)
            due[id]?.looks = looks + 1
            due[id]?.next = JournalRules.nextLookup(after: looks, at: now)
            if let attempt = attempts[id] { page.attempts.append(attempt) }
        }
        return page
    }

    /// Leaves this boot's mark: that a process of it has looked at an open attempt. Returns how often it counts as looked at.
    @discardableResult
    package mutating func look(at id: AttemptID, after looks: Int = 0, _ now: Attempt.Instant) -> Int {
        guard attempts[id]?.isOpen == true else { return looks }
        return Int(clamping: JournalClock.mark(&marks[id, default: [:]], after: Int64(looks), at: now))
    }

    mutating func draw(_ count: Int64) -> Int64? {
        let (next, overflow) = nextNumber.addingReportingOverflow(count)
        guard count > 0, !overflow else { return nil }
        defer { nextNumber = next }
        return nextNumber
    }

    // MARK: - For tests

    /// Pretends that the journal was restored from a backup: a new generation, and a gap that a person has to close.
    package mutating func restored(as generation: JournalGeneration) { (self.generation, hasGap) = (generation, true) }

    /// The attempts of which a message owes a lookup.
    package var owedLookups: Set<AttemptID> { Set(due.filter { $0.value.owedSince != nil }.keys) }

    /// All attempts in the order in which they began.
    package var all: [Attempt] { order.compactMap { attempts[$0] } }
}

extension JournalCommand {
    fileprivate var isNotice: Bool { if case .notice = self { true } else { false } }
}

/// The callers of this process that wait until more is written about a payment. A `Mark` is that by which the journal's signs of
/// change name a payment.
package final class ChangeWaits<Mark: Hashable & Sendable>: Sendable {
    /// One caller that waits.
    package struct Waiter: Sendable {
        /// The payment.
        package let payment: PaymentID
        /// The payment's last entry that the caller knows.
        package let entry: Int
        fileprivate let mark: Mark
        private let promise = Promise<Bool>()

        fileprivate init(_ payment: PaymentID, _ entry: Int, _ mark: Mark) {
            (self.payment, self.entry, self.mark) = (payment, entry, mark)
        }

        /// More was written.
        package func wake() { promise.fulfill(true) }
        fileprivate func letGo() { promise.fulfill(false) }
        fileprivate func wait() async { _ = await promise.value(orWhenCancelled: false) }
    }

    /// Begins to watch for changes; what it returns ends that.
    package typealias Watching = @Sendable () -> @Sendable () -> Void

    private struct State {
        var waiters: [Int: Waiter] = [:]
        /// The numbers of those that wait for a payment, in the order in which they came.
        var numbers: [Mark: [Int]] = [:]
        var lastNumber = 0
        var endWatching: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Locked(State())

    package init() {}

    /// Waits until there is more than what is known, the caller's task is cancelled, or the journal closes.
    ///
    /// - Parameters:
    ///   - watching: Called if no caller waits yet; nil for a journal that learns of changes anyway.
    ///   - current: The number of the payment's last entry now.
    package func wait(
        for payment: PaymentID, after entry: Int, _ mark: Mark, watching: Watching? = nil,
        _ current: () async throws(JournalFailure) -> Int
    ) async throws(JournalFailure) {
        let waiter = Waiter(payment, entry, mark)
        guard let number = add(waiter, watching) else { return }
        defer { remove(number) }
        // Asked once the caller is registered as waiting, so that nothing is missed in between.
        guard try await current() == entry, !Task.isCancelled else { return }
        await waiter.wait()
    }

    private func add(_ waiter: Waiter, _ watching: Watching?) -> Int? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = waiter
            state.numbers[waiter.mark, default: []].append(state.lastNumber)
            if state.endWatching == nil { state.endWatching = watching?() }
            return state.lastNumber
        }
    }

    private func remove(_ number: Int) {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            if let mark = state.waiters.removeValue(forKey: number)?.mark {
                let others = (state.numbers[mark] ?? []).filter { $0 != number }
                state.numbers[mark] = others.isEmpty ? nil : others
            }
            guard state.waiters.isEmpty else { return nil }
            defer { state.endWatching = nil }
            return state.endWatching
        }
        end?()
    }

    /// Something was written about payments: callers are woken in the order in which they came, so that a run can be replayed.
    package func wake(_ marks: Set<Mark>) {
        if marks.isEmpty { return }
        let woken = state.withLock { state in
            marks.flatMap { state.numbers[$0] ?? [] }.sorted().compactMap { state.waiters[$0] }
        }
        for waiter in woken { waiter.wake() }
    }

    /// All callers that wait now.
    package var all: [Waiter] { state.withLock { Array($0.waiters.values) } }

    /// Lets all callers go.
    package func close() {
        let (waiters, end) = state.withLock { state in
            defer { (state.isClosed, state.endWatching) = (true, nil) }
            return (Array(state.waiters.values), state.endWatching)
        }
        end?()
        for waiter in waiters { waiter.letGo() }
    }
}
