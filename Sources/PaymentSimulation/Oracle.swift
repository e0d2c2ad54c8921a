internal import PaymentBase
internal import PaymentConformance
internal import PaymentModel

/// Compares what providers' books have with what callers got, and knows nothing of how the client keeps its own.
struct Oracle {
    /// What one payment holds at its provider.
    struct Standing {
        var held: Int64 = 0
        var charged: Int64 = 0
        var returned: Int64 = 0
    }

    private(set) var sights: [AttemptID: ObservedAttempt] = [:]
    private(set) var visits: [String: [String: Int]] = [:]
    /// The first thing that is wrong.
    private(set) var violation: String?
    /// Counts everything that was seen, in the order in which it was.
    private(set) var now = 0
    /// How many attempts are listed as open in the end.
    var openCount = 0
    /// What time it is.
    var time: Int64 = 0
    private var seen: [Int]
    private var standings: [String: Standing] = [:]
    /// Payments of which nothing was left once.
    private var freed: Set<String> = []
    /// When the last request of an attempt had left that reached a provider, and of which process.
    private var left: [String: (at: Int, from: String)] = [:]
    /// How many exchanges of an attempt have reached a provider and are not answered.
    private var atWork: [String: Int] = [:]
    /// Attempts of which only some may move, by what they share.
    private var rivals: [String: [AttemptID]] = [:]
    private let isTwiceDeclared: [Bool]

    init(isTwiceDeclared: [Bool]) {
        (self.isTwiceDeclared, seen) = (isTwiceDeclared, isTwiceDeclared.map { _ in 0 })
    }

    mutating func tick() -> Int {
        now += 1
        return now
    }

    mutating func accuse(_ words: String) { if violation == nil { violation = words } }

    /// Something happened to an attempt.
    mutating func visit(_ attempt: AttemptID, _ event: String) {
        guard let sight = sights[attempt] else { return }
        visits[sight.word, default: [:]][event, default: 0] += 1
    }

    /// What failed afterwards is reported by a message that got lost.
    mutating func loseNote(_ attempt: AttemptID) { sights[attempt]?.isMessageLost = true }

    /// The provider refuses what was pending, and sends a message about it.
    mutating func refuse(_ attempt: AttemptID) { sights[attempt]?.isRefusalSaid = true }

    /// So may be what failed at a provider, whichever attempt it is.
    mutating func loseNotes(of provider: Int) {
        for (attempt, sight) in sights where sight.order.provider == provider { loseNote(attempt) }
    }

    /// A till asks for an attempt; since when.
    mutating func begin(_ order: Order) -> Int {
        if sights[order.attempt] == nil {
            sights[order.attempt] = ObservedAttempt(order)
            rivals[shared(order), default: []].append(order.attempt)
        }
        visit(order.attempt, sights[order.attempt]?.lastTold == nil ? "begun" : "begun again")
        guard var sight = sights[order.attempt] else { return now }
        sight.waiting += 1
        if sight.begunAt == 0 { sight.begunAt = time }
        // What was not executed may be tried again; what was refused may not.
        if !sight.isRefused { sight.deniedAt = nil }
        sights[order.attempt] = sight
        return tick()
    }

    private func shared(_ order: Order) -> String {
        let kind = order.operation == .unlinkedRefund ? PaymentOperation.refund : order.operation
        return order.origin.map { "\(kind.rawValue) of \($0)" } ?? "reference \(order.reference)"
    }

    /// A restore lost something of payments: what callers got to know of them can't be asked for again. An attempt is executed
    /// once all the same.
    mutating func lose(_ payments: Set<PaymentID>) {
        for (attempt, sight) in sights where payments.contains(PaymentID(sight.order.origin ?? attempt)) {
            sights[attempt]?.isLost = true
        }
    }

    /// A call that names how long its caller waits ends then.
    mutating func late(_ order: Order, by milliseconds: Int64) {
        guard let limit = order.limit?.wholeMilliseconds, milliseconds > limit + Self.graceMilliseconds else { return }
        accuse("the call of \(order.attempt) took \(milliseconds) ms, and its limit was \(limit) ms")
    }

    /// By how much a call may end after its limit, in milliseconds.
    private static let graceMilliseconds: Int64 = 15_000

    /// A process is gone, with every caller that waited in it.
    mutating func left(_ attempt: AttemptID, _ event: String) {
        visit(attempt, event)
        sights[attempt]?.waiting -= 1
    }

    /// A person decided, or may have.
    mutating func decided(_ attempt: AttemptID, isMisjudged: Bool, isCertain: Bool = true) {
        visit(attempt, isMisjudged ? "misjudged by a person" : "decided by a person")
        guard var sight = sights[attempt] else { return }
        sight.isDecided = true
        if isMisjudged {
            sight.isMisjudged = true
            if isCertain { sight.misjudgedAt = tick() }
        } else if sight.net == 0 {
            sight.undoneCount = sight.executedAt.count
        }
        sights[attempt] = sight
    }
}

// MARK: - What was reported

extension Oracle {
    /// A caller gets a report about an attempt, from its own call or because it asked.
    mutating func tell(_ attempt: AttemptID, _ told: DeliveredResult, isCall: Bool, since: Int, in process: String) {
        let at = tick()
        visit(attempt, (isCall ? "told " : "answered ") + told.word)
        guard var sight = sights[attempt] else { return }
        // What was asked while another caller's call was under way may be answered by how it stood before that.
        let isOld = sight.answeredAt > since && (!isCall || sight.answeredIn != process)
        if isCall { (sight.waiting, sight.answeredAt, sight.answeredIn) = (sight.waiting - 1, at, process) }
        defer {
            sight.lastTold = told
            sights[attempt] = sight
        }
        if sight.isLost { return }
        switch told {
        case .moved(let amount, let isRecorded):
            if !sight.ways.isEmpty, !sight.isMisjudged, !sight.isRight(amount) {
                accuse("\(name(sight)) is reported as moved over \(amount), and the books have \(books(sight))")
            }
            if isRecorded, sight.movedWrittenAt == nil { sight.movedWrittenAt = at }
            if isCall, sight.heardMovedAt == nil { sight.heardMovedAt = at }
        case .refused, .nothing:
            // An answer may be on its way while it is done for another caller who asked for the same.
            let isOvertaken = sight.isOvertaken(since: since, isCall ? process : nil)
            if told == .nothing, sight.net != 0, isOvertaken { break }
            if told == .nothing, sight.isPendingTold, !sight.isDecided, sight.lastTold == .pending {
                accuse("\(name(sight)) was reported as pending, and then as never done")
            }
            if sight.net != 0, !sight.isMisjudged, !sight.mayBeOfTwin {
                accuse("\(name(sight)) is reported as \(told.word), and the books have \(books(sight))")
            }
            guard told == .refused || sight.waiting == 0 && !isOld else { break }
            (sight.deniedAt, sight.wasDeniedAt) = (at, at)
            if told == .refused { sight.isRefused = true }
        case .pending:
            sight.isPendingTold = true
            if left[attempt.text] == nil, !sight.order.isAtDashboard {
                accuse("\(name(sight)) is answered as pending, and no request of it ever arrived")
            }
        case .unknown(let code):
            if code == "inDoubt", let written = sight.movedWrittenAt, written < since, !sight.isDecided {
                accuse("\(name(sight)) was reported as moved, and now it is not known")
            }
        case .behind(let other):
            if let theirs = sights[other], theirs.gross == 0, !theirs.ways.isEmpty, !theirs.isDecided {
                accuse("\(name(sight)) is refused because \(other) moved, which the books don't have")
            }
        }
    }

    func name(_ sight: ObservedAttempt) -> String { "\(sight.order.operation.rawValue) \(sight.order.attempt)" }

    func books(_ sight: ObservedAttempt) -> String {
        let times = sight.moves.count == 1 ? "" : " in \(sight.moves.count) times"
        return "\(sight.gross) \(sight.currency)\(times), of which \(sight.net) are left"
    }
}

// MARK: - Money

extension Oracle {
    /// A request of an attempt reaches its provider; with when it had left, and whose it was.
    mutating func carry(_ attempt: String?, _ leftAt: Int, from process: String) {
        guard let attempt else { return }
        left[attempt] = (leftAt, process)
        atWork[attempt, default: 0] += 1
    }

    /// A process opens a request about money.
    mutating func opened(_ attempt: AttemptID) { sights[attempt]?.openedCount += 1 }

    /// The provider has answered.
    mutating func answered(_ attempt: String?) { if let attempt { atWork[attempt, default: 0] -= 1 } }

    /// A request of an attempt has come twice.
    mutating func doubled(_ attempt: String?, by provider: Int) {
        guard isTwiceDeclared[provider], let attempt = attempt.flatMap({ try? AttemptID($0) }) else { return }
        sights[attempt]?.cameTwice = true
    }

    /// Reads what is new in a provider's books.
    mutating func read(_ provider: Int, _ ledger: LedgerView) {
        let fresh = ledger.entries.dropFirst(seen[provider])
        if !ledger.isBalanced { accuse("the provider's accounts don't add up") }
        guard !fresh.isEmpty else { return }
        seen[provider] = ledger.entries.count
        let at = tick()
        var moved: [AttemptID: Int] = [:]
        for entry in fresh {
            stand(entry, provider)
            guard !entry.attempt.isEmpty else { continue }
            guard let attempt = try? AttemptID(entry.attempt), var sight = sights[attempt] else {
                accuse(
                    "the books have \(entry.direction) \(entry.minorUnits) of \(entry.attempt), which was not asked for"
                )
                continue
            }
            visit(attempt, "books: \(entry.direction.rawValue)")
            sight.currency = entry.currency
            sight.payments.insert(Self.key(entry, provider))
            let sign = sight.sign(of: entry.direction)
            if sign > 0 { sight.net = sight.net.adding(entry.minorUnits) }
            if sign < 0 { sight.net = sight.net.subtracting(entry.minorUnits) }
            let cause = left[entry.attempt]
            if sign > 0 { sight.causes.append(cause ?? (at, "")) }
            let isAtWork = atWork[entry.attempt, default: 0] > 0
            if let cause, let word = sight.misjudgedAt, cause.at < word, isAtWork, !sight.isPendingTold {
                accuse("\(name(sight)) was decided by a person while its request was at work, and moved then")
            }
            if sight.ways.contains(entry.direction) {
                sight.gross = sight.gross.adding(entry.minorUnits)
                sight.moves.append(entry.minorUnits)
                moved[attempt, default: 0] += 1
            }
            sights[attempt] = sight
            denied(sight, entry)
        }
        for (attempt, count) in moved { execute(attempt, count, provider, left[attempt.text]?.at ?? at) }
    }

    /// What was said not to have moved must not move afterwards.
    private mutating func denied(_ sight: ObservedAttempt, _ entry: LedgerView.Entry) {
        guard sight.deniedAt != nil, sight.net != 0, sight.sign(of: entry.direction) > 0 else { return }
        if sight.isMisjudged || sight.mayBeOfTwin || sight.isLost { return }
        accuse("\(name(sight)) was reported as \(sight.isRefused ? "refused" : "never done"), and moved afterwards")
    }

    private mutating func execute(_ attempt: AttemptID, _ count: Int, _ provider: Int, _ leftAt: Int) {
        guard var sight = sights[attempt] else { return }
        // Of one request that came twice both may be decided much later, one after the other.
        let isOne = sight.cameTwice && sight.openedCount == 1 && !sight.executedAt.isEmpty
        let isAgain = isOne || sight.executedAt.contains(leftAt)
        if !isAgain { sight.executedAt.append(leftAt) }
        if count > 1 || isAgain {
            sight.isDoubled = true
            if !isTwiceDeclared[provider] {
                accuse("\(name(sight)) was done twice for one request, which no harness declared")
            }
        }
        sights[attempt] = sight
        if sight.executedAt.count - sight.undoneCount > 1, !sight.isMisjudged {
            accuse("\(name(sight)) was sent and done \(sight.executedAt.count) times")
        }
        for other in rivals[shared(sight.order)] ?? [] where other != attempt {
            guard let earlier = sights[other], !earlier.executedAt.isEmpty else { continue }
            twice(earlier, sight)
        }
    }

    /// A reference and its part pay once; of one payment, an amount is refunded or captured once.
    private mutating func twice(_ earlier: ObservedAttempt, _ later: ObservedAttempt) {
        guard earlier.order.excludes(later.order), earlier.net != 0, later.net != 0 else { return }
        if earlier.isLost || later.isLost { return }
        if earlier.isMisjudged || later.isMisjudged || earlier.mayBeOfTwin || later.mayBeOfTwin { return }
        if earlier.order.origin == nil {
            // What was once voided or refunded as a whole frees its reference, also if that fails later.
            guard earlier.payments.isDisjoint(with: freed), !isRefunded(earlier) else { return }
        } else if earlier.order.reason == nil, earlier.gross != later.gross {
            return
        }
        accuse("\(name(later)) moved money although \(name(earlier)) had it already")
    }

    /// Whether the whole of a payment was refunded to a source, which no book of the payment shows.
    private func isRefunded(_ sight: ObservedAttempt) -> Bool {
        let back = sights.values.filter { $0.order.origin == sight.order.attempt }.filter {
            $0.order.operation == .unlinkedRefund || $0.order.operation == .refund
        }
        return back.reduce(Int64(0)) { $0.adding($1.gross) } >= sight.gross
    }

    private func isUnlinked(_ attempt: String) -> Bool {
        (try? AttemptID(attempt)).flatMap { sights[$0] }?.order.operation == .unlinkedRefund
    }

    private static func key(_ entry: LedgerView.Entry, _ provider: Int) -> String {
        "\(provider) \(entry.payment) \(entry.currency)"
    }

    /// What the provider's payments hold that attempts have touched; nil where they have touched none.
    func standing(of attempts: [AttemptID]) -> Standing? {
        let keys = attempts.reduce(into: Set<String>()) { $0.formUnion(sights[$1]?.payments ?? []) }
        if keys.isEmpty { return nil }
        return keys.compactMap { standings[$0] }.reduce(into: Standing()) { sum, part in
            (sum.held, sum.charged) = (sum.held + part.held, sum.charged + part.charged)
            sum.returned += part.returned
        }
    }

    /// No more was refunded than came in, or taken than was held.
    private mutating func stand(_ entry: LedgerView.Entry, _ provider: Int) {
        let key = Self.key(entry, provider)
        var standing = standings[key] ?? Standing()
        switch entry.direction {
        case .charge: standing.charged = standing.charged.adding(entry.minorUnits)
        case .hold: standing.held = standing.held.adding(entry.minorUnits)
        case .capture:
            standing.held = standing.held.subtracting(entry.minorUnits)
            standing.charged = standing.charged.adding(entry.minorUnits)
        case .release: standing.held = standing.held.subtracting(entry.minorUnits)
        case .reversal, .refund: standing.returned = standing.returned.adding(entry.minorUnits)
        case .returned: standing.returned = standing.returned.subtracting(entry.minorUnits)
        }
        standings[key] = standing
        if standing.held + standing.charged <= standing.returned { freed.insert(key) }
        if entry.cause == "unlinkedRefund" || isUnlinked(entry.attempt) { return }
        if standing.held < 0 { accuse("more was captured of \(entry.payment) than was authorised") }
        if standing.returned > standing.charged { accuse("more was refunded of \(entry.payment) than was captured") }
    }
}

/// The end: what is reported of everything now, beside the books.
extension Oracle {
    /// What is reported of an attempt in the end.
    mutating func close(
        _ attempt: AttemptID, _ told: DeliveredResult, isOpen: Bool, couldBeKnown: Bool, isSilent: Bool
    ) {
        tell(attempt, told, isCall: false, since: now, in: "")
        guard let sight = sights[attempt] else { return }
        if case .unknown("inDoubt") = told, couldBeKnown, sight.moves.isEmpty, !sight.cameTwice {
            accuse("\(name(sight)) did nothing, and no look finds that out")
        }
        guard !sight.isLost else { return }
        switch told {
        case .moved, .refused, .nothing, .behind: break
        case .pending:
            if !isOpen { accuse("\(name(sight)) is pending, and not listed as open") }
            if sight.isRefusalSaid, !isSilent, !sight.isMessageLost, !sight.cameTwice, !sight.isMisjudged {
                accuse("\(name(sight)) is pending, and its provider has said that it was refused")
            }
        case .unknown("notFound"):
            if !sight.moves.isEmpty {
                accuse("\(name(sight)) is unknown to the journal, and the books have \(books(sight))")
            }
        case .unknown(let code):
            if !isOpen { accuse("\(name(sight)) is unknown (\(code)), and not listed as open") }
        }
        if isOpen { openCount += 1 }
    }

    /// What is reported of a payment's amounts, beside the books; only where everything of it is decided by the
    /// provider.
    mutating func close(
        _ origin: AttemptID, _ family: [AttemptID], _ amounts: PaymentAmounts, _ final: [AttemptID: DeliveredResult]
    ) {
        let members = family.compactMap { sights[$0] }
        let isClear = members.allSatisfy { sight in
            if sight.isMessageLost || sight.isDoubled || sight.mayBeOfTwin { return false }
            if sight.isDecided || sight.isMisjudged || sight.isLost { return false }
            switch final[sight.order.attempt] {
            case .moved, .refused, .nothing: return true
            case .pending, .unknown, .behind, nil: return false
            }
        }
        guard isClear, let first = members.first, let standing = standing(of: family) else { return }
        let ours = amounts.isVoided ? 0 : amounts.captured.minorUnits.subtracting(amounts.refunded.minorUnits)
        if ours != standing.charged - standing.returned {
            accuse("\(name(first)) has brought in \(ours), and the books have \(standing.charged - standing.returned)")
        }
        // What a capture that failed afterwards leaves of the authorisation, no provider's book says.
        if members.contains(where: { $0.order.operation == .capture && $0.gross > 0 && $0.net == 0 }) { return }
        // Nor whether what was captured at the dashboard was to be the last of it.
        if sights.values.contains(where: { $0.order.isAtDashboard && $0.order.origin == origin && $0.gross > 0 }) {
            return
        }
        let isHeld = first.order.operation == .authorize && first.gross > 0 && !amounts.isVoided
        let held = isHeld ? amounts.capturable.minorUnits : 0
        if held != standing.held { accuse("\(name(first)) holds \(held), and the books have \(standing.held)") }
    }

    /// Which orders are reported as paid in the end, by the provider's payments that their reports name: one pays one order.
    mutating func close(_ paid: [String: [AttemptID]]) {
        for (payment, attempts) in paid.sorted(by: { $0.key < $1.key }) {
            let known = attempts.compactMap { sights[$0] }.filter { !$0.isLost }
            guard let first = known.first, let second = known.dropFirst().first else { continue }
            accuse("\(name(first)) and \(name(second)) are both reported as the one payment \(payment)")
        }
    }

    /// What was executed although it had been denied must have raised a contradiction.
    mutating func explain(_ attempt: AttemptID, isRaised: Bool) {
        guard let sight = sights[attempt], sight.isMisjudged, !sight.isLost, sight.net != 0, !isRaised else { return }
        // What was begun again after that may have moved.
        guard let denied = sight.wasDeniedAt, sight.causes.contains(where: { $0.at < denied }) else { return }
        if case .moved = sight.lastTold { accuse("\(name(sight)) was denied and moved, and nothing says so") }
    }
}

/// One attempt as the judge sees it: what the provider's books have of it, and what callers got.
struct ObservedAttempt {
    let order: Order
    /// What was executed its own way, and what is left of that after everything that came back.
    var gross: Int64 = 0
    var net: Int64 = 0
    var currency = ""
    /// When the requests left that moved it; one for each time.
    var executedAt: [Int] = []
    /// How many of them had come back whole when a person said so, who may have it done again.
    var undoneCount = 0
    /// How often it moved its own way, and how much at a time.
    var moves: [Int64] = []
    /// Whether the provider did one request twice, as it was declared to.
    var isDoubled = false
    /// Whether a request of it came twice to a provider that was declared to do both.
    var cameTwice = false
    /// How many requests about money processes opened for it.
    var openedCount = 0
    /// When it was asked for first, in milliseconds: from then on a provider may have something to remember.
    var begunAt: Int64 = 0
    /// Calls with a waiting caller.
    var waiting = 0
    /// When the last call with a waiting caller ended, and in which process.
    var answeredAt = 0
    var answeredIn = ""
    /// When a caller got that it was executed; whether a caller got that it is pending.
    var heardMovedAt: Int?
    var isPendingTold = false
    /// When a caller got that it was executed and that this is recorded.
    var movedWrittenAt: Int?
    /// Since when it is said that nothing moved by it, and whether that can't be changed by trying again.
    var deniedAt: Int?
    var isRefused = false
    /// Whether it failed afterwards without a message about it.
    var isMessageLost = false
    /// Whether its provider refused it later, and sent a message about that.
    var isRefusalSaid = false
    /// Whether a person decided it, and whether against the books.
    var isDecided = false
    var isMisjudged = false
    /// When a person decided it without looking.
    var misjudgedAt: Int?
    /// Whether a restore lost something of its payment.
    var isLost = false
    /// When a caller last got that nothing moved by it.
    var wasDeniedAt: Int?
    /// Which requests moved anything: when they had left, and whose they were.
    var causes: [(at: Int, from: String)] = []
    /// The provider's payments that it touched.
    var payments: Set<String> = []
    var lastTold: DeliveredResult?

    init(_ order: Order) { self.order = order }

    /// Whether it moved by requests alone that have left since a moment, and none of them a process's own.
    func isOvertaken(since: Int, _ process: String?) -> Bool {
        !causes.isEmpty && causes.allSatisfy { $0.at > since && $0.from != process }
    }

    /// Which ways its money goes; none where the books have no way of its own for it. What isn't settled yet is returned
    /// as if it had never been.
    var ways: Set<LedgerView.Direction> {
        switch order.operation {
        case .sale, .debit: [.charge]
        case .authorize: [.hold]
        case .capture: [.capture]
        case .refund, .unlinkedRefund: [.refund, .reversal]
        case .adjust, .void, .tipAdjustment, .verify, .tokenize, .chargeback: []
        }
    }

    /// Whether a movement counts for what it did, or takes that back.
    func sign(of direction: LedgerView.Direction) -> Int64 {
        switch order.operation {
        case .refund, .unlinkedRefund: ways.contains(direction) ? 1 : -1
        case .void: direction == .release || direction == .reversal || direction == .refund ? 1 : -1
        case .sale, .debit, .authorize, .capture, .adjust, .tipAdjustment, .verify, .tokenize, .chargeback:
            direction == .charge || direction == .hold || direction == .capture ? 1 : -1
        }
    }

    /// Whether a report may be the end of one of two that came of one request, and its money that of the other: they
    /// were pending, and are decided one by one; or a terminal asked for a card twice, and the second one was refused.
    var mayBeOfTwin: Bool { cameTwice && (isPendingTold || order.source?.kind == .reader && moves.count == 1) }

    /// Its name in the table of what was visited.
    var word: String {
        let books = gross == 0 && net == 0 ? "no money" : net == 0 ? "undone" : "money"
        let said = heardMovedAt != nil ? "moved" : deniedAt != nil ? "denied" : lastTold?.word ?? "nothing"
        return "\(books), told \(said)\(waiting > 0 ? ", asked" : "")"
    }

    /// Whether amounts that it moved are this, where the provider may have done it twice.
    func isRight(_ amount: Money) -> Bool {
        guard currency == amount.currency.code else { return false }
        return gross == amount.minorUnits || isDoubled && moves.contains(amount.minorUnits)
    }
}

/// What a caller got about an attempt.
enum DeliveredResult: Hashable, Sendable {
    /// It moved this; perhaps it could not be written down.
    case moved(Money, isRecorded: Bool)
    /// It was refused or cancelled, finally.
    case refused
    /// Nothing moved by it.
    case nothing
    /// It was accepted and is not final.
    case pending
    /// It is unknown.
    case unknown(String)
    /// Another one is paid under the reference, and this call did nothing.
    case behind(AttemptID)

    init(_ result: PaymentResult) {
        switch result {
        case .approved(let payment): self = .moved(payment.approved, isRecorded: payment.isRecorded)
        case .declined, .cancelled: self = .refused
        case .pending: self = .pending
        }
    }

    /// What an error says about the attempt that was asked for; an error that names none or another one speaks of the
    /// call alone.
    init(_ error: PaymentError, about attempt: AttemptID) {
        switch (error.outcome, error.attempt) {
        case (.notExecuted, let other?) where error.code == .referenceInUse && error.state == .approved:
            self = .behind(other)
        case (.notExecuted, attempt): self = .nothing
        case (_, _): self = .unknown(error.code.rawValue)
        }
    }

    /// Its name in the table of what was visited.
    var word: String {
        switch self {
        case .moved: "moved"
        case .refused: "refused"
        case .nothing: "nothing moved"
        case .pending: "pending"
        case .unknown: "unknown"
        case .behind: "behind another"
        }
    }
}
