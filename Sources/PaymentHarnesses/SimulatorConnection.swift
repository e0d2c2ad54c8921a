internal import PaymentBase
public import PaymentConformance
public import PaymentSimulator
public import PaymentTesting
public import PaymentTransport

/// The connection between a driver under test and its provider: faults, interceptor, and the carrier of the bytes.
///
/// A ``SimulatorFixture`` makes one for its provider and asks it for everything that travels:
///
/// ```swift
/// init(_ scheduler: TestScheduler, _ injector: ConnectionKind) throws {
///     provider = SimulatedAcme(clock: scheduler)
///     connection = try SimulatorConnection([provider], scheduler, injector)
/// }
/// func driver(_ interceptor: Interceptor) -> any PaymentDriver {
///     AcmeDriver(connection.origin(of: provider.name), connection.transport(interceptor))
/// }
/// ```
public struct SimulatorConnection: Sendable {
    private let plan = FaultPlan()
    private let judge = ContractValidator(under: .chief)
    private let providers: [any SimulatedProvider]
    private let origins: [String: Origin]
    private let carrier: any HTTPTransport
    /// Ends what travels over sockets, and keeps the ports open until then.
    private let end: @Sendable () -> Void
    /// Whether messages are compared with contracts; a reading may contradict what is published.
    private var isJudged = true

    /// Lays a line to one provider, or to several that one provider consists of.
    ///
    /// - Throws: ``PaymentSimulator/SimulatorServerError`` when a port can't be opened.
    public init(
        _ providers: [any SimulatedProvider], _ scheduler: TestScheduler, _ injector: ConnectionKind = .inProcess
    ) throws(SimulatorServerError) {
        var origins: [String: Origin] = [:]
        self.providers = providers
        switch injector {
        case .inProcess:
            var services: [Origin: any SimulatorService] = [:]
            for provider in providers {
                let origin = Origin(.http, "\(provider.name).test")
                (origins[provider.name], services[origin]) = (
                    origin, FaultInjector(provider, plan: plan, clock: scheduler, judge: judge)
                )
            }
            (carrier, end) = (InProcessTransport(services, clock: scheduler), {})
        case .sockets:
            let gate = SchedulerGate(scheduler)
            let server = try SimulatorServer(limits: ScheduledTransport.serverLimits)
            for provider in providers {
                let inner = FaultInjector(provider, plan: plan, clock: scheduler, judge: judge)
                origins[provider.name] = try server.begin(ScheduledService(inner: inner, gate: gate))
            }
            let transport = ScheduledTransport(gate)
            carrier = transport
            end = {
                transport.end()
                server.end()
            }
        }
        self.origins = origins
    }

    /// Where a provider is found.
    public func origin(of name: String) -> Origin {
        origins[name] ?? Origin(.http, "\(name).is-not-on-this-line.invalid")
    }

    /// Lets a provider play a reading of its documents, and stops judging messages then; nil leaves all as usual.
    mutating func play(_ reading: String?, _ provider: any VariantProvider) throws(SimulatorError) {
        guard let reading else { return }
        guard provider.play(reading) else { throw .reading(reading) }
        isJudged = false
    }

    /// What carries a driver's requests through the tap to the providers.
    public func transport(_ interceptor: Interceptor) -> any HTTPTransport {
        InterceptingTransport(carrier, interceptor)
    }

    /// Sets up what goes wrong on the line or at the provider's door in a script, on the next request to a path; false
    /// for a script that is the provider's own business.
    ///
    /// - Parameter path: The path's pattern, as a route of the provider has it.
    public func play(_ script: SimulatedOutcome, at path: String) -> Bool {
        guard let fault = script.fault else { return false }
        var rule = FaultRule(fault)
        rule.path = path
        rule.retryAfterSeconds = 1
        plan.arm(rule)
        return true
    }

    /// Every message to or from the providers that is not as a published description has it, in words.
    public var violations: [String] {
        for provider in providers { judge.hear(provider) }
        guard isJudged else { return [] }
        return judge.violations.map { "\($0)" }
    }

    /// The attempts a request of which was delivered more than once.
    public var duplicatedRequests: Set<String> { plan.duplicatedRequests }

    /// Plays a fault once, after so many further requests were let through.
    public func arm(_ fault: InjectedFault, after skipped: Int) {
        guard let fault = WireFault(rawValue: fault.id) else { return }
        var rule = FaultRule(fault)
        rule.skip = skipped
        plan.arm(rule)
    }

    /// Closes ports and connections; what is still under way ends without an answer.
    func close() { end() }

    /// Takes back every fault that was not played yet.
    public func disarm() { for armed in plan.armed { plan.disarm(armed.number) } }
}

extension SimulatedOutcome {
    /// What brings it about without the provider's knowing.
    fileprivate var fault: WireFault? {
        switch self {
        case .replyLost: .replyLost
        case .requestLost: .requestLost
        case .unknownWord: .unknownWord
        case .failsAfter: .status500After
        case .busyOnce: .rateLimited
        case .wrongEcho: .wrongAmount
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .wrongSecurityCode, .pending,
            .decidedSoon, .decidedLate, .slowCustomer, .partial, .challenge, .clarification, .pin, .wrongPIN, .noPIN,
            .noCard, .unreadableCard:
            nil
        }
    }
}

/// What lies between a driver under test and its provider.
public enum ConnectionKind: String, Hashable, Sendable, CaseIterable {
    /// Function calls within this process.
    case inProcess = "in-process"
    /// Real HTTP over sockets of the loopback, by libcurl.
    case sockets
}

/// A transport behind an interceptor: what brings the suite's changes to whatever speaks HTTP.
///
/// It also names to the simulated provider the attempt that a request belongs to, for its ledger alone.
public struct InterceptingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let interceptor: Interceptor

    /// Puts an interceptor before a transport.
    public init(_ inner: any HTTPTransport, _ interceptor: Interceptor) {
        (self.inner, self.interceptor) = (inner, interceptor)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await interceptor.send(request) { [inner] (changed) async throws(TransportFailure) in
            var changed = changed
            if let attempt = CurrentAttempt.id { changed.headers[SimulatorRequest.attemptHeader] = attempt }
            return try await inner.send(changed)
        }
    }
}
