public import PaymentConformance
public import PaymentModel
public import PaymentSimulator

/// A fixture of one simulated provider at the end of a connection: it arms the connection's faults on its own.
///
/// What the provider can't do is left out; whatever is left out can't happen there.
///
/// ```swift
/// struct AcmeFixture: SimulatorFixture {
///     let connection: SimulatorConnection
///     private let provider: SimulatedAcme
///
///     init(_ scheduler: TestScheduler, _ carrier: ConnectionKind) throws {
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
    /// The provider, where it decides later or fails afterwards and reports it; nil where it does neither.
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

    /// What the provider has reported on its own, if it does.
    public func pendingWebhooks() -> [ProviderWebhook] { notifying?.takeMessages().map { ProviderWebhook($0) } ?? [] }

    /// What the connection's faults have delivered more than once.
    public var duplicatedRequests: Set<String> { connection.duplicatedRequests }

    public func arm(_ fault: InjectedFault, after skipped: Int) { connection.arm(fault, after: skipped) }
    /// Takes back every fault that was not played yet.
    public func disarm() { connection.disarm() }
    /// Lets go of the connection's sockets and threads.
    public func close() { connection.close() }

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

/// A fixture of a provider that can be steered: what differs is how it is opened, and whether refunds wait.
public protocol ControllableFixture: SimulatorFixture {
    /// What the provider is.
    associatedtype Provider: RevocableProvider
    /// The provider.
    var backend: Provider { get }
}

extension ControllableFixture {
    /// Ends every access of the provider.
    public func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    /// The provider itself.
    public var notifying: (any WebhookSendingProvider)? { backend }

    public var ledger: LedgerView { LedgerView(backend.ledger) }
}

/// A simulated provider that a check can steer from outside: what is pending, what fails afterwards, its accesses.
///
/// ```swift
/// extension SimulatedAcme: RevocableProvider {}
/// struct AcmeFixture: ControllableFixture { let backend: SimulatedAcme; let connection: SimulatorConnection; … }
/// ```
public protocol RevocableProvider: WebhookSendingProvider {
    /// Ends every access.
    func revokeTokens()
}

extension HaloSimulator: RevocableProvider {}
extension MemoryBackend: RevocableProvider {}
extension NISimulator: RevocableProvider {}

extension ARISESimulator: RevocableProvider {
    public func revokeTokens() { revokeTokens(refreshToo: false) }
}

extension InjectedFault {
    /// Every fault that the sandbox can play, for whichever provider.
    public static let sandbox: [InjectedFault] = WireFault.all.map { fault in
        InjectedFault(fault.rawValue, fault.kind, executions: fault.executionCount)
    }

    /// Faults under which a request arrives twice, for a provider that carries out whatever arrives; with the reason why.
    public static func executedTwice(_ reason: String) -> [String: String] {
        Dictionary(
            sandbox.filter { $0.executions > 1 }.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
    }

    /// Faults under which a request arrives twice, answered once or not at all.
    static let repeated = ["request.duplicated", "request.duplicated-unread"]

    /// Faults under which nothing was executed and the answer does not prove it.
    static let traceless = [
        "request.lost", "request.reset", "request.reset-after-reading", "status.500-before", "status.502-before",
        "status.503-before", "status.504-before", "status.307",
    ]
}

extension WireFault {
    /// What it looks like from outside.
    var kind: InjectedFault.Effect {
        switch self {
        case .requestLost, .requestReset, .requestResetAfterReading: .lostBefore
        case .requestDuplicated, .requestDuplicatedUnread: .repeated
        case .replyLost, .replyReset, .replyNever, .replyTornHead, .replyTornBody: .lostAfter
        case .replyLate, .replyDripped, .extraMembers: .harmless
        case .wrongAmount, .wrongCurrency, .wrongReference, .unknownWord, .missingMember, .htmlBody, .emptyBody,
            .truncatedJSON:
            .falsified
        case .accessRefused, .rateLimited, .status500Before, .status502Before, .status503Before, .status504Before,
            .redirected:
            .refused
        case .status500After, .status502After, .status503After, .status504After, .status401After, .status403After,
            .status404After, .status307After, .status308After, .status429After:
            .failedAfter
        }
    }
}

extension LedgerView {
    /// A provider's books as the suite reads them; `units` makes the standard's minor units of the provider's own.
    public init(_ ledger: Ledger, units: (Int64, String) -> Int64 = { units, _ in units }) {
        let entries = ledger.movements.map { movement in
            LedgerView.Entry(
                attempt: movement.attempt, payment: movement.payment, movement.direction,
                units(movement.amount.minorUnits, movement.amount.currency), movement.amount.currency,
                cause: movement.cause, source: PaymentSource.Kind(rawValue: movement.entry))
        }
        self.init(entries, isBalanced: ledger.isBalanced)
    }
}

extension Ledger.Movement {
    /// Which way it went, in neutral words.
    fileprivate var direction: LedgerView.Direction {
        switch (from, to) {
        case (.cardholder, .merchant): .charge
        case (.cardholder, _): .hold
        case (.held, .merchant): .capture
        case (.held, _): .release
        case (.merchant, .cardholder): .reversal
        case (.refunded, _): .returned
        case (.merchant, _), (.funds, _): .refund
        }
    }
}
