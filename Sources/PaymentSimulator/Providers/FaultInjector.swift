public import PaymentBase
public import PaymentTransport

/// What stands before a provider: the one place where faults are played, the books are checked and the state is saved.
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

    /// Stands before a provider; `clock` is what late answers wait by, `judge` hears every exchange as the provider has
    /// it, before any fault.
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
        // What is told is in the file before.
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
