import PaymentAbstraction
import Testing

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
        #expect(error.detail.hasPrefix("1500.50 IDR can't be told to the provider, which gives IDR 0 decimals"))
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
