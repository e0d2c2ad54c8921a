public import PaymentAbstraction
public import PaymentConformance

/// A fixture of one simulated provider at the end of a connection: it arms the connection's faults by itself.
///
/// What the provider can't do is left out; whatever is left out can't happen there.
///
/// ```swift
/// struct AcmeFixture: ConnectionFixture {
///     let connection: ProviderConnection
///     private let provider: SimulatedAcme
///
///     init(_ scheduler: TestScheduler, _ carrier: Carrier) throws {
///         provider = SimulatedAcme(clock: scheduler)
///         connection = try ProviderConnection([provider], scheduler, carrier)
///     }
///     func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
///         AcmeDriver(connection.origin(of: provider.name), connection.transport(interceptor))
///     }
///     var ledger: LedgerView { LedgerView(provider.ledger) }
///     func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
///         …
///     }
/// }
/// ```
public protocol ConnectionFixture: Fixture {
    /// The connection to the provider.
    var connection: ProviderConnection { get }
    /// Ends every access; false where there is none to end.
    func revoke() -> Bool
    /// Settles everything that was charged; false where refunds don't wait for that.
    func settle() -> Bool
    /// Decides what is pending under an attempt; nil where nothing is.
    func decide(_ attempt: String, succeeds: Bool) -> ProviderNews?
    /// Lets fail what was done under an attempt; nil where nothing was.
    func failLater(_ attempt: String) -> ProviderNews?
}

extension ConnectionFixture {
    /// A till without hardware.
    public var reader: (any CardReader)? { nil }
    /// A provider without an access that ends.
    public func revoke() -> Bool { false }
    /// A provider whose refunds don't wait.
    public func settle() -> Bool { false }
    /// A provider that decides at once.
    public func decide(_ attempt: String, succeeds: Bool) -> ProviderNews? { nil }
    /// A provider that never takes back what it said.
    public func failLater(_ attempt: String) -> ProviderNews? { nil }

    public func arm(_ fault: NeutralFault, after skipped: Int) { connection.arm(fault, after: skipped) }

    public func happen(_ event: ProviderEvent) -> [ProviderNews]? {
        switch event {
        case .accessRevoked: revoke() ? [] : nil
        case .settled: settle() ? [] : nil
        case .decided(let attempt, let succeeds): decide(attempt.text, succeeds: succeeds).map { [$0] }
        case .failedLater(let attempt): failLater(attempt.text).map { [$0] }
        }
    }
}

extension ProviderNews {
    /// A message with header fields, as the simulated providers give it.
    public init(_ message: (headers: [String: String], body: [UInt8])) {
        self.init(headers: message.headers, body: message.body)
    }

    /// A message whose proof is in its body.
    public init(_ body: [UInt8]) { self.init(headers: [:], body: body) }
}
