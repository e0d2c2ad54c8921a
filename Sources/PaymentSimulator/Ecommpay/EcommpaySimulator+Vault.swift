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
