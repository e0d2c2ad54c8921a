/// How many decimals a provider gives to each currency where its minor units are not those of ISO 4217.
///
/// ```swift
/// let exponents = CurrencyExponents([.idr: 0, .clp: 2])
/// try exponents.minorUnits(Money("1500", .clp))            // 150,000 there
/// try exponents.money(minorUnits: 150_000, .clp)           // 1500 CLP
/// ```
public struct CurrencyExponents: Hashable, Sendable {
    /// The differences from the standard, as given.
    public let differences: [Currency: UInt8]

    /// The standard's own exponents.
    public static let iso = CurrencyExponents([:])

    /// Makes a provider's table of what differs from the standard.
    public init(_ differences: [Currency: UInt8]) { self.differences = differences }

    /// How many decimals the provider gives to a currency.
    public func exponent(of currency: Currency) -> Int { differences[currency].map(Int.init) ?? currency.exponent }

    /// An amount in the provider's minor units.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the provider's minor unit is too large for the amount's last
    ///   digits, or the number is out of range.
    public func minorUnits(_ money: Money) throws(PaymentError) -> Int64 {
        let target = exponent(of: money.currency)
        guard let units = Self.moved(money.minorUnits, by: target - money.currency.exponent) else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "\(money) can't be sent to the provider, which gives \(money.currency) \(target) decimals: "
                    + "the amount must fit them exactly, nothing is rounded")
        }
        return units
    }

    /// The amount for a number of the provider's minor units.
    ///
    /// - Throws: `unreadableReply`, outcome unknown, when it is no whole number of the standard's minor units, or out
    ///   of range.
    public func money(minorUnits units: Int64, _ currency: Currency) throws(PaymentError) -> Money {
        let source = exponent(of: currency)
        guard let minorUnits = Self.moved(units, by: currency.exponent - source) else {
            throw PaymentError.unknown(
                .unreadableReply,
                "the provider's \(Money.decimalText(units, exponent: source)) \(currency) is no exact amount "
                    + "with \(currency.exponent) decimals, and nothing is rounded")
        }
        return Money(minorUnits: minorUnits, currency)
    }

    /// The number times ten to the power of `places`; nil unless that is exact and fits.
    private static func moved(_ units: Int64, by places: Int) -> Int64? {
        if units == 0 { return 0 }
        guard let power = PowerOfTen.value(abs(places)), let factor = Int64(exactly: power) else { return nil }
        if places >= 0 {
            let (product, overflow) = units.multipliedReportingOverflow(by: factor)
            return overflow ? nil : product
        }
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: factor)
        return remainder == 0 ? quotient : nil
    }
}
