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

extension NISimulator {
    /// One capture, refund or reversal of an order.
    struct Move: KeptRecord {
        var name = ""
        /// `capture`, `refund` or `void`.
        var kind = ""
        var units: Int64 = 0
        var at: Int64 = 0
        /// `SUCCESS`, `REQUESTED` or `FAILED`.
        var state = ""
        /// Whose it is, for the books alone.
        var label = ""

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("name", \.name), .init("kind", \.kind), .init("units", \.units), .init("at", \.at),
            .init("state", \.state), .init("label", \.label),
        ]
    }

    struct Order: Recorded {
        /// What is held, captured and refunded.
        var amounts = SimulatedPayment()
        var payment = ""
        var action = ""
        var units: Int64 = 0
        var createdAt: Int64 = 0
        var terminal = ""
        var maskedNumber = ""
        var scheme = ""
        var label = ""
        var state = "STARTED"
        var resultCode = "00"
        var moves: [Move] = []

        var reference: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { reference }
        var otherNames: [String] { [label] + moves.map(\.label) }

        static let members: [PersistedField<Self>] = [
            .init("reference", \.amounts.name), .init("payment", \.payment), .init("action", \.action),
            .init("currency", \.amounts.currency), .init("units", \.units), .init("createdAt", \.createdAt),
            .init("terminal", \.terminal), .init("maskedNumber", \.maskedNumber), .init("scheme", \.scheme),
            .init("label", \.label), .init("state", \.state), .init("resultCode", \.resultCode),
            .init("held", \.amounts.held), .init("captured", \.amounts.captured),
            .init("refunded", \.amounts.refunded), .init("moves", \.moves),
        ]
    }

    /// Which terminal a device token is for.
    struct Grant: KeptRecord, Lapsing {
        var terminal = ""
        var expires: Int64 = 0

        static let isList = true
        static let members: [PersistedField<Self>] = [.init("terminal", \.terminal), .init("expires", \.expires)]
    }

    struct State: PersistedFields, PlayingState {
        var play = NIRules()
        var ledger = Ledger()
        var orders = Records<Order>()
        var access = ExpiringTokens<Int64>()
        var grants = ExpiringTokens<Grant>()
        /// Which device each terminal is bound to.
        var bound: [String: String] = [:]
        var nextNumber = 0
        var tokenCount = 0
        var readerTokenCount = 0
        var busyOnce: Set<String> = []
        /// Until when everything is settled, whatever the time is.
        var settledUntil: Int64 = 0
        var cards = TestAmount.declinedCards
        var outbox = WebhookOutbox()
        let rules: Rules

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("orders", \.orders), .init("access", \.access),
            .init("grants", \.grants), .init("bound", \.bound), .init("cards", \.cards),
            .init("busyOnce", \.busyOnce), .init(counter: "nextNumber", \.nextNumber),
            .init("settledUntil", \.settledUntil),
            .init(counter: "tokenCount", \.tokenCount), .init(counter: "readerTokenCount", \.readerTokenCount),
            .init("messages", \.outbox, isNew: true),
        ]
    }
}

extension NISimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension NISimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool { restore(snapshot, into: state, fresh: State(rules: rules)) }
}

extension NISimulator {
    /// Everything that the provider answers.
    static let routes = Router<State>(refusal: said) { routes in
        routes.check { call, provider in
            let path = call.request.target.prefix { $0 != "?" }
            if path.hasPrefix("/identity/") {
                let isKnown = call.bearer.flatMap { provider.access.current($0, at: call.now) } != nil
                return isKnown ? nil : refuse(401, "111", "the service token is unknown or has lapsed")
            }
            guard grant(call, provider) != nil else {
                return refuse(401, "102", "the device token is unknown or has lapsed")
            }
            let headers = call.request.headers
            let given = headers[call.request.method == "GET" ? "Accept" : "Content-Type"]
            let isBare = call.request.method != "GET" && call.request.body.isEmpty
            if !isBare || given != nil, given != softposType {
                return refuse(call.request.method == "GET" ? 406 : 415, "", "the media type is not ours")
            }
            return nil
        }
        routes.post("/identity/auth/access-token", .json, isOpen: true, accessToken)
        routes.post("/identity/outlets/:outlet/devices/auth", .json, deviceToken)
        routes.post("/softpos/payment-card-reader-token", .json, readerToken)
        routes.post("/softpos/payment/card/purchase", .json) { pay(call: $0, &$1, action: "PURCHASE") }
        routes.post("/softpos/payment/card/authorise", .json) { pay(call: $0, &$1, action: "AUTH") }
        routes.post("/softpos/payment/card/orders/:order/payments/:payment/capture", .json, capture)
        routes.post("/softpos/payment/card/orders/:order/actions/refund", .json, refund)
        routes.post("/softpos/payment/card/orders/:order/actions/cancel", .any, cancel)
        routes.get("/softpos/reporting/payments") { call, provider in .json(list(call, provider)) }
        routes.get("/softpos/reporting/orders/:order") { call, provider in
            guard let order = provider.orders[call["order"]] else { return unknownOrder }
            return .json(details(order, provider))
        }
        routes.delete("/softpos/outlets/:outlet/devices/tids/:tid/unbind", unbind)
    }

    static let identityType = "application/vnd.ni-identity.v1+json"
    static let softposType = "application/vnd.ni-softpos.v1+json"

    static let unknownOrder = refuse(404, "", "the order was not found")

    static func refuse(_ status: Int, _ code: String, _ message: String) -> SimulatorResponse {
        .reply(refusal(status, code, message))
    }

    private static func refusal(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
        var error: JSONObject = ["message": .string(message), "localizedMessage": .string(message)]
        if !code.isEmpty { error["errorCode"] = .string(code) }
        error["domain"] = "softpos"
        return .json(
            [
                "message": .string(message), "code": .number(JSONNumber(Int64(status))),
                "errors": .array([.object(error)]),
            ], status: status)
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let (code, message) =
            switch refusal {
            case .malformed: ("", "the request could not be read")
            case .unknownPath: ("", "there is nothing here")
            case .wrongMethod: ("", "this is not how it is asked for")
            case .wrongMediaType: ("", "the media type is not ours")
            case .missingHeader(let name): ("", "the header \(name) is needed")
            case .accessRefused: ("102", "the device token is unknown or has lapsed")
            case .rateLimited: ("", "too many requests")
            case .broken: ("", "something broke")
            }
        return Self.refusal(refusal.status, code, message)
    }

    static func grant(_ call: SimulatorRequest, _ state: State) -> Grant? {
        call.bearer.flatMap { state.grants.current($0, at: call.now) }
    }

    // MARK: Tokens

    private static func accessToken(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard call.request.headers["Content-Type"] == identityType else {
            return refuse(415, "", "the media type is not ours")
        }
        let parts = (call.request.headers["Authorization"] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0] == "Bearer" || parts[0] == "Basic",
            Secret(String(parts[1])) == state.rules.apiKey
        else { return refuse(401, "111", "the key is unknown") }
        let token = number("service-", &state)
        state.tokenCount += 1
        state.access.prune(call.now)
        state.access[token] = call.now + tokenMilliseconds
        return granted(token)
    }

    private static func deviceToken(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard call.request.headers["Content-Type"] == identityType else {
            return refuse(415, "", "the media type is not ours")
        }
        guard call["outlet"] == state.rules.outlet else { return refuse(403, "", "the outlet is another's") }
        guard let terminal = call.json?["tid"]?.string, state.rules.terminals.contains(terminal),
            let device = call.json?["deviceIdentifier"]?.string, !device.isEmpty,
            call.json?["deviceCode"]?.string?.isEmpty == false, call.json?["userCode"]?.string?.isEmpty == false
        else { return refuse(400, "115", "the terminal is unknown") }
        guard state.bound[terminal, default: device] == device else {
            return refuse(409, "115", "the terminal is bound to another device")
        }
        state.bound[terminal] = device
        let token = number("device-", &state)
        state.tokenCount += 1
        state.grants.prune(call.now)
        state.grants[token] = Grant(terminal: terminal, expires: call.now + tokenMilliseconds)
        return granted(token)
    }

    private static func granted(_ token: String) -> SimulatorResponse {
        .json([
            "access_token": .string(token), "expires_in": .number(JSONNumber(tokenMilliseconds / 1_000)),
            "token_type": "bearer",
        ])
    }

    private static func readerToken(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let currency = call.json?["currency"]?.string, currency.count == 3 else {
            return refuse(400, "202", "the currency is not valid")
        }
        state.readerTokenCount += 1
        return .json(["token": .string(number("reader-\(currency)-", &state))])
    }

    private static func unbind(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard call["outlet"] == state.rules.outlet else { return refuse(403, "", "the outlet is another's") }
        guard state.bound.removeValue(forKey: call["tid"]) != nil else {
            return refuse(404, "115", "the terminal is not bound")
        }
        // Whatever was given to the device that played it is void.
        state.grants.removeAll { $0.terminal == call["tid"] }
        return .empty()
    }
}

extension NISimulator {
    /// A purchase or an authorisation: everything about the money is in what the reader handed over.
    static func pay(call: SimulatorRequest, _ state: inout State, action: String) -> SimulatorResponse {
        guard let terminal = call.json?["tid"]?.string, terminal == grant(call, state)?.terminal else {
            return refuse(400, "115", "the terminal is not the token's")
        }
        guard let tap = TapPayload(call.json?["payment"]?.string), tap.purpose == "purchase" else {
            return refuse(400, "510", "the card's data could not be read")
        }
        let units = tap.amount.minorUnits
        guard units > 0 else { return refuse(400, "203", "the amount is not valid") }
        guard units <= amountMax else { return refuse(422, "118", "the amount is above the limit") }
        guard ["VISA", "MASTERCARD"].contains(tap.scheme) else { return refuse(422, "114", "the scheme is not taken") }
        guard state.orders.count < ordersMax else { return refuse(503, "", "no more orders are kept") }
        let script = TestAmount(minorUnits: units)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.busyOnce.insert(tap.number + String(units) + call.attemptLabel).inserted {
            return busy
        }
        var order = Order()
        order.amounts = SimulatedPayment(name: number("order-", &state), currency: tap.amount.currency)
        (order.payment, order.action, order.units) = (number("payment-", &state), action, units)
        (order.createdAt, order.terminal, order.label) = (call.now, terminal, call.attemptLabel)
        (order.maskedNumber, order.scheme) = (tap.maskedNumber, tap.scheme)
        if let code = decline(tap, script, state) {
            (order.state, order.resultCode) = ("FAILED", code)
        } else if script == .pends {
            order.state = "PENDING"
        } else {
            charge(&order, &state, call.now)
        }
        state.orders.keep(order)
        return disturbed(script, answer(order, state))
    }

    private static var busy: SimulatorResponse {
        guard case .reply(var response) = refuse(429, "", "too many requests") else { return .closed }
        response.headers["Retry-After"] = "1"
        return .reply(response)
    }

    private static func decline(_ tap: TapPayload, _ script: TestAmount?, _ state: State) -> String? {
        if let code = script?.declineCode ?? state.cards[tap.number] { return code }
        if let pin = tap.pin { return pin == tap.expectedPIN ? nil : "55" }
        return script == .asksPIN ? "65" : nil
    }

    static func charge(_ order: inout Order, _ state: inout State, _ now: Int64) {
        let isPurchase = order.action == "PURCHASE"
        order.state = isPurchase ? "PURCHASED" : "AUTHORISED"
        if state.play.approvesHalf, order.units % 2 == 0 { order.units /= 2 }
        order.amounts.charge(
            order.units, holds: !isPurchase, .init(order.action, by: order.label, entry: "reader", at: now),
            &state.ledger)
    }

    private static func disturbed(_ script: TestAmount?, _ reply: JSON) -> SimulatorResponse {
        guard let script else { return .json(reply) }
        return script.disturb(
            reply, broken: refuse(500, "", "something broke"), word: { $0.adding("state", "TELEPORTED") },
            amount: { ReplyFalsifier.changing(["value"], in: $0, ReplyFalsifier.larger) })
    }

    /// The answer to a purchase, an authorisation or a capture.
    static func answer(_ order: Order, _ state: State) -> JSON {
        var body: JSON = [
            "reference": .string(order.payment), "state": .string(order.state),
            "updateDateTime": .string(time(order.createdAt)), "amount": money(order.units, order.currency),
            "outletId": .string(state.rules.outlet), "orderReference": .string(order.reference),
        ]
        if order.state != "PENDING" {
            let isGood = order.resultCode == "00"
            body = body.adding(
                "authResponse",
                [
                    "authorizationCode": isGood ? .string(String(order.payment.suffix(6))) : .null,
                    "success": .bool(isGood), "resultCode": .string(order.resultCode),
                    "resultMessage": isGood ? "Successful approval/completion" : "Declined",
                    "mid": "434334344242",
                ])
        }
        return body
    }

    // MARK: On an order

    static func capture(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]], order.payment == call["payment"] else { return unknownOrder }
        guard let units = amount(call, order) else { return refuse(400, "203", "the amount is not valid") }
        let pending = order.moves.filter { $0.kind == "capture" && $0.state == "REQUESTED" }.reduce(0) { $0 + $1.units }
        guard ["AUTHORISED", "PARTIALLY_CAPTURED"].contains(order.state) else {
            return refuse(409, "116", "the order can't be captured")
        }
        guard units <= order.amounts.held - pending else { return refuse(422, "203", "not that much is held") }
        move("capture", units, call, &order, &state)
        let list = order.moves.filter { $0.kind == "capture" }.map { move -> JSON in
            [
                "amount": money(move.units, order.currency), "createdTime": .string(move.name),
                "state": .string(move.state),
            ]
        }
        let reply: JSON = [
            "reference": .string(order.payment), "state": .string(order.state),
            "amount": money(order.units, order.currency), "orderReference": .string(order.reference),
            "_embedded": ["cnp:capture": .array(list)],
        ]
        return .json(reply)
    }

    static func refund(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]] else { return unknownOrder }
        guard let units = amount(call, order) else { return refuse(400, "203", "the amount is not valid") }
        guard order.amounts.captured > 0, order.state != "REVERSED" else {
            return refuse(409, "116", "nothing was charged")
        }
        let pending = order.moves.filter { $0.kind == "refund" && $0.state == "REQUESTED" }.reduce(0) { $0 + $1.units }
        guard units <= order.amounts.refundable - pending else {
            return refuse(422, "203", "not that much is left")
        }
        let isSettled = isSettled(order, state, call.now)
        guard isSettled || state.play.unsettled != .refused else {
            return refuse(409, "119", "it is not settled; void it")
        }
        if !isSettled, state.play.unsettled == .voided {
            move("void", order.amounts.held + order.amounts.captured, call, &order, &state)
            return .json(["refundId": .string(order.moves.last?.name ?? ""), "status": "SUCCESS"])
        }
        move("refund", units, waits: !isSettled && state.play.unsettled == .waits, call, &order, &state)
        let done = order.moves.last
        return .json(["refundId": .string(done?.name ?? ""), "status": .string(done?.state ?? "FAILED")])
    }

    static func cancel(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var order = state.orders[call["order"]] else { return unknownOrder }
        guard ["AUTHORISED", "PARTIALLY_CAPTURED", "CAPTURED", "PURCHASED"].contains(order.state) else {
            return refuse(409, "116", "the order can't be voided")
        }
        let isUnderWay = order.moves.contains { $0.state == "REQUESTED" }
        guard order.amounts.refunded == 0, !isUnderWay,
            order.amounts.captured == 0 || !isSettled(order, state, call.now)
        else {
            return refuse(409, "119", "it is settled or was refunded")
        }
        if order.amounts.captured > 0, state.play.voids != .everything {
            if state.play.voids == .uncaptured {
                order.amounts.release(at: call.now, &state.ledger)
                state.orders.keep(order)
                return .json(["voidId": .string(number("vld_", &state)), "status": "SUCCESS"])
            }
            if order.action == "PURCHASE" || state.play.voids == .uncapturedOnly {
                return refuse(409, "119", "it was captured; refund it")
            }
        }
        move("void", order.amounts.held + order.amounts.captured, call, &order, &state)
        return .json(["voidId": .string(order.moves.last?.name ?? ""), "status": "SUCCESS"])
    }

    /// Whether what was charged is settled: the midnight of Dubai after the last charge has passed.
    static func isSettled(_ order: Order, _ state: State, _ now: Int64) -> Bool {
        let charged = order.moves.last { $0.kind == "capture" && $0.state == "SUCCESS" }?.at ?? order.createdAt
        return charged <= state.settledUntil || now >= cutOff(after: charged)
    }

    private static func amount(_ call: SimulatorRequest, _ order: Order) -> Int64? {
        guard call.json?["amount"]?["currencyCode"]?.string == order.currency,
            let units = call.json?["amount"]?["value"]?.int64, units > 0
        else { return nil }
        return units
    }

    private static func move(
        _ kind: String, _ units: Int64, waits: Bool = false, _ call: SimulatorRequest, _ order: inout Order,
        _ state: inout State
    ) {
        let isPending = waits || TestAmount(minorUnits: units) == .pends && kind != "void"
        let name = kind == "capture" ? freshTime(order, call.now) : number(kind == "refund" ? "rfn_" : "vld_", &state)
        order.moves.append(
            Move(
                name: name, kind: kind, units: units, at: call.now, state: isPending ? "REQUESTED" : "SUCCESS",
                label: call.attemptLabel))
        if !isPending { apply(kind, units, call.attemptLabel, &order, &state, call.now) }
        state.orders.keep(order)
    }

    /// A moment that no capture of the order has yet.
    private static func freshTime(_ order: Order, _ now: Int64) -> String {
        var instant = now
        while order.moves.contains(where: { $0.name == time(instant) }) { instant += 1 }
        return time(instant)
    }

    /// The one place where the money of an order moves after it was made.
    static func apply(
        _ kind: String, _ units: Int64, _ label: String, _ order: inout Order, _ state: inout State, _ now: Int64
    ) {
        let reason = SimulatedPayment.Reason(kind, by: label, at: now)
        switch kind {
        case "capture":
            order.amounts.capture(units, reason, &state.ledger)
            order.state = order.amounts.held == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED"
        case "refund":
            order.amounts.refund(units, reason, &state.ledger)
            order.state = order.amounts.refundable == 0 ? "REFUNDED" : "PARTIALLY_REFUNDED"
        default:
            order.amounts.void(reason, &state.ledger)
            order.state = "REVERSED"
        }
    }

    static func money(_ units: Int64, _ currency: String) -> JSON {
        ["currencyCode": .string(currency), "value": .number(JSONNumber(units))]
    }

    static func time(_ instant: Int64) -> String { Timestamp(milliseconds: instant)?.text() ?? "" }
}
