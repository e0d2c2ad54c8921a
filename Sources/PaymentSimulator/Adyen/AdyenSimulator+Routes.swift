internal import PaymentBase
public import PaymentTransport

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
            }
            for prefix in ["", "/checkout"] {
                routes.post(prefix + "/possdk/v68/sessions", .json) { call, state in
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
