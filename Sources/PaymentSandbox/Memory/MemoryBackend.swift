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
        /// The request, while the provider waits for an answer to a question.
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
        var cards = MemoryScript.declinedCards
        let clientSecret: Secret
    }

    struct PendingMove: Sendable {
        let payment: String
        let attempt: String
        let cause: String
        let amount: Int64
    }

    let clock: any PaymentClock
    let state: Locked<State>
    public let name: String
    public let members = ReplyMembers(
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
    public var ledger: Ledger { state.withLock { $0.ledger } }
    /// How many requests have arrived.
    public var requestCount: Int { state.withLock { $0.requestCount } }
    /// How many tokens were given out.
    public var tokenCount: Int { state.withLock { $0.tokenCount } }
    /// Takes all tokens back, so that the next request is refused once.
    public func revokeTokens() { state.withLock { $0.tokens = [:] } }
    public func reset() { state.withLock { $0 = State(clientSecret: clientSecret) } }

    public func answer(_ request: HTTPRequest) async -> SandboxAnswer {
        state.withLock { state in
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
