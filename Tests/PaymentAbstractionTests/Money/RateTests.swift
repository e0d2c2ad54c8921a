import PaymentDriverKit
import PaymentModel
import Testing

@Suite struct RateTests {
    private static let refused = PaymentError(.invalidRequest, outcome: .notExecuted)

    private func dollars(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .usd) }

    @Test func aPercentageAndAFractionAreOneValue() throws {
        for (percent, fraction) in [
            ("3.5", "0.035"), ("3.50", "0.0350"), ("0", "0"), ("0.00", "0.0"), ("100", "1"), ("18.5", "0.185"),
            ("2.99", "0.0299"), ("0.0000000001", "0.000000000001"), ("100000", "1000"), ("250", "2.5"),
        ] {
            let (one, other) = (try Rate(percent: percent), try Rate(fraction: fraction))
            #expect(one == other && one.hashValue == other.hashValue)
            #expect(try Rate(percent: one.percentText) == one)
            #expect(try Rate(fraction: one.fractionText) == one)
        }
        #expect(try Rate(percent: "3.5") != Rate(fraction: "3.5"))
        let rate = try Rate(percent: "3.50")
        #expect(rate.percentText == "3.5" && rate.fractionText == "0.035" && "\(rate)" == "3.5%")
        #expect(try Rate(fraction: "2").percentText == "200" && Rate(percent: "200").fractionText == "2")
        #expect(Rate.zero.percentText == "0" && Rate.zero.isZero && Rate.zero.fractionText == "0")
        #expect(try Rate(percent: "0.5").fractionText == "0.005")
    }

    @Test(arguments: [
        "", "-1", "-0", "+1", "3,5", "3.5%", ".5", "5.", "1e1", "100000.1", "0.00000000001", "99999999999999999999",
        "1" + String(repeating: "0", count: 60), "NaN", " 1", "03.5",
    ])
    func nothingElseIsARate(text: String) throws {
        let error = try #require(throws: PaymentError.self) { try Rate(percent: text) }
        #expect(error == Self.refused && error.detail.contains("is no rate as a percentage"))
    }

    @Test(arguments: [
        (Int64(1_050), "3", Int64(32)), (-1_050, "3", -32), (1_049, "3", 31), (1, "3", 0), (1, "50", 1), (-1, "50", -1),
        (1, "49.9999999999", 0), (3, "50", 2), (5, "50", 3), (0, "50", 0), (9_500, "3.5", 333), (3_333, "2.99", 100),
        (.max, "100", .max), (.min, "100", .min), (.max, "0", 0), (100, "100000", 100_000),
        (.max, "50", 4_611_686_018_427_387_904), (.min, "50", -4_611_686_018_427_387_904),
    ])
    func aShareIsRoundedOnceAndAHalfGoesAwayFromZero(minorUnits: Int64, percent: String, expected: Int64) throws {
        #expect(try Rate(percent: percent).share(of: dollars(minorUnits)) == dollars(expected))
    }

    @Test func theMarkUpAndTheWayBack() throws {
        let three = try Rate(percent: "3")
        #expect(try three.markedUp(dollars(1_198)) == dollars(1_234))
        #expect(try three.withoutMarkUp(dollars(1_234)) == dollars(1_198))
        #expect(try Rate.zero.markedUp(dollars(.max)) == dollars(.max))
        #expect(try Rate.zero.withoutMarkUp(dollars(.min)) == dollars(.min))
        #expect(try Rate(percent: "100").withoutMarkUp(dollars(1)) == dollars(1))
        #expect(try Rate(percent: "100").withoutMarkUp(dollars(-1)) == dollars(-1))
        #expect(try Rate(percent: "300").withoutMarkUp(dollars(1)) == dollars(0))
        for cents in Int64(0)...5_000 {
            let marked = try three.markedUp(dollars(cents))
            #expect(try three.withoutMarkUp(marked) == dollars(cents))
        }
    }

    @Test func whatLeavesTheRangeIsAnError() throws {
        let (double, tiny) = (try Rate(percent: "200"), try Rate(percent: "0.0000000001"))
        #expect(throws: Self.refused) { try double.share(of: dollars(.max)) }
        #expect(throws: Self.refused) { try double.share(of: dollars(.min)) }
        #expect(throws: Self.refused) { try tiny.markedUp(dollars(.max)) }
        #expect(try tiny.share(of: dollars(.max)) == dollars(9_223_372))
        #expect(try Rate(percent: "100000").withoutMarkUp(dollars(.min)) == dollars(-9_214_157_878_975_800))
    }

    @Test func theRoundingIsExactAtFullWidth() throws {
        let most = dollars(.max)
        #expect(try Rounding.halfAwayFromZero(most, times: .max, over: .max) == most)
        #expect(try Rounding.halfAwayFromZero(dollars(1), times: .max - 1, over: .max) == dollars(1))
        #expect(try Rounding.halfAwayFromZero(dollars(1), times: (.max - 1) / 2, over: .max) == dollars(0))
        #expect(try Rounding.halfAwayFromZero(dollars(.min), times: 1, over: 1) == dollars(.min))
        #expect(throws: Self.refused) { try Rounding.halfAwayFromZero(dollars(1), times: 1, over: 0) }
        #expect(throws: Self.refused) { try Rounding.halfAwayFromZero(dollars(1), times: .max, over: 1) }
        #expect(throws: Self.refused) { try Rounding.halfAwayFromZero(most, times: .max, over: .max - 1) }
    }

    /// Every small case against the definition: the whole number nearest to the quotient, the larger one on a tie.
    @Test func everySmallCaseFollowsTheDefinition() throws {
        for amount in Int64(-30)...30 {
            for factor in UInt64(0)...12 {
                for divisor in UInt64(1)...12 {
                    let units = try Rounding.halfAwayFromZero(dollars(amount), times: factor, over: divisor).minorUnits
                    let (product, over) = (amount.magnitude * factor, divisor)
                    let expected = Int64((2 * product + over) / (2 * over)) * (amount < 0 ? -1 : 1)
                    #expect(units == expected, "\(amount) × \(factor) / \(divisor)")
                }
            }
        }
    }
}

/// Worked price examples of one provider, computed with nothing but rates and sums.
@Suite struct PricingExamplesTests {
    /// What is added or taken off, in the order of the provider's formula.
    struct Price {
        var off = Rate.zero
        var cashDiscount = Rate.zero
        var surcharge = Rate.zero
        var surchargeIsAfterPercentageOff = false
        var tipRate = Rate.zero
        var tip: Money?

        /// The base less the percentage off and the cash discount, plus the surcharge and the tip.
        func total(_ base: Money) throws -> String {
            let net = try base.subtracting(off.share(of: base))
            let surchargeBase = surchargeIsAfterPercentageOff ? net : base
            let total = try net.subtracting(cashDiscount.share(of: net)).adding(surcharge.share(of: surchargeBase))
            return try total.adding(tip ?? tipRate.share(of: base)).decimalText
        }
    }

    private func dollars(_ text: String) throws -> Money { try Money(text, .usd) }

    @Test func noZeroCostProgram() throws {
        #expect(try Price(off: Rate(percent: "5"), tip: dollars("15")).total(dollars("100")) == "110.00")
        let second = Price(off: try Rate(percent: "10"), tipRate: try Rate(percent: "18.5"))
        #expect(try second.off.share(of: dollars("19.99")) == dollars("2.00"))
        #expect(try second.tipRate.share(of: dollars("19.99")) == dollars("3.70"))
        #expect(try second.total(dollars("19.99")) == "21.69")
    }

    @Test func cashDiscount() throws {
        let four = try Rate(percent: "4")
        #expect(try Price(cashDiscount: four, tip: dollars("10")).total(dollars("100")) == "106.00")
        #expect(try Price(tip: dollars("10")).total(dollars("100")) == "110.00")
        let (five, ten) = (try Rate(percent: "5"), try Rate(percent: "10"))
        #expect(try four.share(of: dollars("95")) == dollars("3.80"))
        #expect(try Price(off: five, cashDiscount: four, tipRate: ten).total(dollars("100")) == "101.20")
        #expect(try Price(off: five, tipRate: ten).total(dollars("100")) == "105.00")
    }

    @Test func dualPricing() throws {
        #expect(try Rate(percent: "3").withoutMarkUp(dollars("12.34")) == dollars("11.98"))
        #expect(try Rate(percent: "3").markedUp(dollars("11.98")) == dollars("12.34"))
        let cash = try Rate(percent: "3.5").withoutMarkUp(dollars("100"))
        let price = Price(off: try Rate(percent: "5"), tip: try dollars("10"))
        #expect(try cash == dollars("96.62"))
        #expect(try price.off.share(of: cash) == dollars("4.83"))
        #expect(try price.total(cash) == "101.79")
        #expect(try price.total(dollars("100")) == "105.00")
    }

    @Test(arguments: [
        ("3", "100", "5", "10", "105.00", "108.00", "107.85"), ("3.5", "100", "5", "15", "110.00", "113.50", "113.33"),
        ("2.99", "33.33", "0", "0", "33.33", "34.33", "34.33"), ("3", "10.50", "0", "0", "10.50", "10.82", "10.82"),
        ("3", "0.01", "0", "0", "0.01", "0.01", "0.01"),
    ])
    func surcharge(
        rate: String, amount: String, off: String, tip: String, debit: String, credit: String, afterOff: String
    ) throws {
        var price = Price(off: try Rate(percent: off), tip: try dollars(tip))
        #expect(try price.total(dollars(amount)) == debit)
        price.surcharge = try Rate(percent: rate)
        #expect(try price.total(dollars(amount)) == credit)
        price.surchargeIsAfterPercentageOff = true
        #expect(try price.total(dollars(amount)) == afterOff)
    }
}
