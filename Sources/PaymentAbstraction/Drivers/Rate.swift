/// An exact rate, such as a surcharge or a tip; says at its making whether the text is a percentage or a fraction.
///
/// ```swift
/// let surcharge = try Rate(percent: "3.5")                 // equals Rate(fraction: "0.035")
/// let fee = try surcharge.share(of: price)
/// ```
public struct Rate: Hashable, Sendable {
    /// The digits of the fraction, without closing zeros.
    private let coefficient: UInt64
    /// How many of them stand after the full stop.
    private let scale: Int

    /// The most decimals that a rate has as a fraction.
    public static let decimalsMax = 12
    /// The largest rate as a fraction; 1,000 is 100,000 per cent.
    public static let fractionMax = 1_000

    /// No rate at all.
    public static let zero = Rate(coefficient: 0, scale: 0)

    /// Reads a percentage: `3.5` is 35 thousandths.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the text and what was expected.
    public init(percent text: String) throws(PaymentError) { try self.init(text, "percentage", scale: 2) }

    /// Reads a fraction: `0.035` is 35 thousandths.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the text and what was expected.
    public init(fraction text: String) throws(PaymentError) { try self.init(text, "fraction", scale: 0) }

    /// Whether it is no rate at all.
    public var isZero: Bool { coefficient == 0 }
    /// Whether it is more than the whole.
    package var isAboveOne: Bool { coefficient > one }
    /// The rate as a percentage, such as `3.5`.
    public var percentText: String { text(scale - 2) }
    /// The rate as a fraction, such as `0.035`.
    public var fractionText: String { text(scale) }

    /// The rate's share of an amount: `amount × rate`, rounded once.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the result is out of range.
    public func share(of money: Money) throws(PaymentError) -> Money {
        try Rounding.halfAwayFromZero(money, times: coefficient, over: one)
    }

    /// The amount with its share on top: `amount × (1 + rate)`, rounded once.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the result is out of range.
    public func markedUp(_ money: Money) throws(PaymentError) -> Money {
        try Rounding.halfAwayFromZero(money, times: one + coefficient, over: one)
    }

    /// The amount of which the given one is the marked-up form: `amount / (1 + rate)`, rounded once.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the result is out of range.
    public func withoutMarkUp(_ money: Money) throws(PaymentError) -> Money {
        try Rounding.halfAwayFromZero(money, times: one, over: one + coefficient)
    }

    /// One, in the coefficient's units; with the limits above, `one + coefficient` always fits.
    private var one: UInt64 { PowerOfTen.value(scale) ?? 1 }

    private init(coefficient: UInt64, scale: Int) { (self.coefficient, self.scale) = (coefficient, scale) }

    private init(_ text: String, _ kind: String, scale shift: Int) throws(PaymentError) {
        let decimal: ExactDecimal
        do {
            decimal = try ExactDecimal(text, .plain)
        } catch {
            throw Self.refusal(text, kind, error.advice)
        }
        guard !text.utf8.starts(with: "-".utf8) else {
            throw Self.refusal(text, kind, "a rate has no sign; subtract its share")
        }
        let power = decimal.exponent - (decimal.coefficient == 0 ? 0 : shift)
        guard power >= -Self.decimalsMax else {
            throw Self.refusal(text, kind, "as a fraction it has \(-power) decimals, the most is \(Self.decimalsMax)")
        }
        let scale = max(0, -power)
        guard let coefficient = Self.coefficient(decimal, power: max(0, power)), let one = PowerOfTen.value(scale),
            coefficient <= UInt64(Self.fractionMax) * one
        else {
            throw Self.refusal(text, kind, "it is more than \(Self.fractionMax) times the amount")
        }
        self.init(coefficient: coefficient, scale: scale)
    }

    private static func coefficient(_ decimal: ExactDecimal, power: Int) -> UInt64? {
        guard let digits = decimal.coefficient, let factor = PowerOfTen.value(power) else { return nil }
        let (coefficient, overflow) = digits.multipliedReportingOverflow(by: factor)
        return overflow ? nil : coefficient
    }

    private func text(_ places: Int) -> String {
        guard places > 0 else { return String(coefficient) + String(repeating: "0", count: isZero ? 0 : -places) }
        let digits = String(coefficient)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        return padded.dropLast(places) + "." + padded.suffix(places)
    }

    private static func refusal(_ text: String, _ kind: String, _ advice: String) -> PaymentError {
        Money.invalid("\(QuotedInput(text)) is no rate as a \(kind): \(advice)")
    }
}

extension Rate: CustomStringConvertible {
    /// The percentage, such as `3.5%`.
    public var description: String { percentText + "%" }
}

/// The one place where an amount is rounded.
public enum Rounding {
    /// An amount times a fraction, rounded to whole minor units; a half goes away from zero.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the divisor is zero or the result is out of range.
    public static func halfAwayFromZero(
        _ money: Money, times factor: UInt64, over divisor: UInt64
    ) throws(PaymentError) -> Money {
        guard divisor != 0 else { throw Money.invalid("\(money) can't be divided by zero") }
        let product = money.minorUnits.magnitude.multipliedFullWidth(by: factor)
        guard product.high < divisor else { throw outOfRange(money, factor, divisor) }
        let (whole, left) = divisor.dividingFullWidth(product)
        let (magnitude, overflow) = whole.addingReportingOverflow(left >= divisor - left ? 1 : 0)
        guard !overflow, let units = Int64(magnitude: magnitude, isNegative: money.isNegative) else {
            throw outOfRange(money, factor, divisor)
        }
        return Money(minorUnits: units, money.currency)
    }

    private static func outOfRange(_ money: Money, _ factor: UInt64, _ divisor: UInt64) -> PaymentError {
        Money.invalid("\(money) × \(factor) / \(divisor) is out of range")
    }
}
