internal import PaymentBase
public import PaymentConformance
internal import PaymentLinux
public import PaymentSandbox
public import PaymentTesting
public import PaymentTransport

/// The line between a driver under test and its company: faults, the tap, and the front that carries the bytes.
///
/// A fixture makes one for its company and asks it for everything that travels:
///
/// ```swift
/// init(_ stage: Stage, _ front: LineFront) throws {
///     let company = AcmeBackend(clock: stage)
///     (self.company, line) = (company, try CompanyLine([company], stage, front))
/// }
/// func driver(_ tap: Tap) -> any PaymentDriver {
///     AcmeDriver(AcmeConfiguration(endpoint: line.origin(of: company.name)), line.transport(tap))
/// }
/// func arm(_ fault: NeutralFault, after skipped: Int) { line.arm(fault, after: skipped) }
/// ```
public struct CompanyLine: Sendable {
    private let plan = FaultPlan()
    private let origins: [String: Origin]
    private let carrier: any HTTPTransport
    /// Keeps the ports open.
    private let server: SandboxServer?

    /// Lays a line to one company, or to several that one provider consists of.
    ///
    /// - Throws: ``PaymentSandbox/SandboxServerFailure`` when a port can't be opened.
    public init(
        _ companies: [any SandboxCompany], _ stage: Stage, _ front: LineFront = .inProcess
    ) throws(SandboxServerFailure) {
        var origins: [String: Origin] = [:]
        switch front {
        case .inProcess:
            var services: [Origin: any SandboxService] = [:]
            for company in companies {
                let origin = Origin(.http, "\(company.name).test")
                (origins[company.name], services[origin]) = (origin, CompanyFront(company, plan: plan, clock: stage))
            }
            (carrier, server) = (InProcessTransport(services, clock: stage), nil)
        case .sockets:
            let (gate, server) = (StageGate(stage), try SandboxServer())
            for company in companies {
                let inner = CompanyFront(company, plan: plan, clock: stage)
                origins[company.name] = try server.begin(StagedService(inner: inner, gate: gate))
            }
            (carrier, self.server) = (StagedTransport(inner: CurlTransport(), gate: gate), server)
        }
        self.origins = origins
    }

    /// Where a company is found.
    public func origin(of name: String) -> Origin {
        origins[name] ?? Origin(.http, "\(name).is-not-on-this-line.invalid")
    }

    /// What carries a driver's requests through the tap to the companies.
    public func transport(_ tap: Tap) -> any HTTPTransport { TapTransport(carrier, tap) }

    /// Sets up what goes wrong on the line or at the company's door in a script, on the next request to a path; false for
    /// a script that is the company's own business.
    ///
    /// - Parameter path: The path's pattern, as a route of the company has it.
    public func play(_ script: Script, at path: String) -> Bool {
        guard let fault = script.fault else { return false }
        var rule = FaultRule(fault)
        rule.path = path
        rule.retryAfterSeconds = 1
        plan.arm(rule)
        return true
    }

    /// Plays a fault once, after so many further requests were let through.
    public func arm(_ fault: NeutralFault, after skipped: Int) {
        guard let fault = SandboxFault(rawValue: fault.id) else { return }
        var rule = FaultRule(fault)
        rule.skip = skipped
        plan.arm(rule)
    }
}

extension Script {
    /// What brings it about without the company's knowing.
    fileprivate var fault: SandboxFault? {
        switch self {
        case .replyLost: .replyLost
        case .requestLost: .requestLost
        case .unknownWord: .unknownWord
        case .failsAfter: .status500After
        case .busyOnce: .rateLimited
        case .wrongEcho: .wrongAmount
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .wrongSecurityCode, .pending,
            .partial, .challenge, .clarification, .pin, .wrongPIN, .noPIN, .noCard, .unreadableCard:
            nil
        }
    }
}
