internal import PaymentAbstraction
internal import PaymentBase

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
    static func breakdown(_ body: JSON, _ currency: Currency) -> AmountBreakdown? {
        func part(_ name: String) -> Money? {
            body[name].flatMap { $0.isNull ? nil : try? money($0, currency) }
        }
        guard let base = part("baseAmount"), let total = part("totalAmount") else { return nil }
        var breakdown = AmountBreakdown(base: base, total: total)
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

    /// What ARISE says about one transaction; nothing of the document is left out, unknown members survive by name.
    static func details(_ said: ARISETransaction) throws(PaymentError) -> PaymentDetails {
        let state = said.status?.rawValue ?? said.text("status") ?? ""
        var details = PaymentDetails(state, references: said.id.map { [transactionKey: $0] } ?? [:])
        let currency = try said.currency() ?? .usd
        details.at = said.at
        details.kind = said.text("transactionType") ?? said.text("type") ?? said.text("operationType")
        details.amount = try said.total(currency)
        if let status = said.status, done(status), said.type != .authorization || status != .authorized {
            details.captured = details.amount
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
    /// How many objects and lists may stand around a value.
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
