/// How the simulated merchant is set up at ARISE: prices, permissions, processor, settlement.
public struct ARISEAccount: Sendable {
    /// How the costs of card payments are passed on; the raw value is the number on the wire.
    public enum ZeroCost: Int64, Hashable, Sendable, CaseIterable {
        /// Every tender costs the same.
        case noZeroCost = 1
        /// Cash costs less.
        case cashDiscount
        /// Cards have a price of their own.
        case dualPricing
        /// Credit cards cost more.
        case surcharge
    }

    /// What prices are made of.
    public var zeroCost = ZeroCost.cashDiscount
    /// The rates in percent, as text.
    public var surchargeRate = "3.5"
    /// What cash costs less, in percent.
    public var cashDiscountRate = "4"
    /// What cards cost more, in percent.
    public var dualPricingRate = "3"
    /// What the access allows, by the numbers of the wire.
    public var permissions = Set<Int64>(0...36)
    /// Whether a device that asks for a reader token is taken for an activated one.
    public var trustsNewDevices = true
    /// When a batch closes, by the clock of a zone.
    public var settlesAt = ARISEZone.Slot(hours: 22, minutes: 0, zone: "America/New_York")
    /// The largest amount, in cents.
    public var amountMax: Int64 = 99_999_999_999
    /// Whether answers carry the request's reference as the order number.
    public var echoesReference = true
    /// Whether the settings name the merchant as Tap to Pay needs it.
    public var hasTapProfile = true

    /// Sets up the usual merchant.
    public init() {}
}
