import PaymentAbstraction
import PaymentBase
import Testing

/// An amount on its way through a JSON text, as a number and as a string.
@Suite struct MoneyJSONTests {
    private struct Lost: Error {}

    /// A million amounts in all, a quarter for each seed.
    @Test(arguments: [20_261_122, 20_261_123, 20_261_124, 20_261_125] as [UInt64])
    func everyAmountSurvivesJSON(_ seed: UInt64) throws {
        let reader = JSONReader()
        try MoneyRoundTrip.check(count: 250_000, seed: seed) { money in
            let places = money.currency.exponent
            let text = money.decimalText
            let written = JSON.array([.number(JSONNumber(units: money.minorUnits, places: places)), .string(text)])
            let read = try reader.read(written.bytes())
            guard let number = read[0]?.number, let string = read[1]?.string, number.text == text else { throw Lost() }
            guard let units = number.scaled(places: places), units == money.minorUnits else { throw Lost() }
            return try Money(signed: string, money.currency)
        }
    }

    /// Also as whole minor units, and through the parser of amounts rather than by scaling.
    @Test func twentyThousandAmountsSurviveInEveryOtherForm() throws {
        try MoneyRoundTrip.check(count: 20_000, seed: 9) { money in
            let body: JSON = [
                "units": .number(JSONNumber(money.minorUnits)), "number": .number(try JSONNumber(money.decimalText)),
            ]
            let read = try JSONReader().read(body.bytes())
            guard read["units"]?.int64 == money.minorUnits, let number = read["number"]?.number else { throw Lost() }
            return try Money(signed: number.text, money.currency)
        }
    }
}
