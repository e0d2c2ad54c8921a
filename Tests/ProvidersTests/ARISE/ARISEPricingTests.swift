import ARISEProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTransport
import Testing

/// The worked examples of the price formula, for the local preview and for the wire.
@Suite struct ARISEPricingTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let mode: ARISEAccount.ZeroCost
        let rate: String
        let amount: String
        var off: String?
        var tip: String?
        var tipPercent: String?
        var isCardPrice: Bool?
        let cash: String
        let bank: String
        let debit: String
        let credit: String

        var testDescription: String { name }

        var request: QuoteRequest {
            get throws {
                var request = QuoteRequest(try Money(amount, .usd))
                request.discountPercent = off
                request.tip = try tip.map { try Money($0, .usd) }
                (request.tipPercent, request.isCardPrice) = (tipPercent, isCardPrice)
                return request
            }
        }

        var preview: ARISEPricing {
            get throws {
                let rate = try Rate(percent: rate)
                switch mode {
                case .noZeroCost: return ARISEPricing(.noZeroCost)
                case .cashDiscount: return ARISEPricing(.cashDiscount(rate))
                case .dualPricing: return ARISEPricing(.dualPricing(rate))
                case .surcharge: return ARISEPricing(.surcharge(rate))
                }
            }
        }

        var totals: [Tender: String] { [.cash: cash, .bankAccount: bank, .debit: debit, .credit: credit] }
    }

    static let examples = [
        Example(
            name: "E1", mode: .noZeroCost, rate: "0", amount: "100", off: "5", tip: "15", cash: "110.00",
            bank: "110.00", debit: "110.00", credit: "110.00"),
        Example(
            name: "E2", mode: .noZeroCost, rate: "0", amount: "19.99", off: "10", tipPercent: "18.5", cash: "21.69",
            bank: "21.69", debit: "21.69", credit: "21.69"),
        Example(
            name: "E3", mode: .cashDiscount, rate: "4", amount: "100", tip: "10", cash: "106.00", bank: "106.00",
            debit: "110.00", credit: "110.00"),
        Example(
            name: "E4", mode: .cashDiscount, rate: "4", amount: "100", off: "5", tipPercent: "10", cash: "101.20",
            bank: "101.20", debit: "105.00", credit: "105.00"),
        Example(
            name: "E5", mode: .dualPricing, rate: "3", amount: "12.34", isCardPrice: true, cash: "11.98",
            bank: "11.98", debit: "12.34", credit: "12.34"),
        Example(
            name: "E6", mode: .dualPricing, rate: "3", amount: "11.98", isCardPrice: false, cash: "11.98",
            bank: "11.98", debit: "12.34", credit: "12.34"),
        Example(
            name: "E7", mode: .dualPricing, rate: "3.5", amount: "100", off: "5", tip: "10", isCardPrice: true,
            cash: "101.79", bank: "101.79", debit: "105.00", credit: "105.00"),
        Example(
            name: "E8", mode: .surcharge, rate: "3", amount: "100", off: "5", tip: "10", cash: "105.00",
            bank: "105.00", debit: "105.00", credit: "108.00"),
        Example(
            name: "E9", mode: .surcharge, rate: "3.5", amount: "100", off: "5", tip: "15", cash: "110.00",
            bank: "110.00", debit: "110.00", credit: "113.50"),
        Example(
            name: "E10", mode: .surcharge, rate: "2.99", amount: "33.33", cash: "33.33", bank: "33.33",
            debit: "33.33", credit: "34.33"),
        Example(
            name: "E11", mode: .surcharge, rate: "3", amount: "10.50", cash: "10.50", bank: "10.50", debit: "10.50",
            credit: "10.82"),
        Example(
            name: "E12", mode: .surcharge, rate: "3", amount: "0.01", cash: "0.01", bank: "0.01", debit: "0.01",
            credit: "0.01"),
    ]

    @Test(arguments: examples) func thePreviewIsExact(_ example: Example) throws {
        let quote = try example.preview.quote(example.request, from: "arise")
        for (tender, total) in example.totals {
            #expect(quote.tenders[tender]?.total.decimalText == total, "\(tender)")
        }
    }

    @Test(arguments: examples) func theWireSaysTheSame(_ example: Example) throws {
        var account = ARISEAccount()
        account.zeroCost = example.mode
        (account.surchargeRate, account.cashDiscountRate) = (example.rate, example.rate)
        account.dualPricingRate = example.rate
        let (bench, request) = (ARISEBench(account), try example.request)
        let quote = try bench.play { client in try await client.pricing?.quote(request) }
        let preview = try example.preview.quote(request, from: "arise")
        for (tender, total) in example.totals {
            let part = try #require(quote?.tenders[tender])
            #expect(part.total.decimalText == total, "\(tender)")
            #expect(part.base == preview.tenders[tender]?.base)
            #expect(part.surcharge ?? .dollars(0) == preview.tenders[tender]?.surcharge ?? .dollars(0))
            #expect(part.discount ?? .dollars(0) == preview.tenders[tender]?.discount ?? .dollars(0))
        }
    }

    @Test func otherPoliciesGiveTheOtherReading() throws {
        for (rate, tip, due) in [("3", "10", "107.85"), ("3.5", "15", "113.33")] {
            var preview = ARISEPricing(.surcharge(try Rate(percent: rate)))
            preview.surchargeBase = .afterPercentageOff
            var request = QuoteRequest(try Money("100", .usd))
            (request.discountPercent, request.tip) = ("5", try Money(tip, .usd))
            #expect(try preview.quote(request, from: "arise").tenders[.credit]?.total.decimalText == due)
        }
        var preview = ARISEPricing(.surcharge(try Rate(percent: "3")))
        preview.surchargeBase = .includingTip
        var request = QuoteRequest(try Money("100", .usd))
        request.tip = try Money("10", .usd)
        #expect(try preview.quote(request, from: "arise").tenders[.credit]?.total.decimalText == "113.30")
    }

    @Test(arguments: [ARISEAccount.ZeroCost.noZeroCost, .cashDiscount, .dualPricing, .surcharge])
    func thePreviewFollowsTheSettings(_ mode: ARISEAccount.ZeroCost) throws {
        let bench = ARISEBench(mode)
        let driver = bench.driver
        let (settings, quote) = try bench.play { client in
            var request = QuoteRequest(.dollars(9_999))
            (request.tipPercent, request.discountPercent) = ("18", "1.5")
            if mode == .dualPricing { request.isCardPrice = false }
            return (try await client.settings?.read(), try await client.pricing?.quote(request))
        }
        var request = QuoteRequest(.dollars(9_999))
        (request.tipPercent, request.discountPercent) = ("18", "1.5")
        if mode == .dualPricing { request.isCardPrice = false }
        let preview = try driver.preview(try #require(settings)).quote(request, from: "arise")
        for tender in Tender.allCases {
            #expect(preview.tenders[tender]?.total == quote?.tenders[tender]?.total, "\(tender)")
        }
        #expect(throws: PaymentError(.configuration, outcome: .notExecuted)) { try ARISEPricing(MerchantSettings()) }
    }

    @Test func contradictionsAreRefusedBeforeAnythingIsAsked() throws {
        var twoTips = QuoteRequest(.dollars(10_000))
        (twoTips.tip, twoTips.tipPercent) = (.dollars(500), "5")
        let dual = ARISEPricing(.dualPricing(try Rate(percent: "3")))
        let invalid = PaymentError(.invalidRequest, outcome: .notExecuted)
        #expect(throws: invalid) { try dual.quote(QuoteRequest(.dollars(10_000)), from: "arise") }
        #expect(throws: invalid) { try ARISEPricing(.noZeroCost).quote(twoTips, from: "arise") }
        #expect(throws: invalid) { try Money("1.005", .usd) }
        let bench = ARISEBench(.dualPricing)
        #expect(bench.failure { _ = try await $0.pricing?.quote(.dollars(10_000)) } == invalid)
        #expect(bench.sent("calculate-amount").isEmpty)
    }

    @Test func aCardPriceOutsideOfDualPricingIsDroppedAndSaid() throws {
        let bench = ARISEBench(.surcharge)
        let quote = try bench.play { client in
            var request = QuoteRequest(.dollars(10_000))
            (request.discountPercent, request.surchargePercent) = ("5.0", "3.0")
            (request.tip, request.isCardPrice) = (.dollars(1_000), true)
            return try await client.pricing?.quote(request)
        }
        #expect(quote?.notes.count == 1)
        #expect(quote?.tenders[.credit]?.total == .dollars(10_800))
        #expect(try #require(bench.sent("calculate-amount").last).target.contains("useCardPrice") == false)
    }
}
