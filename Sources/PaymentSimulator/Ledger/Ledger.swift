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
        /// Given back to the cardholder.
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

    /// Looks whether what moved is right: no merchant has less than nothing, and all accounts together hold nothing.
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

    /// How the books stand, without a copy of them.
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
