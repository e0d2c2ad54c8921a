import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport

@testable import PaymentCLI

/// A shop's month at the simulated provider, with accidents on some of its sales.
final class ReconciledMonth: Sendable {
    /// What happens to one sale.
    enum Accident: Sendable {
        case none, replyLost, requestLost, elsewhere
        /// The till's clock is half a day fast, and the reply is lost.
        case clockAhead
    }

    /// January 2026: where the test's clock begins.
    static let days: ReconciledDays = {
        guard let first = CalendarDate(iso: "2026-01-01"), let last = CalendarDate(iso: "2026-01-31"),
            let days = try? ReconciledDays(first, last)
        else { fatalError("January is a month") }
        return days
    }()

    let till: Till
    let client: PaymentClient
    private let other: PaymentClient
    private let accident = Locked(Accident.none)
    private let clock: TillClock

    init() throws {
        let till = Till()
        self.till = till
        let accident = accident
        let line = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            // The access is got as ever: what is lost is about money.
            guard request.path != "/token" else { return try await next(request) }
            switch accident.withLock({ $0 }) {
            case .none, .elsewhere: return try await next(request)
            case .replyLost, .clockAhead:
                if request.method == "POST" { _ = try await next(request) }
                throw .maybeSent(.connectionReset)
            case .requestLost: throw .maybeSent(.connectionReset)
            }
        }
        let clock = TillClock(stage: till.scheduler)
        self.clock = clock
        var given = till.dependencies
        given.clock = clock
        client = try PaymentClient(till.driver(line), given)
        var elsewhere = till
        elsewhere.journal = InMemoryJournal()
        other = try elsewhere.client()
    }

    /// Sells so often, spread evenly over the month; each hundredth is refunded in part, each fiftieth declined.
    func sell(_ count: Int, _ accidents: [Int: Accident] = [:]) throws {
        let (till, client, other, accident, clock) = (till, client, other, accident, clock)
        let pause = (Self.days.end - Self.days.start) / Int64(count) - 1
        try till.play {
            try await client.session?.open()
            for number in 0..<count {
                try await till.scheduler.sleep(
                    until: max(till.scheduler.now, Self.days.start + Int64(number) * (pause + 1)))
                let chance = accidents[number] ?? .none
                // Whole euros: to the simulated provider some cents are a cue.
                let cents = 100 * (chance == .elsewhere ? 7_770 + number % 50 : 50 + number % 500)
                let amount = Money.cents(Int64(cents))
                let source = number % 50 == 49 ? try Cards.declined() : try Cards.good()
                accident.withLock { $0 = chance }
                clock.isAhead = chance == .clockAhead
                let seller = chance == .elsewhere ? other : client
                let result = try? await seller.sale(
                    amount, from: source, reference: "order-\(number)", attempt: AttemptID("sale-\(number)"))
                accident.withLock { $0 = .none }
                clock.isAhead = false
                if number % 100 == 7, let payment = result?.payment {
                    _ = try await client.refund(payment.id, of: .cents(300), attempt: AttemptID("back-\(number)"))
                }
            }
        }
    }

    /// The provider's own list, as the driver reads it.
    func listed() throws -> Statement {
        try till.play { [client] in
            let view = try client.provider(ProviderID(rawValue: "memory"))
            return try await Statement.listed(by: view, Self.days) { _ in }
        }
    }

    func reconciled(_ statement: Statement, transit: Int64 = 0) throws -> Reconciliation {
        try till.play { [till, client] in
            let view = try client.provider(ProviderID(rawValue: "memory"))
            let attempts = try await CommandSession.everyAttempt(of: till.journal)
            var vain: Set<AttemptID> = []
            for attempt in attempts where attempt.isInDoubt {
                let steps = try await client.timeline(of: attempt.intent.paymentID)
                if steps.contains(where: { $0.kind == .cannotTell && $0.attempt == attempt.intent.attempt }) {
                    vain.insert(attempt.intent.attempt)
                }
            }
            return Reconciliation(
                try OwnBooks(attempts, view.identity, lookedUpInVain: vain), statement, Self.days, transit: transit)
        }
    }

    func concluded(by reconciliation: Reconciliation) throws -> [StatementEvidence.Conclusion] {
        try till.play { [till] in
            try await StatementEvidence(reconciliation, till.journal, till.scheduler).conclude()
        }
    }

    /// As if the provider had been asked about a sale once more, and had answered without telling.
    func noteLook(_ number: Int) throws {
        try till.play { [till, client] in
            guard let record = try await client.attempt(AttemptID("sale-\(number)")) else { return }
            let payment = record.intent.paymentID
            let step = PaymentEvent(
                .cannotTell, at: till.scheduler.now, payment: payment, attempt: record.intent.attempt)
            try await till.journal.add([step], to: payment)
        }
    }
}

/// The stage's time of day, or one that is 13 hours ahead of it.
private final class TillClock: PaymentClock {
    private let stage: TestScheduler
    private let ahead = Locked(Int64(0))

    init(stage: TestScheduler) { self.stage = stage }

    var isAhead: Bool {
        get { ahead.withLock { $0 != 0 } }
        set { ahead.withLock { $0 = newValue ? 13 * 3_600_000 : 0 } }
    }

    var now: Int64 { stage.now + ahead.withLock { $0 } }
    var uptime: Int64 { stage.now }
    func sleep(until instant: Int64) async throws { try await stage.sleep(until: instant - ahead.withLock { $0 }) }
}

extension Statement {
    /// Adds a listing like another one, with a row of its own.
    mutating func add(_ listing: Listing, at place: String) {
        var listing = listing
        listing.rows = [add(place, listing.amount)]
        listings.append(listing)
    }

    /// The same without some listings and their rows.
    func without(as other: Kind? = nil, _ isLeftOut: (Listing) -> Bool) -> Statement {
        var less = Statement(other ?? kind, title, lists: lists)
        less.hasRefundTotals = hasRefundTotals
        for listing in listings where !isLeftOut(listing) {
            var kept = listing
            kept.rows = listing.rows.map { less.add(rows[$0].place, rows[$0].amount) }
            less.listings.append(kept)
        }
        return less
    }

    /// The listings of payments.
    var payments: [Listing] { listings.filter { $0.subject == .payment } }
}

extension Reconciliation {
    /// What is not matched.
    var differences: [ReconciledItem] { items.filter(\.isOpen) }
}
