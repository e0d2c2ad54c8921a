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
