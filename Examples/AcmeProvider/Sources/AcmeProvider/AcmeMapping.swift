import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum AcmeMapping {
    static func body(_ request: SaleRequest, _ card: KeyedCard, _ attempt: AttemptID) -> JSON {
        [
            "order": .string(attempt.text), "minor": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code),
            "card": [
                "number": .string(card.number.expose()),
                "expiry": .string("\(card.expiryMonth)/\(card.expiryYear)"),
            ],
        ]
    }

    /// What Acme said, as a verdict; a result that is in no table proves nothing.
    static func verdict(_ body: JSON?, about attempt: AttemptID) throws(PaymentError) -> Verdict {
        guard let sale = AcmeSale(body), sale.order == attempt.text else {
            throw PaymentError.unknown(.unreadableReply, "The reply names no sale, or another one.")
        }
        let references: PaymentReferences = ["sale": sale.sale ?? ""]
        switch sale.result {
        case "paid":
            guard let minor = sale.minor, let currency = sale.currency.flatMap({ Currency.known($0) }) else {
                throw PaymentError.unknown(.unreadableReply, "the answer names no amount")
            }
            // An amount that no payment has is an answer that can't be read.
            let amount = try Money(minorUnits: minor, currency).believable()
            return .approved(Approval(amount, references: references))
        case "refused":
            let reason = reasons[sale.why] ?? .unmapped
            return .declined(Decline(reason, provider: ProviderMessage(code: sale.why, message: "")))
        default: throw PaymentError.unmapped(sale.result)
        }
    }

    /// What its words for refused cards mean.
    static let reasons: [String: Decline.Reason] = [
        "funds": .insufficientFunds, "lost": .lostCard, "expired": .expiredCard, "no": .doNotHonor,
    ]
}
