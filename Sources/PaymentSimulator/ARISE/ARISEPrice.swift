internal import PaymentBase

/// What an amount is made of at the simulated ARISE: cents, and rates in percent times ten thousand.
struct ARISEPrice: Sendable {
    var base: Int64 = 0
    var off: Int64 = 0
    var offRate: Int64 = 0
    var cashDiscount: Int64 = 0
    var cashDiscountRate: Int64 = 0
    var surcharge: Int64 = 0
    var surchargeRate: Int64 = 0
    var tip: Int64 = 0
    var tipRate: Int64 = 0

    var total: Int64 { base - off - cashDiscount + surcharge + tip }

    /// The largest rate that can be asked for: a thousand percent. No price made of it comes near where numbers end.
    static let rateMax: Int64 = 10_000_000

    /// A rate as it is asked for; nil where there is no such.
    static func askedRate(_ number: JSONNumber?) -> Int64? {
        number?.scaled(places: 4).flatMap { (-rateMax...rateMax).contains($0) ? $0 : nil }
    }

    /// What is asked for before the price is made.
    struct Ask: Sendable {
        var amount: Int64 = 0
        var offRate: Int64 = 0
        /// Nil for the merchant's own.
        var surchargeRate: Int64?
        var tip: Int64?
        var tipRate: Int64 = 0
        var useCardPrice: Bool?
    }

    /// The tenders that an answer has.
    static let tenders = ["cash", "creditCard", "debitCard", "ach"]
    private static let whole: Int64 = 1_000_000

    /// A part of an amount, a half away from zero.
    static func share(_ amount: Int64, _ rate: Int64) -> Int64 { divided(amount * rate, whole) }

    static func divided(_ product: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
        return quotient + (rest * 2 >= divisor ? 1 : 0)
    }

    /// Percent as it stands on the wire.
    static func rate(_ text: String) -> Int64 { (try? JSONNumber(text))?.scaled(places: 4) ?? 0 }

    /// The price for one tender.
    init(_ ask: Ask, _ tender: String, _ account: ARISEAccount) {
        let isCard = tender == "creditCard" || tender == "debitCard"
        let dual = Self.rate(account.dualPricingRate)
        switch (account.zeroCost, ask.useCardPrice) {
        case (.dualPricing, true?) where !isCard: base = Self.divided(ask.amount * Self.whole, Self.whole + dual)
        case (.dualPricing, false?) where isCard: base = Self.divided(ask.amount * (Self.whole + dual), Self.whole)
        default: base = ask.amount
        }
        offRate = ask.offRate
        off = Self.share(base, offRate)
        if account.zeroCost == .cashDiscount, !isCard {
            cashDiscountRate = Self.rate(account.cashDiscountRate)
            cashDiscount = Self.share(base - off, cashDiscountRate)
        }
        if account.zeroCost == .surcharge, tender == "creditCard" {
            surchargeRate = ask.surchargeRate ?? Self.rate(account.surchargeRate)
            surcharge = Self.share(base, surchargeRate)
        }
        tipRate = ask.tip == nil ? ask.tipRate : 0
        tip = ask.tip ?? Self.share(base, tipRate)
    }

    init() {}

    /// An amount to which nothing is added.
    init(whole: Int64) { base = whole }

    /// The amounts as a list has them; receipts and details have no taxes.
    var json: JSON { receipt.adding("taxAmount", Self.none(2)).adding("taxRate", Self.none(4)) }

    private static func none(_ places: Int) -> JSON { .number(JSONNumber(units: 0, places: places)) }

    var receipt: JSON {
        func cents(_ value: Int64) -> JSON { .number(JSONNumber(units: value, places: 2)) }
        func percent(_ value: Int64) -> JSON { .number(JSONNumber(units: value, places: 4)) }
        return [
            "baseAmount": cents(base), "percentageOffAmount": cents(off), "percentageOffRate": percent(offRate),
            "cashDiscountAmount": cents(cashDiscount), "cashDiscountRate": percent(cashDiscountRate),
            "surchargeAmount": cents(surcharge), "surchargeRate": percent(surchargeRate), "tipAmount": cents(tip),
            "tipRate": percent(tipRate), "totalAmount": cents(total),
        ]
    }
}
