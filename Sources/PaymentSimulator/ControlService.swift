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

extension ControlService {
    /// What can be played, what waits and what was played.
    static func faults(_ sandbox: SimulatedProviders) -> SimulatorResponse {
        .json([
            "all": .array(
                WireFault.all.map { fault in
                    [
                        "id": .string(fault.rawValue), "executes": .bool(fault.executes),
                        "needsSocket": .bool(fault.needsSocket),
                    ]
                }),
            "armed": .array(sandbox.plan.armed.map(armed)), "played": .array(sandbox.plan.played.map(played)),
        ])
    }

    private static func armed(_ armed: FaultPlan.Armed) -> JSON {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        let rule = armed.rule
        return [
            "number": .number(JSONNumber(Int64(armed.number))), "fault": .string(rule.fault.rawValue),
            "times": .number(JSONNumber(Int64(armed.timesLeft))), "skip": .number(JSONNumber(Int64(armed.skipsLeft))),
            "provider": text(rule.provider), "method": text(rule.method), "path": text(rule.path),
            "text": text(rule.text), "delayMilliseconds": .number(JSONNumber(rule.delayMilliseconds)),
            "dripMilliseconds": .number(JSONNumber(rule.dripMilliseconds)),
            "retryAfterSeconds": .number(JSONNumber(Int64(rule.retryAfterSeconds))),
        ]
    }

    private static func played(_ played: FaultPlan.Injected) -> JSON {
        [
            "number": .number(JSONNumber(Int64(played.number))), "fault": .string(played.fault.rawValue),
            "provider": .string(played.provider), "request": .string(played.request),
            "turn": .number(JSONNumber(Int64(played.turn))),
        ]
    }

    /// Arms a rule.
    static func arm(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let rule = call.json.flatMap(rule) else {
            return .json(
                ["error": ["code": "malformed", "message": "this is no rule for a fault; GET /faults lists them"]],
                status: 400)
        }
        guard let number = sandbox.plan.arm(rule) else {
            return .json(["error": ["code": "tooMany", "message": "too many faults wait"]], status: 409)
        }
        return .json(["number": .number(JSONNumber(Int64(number)))], status: 201)
    }

    private static let names: Set<String> = [
        "fault", "times", "provider", "method", "path", "text", "skip", "delayMilliseconds", "dripMilliseconds",
        "retryAfterSeconds",
    ]

    /// A rule as it is written in JSON; nil when a member is unknown or of another kind.
    private static func rule(_ json: JSON) -> FaultRule? {
        guard let object = json.object, object.members.allSatisfy({ names.contains($0.key) }),
            let fault = object["fault"]?.string.flatMap({ WireFault(rawValue: $0) }),
            let times = number(object["times"], from: 1, to: FaultRule.timesMax, unless: 1),
            let skip = number(object["skip"], from: 0, to: FaultRule.timesMax, unless: 0),
            let delay = number(
                object["delayMilliseconds"], from: 0, to: Int(FaultRule.delayMillisecondsMax), unless: 60_000),
            let drip = number(
                object["dripMilliseconds"], from: 0, to: Int(FaultRule.delayMillisecondsMax), unless: 80),
            let wait = number(object["retryAfterSeconds"], from: 0, to: 86_400, unless: 2)
        else { return nil }
        var rule = FaultRule(fault, times: times)
        (rule.skip, rule.retryAfterSeconds) = (skip, wait)
        (rule.delayMilliseconds, rule.dripMilliseconds) = (Int64(delay), Int64(drip))
        for (name, place) in [
            ("provider", \FaultRule.provider), ("method", \.method), ("path", \.path), ("text", \.text),
        ] {
            guard let value = object[name], !value.isNull else { continue }
            guard let text = value.string else { return nil }
            rule[keyPath: place] = text
        }
        if let path = rule.path, !path.hasPrefix("*"), RoutePattern(path) == nil { return nil }
        return rule
    }

    private static func number(_ json: JSON?, from low: Int, to high: Int, unless missing: Int) -> Int? {
        guard let json, !json.isNull else { return missing }
        guard let value = json.int64.flatMap({ Int(exactly: $0) }), (low...high).contains(value) else { return nil }
        return value
    }
}

extension SimulatedProviders {
    /// The providers that have messages to send.
    var notifying: [any WebhookSendingProvider] { injectors.compactMap { $0.provider as? any WebhookSendingProvider } }

    /// All messages of a provider, with where they go and what became of them.
    func outbox(_ provider: any WebhookSendingProvider) -> JSON {
        [
            "provider": .string(provider.name),
            "receiver": delivery.receiver(of: provider.name).map { .string("\($0)") } ?? .null,
            "messages": provider.withOutbox { $0.json },
        ]
    }
}

extension ControlService {
    /// Answers for a provider that sends messages.
    static func speaking(
        _ call: SimulatorRequest, _ sandbox: SimulatedProviders,
        _ answer: (any WebhookSendingProvider) -> SimulatorResponse
    ) -> SimulatorResponse {
        found(call, sandbox) { injector in
            guard let provider = injector.provider as? any WebhookSendingProvider else {
                return refused(404, "noMessages", "this provider sends no messages")
            }
            return answer(provider)
        }
    }

    /// Sends the messages of a provider somewhere, or, with null, nowhere.
    static func setReceiver(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        let given = call.json?["url"]
        let receiver = given?.string.flatMap { WebhookReceiver($0) }
        guard given?.isNull == true || receiver != nil else {
            return refused(400, "malformed", "url is an address that begins with http:// or https://, or null")
        }
        return speaking(call, sandbox) { [sandbox] provider in
            _ = sandbox.setReceiver(receiver, of: provider.name)
            return .json(sandbox.outbox(provider))
        }
    }

    /// Sends a message once more, whatever became of it.
    static func sendAgain(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        speaking(call, sandbox) { [sandbox] provider in
            let isThere = Int(call["number"]).map { number in
                provider.withOutbox { $0.sendAgain(number, at: sandbox.clock.now) }
            }
            guard isThere == true else { return refused(404, "unknownMessage", "there is no message of this number") }
            return told(provider, sandbox)
        }
    }

    /// The outbox after a change, which is saved and then told.
    private static func told(_ provider: any WebhookSendingProvider, _ sandbox: SimulatedProviders) -> SimulatorResponse
    {
        defer { sandbox.delivery.ring() }
        return saved(sandbox, .json(sandbox.outbox(provider)))
    }

    private static let nothing =
        "there is nothing to decide under it: by then it was decided, or it is a payment and no attempt of it"

    /// Decides what is pending under an attempt, or lets fail what was done.
    static func decide(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let attempt = call.json?["attempt"]?.string, let outcome = call.json?["outcome"]?.string,
            ["succeeds", "fails", "failsLater"].contains(outcome)
        else { return refused(400, "malformed", "an attempt, and an outcome: succeeds, fails or failsLater") }
        return speaking(call, sandbox) { [sandbox] provider in
            let message =
                outcome == "failsLater"
                ? provider.failLater(attempt) : provider.decide(attempt, succeeds: outcome == "succeeds")
            guard let message else { return refused(404, "nothingPending", nothing) }
            provider.withOutbox { $0.release(message) }
            return told(provider, sandbox)
        }
    }

    /// A customer pays on a page that the shop has led to.
    static func visit(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let page = call.json?["page"]?.string, let card = call.json?["card"]?.string else {
            return refused(400, "malformed", "a page, and the number of a card")
        }
        return found(call, sandbox) { [sandbox] injector in
            guard let provider = injector.provider as? any HostedPageProvider else {
                return refused(404, "noPages", "this provider has no pages where customers pay")
            }
            guard provider.visit(page: page, card: card) else { return refused(404, "noPage", noPage) }
            sandbox.delivery.ring()
            return saved(sandbox, .empty())
        }
    }

    private static let noPage =
        "the page takes no money: it was paid or refused already, is over, or isn't one of this provider's"
}

/// A provider with test cards, each with what becomes of a payment with it.
public protocol TestCardProvider: SimulatedProvider {
    /// The cards by number, each with the code of its decline or `00` for one that is approved.
    var cards: [String: String] { get }
    /// Replaces the cards.
    func setCards(_ cards: [String: String])
}
