internal import PaymentAbstraction
internal import PaymentBase

/// Domain ⇄ wire, as pure functions: amounts, sources and the bodies of requests.
enum ARISEMapping {
    /// The currencies by ARISE's own number.
    static let currencies: [Int64: Currency] = [1: .usd]
    /// The same by their ISO numbers, which some answers have instead.
    static let isoCurrencies: [Int64: Currency] = [840: .usd]
    /// The names under which references are kept.
    static let transactionKey = "transaction"
    static let refundKey = "refund"

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
        body["percentageOffRate"] = try price?.rates["discount"].map(percent) ?? 0
        body["surchargeRate"] = try price?.rates["surcharge"].map(percent) ?? 0
        if settings?.zeroCost == .dualPricing { body["useCardPrice"] = true }
    }

    static func check(_ quoted: QuotedTender?, _ taken: Set<Tender>) throws(PaymentError) {
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
