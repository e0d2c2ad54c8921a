import PaymentAbstraction
import Testing

@Suite struct MoneyRoundTripTests {
    @Test func aMillionAmountsSurviveTheirText() throws {
        try MoneyRoundTrip.check(count: 1_000_000, seed: 20_261_121) { try Money(signed: $0.decimalText, $0.currency) }
    }

    @Test func aHundredThousandAmountsSurviveAsWireDecimals() throws {
        try MoneyRoundTrip.check(count: 100_000, seed: 7) { money in
            let written = "\(money.minorUnits)E-\(money.currency.exponent)"
            return try Money(wireDecimal: written, money.currency)
        }
    }

    @Test func aLossNamesItsSeed() throws {
        let loss = try #require(throws: MoneyRoundTrip.Loss.self) {
            try MoneyRoundTrip.check(count: 100, seed: 5) { Money(minorUnits: $0.minorUnits & ~1, $0.currency) }
        }
        #expect(loss.description.hasPrefix("seed 5, number "))
    }
}
