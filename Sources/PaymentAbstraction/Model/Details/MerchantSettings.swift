/// What a provider has on record about the merchant.
public struct MerchantSettings: Hashable, Sendable {
    public var company: String?
    public var currencies: [String] = []
    public var cardTypes: [String] = []
    public var transactionTypes: [String] = []
    /// The pricing that applies: `none`, `cashDiscount`, `dualPricing`, `surcharge`.
    public var pricing: String?
    /// Rates in percent, by name, as exact text.
    public var rates: [String: String] = [:]
    public var tipsEnabled = false
    /// Tips to offer, in percent, as exact text.
    public var tipPercents: [String] = []
    /// The processors behind the provider; the first is the default.
    public var processors: [String] = []
    public var addressCheck: String?
    public var amountMax: Money?
    /// What else the provider said, by its own names.
    public var more: [String: String] = [:]

    /// Makes empty settings.
    public init() {}
}
