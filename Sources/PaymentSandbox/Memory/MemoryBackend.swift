public import PaymentBase
public import PaymentTransport

/// The memory company: keeps accounts, speaks small JSON, and does what amounts and cards script.
///
/// It executes whatever arrives, also what it has seen before: a request that is sent twice shows in the ledger.
public final class MemoryBackend: SandboxService {
    /// How long a token lives, in milliseconds.
    public static let tokenMilliseconds: Int64 = 15 * 60_000
    /// How long it waits for the answer to a question before it declines, in milliseconds.
    public static let questionMilliseconds: Int64 = 60_000
    /// How many payments it keeps.
    public static let paymentsMax = 200_000

    struct Payment: Sendable {
        let id: String
        let kind: String
        let attempt: String
        let reference: String
        let currency: String
        let createdAt: Int64
        var state: String
        var held: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var isVoided = false
        var card: JSON = .null
        /// The request, while the company waits for an answer to a question.
        var waiting: JSON?
        /// When it stops waiting.
        var waitsUntil: Int64 = 0
    }

    struct State: Sendable {
        var ledger = Ledger()
        var payments: [String: Payment] = [:]
        var order: [String] = []
        /// What was answered last, by the reference that the request carried.
        var answers: [String: JSON] = [:]
        var tokens: [String: Int64] = [:]
        var nextNumber = 0
        var requestCount = 0
        var tokenCount = 0
        var refusedOnce: Set<String> = []
        var saved: [String: [String: JSON]] = [:]
        var devices: [String: String] = [:]
        var pending: [String: PendingMove] = [:]
    }

    struct PendingMove: Sendable {
        let payment: String
        let attempt: String
        let cause: String
        let amount: Int64
    }

    let clock: any PaymentClock
    let state = Locked(State())
    /// The secret that its webhooks carry.
    public let webhookSecret: Secret
    /// The secret that clients sign in with.
    public let clientSecret: Secret

    /// Opens the company.
    public init(
        clock: any PaymentClock, clientSecret: Secret = Secret("memory-client-secret"),
        webhookSecret: Secret = Secret("memory-webhook-secret")
    ) {
        (self.clock, self.clientSecret, self.webhookSecret) = (clock, clientSecret, webhookSecret)
    }

    /// The books as they are now.
    public var ledger: Ledger { state.withLock { $0.ledger } }
    /// How many requests have arrived.
    public var requestCount: Int { state.withLock { $0.requestCount } }
    /// How many tokens were given out.
    public var tokenCount: Int { state.withLock { $0.tokenCount } }
    /// Takes all tokens back, so that the next request is refused once.
    public func revokeTokens() { state.withLock { $0.tokens = [:] } }

    public func answer(_ request: HTTPRequest) async -> SandboxAnswer {
        let now = clock.now
        return state.withLock { state in
            state.requestCount += 1
            let call = MemoryCall(request)
            guard let call else { return .reply(Self.refusal(400, "malformed", "the request could not be read")) }
            if call.path == ["token"], call.method == "POST" { return token(call, &state, now) }
            guard let token = call.token, let expires = state.tokens[token], expires > now else {
                return .reply(Self.refusal(401, "tokenRefused", "sign in again"))
            }
            return route(call, &state, now)
        }
    }

    private func token(_ call: MemoryCall, _ state: inout State, _ now: Int64) -> SandboxAnswer {
        guard call.body?["secret"]?.string == clientSecret.expose() else {
            return .reply(Self.refusal(403, "badCredentials", "the client's secret is wrong"))
        }
        state.tokenCount += 1
        let token = "mt_\(state.tokenCount)"
        state.tokens = state.tokens.filter { $0.value > now }
        state.tokens[token] = now + Self.tokenMilliseconds
        let body: JSON = [
            "token": .string(token), "expires": .number(JSONNumber(now + Self.tokenMilliseconds)),
        ]
        return .reply(Self.ok(body))
    }

    private func route(_ call: MemoryCall, _ state: inout State, _ now: Int64) -> SandboxAnswer {
        switch (call.method, call.path.first, call.path.count) {
        case ("POST", "payments", 1): return begin(call, &state, now)
        case ("POST", "payments", 3) where call.path[2] == "answers": return go(on: call, &state, now)
        case ("POST", "payments", 3): return follow(call, &state, now)
        case ("GET", "payments", 1): return .reply(list(call, state))
        case ("GET", "payments", 2): return .reply(details(call.path[1], state))
        case ("GET", "attempts", 2):
            expire(call.path[1], &state, now)
            guard let answer = state.answers[call.path[1]] else {
                return .reply(Self.refusal(404, "unknownAttempt", "nothing came under this reference"))
            }
            return .reply(Self.ok(answer))
        default: return .reply(office(call, &state, now))
        }
    }

    static func ok(_ body: JSON) -> HTTPResponse {
        HTTPResponse(200, headers: ["Content-Type": "application/json"], body: body.bytes())
    }

    static func refusal(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
        let body: JSON = ["error": ["code": .string(code), "message": .string(message)]]
        return HTTPResponse(status, headers: ["Content-Type": "application/json"], body: body.bytes())
    }

    func number(_ prefix: String, _ state: inout State) -> String {
        state.nextNumber += 1
        return "\(prefix)_\(state.nextNumber)"
    }
}
