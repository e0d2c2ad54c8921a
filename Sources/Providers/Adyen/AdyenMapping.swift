internal import PaymentAbstraction
internal import PaymentBase

/// Domain ⇄ wire, as pure functions.
enum AdyenMapping {
    /// What a terminal said about a payment, as a verdict; an unlisted result or condition proves nothing.
    ///
    /// - Throws: ``AdyenFailure`` where it says that nothing was done, or nothing that can be judged.
    static func verdict(_ reply: PaymentReply, asked: Money, isRefund: Bool = false) throws -> Verdict {
        switch reply.response.result {
        case "Success", "Partial":
            return isRefund ? try refund(reply) : try approval(reply, asked: asked)
        case "Failure": return try failure(reply)
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }

    private static func approval(_ reply: PaymentReply, asked: Money) throws -> Verdict {
        let references = references(reply)
        // The back office's name is enough: without the terminal's own it is given back there.
        guard [Name.transaction, Name.tender, Name.psp].contains(where: { references[$0] != nil }) else {
            throw AdyenFailure.unreadable("the approval does not say what it is called")
        }
        // A tip that no payment has makes the whole answer one that can't be read.
        if let tip = reply.tipAmount { _ = try AdyenAmounts.money(tip, reply.currency, asked: asked.currency) }
        var approval = Approval(try amount(reply, asked: asked), references: references, card: card(reply))
        approval.isPartial = reply.response.result == "Partial"
        approval.isOffline = isOffline(reply)
        guard approval.isOffline || references[Name.psp] != nil else {
            throw AdyenFailure.unreadable("the approval has no name in the back office and is not offline")
        }
        approval.receipt = AdyenReceipts.receipt(reply, approval.amount)
        approval.saved = saved(reply, approval.card)
        return .approved(approval)
    }

    /// The same about a payment that was asked for with a tip: the shopper may have changed the tip at the terminal, or
    /// declined it. An answer whose own parts say something else than what was asked for without the tip stays as it is,
    /// so that the difference is noticed.
    static func tipped(_ verdict: Verdict, asked: Money, tip: Money?) -> Verdict {
        guard case .approved(var approval) = verdict, !approval.isPartial, let tip, !tip.isZero,
            let least = try? asked.subtracting(tip), approval.amount.currency == least.currency,
            approval.amount.minorUnits >= least.minorUnits,
            approval.receipt?.breakdown.map({ $0.base == least }) ?? true
        else { return verdict }
        approval.isPartial = approval.amount != asked
        return .approved(approval)
    }

    private static func failure(_ reply: PaymentReply) throws -> Verdict {
        let response = reply.response
        if AdyenDeclineCodes.isDecline(response) {
            let (reason, said) = AdyenDeclineCodes.decline(response)
            var decline = Decline(reason, provider: said, references: references(reply))
            decline.card = card(reply)
            decline.receipt = AdyenReceipts.receipt(reply, nil)
            return .declined(decline)
        }
        if AdyenDeclineCodes.isCancellation(response) {
            let said = ProviderMessage(code: response.condition, message: response.message)
            return .cancelled(
                Cancellation(cause: AdyenDeclineCodes.cause(response), provider: said, references: references(reply)))
        }
        throw AdyenFailure.refused(response)
    }

    /// A refund by card was received, whatever stands beside: the acquirer's own code is listed for every answer, so
    /// that it proves nothing. A webhook says what became of it.
    private static func refund(_ reply: PaymentReply) throws -> Verdict {
        guard reply.response.result == "Success" else { throw AdyenFailure.unreadable("a refund in part") }
        let references = references(reply)
        guard references[Name.psp] != nil else {
            throw AdyenFailure.unreadable("the refund was received and has no name to wait for")
        }
        return .pending(Pending(references: references, shouldPoll: false))
    }

    /// What a terminal said about a refund to the original: received, and never more than that.
    static func reversal(_ reply: PaymentReply) throws -> Verdict {
        switch reply.response.result {
        case "Success":
            // Without a name of its own the webhook still carries ours: what it says is believed, but for a refusal, which
            // may be a second copy's. A terminal's names are a tender and, behind a dot, the name that webhooks have.
            let name = reply.poiTransactionID?.split(separator: ".").last.map { String($0) }
            return .pending(
                Pending(references: name.map { [Name.modification: $0] } ?? [:], shouldPoll: false))
        case "Failure": return try failure(reply)
        default: throw AdyenFailure.unreadable("the result is in no table")
        }
    }

    /// What the back office answered: received, and never more than that.
    static func verdict(_ reply: ModificationReply?, reference: AttemptID, asked: JSON?) throws -> Verdict {
        guard let reply, reply.isReceived else {
            throw AdyenFailure.unreadable("the answer does not say that the request was received")
        }
        if let units = reply.minorUnits, let due = asked?.member("value")?.whole, units != due {
            throw AdyenFailure.stranger
        }
        if let code = reply.currency, let due = asked?.member("currency")?.text, code != due {
            throw AdyenFailure.stranger
        }
        // A reference may come back shortened.
        if let echoed = reply.reference, echoed.isEmpty || !reference.text.hasPrefix(echoed) {
            throw AdyenFailure.stranger
        }
        return .pending(Pending(references: [Name.modification: reply.pspReference], shouldPoll: false))
    }

    /// The amount that was approved: from the answer's own figure, else from what the payment service adds. Where both
    /// are there and differ, something was added at the terminal, and the webhook says what was charged.
    private static func amount(_ reply: PaymentReply, asked: Money) throws(PaymentError) -> Money {
        let additional = reply.response.additional
        let units = try additional["posAuthAmountValue"].map { text throws(PaymentError) in
            guard let units = Int64(text) else { throw AdyenAmounts.unreadable("the amount beside can't be read") }
            return units
        }
        let code = additional["posAuthAmountCurrency"]
        let charged: Money? = if let units, let code { try AdyenAmounts.money(units, code) } else { nil }
        guard let decimal = reply.authorizedAmount else {
            guard let charged else { throw AdyenAmounts.unreadable("the approval names no amount") }
            return charged
        }
        let said = try AdyenAmounts.money(decimal, reply.currency, asked: asked.currency)
        if let charged, charged.currency == said.currency, charged != said {
            throw PaymentError.unknown(
                .mismatch,
                "the approval names both \(said) and \(charged); see gratuities and surcharge in the terminal's settings"
            )
        }
        return said
    }

    private static func isOffline(_ reply: PaymentReply) -> Bool {
        reply.response.additional["offline"]?.lowercased() == "true"
            || reply.pspReference == nil && reply.isOnline == false
    }

    /// The names under which references and notes are kept.
    enum Name {
        /// What the terminal calls the payment.
        static let transaction = "transaction"
        /// What the terminal calls a payment that the back office has no name for yet; its webhooks carry it.
        static let tender = "tender"
        /// When the terminal made it, which belongs to its name.
        static let transactionTime = "transactionTime"
        /// What the back office calls the payment.
        static let psp = "psp"
        /// What the back office calls a later operation.
        static let modification = "modification"
        /// The terminal that took it.
        static let terminal = "terminal"
        /// The message that asked for it.
        static let message = "message"
        /// What a finished request calls itself, where that is not our own name.
        static let sale = "sale"
        /// The phone that was asked, which can't be asked what became of it.
        static let phone = "phone"
        /// The back office was asked for a refund, which has no message's name.
        static let office = "office"
        /// The payment that is being taken back because only a part was approved.
        static let reversing = "reversing"
        /// Those that one operation alone has.
        static let naming: Set<String> = [tender, psp, modification]
    }

    static func references(_ reply: PaymentReply) -> PaymentReferences {
        var references: PaymentReferences = [:]
        if let time = reply.poiTimestamp { references[Name.transactionTime] = time }
        if let psp = reply.pspReference ?? reply.response.additional["pspReference"], !psp.isEmpty {
            references[Name.psp] = psp
        }
        if let name = reply.poiTransactionID, !name.isEmpty {
            // Without a name of the back office's it is the tender's alone, which a webhook carries later.
            references[name.contains(".") || references[Name.psp] != nil ? Name.transaction : Name.tender] = name
        }
        return references
    }

    static func card(_ reply: PaymentReply) -> CardSummary? {
        let additional = reply.response.additional
        guard reply.card != nil || additional["cardType"] != nil else { return nil }
        var card = CardSummary(
            brand: reply.card?.member("PaymentBrand")?.text ?? additional["paymentMethod"],
            maskedNumber: reply.card?.member("MaskedPan")?.text, last4: nil)
        if card.last4 == nil, let digits = additional["cardSummary"] {
            card = CardSummary(brand: card.brand, last4: digits)
        }
        card.entry = reply.card?.member("EntryMode")?.items.compactMap(\.text).first.map(entry)
        card.expiry = expiry(reply, additional)
        card.funding = additional["fundingSource"]?.lowercased()
        card.issuerCountry = additional["issuerCountry"] ?? reply.card?.member("CardCountryCode")?.text
        card.holder = additional["cardHolderName"].map { PersonalData($0) }
        return card
    }

    private static func entry(_ mode: String) -> String {
        switch mode {
        case "Contactless", "Tapped", "RFID": "contactless"
        case "ICC", "SynchronousICC": "chip"
        case "MagStripe": "swipe"
        case "Keyed", "Manual": "keyed"
        default: mode
        }
    }

    private static func expiry(_ reply: PaymentReply, _ additional: AdditionalResponse) -> String? {
        if let month = additional["expiryMonth"], let year = additional["expiryYear"], year.count >= 2 {
            return (month.count == 1 ? "0" + month : month) + "/" + year.suffix(2)
        }
        guard let short = reply.card?.member("SensitiveCardData", "ExpiryDate")?.text, short.count == 4 else {
            return nil
        }
        return short.prefix(2) + "/" + short.suffix(2)
    }

    private static func saved(_ reply: PaymentReply, _ card: CardSummary?) -> SavedInstrument? {
        let additional = reply.response.additional
        let token =
            reply.card?.member("PaymentToken", "TokenValue")?.text ?? additional["tokenization.storedPaymentMethodId"]
            ?? additional["recurring.recurringDetailReference"]
        guard let token, !token.isEmpty else { return nil }
        let customer =
            additional["tokenization.shopperReference"] ?? additional["recurring.shopperReference"]
            ?? additional["shopperReference"]
        var saved = SavedInstrument(instrument(token, customer), card: card)
        saved.customer = customer
        return saved
    }
}
