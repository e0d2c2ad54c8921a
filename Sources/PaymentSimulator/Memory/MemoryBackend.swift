public import PaymentBase
public import PaymentTransport

/// The memory provider: keeps accounts, speaks small JSON, and does what amounts and cards script.
///
/// It executes whatever arrives, also what it has seen before: a request that is sent twice shows in the ledger.
public final class MemoryBackend: SimulatedProvider {
    /// How long a token lives, in milliseconds.
    public static let tokenMilliseconds: Int64 = 15 * 60_000
    /// How long it waits for the answer to a question before it declines, in milliseconds.
    public static let questionMilliseconds: Int64 = 60_000
    /// How long it is at work on a payment that it decides on its own, in milliseconds.
    static let workMilliseconds: [TestAmount: Int64] = [.decidesSoon: 3_000, .decidesLate: 60_000]
    /// The codes with which it declines cards, by number.
    static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "4000000000000127": "82"]
    /// How many payments it keeps.
    public static let paymentsMax = 200_000

    let clock: any PaymentClock
    let state: Locked<State>
    public let name: String
    public let members = ReplyFields(
        amounts: ["minorUnits"], currencies: ["currency"], references: ["attempt", "reference"], words: ["state"])
    /// The secret that its webhooks carry.
    public let webhookSecret: Secret
    /// The secret that clients sign in with.
    public let clientSecret: Secret

    /// Opens the provider.
    public init(
        clock: any PaymentClock, name: String = "memory", clientSecret: Secret = Secret("memory-client-secret"),
        webhookSecret: Secret = Secret("memory-webhook-secret")
    ) {
        (self.clock, self.name, self.clientSecret, self.webhookSecret) = (clock, name, clientSecret, webhookSecret)
        state = Locked(State(clientSecret: clientSecret))
    }

    /// The books as they are now.
    public var ledger: Ledger { looking { $0.ledger } }
    public var standing: Ledger.Summary { looking { $0.ledger.standing } }
    /// How many requests have arrived.
    public var requestCount: Int { state.withLock { $0.requestCount } }
    /// How many tokens were given out.
    public var tokenCount: Int { state.withLock { $0.tokenCount } }
    /// Takes all tokens back, so that the next request is refused once.
    public func revokeTokens() { state.withLock { $0.tokens = ExpiringTokens() } }
    public func reset() { state.withLock { $0 = State(clientSecret: clientSecret) } }

    /// Looks at everything as it is by now.
    private func looking<Value>(_ body: (inout State) -> Value) -> Value {
        let now = clock.now
        return state.withLock { state in
            Self.ripen(&state, now)
            return body(&state)
        }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        looking { state in
            state.requestCount += 1
            return Self.routes.answer(request, &state, now: clock.now)
        }
    }

    static func ok(_ body: JSON) -> HTTPResponse { .json(body) }

    static func refusal(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
        .json(["error": ["code": .string(code), "message": .string(message)]], status: status)
    }

    static func number(_ prefix: String, _ state: inout State) -> String {
        state.nextNumber += 1
        return "\(prefix)_\(state.nextNumber)"
    }
}

extension MemoryBackend {
    struct Payment: Recorded {
        /// What is held, captured and refunded.
        var amounts = SimulatedPayment()
        var kind = ""
        var attempt = ""
        var reference = ""
        var createdAt: Int64 = 0
        var state = "new"
        var isVoided = false
        /// How much of it is a tip, as it was asked for or changed last.
        var tip: Int64 = 0
        var card: JSON = .null
        /// How the card came.
        var entry = ""
        /// The request, while the provider waits for an answer to a question.
        var waiting: JSON?
        /// When it stops waiting.
        var waitsUntil: Int64 = 0

        var id: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { id }
        var otherNames: [String] { ["reference \(reference)"] }

        static let members: [PersistedField<Self>] = [
            .init("id", \.amounts.name), .init("kind", \.kind), .init("attempt", \.attempt),
            .init("reference", \.reference), .init("currency", \.amounts.currency), .init("createdAt", \.createdAt),
            .init("state", \.state), .init("held", \.amounts.held), .init("captured", \.amounts.captured),
            .init("refunded", \.amounts.refunded), .init("isVoided", \.isVoided), .init("card", \.card),
            .init("waiting", \.waiting), .init("waitsUntil", \.waitsUntil), .init("tip", \.tip, isNew: true),
            .init("entry", \.entry, isNew: true),
        ]
    }

    struct PendingMove: KeptRecord {
        var payment = ""
        var attempt = ""
        var cause = ""
        var amount: Int64 = 0

        static let members: [PersistedField<Self>] = [
            .init("payment", \.payment), .init("attempt", \.attempt), .init("cause", \.cause),
            .init("amount", \.amount),
        ]
    }

    struct State: PersistedFields {
        var ledger = Ledger()
        var payments = Records<Payment>()
        /// What was answered last, by the reference that the request carried.
        var answers: [String: JSON] = [:]
        var tokens = ExpiringTokens<Int64>()
        var nextNumber = 0
        var requestCount = 0
        var tokenCount = 0
        var refusedOnce: Set<String> = []
        var saved: [String: [String: JSON]] = [:]
        var devices: [String: String] = [:]
        var pending: [String: PendingMove] = [:]
        /// When it decides on its own what it is at work on, by the reference that the request carried.
        var ripening: [String: Int64] = [:]
        var cards = MemoryBackend.declinedCards
        var outbox = WebhookOutbox()
        let clientSecret: Secret

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("payments", \.payments), .init("answers", \.answers),
            .init("tokens", \.tokens), .init(counter: "nextNumber", \.nextNumber),
            .init(counter: "tokenCount", \.tokenCount),
            .init("refusedOnce", \.refusedOnce), .init("saved", \.saved), .init("devices", \.devices),
            .init("pending", \.pending), .init("cards", \.cards), .init("messages", \.outbox, isNew: true),
            .init("ripening", \.ripening, isNew: true),
        ]
    }
}

extension MemoryBackend: HostedPageProvider {}

extension MemoryBackend: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension MemoryBackend: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        restore(snapshot, into: state, fresh: State(clientSecret: clientSecret))
    }
}

extension MemoryBackend {
    /// Everything that the provider answers.
    static let routes = Router<State>(refusal: said) { routes in
        routes.check { call, provider in
            let isKnown = call.bearer.flatMap { provider.tokens.current($0, at: call.now) } != nil
            return isKnown ? nil : .reply(said(.accessRefused))
        }
        routes.post("/token", .json, isOpen: true, token)
        routes.post("/payments", .json, begin)
        routes.get("/payments") { call, provider in .reply(list(call, provider)) }
        routes.get("/payments/:id") { call, provider in .reply(details(call["id"], provider)) }
        routes.post("/payments/:id/answers", .json, go)
        routes.post("/payments/:id/:verb", .json, follow)
        routes.get("/attempts/:attempt", attempt)
        routes.post("/reader/token", .json) { _, _ in .json(["token": "reader-token"]) }
        routes.post("/quotes", .json) { call, _ in .reply(quotes(call)) }
        routes.get("/settings") { _, _ in
            .json(["company": "Memory Ltd", "currencies": ["EUR", "USD"], "tips": true])
        }
        routes.get("/permissions") { _, _ in .json(["permissions": ["sale", "refund", "list"]]) }
        routes.get("/devices") { _, provider in .reply(devices(provider)) }
        routes.get("/devices/:id") { call, provider in .reply(device(call["id"], provider)) }
        routes.put("/devices/:id", .json) { call, provider in
            provider.devices[call["id"]] = call.json?["state"]?.string ?? "active"
            return .json(["id": .string(call["id"]), "state": "active"])
        }
        routes.delete("/terminals/:id") { _, _ in .empty() }
        routes.get("/customers/:customer/instruments") { call, provider in
            .reply(instruments(call["customer"], provider))
        }
        routes.delete("/customers/:customer/instruments/:id") { call, provider in
            provider.saved[call["customer"]]?[call["id"]] = nil
            return .empty()
        }
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    /// A refusal in the provider's words.
    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let (code, message) =
            switch refusal {
            case .malformed: ("malformed", "the request could not be read")
            case .unknownPath: ("unknownPath", "there is nothing here")
            case .wrongMethod: ("unknownPath", "this is not how it is asked for")
            case .wrongMediaType: ("malformed", "the body has to be JSON")
            case .missingHeader(let name): ("malformed", "the header \(name) is needed")
            case .accessRefused: ("tokenRefused", "sign in again")
            case .rateLimited: ("tooMany", "too many requests")
            case .broken: ("broken", "something broke")
            }
        return Self.refusal(refusal.status, code, message)
    }

    private static func token(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard call.json?["secret"]?.string.map({ Secret($0) }) == state.clientSecret else {
            return .reply(refusal(403, "badCredentials", "the client's secret is wrong"))
        }
        state.tokenCount += 1
        let token = "mt_\(state.tokenCount)"
        state.tokens.prune(call.now)
        state.tokens[token] = call.now + tokenMilliseconds
        return .json(["token": .string(token), "expires": .number(JSONNumber(call.now + tokenMilliseconds))])
    }

    private static func attempt(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        expire(call["attempt"], &state, call.now)
        guard let answer = state.answers[call["attempt"]] else {
            return .reply(refusal(404, "unknownAttempt", "nothing came under this reference"))
        }
        // Whose payment it is, the caller may compare.
        let payment = state.payments[answer["id"]?.string ?? ""]
        guard let payment, payment.attempt == call["attempt"] else { return .json(answer) }
        return .json(answer.adding("at", .whole(payment.createdAt)).adding("reference", .string(payment.reference)))
    }
}

extension SimulatorRequest {
    /// The amount that the memory provider's requests carry.
    var amount: LedgerAmount? {
        guard let units = json?["amount"]?["minorUnits"]?.int64, let currency = json?["amount"]?["currency"]?.string,
            (0...LedgerAmount.unitsMax).contains(units)
        else { return nil }
        return LedgerAmount(units, currency)
    }

    /// The reference that the memory provider's requests carry.
    var attempt: String { json?["attempt"]?.string ?? "" }
}
