internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentModel

/// What two movements have in common if a statement that shows one would show the other.
private struct MovementTraits: Hashable, Sendable {
    let isOrigin: Bool
    let operation: PaymentOperation
    let source: PaymentSource.Kind?
    /// A provider's list may show what came by one of the account's links alone.
    let name: ProviderID

    init(_ movement: OwnMovement) {
        (isOrigin, source) = (movement.record.intent.isOrigin, movement.record.intent.source)
        (operation, name) = (movement.operation, movement.record.account.id)
    }
}

/// What a statement says about attempts that it does not show: money that no attempt claims, and names on rows of which
/// nothing is compared. Either can be the attempt's, so it proves nothing and spells out no decision then.
struct StatementTraces: Sendable {
    private struct Speaker {
        let row: Int
        let why: String
    }

    private let isList: Bool
    /// From the first to the last moment that the statement names; nil if it names none.
    private let span: ClosedRange<Int64>?
    /// The first rows of money that no attempt claims, with what they say.
    private var unclaimed: (listing: Int, amount: Money?)?
    private var hasUnreadable = false
    /// Rows of which nothing is compared, by the names on them: the first two of each name.
    private var speakers: [String: [Speaker]] = [:]
    /// The names on rows of other accounts.
    private var foreignNames: Set<String> = []
    /// Which payments of the statement moved something, by the merchant's reference on their rows.
    private var payments: [String: Set<String>] = [:]
    /// An attempt of each kind that the journal has as executed and the statement lacks.
    private var lacking: [MovementTraits: AttemptID] = [:]
    /// The first place in the journal of a payment whose receipt the statement shows.
    private var firstPlace: Int?
    /// When the first of those began after each start of a machine: an uptime.
    private var firstUptimes: [String: Int64] = [:]

    init(_ statement: Statement) {
        isList = statement.kind == .list
        let moments = statement.listings.lazy.compactMap(\.at)
        span = moments.min().flatMap { first in moments.max().map { first...$0 } }
    }

    /// Notes a row that is about no movement that could be compared.
    mutating func leaveOut(_ outside: Statement.Outside) {
        if outside.isUnreadable { hasUnreadable = true }
        if outside.isOtherAccount { foreignNames.formUnion(outside.names) }
        speak(outside.row, outside.why, outside.names)
    }

    /// Notes names on a row of which nothing is compared.
    mutating func speak(_ row: Int, _ why: String, _ names: Set<String>) {
        for name in Set(names.flatMap { MerchantReference($0).names }) where speakers[name, default: []].count < 2 {
            speakers[name, default: []].append(Speaker(row: row, why: why))
        }
    }

    /// Notes a movement that was executed and that the statement lacks.
    mutating func lack(_ movement: OwnMovement) {
        let traits = MovementTraits(movement)
        lacking[traits] = lacking[traits] ?? movement.attempt
    }

    /// Notes a payment whose receipt a report shows: what began after it is in the report as well.
    mutating func show(_ movement: OwnMovement) {
        // What a device approved offline may have been received long after it began.
        guard let begun = onlyBegin(of: movement), !movement.record.executions.contains(where: \.isOffline) else {
            return
        }
        firstPlace = min(firstPlace ?? movement.payment, movement.payment)
        note(begun)
    }

    /// Notes a payment that the journal has after one that is shown, whether it is shown itself or not: what began after it on
    /// its machine is later as well.
    mutating func follow(_ movement: OwnMovement) {
        guard let firstPlace, firstPlace < movement.payment, movement.record.intent.isOrigin,
            let begun = onlyBegin(of: movement)
        else { return }
        note(begun)
    }

    /// When a movement of this journal's began, if it began once. An unlinked refund stands beside the payment that it is for, and
    /// a later run began later than its attempt.
    private func onlyBegin(of movement: OwnMovement) -> Attempt.Instant? {
        guard movement.isOurs, movement.operation != .unlinkedRefund, movement.record.runs.count == 1 else {
            return nil
        }
        return movement.record.runs.first?.begunAt
    }

    private mutating func note(_ begun: Attempt.Instant) {
        if begun.boot.isEmpty { return }
        firstUptimes[begun.boot] = min(firstUptimes[begun.boot] ?? begun.uptime, begun.uptime)
    }

    /// Notes money that no attempt claims.
    mutating func addUnclaimed(_ listings: [Int], _ amount: Money?) {
        if unclaimed == nil, let first = listings.first { unclaimed = (first, amount) }
    }

    /// Notes a payment that moved something under a merchant's reference.
    mutating func addPayment(_ listing: Statement.Listing) {
        guard let reference = listing.reference else { return }
        for name in MerchantReference(reference).names { payments[name, default: []].insert(listing.payment ?? "") }
    }

    /// Whether no other payment of the statement has a name of a listing's.
    func isAlone(_ listing: Statement.Listing, under name: String) -> Bool {
        payments[name, default: []].subtracting([listing.payment ?? ""]).isEmpty
    }

    /// Whether a row of another account carries a name.
    func isForeign(_ name: String) -> Bool { foreignNames.contains(name) }

    /// Why an attempt that the statement doesn't show may have moved money all the same; nil where nothing in it says so.
    ///
    /// Money that no attempt claims could be any attempt's: a part of the amount may be approved, a tip or a surcharge
    /// changes the total, and a provider may book in another currency or under another kind.
    /// A statement that lacks what was executed is not whole.
    func obstacle(_ attempt: OwnMovement, _ statement: Statement) -> String? {
        if hasUnreadable { return "the statement has lines that can't be read" }
        if let unclaimed {
            let place = statement.place(statement.listings[unclaimed.listing].rows)
            let what = [place, unclaimed.amount.map { "\($0)" }].compactMap(\.self).joined(separator: ", ")
            return "the statement shows money that no attempt here claims and that could be this (\(what))"
        }
        for name in [attempt.attempt.text, attempt.reference] + attempt.names {
            guard let one = speakers[name]?.first else { continue }
            return "\(statement.rows[one.row].place) carries its name (\(one.why))"
        }
        guard covers(attempt) else { return "the statement has no rows from before it and from a day after it" }
        guard isList || followsOneShown(attempt) else {
            return "the statement shows no payment of this journal that certainly began before it"
        }
        // A statement with a gap, or of another account, may lack this one for the same reason.
        return lacking[MovementTraits(attempt)].map { "the statement lacks \($0.text), which was executed" }
    }

    /// Whether the rows reach from before an attempt to a day after it, so that the attempt would be among them. A list is
    /// asked for from the days' beginning on. Two hours more: a zone's short name may be wrong by one.
    private func covers(_ attempt: OwnMovement) -> Bool {
        guard let span, attempt.begunAt <= span.upperBound else { return false }
        let isBefore = isList || span.lowerBound <= attempt.begunAt - 7_200_000
        return isBefore && span.upperBound - attempt.begunAt >= ReconciledDays.day
    }

    /// Whether an attempt began after one whose receipt the statement shows, by the journal's own order or by one machine's
    /// uptime. What our clock said then proves nothing: a clock that was fast makes a report that begins after the
    /// payment seem to begin before it.
    private func followsOneShown(_ attempt: OwnMovement) -> Bool {
        if let firstPlace {
            let isLater = firstPlace < attempt.payment
            if isLater || firstPlace == attempt.payment && !attempt.record.intent.isOrigin { return true }
        }
        guard let begun = attempt.record.runs.first?.begunAt, let first = firstUptimes[begun.boot] else { return false }
        return first < begun.uptime
    }

    /// Whether rows of a payment are the only ones that some names are on.
    ///
    /// - Parameters:
    ///   - rows: The rows of the payment.
    ///   - payment: What the provider calls it.
    ///   - names: The id and the reference of the attempt that it may be.
    func areAlone(_ rows: Set<Int>, _ payment: String, _ names: [String]) -> Bool {
        // A row that can't be read may say that it failed.
        guard !hasUnreadable else { return false }
        return names.allSatisfy { payments[$0, default: []].subtracting([payment]).isEmpty }
            && (names + [payment]).allSatisfy { speakers[$0, default: []].allSatisfy { rows.contains($0.row) } }
    }
}

// MARK: - What to do

extension Reconciliation {
    /// Why the absence of an attempt from the statement proves nothing; nil where it does.
    func obstacle(_ attempt: OwnMovement) -> String? { traces.obstacle(attempt, statement) }

    /// Whether an item has the only payment of the statement that the attempt's own id or reference is on, that payment
    /// moved just this amount, and no other open attempt could be it.
    fileprivate func isOnlyRow(_ item: ReconciledItem, of attempt: OwnMovement) -> Bool {
        guard let name = item.name, let number = item.movements.first, books.isOrigin(number),
            books.movements[number].attempt == attempt.attempt
        else { return false }
        return traces.areAlone(Set(item.rows), name, [attempt.attempt.text, attempt.reference])
            && books.open[attempt.reference]?.count == 1 && item.hasMoved && item.thereAmount == attempt.asked
    }

    /// What `payctl journal import` would take for a payment that only the statement has; nil where that would leave out, or
    /// count twice, what another row says.
    fileprivate func importLine(_ item: ReconciledItem) -> JSON? {
        let theirs = item.listings.map { statement.listings[$0] }
        guard item.payment == nil, let first = theirs.first, first.subject == .payment || first.subject == .capture,
            !books.mayBeUndecided(first.reference)
        else { return nil }
        let whole = ListingSummary(theirs)
        // A reference that looks like a card number is never kept.
        if let reference = first.reference, MaskedMessage.of(reference) != reference { return nil }
        guard whole.state == .charged, whole.problem == nil, let name = first.payment ?? first.names.first,
            let amount = whole.charged, amount.minorUnits > 0, let at = first.at, !traces.isForeign(name),
            let back = takenBack(name, whole, amount.currency), back.sum.minorUnits <= amount.minorUnits,
            let attempt = lostAttempt(first) ?? Self.attempt(named: name)
        else { return nil }
        if mayBeRefunded(amount, since: at) { return nil }
        // A settlement has only what was paid out: it can't say up to when it counts what was refunded.
        if statement.kind == .settlement, back.refunded.minorUnits > 0 { return nil }
        let account = books.account
        var references = JSONObject()
        references[statement.paymentName] = .string(name)
        var line: JSONObject = [
            "attempt": .string(attempt.text), "provider": .string(account.id.rawValue),
            "adapter": .string(account.adapter), "environment": .string(account.environment),
            "merchant": .string(account.merchant),
            "reference": .string(first.reference.map { MerchantReference($0).order } ?? name),
            "minorUnits": .number(JSONNumber(amount.minorUnits)), "currency": .string(amount.currency.code),
            "takenAt": .number(JSONNumber(at)), "references": .object(references),
        ]
        line["scope"] = importScope
        if back.refunded.minorUnits > 0 {
            line["refunded"] = .number(JSONNumber(back.refunded.minorUnits))
            // A message about one of these refunds must not count it once more.
            line["holdsUntil"] = .number(JSONNumber(max(statement.saidAt, at)))
        }
        if !back.chargebacks.isEmpty { line["chargebacks"] = .array(back.chargebacks) }
        return .object(line)
    }

    /// The attempt that the merchant's reference names, where the statement has it on no other payment.
    ///
    /// A restore may have lost it: a payment that is imported under its own id is not charged again by its key. What is no
    /// attempt's id only occupies one.
    private func lostAttempt(_ listing: Statement.Listing) -> AttemptID? {
        guard let text = listing.reference.map({ MerchantReference($0).attempt }), let id = try? AttemptID(text),
            !id.isReserved, traces.isAlone(listing, under: text)
        else { return nil }
        return id
    }

    /// An id for what has only the provider's name.
    static func attempt(named name: String) -> AttemptID? {
        try? AttemptID(
            "there-" + name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.suffix(30))
    }

    /// The scope of an import line: the only one at the account, or an empty one to be filled in; nil where none has a name.
    private var importScope: JSON? {
        guard let last = books.scopes.max(), !last.isEmpty else { return nil }
        return .string(books.scopes.count == 1 ? last : "")
    }

    /// What came back of a payment.
    private struct TakenBack {
        var refunded: Money
        /// As a line of an import has them.
        var chargebacks: [JSON] = []
        /// Both.
        var sum: Money
    }

    /// What the statement says was refunded of a payment; nil where that is not finished refunds and chargebacks with
    /// names of their own.
    private func takenBack(_ name: String, _ whole: ListingSummary, _ currency: Currency) -> TakenBack? {
        let listed = whole.refunded ?? .zero(currency)
        var back = TakenBack(refunded: listed, sum: listed)
        for one in (followUps[name] ?? []).map({ statement.listings[$0] }) {
            let cameToNothing = one.state == .refused || one.state == .undone && one.repeated != nil
            if one.problem == nil, cameToNothing { continue }
            guard one.problem == nil, one.state == .charged, let moved = one.moved,
                let sum = try? back.sum.adding(moved)
            else { return nil }
            back.sum = sum
            if one.subject == .refund {
                guard let more = try? back.refunded.adding(moved) else { return nil }
                back.refunded = more
            } else {
                guard let own = one.names.first, let at = one.at, moved.minorUnits > 0 else { return nil }
                back.chargebacks.append([
                    "name": .string(own), "minorUnits": .number(JSONNumber(moved.minorUnits)),
                    "at": .number(JSONNumber(at)),
                ])
            }
        }
        return back.sum.currency == currency && !back.refunded.isNegative ? back : nil
    }
}

extension ReconciledItem {
    /// Says what to do: first ask the provider. What the provider could not tell a person decides, and gets a line to type
    /// only where no row of the statement speaks against it.
    mutating func propose(in reconciliation: Reconciliation) {
        let own = movements.lazy.map { reconciliation.books.movements[$0] }.first { $0.attempt == attempt }
        let isUndecided = own.map { $0.state == .open || $0.state == .pending } ?? false
        proposal = group == .inTransit && !isInDoubt ? .wait : isUndecided ? .recover : .ask
        if group == .onlyInStatement {
            line = reconciliation.importLine(self) ?? reconciliation.followUpLine(self)
        } else if group == .differs, what == .amount {
            line = reconciliation.followUpLine(self)
        }
        if line != nil { proposal = .import }
        guard isInDoubt, let own, own.wasLookedUpInVain else { return }
        switch group {
        case .differs:
            if reconciliation.isOnlyRow(self, of: own) { proposal = .resolve } else if line == nil { proposal = .ask }
        case .onlyInJournal:
            because = reconciliation.obstacle(own)
            proposal = because == nil ? .resolve : .ask
        case .notComparable: proposal = .ask
        case .matched, .onlyInStatement, .inTransit: break
        }
    }
}

// MARK: - Absence

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

    private let reconciliation: Reconciliation
    private let journal: any Journal
    private let clock: any PaymentClock
    /// The latest movement that the statement shows, of each kind.
    private var shown: [MovementTraits: OwnMovement] = [:]

    init(_ reconciliation: Reconciliation, _ journal: any Journal, _ clock: any PaymentClock) {
        (self.reconciliation, self.journal, self.clock) = (reconciliation, journal, clock)
        func comes(_ one: OwnMovement, before other: OwnMovement) -> Bool {
            (one.begunAt, one.attempt.text) < (other.begunAt, other.attempt.text)
        }
        for number in reconciliation.named {
            let movement = reconciliation.books.movements[number]
            // When an import or the provider made an attempt, its run began later than what it is about.
            guard movement.isOurs, !movement.names.isEmpty else { continue }
            let last = shown[MovementTraits(movement)] ?? movement
            shown[MovementTraits(movement)] = comes(last, before: movement) ? movement : last
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
        guard let last = shown[MovementTraits(attempt)] else {
            return refused("the statement shows no attempt of the journal that is like it")
        }
        let id = attempt.attempt
        guard let held = try await journal.attempts(.attempt(id), after: nil, limit: 1).attempts.first,
            let stored = try await journal.payment(held.intent.paymentID), let asked = last.record.runs.first?.begunAt
        else { return refused("it has been decided since") }
        let newest = held.reports.map(\.at.wall).max() ?? .min
        guard newest <= asked.wall else { return refused("something became known after the statement was made") }
        let basis = Finding.Basis(held, known: stored.entry, account: held.account, askedAt: asked)
        let finding = Finding.lookup(
            .notFound(seesBack: nil), basis, LookupTerms(quietPeriod: Self.quietMilliseconds), names: [])
        let step = PaymentEvent(
            .lookedUp, at: clock.now, payment: held.intent.paymentID, attempt: id, provider: held.account.id,
            attributes: ["statement": statement.title])
        let write = WriteID("statement-" + TimeOrderedID.make(now: clock.now, random: SystemRandom()))
        let now = Attempt.Instant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
        switch try await journal.write(JournalEntry(.report(id, finding), timeline: [step]), write, at: now) {
        case .written(_, let receipt):
            guard receipt.refusal == nil else { return refused("it proves nothing about this attempt") }
            return Conclusion(attempt: attempt, refusal: nil, witnesses: Array(last.names.prefix(1)))
        case .refused(.noProof(let why), _): return refused(why)
        case .refused, .known, .hint, .kept: return refused("it has been decided since")
        }
    }
}
