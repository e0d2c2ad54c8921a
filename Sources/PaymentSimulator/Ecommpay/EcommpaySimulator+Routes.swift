internal import PaymentBase
public import PaymentTransport

extension EcommpaySimulator {
    /// The paths of the session and of the Gate; a message to the Gate has to be signed.
    static func routes(_ rules: Rules, _ crypto: any Crypto) -> Router<State> {
        let seal = EcommpaySignature(secret: rules.secret, crypto: crypto)
        @Sendable func signed(
            _ handler: @escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse
        ) -> Router<State>.Handler {
            { call, state in
                guard let body = call.json else { return refuse(422, "2003", "Invalid JSON string") }
                guard seal.fits(signedPart(body)) else { return refuse(400, "3261", "Invalid signature") }
                let project =
                    ["general", "customer"].compactMap { body[$0]?["project_id"]?.int64 }.first
                    ?? body["project_id"]?.int64
                guard project == rules.project else { return refuse(400, "2442", "Project ID not found") }
                return handler(call, &state)
            }
        }
        return Router(refusal: said) { routes in
            vault(&routes, seal, signed)
            beginnings(&routes, signed)
            pages(&routes, seal)
            routes.post("/msdk/v1/init", .json, signed(open))
            routes.post("/msdk/v1/pay", .json, inSession(pay))
            routes.post("/msdk/v1/status", .json, inSession(report))
            routes.post("/msdk/v1/customer_fields", .json, inSession(takeFields))
            routes.post("/msdk/v1/clarification", .json, inSession(takeClarification))
            routes.post("/msdk/v1/3ds/check", .json, inSession(takeMethod))
            routes.post("/msdk/v1/3ds/result", .json, inSession(takeResult))
            routes.post("/msdk/v1/cascade", .json, inSession(takeConsent))
            routes.post("/msdk/v1/account/delete", .json, inSession(forget))
            routes.post("/msdk/v1/cancel", .json, inSession(leave))
            routes.post("/aps/pay", .form, EcommpayBank.pay)
            routes.post("/acs/method", .form, EcommpayBank.method)
            routes.post("/acs/challenge", .form, EcommpayBank.challenge)
            routes.post("/acs/pareq", .form, EcommpayBank.legacy)
            routes.post("/acs/answer", .form, EcommpayBank.answer)
            routes.post("/v2/payment/:method/capture", .json, signed(capture))
            routes.post("/v2/payment/:method/cancel", .json, signed(cancel))
            routes.post("/v2/payment/:method/refund", .json, signed(refund))
            routes.post("/v2/payment/card/incremental", .json, signed(increase))
            routes.post("/v2/payment/card/recurring", .json, signed(debit))
            routes.post("/v2/payment/status", .json, signed { .json(seal.sign(status($0, $1))) })
            routes.post(
                "/v2/payment/status/request", .json,
                signed { call, state in
                    requestStatus(call, state).map { .json(seal.sign($0)) }
                        ?? refuse(404, "3061", "Transaction not found")
                })
        }
    }

    /// Puts the project's part of a message before a handler.
    typealias Signed = (@escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse) ->
        Router<State>.Handler

    /// The paths of customers, tokens and registrations.
    private static func vault(_ routes: inout Router<State>, _ seal: EcommpaySignature, _ signed: Signed) {
        // What is about a customer is signed there; what shows payment data is signed by the provider.
        func owned(
            _ handler: @escaping @Sendable (SimulatorRequest, inout State) -> SimulatorResponse
        ) -> Router<State>.Handler {
            signed { call, state in
                let customer = call.json?["customer"]
                guard customer?["signature"] != nil, customer?["project_id"] != nil,
                    customer?["id"]?.string?.isEmpty == false
                else { return refuse(400, "2124", "Invalid Customer ID") }
                return handler(call, &state)
            }
        }
        func shown(
            _ find: @escaping @Sendable (SimulatorRequest, State) -> JSON?, or refusal: SimulatorResponse
        ) -> Router<State>.Handler {
            owned { call, state in find(call, state).map { .json(seal.sign($0)) } ?? refusal }
        }
        routes.post(
            "/v2/customer/saved_account/list", .json,
            shown(list, or: refuse(400, "2004", "Required field not provided")))
        routes.post("/v2/customer/saved_account/delete", .json, owned(remove))
        routes.post("/v2/customer/info", .json, shown(known, or: noCustomer))
        routes.post("/v2/customer/card/tokenize", .json, owned(tokenize))
        routes.post("/v2/customer/card/bytoken", .json, shown(byToken, or: noToken))
        routes.post("/v2/customer/card/token/revoke", .json, owned(revoke))
        routes.post("/v2/payment/card/recurring/info", .json, signed(registration))
        routes.post("/v2/payment/card/recurring/update", .json, signed(update))
        routes.post("/v2/payment/card/recurring/cancel", .json, signed(end))
        routes.post("/v2/recurring/retry_stop", .json, signed(stopRetries))
    }

    /// A message without what a session carries beside its signed parameters.
    private static func signedPart(_ message: JSON) -> JSON {
        guard var object = message.object, message["general"] == nil else { return message }
        for name in ["recurring", "additional_fields", "threeds"] { object[name] = nil }
        return .object(object)
    }

    static var accepted: SimulatorResponse { .json(["status": "success"]) }

    /// A handler for whoever has a session that has not lapsed.
    private static func inSession(
        _ handler: @escaping @Sendable (SimulatorRequest, Session, inout State) -> SimulatorResponse
    ) -> Router<State>.Handler {
        { call, state in
            guard let name = call.json?["sid"]?.string, var session = state.sessions[name],
                session.expires > call.now
            else { return .reply(said(.accessRefused)) }
            session.expires = call.now + sessionMilliseconds
            state.sessions[name] = session
            return handler(call, session, &state)
        }
    }

    // MARK: Refusals

    static func refuse(_ status: Int, _ code: String, _ message: String) -> SimulatorResponse {
        .json(["status": "error", "code": .string(code), "message": .string(message)], status: status)
    }

    static let notWaiting = refuse(409, "3081", "State Machine Flow Break")

    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let message =
            switch refusal {
            case .malformed: "the request could not be read"
            case .unknownPath, .wrongMethod: "there is nothing here"
            case .wrongMediaType: "the media type is not ours"
            case .missingHeader(let name): "the header \(name) is needed"
            case .accessRefused: "the session is unknown or has lapsed"
            case .rateLimited: "too many requests"
            case .broken: "something broke"
            }
        let status = refusal == .malformed ? 422 : refusal.status
        return .json(
            ["status": "validation", "code": .string(String(status)), "errors": ["sid": .string(message)]],
            status: status)
    }

    static func acknowledged(_ payment: String, _ request: String, _ state: State) -> SimulatorResponse {
        .json([
            "status": "success", "request_id": .string(request),
            "project_id": .number(JSONNumber(state.rules.project)), "payment_id": .string(payment),
        ])
    }
}
