internal import PaymentBase
internal import PaymentTransport

/// What the control address answers: faults, clock, books, cards, messages.
struct ControlService: SimulatorService {
    let sandbox: SimulatedProviders

    init(_ sandbox: SimulatedProviders) { self.sandbox = sandbox }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        // A page in a browser on this machine could otherwise forge money in the books; programs send no origin.
        guard request.headers["Origin"] == nil else {
            return Self.refused(403, "browserRefused", "pages in a browser may not come here")
        }
        // To a browser, a name that its owner lets lead here has the same origin as the page that asks, and no origin is sent.
        guard isForUs(request) else {
            return Self.refused(
                403, "hostRefused", "the Host header names neither 127.0.0.1, [::1] nor localhost with our port")
        }
        var sandbox = sandbox
        return Self.routes.answer(request, &sandbox, now: sandbox.clock.now)
    }

    /// Whether a request was made for this address; within a process there is no host.
    private func isForUs(_ request: HTTPRequest) -> Bool {
        guard let host = request.headers["Host"]?.lowercased() else { return true }
        return ["127.0.0.1", "localhost", "[::1]"].contains { name in
            host == "\(name):\(request.origin.port)" || request.origin.port == 80 && host == name
        }
    }

    /// Everything that the control address answers; `ControlDocument` describes the same.
    static let routes = Router<SimulatedProviders>(refusal: refusal) { routes in
        routes.get("/openapi.json") { _, _ in .json(ControlDocument.json) }
        routes.get("/providers") { _, sandbox in .json(["providers": .array(sandbox.injectors.map(provider))]) }
        routes.get("/clock") { _, sandbox in clock(sandbox) }
        routes.post("/clock/advance", .json, advance)
        routes.get("/faults") { _, sandbox in faults(sandbox) }
        routes.post("/faults", .json, arm)
        routes.delete("/faults") { _, sandbox in
            sandbox.plan.clear()
            return .empty()
        }
        routes.delete("/faults/:number") { call, sandbox in
            let isFound = Int(call["number"]).map { sandbox.plan.disarm($0) } ?? false
            return isFound ? .empty() : refused(404, "unknownFault", "no such fault waits")
        }
        routes.get("/ledger") { _, sandbox in .json(["providers": .array(sandbox.injectors.map(ledger))]) }
        routes.get("/ledger/:provider") { call, sandbox in
            found(call, sandbox) { .json(ledger($0)) }
        }
        routes.get("/cards/:provider") { call, sandbox in
            found(call, sandbox) { injector in
                guard let table = injector.provider as? any TestCardProvider else { return noCards }
                return .json(cards(table))
            }
        }
        routes.put("/cards/:provider", .json) { call, sandbox in
            found(call, sandbox) { injector in
                guard let table = injector.provider as? any TestCardProvider else { return noCards }
                return setCards(call, table, sandbox)
            }
        }
        routes.get("/outbox") { _, sandbox in .json(["providers": .array(sandbox.notifying.map(sandbox.outbox))]) }
        routes.get("/outbox/:provider") { call, sandbox in
            speaking(call, sandbox) { .json(sandbox.outbox($0)) }
        }
        routes.put("/outbox/:provider/receiver", .json, setReceiver)
        routes.post("/outbox/:provider/messages/:number", .any, sendAgain)
        routes.post("/decisions/:provider", .json, decide)
        routes.post("/visits/:provider", .json, visit)
        routes.post("/reset", .any) { _, sandbox in
            sandbox.reset()
            return saved(sandbox, .empty())
        }
    }

    // MARK: Refusals

    private static func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let (code, message) =
            switch refusal {
            case .malformed: ("malformed", "the request could not be read")
            case .unknownPath: ("unknownPath", "there is nothing here; GET /openapi.json lists everything")
            case .wrongMethod: ("wrongMethod", "this path is asked for in another way")
            case .wrongMediaType: ("wrongMediaType", "the body has to be JSON")
            case .missingHeader(let name): ("missingHeader", "the header \(name) is needed")
            case .accessRefused: ("accessRefused", "this is not allowed")
            case .rateLimited: ("rateLimited", "too many requests")
            case .broken: ("broken", "something broke")
            }
        return .json(error(code, message), status: refusal.status)
    }

    static func error(_ code: String, _ message: String) -> JSON {
        ["error": ["code": .string(code), "message": .string(message)]]
    }

    static func refused(_ status: Int, _ code: String, _ message: String) -> SimulatorResponse {
        .json(error(code, message), status: status)
    }

    private static let noCards = refused(404, "noCards", "this provider has no table of cards")

    /// The answer, once the state is in its file.
    static func saved(_ sandbox: SimulatedProviders, _ answer: SimulatorResponse) -> SimulatorResponse {
        if let failure = sandbox.stateFile?.save() { return refused(500, "state", failure) }
        return answer
    }

    static func found(
        _ call: SimulatorRequest, _ sandbox: SimulatedProviders, _ answer: (FaultInjector) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let injector = sandbox.injectors.first(where: { $0.provider.name == call["provider"] }) else {
            return refused(404, "unknownProvider", "there is no provider of this name")
        }
        return answer(injector)
    }

    // MARK: Providers and books

    private static func provider(_ injector: FaultInjector) -> JSON {
        let provider = injector.provider
        return [
            "name": .string(provider.name), "hasCards": .bool(provider is any TestCardProvider),
            "isPersistable": .bool(provider is any StatefulProvider),
            "movementCount": .whole(provider.standing.movementCount),
            "isBalanced": .bool(provider.standing.isBalanced),
            "problem": injector.audit.problem.map(JSON.string) ?? .null,
        ]
    }

    private static func ledger(_ injector: FaultInjector) -> JSON {
        let ledger = injector.provider.ledger
        return [
            "provider": .string(injector.provider.name), "isBalanced": .bool(ledger.isBalanced),
            "problem": injector.audit.problem.map(JSON.string) ?? .null, "balances": ledger.balancesJSON,
            "movements": ledger.json,
        ]
    }

    private static func cards(_ table: any TestCardProvider) -> JSON {
        var cards = JSONObject()
        for (number, code) in table.cards.sorted(by: { $0.key < $1.key }) { cards[number] = .string(code) }
        return ["cards": .object(cards)]
    }

    private static func setCards(
        _ call: SimulatorRequest, _ table: any TestCardProvider, _ sandbox: SimulatedProviders
    ) -> SimulatorResponse {
        guard let members = call.json?["cards"]?.object?.members,
            members.allSatisfy({ $0.key.utf8.allSatisfy { (48...57).contains($0) } && $0.value.string != nil })
        else { return refused(400, "malformed", "cards are digits, each with its code as a text") }
        table.setCards(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.string ?? "") }))
        return saved(sandbox, .json(cards(table)))
    }

    // MARK: Clock

    private static func clock(_ sandbox: SimulatedProviders) -> SimulatorResponse {
        .json([
            "now": .number(JSONNumber(sandbox.clock.now)), "offset": .number(JSONNumber(sandbox.clock.offset)),
        ])
    }

    private static func advance(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let milliseconds = call.json?["milliseconds"]?.int64,
            (0...SimulatorClock.advanceMillisecondsMax).contains(milliseconds)
        else { return refused(400, "malformed", "milliseconds is a whole number from 0 to ten years") }
        sandbox.clock.advance(by: milliseconds)
        defer { sandbox.delivery.ring() }
        return saved(sandbox, clock(sandbox))
    }
}
