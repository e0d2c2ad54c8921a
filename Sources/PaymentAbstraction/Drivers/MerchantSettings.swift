/// What a provider has on record about the merchant.
public struct MerchantSettings: Hashable, Sendable {
    /// The merchant's company.
    public var company: String?
    /// The currencies that are taken, by code.
    public var currencies: [String] = []
    /// The schemes that are taken, in the provider's words.
    public var cardTypes: [String] = []
    /// What can be done, in the provider's words.
    public var transactionTypes: [String] = []
    /// The pricing that applies: `none`, `cashDiscount`, `dualPricing`, `surcharge`.
    public var pricing: String?
    /// Rates in percent, by name, as exact text.
    public var rates: [String: String] = [:]
    /// Whether tips are taken.
    public var tipsEnabled = false
    /// Tips to offer, in percent, as exact text.
    public var tipPercents: [String] = []
    /// The processors behind the provider; the first is the default.
    public var processors: [String] = []
    /// How strictly addresses are checked, in the provider's word.
    public var addressCheck: String?
    /// The most that one payment may come to.
    public var amountMax: Money?
    /// What else the provider said, by its own names.
    public var additional: [String: String] = [:]

    /// Makes empty settings.
    public init() {}
}

/// A device as the provider knows it.
public struct DeviceSummary: Hashable, Sendable {
    /// What the provider calls it.
    public let id: String
    /// The name that people gave it.
    public var name: String?
    /// The number of the terminal that it plays.
    public var terminalID: String?
    /// The state, in the provider's word.
    public var state: String?
    /// Whether it may take payments, where the provider says.
    public var isEnabled: Bool?
    /// Whether it is the device that asks, where that is known.
    public var isThisDevice: Bool?
    /// When it was last seen, in milliseconds since 1970.
    public var lastSeen: Int64?

    /// Makes a device.
    public init(_ id: String, name: String? = nil) { (self.id, self.name) = (id, name) }
}
