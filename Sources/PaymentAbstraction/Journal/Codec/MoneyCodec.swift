internal import PaymentBase

/// An amount as JSON and back: minor units and the currency's code.
enum MoneyCodec {
    static func json(_ money: Money) -> JSON {
        ["minorUnits": .number(JSONNumber(money.minorUnits)), "currency": .string(money.currency.code)]
    }

    static func money(_ json: JSON?) throws -> Money {
        guard let units = json?["minorUnits"]?.int64, let code = json?["currency"]?.string,
            let currency = Currency.known(code)
        else { throw EventCodec.DecodingError() }
        return Money(minorUnits: units, currency)
    }
}
