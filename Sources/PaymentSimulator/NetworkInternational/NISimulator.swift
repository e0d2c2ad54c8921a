public import PaymentBase
public import PaymentTransport

/// Network International, simulated: one outlet with its terminals on the Digital Platform.
///
/// It executes whatever arrives, also what it has seen before: nothing of a client's travels with a payment.
public final class NISimulator: PlayingProvider {
    /// How long its tokens live, in milliseconds: 8 hours.
    public static let tokenMilliseconds: Int64 = 8 * 3_600_000
    /// The largest amount that it takes, in minor units.
    public static let amountMax: Int64 = 1_000_000_000
    /// How many orders it keeps.
    public static let ordersMax = 200_000
    /// The header that its webhooks carry.
    public static let webhookHeader = "X-NGENIUS-Webhook-Signature"

    /// What the outlet is like.
    public struct Rules: Sendable {
        /// The outlet's reference.
        public var outlet = "87f2ebb4-6301-4b13-b59e-ea15ecc07b43"
        /// What the service account signs in with.
        public var apiKey = Secret("ni-simulated-api-key")
        /// The value in the header of its webhooks.
        public var webhookValue = Secret("ni-simulated-webhook-value")
        /// The terminals that the hierarchy has.
        public var terminals = ["434334344299", "434334344300"]

        /// Takes the usual rules.
        public init() {}
    }

    let clock: any PaymentClock
    let state: Locked<State>
    let reading = Locked(ProviderReading<State>())
    /// The rules that it was opened with.
    public let rules: Rules
    public let name: String
    public let members = ReplyFields(
        amounts: ["value", "amount", "refundedAmount"], currencies: ["currencyCode"],
        references: ["outletId", "orderReference"], words: ["state", "status", "captureStatus"])

    /// Opens the provider.
    public init(clock: any PaymentClock, name: String = "ni", rules: Rules = Rules()) {
        (self.clock, self.name, self.rules) = (clock, name, rules)
        state = Locked(State(rules: rules))
    }

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    /// How many access and device tokens were given out.
    public var tokenCount: Int { state.withLock { $0.tokenCount } }
    /// How many reader tokens were given out.
    public var readerTokenCount: Int { state.withLock { $0.readerTokenCount } }
    /// Takes all device tokens back.
    public func revokeTokens() { state.withLock { $0.grants = ExpiringTokens() } }
    /// Settles what was charged so far, as if midnight in Dubai had passed.
    public func settleNow() {
        let now = clock.now
        state.withLock { $0.settledUntil = now }
    }
    public func reset() {
        let play = reading.withLock { $0.rules }
        state.withLock {
            $0 = State(rules: rules)
            $0.play = play
        }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        readAnswer(request, Self.routes, now: clock.now)
    }

    static func number(_ prefix: String, _ state: inout State) -> String {
        state.nextNumber += 1
        let digits = String(state.nextNumber)
        return prefix + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The midnight of Dubai, four hours ahead of universal time, that follows a moment.
    static func cutOff(after instant: Int64) -> Int64 {
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        return ((instant + 4 * hour) / day + 1) * day - 4 * hour
    }
}
