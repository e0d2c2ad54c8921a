internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum EcommpayMapping {
    /// What a report says about one operation of our own.
    enum Standing {
        /// It is decided, or will not be for long.
        case verdict(Verdict)
        /// It will be decided in a moment.
        case moving
        /// It waits for a person.
        case waiting
        /// It ended in a way that does not say whether money moved.
        case doubtful
    }

    /// Words under which a decision is a matter of seconds.
    private static let moving: Set<String> = [
        "initial", "processing", "awaiting retry", "awaiting finalization", "clearing processing", seriesWord,
    ]
    /// Words under which the customer is asked.
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
    /// The word of a payment that is held, and charges nothing until it is captured.
    static let heldWord = "awaiting capture"
    /// The word of a payment under which the platform charges on its own, between two of its charges.
    static let seriesWord = "scheduled recurring processing"
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
    /// Whether a word says that the customer is asked something of which the vendor's kit says nothing more.
    static func waitsElsewhere(_ word: String) -> Bool {
        ["awaiting redirect result", "awaiting customer action", "awaiting merchant auth"].contains(word)
    }
    /// Whether a word says that the customer is asked.
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
        case .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .chargeback: nil
        }
    }

    /// The operation that starts a payment under a word of the provider's.
    static func origin(_ word: String) -> PaymentOperation? { PaymentOperation.allCases.first { type($0) == word } }

    /// The names under which references are kept.
    enum Name {
        /// How the payment was made, where that was not by card: what follows goes by another path.
        static let method = "method"
        /// Those that name one operation alone.
        static let naming: Set<String> = Set(["payment", "operation", "request"] + (2...24).map { further($0) })
        /// Under which name a further charge of one debit is kept, the second one under that of two.
        static func further(_ number: Int) -> String { "operation-\(number)" }
    }

    // MARK: Verdicts

    /// What became of a payment that the platform has accepted and then not registered, since the request has a mistake:
    /// nothing was ever done under its name. Nil where the report does not say so.
    ///
    /// The verdict names no payment: the id is still free, and a request that was lost on its way may register it.
    static func unregistered(_ report: EcommpayReport) -> Verdict? {
        guard report.status == "error", report.operations.allSatisfy({ $0.status == "error" }), !report.isTorn,
            let said = report.errors.first,
            report.errors.allSatisfy({ ErrorTable.ecommpay[$0.code]?.delivery == .refused })
        else { return nil }
        return .declined(
            Decline(
                EcommpayDeclineCodes.reason(said.code),
                provider: ProviderMessage(code: said.code, message: said.message)))
    }

    /// What became of the operation that starts a payment; a word that is in no list proves nothing.
    ///
    /// - Parameters:
    ///   - asked: What was asked for, which the report on a check of a card may leave out: it moves nothing.
    ///   - known: What is recorded as taken.
    static func standing(
        _ report: EcommpayReport, _ operation: PaymentOperation, asked: Money? = nil, known: Money? = nil
    ) throws(PaymentError) -> Standing {
        if operation == .debit, let verdict = series(report, known) { return .verdict(verdict) }
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
        var references = ["payment": report.payment, "operation": origin.id]
        if let method = report.method, method != "card" { references[Name.method] = method }
        // A hold that was let go went well at first; nothing else can be cancelled after it went well.
        let wasHeld = operation == .authorize && cancelled.contains(report.status)
        // A charge that the provider only holds is none.
        if report.status == heldWord, operation == .sale || operation == .debit { throw unlisted(report.status) }
        if isGood(report.status) || wasHeld, origin.status == "success" {
            // The Gate names no sum below one, so that an operation that moves nothing has none of its own.
            let nothing = operation == .verify || operation == .tokenize ? report.sum ?? asked : nil
            guard let amount = taken(report, origin) ?? nothing else { throw unlisted(report.status) }
            // A part that was not taken went back under the payment's own name.
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

    /// What became of a debit under whose id the platform has charged more than once, or charges on its own. Whatever was
    /// charged when it is first seen is the customer's money: their sum is more than was asked for, which the journal raises.
    /// What is recorded by then stays: callbacks raise what follows. The names of all that is counted are the attempt's, so that
    /// a callback about one of them is no further charge. Nil for any other debit, and while nothing is decided.
    private static func series(_ report: EcommpayReport, _ known: Money?) -> Verdict? {
        let ours = report.operations.filter { $0.type == type(.debit) }
        let won = ours.filter { $0.status == "success" }
        let isEnded = won.count > 1 && isGood(report.status) && report.status != heldWord
        guard isEnded || report.status == seriesWord, !report.isTorn else { return nil }
        let time = { (operation: EcommpayReport.Operation) -> Int64 in operation.createdAt ?? operation.at ?? .max }
        let charges = won.sorted { time($0) < time($1) }
        if let first = charges.first, var sum = first.amount {
            var references = ["payment": report.payment, "operation": first.id]
            for (place, other) in charges.enumerated() where other.id != first.id {
                if let known, known.currency == sum.currency, known.minorUnits <= sum.minorUnits { break }
                guard let more = other.amount, let both = try? sum.adding(more) else { return nil }
                sum = both
                references[Name.further(place + 1)] = other.id
            }
            if let known, known.currency == sum.currency, known.minorUnits < sum.minorUnits { sum = known }
            return .approved(approval(report, first, sum, references))
        }
        guard let last = ours.last, ours.allSatisfy({ bad.contains($0.status) }) else { return nil }
        return .declined(decline(last, ["payment": report.payment, "operation": last.id], report))
    }

    /// Whether an operation is one of a series that the platform charges on its own, as far as a message with this one alone
    /// shows: the sum of the payment is that of all of them.
    static func isOfSeries(_ operation: EcommpayReport.Operation, _ report: EcommpayReport) -> Bool {
        guard operation.type == type(.debit) else { return false }
        if report.status == seriesWord { return true }
        guard let sum = report.sum, let amount = operation.amount, sum.currency == amount.currency else { return false }
        return isGood(report.status) && sum.minorUnits > amount.minorUnits
    }

    /// What an operation that went well took. As long as nothing came after it, what the payment is worth is what was
    /// taken: less where only a part was approved, or where the customer changed the amount.
    private static func taken(_ report: EcommpayReport, _ origin: EcommpayReport.Operation) -> Money? {
        guard let amount = origin.amount, let sum = report.sum, sum.currency == amount.currency,
            ["success", partialWord].contains(report.status),
            origin.type == "sale" || origin.type == "recurring" && sum.minorUnits <= amount.minorUnits,
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
        let account = EcommpayRefusal.text(report.account?["id"])
        if let recurring = report.recurring {
            approval.saved = SavedInstrument(registration(numbered: recurring), card: approval.card)
        } else if let token = report.token {
            let id = account ?? "\(tokenPrefix)\(origin.id)"
            approval.saved = SavedInstrument(.init(rawValue: id), token: token, card: approval.card)
        } else if let id = account {
            let token = report.account?["token"]?.string.map { Secret($0) }
            approval.saved = SavedInstrument(.init(rawValue: id), token: token, card: approval.card)
        }
        return approval
    }

    /// What stands before the number of a registration in its id: stored accounts have numbers of their own, and one of
    /// them may be the same.
    private static let registrationPrefix = "r"
    /// What stands before the name of an instrument of which only a token is known: the name is no account's number.
    static let tokenPrefix = "t"

    /// What a registration is called among instruments.
    static func registration(numbered number: String) -> SavedInstrument.ID {
        .init(rawValue: "\(registrationPrefix)\(number)")
    }

    /// The provider's number of a registration; nil where the id is no registration's.
    static func registrationNumber(_ id: SavedInstrument.ID) -> Int64? {
        guard id.rawValue.hasPrefix(registrationPrefix) else { return nil }
        return Int64(id.rawValue.dropFirst(registrationPrefix.count))
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

    /// What a report says about our own refund; nil where it says nothing yet.
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

    /// What distinguishes one card of a customer from another, as far as it may be written down; of a number and of a masked
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
        instrument.additional = additional(json)
        return instrument
    }

    /// What a saved account has beside its number and card, under its own names; those of a group with the group's.
    private static func additional(_ json: JSON) -> [String: PersonalData] {
        let (more, card) = (json["additional"], json["additional"]?["card"])
        let members: [(String, JSON?)] = [
            ("last_deposit_date", json["last_deposit_date"]), ("last_tokenize_date", json["last_tokenize_date"]),
            ("email", more?["email"]), ("phone", more?["phone"]), ("country", more?["country"]),
            ("recurring_enable", more?["recurring_enable"]), ("card_bank_name", card?["bank_name"]),
            ("card_product_name", card?["product_name"]),
        ]
        var found: [String: PersonalData] = [:]
        for (name, value) in members {
            let text = value?.bool.map { String($0) } ?? value.flatMap { EcommpayRefusal.text($0) }
            found[name] = text.flatMap { $0.isEmpty ? nil : PersonalData($0) }
        }
        return found
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

extension EcommpayMapping {
    static func number(_ value: Int64) -> JSON { .number(JSONNumber(value)) }

    static func json(_ money: Money) -> JSON {
        ["amount": number(money.minorUnits), "currency": .string(money.currency.code)]
    }

    /// What a charge asks for beyond its amount, as sales, verifications and debits have it in common.
    struct Order {
        let amount: Money
        var source: PaymentSource
        var customer: String?
        var contact: CustomerContact?
        var billing: PostalAddress?
        var recipient: CustomerContact?
        var text: String?
        var language: String?
        var savesInstrument = false
        var cardOnFile: CardOnFileTerms?
        var extras = EcommpayRequestOptions.Answer()

        init(_ request: SaleRequest) {
            (amount, source, customer, contact) = (request.amount, request.source, request.customer, request.contact)
            (billing, recipient, text) = (request.billing, request.recipient, request.displayText)
            (language, savesInstrument, cardOnFile) = (request.language, request.savesInstrument, request.cardOnFile)
        }

        /// Whether the customer can be reached by e-mail or telephone.
        var isReachable: Bool {
            [contact?.email, contact?.phone, contact?.additional["email"], contact?.additional["phone"]]
                .contains { $0?.value.isEmpty == false }
        }

        init(_ request: VerificationRequest) {
            (amount, source) = (.zero(request.currency), request.source)
            (customer, contact, billing) = (request.customer, request.contact, request.billing)
            (savesInstrument, cardOnFile) = (request.savesInstrument, request.cardOnFile)
        }
    }

    /// The parameters of a session that are signed.
    static func session(_ order: Order, _ attempt: AttemptID, _ configuration: EcommpayConfiguration) -> JSONObject {
        var body: JSONObject = [
            "project_id": number(configuration.project), "payment_id": .string(attempt.text),
            "payment_amount": number(order.amount.minorUnits),
            "payment_currency": .string(order.amount.currency.code),
        ]
        body["customer_id"] = order.customer.map(JSON.string)
        body["payment_description"] = order.text.map { description($0) }
        body["region_code"] = (order.extras.region ?? configuration.region).map(JSON.string)
        body["language_code"] = language(order)
        if case .token(let token, _, _, _) = order.source { body["account_token"] = .string(token.expose()) }
        body["force_payment_method"] = (order.extras.forcedMethod ?? configuration.forcedMethod).map(JSON.string)
        if order.extras.hidesSaved ?? configuration.hidesSaved { body["hide_saved_wallets"] = true }
        return body
    }

    /// What goes into a session beside the signed parameters.
    static func unsigned(_ order: Order) throws(PaymentError) -> [(String, JSON)] {
        var more: [(String, JSON)] = []
        if let terms = order.cardOnFile {
            guard terms.amount.map({ $0.currency == order.amount.currency }) ?? true else {
                throw refused("later charges are in the currency of the payment that registers them")
            }
            more.append(("recurring", try registration(terms, order.extras.recurrence)))
        } else if order.extras.recurrence != nil {
            throw refused("times and amounts of later charges need the terms that the customer agreed to")
        }
        let fields = fields(order)
        if !fields.isEmpty { more.append(("additional_fields", .object(fields))) }
        if let risk = order.extras.risk { more.append(("threeds", risk.json)) }
        return more
    }

    static func registration(
        _ terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence?
    ) throws(PaymentError) -> JSON {
        guard recurrence == nil else { throw seriesRefused }
        var body = try self.terms(terms, nil)
        body["register"] = true
        body["type"] = kinds.first { $0.kind == terms.kind }.map { .string($0.letter) }
        return .object(body)
    }

    /// The provider's letters for the kinds of charges that a customer agrees to.
    static let kinds: [(kind: CardOnFileTerms.Kind, letter: String)] = [
        (.recurring, "R"), (.customerInitiated, "C"), (.unscheduled, "U"),
    ]

    /// Until when and over what a registered card is charged, and how often by a schedule that it has already.
    static func terms(
        _ terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence?
    ) throws(PaymentError) -> JSONObject {
        guard terms.period == nil, recurrence?.start == nil, recurrence?.scheduledPayment == nil else {
            throw seriesRefused
        }
        var body = JSONObject()
        if let until = terms.until {
            guard let day = CalendarDate(iso: until) else {
                throw refused("\(until) is no date of the form YYYY-MM-DD")
            }
            body["expiry_year"] = number(Int64(day.year))
            (body["expiry_month"], body["expiry_day"]) = (number(Int64(day.month)), number(Int64(day.day)))
        }
        body["amount"] = terms.amount.map { number($0.minorUnits) }
        body["interval"] = recurrence?.interval.map { number(Int64($0)) }
        body["time"] = recurrence?.time.map(JSON.string)
        return body
    }

    /// By a schedule of its own the platform charges again and again under one payment's id, and no attempt has that.
    private static var seriesRefused: PaymentError {
        PaymentError.notExecuted(
            .unsupported,
            "With a period, a start or a schedule ecommpay charges the card on its own, and this journal would not know. "
                + "Leave them out, and call `chargeCardOnFile` whenever a charge is due.")
    }

    static func refused(_ why: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, why)
    }

    /// The longest description that the provider takes, as its schema counts characters.
    private static let descriptionScalarsMax = 255

    /// What a payment or a refund is for, cut to what the provider takes: it refuses a longer one. A semicolon would look
    /// like the end of a parameter in what is signed, and a callback with it would only be a hint.
    static func description(_ text: String) -> JSON {
        let plain = text.replacing(";", with: ",")
        return .string(String(String.UnicodeScalarView(plain.unicodeScalars.prefix(descriptionScalarsMax))))
    }

    /// The two letters of the customer's language; nil for one of three letters, whose first two are another language's.
    static func language(_ order: Order) -> JSON? {
        let tag = order.language?.split { $0 == "-" || $0 == "_" }.first
        return tag.flatMap { $0.utf8.count == 2 ? .string(String($0)) : nil }
    }

    private static func fields(_ order: Order) -> JSONObject {
        let known: [(String, String?)] = [
            ("first_name", order.contact?.firstName?.value), ("last_name", order.contact?.lastName?.value),
            ("email", order.contact?.email?.value), ("phone", order.contact?.phone?.value),
            ("billing_country", order.billing?.country), ("billing_region", order.billing?.region?.value),
            ("billing_city", order.billing?.city?.value), ("billing_address", order.billing?.line1?.value),
            ("billing_postal", order.billing?.postalCode?.value),
        ]
        var fields = JSONObject()
        for (name, value) in known { fields[name] = value.map(JSON.string) }
        for (name, value) in (order.contact?.additional ?? [:]).sorted(by: { $0.key < $1.key }) {
            fields[name] = .string(value.value)
        }
        return fields
    }

    /// A card as far as every message has it.
    static func card(_ card: KeyedCard) -> JSONObject {
        var body: JSONObject = [
            "pan": .string(card.number.expose()), "year": number(Int64(card.expiryYear)),
            "month": number(Int64(card.expiryMonth)),
        ]
        body["card_holder"] = card.holder.map { .string($0.value) }
        return body
    }

    /// What is paid with.
    static func payment(
        _ operation: PaymentOperation, _ order: Order, _ source: PaymentSource, _ session: Secret,
        _ configuration: EcommpayConfiguration
    ) throws -> JSON {
        // What an operation is called here is its name with the words run together.
        let action = operation == .verify ? "account_verification" : type(operation) ?? ""
        var body: JSONObject = ["sid": .string(session.expose()), "action": .string(action), "method": "card"]
        switch source {
        case .card(let card):
            var number = Self.card(card)
            number["cvv"] = card.securityCode.map { .string($0.expose()) }
            number["save"] = .bool(order.savesInstrument)
            body["card"] = .object(number)
        case .saved(let id, let code):
            guard let account = Int64(id.rawValue) else {
                throw PaymentError.notExecuted(.invalidRequest, "a saved account's id is a number here")
            }
            body["saved_account_id"] = number(account)
            body["cvv"] = code.map { .string($0.expose()) }
        case .token(let token, _, _, let code):
            body["payment_token"] = .string(token.expose())
            body["cvv"] = code.map { .string($0.expose()) }
        case .wallet(let token):
            body["method"] = .string(try method(token.wallet, configuration))
            body["token"] = .string(token.payload.expose())
            if token.wallet == .googlePay, let google = configuration.googlePay {
                body["merchant_id"] = .string(google.merchant)
                body["environment"] = .string(google.environment.rawValue)
            }
            if let recipient = order.recipient { body["recipient"] = self.recipient(recipient) }
        case .reader, .external, .bank, .hostedPage:
            throw PaymentError.notExecuted(.unsupported, "this source is not taken")
        }
        return .object(body)
    }

    /// What the provider calls a wallet in its paths.
    static func method(
        _ wallet: WalletToken.Wallet, _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> String {
        switch wallet {
        case .applePay: return "applepay"
        case .googlePay where configuration.googlePay != nil: return "googlepay"
        case .googlePay:
            throw PaymentError.notExecuted(
                .configuration,
                "Google Pay needs its merchant and environment in the settings of \(configuration.name)")
        default:
            throw PaymentError.notExecuted(.unsupported, "\(wallet.rawValue) is not a wallet that is taken")
        }
    }

    private static func recipient(_ contact: CustomerContact) -> JSON {
        var body = JSONObject()
        body["first_name"] = contact.firstName.map { .string($0.value) }
        body["last_name"] = contact.lastName.map { .string($0.value) }
        for (name, value) in contact.additional.sorted(by: { $0.key < $1.key }) { body[name] = .string(value.value) }
        return .object(body)
    }

    /// The beginning of every message to the Gate.
    static func gate(_ payment: String, _ project: Int64, _ more: [(String, JSON)] = []) -> JSON {
        var body: JSONObject = ["general": ["project_id": number(project), "payment_id": .string(payment)]]
        for (name, value) in more { body[name] = value }
        return .object(body)
    }
}
