internal import PaymentAbstraction
internal import PaymentBase

/// An amount in minor units with its currency; `minorUnit` stands only in order details.
struct NIAmount {
    let value: Int64
    let currencyCode: String
    let minorUnit: Int64?

    init?(_ json: JSON?) {
        guard let value = json?["value"]?.int64, let code = json?["currencyCode"]?.string else { return nil }
        (self.value, currencyCode, minorUnit) = (value, code, json?["minorUnit"]?.int64)
    }

    /// The amount here; an exponent other than ours would make it another one.
    var money: Money? {
        guard let currency = Currency.known(currencyCode) else { return nil }
        if let minorUnit, minorUnit != Int64(currency.exponent) { return nil }
        return Money(minorUnits: value, currency)
    }

    static func json(_ money: Money) -> JSON {
        ["currencyCode": .string(money.currency.code), "value": .number(JSONNumber(money.minorUnits))]
    }
}
