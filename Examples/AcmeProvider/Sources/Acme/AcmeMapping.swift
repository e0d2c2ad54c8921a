import PaymentAbstraction
import PaymentBase

/// Domain ⇄ wire, as pure functions.
enum AcmeMapping {
    static func body(_ request: SaleRequest, _ card: KeyedCard, _ attempt: AttemptID) -> JSON {
        [
            "order": .string(attempt.text), "minor": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code),
            "card": [
                "number": .string(card.number.expose()), "expiry": .string("\(card.expiryMonth)/\(card.expiryYear)"),
            ],
        ]
    }

    /// What Acme said, as a verdict; a result that is in no table proves nothing.
    static func verdict(_ body: JSON?, about attempt: AttemptID) throws(PaymentError) -> Verdict {
        guard let sale = AcmeSale(body), sale.order == attempt.text else {
            throw PaymentError(.unreadableReply, outcome: .unknown, detail: "the answer is about no sale of ours")
        }
        let references: PaymentReferences = ["sale": sale.sale ?? ""]
        switch sale.result {
        case "paid":
            guard let minor = sale.minor, let currency = sale.currency.flatMap({ Currency.known($0) }) else {
                throw PaymentError(.unreadableReply, outcome: .unknown, detail: "the answer names no amount")
            }
            return .approved(Approval(Money(minorUnits: minor, currency), references: references))
        case "refused":
            return .declined(Decline(reason(sale.why), provider: ProviderMessage(code: sale.why, message: "")))
        default:
            throw PaymentError(.unreadableReply, outcome: .unknown, detail: "the result is in no table")
        }
    }

    private static func reason(_ why: String) -> DeclineReason {
        switch why {
        case "funds": .insufficientFunds
        case "lost": .lostCard
        case "expired": .expiredCard
        case "no": .doNotHonor
        default: .unlisted
        }
    }
}
