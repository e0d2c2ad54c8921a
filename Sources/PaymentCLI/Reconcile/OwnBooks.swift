internal import PaymentAbstraction
internal import PaymentBase

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
    let begunAt: Int64
    let word: String
    /// Whether the provider was asked and could not tell.
    let wasLookedUpInVain: Bool
    /// The payment that it belongs to, by its place in ``OwnBooks/payments``.
    let payment: Int
    fileprivate let record: Attempt

    fileprivate init(_ record: Attempt, payment: Int, wasLookedUpInVain: Bool) {
        let intent = record.intent
        (attempt, scope, operation) = (intent.attempt, intent.scope, intent.operation)
        // Without a reference the provider got the attempt's id.
        reference = intent.reference ?? intent.attempt.text
        (asked, begunAt, word) = (intent.amount, record.createdAt, record.word)
        amount = record.approval?.amount ?? intent.amount
        names = record.names.filter { $0.account == record.account }.map(\.value)
        let isRehearsal = record.isDryRun || amount.minorUnits == 0 && intent.operation.isOrigin
        let hasMoved = record.approval != nil && !isRehearsal
        state = record.state == .pending ? .pending : record.isOpen ? .open : hasMoved ? .moved : .nothing
        self.wasLookedUpInVain = wasLookedUpInVain
        (self.payment, self.record) = (payment, record)
        kind =
            switch intent.operation {
            case .sale, .debit: .charge
            case .authorize: .hold
            case .capture: .capture
            case .adjust: .change
            case .tipAdjustment: .tip
            case .void: .void
            case .refund, .unlinkedRefund: .refund
            case .verify, .tokenize: nil
            }
    }

    /// Whether money moved or may have: only that is looked for in a statement.
    var counts: Bool { kind != nil && state != .nothing && !(record.intent.isDryRun && state == .open) }

    /// Its part of a sum: what it gives back is less than nothing, and what changes another movement is nothing.
    var signed: Money {
        guard counts else { return .zero(amount.currency) }
        switch kind {
        case .hold, .charge, .capture, .tip: return amount
        case .refund, .chargeback: return (try? Money.zero(amount.currency).subtracting(amount)) ?? amount
        case .change, .void, nil: return .zero(amount.currency)
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
    private var byName: [String: [Int]] = [:]
    private var byAttempt: [String: [Int]] = [:]
    /// Sales and the like that are not decided, by their reference.
    private(set) var open: [String: [Int]] = [:]

    /// - Parameters:
    ///   - attempts: Every attempt of the journal.
    ///   - vain: Those of which the provider was asked and could not tell.
    /// - Throws: `journal`, nothing moved, if an attempt belongs to a payment that isn't there.
    init(
        _ attempts: [Attempt], _ account: ProviderIdentity, lookedUpInVain vain: Set<AttemptID> = []
    ) throws(PaymentError) {
        self.account = account
        var payments: [PaymentID: [Attempt]] = [:]
        var order: [PaymentID] = []
        for attempt in attempts where attempt.account == account {
            let id = attempt.intent.paymentID
            if payments[id] == nil { order.append(id) }
            payments[id, default: []].append(attempt)
        }
        for id in order {
            let record = PaymentRecord(payments[id] ?? [])
            guard let origin = record.origin else {
                throw .notExecuted(
                    .journal,
                    "The payment \(id) is not in the journal, and attempts of it are. Run `payctl journal check`.")
            }
            add(origin, record, vain)
        }
    }

    private mutating func add(_ origin: Attempt, _ record: PaymentRecord, _ vain: Set<AttemptID>) {
        let (first, amounts) = (movements.count, record.amounts)
        let ordered = [origin] + record.attempts.filter { $0.intent.attempt != origin.intent.attempt }
        for (index, attempt) in ordered.enumerated() {
            let movement = OwnMovement(
                attempt, payment: payments.count, wasLookedUpInVain: vain.contains(attempt.intent.attempt))
            movements.append(movement)
            byAttempt[movement.attempt.text, default: []].append(first + index)
            for name in Set(movement.names) { byName[name, default: []].append(first + index) }
        }
        let own = movements[first]
        if own.state == .open || own.state == .pending { open[own.reference, default: []].append(first) }
        scopes.insert(own.scope)
        payments.append(
            OwnPayment(
                id: PaymentID(own.attempt), reference: own.reference, begunAt: own.begunAt, amounts: amounts,
                approved: own.amount, asked: own.asked, words: origin.paymentWords(record.attempts, amounts),
                movements: Array(first..<movements.count)))
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
        guard let text, let found = byAttempt[text], found.count == 1 else { return nil }
        return found[0]
    }

    /// Whether an attempt that is not decided could be meant by a merchant's reference, or by none.
    func mayBeUndecided(_ reference: String?) -> Bool {
        guard let reference else { return !open.isEmpty }
        return open[reference] != nil || byAttempt[reference] != nil
    }

    func isOrigin(_ movement: Int) -> Bool { payments[movements[movement].payment].movements.first == movement }
}

/// A statement as the witness of absence: concludes what it proves never arrived, and nothing else.
///
/// The statement has to show one of our attempts from before the attempt's run, and one that began a quiet period after its
/// end. When the statement was made is read off it: after the latest of our attempts that it shows began. The journal's own
/// rule then judges that absence like the answer to a lookup.
struct StatementEvidence {
    /// How long an attempt has to have been silent before the later witness began: a day, after which no request that
    /// left is still on its way, and longer than the quiet time of any adapter.
    static let quietMilliseconds: Int64 = 86_400_000

    /// One attempt with what became of the try.
    struct Conclusion: Sendable {
        let attempt: OwnMovement
        /// Why it proves nothing; nil where it is concluded.
        let refusal: String?
        /// The movement that the statement shows from after.
        let witnesses: [String]

        /// What is concluded, for people.
        var words: String {
            "\(attempt.operation.rawValue) of \(attempt.asked): nothing moved; the statement shows "
                + "\(witnesses.joined(separator: " and ")), which began a day later, and not this"
        }

        var json: JSON {
            [
                "attempt": .string(attempt.attempt.text), "operation": .string(attempt.operation.rawValue),
                "reference": .string(attempt.reference), "amount": attempt.asked.json, "witnesses": .texts(witnesses),
            ]
        }
    }

    private struct Likeness: Hashable {
        let isOrigin: Bool
        let operation: PaymentOperation
        let source: PaymentSource.Kind?

        init(_ movement: OwnMovement) {
            (isOrigin, source) = (movement.record.intent.isOrigin, movement.record.intent.source)
            operation = movement.operation
        }
    }

    private let reconciliation: Reconciliation
    private let journal: any Journal
    private let clock: any PaymentClock
    /// The latest movement that the statement shows, of each kind.
    private var shown: [Likeness: OwnMovement] = [:]

    init(_ reconciliation: Reconciliation, _ journal: any Journal, _ clock: any PaymentClock) {
        (self.reconciliation, self.journal, self.clock) = (reconciliation, journal, clock)
        func comes(_ one: OwnMovement, before other: OwnMovement) -> Bool {
            (one.begunAt, one.attempt.text) < (other.begunAt, other.attempt.text)
        }
        for number in reconciliation.named {
            let movement = reconciliation.books.movements[number]
            guard !movement.names.isEmpty else { continue }
            let last = shown[Likeness(movement)] ?? movement
            shown[Likeness(movement)] = comes(last, before: movement) ? movement : last
        }
    }

    /// Tries every attempt in doubt that the statement doesn't show.
    func conclude() async throws -> [Conclusion] {
        var conclusions: [Conclusion] = []
        for item in reconciliation.items where item.group == .onlyInJournal {
            for number in item.movements where reconciliation.books.movements[number].state == .open {
                conclusions.append(try await conclude(reconciliation.books.movements[number]))
            }
        }
        return conclusions
    }

    private func conclude(_ attempt: OwnMovement) async throws -> Conclusion {
        func refused(_ why: String) -> Conclusion { Conclusion(attempt: attempt, refusal: why, witnesses: []) }
        let statement = reconciliation.statement
        if statement.kind == .settlement { return refused("a settlement shows only what was paid out") }
        if let obstacle = reconciliation.obstacle(attempt) { return refused(obstacle) }
        guard let last = shown[Likeness(attempt)] else {
            return refused("the statement shows no attempt of the journal that is like it")
        }
        let id = attempt.attempt
        guard let held = try await journal.attempts(.attempt(id), after: nil, limit: 1).attempts.first,
            let stored = try await journal.payment(held.intent.paymentID), let asked = last.record.runs.first?.begunAt
        else { return refused("it was decided meanwhile") }
        let newest = held.reports.map(\.at.wall).max() ?? .min
        guard newest <= asked.wall else { return refused("something became known after the statement was made") }
        let basis = Finding.Basis(held, known: stored.entry, account: held.account, askedAt: asked)
        let finding = Finding.lookup(
            .notFound(seesBack: nil), basis, LookupTerms(quietPeriod: Self.quietMilliseconds), names: [])
        let step = PaymentEvent(
            .lookedUp, at: clock.now, payment: held.intent.paymentID, attempt: id, provider: held.account.id,
            attributes: ["statement": statement.title])
        let write = WriteID("statement-" + TimeOrderedID.make(now: clock.now, random: SystemRandom()))
        let now = JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
        switch try await journal.write(JournalEntry(.report(id, finding), timeline: [step]), write, at: now) {
        case .written(_, let receipt):
            guard receipt.refusal == nil else { return refused("it proves nothing about this attempt") }
            return Conclusion(attempt: attempt, refusal: nil, witnesses: Array(last.names.prefix(1)))
        case .refused(.noProof(let why), _): return refused(why)
        case .refused, .known, .hint, .kept: return refused("it was decided meanwhile")
        }
    }
}
