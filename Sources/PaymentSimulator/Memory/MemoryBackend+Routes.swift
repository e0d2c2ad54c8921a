internal import PaymentBase
public import PaymentTransport

extension MemoryBackend {
    /// Everything that the provider answers.
    static let routes = Router<State>(refusal: said) { routes in
        routes.check { call, provider in
            let isKnown = call.bearer.flatMap { provider.tokens.current($0, at: call.now) } != nil
            return isKnown ? nil : .reply(said(.accessRefused))
        }
        routes.post("/token", .json, isOpen: true, token)
        routes.post("/payments", .json, begin)
        routes.get("/payments") { call, provider in .reply(list(call, provider)) }
        routes.get("/payments/:id") { call, provider in .reply(details(call["id"], provider)) }
        routes.post("/payments/:id/answers", .json, go)
        routes.post("/payments/:id/:verb", .json, follow)
        routes.get("/attempts/:attempt", attempt)
        routes.post("/reader/token", .json) { _, _ in .json(["token": "reader-token"]) }
        routes.post("/quotes", .json) { call, _ in .reply(quotes(call)) }
        routes.get("/settings") { _, _ in
            .json(["company": "Memory Ltd", "currencies": ["EUR", "USD"], "tips": true])
        }
        routes.get("/permissions") { _, _ in .json(["permissions": ["sale", "refund", "list"]]) }
        routes.get("/devices") { _, provider in .reply(devices(provider)) }
        routes.get("/devices/:id") { call, provider in .reply(device(call["id"], provider)) }
        routes.put("/devices/:id", .json) { call, provider in
            provider.devices[call["id"]] = call.json?["state"]?.string ?? "active"
            return .json(["id": .string(call["id"]), "state": "active"])
        }
        routes.delete("/terminals/:id") { _, _ in .empty() }
        routes.get("/customers/:customer/instruments") { call, provider in
            .reply(instruments(call["customer"], provider))
        }
        routes.delete("/customers/:customer/instruments/:id") { call, provider in
            provider.saved[call["customer"]]?[call["id"]] = nil
            return .empty()
        }
    }

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    /// A refusal in the provider's words.
    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let (code, message) =
            switch refusal {
            case .malformed: ("malformed", "the request could not be read")
            case .unknownPath: ("unknownPath", "there is nothing here")
            case .wrongMethod: ("unknownPath", "this is not how it is asked for")
            case .wrongMediaType: ("malformed", "the body has to be JSON")
            case .missingHeader(let name): ("malformed", "the header \(name) is needed")
            case .accessRefused: ("tokenRefused", "sign in again")
            case .rateLimited: ("tooMany", "too many requests")
            case .broken: ("broken", "something broke")
            }
        return Self.refusal(refusal.status, code, message)
    }

    private static func token(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard call.json?["secret"]?.string.map({ Secret($0) }) == state.clientSecret else {
            return .reply(refusal(403, "badCredentials", "the client's secret is wrong"))
        }
        state.tokenCount += 1
        let token = "mt_\(state.tokenCount)"
        state.tokens.prune(call.now)
        state.tokens[token] = call.now + tokenMilliseconds
        return .json(["token": .string(token), "expires": .number(JSONNumber(call.now + tokenMilliseconds))])
    }

    private static func attempt(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        expire(call["attempt"], &state, call.now)
        guard let answer = state.answers[call["attempt"]] else {
            return .reply(refusal(404, "unknownAttempt", "nothing came under this reference"))
        }
        // Whose payment it is, the one who asks may compare.
        let payment = state.payments[answer["id"]?.string ?? ""]
        guard let payment, payment.attempt == call["attempt"] else { return .json(answer) }
        return .json(answer.adding("at", .whole(payment.createdAt)).adding("reference", .string(payment.reference)))
    }
}
