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
            return "it has \(count) decimals, \(currency) has \(currency.exponent), and nothing is rounded"
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
