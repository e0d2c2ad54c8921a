public import PaymentBase
public import PaymentTransport

/// ecommpay, simulated: one project with its sessions, its Gate and its signed callbacks.
///
/// What happens to a card is decided by its number, as in the provider's own test project, or by the last three digits
/// of the amount.
public final class EcommpayBackend: SimulatedProvider {
    /// How long somebody who was asked has, in milliseconds: half an hour.
    public static let answerMilliseconds: Int64 = 30 * 60_000
    /// How long a session lives after it was last used, in milliseconds: half an hour.
    public static let sessionMilliseconds: Int64 = 30 * 60_000
    /// The largest amount that it takes, in minor units.
    public static let amountMax: Int64 = 10_000_000_000_000
    /// How many payments it keeps.
    public static let paymentsMax = 200_000

    /// One operation of a payment.
    struct Operation: Sendable {
        let id: Int64
        let type: String
        var status: String
        let units: Int64
        let request: String
        let at: Int64
        var refund: String
        var code: String
        /// Whose it is, for the books alone.
        let label: String
    }

    struct Payment: Sendable {
        let id: String
        let currency: String
        let createdAt: Int64
        let method: String
        let customer: String
        /// The card's number, or a text that stands for a token.
        var number: String
        var status: String
        /// What it waits for: `fields`, `clarification`, `method`, `challenge`, `legacy`, `cascade`, `again`, or
        /// nothing.
        var waitsFor = ""
        var waitsUntil: Int64 = 0
        var saves = false
        var registers = ""
        var account: Int64 = 0
        var token = ""
        /// What was agreed to for later debits.
        var terms: JSON = [:]
        var held: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var operations: [Operation] = []
    }

    /// All payments by name, and which of them were written to.
    struct Payments: Sendable {
        private var items: [String: Payment] = [:]
        /// What was written to since somebody last looked.
        var changed: Set<String> = []
        var count: Int { items.count }

        subscript(id: String) -> Payment? {
            get { items[id] }
            set {
                items[id] = newValue
                changed.insert(id)
            }
        }
    }

    /// A session, with what it was opened for.
    struct Session: Sendable {
        let payment: String
        let parameters: JSON
        var expires: Int64
    }

    /// An instrument that is kept for a customer.
    struct Account: Sendable {
        let id: Int64
        let number: String
        let customer: String
        var expiry = "12/30"
        var token = ""
        var tokenizedAt: Int64 = 0
    }

    struct State: Sendable {
        var ledger = Ledger()
        var payments = Payments()
        var sequence: [String] = []
        var sessions: [String: Session] = [:]
        var accounts: [Int64: Account] = [:]
        /// The cards behind registrations for later debits.
        var registrations: [Int64: Registration] = [:]
        /// What was told about customers.
        var customers: [String: JSON] = [:]
        /// Names of changes that were made, which are no payments.
        var names: Set<String> = []
        /// The cards behind tokens.
        var tokens: [String: String] = [:]
        var nextNumber: Int64 = 0
        /// Everything that was charged until then is cleared.
        var clearedUntil: Int64 = -1
        var busyOnce: Set<String> = []
        var cards = EcommpayCard.declined
        /// Callbacks that nobody has taken yet, oldest first.
        var callbacks: [Callback] = []
        /// What was told of each payment last.
        var told: [String: String] = [:]
        var nextCallback: Int64 = 0
        let rules: Rules
    }

    /// What the project is like.
    public struct Rules: Sendable {
        /// The project's number.
        public var project: Int64 = 1_234
        /// The project's secret.
        public var secret = Secret("ecommpay-simulated-secret")
        /// How long a payment is under way before it is decided, in milliseconds.
        public var processingMilliseconds: Int64 = 0
        /// Whether callbacks are kept until somebody has taken them.
        public var keepsCallbacks = true
        /// Which of Google's two worlds the project belongs to.
        public var googlePay = "test"

        /// Takes the usual rules.
        public init() {}
    }

    let clock: any PaymentClock
    let crypto: any Crypto
    let state: Locked<State>
    /// Rings whenever something may have changed.
    let bell = Locked(Promise<Void>())
    private let routes: Router<State>
    /// The rules that it was opened with.
    public let rules: Rules
    public let name: String
    public let members = ReplyMembers(
        amounts: ["amount"], currencies: ["currency"], references: ["id", "payment_id"], words: ["status"])

    /// Opens the provider.
    public init(clock: any PaymentClock, crypto: any Crypto, name: String = "ecommpay", rules: Rules = Rules()) {
        (self.clock, self.crypto, self.name, self.rules) = (clock, crypto, name, rules)
        state = Locked(Self.fresh(rules))
        routes = Self.routes(rules, crypto)
    }

    private static func fresh(_ rules: Rules) -> State {
        var state = State(rules: rules)
        state.accounts[12_353_661] = Account(id: 12_353_661, number: "5555555555554444", customer: "12")
        state.tokens["card-token"] = "5555555555554444"
        return state
    }

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public func reset() { state.withLock { $0 = Self.fresh(rules) } }
    /// Clears everything that was charged so far; from then on it is refunded and not reversed.
    public func clear() { state.withLock { $0.clearedUntil = clock.now } }

    public func answer(_ request: HTTPRequest) async -> SandboxAnswer {
        if let line = events(request) { return line }
        let now = clock.now
        let answer = state.withLock { state in
            Self.expire(&state, now)
            return routes.answer(request, &state, now: now)
        }
        changed(now)
        return answer
    }

    /// Tells whoever listens that something may have changed.
    func changed(_ now: Int64) {
        if rules.keepsCallbacks { state.withLock { Self.note(&$0, now) } }
        let waiting = bell.withLock { bell in
            defer { bell = Promise() }
            return bell
        }
        waiting.fulfil(())
    }

    static func number(_ state: inout State) -> Int64 {
        state.nextNumber += 1
        return 5_028_800_010_000_000 + state.nextNumber
    }

    /// What waited too long ends as a decline.
    static func expire(_ state: inout State, _ now: Int64) {
        for id in state.sequence {
            guard let payment = state.payments[id], !payment.waitsFor.isEmpty, now >= payment.waitsUntil else {
                continue
            }
            switch payment.waitsFor {
            case "again": decline(id, payment.operations.last?.code ?? "", &state)
            case "clarification", "fields": decline(id, "3191", &state)
            default: decline(id, "108", &state)
            }
        }
    }
}
