public import PaymentProviderKit

extension AdyenTerminalDriver {
    /// Reads a webhook's items, each with its own proof; a terminal's own event is a hint to ask.
    ///
    /// One bad item does not poison the others; a message without a single proven one is refused. Items with one signed
    /// content are one item, whatever their other members say. What is proven and about another account is acknowledged and
    /// only told of: the provider sends nothing more to this address until each message is acknowledged.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let body = try message.unprovenJSON()
        guard let items = NotificationItem.items(body) else { return try AdyenNotices.hints(body) }
        guard items.count <= Self.webhookItemsMax else {
            throw PaymentError.notExecuted(
                .unreadableReply, "the webhook has \(items.count) items; at most \(Self.webhookItemsMax) are read")
        }
        let proven = items.compactMap { NotificationItem($0) }.filter { isProven($0) }
        guard !proven.isEmpty else {
            throw PaymentError.notExecuted(
                .signatureInvalid, "no item of the webhook carries a proof that fits our keys")
        }
        var seen: Set<String> = []
        return try proven.flatMap { item in
            // What is signed is the same when a failed capture was made good, and only the reason shows that.
            let text = item.isRecapture ? "\(item.signedText):recaptured" : item.signedText
            let id = Hex.encode(try core.crypto.digest(.sha256, Array(text.utf8)))
            guard item.merchantAccount == core.configuration.merchant else {
                return seen.insert(id).inserted ? [AdyenNotices.ofAnother(item)] : []
            }
            let notices = AdyenNotices.notices(item, at: message.at, canAsk: core.kit == nil)
            // A copy that only makes a hint does not take the place of the item itself.
            let isHint = notices.allSatisfy { $0.verdict == nil }
            guard seen.insert(isHint ? "hint \(id)" : id).inserted else { return [ProviderNotice]() }
            return notices.map { notice in
                var notice = notice
                notice.id = id
                return notice
            }
        }
    }

    /// How many items of one webhook are read; the provider sends one.
    static var webhookItemsMax: Int { 100 }

    private func isProven(_ item: NotificationItem) -> Bool {
        guard let signature = item.signature, !item.isAmbiguous else { return false }
        return AdyenHMAC.isGenuine(
            Array(item.signedText.utf8), signature, core.configuration.webhookKeys, core.crypto)
    }

}

/// Webhook items → neutral news.
enum AdyenNotices {
    /// What an item says; the same news under our own name and under the provider's, since either may be all we have.
    ///
    /// A declined card does not decline the payment while its terminal can be asked: the shopper may take out another one.
    /// A charge of a saved card has no terminal and no second card. And what is refused under our name may be the second
    /// copy of a request whose first one was carried out: only the name that an answer gave distinguishes the two. What
    /// carries the terminal's own name keeps its verdict: the terminal may have approved just that without the issuer.
    ///
    /// The date is not signed. An item without a date that can be read is a hint, and a date in the future counts as the arrival,
    /// so that a stranger's copy is not later than what happens after it. A later failure counts as of its arrival: a copy with
    /// an earlier date would be older than the approval that failed. So would all of a machine whose clock is behind: its date
    /// counts where that is later, by a day at most.
    static func notices(_ item: NotificationItem, at arrival: Int64, canAsk: Bool) -> [ProviderNotice] {
        let at = Timestamp(item.eventDate)?.milliseconds
        let notices = news(item, at: at, arrival, canAsk: canAsk)
        return at == nil ? notices.map(\.asHint) : notices
    }

    /// What is proven and about another account than the configured one, in as many words.
    static func ofAnother(_ item: NotificationItem) -> ProviderNotice {
        var notice = ProviderNotice(.reference(item.pspReference, []), nil, at: nil, kind: item.eventCode)
        notice.otherAccount = item.merchantAccount.isEmpty ? "none" : item.merchantAccount
        return notice
    }

    /// For how long after a capture was made good, or a dispute was lost again, the failure before it may still come, in
    /// milliseconds: 90 days. A second failure has the first one's signed text, so that one alone is ever read. What a
    /// dispute that is won at last takes back comes after twice that.
    static let failureMilliseconds: Int64 = 7_776_000_000

    /// Whether a verdict takes back what was done: it is later than that, whatever its date is.
    private static func takesBack(_ verdict: Verdict?) -> Bool {
        switch verdict {
        case .declined(let decline)?: decline.reason == .failedAfterApproval
        case .cancelled(let cancellation)?: cancellation.wasReversed
        case .approved?, .pending?, nil: false
        }
    }

    /// When a later failure counts as said.
    private static func failure(_ date: Int64?, _ arrival: Int64) -> Int64 {
        max(arrival, min(date ?? arrival, arrival.addingReportingOverflow(clockErrorMilliseconds).partialValue))
    }

    /// By how much a machine's clock can be behind the date of a later failure, in milliseconds.
    private static let clockErrorMilliseconds: Int64 = 86_400_000

    private static func news(
        _ item: NotificationItem, at date: Int64?, _ arrival: Int64, canAsk: Bool
    ) -> [ProviderNotice] {
        meanings(item).map { meaning in
            guard canAsk, !item.isOfSaved, item.eventCode == "AUTHORISATION", item.success == "false",
                item.tender == nil
            else { return meaning }
            return Meaning(meaning.operations, nil)
        }.flatMap { (meaning: Meaning) in
            let original = item.originalReference.isEmpty ? nil : item.originalReference
            let instant =
                if item.isWonAtLast {
                    arrival.addingReportingOverflow(2 * failureMilliseconds).partialValue
                } else if takesBack(meaning.verdict) {
                    failure(date, arrival)
                } else if item.isRecapture || item.isSecondChargeback {
                    arrival.addingReportingOverflow(failureMilliseconds).partialValue
                } else { date.map { min($0, arrival) } }
            var notice: ProviderNotice
            // A failure of a terminal's reversal goes by the reversal's own name: the reference may be another try's.
            let isNamed = item.isOfReversal && item.success == "false" && original != nil
            // What a payment was called when it was sent counts, however the setting reads by now.
            if let attempt = try? AttemptID(AdyenMapping.attempt(in: item.merchantReference)), !isNamed {
                notice = ProviderNotice(.attempt(attempt), meaning.verdict, at: instant, kind: item.eventCode)
                notice.operations = meaning.operations
            } else {
                let subject = ProviderNotice.Subject.reference(item.pspReference, meaning.operations)
                notice = ProviderNotice(subject, meaning.verdict, at: instant, kind: item.eventCode)
            }
            (notice.original, notice.amount) = (original, amount(item))
            var notices = [notice]
            if item.originalReference.isEmpty, !item.merchantReference.isEmpty {
                // The back end's reference of a finished request may also be that of its next try: a hint to ask.
                let subject = ProviderNotice.Subject.reference(item.merchantReference, meaning.operations)
                notices.append(
                    ProviderNotice(subject, canAsk ? nil : meaning.verdict, at: instant, kind: item.eventCode))
            }
            return notices
        }
    }

    /// What an event means for which operations.
    struct Meaning {
        let operations: Set<PaymentOperation>
        let verdict: Verdict?

        init(_ operations: Set<PaymentOperation>, _ verdict: Verdict?) {
            (self.operations, self.verdict) = (operations, verdict)
        }
    }

    static func meanings(_ item: NotificationItem) -> [Meaning] {
        switch item.eventCode {
        case "AUTHORISATION": [Meaning([.sale, .authorize], authorisation(item))]
        case "AUTORESCUE", "CANCEL_AUTORESCUE": [Meaning([.sale, .authorize], rescueEnd(item))]
        // A capture that failed and was made good by the provider, which no person asked for.
        case "CAPTURE" where item.isRecapture: [Meaning([.capture, .sale], modification(item))]
        case "CAPTURE": [Meaning([.capture], modification(item))]
        // A sale is captured by the provider itself, and that can fail like our own capture.
        case "CAPTURE_FAILED": [Meaning([.capture, .sale], failedLater(item))]
        case "EXPIRE": [Meaning([.authorize], failedLater(item))]
        case "AUTHORISATION_ADJUSTMENT": [Meaning([.adjust], modification(item))]
        case "CANCELLATION", "TECHNICAL_CANCEL": [Meaning([.void], modification(item))]
        case "CANCEL_OR_REFUND":
            // A sale learns of it only while a part of it is being taken back.
            [Meaning([.void, .refund], modification(item)), Meaning([.sale, .authorize], takenBack(item))]
        case "REFUND": [Meaning([.refund], modification(item))]
        case "REFUND_WITH_DATA": [Meaning([.unlinkedRefund], modification(item))]
        case "REFUND_FAILED", "REFUNDED_REVERSED": [Meaning([.refund, .unlinkedRefund], failedLater(item))]
        case "VOID_PENDING_REFUND": [Meaning([.unlinkedRefund], voided(item))]
        // A lost dispute takes the money back, under the dispute's name, until it is reversed.
        case "CHARGEBACK", "SECOND_CHARGEBACK": [Meaning([.chargeback], modification(item))]
        case "CHARGEBACK_REVERSED", "PREARBITRATION_WON", "SCHEME_ARBITRATION_WON":
            [Meaning([.chargeback], failedLater(item))]
        // No document says which way the money goes at these ends. As a check, which moves nothing and follows no payment,
        // the journal raises it and books nothing.
        case "PREARBITRATION_LOST", "PREARBITRATION_ACCEPTED", "PREARBITRATION_DECLINED",
            "PREARBITRATION_ISSUER_WITHDRAWN", "SCHEME_ARBITRATION_LOST":
            [Meaning([.verify], amount(item).map { .approved(Approval($0, references: named(item))) })]
        default: [Meaning([], nil)]
        }
    }

    private static func modification(_ item: NotificationItem) -> Verdict? {
        switch item.success {
        case "true": amount(item).map { .approved(Approval($0, references: named(item))) }
        case "false":
            .declined(
                Decline(
                    isRefusalOfCopy(item) ? .duplicate : .declinedByProvider, provider: said(item),
                    references: named(item)))
        default: nil
        }
    }

    /// A terminal's reversal has no key, so that a copy of it is one more reversal, with a name of its own, and is refused since the
    /// first one left nothing: that says nothing about the first.
    private static func isRefusalOfCopy(_ item: NotificationItem) -> Bool {
        item.isOfReversal && item.reason.lowercased().hasPrefix("insufficient balance")
    }

    /// A failure that arrives as a success: what was done before has come to nothing.
    private static func failedLater(_ item: NotificationItem) -> Verdict? {
        item.success == "true"
            ? .declined(Decline(.failedAfterApproval, provider: said(item), references: named(item))) : nil
    }

    /// The end of the provider's own tries with a refused stored card. A try that succeeds has its own AUTHORISATION.
    private static func rescueEnd(_ item: NotificationItem) -> Verdict? {
        let isInVain = item.eventCode == "AUTORESCUE" ? item.success == "false" : item.success == "true"
        return isInVain ? .declined(Decline(.unmapped, provider: said(item))) : nil
    }

    private static func voided(_ item: NotificationItem) -> Verdict? {
        guard item.success == "true" else { return nil }
        return .cancelled(
            Cancellation(cause: .merchant, provider: said(item), references: named(item), wasReversed: true))
    }

    private static func takenBack(_ item: NotificationItem) -> Verdict? {
        switch item.success {
        case "true":
            return .cancelled(
                Cancellation(cause: .customer, provider: said(item), references: named(item), wasReversed: true))
        default: return nil
        }
    }

    private static func authorisation(_ item: NotificationItem) -> Verdict? {
        var references: PaymentReferences = [AdyenMapping.Name.psp: item.pspReference]
        if let tender = item.tender {
            references[AdyenMapping.Name.tender] = tender
            references[AdyenMapping.Name.transaction] = "\(tender).\(item.pspReference)"
        }
        if let terminal = (item.additional?.member("terminalId") ?? item.additional?.member("uniqueTerminalId"))?.text {
            references[AdyenMapping.Name.terminal] = terminal
        }
        switch item.success {
        case "true": return amount(item).map { .approved(Approval($0, references: references)) }
        case "false" where item.isTriedAgain: return nil
        case "false": return .declined(Decline(.unmapped, provider: said(item), references: references))
        default: return nil
        }
    }

    static func amount(_ item: NotificationItem) -> Money? {
        guard let units = Int64(item.amountValue) else { return nil }
        return try? AdyenAmounts.money(units, item.currency)
    }

    private static func named(_ item: NotificationItem) -> PaymentReferences {
        [AdyenMapping.Name.modification: item.pspReference]
    }

    private static func said(_ item: NotificationItem) -> ProviderMessage {
        ProviderMessage(code: item.eventCode, message: item.reason)
    }

    /// What a terminal sent on its own: unsigned, so that it only makes us ask. What it shows or reports that is about no
    /// attempt says nothing.
    static func hints(_ body: JSON) throws(PaymentError) -> [ProviderNotice] {
        guard let message = NexoMessage(body) else {
            throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read")
        }
        let name = message.body.member("SaleData", "SaleTransactionID", "TransactionID")?.text
        guard message.isReply, let attempt = name.flatMap({ try? AttemptID(AdyenMapping.attempt(in: $0)) })
        else { return [] }
        return [ProviderNotice(.attempt(attempt), nil, at: nil, kind: message.header.category.rawValue)]
    }
}
