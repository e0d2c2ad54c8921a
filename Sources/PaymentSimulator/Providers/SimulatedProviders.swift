public import PaymentBase
internal import PaymentLinux
public import PaymentTransport

/// Some simulated providers together: one clock, one plan of faults, one control address.
///
/// ```swift
/// let sandbox = try Sandbox { clock in [MemoryBackend(clock: clock)] }
/// let transport = sandbox.transport                                   // in this process …
/// let running = try await sandbox.serve()                             // … or on sockets
/// sandbox.plan.arm(FaultRule(.replyLost))
/// ```
public final class SimulatedProviders: Sendable {
    /// What the providers live by.
    public let clock: SimulatorClock
    /// What is still to be played.
    public let plan: FaultPlan
    /// The providers, each behind the place where faults are played.
    public let injectors: [FaultInjector]
    let stateFile: StateFile?
    let delivery: MessageDelivery
    private let judge: ContractValidator?

    /// Opens providers, with what a file holds of them if one is named.
    ///
    /// - Parameter judge: Checks every exchange; nil for none.
    /// - Throws: ``SimulatorError`` when two providers have one name or the file can't be used.
    public init(
        clock base: any PaymentClock = SystemClock(), stateFile path: String? = nil, judge: ContractValidator? = nil,
        _ providers: (SimulatorClock) -> [any SimulatedProvider]
    ) throws(SimulatorError) {
        let (clock, plan) = (SimulatorClock(base), FaultPlan())
        let providers = providers(clock)
        guard Set(providers.map(\.name)).count == providers.count, !providers.contains(where: { $0.name.isEmpty })
        else { throw .names }
        var stateFile: StateFile?
        if let path { stateFile = try StateFile(path, providers.compactMap { $0 as? any StatefulProvider }, clock) }
        let delivery = MessageDelivery(providers, clock)
        (self.clock, self.plan, self.stateFile, self.delivery) = (clock, plan, stateFile, delivery)
        self.judge = judge
        injectors = providers.map { [stateFile] provider in
            FaultInjector(
                provider, plan: plan, clock: clock, audit: LedgerAudit(), stateFile: stateFile, delivery: delivery,
                judge: judge)
        }
    }

    /// A provider by its name.
    public subscript(name: String) -> (any SimulatedProvider)? {
        injectors.first { $0.provider.name == name }?.provider
    }

    /// Where a provider is found by ``transport``.
    public static func origin(of name: String) -> Origin { Origin(.http, "\(name).sandbox") }

    /// Where the control address is found by ``transport``.
    public static let controlOrigin = Origin(.http, "control.sandbox")

    /// Every method with its pattern at the control address.
    public static var controlRoutes: [(method: String, pattern: String)] { ControlService.routes.list }

    /// The way to the providers and to the control address within this process.
    public var transport: InProcessTransport {
        var services: [Origin: any SimulatorService] = [Self.controlOrigin: ControlService(self)]
        for injector in injectors { services[Self.origin(of: injector.provider.name)] = injector }
        return InProcessTransport(services, clock: clock)
    }

    /// Opens a port for each provider and one for the control address, which never speaks TLS, and posts the providers'
    /// messages to their receivers from then on.
    ///
    /// - Parameters:
    ///   - ports: Fixed ports by the names of providers; the system chooses the others.
    ///   - messages: What carries messages to their receivers; by default a transport of the sandbox's own.
    /// - Throws: ``SimulatorServerError`` when a port is taken.
    public func serve(
        controlPort: Int = 0, ports: [String: Int] = [:], identity: SimulatorCertificate? = nil,
        limits: SimulatorServer.Limits = SimulatorServer.Limits(), messages: (any HTTPTransport)? = nil
    ) async throws(SimulatorServerError) -> RunningSimulator {
        // The control address answers however many have come to the providers.
        var limits = limits
        limits.connectionsMax = min(limits.connectionsMax, DescriptorLimit.share(of: injectors.count + 1))
        let server = try SimulatorServer(identity: identity, limits: limits)
        let controlServer = try SimulatorServer(limits: limits)
        let control = try await controlServer.listen(ControlService(self), port: controlPort)
        var providers: [String: Origin] = [:]
        for injector in injectors {
            let name = injector.provider.name
            providers[name] = try await server.listen(DatedService(injector, clock), port: ports[name] ?? 0)
        }
        let own = messages == nil ? CurlTransport() : nil
        let posting = Task { [delivery, stateFile] in
            guard let carrier = messages ?? own else { return }
            await delivery.run(over: carrier) { _ = stateFile?.save() }
            await own?.close()
        }
        return RunningSimulator(
            control, providers, identity?.certificatePEM, [server, controlServer],
            Posting(delivery: delivery, task: posting))
    }

    /// Sends the messages of a provider to a receiver, as long as the sandbox runs on sockets; nil sends them nowhere.
    ///
    /// - Returns: Whether there is such a provider, and it has messages to send.
    @discardableResult
    public func setReceiver(_ receiver: WebhookReceiver?, of name: String) -> Bool {
        delivery.setReceiver(receiver, of: name)
    }

    /// Writes the providers into their file, if they have one and changed; says what went wrong, if something did.
    @discardableResult
    public func save() -> String? { stateFile?.save() }

    /// Lets the judge learn what the providers have said on their own since their last exchange.
    public func hearMessages() {
        for injector in injectors { judge?.hear(injector.provider) }
    }

    /// Makes everything as it was when the providers were opened; the clock stays where it is.
    func reset() {
        plan.clear()
        for injector in injectors {
            injector.provider.reset()
            injector.audit.reset()
        }
    }
}

/// The providers that come with the package, by name; a new one adds its line.
public enum SimulatorRegistry {
    /// One provider that can be opened.
    public struct Entry: Sendable {
        /// What it is called.
        public let name: String
        /// Its cards by name.
        public let cards: [TestCard]
        /// Opens it.
        public let open: @Sendable (SimulatorClock) -> any SimulatedProvider

        /// Names a provider and says how it is opened.
        public init(
            name: String, cards: [TestCard] = TestCard.usual,
            open: @escaping @Sendable (SimulatorClock) -> any SimulatedProvider
        ) {
            (self.name, self.cards, self.open) = (name, cards, open)
        }
    }

    /// All providers, in the order of their names.
    public static let entries: [Entry] = [
        Entry(name: "adyen", cards: AdyenSimulator.terminalCards) {
            AdyenSimulator(clock: $0, crypto: OpenSSLCrypto())
        },
        Entry(name: "arise") { ARISESimulator(clock: $0) },
        Entry(name: "ecommpay", cards: TestCard.ecommpay) { EcommpaySimulator(clock: $0, crypto: OpenSSLCrypto()) },
        Entry(name: "halo") { HaloSimulator(clock: $0) },
        Entry(name: "memory") { MemoryBackend(clock: $0) },
        Entry(name: "ni") { NISimulator(clock: $0) },
    ]
}

/// A sandbox on sockets.
public struct RunningSimulator: Sendable {
    /// The control address.
    public let control: Origin
    /// The providers' addresses by name.
    public let providers: [String: Origin]
    /// The certificate of the providers' addresses in PEM form, if they speak TLS.
    public let certificatePEM: String?
    private let servers: [SimulatorServer]
    private let posting: Posting

    init(
        _ control: Origin, _ providers: [String: Origin], _ certificatePEM: String?, _ servers: [SimulatorServer],
        _ posting: Posting
    ) {
        (self.control, self.providers) = (control, providers)
        (self.certificatePEM, self.servers, self.posting) = (certificatePEM, servers, posting)
    }

    /// Accepts nothing more, finishes open requests, and returns when every connection is closed.
    public func stop() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [posting] in await posting.stop() }
            for server in servers { group.addTask { await server.stop() } }
        }
    }
}

/// The task that posts messages, until it is stopped.
struct Posting: Sendable {
    let delivery: MessageDelivery
    let task: Task<Void, Never>

    /// Gives up what is on its way, and returns when nothing is sent any more.
    func stop() async {
        task.cancel()
        delivery.ring()
        await task.value
    }
}

/// Why a sandbox could not be opened.
public enum SimulatorError: Error, Hashable, Sendable {
    /// The file with its state can't be used.
    case state(String)
    /// Two providers have one name, or a name is empty.
    case names
    /// There is no such reading, or it can't be played.
    case reading(String)
}

/// Carries requests to simulated providers in the same process, by their origin.
///
/// What needs a socket becomes the failure that a client would see: a torn or silent answer, a reset.
public struct InProcessTransport: HTTPTransport {
    /// How long nothing may move before a request is given up, in milliseconds, as with a real transport.
    public static let stallMilliseconds: Int64 = 60_000

    private let services: [Origin: any SimulatorService]
    /// The receiver of what no simulator takes.
    private let fallback: (any SimulatorService)?
    private let clock: (any PaymentClock)?

    /// Makes a transport to providers; without a clock, what would take time fails or answers at once.
    public init(_ services: [Origin: any SimulatorService], clock: (any PaymentClock)? = nil) {
        (self.services, self.clock, fallback) = (services, clock, nil)
    }

    /// Makes a transport that takes everything to one provider, whatever the address.
    public init(to provider: any SimulatorService, clock: (any PaymentClock)? = nil) {
        (services, self.clock, fallback) = ([:], clock, provider)
    }

    /// Nothing is on its way once a call has begun.
    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed else { throw .notSent(.invalidRequest) }
        if Task.isCancelled { throw .notSent(.cancelled) }
        guard let service = services[request.origin] ?? fallback else { throw .notSent(.connectionRefused) }
        switch await service.answer(request) {
        case .reply(let response): return try received(response, request)
        case .slow(let response, let milliseconds):
            if milliseconds / SimulatorResponse.dripPieces >= stallMilliseconds(request) { try await stall(request) }
            try await wait(milliseconds)
            return try received(response, request)
        case .noReply: try await stall(request)
        case .cutBefore, .cutAfter, .closed:
            throw .maybeSent(Task.isCancelled ? .cancelled : .connectionReset)
        case .truncatedHead, .truncatedBody: throw .maybeSent(.truncated)
        case .upgrade: throw .maybeSent(.malformed)
        }
    }

    private func received(
        _ response: HTTPResponse, _ request: HTTPRequest
    ) throws(TransportFailure) -> HTTPResponse {
        if response.body.count > request.responseBodyBytesMax { throw .maybeSent(.tooLarge) }
        return response
    }

    private func stallMilliseconds(_ request: HTTPRequest) -> Int64 {
        request.idleTimeoutMilliseconds ?? Self.stallMilliseconds
    }

    private func stall(_ request: HTTPRequest) async throws(TransportFailure) -> Never {
        try await wait(stallMilliseconds(request))
        throw .maybeSent(.stalled)
    }

    private func wait(_ milliseconds: Int64) async throws(TransportFailure) {
        guard let clock else { return }
        do { try await clock.sleep(until: clock.now + milliseconds) } catch { throw .maybeSent(.cancelled) }
    }
}
