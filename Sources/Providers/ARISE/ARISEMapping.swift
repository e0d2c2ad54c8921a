internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions: amounts, sources and the bodies of requests.
enum ARISEMapping {
    /// The currencies by ARISE's own number.
    static let currencies: [Int64: Currency] = [1: .usd]
    /// The same by their ISO numbers, which some answers have instead.
    static let isoCurrencies: [Int64: Currency] = [840: .usd]
    /// The names under which references are kept.
    static let transactionKey = "transaction"
    static let refundKey = "refund"
    /// What the kit calls a tap, where the platform has another name for it or did not know this one. It may be the
    /// payment processor's and name nothing at the platform, so that it claims nothing.
    static let processorKey = "processor"

    /// Under which kind of reference a payment is asked about.
    static func nameKey(in references: PaymentReferences) -> String {
        references[transactionKey] == nil ? processorKey : transactionKey
    }

    static func unreadable(_ detail: String, _ said: String = "") -> PaymentError {
        PaymentError(.unreadableReply, outcome: .unknown, provider: ProviderMessage(code: said), detail: detail)
    }

    /// An amount in major units, as a number.
    static func json(_ money: Money) -> JSON {
        .number(JSONNumber(units: money.minorUnits, places: money.currency.exponent))
    }

    /// Reads an amount in major units, exactly, if a payment can be over it.
    static func money(_ value: JSON, _ currency: Currency) throws(PaymentError) -> Money {
        // Some servers write binary numbers with their dust, and some write texts.
        let number = value.number ?? value.string.flatMap { try? JSONNumber($0) }
        guard let units = number?.scaled(places: currency.exponent) ?? number.flatMap({ near($0, currency.exponent) })
        else { throw unreadable("an amount in the answer is none of \(currency)") }
        return try Money(minorUnits: units, currency).believable()
    }

    /// The smallest units that a number is no further from than a millionth of a whole; nil where it is between two.
    private static func near(_ number: JSONNumber, _ places: Int) -> Int64? {
        let digits = dustPlaces
        guard let (whole, rest) = split(number.text), rest.utf8.count > digits, places <= digits,
            let finest = try? JSONNumber("\(whole).\(rest.prefix(digits))"), let units = finest.scaled(places: digits)
        else { return nil }
        let unit = (places..<digits).reduce(Int64(1)) { unit, _ in unit * 10 }
        let (below, dust) = (units / unit, units % unit)
        return dust <= 1 ? below : dust >= unit - 1 ? below + 1 : nil
    }

    /// How many digits after the point of a binary number are looked at.
    private static let dustPlaces = 8

    private static func split(_ text: String) -> (Substring, Substring)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && !text.contains("e") && !text.contains("E") && !text.hasPrefix("-")
            ? (parts[0], parts[1]) : nil
    }

    static func number(of currency: Currency) throws(PaymentError) -> JSON {
        guard let number = currencies.first(where: { $0.value == currency })?.key else {
            throw PaymentError.notExecuted(.unsupported, "ARISE takes no \(currency.code)")
        }
        return .number(JSONNumber(number))
    }

    static func percent(_ text: String) throws(PaymentError) -> JSON {
        let rate = try Rate(percent: text)
        guard let number = try? JSONNumber(rate.percentText) else {
            throw PaymentError.notExecuted(.invalidRequest, "a rate can't be written")
        }
        return .number(number)
    }

    // MARK: Requests

    /// The body of a sale, an authorisation or a refund without an original.
    static func charge(
        _ amount: Money, _ source: PaymentSource, _ attempt: AttemptID, processor: String
    ) throws(PaymentError) -> JSONObject {
        var body: JSONObject = [
            "paymentProcessorId": .string(processor), "amount": json(amount),
            "currencyId": try number(of: amount.currency), "referenceId": .string(attempt.text),
        ]
        switch source {
        case .card(let card):
            body["cardDataSource"] = 7
            body["accountNumber"] = .string(card.number.expose())
            body["expirationMonth"] = .number(JSONNumber(Int64(card.expiryMonth)))
            body["expirationYear"] = .number(JSONNumber(Int64(card.expiryYear)))
            if let code = card.securityCode { body["securityCode"] = .string(code.expose()) }
        case .saved(let id, let code):
            body["cardDataSource"] = 1
            body["paymentMethodId"] = .string(id.rawValue)
            body["customerInitiatedTransaction"] = .bool(code != nil)
            if let code { body["securityCode"] = .string(code.expose()) }
        case .external(let read): add(read, to: &body)
        case .bank(let account):
            body["accountNumber"] = .string(account.number.expose())
            body["routingNumber"] = .string(account.routing.expose())
            body["accountType"] = account.kind == .checking ? 1 : 2
            body["accountHolderType"] = account.holder == .business ? 1 : 2
            if let tax = account.taxID { body["taxId"] = .string(tax.expose()) }
            body["currencyId"] = nil
            if let name = account.name { body["contactInfo"] = holder(name, account.holder) }
        case .reader, .wallet, .token, .hostedPage:
            throw PaymentError.notExecuted(.unsupported, "ARISE takes no card data from \(source.kind.rawValue)")
        }
        return body
    }

    /// Whose account it is; a person's last word is the family name.
    private static func holder(_ name: PersonalData, _ holder: BankAccount.HolderType) -> JSON {
        if holder == .business { return ["companyName": .string(name.value)] }
        let words = name.value.split(separator: " ")
        let first = words.dropLast().joined(separator: " ")
        return object([
            ("firstName", first.isEmpty ? nil : PersonalData(first)),
            ("lastName", words.last.map { PersonalData(String($0)) }),
        ])
    }

    private static func add(_ read: ExternalCardData, to body: inout JSONObject) {
        switch read.entry {
        case .swipe: body["cardDataSource"] = 2
        case .nearField: body["cardDataSource"] = 3
        case .chip: body["cardDataSource"] = 4
        case .contactlessChip: body["cardDataSource"] = 5
        case .fallbackSwipe: body["cardDataSource"] = 6
        }
        if let track = read.track1 { body["track1"] = .string(track.expose()) }
        if let track = read.track2 { body["track2"] = .string(track.expose()) }
        if !read.tags.isEmpty { body["emvTags"] = .array(read.tags.map { .string($0.expose()) }) }
        if let version = read.applicationVersion { body["emvPaymentAppVersion"] = .string(version) }
        if let pin = read.pinBlock { body["pin"] = .string(pin.expose()) }
        if let serial = read.pinKeySerial { body["pinKsn"] = .string(serial.expose()) }
        if let number = fallbackConditions[read.fallbackReason ?? ""] { body["emvFallbackCondition"] = .number(number) }
        if let number = lastChipReads[read.lastChipRead ?? ""] { body["emvFallbackLastChipRead"] = .number(number) }
    }

    /// Why a stripe was read although there is a chip.
    static let fallbackConditions: [String: JSONNumber] = ["iccTerminalError": 0, "noCandidateList": 1]
    /// How the last read of a chip ended.
    static let lastChipReads: [String: JSONNumber] = [
        "successful": 0, "failed": 1, "notAChipTransaction": 2, "unknown": 3,
    ]

    /// Adds what a sale or an authorisation carries beside its source, and what its amount is made of.
    static func add(_ request: SaleRequest, _ settings: ARISESettings?, to body: inout JSONObject) throws(PaymentError)
    {
        if case .bank = request.source {
            try check(request.quote, [.bankAccount])
        } else {
            try check(request.quote, [.debit, .credit])
            try addPrice(request, settings, to: &body)
        }
        if let customer = request.customer { body["customerId"] = .string(customer) }
        if let contact = request.contact { body["contactInfo"] = json(contact) }
        if let address = request.billing { body["billingAddress"] = json(address) }
        if let address = request.shipping { body["shippingAddress"] = json(address) }
    }

    /// Says every rate, so that none of the merchant's own is added to what was asked for.
    private static func addPrice(
        _ request: SaleRequest, _ settings: ARISESettings?, to body: inout JSONObject
    ) throws(PaymentError) {
        let price = request.quote.flatMap { $0.quote.tenders[$0.tender] }
        let tip = price.map(\.tip) ?? request.tip
        if let base = price?.base {
            body["amount"] = json(base)
        } else if let tip {
            body["amount"] = json(try request.amount.subtracting(tip))
        }
        if let tip { body["tipAmount"] = json(tip) }
        if let price { try checkSum(of: price) }
        body["percentageOffRate"] = try rate("discount", price?.discount, price)
        body["surchargeRate"] = try rate("surcharge", price?.surcharge, price)
        if settings?.zeroCost == .dualPricing { body["useCardPrice"] = true }
    }

    /// Refuses a price whose parts don't come to its total: one is missing, and would not be charged.
    private static func checkSum(of price: Quote.Breakdown) throws(PaymentError) {
        var sum = price.base
        for part in [price.discount, price.cashDiscount] { if let part { sum = try sum.subtracting(part) } }
        for part in [price.surcharge, price.tip, price.tax] { if let part { sum = try sum.adding(part) } }
        guard sum == price.total else {
            throw PaymentError.notExecuted(
                .mismatch,
                "The price's parts come to \(sum), and its total is \(price.total). Charge the total without the quote."
            )
        }
    }

    /// The rate of a part of a price, if it is a percentage that comes to that part: no document names the unit of an answer's
    /// rates, and each may be missing. A surcharge's base may have the discount taken off and the tip added.
    private static func rate(
        _ name: String, _ part: Money?, _ price: Quote.Breakdown?
    ) throws(PaymentError) -> JSON {
        guard let part, let price, !part.isZero else { return 0 }
        var bases = [price.base]
        if let discount = price.discount { bases.append(try price.base.subtracting(discount)) }
        if let tip = price.tip { for base in bases { bases.append(try base.adding(tip)) } }
        if let text = price.rates[name], let rate = try? Rate(percent: text) {
            let fits = bases.contains { base in
                guard let due = try? rate.share(of: base) else { return false }
                let (gap, isTooFar) = part.minorUnits.subtractingReportingOverflow(due.minorUnits)
                // Rounding alone may differ.
                return due.minorUnits > 0 && !isTooFar && (-1...1).contains(gap)
            }
            if fits { return try percent(text) }
        }
        throw PaymentError.notExecuted(
            .mismatch,
            "The price has a \(name) of \(part), and its rate (\(price.rates[name] ?? "none")) does not come to that. "
                + "Charge the total without the quote.")
    }

    static func check(_ quoted: Quote.Choice?, _ taken: Set<Tender>) throws(PaymentError) {
        guard let quoted, !taken.contains(quoted.tender) else { return }
        let known = taken.map(\.rawValue).sorted().joined(separator: " or ")
        throw PaymentError.notExecuted(
            .invalidRequest,
            "the price for \(quoted.tender.rawValue) does not fit this source; choose the one for \(known)")
    }

    private static func json(_ contact: CustomerContact) -> JSON {
        object([
            ("firstName", contact.firstName), ("lastName", contact.lastName), ("companyName", contact.company),
            ("email", contact.email), ("mobileNumber", contact.phone),
        ])
    }

    private static func json(_ address: PostalAddress) -> JSON {
        object([
            ("line1", address.line1), ("line2", address.line2), ("city", address.city),
            ("postalCode", address.postalCode), ("stateName", address.region),
        ])
    }

    private static func object(_ members: [(String, PersonalData?)]) -> JSON {
        var object: JSONObject = [:]
        for case (let name, let value?) in members { object[name] = .string(value.value) }
        return .object(object)
    }

    /// The body of a tap.
    static func tap(
        _ request: SaleRequest, _ read: CardReadResult, device: String, _ attempt: AttemptID
    ) throws(PaymentError) -> JSON {
        var body: JSONObject = [
            "amount": json(request.amount), "currencyId": try number(of: request.amount.currency),
            "deviceId": .string(device), "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()), "referenceId": .string(attempt.text),
        ]
        let price = request.quote.flatMap { $0.quote.tenders[$0.tender] }
        if let tip = price?.tip ?? request.tip { body["tip"] = .string(tip.decimalText) }
        if let price {
            body["subTotal"] = .string(price.base.decimalText)
            if let discount = price.discount { body["discount"] = .string(discount.decimalText) }
            if let rate = price.rates["surcharge"] { body["surchargeRate"] = .string(rate) }
        }
        return .object(body)
    }
}

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
        /// Whether another program began it: an import calls a captured hold a sale.
        var isImported = false
        /// Under which kind of reference the transaction's name is kept.
        var key = ARISEMapping.transactionKey
    }

    /// States in which an operation was done.
    private static func done(_ operation: PaymentOperation, isReply: Bool) -> Set<ARISEStatus> {
        switch operation {
        case .sale, .debit:
            isReply
                ? [.captured, .settled, .partiallyAuthorized, .cleared]
                : [.captured, .settled, .partiallyAuthorized, .cleared, .refunded]
        case .authorize:
            isReply
                ? [.authorized, .partiallyAuthorized]
                : [.authorized, .partiallyAuthorized, .captured, .settled, .refunded]
        case .capture: isReply ? [.captured, .settled] : [.captured, .settled, .refunded]
        case .void: [.voided, .cancelled]
        case .refund, .unlinkedRefund: [.refunded, .settled]
        case .tipAdjustment: [.captured, .partiallyAuthorized, .authorized, .settled]
        case .adjust, .verify, .tokenize, .chargeback: []
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
        // Of a hold of which a part was approved nothing says that it was captured.
        let canBeHold = asked.isImported && asked.operation == .sale && status != .partiallyAuthorized
        let isHold = canBeHold && said.type == .authorization
        if let type = said.type, let due = types[asked.operation], !due.contains(type), !isHold {
            throw unreadable("the answer is about another operation", String(type.rawValue))
        }
        let key = asked.operation == .refund ? refundKey : asked.key
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
        // A bank transfer that was charged back went through, and all of it went back.
        case .chargedBack where !asked.isReply && asked.operation.isOrigin:
            var returned = Decline(.failedAfterApproval, provider: message(said), references: references)
            returned.receipt = receipt(said)
            return .declined(returned)
        case .voided where !asked.isReply && asked.operation.isOrigin,
            .cancelled where !asked.isReply && asked.operation.isOrigin:
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
    /// that, and else it is in major units; one without a point could be either, and proves nothing.
    private static func tapped(_ text: String, _ asked: Money) throws(PaymentError) -> Money {
        let major = try? Money(wireDecimal: text, asked.currency).believable()
        if major == asked { return asked }
        if text.allSatisfy(\.isNumber), Int64(text) == asked.minorUnits { return asked }
        guard let major, text.contains(".") else { throw unreadable("the amount of the tap can't be read") }
        return major
    }

    /// What came back for a tap, as a verdict.
    static func verdict(_ said: ARISETapResult, _ asked: Money, reference: String?) throws(PaymentError) -> Verdict {
        guard let outcome = said.outcome else { throw unreadable("the answer names no outcome") }
        // What was refused or cancelled is that, also without a name.
        let isRefused = ["DECLINED", "CANCELLED"].contains(outcome.uppercased())
        guard said.id != nil || isRefused else { throw unreadable("the answer names no transaction") }
        if let reference, let echoed = said.externalReference, !isSame(echoed, reference) {
            throw PaymentError.unknown(.mismatch, otherReference)
        }
        let references: PaymentReferences = said.id.map { [transactionKey: $0] } ?? [:]
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

extension ARISEMapping {
    static func card(_ said: ARISETransaction) -> CardSummary? {
        let processing = said["cardProcessingDetails"]
        guard said.maskedPan != nil || processing != nil else { return nil }
        var card = CardSummary(brand: processing?["cardType"]?.string, maskedNumber: said.maskedPan)
        card.entry = said.text("cardDataSource")
        card.funding = processing?["cardCreditDebitType"]?.string?.lowercased()
        return card
    }

    /// What belongs on a receipt.
    static func receipt(_ said: ARISETransaction) -> Receipt {
        var receipt = Receipt()
        let (details, processing) = (said.details, said["cardProcessingDetails"])
        receipt.authorizationCode = details?["authCode"]?.string ?? said.text("authCode")
        receipt.responseCode = details?["hostResponseCode"]?.string ?? said.text("responseCode")
        receipt.responseText = details?["message"]?.string ?? said.text("responseDescription")
        receipt.retrievalReference = processing?["rrn"]?.string
        receipt.at = said.at
        receipt.verification = said.text("cardholderAuthenticationMethod")
        if let check = said["avsResponse"] {
            receipt.addressCheck = Receipt.AddressCheck(
                code: check["responseCode"]?.string, action: check["action"]?.string, result: check["result"]?.string)
        }
        receipt.breakdown = said["amount"].flatMap { breakdown($0, (try? said.currency()) ?? .usd) }
        var merchant = Receipt.Merchant()
        merchant.name = said.text("merchantName")
        merchant.address = said.text("merchantAddress")
        merchant.phone = said.text("merchantPhoneNumber")
        merchant.email = said.text("merchantEmailAddress")
        merchant.website = said.text("merchantWebsite")
        merchant.merchantID = processing?["mid"]?.string
        merchant.terminalID = processing?["tid"]?.string
        if merchant != Receipt.Merchant() { receipt.merchant = merchant }
        if let tags = said["emvTags"] { receipt.add(Self.tags(tags)) }
        return receipt
    }

    private static func tags(_ tags: JSON) -> [Receipt.EMVTag] {
        let raw = (tags["rawTags"]?.array ?? []).compactMap { item in
            item["key"]?.string.map { Receipt.EMVTag($0, item["value"]?.string ?? "") }
        }
        let named = [("aid", "4F"), ("applicationLabel", "50"), ("ac", "9F26"), ("tvr", "95"), ("tsi", "9B")]
        let known = Set(raw.map(\.tag))
        return raw
            + named.filter { !known.contains($0.1) }.compactMap { name, tag in
                tags[name]?.string.map { Receipt.EMVTag(tag, $0) }
            }
    }

    /// What an amount is made of; nil where it has no base or no total.
    static func breakdown(_ body: JSON, _ currency: Currency) -> Quote.Breakdown? {
        func part(_ name: String) -> Money? {
            body[name].flatMap { $0.isNull ? nil : try? money($0, currency) }
        }
        guard let base = part("baseAmount"), let total = part("totalAmount") else { return nil }
        var breakdown = Quote.Breakdown(base: base, total: total)
        func some(_ name: String) -> Money? { part(name).flatMap { $0.isZero ? nil : $0 } }
        breakdown.discount = some("percentageOffAmount")
        breakdown.cashDiscount = some("cashDiscountAmount")
        breakdown.surcharge = some("surchargeAmount")
        breakdown.tip = some("tipAmount")
        breakdown.tax = some("taxAmount")
        let rates = [
            ("discount", "percentageOffRate"), ("cashDiscount", "cashDiscountRate"), ("surcharge", "surchargeRate"),
            ("tip", "tipRate"), ("tax", "taxRate"),
        ]
        for (name, member) in rates {
            if let text = body[member]?.number?.decimalText.map(ARISESettings.short), text != "0" {
                breakdown.rates[name] = text
            }
        }
        return breakdown
    }

    /// What its list shows: a payment as one transaction with its newest state, and each refund as one. A state that proves
    /// nothing to a lookup proves nothing in the list.
    static func listed(failureIsFinal: Bool) -> ListedTransactions {
        let failed: ListedTransactions.Meaning = failureIsFinal ? .refused : .pending
        let words: [String: ListedTransactions.Meaning] = [
            "Authorization": .payment, "Sale": .payment, "AchDebit": .payment, "Refund": .refund,
            "RefundWORef": .refund,
            "AchRefund": .refund, "AchCredit": .refund, "CardAuthentication": .noMoney, "Authorized": .held,
            "Captured": .charged, "Settled": .charged, "Refunded": .charged, "Cleared": .charged,
            "PartiallyAuthorized": .executed, "Voided": .undone, "Cancelled": .undone, "ChargedBack": .undone,
            "Declined": .refused, "Failed": failed, "Pending": .pending, "Scheduled": .pending,
            "InProgress": .pending,
            "Held": .pending, "HeldByProcessor": .pending, "Verified": .noMoney, "Informational": .pending,
        ]
        return ListedTransactions([.hold, .charge, .capture, .change, .tip, .void, .refund], words: words)
    }

    /// What ARISE says about one transaction; nothing of the document is left out, unknown members survive by name.
    static func details(_ said: ARISETransaction) throws(PaymentError) -> PaymentDetails {
        let state = said.status?.rawValue ?? said.text("status") ?? ""
        var details = PaymentDetails(state, references: said.id.map { [transactionKey: $0] } ?? [:])
        let currency = try said.currency() ?? .usd
        details.at = said.at
        details.kind = said.text("transactionType") ?? said.text("type") ?? said.text("operationType")
        details.amount = try said.total(currency)
        if let status = said.status, done(status) {
            // Of a hold of which a part was approved nothing is captured yet.
            let isHold = said.type == .authorization || details.kind == "Authorization"
            details.captured = isHold && status == .partiallyAuthorized ? Money.zero(currency) : details.amount
        }
        details.isSettled = said.status.map { $0 == .settled || $0 == .refunded || $0 == .cleared }
        details.breakdown = said["amount"].flatMap { breakdown($0, currency) }
        for item in try said.available(currency) ?? [] {
            var operation = PaymentDetails.AvailableOperation(item.name, item.operation.neutral, amount: item.amount)
            operation.suggestedTips = item.suggestedTips
            details.operations.append(operation)
        }
        details.batch = said.text("batchId")
        details.source = said["source"]?["type"]?.string ?? said["source"]?["name"]?.string
        (details.card, details.receipt) = (card(said), receipt(said))
        details.reference = said.orderNumber
        var customer = CustomerContact()
        customer.lastName = said.text("customerName").map { PersonalData($0) }
        customer.company = said.text("customerCompany").map { PersonalData($0) }
        customer.email = said.text("customerEmail").map { PersonalData($0) }
        customer.phone = said.text("customerPhone").map { PersonalData($0) }
        if customer != CustomerContact() { details.customer = customer }
        flatten(said.body, into: &details.additional)
        return details
    }

    private static func done(_ status: ARISEStatus) -> Bool {
        [.captured, .settled, .refunded, .partiallyAuthorized, .cleared].contains(status)
    }

    /// Members that are read elsewhere, or that must not be kept in the clear.
    private static let hidden: Set<String> = [
        "customerName", "customerCompany", "customerEmail", "customerPhone", "customerAccountNumber",
        "customerRoutingNumber", "taxId", "accountNumber", "routingNumber", "securityCode", "track1", "track2", "pin",
        "rawTags", "availableOperations", "amount", "userProfiles",
    ]

    /// The longest names that lead to a value, in bytes; of a longer one the value is left out.
    private static let pathBytesMax = 256
    /// How many objects and lists may be around a value.
    private static let levelsMax = 16
    /// How many values are kept of one document.
    private static let valuesMax = 500
    /// How long a value may be, in bytes; a longer one is left out.
    private static let valueBytesMax = 768

    /// Every text, number and truth value, by the names that lead to it, within the limits above: each value repeats the
    /// names around it, so that a short document could become a very long one.
    static func flatten(_ json: JSON, into more: inout [String: String]) { flatten(json, "", 0, into: &more) }

    private static func flatten(_ json: JSON, _ path: String, _ level: Int, into more: inout [String: String]) {
        guard level <= levelsMax, path.utf8.count <= pathBytesMax, more.count < valuesMax else { return }
        func keep(_ text: String) { if text.utf8.count <= valueBytesMax { more[path] = text } }
        func go(_ name: String, _ value: JSON) {
            guard path.utf8.count + name.utf8.count < pathBytesMax else { return }
            flatten(value, path.isEmpty ? name : "\(path).\(name)", level + 1, into: &more)
        }
        switch json {
        case .object(let object):
            for member in object.members where !hidden.contains(member.key) { go(member.key, member.value) }
        case .array(let items):
            for (index, item) in items.prefix(valuesMax).enumerated() { go(String(index), item) }
        case .string(let text): keep(Masking.cardNumbers(in: text))
        case .number(let number): keep(number.text)
        case .bool(let value): keep(String(value))
        case .null: break
        }
    }
}
