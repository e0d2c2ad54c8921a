internal import PaymentBase
internal import PaymentTransport

/// What is kept for customers: accounts, tokens, and what is known about them.
extension EcommpaySimulator {
    private static func customer(_ call: SimulatorRequest) -> String { call.json?["customer"]?["id"]?.string ?? "" }

    static let noToken = refuse(400, "3221", "Card token not found")
    static let noCustomer = refuse(400, "3241", "Customer not found")

    /// The accounts of a customer under one payment method.
    static func list(_ call: SimulatorRequest, _ state: State) -> JSON? {
        call.json?["payment_method"]?.string == nil && state.play.wantsMethod
            ? nil : ["accounts": .array(accounts(of: customer(call), state))]
    }

    static func remove(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        remove(call.json?["saved_account_id"]?.int64, of: customer(call), &state)
    }

    /// The same within a session, for the customer of that session.
    static func forget(_ call: SimulatorRequest, _ session: Session, _ state: inout State) -> SimulatorResponse {
        let customer = session.parameters["customer_id"]?.string ?? ""
        return remove(call.json?["saved_account_id"]?.int64, of: customer, &state)
    }

    /// With an account its token is gone too.
    private static func remove(_ id: Int64?, of customer: String, _ state: inout State) -> SimulatorResponse {
        guard let id, let account = state.accounts[String(id)], account.customer == customer else {
            return refuse(400, "3101", "Card not found")
        }
        state.accounts[String(id)] = nil
        state.tokens[account.token] = nil
        return .json(["status": "success", "message": "Account deleted"])
    }

    // MARK: Tokens

    /// One token for a card of a customer, told by a callback; a card that is declined gets none.
    static func tokenize(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let card = call.json?["card"], let pan = card["pan"]?.string, (12...32).contains(pan.count),
            pan.allSatisfy({ $0.isASCII && $0.isNumber }), let year = card["year"]?.int64,
            (2_020...9_999).contains(year), let month = card["month"]?.int64, (1...12).contains(month)
        else { return refuse(400, "2004", "Required field not provided") }
        let today = CalendarDate(daysSince1970: call.now / 86_400_000)
        if let today, (Int64(today.year), Int64(today.month)) > (year, month) {
            return refuse(400, "3021", "Card expired")
        }
        let (owner, request) = (customer(call), "request-\(number(&state))")
        var news: [(String, JSON)] = [("customer", ["id": .string(owner)])]
        if let code = state.cards[pan] {
            news += [("request", told(request, "decline")), ("code", .string(code)), ("message", "Declined")]
        } else {
            let expiry = "\(month < 10 ? "0" : "")\(month)/\(String(year).suffix(2))"
            let known = state.accounts.named(owner).first { $0.number == pan }
            var account = known ?? Account(id: number(&state), number: pan, customer: owner)
            (account.expiry, account.tokenizedAt) = (expiry, call.now)
            if account.token.isEmpty {
                account.token = String(repeating: String(number(&state)), count: 4)
                state.tokens[account.token] = pan
            }
            state.accounts.keep(account)
            news += [
                ("request", told(request, "success")), ("token", .string(account.token)), ("token_status", "active"),
                ("token_created_at", time(call.now)),
                (
                    "card",
                    ["number": .string(masked(pan)), "exp_month": card["month"] ?? .null, "exp_year": .whole(year)]
                ),
            ]
        }
        let message: JSON = ["general": ["project_id": .whole(state.rules.project)]]
        tell(news.reduce(message) { $0.adding($1.0, $1.1) }, about: request, &state, call.now)
        return acknowledged("", request, state)
    }

    private static func told(_ request: String, _ status: String) -> JSON {
        ["id": .string(request), "action": "tokenize", "status": .string(status)]
    }

    private static func account(_ call: SimulatorRequest, _ state: State) -> Account? {
        guard let token = call.json?["token"]?.string, !token.isEmpty else { return nil }
        return state.accounts.named(customer(call)).first { $0.token == token }
    }

    static func byToken(_ call: SimulatorRequest, _ state: State) -> JSON? {
        account(call, state).map { ["account": json($0)] }
    }

    /// With a token the saved card is gone too.
    static func revoke(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let account = account(call, state) else { return noToken }
        (state.accounts[account.recordName], state.tokens[account.token]) = (nil, nil)
        return acknowledged("", "request-\(number(&state))", state)
    }

    /// What is known about a customer: what the last session said.
    static func known(_ call: SimulatorRequest, _ state: State) -> JSON? {
        state.customers[customer(call)].map { ["customer": $0.adding("ip_address", .string(address))] }
    }

    /// From where customers come.
    static let address = "198.51.100.47"

    /// Remembers what a session says about its customer.
    static func remember(_ parameters: JSON, _ state: inout State) {
        guard let id = parameters["customer_id"]?.string, !id.isEmpty else { return }
        var body: JSON = ["id": .string(id), "project_id": .whole(state.rules.project)]
        var billing: JSON = [:]
        for member in parameters["additional_fields"]?.object?.members ?? [] {
            if member.key.hasPrefix("billing_") {
                billing = billing.adding(String(member.key.dropFirst(8)), member.value)
            } else {
                body = body.adding(member.key, member.value)
            }
        }
        state.customers[id] = body.adding("billing", billing)
    }

    // MARK: Accounts

    static func accounts(of customer: String, _ state: State) -> [JSON] {
        state.accounts.named(customer).sorted { $0.id < $1.id }.map { json($0) }
    }

    private static func json(_ account: Account) -> JSON {
        let body: JSON = [
            "id": .whole(account.id), "number": .string(masked(account.number)), "type": "card",
            "last_deposit_date": "2026-01-05 10:00:00",
            "operation_type": ["purchase"],
            "additional": [
                "recurring_enable": false,
                "card": [
                    "holder": "John Doe", "country": "GB", "type": .string(brand(account.number)),
                    "product_name": "PREPAID", "expiry": .string(account.expiry),
                ],
            ],
        ]
        if account.token.isEmpty { return body }
        return body.adding("token", .string(account.token)).adding("last_tokenize_date", time(account.tokenizedAt))
    }
}

/// Cards that are registered for later debits.
extension EcommpaySimulator {
    /// A registered card with its terms, by the names of the registration.
    struct Registration: Recorded {
        var id: Int64 = 0
        var number = ""
        var currency = ""
        var isActive = true
        var terms: JSON = [:]

        var recordName: String { String(id) }

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("number", \.number), .init("currency", \.currency),
            .init("isActive", \.isActive), .init("terms", \.terms),
        ]
    }

    static let noRegistration = refuse(400, "3181", "COF purchase registration ID not found")
    private static let ended = refuse(400, "3184", "COF purchase registration ID is cancelled")

    /// The registration that a message names, and may still be used.
    static func active(_ call: SimulatorRequest, _ state: State) -> (
        id: Int64, kept: Registration?, refusal: SimulatorResponse?
    ) {
        guard let id = call.json?["recurring"]?["id"]?.int64, let kept = state.registrations[String(id)] else {
            return (0, nil, noRegistration)
        }
        return kept.isActive ? (id, kept, nil) : (id, nil, ended)
    }

    /// The state of a registration, in the form of the answer, which has names of its own.
    static func registration(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let id = call.json?["recurring"]?["id"]?.int64, let kept = state.registrations[String(id)] else {
            return noRegistration
        }
        let answer: JSON = ["project_id": .whole(state.rules.project), "recurring": shown(id, kept)]
        guard let debit = state.retries[id].flatMap({ state.payments[$0] }) else { return .json(answer) }
        let next: JSON = [
            "next_retry_exists": true, "next_retry_date": time(debit.waitsUntil),
            "trigger_operation_id": .whole(debit.operations.first?.id ?? 0),
        ]
        return .json(answer.adding("retry_info", next))
    }

    private static func shown(_ id: Int64, _ kept: Registration) -> JSON {
        var body: JSON = [
            "id": .whole(id), "currency": .string(kept.currency), "status": kept.isActive ? "active" : "cancelled",
        ]
        func text(_ name: String) -> String? { kept.terms[name]?.string ?? kept.terms[name]?.number?.text }
        let start = text("start_date").flatMap { CalendarDate(dayFirst: $0) }?.isoText
        let until = CalendarDate(
            year: text("expiry_year").flatMap { Int($0) } ?? 0, month: text("expiry_month").flatMap { Int($0) } ?? 0,
            day: text("expiry_day").flatMap { Int($0) } ?? 1)
        let members = [
            ("type", text("type")), ("period", text("period")), ("period_interval", text("interval")),
            ("start_date", start), ("start_time", text("time").map { String($0.prefix(5)) }),
            ("amount", text("amount")), ("valid_thru", until.map { "\($0.isoText) 00:00:00" }),
        ]
        for (name, value) in members { if let value { body = body.adding(name, .string(value)) } }
        return body
    }

    /// A change of the terms; its name is that of no other request.
    static func update(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        change(call, &state) { kept, asked in
            for member in asked.object?.members ?? [] {
                kept.terms = kept.terms.adding(member.key, member.value)
            }
        }
    }

    static func end(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        change(call, &state) { kept, _ in kept.isActive = false }
    }

    private static func change(
        _ call: SimulatorRequest, _ state: inout State, _ apply: (inout Registration, JSON) -> Void
    ) -> SimulatorResponse {
        guard let name = call.json?["general"]?["payment_id"]?.string, (1...255).contains(name.utf8.count),
            let asked = call.json?["recurring"], isWhole(asked)
        else { return refuse(400, "2004", "Required field not provided") }
        guard state.payments[name] == nil, !state.names.contains(name) else {
            return refuse(400, "3041", "Payment ID already exists")
        }
        let found = active(call, state)
        if let refusal = found.refusal { return refusal }
        guard var kept = found.kept else { return noRegistration }
        apply(&kept, asked)
        state.registrations.keep(kept)
        state.names.insert(name)
        let news = shown(found.id, kept)
        tell(["project_id": .whole(state.rules.project), "recurring": news], about: name, &state, call.now)
        return acknowledged(name, "request-\(number(&state))", state)
    }

    /// Whether the members of a change are as the documents have them.
    private static func isWhole(_ asked: JSON) -> Bool {
        let letters = asked["period"]?.string
        let dates = [asked["start_date"] == nil, asked["scheduled_payment_id"] == nil]
        let numbers: [(String, ClosedRange<Int64>)] = [
            ("expiry_year", 2_020...9_999), ("expiry_month", 1...12), ("expiry_day", 1...31), ("interval", 1...100),
            ("amount", 1...amountMax),
        ]
        return (asked["period"] == nil || ["D", "W", "M", "Q", "Y"].contains(letters)) && dates[0] == dates[1]
            && numbers.allSatisfy { name, range in
                asked[name] == nil || asked[name]?.int64.map { range.contains($0) } == true
            }
    }

    /// No more tries of a debit that was declined.
    static func stopRetries(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        let found = active(call, state)
        if let refusal = found.refusal { return refusal }
        let trigger = call.json?["trigger_operation_id"]?.int64
        let isThere = state.payments.records.named("operation \(trigger ?? 0)").contains { payment in
            payment.operations.contains { $0.id == trigger && $0.type == "recurring" && $0.status == "decline" }
        }
        guard isThere else { return refuse(400, "3186", "Trigger operation ID is not found") }
        if let debit = state.retries.removeValue(forKey: found.id) { state.payments[debit]?.waitsFor = "" }
        return accepted
    }
}
