public import PaymentBase
internal import PaymentTransport

/// The provider's own record of money: every movement twice, once where it leaves and once where it arrives.
public struct Ledger: Hashable, Sendable {
    /// Where money can be.
    public enum Account: String, Hashable, Sendable, CaseIterable {
        /// With the cardholder.
        case cardholder
        /// Set aside for the merchant, still the cardholder's.
        case held
        /// With the merchant.
        case merchant
        /// Refunded to the cardholder.
        case refunded
        /// The merchant's own, brought from elsewhere to give to cardholders.
        case funds
    }

    /// One movement with its cause.
    public struct Movement: Hashable, Sendable {
        /// Its place in the book.
        public let number: Int
        /// When, in milliseconds since 1970.
        public let at: Int64
        /// The account that it left.
        public let from: Account
        /// The account that it went to.
        public let to: Account
        /// How much.
        public let amount: LedgerAmount
        /// The payment that it belongs to, as the provider calls it.
        public let payment: String
        /// The reference that the request carried; empty where it carried none.
        public let attempt: String
        /// What caused it: `sale`, `capture` and so on.
        public let cause: String
        /// How the request had it that the card came: `card`, `reader`, `saved` and so on; empty where it isn't noted.
        public let entry: String
    }

    /// Every movement, in order.
    public private(set) var movements: [Movement] = []
    /// What lies where, kept with each movement, so that the check after each request costs little.
    private var sums: [Account: [String: Int64]] = [:]
    /// Accounts and currencies that are wrong by now; looked at only where something moved.
    private var wrong: Set<String> = []
    /// The places of movements by the reference that their request carried.
    private var placesByAttempt: [String: [Int]] = [:]
    /// The places of movements by their payment.
    private var placesByPayment: [String: [Int]] = [:]

    /// Makes an empty ledger.
    public init() {}

    /// Moves money; nothing else changes a ledger.
    ///
    /// - Parameter entry: How the request had it that the card came, as the suite names sources: `card` for a typed
    ///   one, `reader`, `saved`, `token`, `wallet`, `external`, `bank`.
    public mutating func move(
        _ amount: LedgerAmount, from: Account, to: Account, payment: String, attempt: String, cause: String,
        entry: String = "", at instant: Int64
    ) {
        precondition(amount.minorUnits >= 0 && from != to, "a movement goes from one place to another")
        if amount.minorUnits == 0 { return }
        sums[to, default: [:]][amount.currency, default: 0].put(amount)
        sums[from, default: [:]][amount.currency, default: 0].take(amount)
        placesByAttempt[attempt, default: []].append(movements.count)
        placesByPayment[payment, default: []].append(movements.count)
        movements.append(
            Movement(
                number: movements.count + 1, at: instant, from: from, to: to, amount: amount, payment: payment,
                attempt: attempt, cause: cause, entry: entry))
        check([from, to], amount.currency)
    }

    /// Checks the moved money: no merchant has less than nothing, and all accounts together hold nothing.
    private mutating func check(_ accounts: [Account], _ currency: String) {
        for account in accounts where account != .cardholder && account != .funds {
            note("\(account.rawValue) \(currency)", isWrong: sums[account]?[currency, default: 0] ?? 0 < 0)
        }
        let total = Account.allCases.reduce(Int64(0)) { total, account in
            total.addingReportingOverflow(sums[account]?[currency] ?? 0).partialValue
        }
        note("all \(currency)", isWrong: total != 0)
    }

    private mutating func note(_ place: String, isWrong: Bool) {
        StoreVisits.count()
        if isWrong { wrong.insert(place) } else if !wrong.isEmpty { wrong.remove(place) }
    }

    /// What lies in an account, per currency; where money comes from, it is below zero.
    public func balance(_ account: Account, payment: String? = nil) -> [String: Int64] {
        guard let payment else { return sums[account] ?? [:] }
        var sums: [String: Int64] = [:]
        for movement in found(placesByPayment[payment]) {
            if movement.to == account { sums[movement.amount.currency, default: 0].put(movement.amount) }
            if movement.from == account { sums[movement.amount.currency, default: 0].take(movement.amount) }
        }
        return sums
    }

    /// Whether all accounts together hold nothing, in every currency, and no merchant has less than nothing.
    public var isBalanced: Bool { wrong.isEmpty }

    /// What was moved under one reference, without what was only let go.
    public func movements(attempt: String) -> [Movement] {
        found(placesByAttempt[attempt]).filter { $0.cause != "release" }
    }

    private func found(_ places: [Int]?) -> [Movement] {
        StoreVisits.count(places?.count ?? 0)
        return (places ?? []).map { movements[$0] }
    }

    /// The state of the books, without a copy of them.
    public var standing: Summary { Summary(movements.count, movements.last, isBalanced: isBalanced) }

    /// How many movements there are, which came last, and whether the books balance.
    public struct Summary: Hashable, Sendable {
        /// How many movements there are.
        public let movementCount: Int
        /// The latest movement; nil in empty books.
        public let latest: Movement?
        /// Whether the books balance.
        public let isBalanced: Bool

        init(_ movementCount: Int, _ latest: Movement?, isBalanced: Bool) {
            (self.movementCount, self.latest, self.isBalanced) = (movementCount, latest, isBalanced)
        }
    }
}

extension Int64 {
    /// Puts an amount into an account. A sum that no number holds stays at the end of the numbers, and the books are wrong
    /// from then on; the provider lives.
    fileprivate mutating func put(_ amount: LedgerAmount) {
        let (sum, isOverflow) = addingReportingOverflow(amount.minorUnits)
        self = isOverflow ? .max : sum
    }

    /// Takes an amount out of an account, in the same way.
    fileprivate mutating func take(_ amount: LedgerAmount) {
        let (rest, isOverflow) = subtractingReportingOverflow(amount.minorUnits)
        self = isOverflow ? .min : rest
    }
}

/// An amount in a ledger: minor units and a currency's code.
public struct LedgerAmount: Hashable, Sendable {
    /// The most that one request may name: the twelve digits that messages between banks have room for. What simulated
    /// providers add up stays far from where numbers end.
    static let unitsMax: Int64 = 999_999_999_999

    /// The amount in the currency's smallest unit.
    public let minorUnits: Int64
    /// The currency's code.
    public let currency: String

    /// Makes an amount.
    public init(_ minorUnits: Int64, _ currency: String) { (self.minorUnits, self.currency) = (minorUnits, currency) }
}

extension Ledger {
    /// Every movement, as the control address shows them and as a state file keeps them.
    public var json: JSON {
        .array(
            movements.map { movement in
                let json: JSON = [
                    "number": .whole(movement.number), "at": .whole(movement.at),
                    "from": .string(movement.from.rawValue), "to": .string(movement.to.rawValue),
                    "minorUnits": .whole(movement.amount.minorUnits),
                    "currency": .string(movement.amount.currency), "payment": .string(movement.payment),
                    "attempt": .string(movement.attempt), "cause": .string(movement.cause),
                ]
                return movement.entry.isEmpty ? json : json.adding("entry", .string(movement.entry))
            })
    }

    /// What lies where, by account and currency.
    public var balancesJSON: JSON {
        var accounts = JSONObject()
        for account in Account.allCases {
            var sums = JSONObject()
            for (currency, sum) in balance(account).sorted(by: { $0.key < $1.key }) {
                sums[currency] = .whole(sum)
            }
            accounts[account.rawValue] = .object(sums)
        }
        return .object(accounts)
    }

    /// Makes a ledger of what ``json`` gave; nil when it is anything else.
    public init?(_ json: JSON) {
        guard let items = json.array else { return nil }
        self.init()
        for item in items {
            guard let from = item["from"]?.string.flatMap({ Account(rawValue: $0) }),
                let to = item["to"]?.string.flatMap({ Account(rawValue: $0) }), from != to,
                let units = item["minorUnits"]?.int64, units > 0, let currency = item["currency"]?.string,
                let payment = item["payment"]?.string, let attempt = item["attempt"]?.string,
                let cause = item["cause"]?.string, let instant = item["at"]?.int64
            else { return nil }
            move(
                LedgerAmount(units, currency), from: from, to: to, payment: payment, attempt: attempt, cause: cause,
                entry: item["entry"]?.string ?? "", at: instant)
        }
    }
}

extension Ledger: PersistedState {
    var kept: JSON { json }
    init?(kept json: JSON) { self.init(json) }
}

/// Looks at a provider's books after each request, and remembers the first time that they were wrong.
final class LedgerAudit: Sendable {
    private struct State {
        var checkedCount = 0
        var problem: String?
    }

    private let state = Locked(State())

    /// What was wrong, if anything ever was.
    var problem: String? { state.withLock { $0.problem } }

    /// Forgets what was wrong.
    func reset() { state.withLock { $0 = State() } }

    /// Checks the books if they changed; the loud answer when they don't balance.
    func check(_ provider: any SimulatedProvider) -> HTTPResponse? {
        let standing = provider.standing
        let isChanged = state.withLock { state in
            defer { state.checkedCount = standing.movementCount }
            return state.checkedCount != standing.movementCount || state.problem != nil
        }
        guard isChanged, !standing.isBalanced else { return nil }
        let movement = standing.latest
        let problem = "after movement \(movement?.number ?? 0) (\(movement?.cause ?? "none")) of \(provider.name)"
        state.withLock { $0.problem = $0.problem ?? problem }
        var response = HTTPResponse.json(
            ["error": ["code": "ledgerImbalance", "message": .string("THE BOOKS DON'T BALANCE \(problem)")]],
            status: 500)
        response.headers[FaultInjector.imbalanceHeader] = "unbalanced"
        return response
    }
}

/// The amounts of one payment at a simulated provider, with every movement on its ledger.
struct SimulatedPayment: Hashable, Sendable {
    /// What the ledger calls the payment.
    var name = ""
    /// The currency's code.
    var currency = ""
    /// What is set aside for the merchant.
    var held: Int64 = 0
    /// What the merchant got.
    var captured: Int64 = 0
    /// What of it was refunded.
    var refunded: Int64 = 0

    /// What can still be refunded.
    var refundable: Int64 { captured - refunded }

    /// Who moves money, why and when, as the ledger has it.
    struct Reason: Hashable, Sendable {
        let cause: String
        let attempt: String
        let at: Int64
        let entry: String

        init(_ cause: String, by attempt: String, entry: String = "", at instant: Int64) {
            (self.cause, self.attempt, self.entry, at) = (cause, attempt, entry, instant)
        }
    }

    /// Moves money and keeps the amounts; nothing else changes them.
    mutating func move(
        _ units: Int64, from: Ledger.Account, to: Ledger.Account, _ reason: Reason, _ ledger: inout Ledger
    ) {
        switch (from, to) {
        case (.merchant, .refunded), (.funds, .refunded): refunded += units
        case (.refunded, _): refunded -= units
        case (.held, _): held -= units
        case (.merchant, _): captured -= units
        case (.cardholder, _), (.funds, _): break
        }
        switch (from, to) {
        case (.cardholder, .merchant), (.held, .merchant), (.funds, .merchant): captured += units
        case (_, .held): held += units
        case (_, .merchant), (_, .refunded), (_, .cardholder), (_, .funds): break
        }
        book(units, from, to, reason, &ledger)
    }

    private func book(
        _ units: Int64, _ from: Ledger.Account, _ to: Ledger.Account, _ reason: Reason, _ ledger: inout Ledger
    ) {
        ledger.move(
            LedgerAmount(units, currency), from: from, to: to, payment: name, attempt: reason.attempt,
            cause: reason.cause, entry: reason.entry, at: reason.at)
    }

    /// Takes money from the cardholder, or sets it aside.
    mutating func charge(_ units: Int64, holds: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        move(units, from: .cardholder, to: holds ? .held : .merchant, reason, &ledger)
    }

    /// Gives the merchant what was set aside, or a part of it.
    mutating func capture(_ units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        move(units, from: .held, to: .merchant, reason, &ledger)
    }

    /// Lets go what is still set aside, under no name.
    mutating func release(at instant: Int64, _ ledger: inout Ledger) {
        move(held, from: .held, to: .cardholder, Reason("release", by: "", at: instant), &ledger)
    }

    /// Refunds to the cardholder what the merchant got.
    mutating func refund(_ units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        refund(units, isReversal: false, reason, &ledger)
    }

    /// Refunds what the merchant got: as a refund, or before the clearing as a reversal of the charge.
    mutating func refund(_ units: Int64, isReversal: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        refunded += units
        book(units, .merchant, isReversal ? .cardholder : .refunded, reason, &ledger)
    }

    /// Takes back what was refunded.
    mutating func takeBack(_ units: Int64, isReversal: Bool, _ reason: Reason, _ ledger: inout Ledger) {
        refunded -= units
        book(units, isReversal ? .cardholder : .refunded, .merchant, reason, &ledger)
    }

    /// Undoes everything that is held or captured.
    mutating func void(_ reason: Reason, _ ledger: inout Ledger) {
        move(held, from: .held, to: .cardholder, reason, &ledger)
        move(captured, from: .merchant, to: .cardholder, reason, &ledger)
    }

    /// Makes what is held more or less.
    mutating func adjust(to units: Int64, _ reason: Reason, _ ledger: inout Ledger) {
        let more = units - held
        if more >= 0 {
            move(more, from: .cardholder, to: .held, reason, &ledger)
        } else {
            move(-more, from: .held, to: .cardholder, reason, &ledger)
        }
    }
}
