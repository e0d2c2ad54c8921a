/// A price per tender, computed by a provider or by its exact local preview.
public struct Quote: Hashable, Sendable {
    /// Who computed it; a sale on a quote goes there.
    public let provider: ProviderID
    /// What is charged, per tender, with all its parts.
    public let tenders: [Tender: Quote.Breakdown]
    /// What the computation left out or changed, in words.
    public var notes: [String] = []
    /// What the provider calls the quote, if anything.
    public var references: PaymentReferences = [:]
    /// What the price was asked for; nil where the adapter does not keep it.
    public var request: QuoteRequest?

    /// Makes a quote.
    public init(_ provider: ProviderID, _ tenders: [Tender: Quote.Breakdown]) {
        (self.provider, self.tenders) = (provider, tenders)
    }
}

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

extension Quote {
    /// A quote with the tender that the customer chose.
    public struct Choice: Hashable, Sendable {
        /// The price.
        public let quote: Quote
        /// What the customer pays with.
        public let tender: Tender
    }
}

/// What a customer pays with, where the price depends on it.
public enum Tender: String, Hashable, Sendable, CaseIterable {
    /// Cash.
    case cash
    /// A bank account.
    case bankAccount
    /// A debit card.
    case debit
    /// A credit card.
    case credit
}

extension Quote {
    /// What an amount is made of; rates are kept as the exact text that the provider gave.
    public struct Breakdown: Hashable, Sendable {
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
}
