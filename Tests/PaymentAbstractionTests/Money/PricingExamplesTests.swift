import PaymentAbstraction
import Testing

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
