public import PaymentBase
public import PaymentTransport

/// The simulated ARISE: OAuth, card and ACH transactions, Tap to Pay, settlement, settings, devices, signed webhooks.
///
/// It executes whatever arrives, also what it has seen before: a request that is sent twice shows in the ledger.
public final class ARISESimulator: PlayingProvider {
    /// How long an access token lives, in milliseconds.
    public static let tokenMilliseconds: Int64 = 900_000
    /// How long an authorisation is held, in milliseconds: seven days.
    public static let holdMilliseconds: Int64 = 7 * 86_400_000
    /// How long a reader token is good, in milliseconds.
    public static let readerTokenMilliseconds: Int64 = 48 * 3_600_000
    /// How many transactions it keeps.
    public static let transactionsMax = 200_000
    /// The processor that every merchant here has.
    public static let processor = "197c05e0-f99a-49bb-905c-d3da9d1e7200"
    /// A stored card, known to everyone.
    public static let storedCard = "7f3b0c52-6a0e-4d3f-9c11-0d5a4c2e9b01"
    /// The client that everyone knows.
    public static let clientID = "arise-sandbox-client"

    struct State: PersistedFields, PlayingState {
        var play = ARISERules()
        var ledger = Ledger()
        var transactions = Records<ARISETransaction>()
        /// Transactions that the next batch may settle, oldest first; what can't be settled any more is dropped then.
        var unsettled: [String] = []
        var tokens = ExpiringTokens<Int64>()
        var refreshTokens: Set<String> = []
        /// Tap to Pay by device: 0 inactive, 1 requested, 2 approved, 3 active, 4 denied.
        var devices: [String: Int64] = [:]
        var deviceNames: [String: String] = [:]
        var seenAt: [String: Int64] = [:]
        var nextNumber: Int64 = 0
        var tokenCount: Int64 = 0
        var refusedOnce: Set<String> = []
        var cards = ARISECodes.declinedCards
        /// When the last batch closed.
        var settledAt: Int64 = 0
        var account: ARISEAccount
        var outbox = WebhookOutbox()
        let clientSecret: Secret

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("transactions", \.transactions), .init("tokens", \.tokens),
            .init("refreshTokens", \.refreshTokens), .init("devices", \.devices),
            .init("deviceNames", \.deviceNames), .init("seenAt", \.seenAt), .init(counter: "nextNumber", \.nextNumber),
            .init(counter: "tokenCount", \.tokenCount), .init("refusedOnce", \.refusedOnce), .init("cards", \.cards),
            .init("settledAt", \.settledAt), .init("messages", \.outbox, isNew: true),
        ]

        /// Keeps a new transaction.
        mutating func begin(_ transaction: ARISETransaction) {
            transactions.keep(transaction)
            unsettled.append(transaction.id)
        }
    }

    let clock: any PaymentClock
    let state: Locked<State>
    let reading = Locked(ProviderReading<State>())
    private let account: ARISEAccount
    public let name: String
    public let members = ReplyFields(
        amounts: ["processedAmount", "totalAmount", "baseAmount", "authorizedAmount", "availableAmount"],
        currencies: ["currency", "currencyId", "currencyCode"], references: ["orderNumber", "externalReferenceID"],
        words: ["status", "transactionOutcome"])
    /// What its webhooks are signed with.
    public let webhookSecret: Secret
    /// What clients sign in with.
    public let clientSecret: Secret

    /// Opens the provider.
    public init(
        clock: any PaymentClock, name: String = "arise", account: ARISEAccount = ARISEAccount(),
        clientSecret: Secret = Secret("arise-client-secret"), webhookSecret: Secret = Secret("arise-webhook-secret")
    ) {
        (self.clock, self.name, self.account) = (clock, name, account)
        (self.clientSecret, self.webhookSecret) = (clientSecret, webhookSecret)
        state = Locked(State(settledAt: clock.now, account: account, clientSecret: clientSecret))
    }

    /// The books as they are now.
    public var ledger: Ledger { state.withLock { $0.ledger } }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    /// How many access tokens were given out.
    public var tokenCount: Int64 { state.withLock { $0.tokenCount } }
    /// Takes all access tokens back, and the refresh tokens too if asked.
    public func revokeTokens(refreshToo: Bool = false) {
        state.withLock { state in
            state.tokens = ExpiringTokens()
            if refreshToo { state.refreshTokens = [] }
        }
    }
    /// Changes how the merchant is set up.
    public func configure(_ change: (inout ARISEAccount) -> Void) { state.withLock { change(&$0.account) } }
    /// Takes a phone for one that was activated for taps.
    public func activate(_ device: String) { state.withLock { $0.devices[device] = 3 } }
    /// Closes the open batch.
    public func settle() { state.withLock { Self.closeBatch(&$0, clock.now) } }

    public func reset() {
        state.withLock { $0 = State(settledAt: clock.now, account: account, clientSecret: clientSecret) }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        state.withLock { Self.pass(&$0, clock.now) }
        return readAnswer(request, Self.routes, now: clock.now)
    }

    static func number(_ state: inout State) -> String {
        state.nextNumber += 1
        let digits = String(state.nextNumber)
        return "a1000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    /// An answer in the envelope that every refusal has.
    static func refusal(_ status: Int, _ code: String, _ type: String, _ details: String) -> HTTPResponse {
        let body: JSON = [
            "details": .string(details), "statusCode": .number(JSONNumber(Int64(status))),
            "source": "Transactions", "exceptionType": .string(type), "errorCode": .string(code),
            "correlationId": "00000000-0000-4000-8000-000000000000",
        ]
        return .json(type == "ValidationException" ? body.adding("errors", [:]) : body, status: status)
    }

    static func invalid(_ details: String) -> SimulatorResponse {
        .reply(refusal(400, "V0000", "ValidationException", details))
    }

    static func notFound(_ details: String) -> SimulatorResponse {
        .reply(refusal(404, "N0000", "NotFoundException", details))
    }

    /// A refusal when the access does not allow a thing.
    static func forbidden(_ permission: Int64, _ state: State) -> SimulatorResponse? {
        if state.account.permissions.contains(permission) { return nil }
        return .reply(refusal(403, "F0000", "ForbiddenException", "permission \(permission) is not enabled"))
    }
}
