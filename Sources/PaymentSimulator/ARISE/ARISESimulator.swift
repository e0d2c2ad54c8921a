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

extension ARISESimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension ARISESimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        let account = state.withLock { $0.account }
        var fresh = State(settledAt: clock.now, account: account, clientSecret: clientSecret)
        guard fresh.read(snapshot) else { return false }
        fresh.unsettled = fresh.transactions.oldestFirst.filter(\.batch.isEmpty).map(\.id)
        state.withLock { [fresh] in $0 = fresh }
        return true
    }
}

extension ARISESimulator {
    private static let pay = "/pay-api/v1"
    private static let transactions = pay + "/transactions"

    /// Everything that the provider answers.
    static let routes = Router<State>(refusal: said) { routes in
        routes.check { call, provider in
            let isKnown = call.bearer.flatMap { provider.tokens.current($0, at: call.now) } != nil
            return isKnown ? nil : .reply(said(.accessRefused))
        }
        routes.post("/oauth2/token", .form, isOpen: true, token)
        routes.post(transactions + "/auth", .json) { charge(.init(type: 1, permission: 7), $0, &$1) }
        routes.post(transactions + "/sale", .json) { charge(.init(type: 2, permission: 8), $0, &$1) }
        routes.post(transactions + "/return/no-reference", .json) { charge(.init(type: 7, permission: 12), $0, &$1) }
        routes.post(transactions + "/ach/payment", .json) { charge(.init(type: 11, permission: 13), $0, &$1) }
        routes.post(transactions + "/ach/payment/credit", .json) { charge(.init(type: 16, permission: 14), $0, &$1) }
        routes.post(transactions + "/tap-to-pay", .json, tap)
        routes.post(transactions + "/capture", .json) { follow("capture", 9, $0, &$1) }
        routes.post(transactions + "/void", .json) { follow("void", 10, $0, &$1) }
        routes.post(transactions + "/return", .json) { follow("refund", 11, $0, &$1) }
        routes.post(transactions + "/tip-adjustment", .json) { follow("tip", 21, $0, &$1) }
        routes.post(transactions + "/ach/:id/void", .any) { follow("void", 15, $0, &$1) }
        routes.post(transactions + "/ach/:id/refund", .any) { follow("refund", 14, $0, &$1) }
        routes.post(transactions + "/ach/:id/hold", .any) { follow("hold", 16, $0, &$1) }
        routes.post(transactions + "/ach/:id/unhold", .any) { follow("unhold", 17, $0, &$1) }
        routes.post(transactions + "/settle", .json) { call, provider in
            if let refusal = forbidden(23, provider) { return refusal }
            closeBatch(&provider, call.now)
            return .json([:])
        }
        routes.get(transactions, list)
        routes.get(transactions + "/calculate-amount", calculate)
        routes.get(transactions + "/:id", details)
        routes.get(pay + "/configurations/payments") { call, provider in
            forbidden(36, provider) ?? .json(settings(provider))
        }
        routes.get("/api/available-api-permissions") { call, provider in
            .json(["permissions": .array(provider.account.permissions.sorted().map { .number(JSONNumber($0)) })])
        }
        routes.get(pay + "/devices", devices)
        routes.get(pay + "/devices/:id", device)
        routes.post(pay + "/devices", .json, register)
        routes.post(pay + "/devices/tap-to-pay/jwt", .json, readerToken)
        routes.post(pay + "/devices/:id/tap-to-pay/activate", .any, activate)
        routes.get("/pay-int-api/ping") { _, _ in
            .json(["authenticated": true, "merchantId": "m-1", "clientId": .string(clientID)])
        }
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    /// A refusal in the provider's words.
    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        switch refusal {
        case .malformed: Self.refusal(400, "V0000", "ValidationException", "the request could not be read")
        case .missingHeader(let name):
            Self.refusal(400, "V0000", "ValidationException", "the header \(name) is needed")
        case .unknownPath: Self.refusal(404, "N0000", "NotFoundException", "there is nothing here")
        case .wrongMethod: Self.refusal(405, "", "", "this is not how it is asked for")
        case .wrongMediaType: Self.refusal(415, "", "", "the body has to be JSON")
        case .accessRefused: Self.refusal(401, "", "", "the token is unknown or has expired")
        case .rateLimited: Self.refusal(429, "", "", "too many requests")
        case .broken(let status): Self.refusal(status, status == 500 ? "I0000" : "", "", "something broke")
        }
    }

    private static func token(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        func refused(_ error: String) -> SimulatorResponse { .json(["error": .string(error)], status: 400) }
        guard call.form("client_id") == clientID, call.form("client_secret").map({ Secret($0) }) == state.clientSecret
        else {
            return .json(["error": "invalid_client", "error_description": "client unknown"], status: 401)
        }
        switch call.form("grant_type") {
        case "client_credentials": break
        case "refresh_token":
            guard let given = call.form("refresh_token"), state.refreshTokens.remove(given) != nil else {
                return refused("invalid_grant")
            }
        default: return refused("unsupported_grant_type")
        }
        state.tokenCount += 1
        let (token, refresh) = ("at-\(state.tokenCount)-secret", "rt-\(state.tokenCount)-secret")
        state.tokens.prune(call.now)
        state.tokens[token] = call.now + tokenMilliseconds
        var body: JSON = [
            "access_token": .string(token), "token_type": "Bearer",
            "expires_in": .number(JSONNumber(tokenMilliseconds / 1_000)),
        ]
        if call.form("scope") == "offline_access" || call.form("grant_type") == "refresh_token" {
            state.refreshTokens.insert(refresh)
            body = body.adding("refresh_token", .string(refresh))
        }
        return .json(body)
    }
}

/// How the simulated merchant is set up at ARISE: prices, permissions, processor, settlement.
public struct ARISEAccount: Sendable {
    /// How the costs of card payments are passed on; the raw value is the number on the wire.
    public enum ZeroCost: Int64, Hashable, Sendable, CaseIterable {
        /// Every tender costs the same.
        case noZeroCost = 1
        /// Cash costs less.
        case cashDiscount
        /// Cards have a price of their own.
        case dualPricing
        /// Credit cards cost more.
        case surcharge
    }

    /// What prices are made of.
    public var zeroCost = ZeroCost.cashDiscount
    /// The rates in percent, as text.
    public var surchargeRate = "3.5"
    /// What cash costs less, in percent.
    public var cashDiscountRate = "4"
    /// What cards cost more, in percent.
    public var dualPricingRate = "3"
    /// What the access allows, by the numbers of the wire.
    public var permissions = Set<Int64>(0...36)
    /// Whether a device that asks for a reader token is taken for an activated one.
    public var trustsNewDevices = true
    /// When a batch closes, by the clock of a zone.
    public var settlesAt = ARISEZone.Slot(hours: 22, minutes: 0, zone: "America/New_York")
    /// The largest amount, in cents.
    public var amountMax: Int64 = 99_999_999_999
    /// Whether answers carry the request's reference as the order number.
    public var echoesReference = true
    /// Whether the settings name the merchant as Tap to Pay needs it.
    public var hasTapProfile = true

    /// Sets up the usual merchant.
    public init() {}
}

/// The clocks of the zones in which the simulated processors settle; by the rules in force since 2007.
public enum ARISEZone {
    /// A time of the day at which a batch closes.
    public struct Slot: Hashable, Sendable {
        /// The hour of the day.
        public let hours: Int64
        /// The minute of the hour.
        public let minutes: Int64
        /// The zone's IANA name.
        public let zone: String

        /// Names a time of the day.
        public init(hours: Int64, minutes: Int64, zone: String) {
            (self.hours, self.minutes, self.zone) = (hours, minutes, zone)
        }
    }

    /// Standard time's minutes ahead of universal time, and whether clocks go forward in summer.
    private static let zones: [String: (minutes: Int64, hasSummer: Bool)] = [
        "America/New_York": (-300, true), "America/Chicago": (-360, true), "America/Denver": (-420, true),
        "America/Phoenix": (-420, false), "America/Los_Angeles": (-480, true), "UTC": (0, false),
    ]
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The last moment at or before `now` at which the slot's clock showed its time; nil for a zone that isn't known.
    static func last(_ slot: Slot, before now: Int64) -> Int64? {
        guard let zone = zones[slot.zone] else { return nil }
        let days = (now + zone.minutes * 60_000) / dayMilliseconds
        return (days - 2...days + 1).compactMap { day in
            let clock = day * dayMilliseconds + (slot.hours * 60 + slot.minutes) * 60_000
            let standard = clock - zone.minutes * 60_000
            let moment = zone.hasSummer && isSummer(clock, zone.minutes) ? standard - 3_600_000 : standard
            return moment <= now ? moment : nil
        }.max()
    }

    /// Whether a local clock time lies between the second Sunday of March and the first Sunday of November, at two.
    private static func isSummer(_ clock: Int64, _ minutes: Int64) -> Bool {
        let date = Timestamp(milliseconds: clock)?.date
        guard let date, let begin = sunday(2, of: 3, date.year), let end = sunday(1, of: 11, date.year) else {
            return false
        }
        return clock >= begin + 2 * 3_600_000 && clock < end + 2 * 3_600_000
    }

    /// The first moment of a month's first, second … Sunday, as a local clock time.
    private static func sunday(_ number: Int64, of month: Int, _ year: Int) -> Int64? {
        guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
        // The first of January 1970 was a Thursday.
        let weekday = (first.daysSince1970 + 4) % 7
        return (first.daysSince1970 + (7 - weekday) % 7 + (number - 1) * 7) * dayMilliseconds
    }
}

/// What the simulated ARISE declines, and how it says so.
enum ARISECodes {
    /// The amounts with which the real sandbox declines, with the code.
    static let declinedCents: [Int64: String] = [6: "07", 7: "41", 8: "43", 21: "51"]
    /// The codes with which cards are declined, by number.
    static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "4000000000000010": "59"]
    /// What the codes mean.
    static let messages = [
        "05": "Do not honor", "07": "Pick up card", "41": "Lost card", "43": "Stolen card", "51": "Insufficient funds",
        "54": "Expired card", "55": "Incorrect PIN", "59": "Suspected fraud", "65": "PIN required",
        "N7": "CVV2 mismatch", "79": "Failed at the network",
    ]
}
