internal import PaymentBase
public import PaymentTransport

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
