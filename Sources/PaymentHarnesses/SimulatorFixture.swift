public import PaymentAbstraction
public import PaymentConformance
public import PaymentSimulator

/// A fixture of one simulated provider at the end of a connection: it arms the connection's faults by itself.
///
/// What the provider can't do is left out; whatever is left out can't happen there.
///
/// ```swift
/// struct AcmeFixture: SimulatorFixture {
///     let connection: SimulatorConnection
///     private let provider: SimulatedAcme
///
///     init(_ scheduler: TestScheduler, _ carrier: Carrier) throws {
///         provider = SimulatedAcme(clock: scheduler)
///         connection = try SimulatorConnection([provider], scheduler, carrier)
///     }
///     func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
///         AcmeDriver(connection.origin(of: provider.name), connection.transport(interceptor))
///     }
///     var ledger: LedgerView { LedgerView(provider.ledger) }
///     func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind) ->
///         TestPayment? { …
///     }
/// }
/// ```
public protocol SimulatorFixture: ConformanceFixture {
    /// The connection to the provider.
    var connection: SimulatorConnection { get }
    /// Ends every access; false where there is none to end.
    func revoke() -> Bool
    /// Settles everything that was charged; false where refunds don't wait for that.
    func settle() -> Bool
    /// The provider, where it decides later or fails afterwards and tells of it; nil where it does neither.
    var notifying: (any WebhookSendingProvider)? { get }
}

extension SimulatorFixture {
    /// A till without hardware.
    public var reader: (any CardReader)? { nil }
    /// A provider without an access that ends.
    public func revoke() -> Bool { false }
    /// A provider whose refunds don't wait.
    public func settle() -> Bool { false }
    /// A provider that decides at once and never takes back what it said.
    public var notifying: (any WebhookSendingProvider)? { nil }

    /// What the connection's judge found.
    public var violations: [String] { connection.violations }

    /// What the provider has told by itself, as far as it tells.
    public func pendingWebhooks() -> [ProviderWebhook] { notifying?.takeMessages().map { ProviderWebhook($0) } ?? [] }

    /// What the connection's faults have delivered more than once.
    public var duplicatedRequests: Set<String> { connection.duplicatedRequests }

    public func arm(_ fault: InjectedFault, after skipped: Int) { connection.arm(fault, after: skipped) }

    public func trigger(_ event: ProviderEvent) -> [ProviderWebhook]? {
        switch event {
        case .accessRevoked: revoke() ? [] : nil
        case .settled: settle() ? [] : nil
        case .decided(let attempt, let succeeds):
            notifying?.decide(attempt.text, succeeds: succeeds).map { [ProviderWebhook($0)] }
        case .failedLater(let attempt): notifying?.failLater(attempt.text).map { [ProviderWebhook($0)] }
        }
    }
}

extension ProviderWebhook {
    /// A message of a simulated provider as the suite has it.
    public init(_ message: OutgoingWebhook) { self.init(headers: message.headers, body: message.body) }
}
