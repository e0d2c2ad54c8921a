public import PaymentBase
public import PaymentTransport

/// The faults that are still to be played, and those that were.
public final class FaultPlan: Sendable {
    /// How many rules may wait at a time.
    public static let rulesMax = 1_000
    /// How many played faults are remembered.
    public static let playedMax = 10_000

    /// A rule that waits, with what is left of it.
    public struct Armed: Hashable, Sendable {
        /// Its number, by which it can be taken back.
        public let number: Int
        /// What it says.
        public let rule: FaultRule
        /// How many fitting requests are still let through.
        public internal(set) var skipsLeft: Int
        /// How many times it is still played.
        public internal(set) var timesLeft: Int
    }

    /// A fault that was played.
    public struct Injected: Hashable, Sendable {
        /// The rule's number.
        public let number: Int
        /// What was played.
        public let fault: WireFault
        /// The provider.
        public let provider: String
        /// The request's method and path, without its query.
        public let request: String
        /// Which time of its rule it was, from zero.
        public let turn: Int
    }

    private struct State {
        var rules: [Armed] = []
        var played: [Injected] = []
        var nextNumber = 0
        var duplicatedRequests: Set<String> = []
    }

    private let state = Locked(State())

    /// Makes a plan without faults.
    public init() {}

    /// The rules that wait, in the order in which they are tried.
    public var armed: [Armed] { state.withLock { $0.rules } }
    /// What was played, in order.
    public var played: [Injected] { state.withLock { $0.played } }

    /// The attempts a request of which was delivered more than once, as far as the line knows whose it carries.
    public var duplicatedRequests: Set<String> { state.withLock { $0.duplicatedRequests } }

    /// Adds a rule behind the others; nil when there are too many.
    @discardableResult
    public func arm(_ rule: FaultRule) -> Int? {
        state.withLock { state in
            guard state.rules.count < Self.rulesMax else { return nil }
            state.nextNumber += 1
            state.rules.append(
                Armed(number: state.nextNumber, rule: rule, skipsLeft: rule.skip, timesLeft: rule.times))
            return state.nextNumber
        }
    }

    /// Takes a rule back; says whether it was still there.
    @discardableResult
    public func disarm(_ number: Int) -> Bool {
        state.withLock { state in
            let before = state.rules.count
            state.rules.removeAll { $0.number == number }
            return state.rules.count < before
        }
    }

    /// Takes all rules back and forgets what was played.
    public func clear() { state.withLock { $0 = State(nextNumber: $0.nextNumber) } }

    /// The fault of a request, if there is one: the first rule that fits; one that lets through counts it.
    func next(for request: HTTPRequest, to provider: String) -> (rule: FaultRule, turn: Int)? {
        state.withLock { state in
            for index in state.rules.indices where state.rules[index].rule.fits(request, to: provider) {
                if state.rules[index].skipsLeft > 0 {
                    state.rules[index].skipsLeft -= 1
                    continue
                }
                let armed = state.rules[index]
                let turn = armed.rule.times - armed.timesLeft
                state.rules[index].timesLeft -= 1
                if state.rules[index].timesLeft == 0 { state.rules.remove(at: index) }
                if armed.rule.fault.executionCount > 1, let attempt = CurrentAttempt.id {
                    state.duplicatedRequests.insert(attempt)
                }
                let path = request.target.prefix { $0 != "?" }
                if state.played.count >= Self.playedMax { state.played.removeFirst() }
                state.played.append(
                    Injected(
                        number: armed.number, fault: armed.rule.fault, provider: provider,
                        request: "\(request.method) \(path)", turn: turn))
                return (armed.rule, turn)
            }
            return nil
        }
    }
}

/// Which requests a fault is played on, and how.
///
/// ```swift
/// plan.arm(FaultRule(.replyLost))                               // on the next request, wherever it goes
/// var rule = FaultRule(.status503Before, times: 3)
/// (rule.provider, rule.path, rule.skip) = ("memory", "/payments/:id/refund", 1)
/// plan.arm(rule)                                                // on the second, third and fourth refund
/// ```
public struct FaultRule: Hashable, Sendable {
    /// The most times that one rule can be played.
    public static let timesMax = 1_000_000
    /// The longest delay, in milliseconds: an hour.
    public static let delayMillisecondsMax: Int64 = 3_600_000

    /// What is played.
    public let fault: WireFault
    /// On how many requests.
    public let times: Int
    /// The provider that it is played on; nil for all.
    public var provider: String?
    /// The method of the request; nil for all.
    public var method: String?
    /// The path's pattern, as a route has it, or its end behind `*`; nil for all.
    public var path: String?
    /// What must be somewhere in the body or the target: an attempt, a reference; nil for anything.
    public var text: String?
    /// How many fitting requests are let through before.
    public var skip = 0
    /// How long ``WireFault/replyLate`` holds the answer back, in milliseconds of the provider's clock.
    public var delayMilliseconds: Int64 = 60_000
    /// How long an answer takes in all that ``WireFault/replyDripped`` lets out a few bytes at a time, in
    /// milliseconds.
    public var dripMilliseconds: Int64 = 80
    /// What `Retry-After` says, in seconds.
    public var retryAfterSeconds = 2

    /// Makes a rule; the numbers are kept within their limits.
    public init(_ fault: WireFault, times: Int = 1) {
        (self.fault, self.times) = (fault, min(max(1, times), Self.timesMax))
    }

    /// Whether a request to a provider fits.
    func fits(_ request: HTTPRequest, to name: String) -> Bool {
        if let provider, provider != name { return false }
        if let method, method != request.method { return false }
        if let path {
            let given = request.target.prefix { $0 != "?" }
            if path.hasPrefix("*") { return given.hasSuffix(path.dropFirst()) && holds(request) }
            guard let pieces = RoutePattern.pieces(of: given), RoutePattern(path)?.match(pieces) != nil else {
                return false
            }
        }
        return holds(request)
    }

    private func holds(_ request: HTTPRequest) -> Bool {
        guard let text, !text.isEmpty else { return true }
        return request.target.contains(text) || String(decoding: request.body, as: UTF8.self).contains(text)
    }
}

/// What is before a provider: the one place where faults are played, the books are checked and the state is saved.
public struct FaultInjector: SimulatorService {
    /// The header that marks an answer after which the books don't balance.
    public static let imbalanceHeader = "X-Sandbox-Ledger"

    /// The provider behind it.
    public let provider: any SimulatedProvider
    /// What is still to be played.
    public let plan: FaultPlan
    private let clock: any PaymentClock
    let audit: LedgerAudit
    private let stateFile: StateFile?
    private let delivery: MessageDelivery?
    private let judge: ContractValidator?

    /// Stands before a provider; `clock` is what late answers wait by, `judge` learns every exchange as the provider
    /// has it, before any fault.
    public init(
        _ provider: any SimulatedProvider, plan: FaultPlan, clock: any PaymentClock, judge: ContractValidator? = nil
    ) {
        self.init(
            provider, plan: plan, clock: clock, audit: LedgerAudit(), stateFile: nil, delivery: nil, judge: judge)
    }

    init(
        _ provider: any SimulatedProvider, plan: FaultPlan, clock: any PaymentClock, audit: LedgerAudit,
        stateFile: StateFile?, delivery: MessageDelivery?, judge: ContractValidator?
    ) {
        (self.provider, self.plan, self.clock, self.judge) = (provider, plan, clock, judge)
        (self.audit, self.stateFile, self.delivery) = (audit, stateFile, delivery)
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        guard let (rule, turn) = plan.next(for: request, to: provider.name) else { return await carryOut(request) }
        var answer = SimulatorResponse.closed
        for _ in 0..<rule.fault.executionCount { answer = await carryOut(request) }
        return await disturb(rule, turn, answer)
    }

    /// Lets the provider do it, looks at the books, and saves.
    private func carryOut(_ request: HTTPRequest) async -> SimulatorResponse {
        let answer = await provider.answer(request)
        judge?.hear(provider, request, answer)
        // What is reported is in the file before.
        defer { delivery?.ring() }
        if let imbalance = audit.check(provider) { return .reply(imbalance) }
        if let failure = stateFile?.save() {
            return .json(["error": ["code": "sandboxState", "message": .string(failure)]], status: 500)
        }
        return answer
    }

    // MARK: Faults

    private func disturb(_ rule: FaultRule, _ turn: Int, _ answer: SimulatorResponse) async -> SimulatorResponse {
        switch rule.fault {
        case .requestLost, .replyLost: return .closed
        case .requestReset: return .cutBefore
        case .requestResetAfterReading, .replyReset: return .cutAfter
        case .requestDuplicated: return answer
        case .replyLate:
            let delay = min(max(0, rule.delayMilliseconds), FaultRule.delayMillisecondsMax)
            return await hold(until: clock.now + delay, answer)
        case .replyNever: return .noReply
        case .replyTornHead: return answer.response.map { .truncatedHead($0) } ?? answer
        case .replyTornBody: return answer.response.map { .truncatedBody($0) } ?? answer
        case .replyDripped:
            let whole = min(max(0, rule.dripMilliseconds), FaultRule.delayMillisecondsMax)
            return answer.response.map { .slow($0, milliseconds: whole) } ?? answer
        case .accessRefused: return .reply(provider.refusal(.accessRefused))
        case .rateLimited:
            var response = provider.refusal(.rateLimited)
            response.headers["Retry-After"] = String(rule.retryAfterSeconds)
            return .reply(response)
        case .redirected:
            return .reply(HTTPResponse(307, headers: ["Location": "http://elsewhere.invalid/"]))
        case .status500Before, .status500After, .status502Before, .status502After, .status503Before, .status503After,
            .status504Before, .status504After:
            return .reply(provider.refusal(.broken(status: rule.fault.brokenStatus ?? 500)))
        case .status401After, .status403After, .status404After, .status307After, .status308After, .status429After:
            return .reply(gatewayRefusal(rule))
        case .wrongAmount, .wrongCurrency, .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody,
            .emptyBody, .truncatedJSON, .requestDuplicatedUnread:
            return answer.response.map { .reply(falsified($0, rule.fault, turn)) } ?? answer
        }
    }

    /// What a gateway in front of the provider says: a status and a page, and nothing in the provider's words.
    private func gatewayRefusal(_ rule: FaultRule) -> HTTPResponse {
        let status = rule.fault.gatewayStatus ?? 403
        var response = HTTPResponse(status, headers: ["Content-Type": "text/html"])
        response.body = Array("<html><body><h1>\(status)</h1></body></html>".utf8)
        if status == 429 { response.headers["Retry-After"] = String(rule.retryAfterSeconds) }
        if (300..<400).contains(status) { response.headers["Location"] = "http://elsewhere.invalid/" }
        return response
    }

    /// Waits by the provider's clock; a client that went away ends the wait.
    private func hold(until instant: Int64, _ answer: SimulatorResponse) async -> SimulatorResponse {
        do { try await clock.sleep(until: instant) } catch { return .cutAfter }
        return answer
    }

    private func falsified(_ response: HTTPResponse, _ fault: WireFault, _ turn: Int) -> HTTPResponse {
        var response = response
        switch fault {
        case .htmlBody:
            response.headers["Content-Type"] = "text/html"
            response.body = Array("<html><body><h1>We'll be back soon</h1></body></html>".utf8)
        case .emptyBody, .requestDuplicatedUnread: response.body = []
        case .truncatedJSON: response.body = Array(response.body.prefix(response.body.count / 2))
        case .wrongAmount: change(&response, provider.members.amounts, ReplyFalsifier.larger)
        case .wrongCurrency: change(&response, provider.members.currencies, ReplyFalsifier.otherCurrency)
        case .wrongReference: change(&response, provider.members.references, ReplyFalsifier.otherReference)
        case .unknownWord: change(&response, provider.members.words, ReplyFalsifier.otherWord)
        case .extraMembers: rewrite(&response) { ReplyFalsifier.addingMembers(to: $0) }
        case .missingMember: rewrite(&response) { ReplyFalsifier.removing(turn, from: $0) }
        case .requestLost, .requestReset, .requestResetAfterReading, .requestDuplicated, .replyLost, .replyReset,
            .replyLate, .replyNever, .replyTornHead, .replyTornBody, .replyDripped, .accessRefused, .rateLimited,
            .status500Before, .status500After, .status502Before, .status502After, .status503Before, .status503After,
            .status504Before, .status504After, .redirected, .status401After, .status403After, .status404After,
            .status307After, .status308After, .status429After:
            break
        }
        return response
    }

    private func change(_ response: inout HTTPResponse, _ names: Set<String>, _ change: (JSON) -> JSON?) {
        rewrite(&response) { ReplyFalsifier.changing(names, in: $0, change) }
    }

    /// Changes the JSON of a response; anything else stays as it is.
    private func rewrite(_ response: inout HTTPResponse, _ change: (JSON) -> JSON) {
        guard let json = try? JSONReader().read(response.body) else { return }
        response.body = change(json).bytes()
    }
}
