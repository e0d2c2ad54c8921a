public import PaymentBase
public import PaymentTransport

/// Some simulated companies together: one clock, one plan of faults, one control address.
///
/// ```swift
/// let sandbox = try Sandbox { clock in [MemoryBackend(clock: clock)] }
/// let transport = sandbox.transport                                   // in this process …
/// let running = try await sandbox.serve()                             // … or on sockets
/// sandbox.plan.arm(FaultRule(.replyLost))
/// ```
public final class Sandbox: Sendable {
    /// What the companies live by.
    public let clock: SandboxClock
    /// What is still to be played.
    public let plan: FaultPlan
    /// The companies, each behind the place where faults are played.
    public let fronts: [CompanyFront]
    let stateFile: StateFile?

    /// Opens companies, with what a file holds of them if one is named.
    ///
    /// - Throws: ``SandboxFailure`` when two companies have one name or the file can't be used.
    public init(
        clock base: any PaymentClock = SystemClock(), stateFile path: String? = nil,
        _ companies: (SandboxClock) -> [any SandboxCompany]
    ) throws(SandboxFailure) {
        let (clock, plan) = (SandboxClock(base), FaultPlan())
        let companies = companies(clock)
        guard Set(companies.map(\.name)).count == companies.count, !companies.contains(where: { $0.name.isEmpty })
        else { throw .names }
        var stateFile: StateFile?
        if let path { stateFile = try StateFile(path, companies.compactMap { $0 as? any Persistable }, clock) }
        (self.clock, self.plan, self.stateFile) = (clock, plan, stateFile)
        fronts = companies.map { [stateFile] company in
            CompanyFront(company, plan: plan, clock: clock, audit: LedgerAudit(), stateFile: stateFile)
        }
    }

    /// A company by its name.
    public subscript(name: String) -> (any SandboxCompany)? { fronts.first { $0.company.name == name }?.company }

    /// Where a company is found by ``transport``.
    public static func origin(of name: String) -> Origin { Origin(.http, "\(name).sandbox") }

    /// Where the control address is found by ``transport``.
    public static let controlOrigin = Origin(.http, "control.sandbox")

    /// Every method with its pattern at the control address.
    public static var controlRoutes: [(method: String, pattern: String)] { ControlService.routes.list }

    /// The way to the companies and to the control address within this process.
    public var transport: InProcessTransport {
        var services: [Origin: any SandboxService] = [Self.controlOrigin: ControlService(self)]
        for front in fronts { services[Self.origin(of: front.company.name)] = front }
        return InProcessTransport(services, clock: clock)
    }

    /// Opens a port for each company and one for the control address, which never speaks TLS.
    ///
    /// - Throws: ``SandboxServerFailure`` when a port is taken.
    public func serve(
        controlPort: Int = 0, identity: SandboxIdentity? = nil,
        limits: SandboxServer.Limits = SandboxServer.Limits()
    ) async throws(SandboxServerFailure) -> RunningSandbox {
        let server = try SandboxServer(identity: identity, limits: limits)
        let controlServer = try SandboxServer(limits: limits)
        let control = try await controlServer.listen(ControlService(self), port: controlPort)
        var providers: [String: Origin] = [:]
        for front in fronts { providers[front.company.name] = try await server.listen(front) }
        return RunningSandbox(control, providers, identity?.certificatePEM, [server, controlServer])
    }

    /// Writes the companies into their file, if they have one and changed; says what went wrong, if something did.
    @discardableResult
    public func save() -> String? { stateFile?.save() }

    /// Makes everything as it was when the companies were opened; the clock stays where it is.
    func reset() {
        plan.clear()
        for front in fronts {
            front.company.reset()
            front.audit.reset()
        }
    }
}
