internal import PaymentProviderKit

// How a payment begins at the Gate, by the published interface.

extension EcommpayMapping {
    /// The path and the message that begin a payment.
    static func beginning(
        _ operation: PaymentOperation, _ order: Order, _ attempt: AttemptID, _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> (path: String, body: JSON) {
        var body: [(String, JSON)] = [("customer", try customer(order, attempt, configuration))]
        var payment = json(order.amount)
        if let text = order.text { payment = payment.adding("description", description(text)) }
        for member in order.extras.risk?.json["payment"]?.object?.members ?? [] {
            payment = payment.adding(member.key, member.value)
        }
        body.append(("payment", payment))
        if let check = addressCheck(order) { body.append(("avs_data", check)) }
        if let recurring = try recurring(order) { body.append(("recurring", recurring)) }
        if let recipient = order.recipient {
            guard operation != .authorize else {
                throw PaymentError.notExecuted(
                    .unsupported, "The Gate accepts a recipient only with a sale. Remove it, or make a sale.")
            }
            body.append(("recipient", try self.recipient(recipient)))
        }
        if let page = configuration.returnAddress {
            if let loaded = configuration.notificationAddress {
                body.append(("acs_return_url", ["return_url": .string(page), "3ds_notification_url": .string(loaded)]))
            }
            body.append(("return_url", ["return": .string(page)]))
        }
        let kind: String
        switch order.source {
        case .card(let card):
            guard card.holder?.value.isEmpty == false else {
                throw refused("the Gate wants the name of the card's holder")
            }
            var number = Self.card(card)
            number["cvv"] = card.securityCode.map { .string($0.expose()) }
            number["save"] = order.savesInstrument ? true : nil
            (kind, body) = ("", body + [("card", .object(number))])
        case .saved(let id, let code):
            guard let account = Int64(id.rawValue) else { throw refused("a saved account's id is a number here") }
            guard order.customer != nil else { throw refused("a saved account is charged for its own customer") }
            (kind, body) = ("/saved", body + [("saved_account_id", number(account))] + security(code))
        case .token(let token, _, _, let code):
            (kind, body) = ("/token", body + [("token", .string(token.expose()))] + security(code))
        case .reader, .external, .wallet, .bank, .hostedPage:
            throw PaymentError.notExecuted(.unsupported, "this source is not taken")
        }
        return (
            EcommpayPath.beginning(operation) + kind, gate(attempt.text, configuration.project, body)
        )
    }

    private static func security(_ code: Secret?) -> [(String, JSON)] {
        code.map { [("cvv", .string($0.expose()))] } ?? []
    }

    /// Who pays: the Gate wants a name and an address of each payer. A payer without a customer's id goes by the
    /// payment's name.
    private static func customer(
        _ order: Order, _ attempt: AttemptID, _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> JSON {
        var more = order.contact?.additional ?? [:]
        guard let address = more.removeValue(forKey: "ip_address")?.value ?? configuration.customerIPAddress else {
            throw PaymentError.notExecuted(
                .configuration,
                "the Gate wants the customer's address: give `ip_address` in the contact's further fields, or set "
                    + "`customerIpAddress` in the settings of \(configuration.name)")
        }
        // Whose stored cards these are is what the request says, and no further field says otherwise.
        more["id"] = nil
        var body: JSONObject = ["id": .string(order.customer ?? attempt.text), "ip_address": .string(address)]
        let known: [(String, String?)] = [
            ("first_name", order.contact?.firstName?.value), ("last_name", order.contact?.lastName?.value),
            ("email", order.contact?.email?.value),
            ("phone", order.contact?.phone?.value.filter { $0.isASCII && $0.isNumber }),
            ("language", language(order)?.string),
        ]
        for (name, value) in known { body[name] = value.map(JSON.string) }
        for (name, value) in more.sorted(by: { $0.key < $1.key }) where !name.hasPrefix(addressCheck) {
            let written = try EcommpayMember.json(value, named: name)
            guard name.hasPrefix(identity) else {
                body[name] = written
                continue
            }
            // A group here, where a session has one name for both.
            let group = String(identity.dropLast())
            body[group] = (body[group] ?? [:]).adding(String(name.dropFirst(identity.count)), written)
        }
        var risk = order.extras.risk?.json["customer"]?.object ?? [:]
        let region = risk["billing_region_code"]
        risk["billing_region_code"] = nil
        for member in risk.members { body[member.key] = member.value }
        var place = order.billing.map { self.place($0) } ?? [:]
        place["region_code"] = region
        if order.billing != nil || region != nil { body["billing"] = .object(place) }
        return .object(body)
    }

    /// The members of a recipient at the Gate.
    private static let recipientMembers: Set<String> = [
        "address", "card_holder", "city", "country", "pan", "state_code", "wallet_id", "wallet_owner",
    ]

    /// Whose debt the payment settles, by the Gate's own names.
    private static func recipient(_ contact: CustomerContact) throws(PaymentError) -> JSON {
        var body = JSONObject()
        let name = [contact.firstName?.value, contact.lastName?.value].compactMap { $0 }.joined(separator: " ")
        if !name.isEmpty { body["card_holder"] = .string(name) }
        for (name, value) in contact.additional.sorted(by: { $0.key < $1.key }) {
            guard recipientMembers.contains(name) else {
                throw refused("The Gate knows no \(name) of a recipient.")
            }
            body[name] = .string(value.value)
        }
        return .object(body)
    }

    /// What is compared with the address that the card's bank has; a payment by a token has no member for it, and the
    /// Gate asks for it where it is needed.
    private static func addressCheck(_ order: Order) -> JSON? {
        if case .token = order.source, order.amount.minorUnits > 0 { return nil }
        let fields = (order.contact?.additional ?? [:]).filter { $0.key.hasPrefix(addressCheck) }
        guard !fields.isEmpty else { return nil }
        var body = JSONObject()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { body[name] = .string(value.value) }
        return .object(body)
    }

    /// What the names of an address that is checked begin with.
    private static let addressCheck = "avs_"

    /// What the names of a customer's papers begin with in a session.
    private static let identity = "identify_"

    private static func place(_ billing: PostalAddress) -> JSONObject {
        var place = JSONObject()
        let lines: [(String, String?)] = [
            ("country", billing.country), ("region", billing.region?.value), ("city", billing.city?.value),
            ("address", billing.line1?.value), ("postal", billing.postalCode?.value),
        ]
        for (name, value) in lines { place[name] = value.map(JSON.string) }
        return place
    }

    /// What was agreed to for later charges.
    static func recurring(_ order: Order) throws(PaymentError) -> JSON? {
        guard let terms = order.cardOnFile else {
            guard order.extras.recurrence == nil else {
                throw refused("times and amounts of later charges need the terms that the customer agreed to")
            }
            return nil
        }
        guard terms.amount.map({ $0.currency == order.amount.currency }) ?? true else {
            throw refused("later charges are in the currency of the payment that registers them")
        }
        return try registration(terms, order.extras.recurrence)
    }
}

// The link to the provider's Payment Page: parameters in a query, signed as a whole.

extension EcommpayMapping {
    /// The parameters of a page; texts and numbers alone, since a truth is signed differently from it is written.
    static func page(
        _ operation: PaymentOperation, _ order: Order, _ attempt: AttemptID, until: Int64,
        _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> JSONObject {
        guard let end = Timestamp(milliseconds: until)?.text(.colonOffset) else {
            throw refused("the clock is beyond every calendar")
        }
        var body: JSONObject = [
            "project_id": number(configuration.project), "payment_id": .string(attempt.text),
            "payment_amount": number(order.amount.minorUnits),
            "payment_currency": .string(order.amount.currency.code), "mode": "purchase",
            "operation_type": .string(operation == .authorize ? "auth" : "sale"), "best_before": .string(end),
        ]
        body["payment_description"] = order.text.map { description($0) }
        // The page wants one of each payer; one without an id goes by the payment's name, as at the Gate.
        body["customer_id"] = .string(order.customer ?? attempt.text)
        body["region_code"] = (order.extras.region ?? configuration.region).map(JSON.string)
        body["language_code"] = language(order)
        body["force_payment_method"] = (order.extras.forcedMethod ?? configuration.forcedMethod).map(JSON.string)
        if order.extras.hidesSaved ?? configuration.hidesSaved { body["hide_saved_wallets"] = 1 }
        for (name, value) in people(order) { body[name] = value.map(JSON.string) }
        for (name, value) in order.extras.risk?.page ?? [] { body[name] = value }
        if let recurring = try recurring(order) {
            body["recurring"] = .string(String(decoding: recurring.bytes(), as: UTF8.self))
        }
        if let address = configuration.returnAddress {
            for name in ["merchant_success_url", "merchant_fail_url", "merchant_return_url"] {
                body[name] = .string(address)
            }
        }
        return body
    }

    private static func people(_ order: Order) -> [(String, String?)] {
        let (contact, billing) = (order.contact, order.billing)
        // Whose stored cards the page offers is what the request says, and no further field says otherwise.
        let more = (contact?.additional ?? [:]).filter { !["id", "ip_address"].contains($0.key) }
            .sorted { $0.key < $1.key }
        return [
            ("customer_first_name", contact?.firstName?.value), ("customer_last_name", contact?.lastName?.value),
            ("customer_email", contact?.email?.value),
            ("customer_phone", contact?.phone?.value.filter { $0.isASCII && $0.isNumber }),
            ("billing_country", billing?.country), ("billing_region", billing?.region?.value),
            ("billing_city", billing?.city?.value), ("billing_address", billing?.line1?.value),
            ("billing_postal", billing?.postalCode?.value),
        ] + more.map { (isOwnOnThePage($0.key) ? $0.key : "customer_\($0.key)", $0.value.value) }
    }

    /// Whether a further field of a contact has its whole name on a page, where the others belong to the customer.
    private static func isOwnOnThePage(_ name: String) -> Bool {
        [addressCheck, identity, "billing_"].contains { name.hasPrefix($0) }
    }

    /// The query of signed parameters, in their order, the signature last.
    static func query(_ signed: JSON) throws(PaymentError) -> String {
        var fields: [FormField] = []
        for member in signed.object?.members ?? [] {
            switch member.value {
            case .string(let text): fields.append(FormField(member.key, text))
            case .number(let number): fields.append(FormField(member.key, number.text))
            case .null, .bool, .array, .object:
                throw PaymentError.notExecuted(
                    .mismatch, "the signer added \(member.key), which can't stand in a link as it was signed")
            }
        }
        return FormEncoding.encode(fields)
    }
}
