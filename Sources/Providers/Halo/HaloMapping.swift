internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

/// Domain ⇄ wire, as pure functions.
enum HaloMapping {
    /// Whether the answer asks for a PIN: the body decides, not the status.
    static func wantsPIN(_ answer: HaloAnswer) -> Bool {
        answer.type == "Declined" && (answer.errorCode == "65" || answer.wantsPIN && answer.errorCode.isEmpty)
    }

    /// What became of a tap; an unlisted type proves nothing.
    static func verdict(_ answer: HaloAnswer) throws(PaymentError) -> Verdict {
        switch answer.type {
        case "Approved":
            guard answer.errorCode.isEmpty || answer.errorCode == "0", let name = answer.name,
                let units = answer.minorUnits,
                let currency = answer.currency.flatMap({ Currency.known($0) })
            else { throw .unlisted(answer.type) }
            let amount = Money(minorUnits: units, currency)
            return .approved(
                Approval(amount, references: ["transaction": name], card: card(answer), receipt: receipt(answer)))
        default: return try open(answer, "transaction")
        }
    }

    /// What became of a refund of the back office, whose answer names no amount.
    static func verdict(ofRefund answer: HaloAnswer, _ amount: Money) throws(PaymentError) -> Verdict {
        guard answer.type == "Approved" else { return try open(answer, "refund") }
        guard answer.errorCode.isEmpty || answer.errorCode == "0" else { throw .unlisted(answer.type) }
        let references = answer.name.map { ["refund": $0] } ?? [:]
        return .approved(Approval(amount, references: references, receipt: receipt(answer)))
    }

    private static func open(_ answer: HaloAnswer, _ name: String) throws(PaymentError) -> Verdict {
        let references = answer.name.map { [name: $0] } ?? [:]
        let said = ProviderMessage(code: answer.errorCode, message: answer.message)
        switch answer.type {
        case "Declined":
            let reason = Self.reasons[answer.errorCode] ?? .init(issuerResponse: answer.isoCode)
            return .declined(decline(answer, reason))
        case "DeclinedOffline": return .declined(decline(answer, .declinedOffline))
        case "Voided":
            return .cancelled(Cancellation(by: .provider, provider: said, references: references, wasUndone: true))
        case "Indeterminate", "UnableToGoOnline":
            return .pending(Pending(references: references, provider: said, lookAgain: false))
        default: throw .unlisted(answer.type)
        }
    }

    /// A decline with the issuer's own code, else the provider's.
    static func decline(_ answer: HaloAnswer, _ reason: DeclineReason) -> Decline {
        let code = answer.isoCode.isEmpty ? answer.errorCode : answer.isoCode
        let references = answer.name.map { ["transaction": $0] } ?? [:]
        let said = ProviderMessage(code: code, message: answer.message)
        var decline = Decline(reason, provider: said, references: references)
        decline.card = card(answer)
        return decline
    }

    /// Refusals that are about the card and not about the request.
    static func decline(_ status: Int, _ said: HaloRefusal) -> Decline? {
        let refusals: [String: DeclineReason] = [
            "1": .refusedByProvider, "2": .declinedOffline, "209": .refusedByProvider, "211": .incorrectPIN,
        ]
        guard status < 500, let reason = refusals[said.code] else { return nil }
        return Decline(reason, provider: ProviderMessage(code: said.code, message: said.message))
    }

    /// The same; throws a refusal that is about something else.
    static func decline(_ refusal: HTTPRefusal) throws -> Decline {
        guard let decline = decline(refusal.status, HaloRefusal(refusal.body)) else { throw refusal }
        return decline
    }

    /// The provider's own numbers that are about the card, whatever the issuer says.
    static let reasons: [String: DeclineReason] = [
        "2": .declinedOffline, "65": .pinRequired, "211": .incorrectPIN, "414": .incorrectPIN, "510": .incorrectPIN,
    ]

    /// What a record says.
    static func verdict(_ record: HaloRecord, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        let isRefund = operation == .refund
        let references = [isRefund ? "refund" : "transaction": record.id]
        let said = ProviderMessage(code: record.responseCode, message: record.status)
        switch record.disposition {
        case "Approved":
            guard let amount = money(record) else { throw .unlisted(record.disposition) }
            return .approved(Approval(amount, references: references, card: card(record)))
        case "Declined":
            let reason = isRefund ? .failedLater : DeclineReason(issuerResponse: record.responseCode)
            return .declined(Decline(reason, provider: said, references: references))
        case "DeclinedOffline": return .declined(Decline(.declinedOffline, provider: said, references: references))
        case "Voided":
            return .cancelled(Cancellation(by: .provider, provider: said, references: references, wasUndone: true))
        case "Indeterminate", "UnableToGoOnline":
            return .pending(Pending(references: references, provider: said, lookAgain: false))
        default: throw .unlisted(record.disposition)
        }
    }

    private static func money(_ record: HaloRecord) -> Money? {
        guard let units = record.minorUnits, let currency = record.currency.flatMap({ Currency.known($0) }) else {
            return nil
        }
        return Money(minorUnits: units, currency)
    }

    /// An amount in major units, exactly.
    static func major(_ money: Money) -> JSONNumber {
        JSONNumber(units: money.minorUnits, places: money.currency.exponent)
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
        receipt.add(answer.tags.map { EMVTag($0.tag, $0.value) })
        return receipt
    }

    static func details(_ record: HaloRecord) throws(PaymentError) -> PaymentDetails {
        var details = PaymentDetails(record.disposition, references: ["transaction": record.id])
        (details.at, details.kind, details.reference) = (record.at, record.kind, record.reference)
        (details.amount, details.card) = (money(record), card(record))
        if record.disposition == "Approved", record.kind == "Purchase" { details.captured = details.amount }
        details.device = record.device.map { DeviceSummary($0) }
        details.more["status"] = record.status
        details.more["originalTransactionId"] = record.original
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
                tag, name in printed[name]?.string.map { EMVTag(tag, $0) }
            })
        var merchant = MerchantBlock()
        (merchant.name, merchant.terminalID) = (printed["merchantName"]?.string, printed["tid"]?.string)
        merchant.address = printed["formattedMerchantAddress"]?.string
        receipt.merchant = merchant
        details.receipt = receipt
        return details
    }

    static let dayMilliseconds: Int64 = 86_400_000
    /// More than any amount, for searches that have to name a largest one.
    static let amountMax = "999999999999"

    /// A condition as fields of the search.
    static func fields(_ filter: ListFilter) -> [(name: String, value: String)] {
        switch filter {
        case .dates(let range):
            func day(_ instant: Int64) -> String { Timestamp(milliseconds: instant)?.date.isoText ?? "" }
            return [("startDate", day(range.lowerBound)), ("endDate", day(range.upperBound))]
        case .amounts(let least, let most):
            return [("minAmount", String(least.minorUnits)), ("maxAmount", String(most.minorUnits))]
        case .outcome(let word): return [("transactionDisposition", word)]
        case .batch, .unsettled, .creator, .channel, .reference: return []
        }
    }
}
