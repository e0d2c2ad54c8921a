internal import PaymentAbstraction
internal import PaymentBase

// How a payment begins at the Gate, by the published interface.

extension EcommpayMapping {
    /// The path and the message that begin a payment.
    static func beginning(
        _ operation: PaymentOperation, _ order: Order, _ attempt: AttemptID, _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> (path: String, body: JSON) {
        var body: [(String, JSON)] = [("customer", try customer(order, attempt, configuration))]
        var payment = json(order.amount)
        if let text = order.text { payment = payment.adding("description", .string(text)) }
        for member in order.extras.risk?.json["payment"]?.object?.members ?? [] {
            payment = payment.adding(member.key, member.value)
        }
        body.append(("payment", payment))
        if let recurring = try recurring(order) { body.append(("recurring", recurring)) }
        if let page = configuration.returnAddress {
            body.append(("acs_return_url", ["return_url": .string(page), "3ds_notification_url": .string(page)]))
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

    /// Who pays: the Gate wants a name and an address of everybody. Who is nobody's customer goes by the payment's name.
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
        var body: JSONObject = ["id": .string(order.customer ?? attempt.text), "ip_address": .string(address)]
        let known: [(String, String?)] = [
            ("first_name", order.contact?.firstName?.value), ("last_name", order.contact?.lastName?.value),
            ("email", order.contact?.email?.value),
            ("phone", order.contact?.phone?.value.filter { $0.isASCII && $0.isNumber }),
            ("language", order.language.map { String($0.prefix(2)) }),
        ]
        for (name, value) in known { body[name] = value.map(JSON.string) }
        for (name, value) in more.sorted(by: { $0.key < $1.key }) { body[name] = .string(value.value) }
        for member in order.extras.risk?.json["customer"]?.object?.members ?? [] { body[member.key] = member.value }
        if let billing = order.billing {
            var place = JSONObject()
            let lines: [(String, String?)] = [
                ("country", billing.country), ("region", billing.region?.value), ("city", billing.city?.value),
                ("address", billing.line1?.value), ("postal", billing.postalCode?.value),
            ]
            for (name, value) in lines { place[name] = value.map(JSON.string) }
            body["billing"] = .object(place)
        }
        return .object(body)
    }

    /// What was agreed to for later charges; the Gate has no place for single dates.
    static func recurring(_ order: Order) throws(PaymentError) -> JSON? {
        guard let terms = order.cardOnFile else {
            guard order.extras.recurrence == nil else {
                throw refused("times and amounts of later charges need the terms that the customer agreed to")
            }
            return nil
        }
        guard order.extras.recurrence?.schedule.isEmpty ?? true else {
            throw PaymentError.notExecuted(.unsupported, "the Gate registers no single dates of later charges")
        }
        guard terms.amount.map({ $0.currency == order.amount.currency }) ?? true else {
            throw refused("later charges are in the currency of the payment that registers them")
        }
        return try registration(terms, order.extras.recurrence)
    }
}
