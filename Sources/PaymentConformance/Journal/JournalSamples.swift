package import PaymentAbstraction

/// Contents with everything in them that a journal may hold.
package enum JournalSamples {
    /// Verdicts: at least one of each kind, bare and full.
    package static let verdicts: [Verdict] = {
        var decline = Decline(
            DeclineReason(rawValue: "of their own"), provider: ProviderMessage(code: "Z9", message: "no 💳"),
            references: ["a": "1"])
        (decline.card, decline.receipt) = (card, receipt)
        let said = ProviderMessage(code: "c", message: "m")
        return [
            .approved(Approval(.cents(100))), .approved(full), .declined(decline),
            .declined(Decline(.lostCard, provider: ProviderMessage(code: ""))),
            .cancelled(Cancellation(by: .timeout)),
            .cancelled(Cancellation(by: .init(rawValue: "their own"), provider: said, references: ["x": "y"])),
            .pending(Pending(lookAgain: false)),
            .pending(Pending(references: ["p": "q", "": "ü"], provider: said, lookAgain: true)),
        ]
    }()

    private static let card: CardSummary = {
        var card = CardSummary(brand: "visa", last4: "4242")
        (card.expiry, card.entry, card.funding, card.issuerCountry) = ("12/30", "chip", "credit", "DE")
        return card
    }()

    private static let receipt: Receipt = {
        var merchant = MerchantBlock()
        (merchant.name, merchant.address, merchant.phone) = ("Käse & Wein", "Weg 1", "+49")
        (merchant.email, merchant.website) = ("a@b", "https://b")
        (merchant.merchantID, merchant.terminalID) = ("m", "t-1")
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.responseText) = ("A1", "00", "APPROVED\nthanks")
        (receipt.retrievalReference, receipt.at, receipt.verification) = ("r", .max, "pin")
        (receipt.signatureRequired, receipt.merchant) = (true, merchant)
        receipt.addressCheck = AddressCheck(code: "Y", action: "allow", result: "match")
        receipt.add([EMVTag("9F26", "00FF"), EMVTag("95", "0000008000")])
        receipt.lines = [
            ReceiptLine(.customer, "Total", value: "1.00", key: "total", isBold: true), .init(.merchant, ""),
        ]
        var breakdown = AmountBreakdown(base: .cents(90), total: .cents(100))
        (breakdown.discount, breakdown.cashDiscount, breakdown.tax) = (.cents(1), .cents(2), .cents(4))
        (breakdown.tip, breakdown.surcharge, breakdown.rates) = (.cents(7), .cents(3), ["surcharge": "3.333"])
        receipt.breakdown = breakdown
        return receipt
    }()

    private static let full: Approval = {
        var full = Approval(.cents(100), references: ["a": "1", "b": "2"], card: card, receipt: receipt)
        (full.isPartial, full.isOffline, full.isDryRun) = (true, true, true)
        full.saved = SavedInstrument(.init(rawValue: "i-1"), card: card)
        full.saved?.customer = "c-1"
        return full
    }()
}
