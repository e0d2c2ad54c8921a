internal import PaymentAbstraction
internal import PaymentBase

/// Domain ⇄ wire, as pure functions.
enum EcommpayMapping {
    /// What a report says about one operation of ours.
    enum Standing {
        /// It is decided, or will not be for long.
        case verdict(Verdict)
        /// It will be decided in a moment.
        case moving
        /// It waits for somebody.
        case waiting
        /// It ended in a way that does not say whether money moved.
        case doubtful
    }

    /// Words under which a decision is a matter of seconds.
    private static let moving: Set<String> = [
        "initial", "processing", "awaiting retry", "awaiting finalization", "clearing processing",
        "scheduled recurring processing",
    ]
    /// Words under which somebody is asked.
    private static let waiting: Set<String> = [
        "awaiting 3ds result", "awaiting redirect result", "awaiting clarification", "awaiting customer",
        "awaiting customer action", "awaiting merchant auth",
    ]
    /// Words under which a decision may take long.
    private static let slow: Set<String> = [
        "external processing", "awaiting approval", "awaiting confirmation", "awaiting payment", "awaiting clearing",
        "awaiting partially clearing",
    ]
    /// Words of a payment whose first operation went well, whatever came later.
    private static let good: Set<String> = [
        "success", "awaiting capture", "partially paid", "refunded", "partially refunded", "reversed",
        "partially reversed",
    ]
    /// The word of a payment of which a part was approved.
    static let partialWord = "partially paid"
    /// Both spellings are in use.
    static let cancelled: Set<String> = ["canceled", "cancelled"]
    private static let bad: Set<String> = ["decline", "decline renewal", "expired"]
    /// Words of an operation that ended without success.
    private static let over = bad.union(cancelled)
    /// Whether a payment's word says that its first operation went well.
    static func isGood(_ word: String) -> Bool { good.contains(word) }
    /// Whether a word says that an operation ended without success.
    static func isOver(_ word: String) -> Bool { over.contains(word) }
    /// Whether a word says that a decision may take long.
    static func isSlow(_ word: String) -> Bool { slow.contains(word) }
    /// Whether a word says that somebody is asked of whom the vendor's kit says nothing more.
    static func waitsElsewhere(_ word: String) -> Bool {
        ["awaiting redirect result", "awaiting customer action", "awaiting merchant auth"].contains(word)
    }
    /// Whether a word says that somebody is asked.
    static func isWaiting(_ word: String) -> Bool { waiting.contains(word) }
    /// Whether a word says that something is under way.
    static func isOpen(_ word: String) -> Bool { [moving, waiting, slow].contains { $0.contains(word) } }
    /// Whether a word is in one of the lists.
    static func isListed(_ word: String) -> Bool {
        [moving, waiting, slow, good, over, doubtful].contains { $0.contains(word) }
    }
    private static let doubtful: Set<String> = ["error", "internal error", "external error"]

    /// What the provider calls the operation that starts a payment.
    static func type(_ operation: PaymentOperation) -> String? {
        switch operation {
        case .sale: "sale"
        case .authorize: "auth"
        case .debit: "recurring"
        case .verify: "account verification"
        case .tokenize: "tokenize"
        case .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment: nil
        }
    }

    /// The operation that starts a payment under a word of the provider's.
    static func origin(_ word: String) -> PaymentOperation? { PaymentOperation.allCases.first { type($0) == word } }

    // MARK: Verdicts

    /// What became of the operation that starts a payment; a word that is in no list proves nothing.
    ///
    /// - Parameter asked: What was asked for, which a check of a card may be told without: it moves nothing.
    static func standing(
        _ report: EcommpayReport, _ operation: PaymentOperation, asked: Money? = nil
    ) throws(PaymentError) -> Standing {
        if moving.contains(report.status) { return .moving }
        if waiting.contains(report.status) { return .waiting }
        if doubtful.contains(report.status) { return .doubtful }
        if slow.contains(report.status) {
            return .verdict(.pending(Pending(references: ["payment": report.payment], shouldPoll: false)))
        }
        // Tries that came to nothing stand beside the one that counts: the one that went well, or else the last.
        let ours = report.operations.filter { $0.type == type(operation) }
        let (won, lost) = (ours.filter { $0.status == "success" }, ours.filter { over.contains($0.status) })
        guard let origin = won.first ?? ours.last, won.count <= 1, won.count + lost.count == ours.count,
            !report.isTorn
        else { throw unlisted(report.status) }
        let references = ["payment": report.payment, "operation": origin.id]
        // A hold that was let go went well at first; nothing else can be cancelled after it went well.
        let wasHeld = operation == .authorize && cancelled.contains(report.status)
        if isGood(report.status) || wasHeld, origin.status == "success" {
            // The Gate names no sum below one, so that an operation that moves nothing has none of its own.
            let nothing = operation == .verify || operation == .tokenize ? report.sum ?? asked : nil
            guard let amount = taken(report, origin) ?? nothing else { throw unlisted(report.status) }
            // A part that nobody took went back under the payment's own name.
            if let back = report.operations.first(where: { $0.refund == report.payment }) {
                switch try verdict(back, "refund", of: report.payment) {
                case .approved:
                    return .verdict(
                        .cancelled(Cancellation(cause: .customer, references: references, wasReversed: true)))
                case .declined: break
                case .cancelled, .pending, nil: return .moving
                }
            }
            return .verdict(.approved(approval(report, origin, amount, references)))
        }
        if bad.contains(report.status), bad.contains(origin.status) {
            return .verdict(.declined(decline(origin, references, report)))
        }
        if cancelled.contains(report.status), over.contains(origin.status) {
            let said = ProviderMessage(code: origin.code, message: origin.message)
            return .verdict(.cancelled(Cancellation(cause: .provider, provider: said, references: references)))
        }
        throw unlisted(report.status)
    }

    /// What an operation that went well took. As long as nothing came after it, what the payment is worth is what was
    /// taken: less where only a part was approved, or where the customer changed the amount.
    private static func taken(_ report: EcommpayReport, _ origin: EcommpayReport.Operation) -> Money? {
        guard let amount = origin.amount, let sum = report.sum, sum.currency == amount.currency,
            ["success", partialWord].contains(report.status), ["sale", "recurring"].contains(origin.type),
            report.operations.allSatisfy({ $0.id == origin.id || $0.type == origin.type })
        else { return origin.amount }
        return sum
    }

    private static func approval(
        _ report: EcommpayReport, _ origin: EcommpayReport.Operation, _ amount: Money, _ references: PaymentReferences
    ) -> Approval {
        var approval = Approval(amount, references: references, card: card(report.account))
        approval.isPartial = report.status == partialWord
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode) = (origin.authorization, origin.code)
        (receipt.responseText, receipt.at) = (origin.message, origin.at)
        approval.receipt = receipt
        if let recurring = report.recurring {
            approval.saved = SavedInstrument(.init(rawValue: recurring), card: approval.card)
        } else if let token = report.token {
            approval.saved = SavedInstrument(.init(rawValue: origin.id), token: token, card: approval.card)
        } else if let id = EcommpayRefusal.text(report.account?["id"]) {
            let token = report.account?["token"]?.string.map { Secret($0) }
            approval.saved = SavedInstrument(.init(rawValue: id), token: token, card: approval.card)
        }
        return approval
    }

    /// What became of one operation on a payment; nil while that is open.
    static func verdict(
        _ operation: EcommpayReport.Operation, _ name: String, of payment: String
    ) throws(PaymentError) -> Verdict? {
        var references = ["payment": payment, "operation": operation.id]
        references["request"] = operation.request
        switch operation.status {
        case "success":
            guard let amount = operation.amount else { throw unlisted(operation.status) }
            return .approved(Approval(amount, references: references))
        case "decline", "expired": return .declined(decline(operation, references, nil))
        case let word where slow.contains(word):
            return .pending(
                Pending(references: references, provider: ProviderMessage(code: word), shouldPoll: false))
        case let word where moving.contains(word) || waiting.contains(word) || doubtful.contains(word): return nil
        default: throw unlisted(operation.status)
        }
    }

    /// What a report says about a refund of ours; nil where it says nothing yet.
    ///
    /// - Parameter request: What the provider called the request for it, where it has answered that.
    static func refund(
        _ report: EcommpayReport, _ name: String, request: String? = nil
    ) throws(PaymentError) -> Verdict? {
        let ours = report.operations.filter { operation in
            operation.refund == name
                || operation.refund == nil && operation.isRefund && operation.request == request && request != nil
        }
        guard let refund = ours.first(where: { $0.type == "refund" || $0.type == "reversal" }), !report.isTorn else {
            return nil
        }
        if let back = ours.first(where: { $0.type == "refund reverse" && $0.status == "success" }) {
            let said = ProviderMessage(code: back.code, message: back.message)
            var references: PaymentReferences = ["payment": report.payment]
            // A callback has the way back alone, and that is no name of the refund.
            if refund.id != back.id { references["operation"] = refund.id }
            return .declined(Decline(.failedAfterApproval, provider: said, references: references))
        }
        return try verdict(refund, "refund", of: report.payment)
    }

    static func decline(
        _ operation: EcommpayReport.Operation, _ references: PaymentReferences, _ report: EcommpayReport?
    ) -> Decline {
        let said = ProviderMessage(code: operation.code, message: operation.message)
        var decline = Decline(EcommpayDeclineCodes.reason(operation.code), provider: said, references: references)
        decline.card = card(report?.account)
        return decline
    }

    static func unlisted(_ word: String) -> PaymentError {
        PaymentError(
            .unreadableReply, outcome: .unknown, provider: ProviderMessage(code: word),
            detail: "the word does not say what happened, or not enough stands beside it")
    }

    static func card(_ account: JSON?) -> CardSummary? {
        guard let account, account["number"]?.string != nil else { return nil }
        var card = CardSummary(
            brand: account["type"]?.string ?? account["additional"]?["card"]?["type"]?.string,
            maskedNumber: account["number"]?.string)
        card.expiry = account["additional"]?["card"]?["expiry"]?.string ?? expiry(account)
        card.issuerCountry = account["additional"]?["card"]?["country"]?.string
        let holder = account["card_holder"] ?? account["additional"]?["card"]?["holder"]
        card.holder = holder?.string.map { PersonalData($0) }
        return card
    }

    /// What tells one card of a customer from another, as far as it may be written down; of a number and of a masked
    /// one it is the same. A card that was renewed keeps its token, whatever its expiry.
    static func mark(_ number: String) -> String { "\(number.prefix(6))******\(number.suffix(4))" }

    /// What the provider knows about a customer.
    static func contact(_ json: JSON) -> CustomerContact {
        var (contact, texts) = (CustomerContact(), [String: PersonalData]())
        for member in json.object?.members ?? [] where !["id", "signature"].contains(member.key) {
            for inner in member.value.object?.members ?? [] {
                texts["\(member.key)_\(inner.key)"] = inner.value.string.map { PersonalData($0) }
            }
            texts[member.key] = member.value.string.map { PersonalData($0) }
        }
        contact.additional = texts.filter { !$0.value.value.isEmpty }
        contact.firstName = contact.additional.removeValue(forKey: "first_name")
        contact.lastName = contact.additional.removeValue(forKey: "last_name")
        contact.email = contact.additional.removeValue(forKey: "email")
        contact.phone = contact.additional.removeValue(forKey: "phone")
        return contact
    }

    private static func expiry(_ account: JSON) -> String? {
        guard let month = EcommpayRefusal.text(account["expiry_month"]),
            let year = EcommpayRefusal.text(account["expiry_year"])
        else { return nil }
        return "\(month.count == 1 ? "0" : "")\(month)/\(year.suffix(2))"
    }

    /// An instrument in the list of a customer's.
    static func instrument(_ json: JSON, of customer: String?) -> SavedInstrument? {
        guard let id = EcommpayRefusal.text(json["id"]) else { return nil }
        // Some lists show tokens with their middle left out, which charge nothing.
        let token = json["token"]?.string.flatMap { $0.isEmpty || $0.contains("*") ? nil : Secret($0) }
        var instrument = SavedInstrument(.init(rawValue: id), token: token, card: card(json))
        instrument.card?.brand = json["additional"]?["card"]?["type"]?.string
        instrument.customer = customer
        return instrument
    }
}

extension Verdict {
    /// The same from a signed status, in which less than was asked is a part whatever the word: some methods approve
    /// parts, and some let the customer change the amount.
    func told(against asked: Money) -> Verdict {
        guard case .approved(var approval) = self, approval.amount.currency == asked.currency,
            approval.amount.minorUnits < asked.minorUnits
        else { return self }
        approval.isPartial = true
        return .approved(approval)
    }
}
