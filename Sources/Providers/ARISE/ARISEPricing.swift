public import PaymentAbstraction

/// The exact local preview of what ARISE would charge per tender; the provider's own calculation decides.
public struct ARISEPricing: Hashable, Sendable {
    /// How the costs of card payments are passed on.
    public enum Mode: Hashable, Sendable {
        /// Every tender costs the same.
        case noZeroCost
        /// Cash costs less by a rate.
        case cashDiscount(Rate)
        /// Cards have a price of their own, higher by a rate.
        case dualPricing(Rate)
        /// Credit cards cost more by a rate.
        case surcharge(Rate)
    }

    /// Which amount a surcharge is a percentage of.
    public enum SurchargeBase: String, Hashable, Sendable, CaseIterable {
        /// The amount before anything is taken off; both published examples follow it.
        case originalBase
        /// What is left after the percentage off.
        case afterPercentageOff
        /// What is left after the percentage off, with the tip.
        case includingTip
    }

    /// How the costs of card payments are passed on.
    public let mode: Mode
    /// Which amount a surcharge is a percentage of.
    public var surchargeBase = SurchargeBase.originalBase

    /// Makes a preview of one mode.
    public init(_ mode: Mode) { self.mode = mode }

    /// Makes a preview of what the provider has on record.
    ///
    /// - Throws: `configuration`, nothing moved, when the pricing is not one of the four or its rate is missing.
    public init(_ settings: MerchantSettings) throws(PaymentError) {
        func rate(_ name: String) throws(PaymentError) -> Rate {
            guard let text = settings.rates[name] else {
                throw PaymentError.notExecuted(.configuration, "ARISE names no rate of \(name)")
            }
            return try Rate(percent: text)
        }
        switch settings.pricing.flatMap({ ARISESettings.ZeroCost(rawValue: $0) }) {
        case .noZeroCost: self.init(.noZeroCost)
        case .cashDiscount: self.init(.cashDiscount(try rate("cashDiscount")))
        case .dualPricing: self.init(.dualPricing(try rate("dualPricing")))
        case .surcharge: self.init(.surcharge(try rate("surcharge")))
        case nil:
            throw PaymentError.notExecuted(.configuration, "ARISE's pricing is none of the four")
        }
    }

    /// The tenders with their names on the wire.
    static let members: [(Tender, String)] = [
        (.cash, "cash"), (.bankAccount, "ach"), (.debit, "debitCard"), (.credit, "creditCard"),
    ]

    /// The price per tender.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when inputs contradict each other or a rate can't be read.
    public func quote(_ request: QuoteRequest, from provider: ProviderID) throws(PaymentError) -> Quote {
        var isDual = false
        if case .dualPricing = mode { isDual = true }
        let notes = try Self.check(request, dual: isDual)
        var tenders: [Tender: AmountBreakdown] = [:]
        for tender in Tender.allCases { tenders[tender] = try price(request, tender) }
        var quote = Quote(provider, tenders)
        quote.notes = notes
        return quote
    }

    /// Refuses inputs that contradict each other; says what is left out.
    static func check(_ request: QuoteRequest, dual isDual: Bool) throws(PaymentError) -> [String] {
        func invalid(_ detail: String) -> PaymentError {
            PaymentError.notExecuted(.invalidRequest, detail)
        }
        guard request.amount.minorUnits > 0 else { throw invalid("a price is computed of more than nothing") }
        let tipRate = try request.tipPercent.map { text throws(PaymentError) in try Rate(percent: text) }
        _ = try request.discountPercent.map { text throws(PaymentError) in try Rate(percent: text) }
        _ = try request.surchargePercent.map { text throws(PaymentError) in try Rate(percent: text) }
        if let tip = request.tip, !tip.isZero, let tipRate, !tipRate.isZero {
            throw invalid("give the tip as an amount or as a percentage, not both")
        }
        if isDual, request.isCardPrice == nil {
            throw invalid("with dual pricing, say whether the amount is the card price (`isCardPrice`)")
        }
        if !isDual, request.isCardPrice != nil {
            return ["isCardPrice was left out: only dual pricing has two prices"]
        }
        return []
    }

    private func price(_ request: QuoteRequest, _ tender: Tender) throws(PaymentError) -> AmountBreakdown {
        let isCard = tender == .debit || tender == .credit
        var base = request.amount
        if case .dualPricing(let rate) = mode {
            switch (request.isCardPrice ?? true, isCard) {
            case (true, false): base = try rate.withoutMarkUp(base)
            case (false, true): base = try rate.markedUp(base)
            case (true, true), (false, false): break
            }
        }
        var price = AmountBreakdown(base: base, total: base)
        let off = try share(request.discountPercent, of: base, "discount", &price)
        let net = try base.subtracting(off ?? .zero(base.currency))
        price.discount = off
        if case .cashDiscount(let rate) = mode, !isCard {
            price.cashDiscount = try rate.share(of: net)
            price.rates["cashDiscount"] = rate.percentText
        }
        price.tip = request.tip
        if price.tip == nil { price.tip = try share(request.tipPercent, of: base, "tip", &price) }
        if case .surcharge(let standard) = mode, tender == .credit {
            let rate = try request.surchargePercent.map { text throws(PaymentError) in try Rate(percent: text) }
            price.surcharge = try (rate ?? standard).share(of: try surchargeable(base, net, price.tip))
            price.rates["surcharge"] = (rate ?? standard).percentText
        }
        price.total = try net.subtracting(price.cashDiscount ?? .zero(base.currency))
        for part in [price.surcharge, price.tip] { price.total = try price.total.adding(part ?? .zero(base.currency)) }
        return price
    }

    private func surchargeable(_ base: Money, _ net: Money, _ tip: Money?) throws(PaymentError) -> Money {
        switch surchargeBase {
        case .originalBase: base
        case .afterPercentageOff: net
        case .includingTip: try net.adding(tip ?? .zero(net.currency))
        }
    }

    private func share(
        _ percent: String?, of base: Money, _ name: String, _ price: inout AmountBreakdown
    ) throws(PaymentError) -> Money? {
        guard let percent else { return nil }
        let rate = try Rate(percent: percent)
        price.rates[name] = rate.percentText
        return try rate.share(of: base)
    }
}
