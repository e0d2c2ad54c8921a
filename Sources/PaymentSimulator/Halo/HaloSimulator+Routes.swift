internal import PaymentBase
public import PaymentTransport

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
