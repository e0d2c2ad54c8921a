internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs

/// An amount in minor units with its currency; `minorUnit` stands only in order details.
struct NIAmount {
    let value: Int64
    let currencyCode: String
    let minorUnit: Int64?

    init?(_ json: JSON?) {
        let number = json?["value"]?.number ?? json?["value"]?.string.flatMap { try? JSONNumber($0) }
        guard let number, let code = json?["currencyCode"]?.string else { return nil }
        // What is no whole number of minor units, or too large for one, is an amount that can't be believed.
        (value, currencyCode, minorUnit) = (number.int64 ?? .min, code, json?["minorUnit"]?.int64)
    }

    /// Takes the kit's amount.
    init(_ amount: NIPhoneSDK.Amount) {
        (value, currencyCode, minorUnit) = (amount.value, amount.currencyCode, nil)
    }

    /// The amount here; an exponent other than ours would make it another one, and what no payment has is none.
    var money: Money? {
        guard let currency = Currency.known(currencyCode), isBelievable else { return nil }
        if let minorUnit, minorUnit != Int64(currency.exponent) { return nil }
        return Money(minorUnits: value, currency)
    }

    /// Whether a payment can be over so many minor units.
    var isBelievable: Bool { (0...Money.believableMinorUnitsMax).contains(value) }

    /// Whether the provider counts this currency as we do: where it has other decimals, or doesn't say for one that
    /// hasn't two, what it calls an amount may be another one.
    var hasOurDecimals: Bool {
        guard let currency = Currency.known(currencyCode) else { return false }
        return minorUnit.map { $0 == Int64(currency.exponent) } ?? (currency.exponent == 2)
    }

    static func json(_ money: Money) -> JSON {
        ["currencyCode": .string(money.currency.code), "value": .number(JSONNumber(money.minorUnits))]
    }
}
