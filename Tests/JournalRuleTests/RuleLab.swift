internal import PaymentBase
internal import PaymentDriverKit
import Testing

@testable internal import PaymentJournalKit
@testable public import PaymentModel

typealias Intent = Attempt.Intent
typealias Account = ProviderIdentity
typealias Operation = PaymentOperation

/// A journal in memory, played step by step: each case says what must hold, and the lab collects what does not.
struct RuleLab {
    var store = InMemoryStore()
    var now: Int64 = 1_000
    var boot = "boot"
    var uptime: Int64?
    /// The processes that the registry calls alive.
    var living: Set<String> = []
    private(set) var count = 0
    private(set) var failures: [String] = []
    let a = Account("acme"), b = Account("other")

    var instant: Attempt.Instant { Attempt.Instant(wall: now, uptime: uptime ?? now, boot: boot) }

    // MARK: - Writing

    @discardableResult
    mutating func write(_ command: JournalCommand) -> JournalAnswer {
        count += 1
        return write(JournalEntry(command), WriteID("w\(count)"))
    }

    @discardableResult
    mutating func write(_ entry: JournalEntry, _ id: WriteID) -> JournalAnswer {
        let living = living
        var entry = entry
        // A message is one with what its signature covers, so that two contents are two messages.
        if case .notice(let notice) = entry.command {
            let signed = Notice(
                "\(notice.id) \(notice)".digest, notice.account, notice.subject, notice.operations, notice.verdict,
                at: notice.providerTime, names: notice.names, original: notice.original)
            entry.command = .notice(signed)
        }
        return store.write(entry, id, at: instant) { living.contains($0) }.0
    }

    @discardableResult
    mutating func open(
        _ intent: Intent, account: Account? = nil, owner: String = "A", key: String? = nil, limit: Int64? = 10,
        version: Int? = nil, names: [String] = [], hold: Int64? = nil, lookUp: Bool = false, offline: Int64? = nil
    ) -> JournalAnswer {
        var begin = Begin(intent, account ?? a, paymentVersion: version)
        (begin.holdLifetime, begin.canLookUp) = (hold, lookUp)
        var open = OpenRequest(begin, owner: owner, sendLimit: limit)
        // A terminal that approves offline, and within which time it forwards; 0 says never.
        (open.mayBeOffline, open.forwardsWithin) = (offline != nil, offline == 0 ? nil : offline)
        // Without a limit it is a call that shows several cards.
        (open.transit, open.key, open.names, open.cards) = (20, key, names, limit == nil ? .several : .one)
        return write(.request(open))
    }

    @discardableResult
    mutating func again(
        _ id: AttemptID, run: Int = 1, owner: String = "A", closing: Closing, key: String? = nil
    ) -> JournalAnswer {
        var open = OpenRequest(id, owner: owner, account: account(of: id), sendLimit: 10)
        (open.run, open.closing, open.key, open.transit) = (run, closing, key, 20)
        return write(.request(open))
    }

    @discardableResult
    mutating func finish(
        _ id: AttemptID, _ ending: Attempt.Request.Ending, _ verdict: Verdict?, names: [String] = [],
        owner: String = "A", run: Int = 1, request: Int? = nil
    ) -> JournalAnswer {
        var finish = Finish(id, owner: owner, account: account(of: id))
        finish.run = run
        finish.closing = Closing(request ?? at(id).requests.count, ending, names: names)
        finish.take(verdict)
        return write(.finish(finish))
    }

    mutating func sale(
        _ id: AttemptID, _ reference: String, name: String?, amount: Int64 = 10, scope: String = "", part: String = "",
        holdsFor: Int64? = nil, offline: Bool = false
    ) {
        open(Intent(id, .sale, Money(amount), reference: reference, part: part, holdsFor: holdsFor, scope: scope))
        guard let name else { return _ = finish(id, .lost, nil) }
        var approval = Approval(Money(amount), ["id": name])
        approval.isOffline = offline
        finish(id, .answered, .approved(approval), names: [name])
    }

    @discardableResult
    mutating func absence(_ id: AttemptID, byTerminal: Bool = false) -> JournalAnswer {
        now += 100
        return write(
            .report(
                id,
                .lookup(
                    .notFound(seesBack: nil), basis(id, byTerminal: byTerminal), LookupTerms(quietPeriod: 20), names: []
                )))
    }

    @discardableResult
    mutating func found(
        _ id: AttemptID, _ verdict: Verdict, names: [String] = [], byName: Bool = false, byTerminal: Bool = false
    ) -> JournalAnswer {
        let basis = basis(id, byName: byName, byTerminal: byTerminal)
        return write(.report(id, .lookup(.found(verdict), basis, LookupTerms(quietPeriod: 20), names: names)))
    }

    @discardableResult
    mutating func person(_ id: AttemptID, _ resolution: ManualResolution, quiet: Int64? = 20) -> JournalAnswer {
        write(.report(id, .person(resolution, basis(id), quietPeriod: quiet, by: "Ann", reason: "seen")))
    }

    @discardableResult
    mutating func hook(
        _ id: String, _ subject: Notice.Subject, _ operations: Set<Operation>, _ verdict: Verdict?,
        names: [String] = [],
        original: String? = nil, account: Account? = nil, at time: Int64? = nil
    ) -> JournalAnswer {
        write(
            .notice(Notice(id, account ?? a, subject, operations, verdict, at: time, names: names, original: original)))
    }

    /// What an asker knows, with this boot's mark left before the question.
    mutating func basis(_ id: AttemptID, byName: Bool = false, byTerminal: Bool = false) -> Finding.Basis {
        store.look(at: id, instant)
        let attempt = at(id)
        var basis = Finding.Basis(attempt, known: store.entry(attempt.intent.paymentID), account: a, askedAt: instant)
        (basis.isByName, basis.isByTerminal) = (byName, byTerminal)
        return basis
    }

    // MARK: - Looking

    mutating func ought(_ what: String, _ holds: Bool) { if !holds { failures.append(what) } }
    func at(_ id: AttemptID) -> Attempt { store.attempts[id] ?? Attempt(Intent(id, .sale, Money(0))) }
    func state(_ id: AttemptID) -> String { store.attempts[id].map { $0.state.rawValue } ?? "-" }
    func isOK(_ answer: JournalAnswer) -> Bool { if case .written = answer { true } else { false } }
    func isRefused(_ answer: JournalAnswer) -> Bool { if case .refused = answer { true } else { false } }
    func isHint(_ answer: JournalAnswer) -> Bool { if case .hint = answer { true } else { false } }
    func record(_ id: PaymentID) -> PaymentRecord { PaymentRecord(store.payment(id)?.attempts ?? []) }
    func amounts(_ id: PaymentID) -> Sums { Sums(record(id)) }
    private func account(of id: AttemptID) -> Account { at(id).newest?.account ?? a }

    /// The provider's own movements.
    var own: [Attempt] { store.all.filter(\.isByProvider) }
    var one: Attempt { own.first ?? Attempt(Intent("none", .sale, Money(0))) }
    static func movement(_ name: String, _ operation: Operation = .refund) -> AttemptID {
        .movement(Account("acme"), operation, name) ?? "none"
    }
}

extension InMemoryStore {
    /// Whether a message owes a lookup of an attempt.
    func owesLookup(_ id: AttemptID) -> Bool { owedLookups.contains(id) }

    /// The number of a payment's last entry.
    func entry(_ id: PaymentID) -> Int { payment(id)?.entry ?? 0 }

    /// Payments under one reference and part that are active at once.
    func activeTwice(at now: Attempt.Instant) -> [[PaymentID]] {
        let origins = all.filter(\.intent.isOrigin).map(\.intent.paymentID)
        let rows = origins.compactMap { PaymentRecord(payment($0)?.attempts ?? []).referenceRow }
            .filter { $0.blocks(at: now) }
        return rows.reduce(into: []) { found, row in
            let active = rows.filter { $0.reference == row.reference && $0.excludes(row.part) }.map(\.payment)
            if active.count > 1, !found.contains(active) { found.append(active) }
        }
    }
}

/// The sums of a payment in minor units.
struct Sums: Equatable {
    var authorized: Int64 = 0, captured: Int64 = 0, refunded: Int64 = 0, capturing: Int64 = 0, refunding: Int64 = 0
    var refundable: Int64 = 0, capturable: Int64 = 0
    var isReleased = false

    init(_ record: PaymentRecord, at account: Account? = nil) {
        guard let origin = record.origin else { return }
        let totals = PaymentTotals(record.attempts, currency: origin.intent.amount.currency, at: account)
        authorized = totals.amounts.authorized.minorUnits
        captured = totals.amounts.isVoided ? 0 : totals.amounts.captured.minorUnits
        refunded = totals.amounts.refunded.minorUnits
        (capturing, refunding) = (totals.capturing.minorUnits, totals.refunding.minorUnits)
        (refundable, capturable) = (totals.refundable.minorUnits, totals.capturable.minorUnits)
        isReleased = totals.isReleased
    }
}

/// One case with its name.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let name: String
    let body: @Sendable (inout RuleLab) -> Void
    init(_ name: String, _ body: @escaping @Sendable (inout RuleLab) -> Void) { (self.name, self.body) = (name, body) }
    var testDescription: String { name }

    /// What does not hold.
    var failures: [String] {
        var lab = RuleLab()
        body(&lab)
        return lab.failures
    }
}

func approved(_ units: Int64, _ id: String) -> Verdict { .approved(Approval(Money(units), ["id": id])) }

/// A refusal; a movement that was undone as a whole is a cancellation.
func declined(_ id: String, _ reason: Decline.Reason = .refused) -> Verdict {
    if reason == .undone {
        return .cancelled(Cancellation(cause: .provider, references: ["id": id], wasReversed: true))
    }
    return .declined(Decline(reason, ["id": id]))
}

// MARK: - Short forms

let minute: Int64 = 60_000

/// A refund of `s1`.
func refund(_ id: AttemptID, _ units: Int64, _ reference: String? = nil) -> Intent {
    Intent(id, .refund, Money(units), reference: reference, payment: "s1")
}

extension Attempt.Instant {
    init(_ wall: Int64, uptime: Int64? = nil, boot: String = "boot") {
        self.init(wall: wall, uptime: uptime ?? wall, boot: boot)
    }
}

extension Money {
    init(_ units: Int64, _ currency: Currency = .eur) { self.init(minorUnits: units, currency) }
}

extension ProviderIdentity {
    init(_ name: String) { self.init(ProviderID(rawValue: name), adapter: name, environment: "test", merchant: "m-1") }
}

extension AttemptID: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        do { try self.init(value) } catch { preconditionFailure("\(value) is no attempt id") }
    }
    init(_ number: Int, _ prefix: String) { self.init(stringLiteral: "\(prefix)\(number)") }

    /// An id that the library drew in a generation of the journal.
    static func drawn(_ generation: UInt64, _ number: Int) -> AttemptID {
        AttemptID(generation: JournalGeneration(generation), now: Int64(number) * 1_000, random: NoRandom())
    }
}

extension PaymentID: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(AttemptID(stringLiteral: value)) }
}

extension Pending: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(references: Dictionary(elements) { _, last in last }, shouldPoll: false)
    }
}

extension Approval {
    init(_ amount: Money, _ references: PaymentReferences) { self.init(amount, references: references) }
}

extension Decline.Reason {
    static let refused = Decline.Reason.doNotHonor
    static let excess = Decline.Reason(rawValue: "excess")
    static let undone = Decline.Reason(rawValue: "undone")
}

extension Decline {
    init(_ reason: Decline.Reason, _ references: PaymentReferences = [:]) {
        self.init(reason, provider: ProviderMessage(code: reason.rawValue), references: references)
    }
}

extension Finish {
    /// Takes a reply's verdict; *exceeds* is an error that a copy of an executed request gets as well.
    mutating func take(_ verdict: Verdict?) {
        if case .declined(let decline)? = verdict, decline.reason == .excess { copyRefusal = .nothingLeft }
        self.verdict = verdict
    }
}

extension String {
    /// A short digest, to tell contents apart.
    var digest: String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(sum, radix: 16)
    }
}

extension Finding {
    static func imported(
        _ verdict: Verdict, _ begin: Begin, names: [String], saidAt: Int64, paidAt: Int64? = nil,
        _ terms: LookupTerms = LookupTerms(quietPeriod: nil)
    ) -> Finding {
        var movement = ImportedMovement(begin, verdict, saidAt: saidAt)
        (movement.names, movement.paidAt, movement.terms) = (names, paidAt, terms)
        return .imported(movement)
    }

    static func person(
        _ resolution: ManualResolution, _ basis: Basis, quietPeriod: Int64?, reason: String
    ) -> Finding { .person(resolution, basis, quietPeriod: quietPeriod, by: "Ann", reason: reason) }
}

extension OpenRequest {
    init(_ id: AttemptID, owner: String) { self.init(id, owner: owner, account: Account("acme"), sendLimit: nil) }
}

extension Finish {
    init(_ id: AttemptID, owner: String) { self.init(id, owner: owner, account: Account("acme")) }
}

private struct NoRandom: RandomSource {
    func next() -> UInt64 { 0 }
}
