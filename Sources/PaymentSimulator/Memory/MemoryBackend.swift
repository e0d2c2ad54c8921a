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
    /// How long it is at work on a payment that it decides by itself, in milliseconds.
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
