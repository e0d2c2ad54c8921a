import Foundation
import PaymentDriverKit
import PaymentModel
import Testing

@Suite struct CurrencyTests {
    /// One line of the fixture.
    struct Row: Hashable {
        let code: String
        let number: Int
        let exponent: Int?
        let name: String
    }

    private static func rows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Fixtures/Money/iso4217.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(cells.count == 4 && (cells[2] == "-" || Int(cells[2]) != nil), "bad line: \(line)")
            return Row(
                code: cells[0], number: try #require(Int(cells[1])),
                exponent: Int(cells[2]), name: cells[3])
        }
    }

    @Test func theWholeListOfTheStandardIsThereAndNothingElse() throws {
        let rows = try Self.rows()
        #expect(rows.count == 178)
        let expected = rows.filter { $0.exponent != nil }
        #expect(expected.count == 165)
        let ours = Currency.allCases.map { currency in
            Row(code: currency.code, number: currency.numericCode, exponent: currency.exponent, name: currency.name)
        }
        #expect(ours.count == expected.count)
        #expect(Set(ours).symmetricDifference(expected).isEmpty)
        #expect(Set(ours.map(\.code)).count == ours.count)
        #expect(Set(ours.map(\.number)).count == ours.count)
        #expect(ours.map(\.code) == ours.map(\.code).sorted())
    }

    @Test func everyCodeFindsItsCurrency() throws {
        for currency in Currency.allCases {
            #expect(try Currency(currency.code) == currency)
            #expect(Currency.known(currency.code)?.exponent == currency.exponent)
            #expect("\(currency)" == currency.code)
        }
    }

    @Test func exponentsThatAreOftenTakenForTwo() {
        let byExponent = Dictionary(grouping: Currency.allCases, by: \.exponent).mapValues { $0.map(\.code) }
        #expect(
            byExponent[0] == [
                "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
                "XAF", "XOF", "XPF",
            ])
        #expect(byExponent[3] == ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
        #expect(byExponent[4] == ["CLF", "UYW"])
        #expect(Set(byExponent.keys) == [0, 2, 3, 4])
        #expect(Currency.mru.exponent == 2 && Currency.mga.exponent == 2 && Currency.try.exponent == 2)
    }

    @Test func codesWithoutAMinorUnitAreKnownButNoMoney() throws {
        let codes = try Self.rows().filter { $0.exponent == nil }
        #expect(codes.count == 13)
        for row in codes {
            let error = try #require(throws: PaymentError.self) { try Currency(row.code) }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
            #expect(error.detail.hasPrefix("\(row.code) (\(row.name)) is an ISO 4217 code without a minor unit"))
            #expect(Currency.known(row.code) == nil)
        }
    }

    @Test(arguments: [
        ("usd", "USD"), ("UDS", "USD"), ("EUT", "EUR"), ("EURO", "EUR"), ("GB", "GBP"), ("YEN", "YER"),
    ])
    func anUnknownCodeIsNamedWithTheNearest(input: String, expected: String) throws {
        let error = try #require(throws: PaymentError.self) { try Currency(input) }
        #expect(error.code == .invalidRequest && error.outcome == .notExecuted)
        #expect(error.detail.contains("\"\(input)\""))
        let nearest = try #require(error.detail.components(separatedBy: "the nearest: ").dropFirst().first)
        #expect(nearest.components(separatedBy: ", ").contains(expected), "\(error.detail)")
        #expect(nearest.components(separatedBy: ", ").count <= 3)
    }

    @Test(arguments: ["", " USD", "USD ", "ＵＳＤ", "840", "$", "dollars", "US\u{0}", "ÜSD"])
    func whatIsFarFromEveryCodeIsRefusedToo(input: String) throws {
        #expect(Currency.known(input) == nil)
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) { try Currency(input) }
    }

    @Test func aWithdrawnCodeNamesItsSuccessor() throws {
        let error = try #require(throws: PaymentError.self) { try Currency("BGN") }
        #expect(error.detail == "BGN was withdrawn from ISO 4217; its place was taken by EUR")
    }

    @Test func anErrorNeverShowsACardNumberOrControlCharacters() throws {
        let error = try #require(throws: PaymentError.self) { try Currency("4111111111111111") }
        #expect(!error.debugDescription.contains("4111111111111111"))
        let lines = try #require(throws: PaymentError.self) { try Currency("US\nD\u{1B}[31m\u{202E}") }
        #expect(lines.detail.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E })
        let symbol = try #require(throws: PaymentError.self) { try Currency("€ \"Öre\"") }
        #expect(symbol.detail.hasPrefix(#""€ \"Öre\"" is no currency"#))
        let long = try #require(throws: PaymentError.self) { try Currency(String(repeating: "U", count: 100_000)) }
        #expect(long.detail.count < 200)
    }
}

@Suite struct CurrencyExponentsTests {
    /// A table as one provider has it.
    private static let table = CurrencyExponents([.cve: 0, .idr: 0, .clp: 2, .isk: 2, .bif: 2, .uyi: 2, .clf: 2])

    @Test(arguments: [
        (Int64(1_500), Currency.clp, Int64(150_000)), (150_000, .idr, 1_500), (100, .cve, 1), (7, .isk, 700),
        (4_999, .usd, 4_999), (1_234, .kwd, 1_234), (0, .clp, 0), (-1_500, .clp, -150_000), (12_300, .clf, 123),
        (Int64.max, .jpy, Int64.max), (Int64.min, .usd, Int64.min),
        (92_233_720_368_547_758, .clp, 9_223_372_036_854_775_800),
    ])
    func amountsGoThereAndBack(minorUnits: Int64, currency: Currency, expected: Int64) throws {
        let money = Money(minorUnits: minorUnits, currency)
        #expect(try Self.table.minorUnits(money) == expected)
        #expect(try Self.table.money(minorUnits: expected, currency) == money)
        #expect(try CurrencyExponents.iso.minorUnits(money) == minorUnits)
    }

    @Test func digitsThatTheProviderCannotCarryAreAnError() throws {
        let error = try #require(throws: PaymentError.self) {
            try Self.table.minorUnits(Money(minorUnits: 150_050, .idr))
        }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(error.detail.hasPrefix("1500.50 IDR can't be sent to the provider, which gives IDR 0 decimals"))
        for minorUnits in [Int64.max, .min, 92_233_720_368_547_759] {
            #expect(throws: PaymentError.self) { try Self.table.minorUnits(Money(minorUnits: minorUnits, .clp)) }
        }
    }

    @Test func whatTheProviderSaysMustBeAWholeAmount() throws {
        let error = try #require(throws: PaymentError.self) { try Self.table.money(minorUnits: 150_050, .clp) }
        #expect(error == PaymentError(.unreadableReply, outcome: .unknown))
        #expect(error.detail.contains("1500.50 CLP"))
        #expect(throws: PaymentError(.unreadableReply, outcome: .unknown)) {
            try Self.table.money(minorUnits: .max, .idr)
        }
    }

    @Test func anAbsurdExponentIsAnErrorAndNoCrash() throws {
        let absurd = CurrencyExponents([.usd: 255, .jpy: 19, .eur: 20])
        #expect(absurd.exponent(of: .usd) == 255)
        for currency in [Currency.usd, .jpy, .eur] {
            #expect(try absurd.minorUnits(.zero(currency)) == 0)
            if currency != .eur {
                #expect(throws: PaymentError.self) { try absurd.minorUnits(Money(minorUnits: 1, currency)) }
                #expect(throws: PaymentError.self) { try absurd.money(minorUnits: 1, currency) }
            }
        }
        #expect(try absurd.minorUnits(Money(minorUnits: 9, .eur)) == 9_000_000_000_000_000_000)
        #expect(throws: PaymentError.self) { try absurd.minorUnits(Money(minorUnits: 10, .eur)) }
    }
}
