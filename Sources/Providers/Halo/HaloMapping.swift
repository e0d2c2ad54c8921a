internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum HaloMapping {
    /// Whether the answer asks for a PIN: the body decides, not the status.
    static func wantsPIN(_ answer: HaloAnswer) -> Bool {
        answer.type == "Declined" && (answer.errorCode == "65" || answer.wantsPIN && answer.errorCode != "211")
    }

    /// The issuer's codes for an approval of less than was asked, and for one that was completed in part.
    private static let parts: Set<String> = ["10", "32"]
    /// Whether the issuer approved less than was asked.
    static func isPart(_ answer: HaloAnswer) -> Bool { answer.type == "Approved" && parts.contains(answer.isoCode) }

    /// The same of a record, or of the receipt in it.
    static func isPart(_ record: HaloRecord) -> Bool {
        let printed = record.receipt?["isoResponseCode"].flatMap { $0.string ?? $0.number?.text } ?? ""
        return record.disposition == "Approved" && (parts.contains(record.responseCode) || parts.contains(printed))
    }
    /// Numbers that say of a payment that it came before, wherever they are.
    private static let repeats: Set<String> = ["110", "124", "213"]

    /// What became of a tap; an unlisted type proves nothing.
    static func verdict(
        _ answer: HaloAnswer, _ asked: Money, _ unit: HaloConfiguration.ReplyAmounts
    ) throws -> Verdict {
        if repeats.contains(answer.errorCode) { throw ProviderCodeError(answer.errorCode) }
        guard answer.type == "Approved" else { return try open(answer, "transaction") }
        guard answer.errorCode.isEmpty || answer.errorCode == "0", let name = answer.name else {
            throw PaymentError.unmapped(answer.type)
        }
        var approval = Approval(
            try approved(answer, asked, unit), references: ["transaction": name], card: card(answer),
            receipt: receipt(answer))
        approval.isPartial = parts.contains(answer.isoCode) && approval.amount.minorUnits < asked.minorUnits
        return .approved(approval)
    }

    /// The amount that an approval names. The published answers name none: one on our own connection is then about
    /// what our own reader has read, unless the issuer says that it is about a part.
    private static func approved(
        _ answer: HaloAnswer, _ asked: Money, _ unit: HaloConfiguration.ReplyAmounts
    ) throws(PaymentError) -> Money {
        let currency = answer.currency.map { Currency.known($0) } ?? asked.currency
        if !answer.hasAmount, currency == asked.currency, !parts.contains(answer.isoCode) { return asked }
        guard let currency, let amount = answer.amount else {
            throw .unknown(.mismatch, "the answer doesn't say how much was approved")
        }
        let (minor, major) = (amount.int64, amount.scaled(places: currency.exponent))
        guard let units = unit == .minor ? minor : major else {
            throw .unknown(.mismatch, "the answer's amount is not in the unit that the setting answerAmounts names")
        }
        let other = unit == .minor ? major : minor
        if units != asked.minorUnits, other == asked.minorUnits, currency == asked.currency {
            throw .unknown(.mismatch, "the answer's amount fits another unit than the setting answerAmounts names")
        }
        guard !parts.contains(answer.isoCode) || currency != asked.currency || units < asked.minorUnits else {
            throw .unknown(.mismatch, "a part was approved, and the answer doesn't say how much it is")
        }
        return try Money(minorUnits: units, currency).believable()
    }

    /// What became of a refund of the back office, whose answer names no amount.
    static func verdict(ofRefund answer: HaloAnswer, _ amount: Money) throws -> Verdict {
        if repeats.contains(answer.errorCode) { throw ProviderCodeError(answer.errorCode) }
        guard answer.type == "Approved" else { return try open(answer, "refund") }
        guard answer.errorCode.isEmpty || answer.errorCode == "0" else { throw PaymentError.unmapped(answer.type) }
        let references = answer.name.map { ["refund": $0] } ?? [:]
        return .approved(Approval(amount, references: references, receipt: receipt(answer)))
    }

    private static func open(_ answer: HaloAnswer, _ name: String) throws(PaymentError) -> Verdict {
        let references = answer.name.map { [name: $0] } ?? [:]
        let said = ProviderMessage(code: answer.errorCode, message: answer.message)
        switch answer.type {
        case "Declined":
            let reason = Self.reasons[answer.errorCode] ?? .init(issuerResponse: HaloAnswer.code(answer.isoCode))
            return .declined(decline(answer, reason, name))
        case "DeclinedOffline": return .declined(decline(answer, .declinedOffline, name))
        case "Voided":
            return .cancelled(Cancellation(cause: .provider, provider: said, references: references, wasReversed: true))
        case "Indeterminate", "UnableToGoOnline":
            return .pending(Pending(references: references, provider: said, shouldPoll: false))
        default: throw .unmapped(answer.type)
        }
    }

    /// A decline with the issuer's own code, else the provider's.
    static func decline(_ answer: HaloAnswer, _ reason: Decline.Reason, _ name: String = "transaction") -> Decline {
        let code = answer.isoCode.isEmpty ? answer.errorCode : HaloAnswer.code(answer.isoCode)
        let references = answer.name.map { [name: $0] } ?? [:]
        let said = ProviderMessage(code: code, message: answer.message)
        var decline = Decline(reason, provider: said, references: references)
        decline.card = card(answer)
        return decline
    }

    /// Refusals that are about the card, or about the time of a refund, and not about the request.
    static func decline(_ status: Int, _ said: HaloRefusal) -> Decline? {
        let refusals: [String: Decline.Reason] = [
            "1": .declinedByProvider, "2": .declinedOffline, "209": .declinedByProvider, "211": .incorrectPIN,
            // Of a refund; a copy of one that was done gets 213.
            "212": .notPermitted,
        ]
        guard status < 500, let reason = refusals[said.code] else { return nil }
        return Decline(reason, provider: ProviderMessage(code: said.code, message: said.message))
    }

    /// The same; throws a refusal that is about something else.
    static func decline(_ refusal: HTTPErrorResponse) throws -> Decline {
        guard let decline = decline(refusal.status, HaloRefusal(refusal.body)) else { throw refusal }
        return decline
    }

    /// The provider's own numbers that are about the card, whatever the issuer says.
    static let reasons: [String: Decline.Reason] = [
        "2": .declinedOffline, "65": .pinRequired, "211": .incorrectPIN, "414": .incorrectPIN, "510": .incorrectPIN,
    ]

    /// What a record says.
    static func verdict(
        _ record: HaloRecord, _ operation: PaymentOperation, _ unit: HaloConfiguration.RecordAmounts
    ) throws(PaymentError) -> Verdict {
        let isRefund = operation == .refund
        let references = [isRefund ? "refund" : "transaction": record.id]
        let said = ProviderMessage(code: record.responseCode, message: record.status)
        switch record.disposition {
        case "Approved":
            guard let amount = money(record, unit) else {
                throw .unknown(
                    .unreadableReply,
                    "the record says not in which unit its amount is, or names one that no payment has; see the setting "
                        + "recordAmounts")
            }
            var approval = Approval(amount, references: references, card: card(record))
            approval.isPartial = isPart(record)
            return .approved(approval)
        case "Declined":
            let reason = isRefund ? .failedAfterApproval : Decline.Reason(issuerResponse: record.responseCode)
            return .declined(Decline(reason, provider: said, references: references))
        case "DeclinedOffline": return .declined(Decline(.declinedOffline, provider: said, references: references))
        case "Voided":
            return .cancelled(Cancellation(cause: .provider, provider: said, references: references, wasReversed: true))
        case "Indeterminate", "UnableToGoOnline":
            return .pending(Pending(references: references, provider: said, shouldPoll: false))
        default: throw .unmapped(record.disposition)
        }
    }

    /// The amount of a record; nil where nothing says in which unit it is, or where no payment has it.
    static func money(_ record: HaloRecord, _ unit: HaloConfiguration.RecordAmounts) -> Money? {
        guard unit != .printed else { return record.printed }
        guard let currency = record.currency.flatMap({ Currency.known($0) }),
            let units = record.amount?.scaled(places: unit == .minor ? 0 : currency.exponent)
        else { return nil }
        return try? Money(minorUnits: units, currency).believable()
    }

    /// An amount as the back office wants it, exactly.
    static func office(_ money: Money, _ form: HaloConfiguration.RefundAmounts) -> JSON {
        let major = JSONNumber(units: money.minorUnits, places: money.currency.exponent)
        switch form {
        case .major: return .number(major)
        case .minor: return .number(JSONNumber(money.minorUnits))
        case .text: return .string(major.text)
        }
    }

    private static func card(_ answer: HaloAnswer) -> CardSummary {
        var card = CardSummary(brand: answer.scheme, maskedNumber: answer.maskedNumber)
        (card.entry, card.funding) = ("contactless", answer.cardType)
        return card
    }

    private static func card(_ record: HaloRecord) -> CardSummary {
        CardSummary(brand: record.receipt?["association"]?.string, maskedNumber: record.maskedNumber)
    }

    private static func receipt(_ answer: HaloAnswer) -> Receipt {
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (answer.authorizationCode, answer.isoCode)
        (receipt.responseText, receipt.retrievalReference) = (answer.message, answer.retrievalReference)
        receipt.add(answer.tags.map { Receipt.EMVTag($0.tag, $0.value) })
        return receipt
    }

    /// What its search shows. Which numbers mean these words in the published record is in no document.
    static let listed = ListedTransactions(
        [.charge, .void, .refund],
        words: [
            "Purchase": .payment, "Refund": .refund, "Approved": .charged, "Declined": .refused, "Voided": .undone,
            "Indeterminate": .pending,
        ])

    static func details(
        _ record: HaloRecord, _ unit: HaloConfiguration.RecordAmounts
    ) throws(PaymentError) -> PaymentDetails {
        var details = PaymentDetails(record.disposition, references: ["transaction": record.id])
        (details.at, details.kind, details.reference) = (record.at, record.kind, record.reference)
        (details.amount, details.card) = (money(record, unit), card(record))
        if record.disposition == "Approved", record.kind == "Purchase" { details.captured = details.amount }
        details.device = record.device.map { DeviceSummary($0) }
        details.additional["status"] = record.status
        details.additional["originalTransactionId"] = record.original
        guard let printed = record.receipt else { return details }
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (
            printed["authorizationCode"]?.string ?? record.authorizationCode, printed["isoResponseCode"]?.string
        )
        (receipt.responseText, receipt.retrievalReference) = (
            printed["approvalText"]?.string, printed["transactionReference"]?.string
        )
        receipt.add(
            [("4F", "aid"), ("50", "applicationLabel"), ("9F26", "cryptogram"), ("95", "tvr")].compactMap {
                tag, name in printed[name]?.string.map { Receipt.EMVTag(tag, $0) }
            })
        var merchant = Receipt.Merchant()
        (merchant.name, merchant.terminalID) = (printed["merchantName"]?.string, printed["tid"]?.string)
        merchant.address = printed["formattedMerchantAddress"]?.string
        receipt.merchant = merchant
        details.receipt = receipt
        return details
    }

    /// More than any amount, for searches that have to name a largest one.
    static let amountMax = "999999999999"

    /// Whether what a record says fits a condition that searches can't be trusted with.
    static func fits(_ details: PaymentDetails, _ filter: ListQuery.Filter) -> Bool {
        guard case .amounts(let least, let most) = filter else { return true }
        guard let amount = details.amount, amount.currency == least.currency else { return false }
        return (least.minorUnits...max(least.minorUnits, most.minorUnits)).contains(amount.minorUnits)
    }

    /// A condition as fields of the search.
    static func fields(_ filter: ListQuery.Filter) -> [(name: String, value: String)] {
        switch filter {
        case .dates(let range):
            func day(_ instant: Int64) -> String { Timestamp(milliseconds: instant)?.date.isoText ?? "" }
            return [("startDate", day(range.lowerBound)), ("endDate", day(range.upperBound))]
        case .outcome(let word): return [("transactionDisposition", word)]
        // No document names the unit of a search's amounts: ``fits(_:_:)`` looks at them here.
        case .amounts, .batch, .unsettled, .creator, .channel, .reference: return []
        }
    }
}

extension HaloMapping {
    /// The note of what the provider calls a payment, where that isn't the attempt alone.
    static let referenceNote = "merchantReference"
    /// The longest merchant reference, by the document.
    private static let referenceCharactersMax = 64

    /// What a payment is called at the provider: the attempt, or the order before it as far as there is room.
    static func merchantReference(
        _ order: String, _ attempt: AttemptID, _ configuration: HaloConfiguration
    ) -> String {
        let room = referenceCharactersMax - attempt.text.utf8.count - 1
        guard configuration.merchantReference == .orderAndAttempt, room > 0, order != attempt.text else {
            return attempt.text
        }
        var cut = order
        while cut.utf8.count > room { cut.removeLast() }
        return cut.isEmpty ? attempt.text : "\(cut)~\(attempt.text)"
    }

    /// The attempt in a merchant reference: no attempt's id has the mark that is before it.
    static func attempt(in reference: String) -> String {
        reference.split(separator: "~", omittingEmptySubsequences: false).last.map { String($0) } ?? reference
    }
}
