internal import PaymentAbstraction
internal import PaymentBase

extension ARISEMapping {
    /// What an answer must be about.
    struct Asked {
        let operation: PaymentOperation
        let amount: Money
        /// The reference that should come back; nil where none does.
        var reference: String?
        /// Whether it was asked for a moment ago, rather than looked up.
        var isReply = true
        /// Whether a record that says that it failed proves that nothing moved.
        var failureIsFinal = false
    }

    /// States in which an operation was done.
    private static func done(_ operation: PaymentOperation, isReply: Bool) -> Set<ARISEStatus> {
        switch operation {
        case .sale, .debit:
            isReply
                ? [.captured, .settled, .partiallyAuthorized, .cleared]
                : [.captured, .settled, .partiallyAuthorized, .cleared, .refunded, .chargedBack]
        case .authorize:
            isReply
                ? [.authorized, .partiallyAuthorized]
                : [.authorized, .partiallyAuthorized, .captured, .settled, .refunded]
        case .capture: isReply ? [.captured, .settled] : [.captured, .settled, .refunded]
        case .void: [.voided, .cancelled]
        case .refund, .unlinkedRefund: [.refunded, .settled]
        case .tipAdjustment: [.captured, .partiallyAuthorized, .authorized, .settled]
        case .adjust, .verify, .tokenize: []
        }
    }

    private static let types: [PaymentOperation: Set<ARISEOperation>] = [
        .sale: [.sale, .bankDebit], .authorize: [.authorization], .unlinkedRefund: [.unlinkedRefund, .bankCredit],
        .refund: [.refund, .bankRefund],
    ]

    /// What ARISE said, as a verdict; whatever contradicts itself or is in no list proves nothing.
    static func verdict(_ said: ARISETransaction, _ asked: Asked) throws(PaymentError) -> Verdict {
        guard let status = said.status else { throw unreadable("the answer names no state that is listed") }
        guard let id = said.id, said.receipt?["transactionId"]?.string.map({ $0 == id }) ?? true else {
            throw unreadable("the answer names no transaction, or two")
        }
        if let reference = asked.reference, let echoed = said.orderNumber, !isSame(echoed, reference) {
            throw PaymentError.unknown(.mismatch, otherReference)
        }
        if let type = said.type, let due = types[asked.operation], !due.contains(type) {
            throw unreadable("the answer is about another operation", String(type.rawValue))
        }
        let key = asked.operation == .refund ? refundKey : transactionKey
        let references: PaymentReferences = [key: id]
        let code = Self.code(said.details?["code"])
        switch status {
        case .declined:
            if let code, code != "Decline" { throw unreadable("a decline that says \(code)") }
            return .declined(decline(said, references))
        case .failed where asked.isReply:
            throw PaymentError(
                .providerFailed, outcome: .unknown, provider: message(said), detail: "processing failed inside ARISE")
        case .failed where !asked.failureIsFinal:
            throw PaymentError(
                .providerFailed, outcome: .unknown, provider: message(said),
                detail:
                    "it failed inside ARISE, which may have been after the network approved it; see the setting failed")
        case .failed:
            var refused = Decline(.declinedByProvider, provider: message(said), references: references)
            refused.receipt = receipt(said)
            return .declined(refused)
        case .voided where !asked.isReply && asked.operation.isOrigin:
            return .cancelled(Cancellation(cause: .merchant, references: references, wasReversed: true))
        case _ where ARISEStatus.waiting.contains(status):
            return .pending(Pending(references: references, provider: message(said), shouldPoll: false))
        case _ where done(asked.operation, isReply: asked.isReply).contains(status):
            if let code, code != "Approve" { throw unreadable("an approval that says \(code)") }
            return .approved(try approval(said, asked, references))
        default: throw unreadable("the state does not answer what was asked", status.rawValue)
        }
    }

    /// The word for an outcome, which also comes as a number.
    private static func code(_ value: JSON?) -> String? {
        guard let number = value?.int64 else { return value?.string }
        let words = ["Approve", "Decline", "Error"]
        return words.indices.contains(Int(clamping: number)) ? words[Int(number)] : "number \(number)"
    }

    private static func approval(
        _ said: ARISETransaction, _ asked: Asked, _ references: PaymentReferences
    ) throws(PaymentError) -> Approval {
        guard var amount = try said.total(asked.amount.currency) else { throw unreadable("the answer names no amount") }
        // A void undoes all there is, a part that was captured and a later tip included: its state says it.
        if asked.operation == .void { amount = Money(minorUnits: asked.amount.minorUnits, amount.currency) }
        if asked.operation == .tipAdjustment {
            guard let tip = (said.receipt?["amount"] ?? said.body["amount"])?["tipAmount"] else {
                throw unreadable("the answer names no tip")
            }
            amount = try money(tip, amount.currency)
        }
        var approval = Approval(amount, references: references, card: card(said), receipt: receipt(said))
        approval.isPartial = said.status == .partiallyAuthorized
        return approval
    }

    private static func decline(_ said: ARISETransaction, _ references: PaymentReferences) -> Decline {
        let provider = message(said)
        var decline = Decline(reason(provider.code), provider: provider, references: references)
        (decline.card, decline.receipt) = (card(said), receipt(said))
        return decline
    }

    /// The code that names a reason, where one does; else the host's.
    private static func message(_ said: ARISETransaction) -> ProviderMessage {
        let codes = [
            said.details?["hostResponseCode"]?.string, said.details?["processorResponseCode"]?.string,
            said.text("responseCode"),
        ].compactMap { $0 }.filter { !$0.isEmpty }
        let text = said.details?["message"]?.string ?? said.text("responseDescription") ?? ""
        return ProviderMessage(code: codes.first { reason($0) != .unmapped } ?? codes.first ?? "", message: text)
    }

    /// Codes of hosts and processors: a few of their own, and those of issuers.
    static func reason(_ code: String) -> Decline.Reason { reasons[code] ?? .unmapped }

    /// The codes with a reason.
    static let reasons = Decline.Reason.isoResponseCodes.merging(
        ["N7": .incorrectSecurityCode, "79": .failedAfterApproval], uniquingKeysWith: { _, own in own })

    private static let otherReference =
        "the answer is about another request, or the number in it is ARISE's own; see the setting referenceEcho"

    /// Whether a reference came back, in whatever case.
    static func isSame(_ echoed: String, _ reference: String) -> Bool {
        echoed == reference || echoed.lowercased() == reference.lowercased()
    }

    /// The amount of a tap. No document names its unit: one that is exactly what was asked for in the smallest unit is
    /// that, and else it is in major units; one without a point could be either, and tells nothing.
    private static func tapped(_ text: String, _ asked: Money) throws(PaymentError) -> Money {
        let major = try? Money(wireDecimal: text, asked.currency).believable()
        if major == asked { return asked }
        if text.allSatisfy(\.isNumber), Int64(text) == asked.minorUnits { return asked }
        guard let major, text.contains(".") else { throw unreadable("the amount of the tap can't be read") }
        return major
    }

    /// What came back for a tap, as a verdict.
    static func verdict(_ said: ARISETapResult, _ asked: Money, reference: String?) throws(PaymentError) -> Verdict {
        guard let id = said.id, let outcome = said.outcome else { throw unreadable("the answer names no outcome") }
        if let reference, let echoed = said.externalReference, !isSame(echoed, reference) {
            throw PaymentError.unknown(.mismatch, otherReference)
        }
        let references: PaymentReferences = [transactionKey: id]
        let code = said.responseCode ?? ""
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (said.text("authorizationCode"), said.responseCode)
        receipt.at = said.text("authorizedDate").flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
        receipt.verification = said.text("cvmAction")
        receipt.add(
            ARISETapResult.tags.compactMap { name, tag in said.text(name).map { Receipt.EMVTag(tag, $0) } }
                + (said.body["cvmTags"]?.array ?? []).compactMap { item in
                    item["tag"]?.string.map { Receipt.EMVTag($0, item["value"]?.string ?? "") }
                })
        var card = CardSummary(brand: said.text("cardBrandName"), maskedNumber: said.text("maskedCardNumber"))
        card.entry = "contactless"
        switch outcome.uppercased() {
        case "APPROVED":
            guard let amount = said.amount else { throw unreadable("the answer names no amount") }
            let seen = try tapped(amount, asked)
            return .approved(Approval(seen, references: references, card: card, receipt: receipt))
        case "PENDING":
            return .pending(Pending(references: references, provider: ProviderMessage(code: code), shouldPoll: false))
        case "FAILED":
            throw PaymentError(
                .providerFailed, outcome: .unknown, provider: ProviderMessage(code: code),
                detail: "the tap failed inside ARISE, which may have been after the network approved it")
        case "DECLINED":
            var decline = Decline(reason(code), provider: ProviderMessage(code: code), references: references)
            (decline.card, decline.receipt) = (card, receipt)
            return .declined(decline)
        case "CANCELLED":
            return .cancelled(
                Cancellation(cause: .customer, provider: ProviderMessage(code: code), references: references))
        default: throw unreadable("the outcome is in no list", outcome)
        }
    }
}
