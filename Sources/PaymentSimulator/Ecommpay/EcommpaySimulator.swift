public import PaymentBase
public import PaymentTransport

/// ecommpay, simulated: one project with its sessions, its Gate and its signed callbacks.
///
/// What happens to a card is decided by its number, as in the provider's own test project, or by the last three digits
/// of the amount.
public final class EcommpaySimulator: PlayingProvider {
    /// How long a customer who was asked has, in milliseconds: half an hour.
    public static let answerMilliseconds: Int64 = 30 * 60_000
    /// How long it is at work on a payment whose amount says so, in milliseconds.
    static let workMilliseconds: [TestAmount: Int64] = [.decidesSoon: 3_000, .decidesLate: 20 * 60_000]
    /// How long a session lives after it was last used, in milliseconds: half an hour.
    public static let sessionMilliseconds: Int64 = 30 * 60_000
    /// The largest amount that it takes, in minor units.
    public static let amountMax: Int64 = 10_000_000_000_000
    /// How many payments it keeps.
    public static let paymentsMax = 200_000

    /// What the project is like.
    public struct Rules: Sendable {
        /// The project's number.
        public var project: Int64 = 1_234
        /// The project's secret.
        public var secret = Secret("ecommpay-simulated-secret")
        /// How long a payment is under way before it is decided, in milliseconds.
        public var processingMilliseconds: Int64 = 0
        /// Which of Google's two worlds the project belongs to.
        public var googlePay = "test"

        /// Takes the usual rules.
        public init() {}
    }

    let clock: any PaymentClock
    let crypto: any Crypto
    let seal: EcommpaySignature
    let state: Locked<State>
    let reading = Locked(ProviderReading<State>())
    /// Rings whenever something may have changed.
    let bell = Locked(Promise<Void>())
    private let routes: Router<State>
    /// The rules that it was opened with.
    public let rules: Rules
    public let name: String
    public let members = ReplyFields(
        amounts: ["amount"], currencies: ["currency"], references: ["id", "payment_id"], words: ["status"])

    /// Opens the provider.
    public init(clock: any PaymentClock, crypto: any Crypto, name: String = "ecommpay", rules: Rules = Rules()) {
        (self.clock, self.crypto, self.name, self.rules) = (clock, crypto, name, rules)
        seal = EcommpaySignature(secret: rules.secret, crypto: crypto)
        state = Locked(Self.fresh(rules, seal))
        routes = Self.routes(rules, crypto)
    }

    private static func fresh(_ rules: Rules, _ seal: EcommpaySignature) -> State {
        var state = State(rules: rules, seal: seal)
        state.accounts.keep(Account(id: 12_353_661, number: "5555555555554444", customer: "12"))
        state.tokens["card-token"] = "5555555555554444"
        return state
    }

    /// The books as they are now.
    public var ledger: Ledger {
        let now = clock.now
        return state.withLock { state in
            Self.expire(&state, now)
            return state.ledger
        }
    }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    public func reset() {
        let play = reading.withLock { $0.rules }
        state.withLock {
            $0 = Self.fresh(rules, seal)
            $0.play = play
        }
    }
    /// A changed answer, signed as the provider would; what isn't signed stays as it is.
    public func sealed(_ answer: JSON) -> JSON {
        answer["signature"] == nil ? answer : seal.sign(answer.without("signature"))
    }
    /// Clears everything that was charged so far; from then on it is refunded and not reversed.
    public func clear() { state.withLock { $0.clearedUntil = clock.now } }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse { reply(to: request) }

    func reply(to request: HTTPRequest) -> SimulatorResponse {
        if let line = events(request) { return line }
        let now = clock.now
        state.withLock { Self.expire(&$0, now) }
        let answer = readAnswer(request, routes, now: now)
        changed(now)
        return answer
    }

    /// Notifies the listeners that something may have changed.
    func changed(_ now: Int64) {
        state.withLock { Self.note(&$0, now) }
        let waiting = bell.withLock { bell in
            defer { bell = Promise() }
            return bell
        }
        waiting.fulfill(())
    }

    static func number(_ state: inout State) -> Int64 {
        state.nextNumber += 1
        return 5_028_800_010_000_000 + state.nextNumber
    }

    /// What waited too long ends as a decline, what was under way for long enough is decided, and a debit whose time
    /// has come is tried again.
    static func expire(_ state: inout State, _ now: Int64) {
        while let (payment, at) = state.payments.takeDue(by: now) {
            switch payment.waitsFor {
            case "": decide(payment.id, TestAmount(minorUnits: payment.operations.last?.units ?? 0), &state, at)
            case "again": decline(payment.id, payment.operations.last?.code ?? "", &state)
            case "clarification", "fields": decline(payment.id, "3191", &state)
            case "retry": retry(payment.id, &state, at)
            default: decline(payment.id, "108", &state)
            }
        }
    }
}

extension EcommpaySimulator {
    struct Operation: KeptRecord {
        var id: Int64 = 0
        var type = ""
        var status = ""
        var units: Int64 = 0
        var request = ""
        var at: Int64 = 0
        var refund = ""
        var code = ""
        /// Whose it is, for the books alone.
        var label = ""

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("type", \.type), .init("status", \.status), .init("units", \.units),
            .init("request", \.request), .init("at", \.at), .init("refund", \.refund), .init("code", \.code),
            .init("label", \.label),
        ]
    }

    struct Payment: Recorded {
        /// What is held, captured and refunded.
        var amounts = SimulatedPayment()
        var createdAt: Int64 = 0
        var method = "card"
        var customer = ""
        /// The card's number, or the text of a token.
        var number = ""
        /// How the card came, for the books alone.
        var entry = ""
        var status = "processing"
        /// What it waits for: `fields`, `clarification`, `method`, `challenge`, `legacy`, `cascade`, `again`, `retry`,
        /// or nothing.
        var waitsFor = ""
        var waitsUntil: Int64 = 0
        /// When it is decided on its own, if it is still under way then; nothing where it was decided at once.
        var ripensAt: Int64 = 0
        var saves = false
        var registers = ""
        var account: Int64 = 0
        var token = ""
        /// What was agreed to for later debits.
        var terms: JSON = [:]
        /// Where it began at the Gate; empty for one of a session.
        var origin = ""
        var operations: [Operation] = []

        var id: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { id }
        /// By what happened to it: the request, the operation, the label of the books.
        var otherNames: [String] {
            operations.flatMap { ["request \($0.request)", "operation \($0.id)", "label \($0.label)"] }
        }
        var dueAt: Int64? { isRipening ? ripensAt : waitsFor.isEmpty ? nil : waitsUntil }
        /// Whether time alone decides it.
        var isRipening: Bool {
            ripensAt > 0 && waitsFor.isEmpty && status == "processing" && operations.last?.status == "processing"
        }

        static let members: [PersistedField<Self>] = [
            .init("id", \.amounts.name), .init("currency", \.amounts.currency), .init("createdAt", \.createdAt),
            .init("method", \.method), .init("customer", \.customer), .init("number", \.number),
            .init("status", \.status), .init("waitsFor", \.waitsFor), .init("waitsUntil", \.waitsUntil),
            .init("saves", \.saves), .init("registers", \.registers), .init("account", \.account),
            .init("token", \.token), .init("terms", \.terms), .init("held", \.amounts.held),
            .init("captured", \.amounts.captured), .init("refunded", \.amounts.refunded),
            .init("operations", \.operations), .init("ripensAt", \.ripensAt, isNew: true),
            .init("entry", \.entry, isNew: true),
            .init("origin", \.origin, isNew: true),
        ]
    }

    /// All payments, and which of them were written to.
    struct Payments: PersistedState {
        private(set) var records = Records<Payment>()
        /// What was written to since the last look.
        var changed: Set<String> = []
        var kept: JSON { records.kept }
        var count: Int { records.count }

        init() {}

        init?(kept json: JSON) {
            guard let records = Records<Payment>(kept: json) else { return nil }
            self.records = records
        }

        subscript(id: String) -> Payment? {
            get { records[id] }
            set {
                records[id] = newValue
                changed.insert(id)
            }
        }

        mutating func takeDue(by now: Int64) -> (value: Payment, at: Int64)? { records.takeDue(by: now) }

        mutating func nextDue() -> Int64? { records.nextDue() }
    }

    /// A session, with what it was opened for.
    struct Session: KeptRecord, Lapsing {
        var payment = ""
        var parameters: JSON = .null
        var expires: Int64 = 0

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("payment", \.payment), .init("parameters", \.parameters), .init("expires", \.expires),
        ]
    }

    /// An instrument that is kept for a customer.
    struct Account: Recorded {
        var id: Int64 = 0
        var number = ""
        var customer = ""
        var expiry = "12/30"
        var token = ""
        var tokenizedAt: Int64 = 0

        var recordName: String { String(id) }
        var otherNames: [String] { [customer] }

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("number", \.number), .init("customer", \.customer), .init("expiry", \.expiry),
            .init("token", \.token), .init("tokenizedAt", \.tokenizedAt),
        ]
    }

    struct State: PersistedFields, PlayingState {
        var play = EcommpayRules()
        var ledger = Ledger()
        var payments = Payments()
        var sessions = ExpiringTokens<Session>()
        var accounts = Records<Account>()
        /// The cards behind registrations for later debits.
        var registrations = Records<Registration>()
        /// What was reported about customers.
        var customers: [String: JSON] = [:]
        /// The payments that were to begin with requests that were accepted and not registered, by request.
        var unregistered: [String: String] = [:]
        /// The declined debits that are tried again on the provider's own, by registration.
        var retries: [Int64: String] = [:]
        /// Names of changes that were made, which are no payments.
        var names: Set<String> = []
        /// The cards behind tokens.
        var tokens: [String: String] = [:]
        var nextNumber: Int64 = 0
        func sealed(_ body: JSON) -> JSON {
            body["signature"] == nil ? body : seal.sign(body.without("signature"))
        }
        /// Everything that was charged until then is cleared.
        var clearedUntil: Int64 = -1
        var busyOnce: Set<String> = []
        var cards = EcommpayCard.declined
        /// The callbacks.
        var outbox = WebhookOutbox()
        /// What was last reported of each payment.
        var told: [String: String] = [:]
        let rules: Rules
        let seal: EcommpaySignature

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("payments", \.payments), .init("sessions", \.sessions),
            .init("accounts", \.accounts), .init("registrations", \.registrations),
            .init("customers", \.customers), .init("names", \.names), .init("tokens", \.tokens),
            .init("cards", \.cards), .init("busyOnce", \.busyOnce), .init(counter: "nextNumber", \.nextNumber),
            .init("clearedUntil", \.clearedUntil), .init("told", \.told), .init("messages", \.outbox, isNew: true),
        ]
    }
}

extension EcommpaySimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension EcommpaySimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        restore(snapshot, into: state, fresh: State(rules: rules, seal: seal))
    }
}

extension EcommpaySimulator {
    /// The paths of the session and of the Gate; a message to the Gate has to be signed.
    static func routes(_ rules: Rules, _ crypto: any Crypto) -> Router<State> {
        let seal = EcommpaySignature(secret: rules.secret, crypto: crypto)
        @Sendable func signed(
            _ handler: @escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse
        ) -> Router<State>.Handler {
            { call, state in
                guard let body = call.json else { return refuse(422, "2003", "Invalid JSON string") }
                guard seal.fits(signedPart(body)) else { return refuse(400, "3261", "Invalid signature") }
                let project =
                    ["general", "customer"].compactMap { body[$0]?["project_id"]?.int64 }.first
                    ?? body["project_id"]?.int64
                guard project == rules.project else { return refuse(400, "2442", "Project ID not found") }
                return handler(call, &state)
            }
        }
        return Router(refusal: said) { routes in
            vault(&routes, seal, signed)
            beginnings(&routes, signed)
            pages(&routes, seal)
            routes.post("/msdk/v1/init", .json, signed(open))
            routes.post("/msdk/v1/pay", .json, inSession(pay))
            routes.post("/msdk/v1/status", .json, inSession(report))
            routes.post("/msdk/v1/customer_fields", .json, inSession(takeFields))
            routes.post("/msdk/v1/clarification", .json, inSession(takeClarification))
            routes.post("/msdk/v1/3ds/check", .json, inSession(takeMethod))
            routes.post("/msdk/v1/3ds/result", .json, inSession(takeResult))
            routes.post("/msdk/v1/cascade", .json, inSession(takeConsent))
            routes.post("/msdk/v1/account/delete", .json, inSession(forget))
            routes.post("/msdk/v1/cancel", .json, inSession(leave))
            routes.post("/aps/pay", .form, EcommpayBank.pay)
            routes.post("/acs/method", .form, EcommpayBank.method)
            routes.post("/acs/challenge", .form, EcommpayBank.challenge)
            routes.post("/acs/pareq", .form, EcommpayBank.legacy)
            routes.post("/acs/answer", .form, EcommpayBank.answer)
            routes.post("/v2/payment/:method/capture", .json, signed(capture))
            routes.post("/v2/payment/:method/cancel", .json, signed(cancel))
            routes.post("/v2/payment/:method/refund", .json, signed(refund))
            routes.post("/v2/payment/refund", .json, signed(refund))
            routes.post("/v2/payment/card/incremental", .json, signed(increase))
            routes.post("/v2/payment/card/recurring", .json, signed(debit))
            routes.post("/v2/payment/status", .json, signed { .json(seal.sign(status($0, $1))) })
            routes.post(
                "/v2/payment/status/request", .json,
                signed { call, state in
                    requestStatus(call, state).map { .json(seal.sign($0)) }
                        ?? refuse(404, "3061", "Transaction not found")
                })
        }
    }

    /// Puts the project's part of a message before a handler.
    typealias Signed = (@escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse) ->
        Router<State>.Handler

    /// The paths of customers, tokens and registrations.
    private static func vault(_ routes: inout Router<State>, _ seal: EcommpaySignature, _ signed: Signed) {
        // What is about a customer is signed there; what shows payment data is signed by the provider.
        func owned(
            _ handler: @escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse
        ) -> Router<State>.Handler {
            signed { call, state in
                let customer = call.json?["customer"]
                guard customer?["signature"] != nil, customer?["project_id"] != nil,
                    customer?["id"]?.string?.isEmpty == false
                else { return refuse(400, "2124", "Invalid Customer ID") }
                return handler(call, &state)
            }
        }
        func shown(
            _ find: @escaping @Sendable (SimulatorRequest, State) -> JSON?, or refusal: SimulatorResponse
        ) -> Router<State>.Handler {
            owned { call, state in find(call, state).map { .json(seal.sign($0)) } ?? refusal }
        }
        routes.post(
            "/v2/customer/saved_account/list", .json,
            shown(list, or: refuse(400, "2004", "Required field not provided")))
        routes.post("/v2/customer/saved_account/delete", .json, owned(remove))
        routes.post("/v2/customer/info", .json, shown(known, or: noCustomer))
        routes.post("/v2/customer/card/tokenize", .json, owned(tokenize))
        routes.post("/v2/customer/card/bytoken", .json, shown(byToken, or: noToken))
        routes.post("/v2/customer/card/token/revoke", .json, owned(revoke))
        routes.post("/v2/payment/card/recurring/info", .json, signed(registration))
        routes.post("/v2/payment/card/recurring/update", .json, signed(update))
        routes.post("/v2/payment/card/recurring/cancel", .json, signed(end))
        routes.post("/v2/recurring/retry_stop", .json, signed(stopRetries))
    }

    /// A message without what a session carries beside its signed parameters.
    private static func signedPart(_ message: JSON) -> JSON {
        guard var object = message.object, message["general"] == nil else { return message }
        for name in ["recurring", "additional_fields", "threeds"] { object[name] = nil }
        return .object(object)
    }

    static var accepted: SimulatorResponse { .json(["status": "success"]) }

    /// A handler for callers with a session that has not lapsed.
    private static func inSession(
        _ handler: @escaping @Sendable (SimulatorRequest, Session, inout State) -> SimulatorResponse
    ) -> Router<State>.Handler {
        { call, state in
            guard let name = call.json?["sid"]?.string, var session = state.sessions[name],
                session.expires > call.now
            else { return .reply(said(.accessRefused)) }
            session.expires = call.now + sessionMilliseconds
            state.sessions[name] = session
            return handler(call, session, &state)
        }
    }

    // MARK: Refusals

    static func refuse(_ status: Int, _ code: String, _ message: String) -> SimulatorResponse {
        .json(["status": "error", "code": .string(code), "message": .string(message)], status: status)
    }

    static let notWaiting = refuse(409, "3081", "State Machine Flow Break")

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let message =
            switch refusal {
            case .malformed: "the request could not be read"
            case .unknownPath, .wrongMethod: "there is nothing here"
            case .wrongMediaType: "the media type is not ours"
            case .missingHeader(let name): "the header \(name) is needed"
            case .accessRefused: "the session is unknown or has lapsed"
            case .rateLimited: "too many requests"
            case .broken: "something broke"
            }
        let status = refusal == .malformed ? 422 : refusal.status
        return .json(
            ["status": "validation", "code": .string(String(status)), "errors": ["sid": .string(message)]],
            status: status)
    }

    static func acknowledged(_ payment: String, _ request: String, _ state: State) -> SimulatorResponse {
        .json([
            "status": "success", "request_id": .string(request),
            "project_id": .number(JSONNumber(state.rules.project)), "payment_id": .string(payment),
        ])
    }
}
