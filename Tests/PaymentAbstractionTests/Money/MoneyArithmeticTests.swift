import PaymentAbstraction
import PaymentBase
import Testing

@Suite struct MoneyArithmeticTests {
    private static let refused = PaymentError(.invalidRequest, outcome: .notExecuted)

    @Test(arguments: [Currency.jpy, .usd, .kwd, .clf])
    func sumsAreExactUpToBothEndsOfTheRange(currency: Currency) throws {
        let (most, least) = (Money(minorUnits: .max, currency), Money(minorUnits: .min, currency))
        let unit = Money(minorUnits: 1, currency)
        let nothing = Money.zero(currency)
        #expect(try most.subtracting(unit).adding(unit) == most)
        #expect(try least.adding(unit).subtracting(unit) == least)
        #expect(try most.adding(least) == Money(minorUnits: -1, currency))
        #expect(try most.multiplied(by: -1).minorUnits == -Int64.max)
        #expect(throws: Self.refused) { try most.adding(unit) }
        #expect(throws: Self.refused) { try least.subtracting(unit) }
        #expect(throws: Self.refused) { try nothing.subtracting(least) }
        #expect(throws: Self.refused) { try least.multiplied(by: -1) }
        #expect(throws: Self.refused) { try most.multiplied(by: 2) }
        let error = try #require(throws: PaymentError.self) { try most.adding(unit) }
        #expect(error.detail.hasPrefix("\(most) + \(unit) is out of range"))
    }

    @Test func twoCurrenciesNeverMeet() throws {
        let (dollars, euros) = (Money(minorUnits: 100, .usd), Money(minorUnits: 100, .eur))
        #expect(dollars != euros)
        #expect(throws: Self.refused) { try dollars.subtracting(euros) }
        #expect(throws: Self.refused) { try dollars.isLess(than: euros) }
        let error = try #require(throws: PaymentError.self) { try dollars.adding(euros) }
        #expect(error.detail.hasPrefix("can't add 1.00 USD and 1.00 EUR: the currencies differ"))
    }

    @Test func amountsOfOneCurrencyCompare() throws {
        let (small, large) = (Money(minorUnits: -1, .usd), Money(minorUnits: 0, .usd))
        #expect(try small.isLess(than: large))
        #expect(try !large.isLess(than: small))
        #expect(try !small.isLess(than: small))
        #expect(small.isNegative && !small.isZero && large.isZero && !large.isNegative)
        #expect(Set([small, small, large]).count == 2)
    }

    @Test func partsAreFairAndLoseNothing() throws {
        #expect(try Money(minorUnits: 1_000, .usd).split(into: 3).map(\.minorUnits) == [334, 333, 333])
        #expect(try Money(minorUnits: -1_000, .usd).split(into: 3).map(\.minorUnits) == [-334, -333, -333])
        #expect(try Money(minorUnits: 2, .usd).split(into: 4).map(\.minorUnits) == [1, 1, 0, 0])
        #expect(try Money.zero(.usd).split(into: 2).map(\.minorUnits) == [0, 0])
        for parts in [Int.min, -1, 0, Money.partsMax + 1, Int.max] {
            #expect(throws: Self.refused) { try Money(minorUnits: 1, .usd).split(into: parts) }
        }
        #expect(try Money(minorUnits: .min, .usd).split(into: Money.partsMax).count == Money.partsMax)
        let random = SeededRandom(seed: 11)
        for number in 0..<200 {
            let money = Money(minorUnits: Int64(bitPattern: random.next()), .usd)
            let parts = try money.split(into: Int(random.next() % 97) + 1)
            var sum = Money.zero(.usd)
            for part in parts { sum = try sum.adding(part) }
            let units = parts.map(\.minorUnits)
            let spread = try #require(units.max()) - #require(units.min())
            #expect(sum == money && spread <= 1, "seed 11, number \(number)")
        }
    }
}
