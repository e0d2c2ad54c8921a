public import PaymentBase
public import PaymentTransport

/// Adyen as its documents describe it: terminals with one card slot each, a cloud in front of them, and a back office
/// that says *received* and reports the outcome later.
///
/// Everything that takes time is worked out from the clock at each look, so that nothing runs on its own.
public final class AdyenSimulator: SimulatedProvider {
    /// How long after a payment began the shopper's card is in the terminal, in milliseconds.
    public static let cardMilliseconds: Int64 = 1_500
    /// How long after a payment began it is decided, in milliseconds.
    public static let decisionMilliseconds: Int64 = 2_500
    /// How long a terminal waits for a card, in milliseconds.
    public static let waitMilliseconds: Int64 = 120_000
    /// How long after *received* a modification is decided, in milliseconds.
    public static let modificationMilliseconds: Int64 = 20_000
    /// How long a terminal remembers its messages, in milliseconds: 48 hours.
    public static let memoryMilliseconds: Int64 = 48 * 3_600_000
    /// How many payments it keeps.
    public static let paymentsMax = 200_000
    /// The terminal that is there from the beginning.
    public static let terminal = "V400m-324688042"

    let clock: any PaymentClock
    let crypto: any Crypto
    let state: Locked<State>
    let nexo: SandboxNexo?
    let signer: AdyenSigner
    public let name: String
    public let members = ReplyFields(
        amounts: ["AuthorizedAmount", "value"], currencies: ["Currency", "currency"],
        references: ["ServiceID", "reference"], words: ["Result", "status", "GlobalStatus"])
    /// The merchant's account.
    public let merchant = "TestMerchant"
    /// What clients are known by.
    public let apiKey: Secret
    /// The key of webhooks, as hexadecimal text.
    public let webhookKey: Secret
    /// What messages to a terminal on the same network are encrypted with.
    public let passphrase: Secret

    /// Opens the provider.
    public init(
        clock: any PaymentClock, crypto: any Crypto, name: String = "adyen",
        apiKey: Secret = Secret("adyen-sandbox-api-key"),
        webhookKey: Secret = Secret("DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"),
        passphrase: Secret = Secret("adyen-sandbox-passphrase")
    ) {
        (self.clock, self.crypto, self.name, self.apiKey) = (clock, crypto, name, apiKey)
        (self.webhookKey, self.passphrase) = (webhookKey, passphrase)
        signer = AdyenSigner(key: webhookKey, crypto: crypto)
        state = Locked(State(signer: signer))
        nexo = SandboxNexo(passphrase, crypto)
    }

    /// The books as they are now.
    public var ledger: Ledger { looking { $0.ledger } }
    public var standing: Ledger.Summary { looking { $0.ledger.standing } }
    /// How many messages came under a name that their terminal had received within its memory.
    public var repeatedNames: Int { looking { $0.repeatedNames } }

    public func reset() {
        state.withLock { state in
            let reading = state.reading
            state = State(signer: signer)
            state.reading = reading
        }
    }

    /// Looks at everything as it is by now.
    func looking<Value>(_ body: (inout State) -> Value) -> Value {
        let now = clock.now
        return state.withLock { state in
            Self.advance(&state, now)
            return body(&state)
        }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        if let way = TerminalWay(request) { return await terminal(way, request) }
        if let answer = await phone(request) { return answer }
        return looking { state in
            let isRepeat = request.headers["Idempotency-Key"].map { state.answers[$0] != nil } ?? false
            let answer = Self.inCheckout(routes.answer(request, &state, now: clock.now), to: request)
            return Self.read(answer, to: request, isRepeat, state.reading)
        }
    }

    /// What the back office answers under the reading that is played.
    private static func read(
        _ answer: SimulatorResponse, to request: HTTPRequest, _ isRepeat: Bool, _ reading: AdyenReading
    ) -> SimulatorResponse {
        guard case .reply(let response) = answer, request.target.contains("/v72/"),
            let said = try? JSONReader().read(response.body)
        else { return answer }
        let (body, status) = reading.office(request.target, isRepeat, said, response.status)
        return .json(body, status: status)
    }

    /// The same, where an error of the back office is the document that it publishes, and of the cloud another.
    private static func inCheckout(_ answer: SimulatorResponse, to request: HTTPRequest) -> SimulatorResponse {
        let pieces = request.target.split(separator: "/").drop { $0 == "checkout" }
        guard case .reply(let response) = answer, [400, 401, 404].contains(response.status),
            let version = pieces.first, version.hasPrefix("v"), version.dropFirst().allSatisfy(\.isNumber),
            version != "v1"
        else { return answer }
        let (code, kind, words) =
            switch response.status {
            case 401: ("000", "security", "HTTP Status Response - Unauthorized")
            case 400: ("702", "validation", "The request could not be read.")
            default: ("000", "internal", "There is nothing here under \(version): this Checkout is v72.")
            }
        return .json(
            [
                "status": .number(JSONNumber(Int64(response.status))), "errorCode": .string(code),
                "message": .string(words), "errorType": .string(kind),
            ], status: response.status)
    }

    // MARK: The shopper

    /// Lays a card in front of a terminal; nil takes it away.
    public func present(_ card: Card?, at terminal: String = AdyenSimulator.terminal) {
        let now = clock.now
        looking { state in
            var given = state.terminals[terminal] ?? Terminal()
            (given.card, given.cardSince) = (card, given.work == nil ? 0 : now)
            state.terminals[terminal] = given
        }
    }

    /// The customer presses the terminal's cancel key while it waits for a card.
    public func cancelAtTerminal(_ terminal: String = AdyenSimulator.terminal) {
        looking { state in state.terminals[terminal]?.work?.isGivenUp = true }
    }

    /// Takes a terminal off the network, or brings it back.
    public func setReachable(_ isReachable: Bool, _ terminal: String = AdyenSimulator.terminal) {
        looking { $0.terminals[terminal, default: Terminal()].isReachable = isReachable }
    }
}

extension AdyenSimulator {
    /// What the provider knows.
    struct State: Sendable {
        var ledger = Ledger()
        var terminals = [AdyenSimulator.terminal: Terminal()]
        /// The terminals that work on a payment.
        var busy: Set<String> = []
        /// Payments by their name in the back office.
        var payments = Records<Payment>()
        /// The name in the back office by our reference, the latest one.
        var byReference: [String: String] = [:]
        var modifications = Records<Modification>()
        /// Whose each instrument is that is kept.
        var tokens = [AdyenSimulator.savedInstrument: AdyenSimulator.savedCustomer]
        /// What was answered under a key, for the back office does everything once.
        var answers: [String: JSON] = [:]
        /// Webhooks, one item in each.
        var outbox = WebhookOutbox()
        let signer: AdyenSigner
        /// Which reading of the documents is played; a reset keeps it.
        var reading = AdyenReading()
        /// How often a terminal was asked about a message, or told that it is to end.
        var questions: [String: Int] = [:]
        var nextNumber: Int64 = 0
        var repeatedNames = 0
        /// Amounts whose script was played once.
        var playedOnce: Set<String> = []
        /// Payments that were approved offline and wait to be forwarded.
        var stored: [String] = []
        /// Whether no terminal reaches the issuers, so that each approves on its own.
        var isCutOff = false
        /// Sales that the provider has not said to be captured.
        var uncaptured: [String] = []
        /// What the next payment on a phone fails by.
        var attestation: String?
        /// Phones by their name, with the end of their session.
        var sessions: [String: Int64] = [:]

        mutating func number() -> Int64 {
            nextNumber += 1
            return nextNumber
        }

        /// A name in the back office: sixteen characters.
        mutating func reference() -> String {
            let digits = String(number())
            return "8815" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        }
    }

    struct Payment: Sendable {
        /// What is held, captured and refunded.
        var amounts = SimulatedPayment()
        /// The reference that the request carried.
        var reference = ""

        var psp: String { amounts.name }
        var currency: String { amounts.currency }

        init() {}

        init(psp: String, reference: String, currency: String) {
            amounts = SimulatedPayment(name: psp, currency: currency)
            self.reference = reference
        }
    }

    /// Something that was received and is decided later.
    struct Modification: Sendable {
        enum Kind: String, Sendable {
            case capture, refund, cancel, reversal, adjust, terminalRefund, cardRefund
            /// A stored card that was refused is charged once more.
            case rescue
        }

        var kind = Kind.capture
        var psp = ""
        var payment = ""
        var reference = ""
        var currency = ""
        var amount: Int64 = 0
        var decidesAt: Int64 = 0
        var isTechnical = false
        /// Whether it was decided; a later failure is still possible.
        var isDone = false
        var succeeded = false
    }

    struct Terminal: Sendable {
        var card: Card? = Card()
        /// Since when the card lies there.
        var cardSince: Int64 = 0
        /// Whether the issuer refuses the next card, whose holder takes another one.
        var refusesFirst = false
        var isReachable = true
        var work: Work?
        /// Answers by message, as long as they are remembered.
        var answers: [String: Answer] = [:]
        /// Messages about which another amount is said once.
        var echoesOther: Set<String> = []

        struct Answer: Sendable {
            var at: Int64 = 0
            var message: JSON = .null
            var category = ""
        }
    }

    /// A payment that a terminal works on.
    struct Work: Sendable {
        let request: NexoRequest
        let startedAt: Int64
        let label: String
        /// When the card came.
        var cardAt: Int64?
        var isAborted = false
        /// The customer pressed the cancel key.
        var isGivenUp = false
    }

    /// Works out everything that should have happened by now, in order of time.
    static func advance(_ state: inout State, _ now: Int64) {
        while let next = nextDue(&state), next < now { step(&state, next) }
        step(&state, now)
    }

    private static func step(_ state: inout State, _ now: Int64) {
        for poiID in state.busy.sorted() { advance(poiID, &state, now) }
        while let due = state.modifications.takeDue(by: now) {
            let fails = due.value.kind == .rescue && state.reading.rescues == false
            decide(due.value, succeeds: !fails, &state, at: due.at)
        }
    }

    /// When something happens on its own that a webhook reports.
    static func nextDue(_ state: inout State) -> Int64? {
        let works = state.busy.compactMap { poiID -> Int64? in
            guard let terminal = state.terminals[poiID], let work = terminal.work else { return nil }
            if terminal.card == nil, work.cardAt == nil { return work.startedAt + waitMilliseconds }
            let cardAt = work.cardAt ?? comes(terminal, work)
            return cardAt + decisionMilliseconds - cardMilliseconds
        }
        return (works + [state.modifications.nextDue()].compactMap { $0 }).min()
    }

    /// When the card that lies there is in the terminal.
    private static func comes(_ terminal: Terminal, _ work: Work) -> Int64 {
        max(work.startedAt + (terminal.card?.comesAfterMilliseconds ?? cardMilliseconds), terminal.cardSince)
    }

    private static func advance(_ poiID: String, _ state: inout State, _ now: Int64) {
        guard var work = state.terminals[poiID]?.work else { return }
        let card = state.terminals[poiID]?.card
        let earliest = state.terminals[poiID].map { comes($0, work) } ?? 0
        if work.cardAt == nil, !work.isAborted, card != nil, now >= earliest { work.cardAt = earliest }
        state.terminals[poiID]?.work = work
        if let cardAt = work.cardAt {
            let end = cardAt + decisionMilliseconds - cardMilliseconds
            if now >= end, takesAnother(poiID, work, &state, end) { return }
            if now >= end { finish(poiID, work, decide(work, card ?? Card(), poiID, &state, end), &state, end) }
        } else if work.isAborted {
            let answer = failure("Aborted", "message=104+Merchant+cancelled")
            finish(poiID, work, answer, &state, now)
        } else if work.isGivenUp || now >= work.startedAt + waitMilliseconds {
            let answer = failure("Cancel", "message=108+Shopper+cancelled+tx")
            finish(poiID, work, answer, &state, min(now, work.startedAt + waitMilliseconds))
        }
    }

    private static func finish(_ poiID: String, _ work: Work, _ body: JSON, _ state: inout State, _ at: Int64) {
        state.terminals[poiID]?.work = nil
        state.busy.remove(poiID)
        remember(work.request, body, poiID, &state, at)
    }

    /// Keeps an answer for a repeated question.
    static func remember(
        _ request: NexoRequest, _ body: JSON, _ poiID: String, _ state: inout State, _ at: Int64
    ) {
        let message = request.reply(said(body, request, state.reading, at))
        state.terminals[poiID]?.answers[request.key] = Terminal.Answer(
            at: at, message: message, category: request.category)
    }
}

/// What a restart must not lose: the books, the payments, what is decided later, the answers and the phones' sessions.
/// A payment that a terminal works on is lost with its process, as a terminal that loses its power.
extension AdyenSimulator: StatefulProvider {
    public func snapshot() -> JSON { looking { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool { restore(snapshot, into: state, fresh: State(signer: signer)) }
}

extension AdyenSimulator.State: PersistedFields {
    static let members: [PersistedField<Self>] = [
        .init("ledger", \.ledger), .init("payments", \.payments), .init("references", \.byReference),
        .init("tokens", \.tokens), .init("modifications", \.modifications), .init("answers", \.answers),
        .init("messages", \.outbox, isNew: true), .init(counter: "nextNumber", \.nextNumber), .init("stored", \.stored),
        .init("playedOnce", \.playedOnce), .init("sessions", \.sessions), .init("terminals", \.terminals),
    ]
}

extension AdyenSimulator.Payment: Recorded {
    var recordName: String { psp }

    static let members: [PersistedField<Self>] = [
        .init("psp", \.amounts.name), .init("reference", \.reference), .init("currency", \.amounts.currency),
        .init("held", \.amounts.held), .init("captured", \.amounts.captured), .init("refunded", \.amounts.refunded),
    ]
}

extension AdyenSimulator.Modification.Kind: PersistedState {
    var kept: JSON { .string(rawValue) }

    init?(kept json: JSON) { self.init(rawValue: json.string ?? "") }
}

extension AdyenSimulator.Modification: Recorded {
    var recordName: String { psp }
    var otherNames: [String] { [reference] }
    var dueAt: Int64? { isDone ? nil : decidesAt }

    static let members: [PersistedField<Self>] = [
        .init("kind", \.kind), .init("psp", \.psp), .init("payment", \.payment), .init("reference", \.reference),
        .init("currency", \.currency), .init("amount", \.amount), .init("dueAt", \.decidesAt),
        .init("isTechnical", \.isTechnical), .init("isDone", \.isDone), .init("succeeded", \.succeeded),
    ]
}

extension AdyenSimulator.Terminal.Answer: KeptRecord {
    static let members: [PersistedField<Self>] = [
        .init("at", \.at), .init("message", \.message), .init("category", \.category),
    ]
}

extension AdyenSimulator.Terminal: PersistedState {
    var kept: JSON { answers.kept }

    init?(kept json: JSON) {
        guard let answers = [String: Answer](kept: json) else { return nil }
        self.init(answers: answers)
    }
}

extension AdyenSimulator {
    /// Everything that is answered at once.
    var routes: Router<State> {
        Router<State>(refusal: Self.said) { [apiKey, merchant] routes in
            routes.check { call, _ in
                call.request.headers["X-API-Key"].map { Secret($0) } == apiKey ? nil : .reply(Self.said(.accessRefused))
            }
            routes.get("/v1/merchants/:merchant/connectedDevices") { _, state in
                let names = state.terminals.filter(\.value.isReachable).keys.sorted()
                return .json(["uniqueDeviceIds": .array(names.map { .string($0) })])
            }
            routes.get("/v1/merchants/:merchant/devices/:device/status") { call, state in
                guard let terminal = state.terminals[call["device"]] else {
                    return .json(Self.problem(404, "there is no such device"), status: 404)
                }
                return .json([
                    "deviceId": .string(call["device"]), "status": terminal.isReachable ? "ONLINE" : "OFFLINE",
                ])
            }
            // As older libraries ask for the terminals of an account.
            routes.post("/connectedTerminals", .json) { call, state in
                guard call.json?["merchantAccount"]?.string == merchant else {
                    return .json(Self.problem(403, "this account is not yours"), status: 403)
                }
                let names = state.terminals.filter(\.value.isReachable).keys.sorted()
                return .json(["uniqueTerminalIds": .array(names.map { .string($0) })])
            }
            for prefix in ["/v72", "/checkout/v72"] {
                routes.post(prefix + "/payments", .json) { call, state in
                    Self.once(call, merchant, &state) { Self.chargeSaved(call, &$0) }
                }
                routes.post(prefix + "/payments/:psp/:verb", .json) { call, state in
                    Self.once(call, merchant, &state) { Self.modify(call, &$0) }
                }
                routes.post(prefix + "/cancels", .json) { call, state in
                    Self.once(call, merchant, &state) { Self.technicalCancel(call, &$0) }
                }
                routes.get(prefix + "/storedPaymentMethods") { call, state in
                    Self.listStored(call, merchant, state)
                }
                routes.delete(prefix + "/storedPaymentMethods/:token") { call, state in
                    Self.removeStored(call, merchant, &state)
                }
            }
            for path in ["/possdk/v68/sessions", "/checkout/possdk/v68/sessions", "/softposconfig/v3/auth/certificate"]
            {
                routes.post(path, .json) { call, state in
                    Self.session(call, merchant, &state)
                }
            }
        }
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    /// A refusal in the provider's words.
    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let words =
            switch refusal {
            case .malformed: "the request could not be read"
            case .unknownPath: "there is nothing here"
            case .wrongMethod: "this is not how it is asked for"
            case .wrongMediaType: "the body has to be JSON"
            case .missingHeader(let name): "the header \(name) is needed"
            case .accessRefused: "Unauthorized"
            case .rateLimited: "too many requests"
            case .broken: "something broke"
            }
        return .json(problem(refusal.status, words), status: refusal.status)
    }

    static func problem(_ status: Int, _ title: String) -> JSON {
        [
            "type": "https://docs.adyen.com/errors", "title": .string(title),
            "status": .number(JSONNumber(Int64(status))), "detail": .string(title), "requestId": "sandbox",
        ]
    }

    static func invalid(_ code: String, _ message: String) -> SimulatorResponse {
        .json(
            [
                "status": 422, "errorCode": .string(code), "message": .string(message), "errorType": "validation",
            ], status: 422)
    }

    /// The same key gets the same answer, and nothing is done again.
    private static func once(
        _ call: SimulatorRequest, _ merchant: String, _ state: inout State, _ body: (inout State) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard call.json?["merchantAccount"]?.string == merchant else {
            return .json(
                [
                    "status": 403, "errorCode": "901", "message": "Invalid Merchant Account", "errorType": "security",
                ], status: 403)
        }
        let key = call.request.headers["Idempotency-Key"] ?? ""
        if !key.isEmpty, let answer = state.answers[key] {
            return .json(answer, status: answer["resultCode"] == nil ? 201 : 200)
        }
        let answer = body(&state)
        if !key.isEmpty, let response = answer.response, response.status < 300 {
            state.answers[key] = try? JSONReader().read(response.body)
        }
        return answer
    }

    private static func modify(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let payment = state.payments[call["psp"]] else {
            return invalid("167", "Original pspReference required for this operation")
        }
        let kind: Modification.Kind
        switch call["verb"] {
        case "captures": kind = .capture
        case "refunds": kind = .refund
        case "cancels": kind = .cancel
        case "reversals": kind = .reversal
        case "amountUpdates": kind = .adjust
        default: return .reply(said(.unknownPath))
        }
        // The company does not know yet what a terminal approved on its own.
        if state.isCutOff, state.stored.contains(payment.psp) {
            return invalid("167", "Original pspReference required for this operation")
        }
        var units = payment.amounts.held + payment.amounts.captured
        if kind == .capture || kind == .refund || kind == .adjust {
            guard let value = AdyenUnits.value(call.json?["amount"]),
                call.json?["amount"]?["currency"]?.string == payment.currency
            else { return invalid("137", "Invalid amount specified") }
            units = value
        }
        let given = call.json?["reference"]?.string ?? ""
        let modification = receive(
            kind, payment.psp, given.isEmpty ? call.attemptLabel : given, units, &state, call.now)
        var answer: JSONObject = [
            "merchantAccount": call.json?["merchantAccount"] ?? .null, "paymentPspReference": .string(payment.psp),
            "pspReference": .string(modification.psp), "status": "received",
        ]
        if !given.isEmpty { answer["reference"] = .string(given) }
        if kind == .capture || kind == .refund || kind == .adjust { answer["amount"] = call.json?["amount"] }
        if kind == .refund {
            for name in ["store", "merchantRefundReason"] { answer[name] = call.json?[name] }
        }
        return .json(.object(answer), status: 201)
    }

    private static func technicalCancel(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let about = call.json?["paymentReference"]?.string, let psp = state.byReference[about],
            let payment = state.payments[psp]
        else { return invalid("167", "Original reference required for this operation") }
        let given = call.json?["reference"]?.string ?? ""
        let modification = receive(
            .reversal, psp, given.isEmpty ? call.attemptLabel : given, payment.amounts.held + payment.amounts.captured,
            &state,
            call.now, isTechnical: true)
        return .json(
            [
                "merchantAccount": call.json?["merchantAccount"] ?? .null, "paymentReference": .string(about),
                "pspReference": .string(modification.psp), "status": "received", "reference": .string(given),
            ], status: 201)
    }

    /// A refund at a terminal: received at once, since no card is needed.
    static func reversal(
        _ message: NexoRequest, _ label: String, _ state: inout State, _ now: Int64
    ) -> SimulatorResponse {
        let body = reversed(message, label, &state, now)
        remember(message, body.json, message.poiID, &state, now)
        return .json(message.reply(said(body.json, message, state.reading, now)))
    }

    private static func reversed(
        _ message: NexoRequest, _ label: String, _ state: inout State, _ now: Int64
    ) -> (json: JSON, isReceived: Bool) {
        let original = message.body["OriginalPOITransaction"]?["POITransactionID"]
        let name = original?["TransactionID"]?.string ?? ""
        guard let psp = name.split(separator: ".").last.map(String.init), name == "\(tender(psp)).\(psp)",
            let payment = state.payments[psp], original?["TimeStamp"]?.string?.isEmpty == false
        else { return (failure("NotFound", "message=Original+transaction+not+found"), false) }
        var units = payment.amounts.refundable
        if let amount = message.body["ReversedAmount"] {
            guard message.acquirer("currency") == payment.currency,
                let part = AdyenUnits.units(amount, payment.currency), part > 0
            else { return (failure("MessageFormat", "message=currency+is+missing"), false) }
            units = part
        }
        guard units > 0, units <= payment.amounts.refundable else {
            return (failure("NotAllowed", "message=Amount+is+more+than+what+is+left"), false)
        }
        let reference = message.reference.isEmpty ? label : message.reference
        let refund = receive(.terminalRefund, psp, reference, units, &state, now, psp: state.reference() + "C")
        return (
            [
                "Response": ["Result": "Success", "AdditionalResponse": .string("currency=\(payment.currency)")],
                "POIData": [
                    "POITransactionID": ["TransactionID": .string(refund.psp), "TimeStamp": .string(stamp(now))]
                ],
                "OriginalPOITransaction": message.body["OriginalPOITransaction"] ?? .null,
                "ReversedAmount": AdyenUnits.decimal(units, payment.currency),
            ], true
        )
    }

    // MARK: Phones

    /// How long a phone's session lasts, in milliseconds.
    public static let sessionMilliseconds: Int64 = 24 * 3_600_000

    private static func session(_ call: SimulatorRequest, _ merchant: String, _ state: inout State) -> SimulatorResponse
    {
        guard call.json?["merchantAccount"]?.string == merchant, let token = call.json?["setupToken"]?.string,
            !token.isEmpty, token.count <= 50_000
        else { return invalid("702", "setupToken and merchantAccount are needed") }
        let phone = "INST-" + token.suffix(12)
        state.sessions[phone] = call.now + sessionMilliseconds
        if state.terminals[phone] == nil { state.terminals[phone] = Terminal() }
        return .json(
            [
                "id": .string("S\(state.number())"), "installationId": .string(phone),
                "merchantAccount": .string(merchant), "sdkData": .string("sdk-data-\(state.nextNumber)"),
            ], status: 201)
    }
}
