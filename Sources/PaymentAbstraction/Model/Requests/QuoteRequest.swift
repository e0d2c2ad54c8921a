/// What a price is asked for.
public struct QuoteRequest: Hashable, Sendable {
    /// The amount before anything is added or taken off.
    public let amount: Money
    /// The tip as an amount.
    public var tip: Money?
    /// The tip as a percentage, as exact text.
    public var tipPercent: String?
    /// What is taken off, as a percentage, as exact text.
    public var discountPercent: String?
    /// The surcharge as a percentage, as exact text, instead of the merchant's own.
    public var surchargePercent: String?
    /// Whether the amount is the price for cards, where cards and cash have different prices.
    public var isCardPrice: Bool?

    /// Asks for the price of an amount.
    public init(_ amount: Money) { self.amount = amount }
}
