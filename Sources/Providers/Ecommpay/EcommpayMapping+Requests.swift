internal import PaymentAbstraction
internal import PaymentBase

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
        body["payment_description"] = order.text.map(JSON.string)
        body["region_code"] = configuration.region.map(JSON.string)
        body["language_code"] = order.language.map { .string(String($0.prefix(2))) }
        if case .token(let token, _, _, _) = order.source { body["account_token"] = .string(token.expose()) }
        body["force_payment_method"] = (order.extras.forcedMethod ?? configuration.forcedMethod).map(JSON.string)
        if order.extras.hidesSaved ?? configuration.hidesSaved { body["hide_saved_wallets"] = true }
        return body
    }

    /// What goes into a session beside the signed parameters.
    static func unsigned(_ order: Order) throws(PaymentError) -> [(String, JSON)] {
        var more: [(String, JSON)] = []
        if let terms = order.cardOnFile {
            let amounts = [terms.amount].compactMap { $0 } + (order.extras.recurrence?.schedule.map(\.amount) ?? [])
            guard amounts.allSatisfy({ $0.currency == order.amount.currency }) else {
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
        var body = try self.terms(terms, recurrence)
        body["register"] = true
        body["type"] = kinds.first { $0.kind == terms.kind }.map { .string($0.letter) }
        if let recurrence, !recurrence.schedule.isEmpty {
            body["schedule"] = .array(
                recurrence.schedule.map {
                    ["date": .string($0.date.dayFirstText), "amount": number($0.amount.minorUnits)]
                })
        }
        return .object(body)
    }

    /// The provider's letters for the kinds of charges that a customer agrees to.
    static let kinds: [(kind: CardOnFileTerms.Kind, letter: String)] = [
        (.recurring, "R"), (.customerInitiated, "C"), (.unscheduled, "U"),
    ]

    /// When and over what a registered card is charged.
    static func terms(
        _ terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence?
    ) throws(PaymentError) -> JSONObject {
        var body = JSONObject()
        if let until = terms.until {
            guard let day = CalendarDate(iso: until) else {
                throw refused("\(until) is no date of the form YYYY-MM-DD")
            }
            body["expiry_year"] = number(Int64(day.year))
            (body["expiry_month"], body["expiry_day"]) = (number(Int64(day.month)), number(Int64(day.day)))
        }
        body["period"] = terms.period.map(JSON.string)
        body["amount"] = terms.amount.map { number($0.minorUnits) }
        body["interval"] = recurrence?.interval.map { number(Int64($0)) }
        body["time"] = recurrence?.time.map(JSON.string)
        body["start_date"] = recurrence?.start.map { .string($0.dayFirstText) }
        body["scheduled_payment_id"] = recurrence?.scheduledPayment.map(JSON.string)
        return body
    }

    static func refused(_ why: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, why)
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
