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
    /// - Parameter judge: Who hears every exchange; nil for nobody.
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

    /// Lets the judge hear what the providers have said by themselves since their last exchange.
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
