/// An exact amount: a whole number of a currency's minor units.
///
/// ```swift
/// let price = try Money("49.99", .usd)       // 4,999 cents
/// let total = try price.adding(Money(minorUnits: 500, .usd))
/// ```
///
/// Amounts of two currencies never meet: what takes two amounts refuses them. Nothing here rounds; ``Rounding`` does.
public struct Money: Hashable, Sendable {
    /// The amount in the currency's smallest unit, such as cents.
    public let minorUnits: Int64
    /// The currency.
    public let currency: Currency

    /// The most parts that an amount is divided into.
    public static let partsMax = 10_000

    /// Makes an amount of minor units: `Money(minorUnits: 4_999, .usd)` is 49.99 dollars.
    public init(minorUnits: Int64, _ currency: Currency) { (self.minorUnits, self.currency) = (minorUnits, currency) }

    /// Nothing, in a currency.
    public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency) }

    /// Whether it is nothing.
    public var isZero: Bool { minorUnits == 0 }
    /// Whether it is less than nothing.
    public var isNegative: Bool { minorUnits < 0 }

    /// The amount as text with exactly the currency's number of decimals, such as `49.90`.
    public var decimalText: String { Self.decimalText(minorUnits, exponent: currency.exponent) }

    static func decimalText(_ minorUnits: Int64, exponent: Int) -> String {
        var digits = String(minorUnits.magnitude)
        if exponent > 0 {
            let missing = exponent + 1 - digits.utf8.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -exponent))
        }
        return minorUnits < 0 ? "-" + digits : digits
    }
}

extension Money: CustomStringConvertible {
    /// Decimals and code, such as `49.99 USD`.
    public var description: String { "\(decimalText) \(currency)" }
}
