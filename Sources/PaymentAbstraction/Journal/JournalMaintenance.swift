internal import PaymentBase
package import PaymentModel

/// What a store gives to the tools that read or change a whole journal. Each is a transaction of its own, so that others
/// can write in between.
package protocol JournalMaintenance: Journal {
    /// The next payments after a number, oldest first.
    ///
    /// - Parameter isCompared: Whether the rows beside each log are compared with it, which takes most of the time.
    func logs(after number: Int64, limit: Int, isCompared: Bool) async throws(JournalFailure) -> [StoredLog]
    /// The next messages that wait for a name.
    func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice]
    /// What is wrong with the store apart from the payments' logs: pages, indexes, rows that lead nowhere.
    func damage() async throws(JournalFailure) -> [String]
    /// Why the journal begins nothing now; nil if it does.
    func refusal() async throws(JournalFailure) -> String?
    /// Whether a restore may have lost something, and no person has closed the gap.
    func hasGap() async throws(JournalFailure) -> Bool
    /// Before which moment payments were decided that were forgotten; nil where none was.
    func prunedBefore() async throws(JournalFailure) -> Int64?
    /// Removes payments whose logs end with the entries that were read; their ids and names stay taken. It notes the moment
    /// before which they were decided, unless a later one is noted.
    ///
    /// - Returns: The numbers of those that were removed.
    func forget(_ payments: [StoredLog], before instant: Int64) async throws(JournalFailure) -> Set<Int64>
    /// Removes messages that have waited since before a moment, but for those of some numbers, in ascending order; then nothing
    /// that was removed is in the store's files, as far as others let it.
    func forgetNotices(before instant: Int64, besides kept: [Int64]) async throws(JournalFailure) -> Int
    /// Whether the newest payment is never forgotten, so that no number is used twice.
    var keepsNewest: Bool { get }
    /// Writes what is queued, and closes the journal.
    func close() async
}

/// One payment as a store has it.
package struct StoredLog: Hashable, Sendable {
    /// One entry of the log, as it was written.
    package struct Entry: Hashable, Sendable {
        /// The id of the write.
        package let write: String
        /// Distinguishes two commands under one id.
        package let content: Int64
        /// When it was written, in milliseconds since 1970.
        package let at: Int64
        /// What it appended, the answer and the steps of the timeline, as ``EventCodec`` and ``StoredAnswer`` write them.
        package let events, answer, timeline: [UInt8]

        package init(
            write: String, content: Int64, at: Int64, events: [UInt8], answer: [UInt8], timeline: [UInt8]
        ) {
            (self.write, self.content, self.at) = (write, content, at)
            (self.events, self.answer, self.timeline) = (events, answer, timeline)
        }
    }

    /// When an attempt is looked up next.
    package struct Look: Hashable, Sendable {
        package let attempt: String
        package let looks: Int64
        package let next: Int64?
        /// Since when a message owes a lookup, as the store writes it.
        package let owed: [UInt8]?

        package init(_ attempt: String, looks: Int64, next: Int64?, owed: [UInt8]?) {
            (self.attempt, self.looks, self.next, self.owed) = (attempt, looks, next, owed)
        }
    }

    /// The payment's number in its store.
    package let number: Int64
    /// The id under which the store finds it; empty if it can't be read.
    package let id: String
    package var entries: [Entry] = []
    /// Steps of the timeline that wait for the next entry.
    package var waiting: [[UInt8]] = []
    package var looks: [Look] = []
    /// Rows of the store that don't fit to the log, in words.
    package var mismatches: [String] = []
    /// Whether its rows are complete, and no bit of them changed.
    package var isWhole = true

    package init(number: Int64, id: String) { (self.number, self.id) = (number, id) }

    /// The attempts, in order, each with its events.
    ///
    /// - Throws: `EventCodec.DecodingError` if something of it can't be read.
    package func histories() throws(EventCodec.DecodingError) -> [(attempt: Attempt, events: [Attempt.Event])] {
        guard isWhole else { throw EventCodec.DecodingError() }
        let found = try EventCodec.histories(entries.map(\.events))
        if found.isEmpty { throw EventCodec.DecodingError() }
        return found
    }

    /// The attempts, in order.
    package func attempts() throws(EventCodec.DecodingError) -> [Attempt] { try histories().map(\.attempt) }

    /// Every name that its attempts ever had, also those that a person took back.
    package func everyName() throws(EventCodec.DecodingError) -> Set<ProviderName> {
        var names: Set<ProviderName> = []
        for case .named(let name) in try histories().flatMap(\.events) {
            names.insert(ProviderName(name.account, name.value))
        }
        return names
    }

    /// The steps of its timeline.
    package func timeline() throws(EventCodec.DecodingError) -> [PaymentEvent] {
        var steps: [PaymentEvent] = []
        for body in entries.map(\.timeline) + waiting where !body.isEmpty { steps += try EventCodec.events(body) }
        return steps
    }
}

extension StoredLog {
    /// Says in words what of a store does not fit to the attempts of a log: the ids under which it finds them, and which of
    /// them it takes for open or for candidates; each closure says whether a row that has to be there is there.
    package static func mismatches(
        _ attempts: [Attempt], ids: [String], open: [String], candidates: [String],
        hasOrigin: (Attempt) throws -> Bool, hasName: (ProviderName) throws -> Bool,
        hasReference: (PaymentRecord.ReferenceRow) throws -> Bool
    ) rethrows -> [String] {
        var found: [String] = []
        func expect(_ fits: Bool, _ words: String) { if !fits { found.append(words) } }
        func compare(_ ids: [String], _ attempts: [Attempt], _ what: String) {
            expect(Set(ids) == Set(attempts.map(\.intent.attempt.text)), "its \(what) are not the ones that are found")
        }
        let record = PaymentRecord(attempts)
        compare(ids, attempts, "attempts")
        expect(record.origin != nil, "the attempt that started it is missing")
        if let origin = record.origin { expect(try hasOrigin(origin), "it is not found under its scope") }
        for name in attempts.flatMap(\.names) {
            let isFound = try hasName(ProviderName(name.account, name.value))
            expect(isFound, "it is not found by the provider's name \(name.value)")
        }
        if let row = record.referenceRow { expect(try hasReference(row), "its reference is not kept as its log says") }
        compare(open, attempts.filter(\.isOpen), "open attempts")
        compare(candidates, attempts.filter { MatchRow($0) != nil }, "candidates")
        return found
    }
}

/// A message that waits, as a store has it; nil if it can't be read.
package struct StoredNotice: Hashable, Sendable {
    package let number: Int64
    package let at: Int64
    package let notice: Notice?

    package init(_ number: Int64, at: Int64, _ notice: Notice?) {
        (self.number, self.at, self.notice) = (number, at, notice)
    }
}

extension JournalMaintenance {
    /// How many payments are read at once, so that others don't wait for long.
    private static var pageSize: Int { 200 }

    /// A store that draws its numbers elsewhere forgets any payment.
    package var keepsNewest: Bool { false }

    /// The next payments after a number, oldest first, each compared with the rows beside it.
    package func logs(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredLog] {
        try await logs(after: number, limit: limit, isCompared: true)
    }

    /// Reads all payments, oldest first.
    package func forEachLog(_ body: (StoredLog) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let logs = try await logs(after: last, limit: Self.pageSize)
            for log in logs { try await body(log) }
            guard let end = logs.last?.number else { return }
            last = end
        }
    }

    /// Reads all messages that wait for a name.
    package func forEachWaitingNotice(_ body: (StoredNotice) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let notices = try await waitingNotices(after: last, limit: Self.pageSize)
            for notice in notices { try await body(notice) }
            guard let end = notices.last?.number else { return }
            last = end
        }
    }

    /// Every attempt of the journal, of every scope.
    ///
    /// - Throws: `journal`, nothing moved, if one of them can't be read: a part of the journal is no journal.
    package func everyAttempt() async throws(PaymentError) -> [Attempt] {
        var attempts: [Attempt] = []
        do {
            var page = try await logs(after: 0, limit: Self.pageSize, isCompared: false)
            while let last = page.last?.number {
                // The next page is read while this one is decoded.
                async let next = logs(after: last, limit: Self.pageSize, isCompared: false)
                for log in page { attempts += try log.attempts() }
                page = try await next
            }
        } catch {
            throw PaymentError.notExecuted(
                .journal, "The journal can't be read whole. Run `payctl journal check`, and restore a backup.")
        }
        return attempts
    }
}

/// What a check of a journal found.
package struct JournalReport: Hashable, Sendable {
    /// One thing that is wrong, or that a person should look at.
    package enum Problem: Hashable, Sendable {
        /// Pages, indexes or rows of the store, in words.
        case store(String)
        /// The payment of this number can't be read, or holds other bits than were written.
        case payment(number: Int64, id: String)
        /// The timeline of a payment can't be read.
        case timeline(PaymentID)
        /// A row of the store does not fit to what the payment's log says.
        case row(PaymentID, String)
        /// The waiting message of this number can't be read.
        case notice(number: Int64)
        /// More was refunded than was taken.
        case overRefunded(PaymentID)
        /// Payments under one reference and part that are active at once.
        case activeTwice([PaymentID])
    }

    package internal(set) var payments = 0
    package internal(set) var attempts = 0
    /// Steps of timelines.
    package internal(set) var events = 0
    /// Messages that wait for a name.
    package internal(set) var notices = 0
    /// What is wrong; no more than ``problemsMax`` are kept.
    package private(set) var problems: [Problem] = []
    /// What a person has to look at.
    package internal(set) var marks: [KeptMark] = []

    package static let problemsMax = 1_000

    package init() {}

    mutating func add(_ problem: Problem) { if problems.count < Self.problemsMax { problems.append(problem) } }
}

extension JournalMaintenance {
    /// Reads everything: pages and indexes, every log and every row that is computed from it, what was refunded, and which
    /// payments are active under one reference. What others write during the check may be missed.
    package func check(at now: Attempt.Instant) async throws(JournalFailure) -> JournalReport {
        var report = JournalReport()
        for words in try await damage() { report.add(.store(words)) }
        var rows: [PaymentRecord.Reference: [PaymentRecord.ReferenceRow]] = [:]
        do {
            try await forEachLog { log in
                report.payments += 1
                guard let attempts = try? log.attempts() else {
                    return report.add(.payment(number: log.number, id: log.id))
                }
                let record = PaymentRecord(attempts)
                report.attempts += attempts.count
                for words in log.mismatches { report.add(.row(record.id, words)) }
                if let timeline = try? log.timeline() {
                    report.events += timeline.count
                } else {
                    report.add(.timeline(record.id))
                }
                if record.isOverRefunded { report.add(.overRefunded(record.id)) }
                if let row = record.referenceRow, row.blocks(at: now) { rows[row.reference, default: []].append(row) }
            }
            try await forEachWaitingNotice { waiting in
                report.notices += 1
                if waiting.notice == nil { report.add(.notice(number: waiting.number)) }
                if let mark = KeptMark(waiting) { report.marks.append(mark) }
            }
        } catch let failure as JournalFailure { throw failure } catch { throw .notWritten("\(type(of: error))") }
        for active in rows.values where active.count > 1 {
            let twice = active.filter { row in active.contains { $0.payment != row.payment && $0.excludes(row.part) } }
            if !twice.isEmpty { report.add(.activeTwice(twice.map(\.payment))) }
        }
        return report
    }
}

extension PaymentRecord {
    /// Whether more was refunded than was taken. What was given without a payment is no refund of one.
    var isOverRefunded: Bool {
        guard origin != nil else { return false }
        let amounts = totals().amounts
        return amounts.refunded.minorUnits > amounts.captured.minorUnits && !amounts.refunded.isZero
    }
}

/// What a journal forgot.
package struct JournalPruning: Hashable, Sendable {
    package internal(set) var payments = 0
    package internal(set) var attempts = 0
    /// Steps of timelines.
    package internal(set) var events = 0
    /// Messages that waited for a name that nothing got.
    package internal(set) var notices = 0
    /// What keeps something that is old enough: what keeps messages, and no more than ``keepersMax`` payments.
    package fileprivate(set) var keepers: [Keeper] = []
    /// Messages that are old enough, and stay.
    package internal(set) var keptNotices = 0

    /// What keeps a payment or messages until a person or the provider ends it.
    package enum Keeper: Hashable, Sendable {
        /// A message owes the payment a lookup that the provider has not answered.
        case owed(PaymentID)
        /// A person has to decide about a chargeback of the payment, an amount that is too high, another currency, or money
        /// that no rule books.
        case undecided(PaymentID)
        /// It is the newest payment of a store that never forgets that one.
        case newest(PaymentID)
        /// Messages may be about what a restore lost.
        case gap
        /// Messages may be about a payment that can't be read.
        case unreadable(PaymentID)
        /// Messages may be about the oldest open attempt.
        case open(AttemptID)
        /// Payments without a name of the provider's could be taken for what this open attempt paid.
        case lookAlikes(of: AttemptID)
        /// Payments without a name of the provider's could be taken for this one, which is open and can't be read.
        case hidden(PaymentID)
    }

    package static let keepersMax = 100

    package init() {}

    mutating func add(_ keeper: Keeper) { if keepers.count < Self.keepersMax { keepers.append(keeper) } }
}

/// What is open while a journal forgets.
private struct OpenAttempts {
    /// The first that began comes first.
    var attempts: [Attempt] = []
    /// The first payment with something open that can't be read.
    var lost: PaymentID?

    /// What is open and could be decided by a payment of these as soon as they are forgotten: of one without a name, its row
    /// alone says that it is theirs.
    func resembling(_ decided: [Attempt]) -> JournalPruning.Keeper? {
        let rows = decided.compactMap { attempt in MatchRow(attempt).map { (row: $0, moved: attempt.moved) } }
        guard !rows.isEmpty else { return nil }
        // What can't be read may be like anything.
        if let lost { return .hidden(lost) }
        // Most of what is open began long after what may go had ended, and is not compared.
        let ended = rows.map { $0.row.until ?? .max }.max() ?? .max
        let last = ended.addingSaturating(MatchRow.pruneMarginMilliseconds)
        let doubt = attempts.lazy.prefix { ($0.runs.first?.begunAt.wall ?? 0) <= last }
            .first { held in rows.contains { $0.row.resembles(held, moved: $0.moved) } }
        return doubt.map { .lookAlikes(of: $0.intent.attempt) }
    }
}

extension PaymentRecord {
    /// Whether a person still has to decide something of it. What was refunded too much holds up nothing: no decision of a
    /// person ends it.
    fileprivate var waitsForAPerson: Bool {
        let currency = requested.currency
        return attempts.contains { attempt in
            attempt.isUnseenChargeback || attempt.blocksByCurrency(currency)
                || !attempt.givesMoney && keepsExcess(of: attempt)
        }
    }
}

extension Attempt.Report {
    /// When it was said: what was imported was said elsewhere.
    fileprivate var saidAt: Int64 { if case .imported(let time) = evidence { time } else { at.wall } }
}

extension JournalMaintenance {
    /// Forgets payments whose every attempt is decided and older than a moment, and messages that have waited since before it.
    ///
    /// What is forgotten can't be refunded through this journal any more. Its ids and the provider's names stay taken.
    ///
    /// A hold of which anything may be left is kept however old it is, unless `holdMilliseconds` says how long a hold can
    /// live: only the provider knows when one lapses.
    package func prune(before instant: Int64, holdMilliseconds: Int64? = nil) async throws -> JournalPruning {
        var pruned = JournalPruning()
        var last: Int64 = 0
        var newest: PaymentID?
        let marks = try await marks()
        let marked = Set(marks.compactMap(\.mark.payment))
        let open = try await openAttempts()
        // What a store keeps because an order leads to it is kept here as it was when it was judged.
        var (orders, imports) = ([(log: StoredLog, same: PaymentID)](), [PaymentID: StoredLog]())
        while true {
            let logs = try await logs(after: last, limit: 200)
            guard let end = logs.last?.number else { break }
            last = end
            var found: [Int64: (id: PaymentID, attempts: Int, steps: Int)] = [:]
            for log in logs {
                // What can't be read stays.
                guard let attempts = try? log.attempts(), let timeline = try? log.timeline() else { continue }
                guard Self.mayForget(attempts, timeline, before: instant, holdMilliseconds) else { continue }
                let record = PaymentRecord(attempts)
                // A message owes a lookup, which may find money.
                guard log.looks.allSatisfy({ $0.owed == nil }) else {
                    pruned.add(.owed(record.id))
                    continue
                }
                // Nothing else shows it to a person when the payment is gone.
                guard !record.waitsForAPerson, !marked.contains(record.id) else {
                    pruned.add(.undecided(record.id))
                    continue
                }
                if let keeper = open.resembling(attempts) {
                    if !pruned.keepers.contains(keeper) { pruned.add(keeper) }
                    continue
                }
                if let same = record.origin?.absorbedBy {
                    orders.append((log, PaymentID(same)))
                    continue
                }
                found[log.number] = (record.id, attempts.count, timeline.count)
            }
            let gone = try await forget(logs.filter { found[$0.number] != nil }, before: instant)
            newest = gone.contains(end) ? nil : found[end]?.id
            for log in logs where !gone.contains(log.number) {
                if let kept = found[log.number] { imports[kept.id] = log }
            }
            for number in gone {
                guard let counts = found[number] else { continue }
                pruned.payments += 1
                pruned.attempts += counts.attempts
                pruned.events += counts.steps
            }
        }
        // The newest one stays, and what leads to it.
        if keepsNewest { imports = imports.filter { $0.value.number != last } }
        try await forget(orders, with: imports, before: instant, &pruned)
        if keepsNewest, let newest { pruned.add(.newest(newest)) }
        let (oldest, keeper) = try await oldestDoubt(before: instant, open)
        // What no person has seen stays, however old it is.
        let kept = marks.map(\.number)
        pruned.notices = try await forgetNotices(before: oldest, besides: kept)
        guard let keeper else { return pruned }
        try await forEachWaitingNotice { if $0.at < instant, !kept.contains($0.number) { pruned.keptNotices += 1 } }
        if pruned.keptNotices > 0 { pruned.keepers.insert(keeper, at: 0) }
        return pruned
    }

    /// Whether a whole payment may go, whatever keeps the journal. Nothing begun or learned at or after a moment is forgotten,
    /// and nothing of which anything may be held; a hold of which nothing was learned for so long before it has lapsed.
    private static func mayForget(
        _ attempts: [Attempt], _ timeline: [PaymentEvent], before instant: Int64, _ holdMilliseconds: Int64?
    ) -> Bool {
        let isSettled = attempts.allSatisfy { !$0.isUnsettled && !$0.isContradicted }
        guard !attempts.isEmpty, isSettled else { return false }
        let learned = attempts.flatMap { attempt in
            attempt.isImported
                ? attempt.reports.map(\.saidAt)
                : attempt.runs.flatMap { [$0.begunAt.wall, $0.endedAt?.wall ?? $0.begunAt.wall] }
                    + attempt.reports.map(\.saidAt)
        }
        let newestStep = attempts.allSatisfy(\.isImported) ? 0 : timeline.map(\.at).max() ?? 0
        let newest = max(newestStep, learned.max() ?? .max)
        guard newest < instant else { return false }
        let record = PaymentRecord(attempts)
        guard record.origin != nil else { return false }
        // A label that is kept for a time is free when that is over, and not before.
        if let until = record.referenceRow?.until, until != .max, until >= instant { return false }
        if record.amounts.capturable.isZero { return true }
        guard let holdMilliseconds, holdMilliseconds >= 0 else { return false }
        return newest.addingSaturating(holdMilliseconds) < instant
    }

    /// Forgets orders, each with the import that it turned out to be: as long as that is there, a shop finds, refunds and
    /// captures it by the order's id.
    ///
    /// - Parameter imports: Those that may go, as they were read: one that has changed since stays, with its order.
    private func forget(
        _ orders: [(log: StoredLog, same: PaymentID)], with imports: [PaymentID: StoredLog], before instant: Int64,
        _ pruned: inout JournalPruning
    ) async throws {
        for order in orders {
            var both = [order.log]
            if let same = imports[order.same] {
                guard try await logs(after: same.number - 1, limit: 1).first == same else { continue }
                both.append(same)
            } else if try await isThere(order.same) {
                continue
            }
            // The order first: a store keeps what an order leads to.
            for log in both {
                let gone = try await forget([log], before: instant)
                guard gone.contains(log.number), let attempts = try? log.attempts(), let steps = try? log.timeline()
                else {
                    break
                }
                pruned.payments += 1
                pruned.attempts += attempts.count
                pruned.events += steps.count
            }
        }
    }

    /// Whether a payment is in the journal, also where it can't be read.
    private func isThere(_ id: PaymentID) async throws(JournalFailure) -> Bool {
        do throws(JournalFailure) { return try await payment(id) != nil } catch {
            guard case .unreadable = error else { throw error }
            return true
        }
    }

    /// Since when a message may be about something still open, or about what a restore lost, at most so late; and what that
    /// is.
    private func oldestDoubt(
        before instant: Int64, _ open: OpenAttempts
    ) async throws(JournalFailure) -> (since: Int64, keeper: JournalPruning.Keeper?) {
        if try await hasGap() { return (0, .gap) }
        // What can't be read may have begun at any time.
        if let lost = open.lost { return (0, .unreadable(lost)) }
        var (oldest, keeper) = (instant, JournalPruning.Keeper?.none)
        for attempt in open.attempts {
            guard let begun = attempt.runs.first?.begunAt.wall, begun < oldest else { continue }
            (oldest, keeper) = (begun, .open(attempt.intent.attempt))
        }
        return (oldest, keeper)
    }

    private func openAttempts() async throws(JournalFailure) -> OpenAttempts {
        var (found, cursor) = (OpenAttempts(), JournalCursor?.none)
        repeat {
            let page = try await attempts(.open(scope: nil), after: cursor, limit: Self.pageSize)
            found.attempts += page.attempts
            found.lost = found.lost ?? page.unreadable.first
            cursor = page.next
        } while cursor != nil
        found.attempts.sort { ($0.runs.first?.begunAt.wall ?? 0) < ($1.runs.first?.begunAt.wall ?? 0) }
        return found
    }
}

extension JournalMaintenance {
    /// Gives every attempt with its events, then the steps of its payment's timeline, then every message that waits for a
    /// name, as one line of JSON each, without holding them all in memory.
    ///
    /// - Parameter line: Takes one line, without its line break; what it throws ends the export.
    /// - Throws: What `line` throws; `JournalFailure.unreadable` at a payment that can't be read.
    package func export(_ line: (String) async throws -> Void) async throws {
        try await forEachLog { log in
            guard let histories = try? log.histories(), let timeline = try? log.timeline() else {
                throw JournalFailure.unreadable((try? AttemptID(log.id)).map { PaymentID($0) })
            }
            for (attempt, events) in histories { try await line(ExportedLine.text(attempt, events)) }
            let scope = histories[0].attempt.intent.scope
            for step in timeline { try await line(ExportedLine.text(step, scope: scope)) }
        }
        try await forEachWaitingNotice { waiting in
            guard let notice = waiting.notice else { throw JournalFailure.unreadable(nil) }
            try await line(ExportedLine.text(notice))
        }
    }
}

/// Attempts, events and messages as lines of JSON, for other programs.
enum ExportedLine {
    static func text(_ attempt: Attempt, _ events: [Attempt.Event]) -> String {
        let intent = attempt.intent
        var object: JSONObject = [
            "type": "attempt", "attempt": .string(intent.attempt.text),
            "payment": .string(intent.paymentID.attempt.text), "operation": .string(intent.operation.rawValue),
            "minorUnits": .number(JSONNumber(intent.amount.minorUnits)),
            "currency": .string(intent.amount.currency.code),
        ]
        object["reference"] = intent.reference.map { .string($0) }
        if !intent.part.isEmpty { object["part"] = .string(intent.part) }
        if !intent.scope.isEmpty { object["scope"] = .string(intent.scope) }
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        if let account = attempt.holders.first ?? attempt.newest?.account {
            object["provider"] = .string(account.id.rawValue)
            object["adapter"] = .string(account.adapter)
            object["environment"] = .string(account.environment)
            object["merchant"] = .string(account.merchant)
        }
        object["state"] = .string(attempt.state.rawValue)
        if let absorbed = attempt.absorbedBy { object["absorbedBy"] = .string(absorbed.text) }
        object["events"] = .array(events.map { EventCodec.json($0) })
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    static func text(_ step: PaymentEvent, scope: String) -> String {
        var object = EventCodec.json(step)
        object["type"] = "event"
        if !scope.isEmpty { object["scope"] = .string(scope) }
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    static func text(_ notice: Notice) -> String {
        var object: JSONObject = ["type": "notice"]
        object["notice"] = EventCodec.json(notice)
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }
}
