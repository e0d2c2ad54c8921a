internal import PaymentBase
internal import PaymentTransport

/// Payments that begin at the Gate, and the answers to what they ask for.
extension EcommpaySimulator {
    /// The Gate's paths that begin a payment, and those that its steps are answered under.
    static func beginnings(_ routes: inout Router<State>, _ signed: Signed) {
        for (verb, type) in [("sale", "sale"), ("auth", "auth")] {
            routes.post("/v2/payment/card/\(verb)", .json, signed(beginning(type, card)))
            routes.post("/v2/payment/card/\(verb)/saved", .json, signed(beginning(type, saved)))
            routes.post("/v2/payment/card/\(verb)/token", .json, signed(beginning(type, token)))
        }
        routes.post("/v2/payment/card/account_verification", .json, signed(beginning("account verification", card)))
        routes.post("/v2/payment/card/3ds_check_iframe", .json, signed(answering(["method"], takeMethod)))
        routes.post(
            "/v2/payment/card/3ds_result", .json, signed(answering(["challenge", "legacy", "cascade"], takeResult)))
        routes.post("/v2/payment/clarification", .json, signed(answering(["clarification"], takeClarification)))
    }

    /// What is paid with, as one of the paths has it: the card's number, or a refusal.
    private typealias Instrument = @Sendable (JSON, State) -> (number: String, refusal: SimulatorResponse?)

    private static let incomplete = refuse(400, "2004", "Required field not provided")
    private static let notNow = refuse(400, "3060", "Current payment or operation status does not allow this action")

    private static func beginning(
        _ type: String, _ instrument: @escaping Instrument
    ) -> @Sendable (SimulatorRequest, inout State) -> SimulatorResponse {
        { call, state in
            guard let body = call.json, let id = body["general"]?["payment_id"]?.string,
                (1...255).contains(id.utf8.count), let units = body["payment"]?["amount"]?.int64,
                (0...amountMax).contains(units), (units == 0) == (type == "account verification"),
                let currency = body["payment"]?["currency"]?.string, currency.count == 3,
                let customer = body["customer"]?["id"]?.string, !customer.isEmpty,
                body["customer"]?["ip_address"]?.string?.isEmpty == false
            else { return incomplete }
            let script = TestAmount(minorUnits: units)
            if script == .losesRequest { return .cutBefore }
            if script == .busyOnce, state.busyOnce.insert(id).inserted { return busy }
            if state.payments[id] != nil { return refuse(400, "3041", "Payment ID already exists") }
            guard state.payments.count < paymentsMax else { return refuse(500, "501", "Internal error") }
            let (number, refusal) = instrument(body, state)
            let request = "request-\(Self.number(&state))"
            if let refusal = refusal ?? unready(body, number) {
                guard state.play.refusesLater else { return refusal }
                state.unregistered[request] = id
                return acknowledged(id, request, state)
            }
            var payment = Payment()
            payment.amounts = SimulatedPayment(name: id, currency: currency)
            (payment.createdAt, payment.customer, payment.number) = (call.now, customer, number)
            payment.origin = call.request.origin.description
            payment.operations = [
                Operation(
                    id: Self.number(&state), type: type, status: "processing", units: units, request: request,
                    at: call.now, label: id)
            ]
            payment.saves = body["card"]?["save"]?.bool ?? false
            if let terms = body["recurring"], terms["register"]?.bool == true {
                (payment.registers, payment.terms) = (terms["type"]?.string ?? "R", terms)
            }
            state.payments[id] = payment
            state.customers[customer] = body["customer"]?.adding("project_id", .whole(state.rules.project))
            begin(id, script, &state, call.now)
            switch script {
            case .losesReply: return .cutAfter
            case .failsAfter: return refuse(500, "501", "Internal error")
            default: return acknowledged(id, request, state)
            }
        }
    }

    /// What 3-D Secure 2 needs of a card whose bank authenticates its holder: pages to come back to, the size of the screen,
    /// and a way to reach the customer.
    private static func unready(_ body: JSON, _ number: String) -> SimulatorResponse? {
        guard EcommpayCard.way(number).way != .none else { return nil }
        let (pages, customer) = (body["acs_return_url"], body["customer"])
        func has(_ text: JSON?) -> Bool { text?.string?.isEmpty == false }
        let isReady =
            has(pages?["return_url"]) && has(pages?["3ds_notification_url"]) && has(customer?["screen_res"])
            && (has(customer?["email"]) || has(customer?["phone"]))
        return isReady ? nil : incomplete
    }

    // MARK: Instruments

    private static let card: Instrument = { body, _ in
        guard let card = body["card"], let pan = card["pan"]?.string, (12...32).contains(pan.count),
            pan.allSatisfy({ $0.isASCII && $0.isNumber }), let year = card["year"]?.int64,
            (2_020...9_999).contains(year), let month = card["month"]?.int64, (1...12).contains(month),
            let holder = card["card_holder"]?.string, isName(holder)
        else { return ("", incomplete) }
        return (pan, isCode(card["cvv"]) ? nil : refuse(400, "3141", "Invalid CVV"))
    }

    private static let saved: Instrument = { body, state in
        guard let id = body["saved_account_id"]?.int64 else { return ("", incomplete) }
        guard let account = state.accounts[String(id)], account.customer == body["customer"]?["id"]?.string else {
            return ("", refuse(400, "3101", "Card not found"))
        }
        return (account.number, isCode(body["cvv"]) ? nil : refuse(400, "3141", "Invalid CVV"))
    }

    private static let token: Instrument = { body, state in
        guard let token = body["token"]?.string, !token.isEmpty else { return ("", incomplete) }
        guard let number = state.tokens[token] else { return ("", noToken) }
        let isMissing = body["cvv"] == nil && state.play.wantsTokenCode
        return (number, isCode(body["cvv"]) && !isMissing ? nil : refuse(400, "3141", "Invalid CVV"))
    }

    /// Whether a name of a holder is written as the published pattern has it.
    private static func isName(_ text: String) -> Bool {
        (1...255).contains(text.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " -.'".contains($0)) }
    }

    /// Whether a security code is left out, or has three or four digits.
    private static func isCode(_ json: JSON?) -> Bool {
        guard let json else { return true }
        return json.string.map { (3...4).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } } ?? false
    }

    // MARK: Steps

    /// An answer to a step: acknowledged as every message is, and refused where the payment waits for something else.
    private static func answering(
        _ steps: [String], _ take: @escaping @Sendable (SimulatorRequest, Session, inout State) -> SimulatorResponse
    ) -> @Sendable (SimulatorRequest, inout State) -> SimulatorResponse {
        { call, state in
            guard let id = call.json?["general"]?["payment_id"]?.string, let payment = state.payments[id] else {
                return refuse(400, "3061", "Transaction not found")
            }
            guard steps.contains(payment.waitsFor) else { return notNow }
            // The result of the new page says that the customer agreed to it.
            if payment.waitsFor == "cascade" { state.payments[id]?.waitsFor = "legacy" }
            let answer = take(call, Session(payment: id), &state)
            guard case .reply(let said) = answer, said.status == 200 else { return answer }
            return acknowledged(id, payment.operations.last?.request ?? "", state)
        }
    }

    /// The callback that says what a payment waits for: such a callback can't be switched off.
    static func step(_ payment: Payment, _ state: State) -> JSON {
        let told: JSON = [
            "general": ["project_id": .whole(state.rules.project), "payment_id": .string(payment.id)],
            "payment": Self.payment(payment, nil), "request_id": .string(payment.operations.last?.request ?? ""),
        ]
        return asked(payment, nil, payment.origin).reduce(told) { $0.adding($1.0, $1.1) }
    }
}
