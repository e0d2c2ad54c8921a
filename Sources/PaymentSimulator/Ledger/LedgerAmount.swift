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
