import Foundation
import PaymentBase
import PaymentModel
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

/// Which amounts are believed of a provider.
@Suite struct BelievableMoneyTests {
    @Test(arguments: [Currency.jpy, .eur, .kwd, .clf])
    func amount_fromNothingToTheLimit_isBelieved(_ currency: Currency) throws {
        for units in [0, 1, Money.believableMinorUnitsMax] {
            let money = Money(minorUnits: units, currency)
            #expect(try money.believable() == money && money.isBelievable)
        }
    }

    @Test(arguments: [Currency.jpy, .eur, .kwd, .clf])
    func amount_belowNothingOrAboveTheLimit_isUnreadable(_ currency: Currency) throws {
        for units in [Int64.min, .min + 1, -1, Money.believableMinorUnitsMax + 1, .max] {
            let money = Money(minorUnits: units, currency)
            let error = #expect(throws: PaymentError(.unreadableReply, outcome: .unknown)) { try money.believable() }
            #expect(!money.isBelievable && error?.detail.contains("(got \(money)") == true)
        }
    }

    /// So many of them as no payment has operations can be added up.
    @Test func sums_ofTheLargestAmounts_areFarFromTheEnd() throws {
        let most = Money(minorUnits: Money.believableMinorUnitsMax, .eur)
        #expect(try most.multiplied(by: 9_000).minorUnits > 0)
    }
}

@Suite struct MoneyTextTests {
    /// One letter may carry any number of marks.
    @Test func quotedInput_ofOneLetterWithManyMarks_isShort() {
        let letter = "e" + String(repeating: "\u{301}", count: 300_000)
        let error = #expect(throws: PaymentError.self) { _ = try Money(letter, .eur) }
        #expect((error?.detail ?? "").utf8.count < 1_000)
    }

    @Test(arguments: [
        ("49.99", Currency.usd, Int64(4_999)), ("49.9", .usd, 4_990), ("49", .usd, 4_900), ("0.01", .usd, 1),
        ("0", .usd, 0), ("0.00", .usd, 0), ("0.0", .jpy, 0), ("49.990", .usd, 4_999), ("49.99000000", .usd, 4_999),
        ("150", .jpy, 150), ("150.00", .jpy, 150), ("1.234", .kwd, 1_234), ("0.250", .omr, 250), ("10", .jod, 10_000),
        ("1.2345", .clf, 12_345), ("0.0001", .uyw, 1), ("100", .usd, 10_000), ("1000000", .jpy, 1_000_000),
        ("92233720368547758.07", .usd, .max), ("9223372036854775807", .jpy, .max),
        ("9223372036854775.807", .bhd, .max), ("922337203685477.5807", .clf, .max), ("10.10", .eur, 1_010),
        ("90071992547409.93", .usd, 9_007_199_254_740_993), ("1.1", .usd, 110), ("0.29", .usd, 29),
        ("49.99" + String(repeating: "0", count: 59), .usd, 4_999),
    ])
    func textBecomesTheExactAmount(text: String, currency: Currency, expected: Int64) throws {
        #expect(try Money(text, currency) == Money(minorUnits: expected, currency))
        #expect(try Money(signed: text, currency) == Money(minorUnits: expected, currency))
        #expect(try Money(wireDecimal: text, currency) == Money(minorUnits: expected, currency))
    }

    @Test(arguments: [
        "", " ", "-", "+", ".", "-.", "e", "+5", "5.", ".5", "-5", "-0", "--5", "5-", "1e2", "1E2", "1e-2", "5e",
        " 5", "5 ", "5\n", "1 000", "1,000.00", "49,99", "1'000", "1_000", "1.2.3", "1..2", "05", "00.50", "00",
        "0x10", "NaN", "nan", "inf", "Infinity", "$5", "5$", "5 USD", "USD 5", "５", "٥", "5\u{0}", "\u{FEFF}5",
        "1/2", "5%", "−5", "5.0.", "five", "4111 1111 1111 1111",
    ])
    func nothingElseIsRead(text: String) throws {
        let error = try #require(throws: PaymentError.self) { try Money(text, .usd) }
        #expect(error.code == .invalidRequest && error.outcome == .notExecuted)
        #expect(error.detail.contains(" is no amount in USD: "))
        #expect(error.detail.hasSuffix("(expected something like 49.99)"))
    }

    @Test(arguments: [
        ("49.999", Currency.usd), ("0.001", .usd), ("0.5", .jpy), ("150.01", .jpy), ("1.2345", .kwd),
        ("1.23456", .clf), ("49.9900000000000001", .usd), ("92233720368547758.070000000000000001", .usd),
    ])
    func tooManyDecimalsAreAnErrorAndNeverARounding(text: String, currency: Currency) throws {
        let error = try #require(throws: PaymentError.self) { try Money(text, currency) }
        #expect(error.detail.contains("\(currency) has \(currency.exponent), and nothing is rounded"))
        #expect(throws: PaymentError(.unreadableReply, outcome: .unknown)) { try Money(wireDecimal: text, currency) }
    }

    @Test(arguments: [
        ("92233720368547758.08", Currency.usd), ("9223372036854775808", .jpy), ("9223372036854775.808", .bhd),
        ("922337203685477.5808", .clf), ("18446744073709551616", .jpy), ("99999999999999999999999", .usd),
        ("1" + String(repeating: "0", count: 63), .jpy), ("184467440737095516.16", .usd),
    ])
    func whatDoesNotFitIsAnErrorAtBothEnds(text: String, currency: Currency) throws {
        let error = try #require(throws: PaymentError.self) { try Money(text, currency) }
        #expect(error.detail.contains("out of range; the largest is \(Money(minorUnits: .max, currency))"))
        let below = text == "92233720368547758.08" || text.hasSuffix("5808") || text.hasSuffix("775.808")
        if below || text == "9223372036854775808" {
            #expect(try Money(signed: "-" + text, currency).minorUnits == .min)
        } else {
            #expect(throws: PaymentError.self) { try Money(signed: "-" + text, currency) }
        }
    }

    @Test func oneBelowTheLowestIsAnError() {
        for (text, currency) in [
            ("-92233720368547758.09", Currency.usd), ("-9223372036854775809", .jpy), ("-9223372036854775.809", .kwd),
            ("-922337203685477.5809", .clf),
        ] {
            #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) { try Money(signed: text, currency) }
        }
    }

    @Test func aTextThatIsTooLongIsRefused() throws {
        let text = "1." + String(repeating: "0", count: 63)
        #expect(throws: PaymentError.self) { try Money(text, .usd) }
        let error = try #require(throws: PaymentError.self) {
            try Money(String(repeating: "9", count: 5_000_000), .usd)
        }
        #expect(error.detail.count < 200)
    }

    @Test func aSignIsReadOnlyWhereItIsAllowed() throws {
        #expect(try Money(signed: "-49.99", .usd).minorUnits == -4_999)
        #expect(try Money(signed: "-0.00", .usd) == .zero(.usd))
        let error = try #require(throws: PaymentError.self) { try Money("-49.99", .usd) }
        #expect(error.detail.contains("\"-49.99\"") && error.detail.contains("Money(signed:)"))
    }

    @Test(arguments: [
        ("1E+1", Currency.usd, Int64(1_000)), ("1e1", .usd, 1_000), ("100.0", .jpy, 100), ("1E2", .jpy, 100),
        ("4.999e1", .usd, 4_999), ("4999E-2", .usd, 4_999), ("499900e-4", .usd, 4_999), ("0e99999999999", .usd, 0),
        ("-3.50", .usd, -350), ("-0.0", .usd, 0), ("00.50", .usd, 50), ("0.1e-1", .usd, 1), ("1.5e0", .usd, 150),
        ("9.223372036854775807e18", .jpy, .max), ("-9223372036854775808E0", .jpy, .min), ("0.000e-9", .kwd, 0),
    ])
    func aWireDecimalIsReadExactly(text: String, currency: Currency, expected: Int64) throws {
        #expect(try Money(wireDecimal: text, currency) == Money(minorUnits: expected, currency))
    }

    @Test(arguments: [
        "", "+1", "1.", ".1", "1e", "1e+", "e1", "1e1.0", "1 ", "1,0", "NaN", "1e-3", "1e99", "1e99999999999999999999",
        "1e-99999999999999999999", "49.989999999999995", "1ee1", "--1", "-", "0x1p3", "1.0.0", "1e--1",
    ])
    func anUnreadableWireDecimalProvesNothing(text: String) throws {
        #expect(throws: PaymentError(.unreadableReply, outcome: .unknown)) { try Money(wireDecimal: text, .usd) }
    }

    @Test(arguments: [
        (Int64(0), Currency.usd, "0.00"), (1, .usd, "0.01"), (-1, .usd, "-0.01"), (99, .usd, "0.99"),
        (100, .usd, "1.00"), (-100, .usd, "-1.00"), (0, .jpy, "0"), (-7, .jpy, "-7"), (5, .kwd, "0.005"),
        (12_345, .clf, "1.2345"), (.max, .jpy, "9223372036854775807"), (.min, .jpy, "-9223372036854775808"),
        (.min, .usd, "-92233720368547758.08"), (.min, .kwd, "-9223372036854775.808"),
        (.min, .clf, "-922337203685477.5808"), (4_990, .eur, "49.90"),
    ])
    func textHasExactlyTheCurrencysDecimals(minorUnits: Int64, currency: Currency, expected: String) throws {
        let money = Money(minorUnits: minorUnits, currency)
        #expect(money.decimalText == expected)
        #expect("\(money)" == "\(expected) \(currency.code)")
        #expect(try Money(signed: expected, currency) == money)
    }
}

/// An amount on its way through a JSON text, as a number and as a string.
@Suite struct MoneyJSONTests {
    private struct Lost: Error {}

    @Test(arguments: [20_261_122, 20_261_123, 20_261_124, 20_261_125] as [UInt64])
    func everyAmountSurvivesJSON(_ seed: UInt64) throws {
        let reader = JSONReader()
        try MoneyRoundTrip.check(count: MoneyRoundTrip.count / 4, seed: seed) { money in
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
    @Test func everyAmountSurvivesInEveryOtherForm() throws {
        try MoneyRoundTrip.check(count: MoneyRoundTrip.count / 4, seed: 9) { money in
            let body: JSON = [
                "units": .number(JSONNumber(money.minorUnits)), "number": .number(try JSONNumber(money.decimalText)),
            ]
            let read = try JSONReader().read(body.bytes())
            guard read["units"]?.int64 == money.minorUnits, let number = read["number"]?.number else { throw Lost() }
            return try Money(signed: number.text, money.currency)
        }
    }
}

@Suite struct MoneyRoundTripTests {
    @Test func everyAmountSurvivesItsText() throws {
        try MoneyRoundTrip.check(count: MoneyRoundTrip.count, seed: 20_261_121) {
            try Money(signed: $0.decimalText, $0.currency)
        }
    }

    @Test func everyAmountSurvivesAsWireDecimal() throws {
        try MoneyRoundTrip.check(count: MoneyRoundTrip.count, seed: 7) { money in
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

/// Sends random amounts on a journey and looks whether they come back the same.
enum MoneyRoundTrip {
    /// An amount that came back different, with what it takes to see it again.
    struct Loss: Error, CustomStringConvertible {
        let seed: UInt64
        let number: Int
        let sent: Money
        let back: String

        var description: String { "seed \(seed), number \(number): \(sent) came back as \(back)" }
    }

    /// How many amounts a journey takes: about a hundred for each sign, number of digits and currency. `AMOUNTS=1000000` says
    /// more.
    static let count = ProcessInfo.processInfo.environment["AMOUNTS"].flatMap { Int($0) } ?? 50_000
    /// One currency for each exponent that the standard has.
    static let currencies: [Currency] = [.jpy, .usd, .kwd, .clf]

    /// Makes `count` amounts from the seed and sends each on its journey; the first that changes ends it.
    static func check(count: Int, seed: UInt64, journey: (Money) throws -> Money) throws {
        let random = SeededRandom(seed: seed)
        for number in 0..<count {
            let sent = amount(number, random)
            let back: Money
            do {
                back = try journey(sent)
            } catch {
                throw Loss(seed: seed, number: number, sent: sent, back: String(reflecting: error))
            }
            guard back == sent else { throw Loss(seed: seed, number: number, sent: sent, back: "\(back)") }
        }
    }

    /// Both ends of the range come first; then every magnitude is as likely as any other.
    private static func amount(_ number: Int, _ random: SeededRandom) -> Money {
        let currency = currencies[number % currencies.count]
        if number < currencies.count { return Money(minorUnits: .min, currency) }
        if number < 2 * currencies.count { return Money(minorUnits: .max, currency) }
        let (bits, width) = (Int64(bitPattern: random.next()), random.next() % 64)
        return Money(minorUnits: bits >> Int64(width), currency)
    }
}
