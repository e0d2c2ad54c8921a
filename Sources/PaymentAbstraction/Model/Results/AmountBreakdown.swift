/// What an amount is made of; rates are kept as the exact text that the provider gave.
public struct AmountBreakdown: Hashable, Sendable {
    /// Before anything was added or taken off.
    public var base: Money
    /// Taken off as a percentage.
    public var discount: Money?
    /// Taken off for paying in cash.
    public var cashDiscount: Money?
    /// Added for paying by credit card.
    public var surcharge: Money?
    /// Added by the customer.
    public var tip: Money?
    /// Tax.
    public var tax: Money?
    /// What is charged.
    public var total: Money
    /// The rates behind the parts, by the name of the part, in percent.
    public var rates: [String: String] = [:]

    /// Makes a breakdown of a base and a total.
    public init(base: Money, total: Money) { (self.base, self.total) = (base, total) }
}
