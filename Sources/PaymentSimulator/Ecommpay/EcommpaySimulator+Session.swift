internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    /// A session for a payment; one that is not final is taken up again.
    static func open(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let body = call.json, let id = body["payment_id"]?.string, (1...255).contains(id.utf8.count),
            let units = body["payment_amount"]?.int64, (0...amountMax).contains(units),
            body["payment_currency"]?.string?.count == 3
        else { return refuse(400, "2004", "Required field not provided") }
        let known = state.payments[id]
        if let known, !isSame(known, body) { return refuse(400, "3041", "Payment ID already exists") }
        let session = "sid-\(number(&state))-\(id.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF })"
        state.sessions.prune(call.now)
        state.sessions[session] = Session(payment: id, parameters: body, expires: call.now + sessionMilliseconds)
        let offer = EcommpayTexts.offer(body["language_code"]?.string, only: body["force_payment_method"]?.string)
        let isHiding = body["hide_saved_wallets"]?.bool ?? false
        let saved = isHiding ? [] : accounts(of: body["customer_id"]?.string ?? "", state)
        var reply: JSON = ["status": "success", "sid": .string(session), "accounts": .array(saved)]
        for (name, value) in offer { reply = reply.adding(name, value) }
        if let known { reply = reply.adding("payment", payment(known, nil)) }
        return .json(reply)
    }

    /// Whether a session continues with a payment: it is not final, and about the same money.
    private static func isSame(_ payment: Payment, _ body: JSON) -> Bool {
        !finals.contains(payment.status) && payment.currency == body["payment_currency"]?.string
            && payment.operations.first?.units == body["payment_amount"]?.int64
    }

    private static let finals: Set<String> = [
        "success", "decline", "partially paid", "refunded", "partially refunded", "reversed", "canceled",
        "awaiting capture",
    ]

    /// What is paid with; the payment is registered, and as far as nothing is asked, decided.
    static func pay(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let body = call.json, let action = body["action"]?.string, let type = types[action],
            let currency = session.parameters["payment_currency"]?.string,
            let units = session.parameters["payment_amount"]?.int64
        else { return refuse(400, "2004", "Required field not provided") }
        let id = session.payment
        let script = TestAmount(minorUnits: units)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.busyOnce.insert(id).inserted { return busy }
        let known = state.payments[id]
        if let known, known.status != "awaiting customer" { return refuse(400, "3041", "Payment ID already exists") }
        guard state.payments.count < paymentsMax else { return refuse(500, "501", "Internal error") }
        let customer = session.parameters["customer_id"]?.string ?? ""
        let isCheck = type == "account verification" || type == "tokenize"
        if body["method"]?.string == "googlepay" {
            guard body["merchant_id"]?.string?.isEmpty == false, let world = body["environment"]?.string else {
                return refuse(400, "2004", "Required field not provided")
            }
            if world != state.rules.googlePay {
                return refuse(400, "310", "This operation is not allowed by project settings")
            }
        }
        if isCheck, customer.isEmpty { return refuse(400, "2154", "Customer ID is required for project") }
        guard isCheck == (units == 0) else { return refuse(400, "502", "Validation error") }
        guard let number = source(body, session, state) else { return refuse(400, "3101", "Card not found") }
        let request = "request-\(Self.number(&state))"
        var payment = Payment()
        payment.amounts = SimulatedPayment(name: id, currency: currency)
        (payment.createdAt, payment.method) = (call.now, body["method"]?.string ?? "card")
        (payment.customer, payment.number, payment.entry) = (customer, number, entry(body))
        payment.operations =
            known?.operations.map { old in
                var old = old
                old.status = old.status == "processing" ? "decline" : old.status
                return old
            } ?? []
        payment.operations.append(
            Operation(
                id: Self.number(&state), type: type, status: "processing", units: units, request: request, at: call.now,
                refund: "", code: "", label: id))
        payment.saves = body["card"]?["save"]?.bool ?? false
        if session.parameters["recurring"]?["register"]?.bool == true {
            payment.registers = session.parameters["recurring"]?["type"]?.string ?? "R"
            payment.terms = session.parameters["recurring"] ?? [:]
        }
        state.payments[id] = payment
        remember(session.parameters, &state)
        begin(id, script, &state, call.now)
        let answer = acknowledged(id, request, state)
        switch script {
        case .losesReply: return .cutAfter
        case .failsAfter: return refuse(500, "501", "Internal error")
        default: return answer
        }
    }

    private static let types = [
        "sale": "sale", "auth": "auth", "account_verification": "account verification", "tokenize": "tokenize",
    ]

    static var busy: SimulatorResponse {
        guard case .reply(var response) = refuse(429, "2147", "Lock Error") else { return .closed }
        response.headers["Retry-After"] = "1"
        return .reply(response)
    }

    /// What is paid with, for the books.
    private static func entry(_ body: JSON) -> String {
        if body["card"] != nil { return "card" }
        return body["saved_account_id"] != nil ? "saved" : body["payment_token"] != nil ? "token" : "wallet"
    }

    /// The number behind what is paid with; nil where there is none.
    private static func source(_ body: JSON, _ session: Session, _ state: State) -> String? {
        if let card = body["card"] {
            guard let number = card["pan"]?.string, number.count >= 12, card["year"]?.int64 != nil,
                card["month"]?.int64 != nil
            else { return nil }
            return number
        }
        if let id = body["saved_account_id"]?.int64 {
            guard let account = state.accounts[String(id)] else { return nil }
            let customer = session.parameters["customer_id"]?.string ?? account.customer
            return customer == account.customer ? account.number : nil
        }
        if let token = body["payment_token"]?.string {
            guard session.parameters["account_token"]?.string == token else { return nil }
            return state.tokens[token]
        }
        return body["token"]?.string.flatMap { $0.isEmpty ? nil : "wallet" }
    }

    /// The state of the payment of a session.
    static func report(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        guard let payment = state.payments[session.payment] else {
            return .json(
                ["status": "validation", "code": "501", "errors": ["sid": "Make payment before check status"]],
                status: 400)
        }
        return .json(standing(payment, session, state, call.request.origin))
    }

    /// The state of a payment, with what it asks for: what the session answers and pushes.
    static func standing(_ payment: Payment, _ session: Session, _ state: State, _ origin: Origin) -> JSON {
        let type = payment.operations.last { ["sale", "auth", "account verification", "tokenize"].contains($0.type) }
        var reply = body(payment, type, state)
        let language = session.parameters["language_code"]?.string
        for (name, value) in asked(payment, language, origin.description) { reply = reply.adding(name, value) }
        switch type.flatMap({ TestAmount(minorUnits: $0.units) }) {
        case .saysUnknownWord?:
            return reply.adding("payment", (reply["payment"] ?? .null).adding("status", "teleported"))
        case .echoesOther?:
            let other = (type?.units ?? 0) + 1
            return reply.adding(
                "operation", (reply["operation"] ?? .null).adding("sum_initial", sum(other, payment.currency)))
        default: return reply
        }
    }

    /// What a payment asks for now.
    static func asked(_ payment: Payment, _ language: String?, _ origin: String) -> [(String, JSON)] {
        let bank = "\(origin)/acs"
        switch payment.waitsFor {
        case "fields":
            return [("customer_fields", [EcommpayTexts.email(language)])]
        case "clarification":
            return [("clarification_fields", ["avs_data": ["avs_post_code", "avs_street_address"]])]
        case "method":
            let data: JSON = .string("eyJpZCI6IjEifQ")
            return [
                (
                    "threeds2",
                    [
                        "iframe": [
                            "url": .string("\(bank)/method"),
                            "params": ["threeDSMethodData": data, "3DSMethodData": data],
                        ]
                    ]
                )
            ]
        case "challenge":
            return [
                (
                    "threeds2",
                    [
                        "redirect": [
                            "url": .string("\(bank)/challenge"),
                            "params": ["creq": "eyJhIjoiMSJ9", "threeDSSessionData": .string(payment.id)],
                        ]
                    ]
                )
            ]
        case "redirect":
            let body: JSON = ["payment": .string(payment.id)]
            let page = "\(origin)/aps/pay"
            return [("return_url", ["method": "POST", "body": body, "encrypted": [], "url": .string(page)])]
        case "code":
            let data = "\(origin)/aps/pay?payment=\(payment.id)"
            return [("display_data", [["type": "qr_data", "title": "QR code", "data": .string(data)]])]
        case "legacy", "cascade":
            return [
                (
                    "acs",
                    [
                        "pa_req": "eJxVUu9v", "md": .string(payment.id), "acs_url": .string("\(bank)/pareq"),
                        "term_url": "https://shop.example/return",
                    ]
                )
            ]
        default: return []
        }
    }
}

/// What a session offers, in the languages that the simulated provider speaks.
enum EcommpayTexts {
    private static let titles: [String: [String: String]] = [
        "en": ["methods": "Payment methods", "card": "Cards", "pay": "Pay", "email": "E-mail"],
        "de": ["methods": "Zahlungsarten", "card": "Karten", "pay": "Bezahlen", "email": "E-Mail-Adresse"],
        "fr": ["methods": "Moyens de paiement", "card": "Cartes", "pay": "Payer", "email": "Adresse e-mail"],
    ]

    private static func title(_ name: String, _ language: String?) -> JSON {
        .string(titles[language ?? "en"]?[name] ?? titles["en"]?[name] ?? name)
    }

    /// The field for an e-mail address.
    static func email(_ language: String?) -> JSON {
        ["name": "email", "is_required": true, "type": "email", "label": title("email", language)]
    }

    /// The members of an opened session that are for people.
    static func offer(_ language: String?, only code: String?) -> [(String, JSON)] {
        let logos = "https://paymentpage.example/logos"
        let methods: [JSON] = [
            [
                "code": "card", "name": title("card", language), "type": "card", "save_mode": "ask",
                "card_types": ["visa", "mastercard"], "icon_url": .string("\(logos)/card.svg"),
                "customer_fields": [email(language)],
            ],
            [
                "code": "etoken", "name": "Apple Pay", "type": "applePay", "save_mode": "never", "card_types": [],
                "icon_url": .string("\(logos)/applepay.svg"), "customer_fields": [],
            ],
        ]
        return [
            ("payment_methods", .array(methods.filter { code == nil || $0["code"]?.string == code })),
            (
                "strings",
                [
                    "payment.methodsTitle": title("methods", language), "payment.payButton": title("pay", language),
                    "field.email": title("email", language),
                ]
            ),
            (
                "logos",
                ["visa": .string("\(logos)/visa.svg"), "mastercard": .string("\(logos)/mastercard.svg")]
            ),
        ]
    }
}
