internal import PaymentBase

/// An exact amount: a whole number of a currency's minor units.
///
/// ```swift
/// let price = try Money("49.99", .usd)       // 4,999 cents
/// let total = try price.adding(Money(minorUnits: 500, .usd))
/// ```
///
/// Amounts of two currencies never meet: what takes two amounts refuses them. Nothing here rounds.
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

    package static func decimalText(_ minorUnits: Int64, exponent: Int) -> String {
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

    package static func invalid(_ detail: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, detail)
    }
}

extension Money {
    /// The largest amount that is believed of a provider, in minor units: more than any payment has, and so far from
    /// where numbers end that the sums of a payment can be made.
    public static let believableMinorUnitsMax: Int64 = 1_000_000_000_000_000

    /// Whether a payment can be over this amount: it is not below zero and not above the largest that is believed.
    public var isBelievable: Bool { (0...Self.believableMinorUnitsMax).contains(minorUnits) }

    /// The amount itself, as a driver takes it from a provider's reply.
    ///
    /// ```swift
    /// let charged = try Money(minorUnits: units, .eur).believable()
    /// ```
    ///
    /// - Throws: `unreadableReply`, outcome unknown, when no payment can be over it.
    public func believable() throws(PaymentError) -> Money {
        if isBelievable { return self }
        throw PaymentError.unknown(
            .unreadableReply,
            "The reply names an amount that no payment has (got \(self), where 0 to "
                + "\(Money(minorUnits: Self.believableMinorUnitsMax, currency)) is believed). Ask for the attempt's status."
        )
    }
}

extension Money {
    /// Reads an amount as a person or an application writes it, such as `49.99`, `49.9` or `49`.
    ///
    /// No sign, grouping, spaces, power of ten, leading zeros, nor a full stop without digits on both sides. Decimals
    /// beyond the currency's are refused unless they are zeros: `49.990` is 49.99 dollars, `49.999` an error.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the text, what was expected and what to do.
    public init(_ text: String, _ currency: Currency) throws(PaymentError) {
        guard !text.utf8.starts(with: "-".utf8) else {
            let advice = "leave the sign out, or read it with Money(signed:) where one is meant"
            throw Self.refusal(.request, text, currency, advice)
        }
        try self.init(signed: text, currency)
    }

    /// Reads an amount like the unsigned form, and allows a minus in front.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the text, what was expected and what to do.
    public init(signed text: String, _ currency: Currency) throws(PaymentError) {
        try self.init(text, currency, .plain, .request)
    }

    /// Reads a decimal that a provider wrote, exactly: `49.99`, `-3`, `100.0`, `1E+1`, `00.50`.
    ///
    /// What can't be an amount of the currency is an error here too: `49.989999999999995` is never rounded.
    ///
    /// - Throws: `unreadableReply`, outcome unknown, since an amount that can't be read proves nothing.
    public init(wireDecimal text: String, _ currency: Currency) throws(PaymentError) {
        try self.init(text, currency, .wire, .reply)
    }

    /// Whose text it is, which decides what an error says about the money.
    private enum Source { case request, reply }

    private init(
        _ text: String, _ currency: Currency, _ form: ExactDecimal.Form, _ source: Source
    ) throws(PaymentError) {
        let decimal: ExactDecimal
        do {
            decimal = try ExactDecimal(text, form)
        } catch {
            throw Self.refusal(source, text, currency, error.advice)
        }
        do {
            self.init(minorUnits: try decimal.units(decimals: currency.exponent), currency)
        } catch {
            throw Self.refusal(source, text, currency, Self.advice(error, currency))
        }
    }

    private static func advice(_ misfit: ExactDecimal.Misfit, _ currency: Currency) -> String {
        switch misfit {
        case .decimals(let count):
            return
                "it has \(count) \(count == 1 ? "decimal" : "decimals"), \(currency) has \(currency.exponent), and nothing is rounded"
        case .size:
            return "it is out of range; the largest is \(Money(minorUnits: .max, currency))"
        }
    }

    private static func refusal(
        _ source: Source, _ text: String, _ currency: Currency, _ advice: String
    ) -> PaymentError {
        let example = decimalText(currency.exponent == 0 ? 50 : 4_999, exponent: currency.exponent)
        let detail = "\(QuotedInput(text)) is no amount in \(currency): \(advice) (expected something like \(example))"
        switch source {
        case .request: return PaymentError.notExecuted(.invalidRequest, detail)
        case .reply: return PaymentError.unknown(.unreadableReply, detail)
        }
    }
}

/// A text from outside, made fit for an error message.
///
/// It is shortened, its control characters are written as codes, and what looks like a card number is masked, since
/// people mix up fields.
package struct QuotedInput: CustomStringConvertible {
    /// The text between quotation marks.
    package let description: String

    /// How much of the text is shown.
    static let charactersMax = 40
    /// How much of it is looked at, in Unicode scalars: one letter may carry any number of marks.
    static let charactersReadMax = 1_024

    /// Makes the text fit to be shown.
    package init(_ text: String) {
        let read = String(text.unicodeScalars.prefix(Self.charactersReadMax))
        let masked = Masking.findsCardNumber(in: read) ? Masking.cardNumbers(in: read) : read
        var shown = ""
        for scalar in masked.unicodeScalars.prefix(Self.charactersMax) {
            shown += scalar.isASCII ? scalar.escaped(asASCII: true) : Self.code(scalar)
        }
        description = "\"\(shown)\(masked.unicodeScalars.count > Self.charactersMax ? "…" : "")\""
    }

    /// Letters and symbols of other scripts stay readable; what is invisible becomes a code.
    private static func code(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            scalar.escaped(asASCII: true)
        default: String(scalar)
        }
    }
}
