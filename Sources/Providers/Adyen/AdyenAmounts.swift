internal import PaymentAbstraction
internal import PaymentBase

/// The provider's own minor units, which differ from the standard's for some currencies.
enum AdyenAmounts {
    /// Currencies without decimals at this provider.
    static let without: Set<String> = [
        "CVE", "DJF", "GNF", "IDR", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    /// Currencies with three decimals; all others have two.
    static let three: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// What differs from the standard.
    static let exponents: CurrencyExponents = {
        var differences: [Currency: UInt8] = [:]
        for currency in Currency.allCases {
            let own: UInt8 = without.contains(currency.code) ? 0 : three.contains(currency.code) ? 3 : 2
            if Int(own) != currency.exponent { differences[currency] = own }
        }
        return CurrencyExponents(differences)
    }()

    /// The most that a terminal takes, in whole units.
    static let wholeUnitsMax: Int64 = 99_999_999

    /// An amount as terminals have it: major units, exactly.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the provider's minor units can't hold it.
    static func decimal(_ money: Money) throws(PaymentError) -> JSONNumber {
        _ = try exponents.minorUnits(money)
        let number = JSONNumber(units: money.minorUnits, places: money.currency.exponent)
        guard let whole = number.text.split(separator: ".").first.flatMap({ Int64($0) }), whole <= wholeUnitsMax else {
            throw PaymentError.notExecuted(
                .invalidRequest, "terminals take no more than \(wholeUnitsMax) whole units, not \(money)")
        }
        return number
    }

    /// An amount as the back office has it.
    static func json(_ money: Money) throws(PaymentError) -> JSON {
        [
            "currency": .string(money.currency.code),
            "value": .number(JSONNumber(try exponents.minorUnits(money))),
        ]
    }

    /// An amount of the provider's minor units, if a payment can be over it.
    static func money(_ minorUnits: Int64, _ code: String) throws(PaymentError) -> Money {
        guard let currency = Currency.known(code) else { throw unreadable("the answer names no currency") }
        return try exponents.money(minorUnits: minorUnits, currency).believable()
    }

    /// An amount in major units as a terminal wrote it, if a payment can be over it; where it names no currency, the one
    /// that was asked.
    static func money(_ decimal: JSONNumber, _ code: String?, asked: Currency) throws(PaymentError) -> Money {
        guard let currency = code.map({ Currency.known($0) }) ?? asked else {
            throw unreadable("the answer names a currency that nobody knows")
        }
        return try Money(wireDecimal: decimal.text, currency).believable()
    }

    static func unreadable(_ what: String) -> PaymentError {
        PaymentError.unknown(.unreadableReply, what)
    }
}
