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
        let json = way.kind == .local ? plain.flatMap { nexo?.open($0) } : plain
        if way.kind == .local, json == nil { return .reply(HTTPResponse(400)) }
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
        guard way.kind == .local, case .reply(var response) = answer, !response.body.isEmpty,
            let said = try? JSONReader().read(response.body), let sealed = nexo?.seal(said)
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
        default: return .answer(.json(message.reply(["Response": ["Result": "Success"]])))
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
