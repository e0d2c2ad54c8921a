public import PaymentBase
public import PaymentTransport

/// Halo, simulated: a kernel server that takes taps and PINs, keeps records, and knows a reference when it comes again.
public final class HaloSimulator: PlayingProvider {
    /// How long after the tap card data is taken, in milliseconds.
    public static let tapMilliseconds: Int64 = 60_000
    /// How long after the first submission a PIN is taken, in milliseconds.
    public static let pinMilliseconds: Int64 = 115_000
    /// How long a reader token lives, in milliseconds.
    public static let readerTokenMilliseconds: Int64 = 48 * 3_600_000
    /// The largest amount that it takes, in minor units.
    public static let amountMax: Int64 = 1_000_000_000
    /// The longest reference.
    public static let referenceCharactersMax = 64
    /// How many records it keeps.
    public static let recordsMax = 200_000

    let clock: any PaymentClock
    let state: Locked<State>
    let reading = Locked(ProviderReading<State>())
    /// The merchant whose tokens it takes.
    public let merchant: HaloMerchant
    /// The key of the back office.
    public let officeKey: Secret
    public let name: String
    public let members = ReplyFields(
        amounts: ["amount"], currencies: ["currency"],
        references: ["merchantReference", "merchantTransactionReference"],
        words: ["type", "transactionDispositionId"])

    /// Opens the provider.
    public init(
        clock: any PaymentClock, name: String = "halo", merchant: HaloMerchant = HaloMerchant(),
        officeKey: Secret = Secret("halo-simulated-office-key")
    ) {
        (self.clock, self.name, self.merchant, self.officeKey) = (clock, name, merchant, officeKey)
        state = Locked(State(merchant: merchant, officeKey: officeKey))
    }

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public var standing: Ledger.Summary { state.withLock { $0.ledger.standing } }
    /// How many reader tokens were given out.
    public var readerTokenCount: Int { state.withLock { $0.readerTokenCount } }
    /// Refuses every token that was used so far.
    public func revokeTokens() { state.withLock { $0.revoked.formUnion($0.known.names) } }
    public func reset() {
        state.withLock { [merchant, officeKey] in $0 = State(merchant: merchant, officeKey: officeKey) }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        readAnswer(request, Self.routes, now: clock.now)
    }

    static func number(_ state: inout State) -> String {
        state.nextNumber += 1
        let digits = String(state.nextNumber)
        return "62e557d5-fdf3-4f07-a4cb-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}

extension HaloSimulator {
    struct Record: Recorded {
        var id = ""
        var reference = ""
        /// `Purchase` or `Refund`.
        var kind = ""
        var original: String?
        var currency = ""
        var units: Int64 = 0
        var createdAt: Int64 = 0
        var device = ""
        var maskedNumber = ""
        var scheme = ""
        var disposition = ""
        var errorCode = ""
        var isoCode = ""
        /// Until when a PIN is taken; nil where none is asked for.
        var pinUntil: Int64?
        var refunded: Int64 = 0

        var recordName: String { id }
        var otherNames: [String] { ["reference \(reference)"] + (original.map { ["refund of \($0)"] } ?? []) }

        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("reference", \.reference), .init("kind", \.kind), .init("original", \.original),
            .init("currency", \.currency), .init("units", \.units), .init("createdAt", \.createdAt),
            .init("device", \.device), .init("maskedNumber", \.maskedNumber), .init("scheme", \.scheme),
            .init("disposition", \.disposition), .init("errorCode", \.errorCode), .init("isoCode", \.isoCode),
            .init("pinUntil", \.pinUntil), .init("refunded", \.refunded),
        ]
    }

    /// Between which moments all records were made. None of them is ever taken out, and none is dated again, so that
    /// only those that came since are looked at.
    struct Span {
        private(set) var first = Int64.max
        private(set) var last = Int64.min
        private var count = 0

        mutating func take(_ records: Records<Record>) {
            for record in records.page(0, records.count - count) {
                (first, last) = (min(first, record.createdAt), max(last, record.createdAt))
            }
            count = records.count
        }
    }

    struct State: PersistedFields, PlayingState {
        var play = HaloRules()
        var ledger = Ledger()
        var records = Records<Record>()
        var span = Span()
        var devices: [String] = []
        /// Tokens whose signature was found good, with when they lapse.
        var known = ExpiringTokens<Int64>()
        var revoked: Set<String> = []
        var nextNumber = 0
        var readerTokenCount = 0
        var busyOnce: Set<String> = []
        var cards = TestAmount.declinedCards
        var outbox = WebhookOutbox()
        let merchant: HaloMerchant
        let officeKey: Secret

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("records", \.records), .init("devices", \.devices),
            .init("revoked", \.revoked), .init("busyOnce", \.busyOnce), .init("cards", \.cards),
            .init(counter: "nextNumber", \.nextNumber), .init(counter: "readerTokenCount", \.readerTokenCount),
            .init("messages", \.outbox, isNew: true),
        ]

        mutating func keep(_ record: Record) {
            records.keep(record)
            span.take(records)
        }

        /// The record of a reference.
        func record(of reference: String) -> Record? { records.named("reference \(reference)").first }
    }
}

extension HaloSimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension HaloSimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        let isDone = restore(snapshot, into: state, fresh: State(merchant: merchant, officeKey: officeKey))
        state.withLock { $0.span.take($0.records) }
        return isDone
    }
}

extension HaloSimulator {
    /// Everything that the provider answers.
    static let routes = Router<State>(refusal: said) { routes in
        routes.check { call, provider in
            if call.request.target.hasSuffix("/refund"), call.request.method == "POST" {
                let isKey = call.request.headers["x-api-key"].map { Secret($0) } == provider.officeKey
                return isKey ? nil : refuse(401, 102, "invalid API key")
            }
            return check(call, &provider)
        }
        routes.post("/apple/proximity-token", .any, readerToken)
        routes.post("/transactions/apple", .json, headers: ["X-Device-Installation-Id"], submit)
        routes.post("/transactions/:id/submitPinApple", .json, headers: ["X-Device-Installation-Id"], submitPIN)
        routes.post("/transactions/:id/refund", .json, refund)
        routes.get("/transactions") { call, provider in .json(search(call, provider)) }
        routes.get("/transactions/:id") { call, provider in
            guard let record = provider.records[call["id"]] else { return refuse(404, 122, "data not found") }
            return .json(json(record))
        }
        routes.get("/devices") { _, provider in
            .json(.array(provider.devices.map { ["id": .string($0), "enabled": true, "status": "active"] }))
        }
    }

    static func refuse(_ status: Int, _ code: Int64, _ message: String) -> SimulatorResponse {
        .reply(refusal(status, .number(JSONNumber(code)), "E\(code): \(message)"))
    }

    static func refusal(_ status: Int, _ code: JSON, _ message: String) -> HTTPResponse {
        .json(
            [
                "httpStatusCode": .number(JSONNumber(Int64(status))), "errorCode": code,
                "message": .string(message),
            ], status: status)
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        if case .rateLimited = refusal { return .json(["error": "Too many requests"], status: 429) }
        if case .broken(let status) = refusal { return .json(["error": "Internal server error"], status: status) }
        let (code, message): (Int64, String) =
            switch refusal {
            case .malformed: (103, "invalid JSON")
            case .unknownPath: (122, "there is nothing here")
            case .wrongMethod: (104, "this is not how it is asked for")
            case .wrongMediaType: (104, "the body has to be JSON")
            case .missingHeader(let name): (104, "the header \(name) is needed")
            case .accessRefused: (118, "expired JWT")
            case .rateLimited, .broken: (203, "unknown")
            }
        return Self.refusal(refusal.status, .number(JSONNumber(code)), "E\(code): \(message)")
    }

    /// Takes only tokens that the merchant signed, for this host, that have not lapsed.
    private static func check(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse? {
        guard let token = call.bearer else { return refuse(401, 100, "unauthorized") }
        if state.known[token] == nil {
            guard let claims = state.merchant.claims(of: token), let expires = claims["exp"]?.int64 else {
                return refuse(401, 117, "invalid JWT")
            }
            guard claims["aud"]?.string == state.merchant.audience else { return refuse(401, 117, "invalid JWT") }
            state.known.prune(call.now)
            state.known[token] = expires * 1_000
        }
        guard !state.revoked.contains(token), state.known.current(token, at: call.now) != nil else {
            return refuse(401, 118, "expired JWT")
        }
        return nil
    }

    private static func readerToken(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard state.merchant.terminal != nil else {
            return .json(["error": "Internal server error during token generation"], status: 500)
        }
        state.readerTokenCount += 1
        return .json([
            "token": .string("reader-\(state.readerTokenCount)"),
            "expiresAt": .string(time(call.now + readerTokenMilliseconds)), "issuedAt": .string(time(call.now)),
            "jwtId": .string("jwt-\(state.readerTokenCount)"),
        ])
    }

    static func time(_ instant: Int64) -> String { Timestamp(milliseconds: instant)?.text() ?? "" }
}

extension HaloSimulator {
    /// A tap: everything about the money is in what the reader handed over.
    static func submit(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let reference = call.json?["merchantReference"]?.string, !reference.isEmpty,
            reference.count <= referenceCharactersMax, call.json?["generalCardData"]?.string != nil,
            let tap = TapPayload(call.json?["paymentCardData"]?.string), tap.purpose != "verification"
        else { return refuse(400, 104, "invalid request") }
        if state.record(of: reference) != nil { return refuse(400, 124, "duplicate merchant reference") }
        guard call.now - tap.at <= tapMilliseconds else { return expired }
        let units = tap.amount.minorUnits
        guard units > 0, units <= amountMax else { return refuse(400, 104, "invalid amount") }
        guard state.records.count < recordsMax else { return refuse(503, 201, "no more records are kept") }
        let script = TestAmount(minorUnits: units)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.busyOnce.insert(reference).inserted { return busy }
        let device = call.request.headers["X-Device-Installation-Id"] ?? ""
        if !state.devices.contains(device) { state.devices.append(device) }
        var record = Record()
        (record.id, record.reference, record.kind) = (
            number(&state), reference, tap.purpose == "refund" ? "Refund" : "Purchase"
        )
        (record.currency, record.units, record.createdAt) = (tap.amount.currency, units, call.now)
        (record.device, record.maskedNumber, record.scheme) = (device, tap.maskedNumber, tap.scheme)
        (record.disposition, record.errorCode, record.isoCode) = ("Declined", "209", "05")
        if let code = script?.declineCode ?? state.cards[tap.number] {
            record.isoCode = code
        } else if script == .asksPIN, tap.pin == nil {
            (record.errorCode, record.isoCode) = ("65", "65")
            record.pinUntil = call.now + pinMilliseconds
        } else if tap.pin.map({ $0 != tap.expectedPIN }) ?? false {
            (record.errorCode, record.isoCode) = ("211", "55")
        } else if script == .pends {
            (record.disposition, record.errorCode, record.isoCode) = ("Indeterminate", "203", "")
        } else {
            approve(&record, &state, call.now)
        }
        state.keep(record)
        return disturbed(script, record)
    }

    private static var expired: SimulatorResponse {
        .reply(refusal(400, "PPS-4003", "Request Expired"))
    }

    private static var busy: SimulatorResponse {
        var response = HTTPResponse.json(["error": "Too many requests"], status: 429)
        response.headers["Retry-After"] = "1"
        return .reply(response)
    }

    /// A PIN for a tap that asked for one.
    static func submitPIN(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard var record = state.records[call["id"]] else { return refuse(404, 122, "data not found") }
        guard let tap = TapPayload(call.json?["paymentCardData"]?.string),
            call.json?["merchantReference"]?.string == record.reference,
            tap.amount == LedgerAmount(record.units, record.currency), tap.maskedNumber == record.maskedNumber,
            (tap.purpose == "refund") == (record.kind == "Refund")
        else { return refuse(400, 104, "invalid request") }
        guard let until = record.pinUntil, call.now <= until else { return refuse(409, 104, "it waits for no PIN") }
        guard call.now - tap.at <= tapMilliseconds else { return expired }
        let again = state.play.takesSecondPIN ? record.pinUntil : nil
        record.pinUntil = nil
        if state.play.recordsPINApart {
            state.keep(record)
            record.id = number(&state)
        }
        if tap.pin != nil, tap.pin == tap.expectedPIN {
            approve(&record, &state, call.now)
        } else {
            (record.errorCode, record.isoCode, record.pinUntil) = ("211", "55", again)
        }
        state.keep(record)
        return .json(wrapped(record), status: 201)
    }

    /// The one place where the money of a record moves.
    static func approve(_ record: inout Record, _ state: inout State, _ now: Int64) {
        (record.disposition, record.errorCode, record.isoCode) = ("Approved", "0", "00")
        record.pinUntil = nil
        if state.play.approvesHalf, record.original == nil, record.units > 1 {
            (record.units, record.isoCode) = (record.units / 2, "10")
        }
        let amount = LedgerAmount(record.units, record.currency)
        if let original = record.original {
            state.records[original]?.refunded += record.units
            state.ledger.move(
                amount, from: .merchant, to: .refunded, payment: original, attempt: record.reference, cause: "refund",
                at: now)
        } else if record.kind == "Refund" {
            state.ledger.move(
                amount, from: .funds, to: .refunded, payment: record.id, attempt: record.reference,
                cause: "refundByTap", at: now)
        } else {
            state.ledger.move(
                amount, from: .cardholder, to: .merchant, payment: record.id, attempt: record.reference,
                cause: "purchase", entry: "reader", at: now)
        }
    }

    private static func disturbed(_ script: TestAmount?, _ record: Record) -> SimulatorResponse {
        let status = record.disposition == "Approved" ? 200 : 201
        guard let script else { return .json(wrapped(record), status: status) }
        return script.disturb(
            wrapped(record), broken: .json(["error": "Internal server error"], status: 500),
            word: { ReplyFalsifier.changing(["type"], in: $0) { _ in "Teleported" } },
            amount: { ReplyFalsifier.changing(["amount"], in: $0, ReplyFalsifier.larger) }
        ) { .json($0, status: status) }
    }

    static func wrapped(_ record: Record) -> JSON {
        ["onlineAuthorizationResponse": answer(record)]
    }

    private static func answer(_ record: Record) -> JSON {
        let wantsPIN = record.pinUntil != nil
        let isGood = record.disposition == "Approved"
        return [
            "type": .string(record.disposition),
            "authorizationCode": isGood ? .string(String(record.id.suffix(6))) : "",
            "tags": [["tag": "9F26", "value": "A1B2C3D4E5F60718"]], "haloReference": .string(record.id),
            "errorMessage": isGood ? "Transaction approved" : "Transaction not approved",
            "errorCode": .number((try? JSONNumber(record.errorCode)) ?? 203),
            "isoResponseCode": .string(record.isoCode), "association": "1234567890", "expiryDate": "",
            "paymentProviderReference": .string(String(record.id.suffix(8))), "cardType": "Credit Card",
            "cardScheme": .string(record.scheme), "customValues": [:], "isSingleTapAndPin": .bool(wantsPIN),
            "maskedPAN": .string(record.maskedNumber), "pinToken": wantsPIN ? .string("pin-\(record.id)") : "",
            "cardReaderId": "1234567890", "cardReaderTransactionId": .string(record.id),
            "amount": .number(JSONNumber(record.units)), "currency": .string(record.currency),
            "merchantReference": .string(record.reference),
        ]
    }

    /// The back office refunds to an original, in major units.
    static func refund(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let original = state.records[call["id"]] else { return refuse(404, 122, "data not found") }
        guard let reference = call.json?["refundReference"]?.string, !reference.isEmpty,
            let asked = call.json?["amount"]?.number?.scaled(
                places: state.play.refundsInMinorUnits ? 0 : decimals(original.currency)), asked > 0
        else { return refuse(400, 104, "invalid request") }
        if state.record(of: reference) != nil, !state.play.refundsAgain {
            return refuse(409, 213, "refund already processed")
        }
        let units = state.play.refundsWhole ? original.units - original.refunded : asked
        let refunds = state.records.named("refund of \(original.id)")
        let pending = refunds.filter { $0.disposition == "Indeterminate" }.reduce(0) { $0 + $1.units }
        guard original.disposition == "Approved", original.kind == "Purchase",
            units <= original.units - original.refunded - pending
        else { return refuse(400, 104, "not that much is left") }
        var record = Record()
        (record.id, record.reference, record.kind) = (number(&state), reference, "Refund")
        (record.original, record.currency, record.units) = (original.id, original.currency, units)
        (record.createdAt, record.device) = (call.now, original.device)
        (record.maskedNumber, record.scheme) = (original.maskedNumber, original.scheme)
        (record.disposition, record.errorCode, record.isoCode) = ("Indeterminate", "203", "")
        if TestAmount(minorUnits: units) != .pends { approve(&record, &state, call.now) }
        state.keep(record)
        return flat(record)
    }

    /// Only the answer to a refund has no wrapper and no amount, and writes the response code as a number.
    static func flat(_ record: Record) -> SimulatorResponse {
        guard var flat = answer(record).object else { return .closed }
        for name in ["amount", "currency", "merchantReference", "isSingleTapAndPin", "pinToken"] { flat[name] = nil }
        if record.disposition == "Approved" { flat["isoResponseCode"] = 0 }
        return .json(.object(flat))
    }

    /// How many decimals a currency has.
    static func decimals(_ currency: String) -> Int {
        let none = [
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF",
        ]
        if none.contains(currency) { return 0 }
        if ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].contains(currency) { return 3 }
        return ["CLF", "UYW"].contains(currency) ? 4 : 2
    }
}

extension HaloSimulator {
    /// The records that fit, the newest first.
    static func search(_ call: SimulatorRequest, _ state: State) -> JSON {
        let (offset, limit) = call.part(from: "offset")
        guard !state.play.findsNothing,
            call.query("merchant") ?? state.merchant.merchant == state.merchant.merchant
        else { return [] }
        let scale = state.play.filtersInMajorUnits ? Int64(100) : 1
        if fitsAll(state.span, call, scale) { return .array(state.records.page(offset, limit).map(json)) }
        func page(_ records: some Sequence<Record>) -> JSON {
            var (skipped, found, days) = (0, [JSON](), Days())
            for record in records {
                if found.count == limit { break }
                guard fits(record, days.text(record.createdAt), call, scale) else { continue }
                if skipped == offset { found.append(json(record)) } else { skipped += 1 }
            }
            return .array(found)
        }
        guard let reference = call.query("merchantReference") else { return page(state.records.newestFirst) }
        return page(state.records.named("reference \(reference)"))
    }

    /// The day of a moment as a text; of those that follow one another most are of the same.
    private struct Days {
        private var last: (number: Int64, text: String)?

        mutating func text(_ instant: Int64) -> String {
            let number = instant / 86_400_000
            if let last, last.number == number { return last.text }
            let text = day(instant)
            last = (number, text)
            return text
        }
    }

    /// Whether the filters leave nothing out, as those of a walk through everything; then it is not counted what lies
    /// before its page.
    private static func fitsAll(_ span: Span, _ call: SimulatorRequest, _ scale: Int64) -> Bool {
        guard call.query("merchantReference") == nil, call.query("transactionDisposition") == nil else { return false }
        if let first = call.query("startDate"), day(span.first) < first { return false }
        if let last = call.query("endDate"), day(span.last) > last { return false }
        if let least = call.query("minAmount").flatMap({ Int64($0) }), least > 0 { return false }
        if let most = call.query("maxAmount").flatMap({ Int64($0) }), most < amountMax / scale { return false }
        return true
    }

    private static func day(_ instant: Int64) -> String { String(time(instant).prefix(10)) }

    private static func fits(_ record: Record, _ day: String, _ call: SimulatorRequest, _ scale: Int64) -> Bool {
        if let reference = call.query("merchantReference"), record.reference != reference { return false }
        if let first = call.query("startDate"), day < first { return false }
        if let last = call.query("endDate"), day > last { return false }
        if let least = call.query("minAmount").flatMap({ Int64($0) }), record.units / scale < least { return false }
        if let most = call.query("maxAmount").flatMap({ Int64($0) }), record.units / scale > most { return false }
        if let word = call.query("transactionDisposition"), record.disposition != word { return false }
        return true
    }

    static func json(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantTransactionReference": .string(record.reference),
            "details": [["tags": [], "maskedPAN": .string(record.maskedNumber), "paymentProviderId": 1]],
            "latitude": nil, "longitude": nil, "deviceinstallationId": .string(record.device),
            "transactionstatusId": "RespondedToPhone", "transactionDispositionId": .string(record.disposition),
            "amount": .string(String(record.units)), "currency": .string(record.currency),
            "responseCode": .string(record.isoCode), "transactionTypeId": .string(record.kind),
            "originalTransactionId": record.original.map(JSON.string) ?? .null, "acquirerId": 1, "userId": "user-1",
            "authorisationCode": .string(String(record.id.suffix(6))), "createdAt": .string(time(record.createdAt)),
            "updatedAt": .string(time(record.createdAt)),
            "receiptData": [
                "authorizationCode": .string(String(record.id.suffix(6))), "tid": "TID0001",
                "transactionReference": .string(String(record.id.suffix(8))), "merchantName": "Simulated Shop",
                "formattedMerchantAddress": "1 Main Road", "transactionType": .string(record.kind),
                "amount": .string(printed(record)), "approvalText": .string(record.disposition),
                "aid": "A0000000031010",
                "applicationLabel": "VISA CREDIT", "association": .string(record.scheme),
                "isoResponseCode": .string(record.isoCode), "cryptogram": "A1B2C3D4E5F60718", "tvr": "0000000000",
                "maskedPan": .string(record.maskedNumber),
            ],
        ]
    }
}

extension HaloSimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Ends what is indeterminate under a reference; gives the webhook that reports it, which is unsigned.
    public func decide(_ reference: String, succeeds: Bool) -> OutgoingWebhook? {
        change(reference, "Indeterminate") { record, state, now in
            if succeeds {
                Self.approve(&record, &state, now)
            } else {
                (record.disposition, record.errorCode, record.isoCode) = ("Declined", "209", "91")
            }
        }
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ reference: String) -> OutgoingWebhook? {
        change(reference, "Approved") { record, state, now in
            guard let original = record.original else { return }
            (record.disposition, record.errorCode, record.isoCode) = ("Voided", "209", "91")
            state.records[original]?.refunded -= record.units
            state.ledger.move(
                LedgerAmount(record.units, record.currency), from: .refunded, to: .merchant, payment: original,
                attempt: reference, cause: "refundFailed", at: now)
        }
    }

    /// Changes the record of a reference that has a disposition; reports it if that became another.
    private func change(
        _ reference: String, _ disposition: String, _ change: (inout Record, inout State, Int64) -> Void
    ) -> OutgoingWebhook? {
        let now = clock.now
        return state.withLock { state in
            guard var record = state.record(of: reference), record.disposition == disposition else { return nil }
            change(&record, &state, now)
            guard record.disposition != disposition else { return nil }
            state.keep(record)
            guard let said = told(Self.webhook(record)) else { return nil }
            return state.outbox.deliver(OutgoingWebhook(body: said.bytes(), at: now, attempt: reference))
        }
    }

    /// An amount as it is printed: `ZAR 15.00`.
    private static func printed(_ record: Record) -> String {
        let places = decimals(record.currency)
        return "\(record.currency) \(JSONNumber(units: record.units, places: places).text)"
    }

    private static func number(_ text: String) -> JSON { (try? JSONNumber(text)).map { .number($0) } ?? .string(text) }

    private static func webhook(_ record: Record) -> JSON {
        [
            "id": .string(record.id), "merchantReference": .string(record.reference),
            "disposition": .string(record.disposition), "errorCode": number(record.errorCode),
            "paymentProviderReference": .string(String(record.id.suffix(8))),
            "authorisationCode": .string(String(record.id.suffix(6))),
            "amount": .number(JSONNumber(record.units)), "currency": .string(record.currency),
            "haloReference": .string(record.id), "deviceInstallationId": .string(record.device),
        ]
    }
}
