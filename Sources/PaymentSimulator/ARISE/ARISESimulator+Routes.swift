internal import PaymentBase
public import PaymentTransport

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
