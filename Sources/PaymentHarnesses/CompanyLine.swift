public import PaymentBase
public import PaymentConformance
public import PaymentSandbox
public import PaymentTransport

/// The line between a driver under test and its company: faults, the tap, and the front that carries the bytes.
///
/// A fixture makes one for its company and asks it for everything that travels:
///
/// ```swift
/// init(_ stage: Stage) {
///     let company = AcmeBackend(clock: stage)
///     (self.company, line) = (company, CompanyLine([company], stage))
/// }
/// func driver(_ tap: Tap) -> any PaymentDriver {
///     AcmeDriver(AcmeConfiguration(endpoint: line.origin(of: company.name)), line.transport(tap))
/// }
/// func arm(_ fault: NeutralFault, after skipped: Int) { line.arm(fault, after: skipped) }
/// ```
public struct CompanyLine: Sendable {
    private let companies: [any SandboxCompany]
    private let plan = FaultPlan()
    private let stage: Stage

    /// Lays a line to one company, or to several that one provider consists of.
    public init(_ companies: [any SandboxCompany], _ stage: Stage) {
        (self.companies, self.stage) = (companies, stage)
    }

    /// Where a company is found.
    public func origin(of name: String) -> Origin { Origin(.http, "\(name).test") }

    /// What carries a driver's requests through the tap to the companies.
    public func transport(_ tap: Tap) -> any HTTPTransport {
        var services: [Origin: any SandboxService] = [:]
        for company in companies {
            services[origin(of: company.name)] = CompanyFront(company, plan: plan, clock: stage)
        }
        return TapTransport(InProcessTransport(services, clock: stage), tap)
    }

    /// Plays a fault once, after so many further requests were let through.
    public func arm(_ fault: NeutralFault, after skipped: Int) {
        guard let fault = SandboxFault(rawValue: fault.id) else { return }
        var rule = FaultRule(fault)
        rule.skip = skipped
        plan.arm(rule)
    }
}
