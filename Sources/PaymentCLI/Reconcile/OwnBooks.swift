internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentModel

/// One attempt of the journal, as far as a statement can be compared with it. Everything that a reconciliation takes from
/// the journal's own types is read in this file.
struct OwnMovement: Sendable {
    enum State: Sendable {
        /// Declined, cancelled, or proven not to have been executed.
        case nothing
        /// It is under way or in doubt.
        case open
        /// It was accepted and is not final.
        case pending
        case moved
    }

    let attempt: AttemptID
    let scope: String
    let operation: PaymentOperation
    /// What it does; nil where no money moves.
    let kind: Statement.Movement?
    let state: State
    /// What it moved; what was asked for while that is not known.
    let amount: Money
    let asked: Money
    let reference: String
    /// What the provider calls it.
    let names: [String]
    /// Under which names a person recorded it, where the provider itself gave it none.
    let typedNames: [String]
    /// When the run began that executed it, or the newest one; of what an import or the provider made, when it happened
    /// there, as far as that is known.
    let begunAt: Int64
    /// When what it had moved failed or was taken back; nil if it was not.
    let endedAt: Int64?
    let word: String
    /// Whether a client of this journal asked for it, so that the journal knows when it began.
    let isOurs: Bool
    /// Whether the provider was asked and could not say.
    let wasLookedUpInVain: Bool
    /// The payment that it belongs to, by its place in ``OwnBooks/payments``.
    let payment: Int
    let record: Attempt
    /// The tip in whose place a new one comes: a tip is a total.
    let earlierTip: Money?

    fileprivate init(
        _ record: Attempt, at account: ProviderIdentity, payment: Int, wasLookedUpInVain: Bool,
        without named: Money? = nil, earlierTip: Money? = nil
    ) {
        let intent = record.intent
        (attempt, scope, operation) = (intent.attempt, intent.scope, intent.operation)
        // Without a reference the provider got the attempt's id.
        reference = intent.reference ?? intent.attempt.text
        (asked, word) = (intent.amount, record.status)
        (begunAt, isOurs) = (Self.moment(of: record, at: account), !record.isImported && !record.isByProvider)
        let stands = record.moved(at: account) != nil
        endedAt = Self.ended(record, at: account)?.at
        let whole = record.acknowledgedAmount ?? record.moved(at: account) ?? intent.amount
        amount = named.map { whole.less($0) } ?? whole
        let here = record.names.filter { $0.account == account }
        names = here.map(\.value)
        typedNames = here.allSatisfy(\.isByPerson) ? names : []
        let isRehearsal = record.isDryRun || amount.minorUnits == 0 && intent.operation.isOrigin
        let hasMoved = stands && !isRehearsal
        state = record.state == .pending ? .pending : record.isOpen ? .open : hasMoved ? .moved : .nothing
        self.wasLookedUpInVain = wasLookedUpInVain
        (self.payment, self.record, self.earlierTip) = (payment, record, earlierTip)
        kind =
            switch intent.operation {
            case .sale, .debit: .charge
            case .authorize: .hold
            case .capture: .capture
            case .adjust: .change
            case .tipAdjustment: .tip
            case .void: .void
            case .refund, .unlinkedRefund: .refund
            case .chargeback: .chargeback
            case .verify, .tokenize: nil
            }
    }

    /// When an attempt began, at an account if several executed it. An earlier run than the one that executed it has done
    /// nothing, and the entry of an import, or of a message, is made later than what it is about.
    static func moment(of record: Attempt, at account: ProviderIdentity? = nil) -> Int64 {
        let said = account.flatMap { record.standingReport(at: $0) } ?? record.standingReport
        guard record.isImported || record.isByProvider else {
            let run = said?.run ?? record.pendingRuns.min() ?? record.runs.count
            return record.runs.first { $0.number == run }?.begunAt.wall ?? record.createdAt
        }
        if let said, said.executedAt != nil { return said.happenedAt }
        for report in record.reports {
            if case .imported(let time) = report.evidence { return time }
        }
        return record.createdAt
    }

    /// When money moved at an account, as a day counts it: what the provider had only received moved when that was decided.
    static func booked(_ record: Attempt, at account: ProviderIdentity) -> Int64 {
        let begun = moment(of: record, at: account)
        guard let said = record.standingReport(at: account) else { return begun }
        let hadWaited = record.reports.contains { $0.isPending && $0.run == said.run && $0.entry < said.entry }
        return hadWaited ? max(begun, said.happenedAt) : begun
    }

    /// When what an attempt had moved at an account failed or was taken back, and the attempt as it was until then; nil if it
    /// was not.
    static func ended(_ record: Attempt, at account: ProviderIdentity) -> (at: Int64, before: Attempt)? {
        guard record.hasApproval, !record.isOpen, record.moved(at: account) == nil else { return nil }
        let declines = record.reports.filter { $0.isDecline && record.runs[$0.run - 1].account == account }
        // What was said again later ended nothing, and an earlier run's decline neither.
        for end in Set(declines.map(\.happenedAt)).sorted(by: >) {
            guard let then = record.before(end.addingSaturating(-1)), then.moved(at: account) != nil else { continue }
            return (end, then)
        }
        return nil
    }

    /// Whether money moved or may have: only that is looked for in a statement.
    var counts: Bool { kind != nil && state != .nothing && !(record.intent.isDryRun && state == .open) }

    /// Its part of a sum, in minor units: what it refunds is less than nothing, a new tip is what it adds to the one before it,
    /// and what changes another movement otherwise is nothing.
    var signedUnits: Int128 {
        guard counts else { return 0 }
        switch kind {
        case .hold, .charge, .capture: return Int128(amount.minorUnits)
        case .tip: return Int128(amount.minorUnits) - Int128(earlierTip?.minorUnits ?? 0)
        case .refund, .chargeback: return -Int128(amount.minorUnits)
        case .change, .void, nil: return 0
        }
    }
}

/// One payment of the journal with its movements.
struct OwnPayment: Sendable {
    let id: PaymentID
    let reference: String
    let begunAt: Int64
    let amounts: PaymentAmounts
    /// What was approved at first; what was asked for while nothing is.
    let approved: Money
    let asked: Money
    let words: String
    /// By their places in ``OwnBooks/movements``, the one that it came from first.
    let movements: [Int]
    fileprivate let attempts: [Attempt]

    /// Whether nothing of it is held or charged any more.
    var isUndone: Bool { amounts.isVoided || amounts.captured.isZero && amounts.released.minorUnits > 0 }
}

/// The journal's payments at one account, with the names by which a statement knows them.
struct OwnBooks: Sendable {
    let account: ProviderIdentity
    private(set) var payments: [OwnPayment] = []
    private(set) var movements: [OwnMovement] = []
    /// Every scope that has a payment at the account.
    private(set) var scopes: Set<String> = []
    /// What the journal has of other accounts: the account, when it began, and whether it is not decided.
    private(set) var elsewhere: [(account: ProviderIdentity, begunAt: Int64, isOpen: Bool)] = []
    /// What other accounts of the same adapter call their payments, and which account it is.
    private var namedElsewhere: [String: ProviderIdentity] = [:]
    private var byName: [String: [Int]] = [:]
    private var byAttempt: [String: [Int]] = [:]
    /// Sales and the like that are not decided, by their reference.
    private(set) var open: [String: [Int]] = [:]

    /// - Parameters:
    ///   - attempts: Every attempt of the journal.
    ///   - vain: Those of which the provider was asked and could not say.
    /// - Throws: `journal`, nothing moved, if an attempt belongs to a payment that isn't there.
    init(
        _ attempts: [Attempt], _ account: ProviderIdentity, lookedUpInVain vain: Set<AttemptID> = []
    ) throws(PaymentError) {
        self.account = account
        var payments: [PaymentID: [Attempt]] = [:]
        var order: [PaymentID] = []
        for attempt in attempts {
            // Each account that executed it has its own part of it, also one that failed later.
            for place in attempt.takers {
                guard place == account else {
                    addElsewhere(attempt, place)
                    continue
                }
                // To the provider a refund without an original is a payment of its own, whichever payment it is for here.
                let isAlone = attempt.intent.operation == .unlinkedRefund
                let id = isAlone ? PaymentID(attempt.intent.attempt) : attempt.intent.paymentID
                if payments[id] == nil { order.append(id) }
                payments[id, default: []].append(attempt)
            }
        }
        for id in order {
            let record = PaymentRecord(payments[id] ?? [])
            if record.attempts.isEmpty { continue }
            let alone = record.attempts.first { $0.intent.operation == .unlinkedRefund }
            guard let origin = record.origin ?? alone else {
                throw .notExecuted(
                    .journal,
                    "The payment \(id) is not in the journal, and attempts of it are. Run `payctl journal check`.")
            }
            add(origin, record, vain)
        }
    }

    private mutating func addElsewhere(_ attempt: Attempt, _ place: ProviderIdentity) {
        guard attempt.isOpen || attempt.approval != nil else { return }
        elsewhere.append((place, OwnMovement.moment(of: attempt, at: place), attempt.isOpen))
        guard place.adapter == account.adapter else { return }
        for name in attempt.names { namedElsewhere[name.value] = name.account }
        namedElsewhere[attempt.intent.attempt.text] = place
    }

    private mutating func add(_ origin: Attempt, _ record: PaymentRecord, _ vain: Set<AttemptID>) {
        let first = movements.count
        // What messages named of the sum that an import says is a movement of its own.
        let named = record.namedOfImport
        func isNamed(_ one: Attempt) -> Bool { named.map { one.intent.amount.less($0).isZero } ?? false }
        let others = record.attempts.filter { $0.intent.attempt != origin.intent.attempt }
        let ordered = [origin] + others.filter { !$0.isRefundsOfImport || !isNamed($0) }
        // A tip that was begun again comes after those that were executed before it.
        let tips = ordered.filter { $0.intent.operation == .tipAdjustment && $0.moved(at: account) != nil }
            .sorted { $0.approvalEntry < $1.approvalEntry }
        var (tip, earlierTips) = (origin.intent.tip, [AttemptID: Money]())
        for one in tips { (earlierTips[one.intent.attempt], tip) = (tip, one.moved(at: account)) }
        for (index, attempt) in ordered.enumerated() {
            let movement = OwnMovement(
                attempt, at: account, payment: payments.count,
                wasLookedUpInVain: vain.contains(attempt.intent.attempt),
                without: attempt.isRefundsOfImport ? named : nil,
                earlierTip: earlierTips[attempt.intent.attempt] ?? (attempt.isOpen ? tip : nil))
            movements.append(movement)
            // Under the id of an import nothing was sent: its provider's names find it.
            if !attempt.isImported { byAttempt[movement.attempt.text, default: []].append(first + index) }
            for name in Set(movement.names) { byName[name, default: []].append(first + index) }
        }
        let own = movements[first]
        if own.state == .open || own.state == .pending { open[own.reference, default: []].append(first) }
        scopes.insert(own.scope)
        payments.append(payment(record.attempts, Array(first..<movements.count)))
    }

    private func payment(_ attempts: [Attempt], _ numbers: [Int]) -> OwnPayment {
        let own = movements[numbers[0]]
        // What another account took of it is in the books of that one.
        let amounts = PaymentTotals(attempts, currency: own.asked.currency, at: account).amounts
        return OwnPayment(
            id: PaymentID(own.attempt), reference: own.reference, begunAt: own.begunAt, amounts: amounts,
            approved: own.amount, asked: own.asked, words: own.record.paymentWords(attempts, amounts),
            movements: numbers, attempts: attempts)
    }

    /// Takes a payment back to a moment: what began later is not there yet, and what ended later has not ended yet.
    ///
    /// - Parameters:
    ///   - named: Movements that the statement itself names: they are there, whenever their message came.
    ///   - ended: Movements of which the statement shows the end.
    mutating func rewind(_ number: Int, to end: Int64, named: Set<Int>, ended: Set<Int>) {
        let whole = payments[number]
        var attempts = whole.attempts
        var known: [Int] = []
        for index in whole.movements {
            let movement = movements[index]
            func isIt(_ attempt: Attempt) -> Bool { attempt.intent.attempt == movement.attempt }
            guard index == whole.movements[0] || movement.begunAt <= end || named.contains(index) else {
                attempts.removeAll(where: isIt)
                continue
            }
            known.append(index)
            guard !ended.contains(index), let then = movement.record.before(end) else { continue }
            movements[index] = OwnMovement(
                then, at: account, payment: number, wasLookedUpInVain: movement.wasLookedUpInVain,
                earlierTip: movement.earlierTip)
            attempts = attempts.map { isIt($0) ? then : $0 }
        }
        if attempts != whole.attempts { payments[number] = payment(attempts, known) }
    }

    /// What the provider calls so; what followed a payment often carries the payment's name beside its own.
    ///
    /// - Parameter isOrigin: Whether the payment itself is meant rather than something that followed.
    func holder(_ names: [String], isOrigin: Bool) -> Int? {
        for name in names {
            if let found = byName[name]?.first(where: { self.isOrigin($0) == isOrigin }) { return found }
        }
        return names.lazy.compactMap { byName[$0]?.first }.first
    }

    /// The attempt that a merchant's reference names, where it is an attempt's own id, and only one has it.
    func attempt(_ text: String?) -> Int? {
        guard let text, let found = byAttempt[text] ?? byAttempt[MerchantReference(text).attempt], found.count == 1
        else { return nil }
        return found[0]
    }

    /// The other account of this journal that has one of some names: a row under that name may be about its money.
    func otherHolder(_ names: [String]) -> ProviderIdentity? {
        names.lazy.compactMap { self.namedElsewhere[$0] ?? self.namedElsewhere[MerchantReference($0).attempt] }.first
    }

    /// Whether an attempt that is not decided could be meant by a merchant's reference, or by none.
    func mayBeUndecided(_ reference: String?) -> Bool {
        guard let reference else { return !open.isEmpty }
        return MerchantReference(reference).names.contains { open[$0] != nil || byAttempt[$0] != nil }
    }

    func isOrigin(_ movement: Int) -> Bool { payments[movements[movement].payment].movements.first == movement }
}

extension PaymentRecord {
    /// How much of what an import says was refunded is named by messages since.
    fileprivate var namedOfImport: Money? {
        let counted = attempts.filter { one in
            guard one.intent.operation == .refund, !one.names.isEmpty, one.isCountedByImport,
                let upTo = one.runs.first?.countedUpTo
            else { return false }
            // What had failed before is in no import's sum.
            return one.state == .approved
                || one.state == .reversed
                    && one.reports.contains { $0.isDecline && ($0.evidence.providerTime ?? .max) > upTo }
        }
        return counted.map { Optional($0.executions.last?.amount ?? $0.intent.amount) }.total
    }
}

extension Attempt {
    /// Whether it is the sum of the refunds that an import says, which has no name.
    fileprivate var isRefundsOfImport: Bool { intent.operation == .refund && isImported && names.isEmpty }
}
