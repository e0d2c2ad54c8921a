internal import PaymentBase
internal import PaymentTransport

/// How a message comes to a terminal.
struct TerminalWay {
    enum Kind { case sync, async, local, phone }

    let kind: Kind
    /// The merchant and the terminal in the path; empty on the same network, and at the addresses of older libraries.
    let merchant: String
    let terminal: String

    /// Reads a target, with a slash at its end or without; nil when it leads elsewhere.
    init?(_ request: HTTPRequest) {
        guard request.method == "POST",
            var pieces = RoutePattern.pieces(of: request.target.prefix { $0 != "?" })
        else { return nil }
        if pieces.count > 1, pieces.last == "" { pieces.removeLast() }
        if pieces == ["nexo"] {
            (kind, merchant, terminal) = (.local, "", "")
        } else if pieces == ["sync"] || pieces == ["async"] {
            (kind, merchant, terminal) = (pieces == ["sync"] ? .sync : .async, "", "")
        } else if let found = RoutePattern("/v1/merchants/:merchant/devices/:device/sync")?.match(pieces) {
            (kind, merchant, terminal) = (.sync, found["merchant"] ?? "", found["device"] ?? "")
        } else if let found = RoutePattern("/v1/merchants/:merchant/devices/:device/async")?.match(pieces) {
            (kind, merchant, terminal) = (.async, found["merchant"] ?? "", found["device"] ?? "")
        } else {
            return nil
        }
    }
}

extension AdyenSimulator {
    /// How often a waiting connection looks whether its terminal is done, in milliseconds.
    private static let lookMilliseconds: Int64 = 100

    func terminal(_ way: TerminalWay, _ request: HTTPRequest) async -> SimulatorResponse {
        if way.kind != .local {
            guard request.headers["X-API-Key"].map({ Secret($0) }) == apiKey else {
                return .reply(refusal(.accessRefused))
            }
            guard way.merchant.isEmpty || way.merchant == merchant else {
                return .json(Self.problem(403, "this account is not yours"), status: 403)
            }
        }
        let plain = try? JSONReader().read(request.body)
        // Through the cloud a message may come encrypted, and is then answered in kind.
        let isSealed = way.kind == .local || plain?["SaleToPOIRequest"]?["NexoBlob"] != nil
        let json = isSealed ? plain.flatMap { nexo?.open($0) } : plain
        if isSealed, json == nil { return .reply(HTTPResponse(400)) }
        guard let message = NexoRequest(json) else {
            return .json(
                [
                    "SaleToPOIRequest": [
                        "MessageHeader": [
                            "MessageClass": "Event", "MessageCategory": "Event", "MessageType": "Notification",
                            "SaleID": "unknown", "POIID": .string(way.terminal.isEmpty ? "unknown" : way.terminal),
                        ],
                        "EventNotification": [
                            "TimeStamp": .string(Self.stamp(clock.now)), "EventToNotify": "Reject",
                            "EventDetails": "message=Input+is+not+a+JSONObject",
                        ],
                    ]
                ])
        }
        guard way.terminal.isEmpty || message.poiID == way.terminal else {
            return .json(Self.problem(400, "the terminal in the path is not the one in the message"), status: 400)
        }
        let label = request.headers[SimulatorRequest.attemptHeader] ?? ""
        let answer = await carryOut(message, label, way.kind)
        guard isSealed, case .reply(var response) = answer, !response.body.isEmpty,
            let said = try? JSONReader().read(response.body), way.kind == .local || said["SaleToPOIResponse"] != nil,
            let sealed = nexo?.seal(said)
        else { return answer }
        response.body = sealed.bytes()
        return .reply(response)
    }

    /// Lets the terminal do what a message says; through the cloud without waiting the answer is only kept.
    func carryOut(_ message: NexoRequest, _ label: String, _ kind: TerminalWay.Kind) async -> SimulatorResponse {
        switch looking({ Self.begin(message, label, &$0, now: clock.now) }) {
        case .answer(let answer):
            guard kind == .async, let body = answer.response?.body, let said = try? JSONReader().read(body),
                let reply = said["SaleToPOIResponse"]?[message.category + "Response"]
            else { return answer }
            looking { Self.remember(message, reply, message.poiID, &$0, clock.now) }
            return taken
        case .works(let script):
            guard kind == .async else { return await wait(message, script) }
            switch script {
            case .losesReply: return .cutAfter
            case .failsAfter: return .json(Self.problem(500, "something broke"), status: 500)
            case .saysUnknownWord: return .reply(HTTPResponse(200, body: Array("teleported".utf8)))
            default: return taken
            }
        }
    }

    private var taken: SimulatorResponse {
        looking { $0.reading.taken } ?? .reply(HTTPResponse(200, body: Array("ok".utf8)))
    }

    enum Begun {
        case answer(SimulatorResponse)
        case works(AdyenTestAmount?)
    }

    /// Waits until the terminal is done with a message.
    private func wait(_ message: NexoRequest, _ script: AdyenTestAmount?) async -> SimulatorResponse {
        while true {
            let answer = looking { $0.terminals[message.poiID]?.answers[message.key]?.message }
            if let answer { return Self.played(script, answer, message, Self.stamp(clock.now)) }
            do { try await clock.sleep(until: clock.now + Self.lookMilliseconds) } catch { return .cutAfter }
        }
    }

    /// What a script makes of an answer on its way back.
    private static func played(
        _ script: AdyenTestAmount?, _ answer: JSON, _ message: NexoRequest, _ now: String
    ) -> SimulatorResponse {
        switch script {
        case .losesReply: return .cutAfter
        case .failsAfter: return .json(problem(500, "something broke"), status: 500)
        case .noAnswer:
            return .json(message.rejection("message=Did+not+receive+a+response+from+the+POI.", at: now))
        case .saysUnknownWord:
            return .json(ReplyFalsifier.changing(["Result"], in: answer) { _ in "teleported" })
        case .echoesOther:
            return .json(ReplyFalsifier.changing(["AuthorizedAmount"], in: answer, ReplyFalsifier.larger))
        default: return .json(answer)
        }
    }

    // MARK: Beginning

    /// Takes a message: answers it, or lets the terminal work on it.
    private static func begin(
        _ message: NexoRequest, _ label: String, _ state: inout State, now: Int64
    ) -> Begun {
        guard state.terminals[message.poiID]?.isReachable == true else {
            return .answer(
                .json(
                    message.rejection(
                        "message=Failed+to+send+message+to+POI.+There+may+be+a+network+issue+or+it+may+not+have+"
                            + "the+websocket+connected.", at: stamp(now))))
        }
        switch message.category {
        case "Payment": return payment(message, label, &state, now)
        case "Reversal": return .answer(reversal(message, label, &state, now))
        case "TransactionStatus":
            let answer = message.reply(asked(message, &state, now))
            let name = message.body["MessageReference"]?["ServiceID"]?.string ?? ""
            let asked = state.terminals[message.poiID]?.echoesOther.remove(name) != nil
            return .answer(
                .json(asked ? ReplyFalsifier.changing(["AuthorizedAmount"], in: answer, ReplyFalsifier.larger) : answer)
            )
        case "Abort":
            return .answer(abort(message, &state, now))
        case "Diagnosis":
            return .answer(
                .json(
                    message.reply([
                        "Response": ["Result": "Success"],
                        "POIStatus": [
                            "GlobalStatus": state.terminals[message.poiID]?.work == nil ? "OK" : "Busy",
                            "SecurityOKFlag": true,
                            "PEDOKFlag": true, "CardReaderOKFlag": true, "PrinterStatus": "OK",
                            "CommunicationOKFlag": true, "FraudPreventionFlag": false,
                        ],
                    ])))
        default: return .answer(.json(message.reply(service(message, &state, now))))
        }
    }

    /// The answer to a service beside payments: done, with the members that each has to have and nothing made up.
    private static func service(_ message: NexoRequest, _ state: inout State, _ now: Int64) -> JSON {
        let (done, body): (JSON, JSON) = (["Result": "Success"], message.body)
        func shown(_ output: JSON?) -> JSON {
            [
                "Device": output?["Device"] ?? "CustomerDisplay", "InfoQualify": output?["InfoQualify"] ?? "Display",
                "Response": done,
            ]
        }
        switch message.category {
        case "Display":
            let outputs = body["DisplayOutput"]?.array ?? [body["DisplayOutput"] ?? .null]
            return ["OutputResult": .array(outputs.map(shown))]
        case "Input":
            let input = body["InputData"]
            return [
                "InputResult": [
                    "Device": input?["Device"] ?? "CustomerInput", "InfoQualify": input?["InfoQualify"] ?? "Input",
                    "Response": done, "Input": ["InputCommand": input?["InputCommand"] ?? "GetConfirmation"],
                ]
            ]
        case "Print":
            return ["DocumentQualifier": body["PrintOutput"]?["DocumentQualifier"] ?? "Document", "Response": done]
        case "CardAcquisition", "StoredValue":
            let name = tender(state.reference())
            return [
                "Response": done,
                "SaleData": ["SaleTransactionID": body["SaleData"]?["SaleTransactionID"] ?? .null],
                "POIData": ["POITransactionID": ["TransactionID": .string(name), "TimeStamp": .string(stamp(now))]],
            ]
        case "GetTotals": return ["Response": done, "POIReconciliationID": .number(JSONNumber(state.number()))]
        case "Reconciliation":
            return ["Response": done, "ReconciliationType": body["ReconciliationType"] ?? "SaleReconciliation"]
        default: return ["Response": done]
        }
    }

    private static func payment(
        _ message: NexoRequest, _ label: String, _ state: inout State, _ now: Int64
    ) -> Begun {
        guard let asked = Asked(message) else {
            let answer = failure("MessageFormat", "message=Amount+is+missing+or+invalid")
            return .answer(.json(message.reply(said(answer, message, state.reading, now))))
        }
        let script = AdyenTestAmount(asked.units)
        if script == .losesRequest { return .answer(.cutBefore) }
        if script == .notDeliveredOnce, state.playedOnce.insert("\(message.reference) delivered").inserted {
            return .answer(
                .json(
                    message.rejection(
                        "message=Failed+to+send+message+to+POI.+There+may+be+a+network+issue", at: stamp(now))))
        }
        let isBusyOnce = script == .busyOnce && state.playedOnce.insert("\(message.reference) busy").inserted
        if state.busy.contains(message.poiID) || isBusyOnce {
            let answer = failure("Busy", "message=Terminal+is+busy")
            return .answer(.json(message.reply(said(answer, message, state.reading, now))))
        }
        if let earlier = state.terminals[message.poiID]?.answers[message.key]?.at, now - earlier < memoryMilliseconds {
            state.repeatedNames += 1
            state.terminals[message.poiID]?.answers[message.key] = nil
        }
        if script == .echoesOther, let name = message.header["ServiceID"]?.string {
            state.terminals[message.poiID]?.echoesOther.insert(name)
        }
        state.terminals[message.poiID]?.work = Work(request: message, startedAt: now, label: label)
        state.busy.insert(message.poiID)
        return .works(script)
    }

    private static func abort(_ message: NexoRequest, _ state: inout State, _ now: Int64) -> SimulatorResponse {
        let answer = state.reading.abort(message, stamp(now)) ?? .reply(HTTPResponse(200))
        let about = message.body["MessageReference"]
        let key = "\(about?["SaleID"]?.string ?? "") \(about?["ServiceID"]?.string ?? "")"
        guard state.terminals[message.poiID]?.work?.request.key == key else { return answer }
        let earlier = state.questions["abort \(key)", default: 0]
        state.questions["abort \(key)"] = earlier + 1
        // With the card in the terminal it is too late: the payment ends as it would have ended.
        if state.reading.hearsAbort(earlier) { state.terminals[message.poiID]?.work?.isAborted = true }
        return answer
    }

    /// What a terminal says about another message, under the reading that is played.
    private static func asked(_ message: NexoRequest, _ state: inout State, _ now: Int64) -> JSON {
        let about = message.body["MessageReference"] ?? .null
        let key = "\(about["SaleID"]?.string ?? "") \(about["ServiceID"]?.string ?? "")"
        let earlier = state.questions[key, default: 0]
        state.questions[key] = earlier + 1
        let question = AdyenReading.Question(key: key, earlier: earlier, header: message.header)
        return state.reading.status(status(message, state, now), question)
    }

    /// What a terminal says about another message: the one that is named, or else its last payment or refund.
    private static func status(_ message: NexoRequest, _ state: State, _ now: Int64) -> JSON {
        let terminal = state.terminals[message.poiID]
        let about = message.body["MessageReference"] ?? terminal.flatMap { last($0) } ?? .null
        let key = "\(about["SaleID"]?.string ?? "") \(about["ServiceID"]?.string ?? "")"
        if terminal?.work?.request.key == key { return failure("InProgress", "message=Transaction+in+progress") }
        guard let answer = terminal?.answers[key], now - answer.at < memoryMilliseconds,
            answer.category == about["MessageCategory"]?.string, let root = answer.message["SaleToPOIResponse"]
        else { return failure("NotFound", "message=Did+not+find+message+with+requested+reference") }
        let name = answer.category + "Response"
        return [
            "Response": ["Result": "Success"], "MessageReference": about,
            "RepeatedMessageResponse": [
                "MessageHeader": root["MessageHeader"] ?? .null,
                "RepeatedResponseMessageBody": .object([name: root[name] ?? .null]),
            ],
        ]
    }

    /// How the last payment or refund of a terminal is called; nil where it has had none.
    private static func last(_ terminal: Terminal) -> JSON? {
        let latest = terminal.answers.values.filter { ["Payment", "Reversal"].contains($0.category) }
            .max { $0.at < $1.at }
        let header =
            terminal.work.map { JSON.object($0.request.header) }
            ?? latest?.message["SaleToPOIResponse"]?["MessageHeader"]
        guard let category = header?["MessageCategory"], let till = header?["SaleID"], let name = header?["ServiceID"]
        else { return nil }
        return ["MessageCategory": category, "SaleID": till, "ServiceID": name]
    }

    /// A body that says why it was not done.
    static func failure(_ condition: String, _ said: String) -> JSON {
        [
            "Response": [
                "Result": "Failure", "ErrorCondition": .string(condition), "AdditionalResponse": .string(said),
            ]
        ]
    }

    /// What a terminal says in the end, under the reading that is played.
    static func said(_ body: JSON, _ message: NexoRequest, _ reading: AdyenReading, _ now: Int64) -> JSON {
        switch message.category {
        case "Payment":
            let whole = whole(body, message, now)
            let charged = Asked(message).map { $0.units + reading.tip($0.tip).charged } ?? 0
            if reading.extra != 0, reading.added(to: charged) == 0 { return whole }
            return isRefund(message) ? reading.cardRefund(whole) : reading.payment(whole)
        case "Reversal": return reading.reversal(body)
        default: return body
        }
    }

    private static func isRefund(_ message: NexoRequest) -> Bool {
        message.body["PaymentData"]?["PaymentType"]?.string == "Refund"
    }

    /// The answer to a payment with what each has to have: whose it is, and the terminal's name for it.
    private static func whole(_ body: JSON, _ message: NexoRequest, _ now: Int64) -> JSON {
        guard message.category == "Payment", var answer = body.object else { return body }
        if answer["SaleData"] == nil {
            answer["SaleData"] = ["SaleTransactionID": message.body["SaleData"]?["SaleTransactionID"] ?? .null]
        }
        if answer["POIData"] == nil {
            let name = tender(message.header["ServiceID"]?.string ?? "")
            answer["POIData"] = [
                "POITransactionID": ["TransactionID": .string(name), "TimeStamp": .string(stamp(now))]
            ]
        }
        return .object(answer)
    }

    static func stamp(_ now: Int64) -> String { Timestamp(milliseconds: now)?.text() ?? "" }

    /// What a payment asks for.
    struct Asked {
        let currency: String
        /// What is to be charged without the tip.
        let units: Int64
        /// The tip that the till sends with it.
        let tip: Int64

        init?(_ message: NexoRequest) {
            let amounts = message.body["PaymentTransaction"]?["AmountsReq"]
            guard let currency = amounts?["Currency"]?.string, currency.count == 3,
                let units = AdyenUnits.units(amounts?["RequestedAmount"], currency), units > 0,
                let tip = AdyenUnits.units(amounts?["TipAmount"] ?? 0, currency), tip >= 0
            else { return nil }
            (self.currency, self.units, self.tip) = (currency, units, tip)
        }
    }
}

extension AdyenSimulator {
    /// A card and what its holder does with it.
    public struct Card: Hashable, Sendable {
        /// What the holder does when the terminal asks for the PIN.
        public enum PIN: String, Hashable, Sendable, CaseIterable {
            /// No person is asked.
            case none
            /// The right one is typed.
            case right
            /// A wrong one is typed.
            case wrong
            /// The holder gives up.
            case cancelled
        }

        /// Its scheme, as the wire has it.
        public var brand = "mc"
        /// Its number with only the first six and the last four digits.
        public var maskedNumber = "541333 **** 9999"
        /// How it is read, as the wire has it.
        public var entry = "Contactless"
        /// What the holder does when the PIN is asked.
        public var pin = PIN.none
        /// How long after a payment began it is in the terminal, in milliseconds.
        public var comesAfterMilliseconds = AdyenSimulator.cardMilliseconds

        /// Makes a good card.
        public init() {}
    }
}

extension AdyenSimulator: TerminalProvider {
    /// What can lie in front of the terminal; their numbers never leave it.
    static let terminalCards = [
        TestCard("mastercard", "", "approved"),
        TestCard("maestro", "", "approved; refunds to it are answered at once"),
        TestCard("right-pin", "", "approved after the right PIN"),
        TestCard("wrong-pin", "", "declined: the PIN is wrong"),
        TestCard("pin-cancelled", "", "cancelled by the holder when asked for the PIN"),
    ]

    public func present(_ card: TestCard) {
        var laid = Card()
        switch card.name {
        case "maestro": laid.brand = "maestro"
        case "right-pin": laid.pin = .right
        case "wrong-pin": laid.pin = .wrong
        case "pin-cancelled": laid.pin = .cancelled
        default: break
        }
        present(Optional(laid))
    }
}

extension AdyenSimulator {
    /// The simulated phone: what its kit does, behind addresses of our own, since the kit's own are not public.
    static let phonePath = "/phone/"

    /// Answers for the phone that a setup token belongs to; nil for any other address.
    func phone(_ request: HTTPRequest) async -> SimulatorResponse? {
        guard request.method == "POST", request.target.hasPrefix(Self.phonePath) else { return nil }
        let token = request.headers["Phone"] ?? ""
        let name = "INST-" + token.suffix(12)
        let isOpen = looking { $0.sessions[name].map { $0 > clock.now } ?? false }
        switch request.target.dropFirst(Self.phonePath.count) {
        case "warmup":
            guard isOpen else { return Self.refused("NO_TOKEN") }
            looking { if !$0.isCutOff { Self.forward(&$0, from: name, at: clock.now) } }
            return .empty()
        case "perform":
            guard isOpen else { return Self.refused("NO_TOKEN") }
            guard let message = (try? JSONReader().read(request.body)).flatMap({ NexoRequest($0) }),
                message.poiID == name,
                ["Payment", "Reversal"].contains(message.category)
                    || message.category == "TransactionStatus" && looking({ $0.reading.phoneAnswers })
            else { return Self.refused("malformedTransactionRequest") }
            if let code = looking({ state in
                defer { state.attestation = nil }
                return state.attestation
            }) {
                // The errors of the checks are in the answer; the document doesn't say where.
                let found = Self.failure("NotAllowed", "message=\(code.replacing("&", with: "%26"))")
                return .json(message.reply(looking { Self.said(found, message, $0.reading, clock.now) }))
            }
            let label = request.headers[SimulatorRequest.attemptHeader] ?? ""
            return await carryOut(message, label, .phone)
        default: return Self.refused("malformedTransactionRequest")
        }
    }

    /// What the kit throws.
    private static func refused(_ code: String) -> SimulatorResponse { .json(["kit": .string(code)], status: 409) }

    /// Lets the phone's next payment fail a check of its security.
    public func failAttestation(_ code: String) { looking { $0.attestation = code } }

    /// Ends every phone's session.
    public func revokeSessions() { looking { $0.sessions = [:] } }

    /// How many payments wait on phones to be forwarded.
    public var storedCount: Int { looking { $0.stored.count } }
}

/// A message to a terminal, as it came in.
struct NexoRequest: Sendable {
    let header: JSONObject
    let body: JSON

    /// Reads a message; nil when it is none.
    init?(_ json: JSON?) {
        guard let root = json?["SaleToPOIRequest"], let header = root["MessageHeader"]?.object else { return nil }
        self.header = header
        guard let category = header["MessageCategory"]?.string, header["SaleID"]?.string?.isEmpty == false,
            header["POIID"]?.string?.isEmpty == false, header["MessageType"]?.string == "Request"
        else { return nil }
        // What is asked of the device comes under either name.
        let isOfDevice = header["MessageClass"]?.string == "Device"
        guard let id = (isOfDevice ? header["DeviceID"] : nil)?.string ?? header["ServiceID"]?.string,
            (1...10).contains(id.count)
        else { return nil }
        body = root[category + "Request"] ?? .null
    }

    var category: String { text("MessageCategory") }
    var poiID: String { text("POIID") }
    /// What an answer is remembered under.
    var key: String { "\(text("SaleID")) \(text("ServiceID"))\(text("DeviceID"))" }
    /// Our own name in it; empty where it has none.
    var reference: String { body["SaleData"]?["SaleTransactionID"]?["TransactionID"]?.string ?? "" }

    private func text(_ name: String) -> String { header[name]?.string ?? "" }

    /// A value out of what goes to the payment service: pairs, or Base64 of JSON.
    func acquirer(_ name: String) -> String? {
        let text = body["SaleData"]?["SaleToAcquirerData"]?.string ?? ""
        if let packed = Base64.standard.decode(text), let json = try? JSONReader().read(packed), json.object != nil {
            let found = json[name] ?? json["additionalData"]?[name]
            return found?.string ?? found?.bool.map { "\($0)" }
        }
        return FormEncoding.decode(text)?.last { $0.name == name }?.value
    }

    /// The answer to it: the same head, as a response.
    func reply(_ body: JSON) -> JSON {
        var head = header
        head["MessageType"] = "Response"
        return ["SaleToPOIResponse": .object(["MessageHeader": .object(head), category + "Response": body])]
    }

    /// What is said instead of an answer.
    func rejection(_ details: String, at now: String) -> JSON {
        var head = header
        (head["MessageClass"], head["MessageCategory"]) = ("Event", "Event")
        head["MessageType"] = "Notification"
        return [
            "SaleToPOIRequest": [
                "MessageHeader": .object(head),
                "EventNotification": [
                    "TimeStamp": .string(now), "EventToNotify": "Reject", "EventDetails": .string(details),
                ],
            ]
        ]
    }
}

/// The terminal's side of the encryption on the same network, from the documents.
struct SandboxNexo: Sendable {
    private let hmacKey: Secret
    private let aesKey: Secret
    private let initial: [UInt8]
    private let crypto: any Crypto

    /// What the till's passphrase is known by.
    static let keyIdentifier = "till"

    /// Derives the 80 bytes: 32 for the proof, 32 for the cipher, 16 for its beginning.
    init?(_ passphrase: Secret, _ crypto: any Crypto) {
        guard
            let material = try? crypto.deriveKey(
                passphrase: passphrase, salt: Array("AdyenNexoV1Salt".utf8), rounds: 4_000, byteCount: 80)
        else { return nil }
        let bytes = material.exposeBytes()
        (hmacKey, aesKey) = (Secret(bytes: Array(bytes.prefix(32))), Secret(bytes: Array(bytes[32..<64])))
        (initial, self.crypto) = (Array(bytes.suffix(16)), crypto)
    }

    /// What a till sent; nil unless everything about it is right.
    func open(_ sealed: JSON) -> JSON? {
        let root = sealed["SaleToPOIRequest"]
        let trailer = root?["SecurityTrailer"]
        guard trailer?["AdyenCryptoVersion"]?.int64 == 1, trailer?["KeyIdentifier"]?.string == Self.keyIdentifier,
            trailer?["KeyVersion"]?.int64 == 1, let nonce = bytes(trailer?["Nonce"]), nonce.count == 16,
            let proof = bytes(trailer?["Hmac"]), let blob = bytes(root?["NexoBlob"]),
            let plain = try? crypto.decrypt(key: aesKey, vector: vector(nonce), padding: .pkcs7, blob),
            let due = try? crypto.authenticate(.sha256, key: hmacKey, plain), crypto.equal(due, proof),
            let message = try? JSONReader().read(plain),
            Self.isSame(message["SaleToPOIRequest"]?["MessageHeader"], root?["MessageHeader"])
        else { return nil }
        return message
    }

    /// Whether two heads have the same members with the same values, in whatever order.
    private static func isSame(_ one: JSON?, _ other: JSON?) -> Bool {
        guard let one = one?.object, let other = other?.object, one.count == other.count else { return false }
        return one.members.allSatisfy { other[$0.key] == $0.value }
    }

    /// What the terminal answers, encrypted.
    func seal(_ message: JSON) -> JSON? {
        guard let member = message.object?.members.first, let header = member.value["MessageHeader"],
            let nonce = try? crypto.randomBytes(16),
            let blob = try? crypto.encrypt(key: aesKey, vector: vector(nonce), padding: .pkcs7, message.bytes()),
            let proof = try? crypto.authenticate(.sha256, key: hmacKey, message.bytes())
        else { return nil }
        let trailer: JSON = [
            "AdyenCryptoVersion": 1, "Hmac": .string(Base64.standard.encode(proof)), "KeyIdentifier": "till",
            "KeyVersion": 1, "Nonce": .string(Base64.standard.encode(nonce)),
        ]
        return .object([
            member.key: [
                "MessageHeader": header, "NexoBlob": .string(Base64.standard.encode(blob)), "SecurityTrailer": trailer,
            ]
        ])
    }

    private func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { Base64.standard.decode($0) } }

    private func vector(_ nonce: [UInt8]) -> [UInt8] { zip(initial, nonce).map { $0 ^ $1 } }
}
