import PaymentAbstraction
import Testing

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
