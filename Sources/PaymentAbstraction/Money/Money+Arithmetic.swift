/// Every error here is `invalidRequest`, nothing moved: a sum that can't be made says nothing about an exchange.
extension Money {
    /// The sum of two amounts.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the currencies differ or the sum is out of range.
    public func adding(_ other: Money) throws(PaymentError) -> Money {
        try require(other, "add")
        let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        guard !overflow else { throw outOfRange("\(self) + \(other)") }
        return Money(minorUnits: sum, currency)
    }

    /// The difference of two amounts, which may be less than nothing.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the currencies differ or the difference is out of range.
    public func subtracting(_ other: Money) throws(PaymentError) -> Money {
        try require(other, "subtract")
        let (difference, overflow) = minorUnits.subtractingReportingOverflow(other.minorUnits)
        guard !overflow else { throw outOfRange("\(self) - \(other)") }
        return Money(minorUnits: difference, currency)
    }

    /// The amount so many times.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the product is out of range.
    public func multiplied(by factor: Int64) throws(PaymentError) -> Money {
        let (product, overflow) = minorUnits.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw outOfRange("\(self) × \(factor)") }
        return Money(minorUnits: product, currency)
    }

    /// Divides the amount without losing anything: the parts differ by one minor unit at most, the larger ones first.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when `parts` is not between 1 and ``partsMax``.
    public func split(into parts: Int) throws(PaymentError) -> [Money] {
        guard (1...Self.partsMax).contains(parts) else {
            throw Self.invalid("\(self) can be divided into 1 to \(Self.partsMax) parts, not \(parts)")
        }
        let (share, left) = minorUnits.quotientAndRemainder(dividingBy: Int64(parts))
        return (0..<Int64(parts)).map { part in
            Money(minorUnits: part < left.magnitude ? share + left.signum() : share, currency)
        }
    }

    /// Whether the amount is smaller than another of the same currency.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the currencies differ.
    public func isLess(than other: Money) throws(PaymentError) -> Bool {
        try require(other, "compare")
        return minorUnits < other.minorUnits
    }

    private func require(_ other: Money, _ verb: String) throws(PaymentError) {
        guard currency == other.currency else {
            throw Self.invalid(
                "can't \(verb) \(self) and \(other): the currencies differ; convert outside, with a rate of your own")
        }
    }

    private func outOfRange(_ sum: String) -> PaymentError {
        Self.invalid(
            "\(sum) is out of range: an amount lies between \(Money(minorUnits: .min, currency)) "
                + "and \(Money(minorUnits: .max, currency))")
    }

    static func invalid(_ detail: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, detail)
    }
}
