public import PaymentBase
public import PaymentTransport

/// ecommpay, simulated: one project with its sessions, its Gate and its signed callbacks.
///
/// What happens to a card is decided by its number, as in the provider's own test project, or by the last three digits
/// of the amount.
public final class EcommpaySimulator: PlayingProvider {
    /// How long somebody who was asked has, in milliseconds: half an hour.
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

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    public func reset() {
        let play = reading.withLock { $0.rules }
        state.withLock {
            $0 = Self.fresh(rules, seal)
            $0.play = play
        }
    }
    /// An answer that somebody has changed, signed as the provider would; what isn't signed stays as it is.
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

    /// Tells whoever listens that something may have changed.
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

    /// What waited too long ends as a decline, and what was under way for long enough is decided.
    static func expire(_ state: inout State, _ now: Int64) {
        while let (payment, at) = state.payments.takeDue(by: now) {
            switch payment.waitsFor {
            case "": decide(payment.id, TestAmount(minorUnits: payment.operations.last?.units ?? 0), &state, at)
            case "again": decline(payment.id, payment.operations.last?.code ?? "", &state)
            case "clarification", "fields": decline(payment.id, "3191", &state)
            default: decline(payment.id, "108", &state)
            }
        }
    }
}
