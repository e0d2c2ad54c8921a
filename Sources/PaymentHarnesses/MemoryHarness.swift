internal import MemoryProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentSimulator
public import PaymentTesting

/// The harness of the memory driver: every script by amount or card, every fault of the sandbox.
public struct MemoryHarness: ConformanceHarness {
    public let name = "memory"
    public let declaration: ConformanceProfile

    private let injector: ConnectionKind

    /// Makes the harness.
    public init(_ injector: ConnectionKind = .inProcess) {
        self.injector = injector
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .krw, .kwd, .iqd, .lyd, .clf, .uyw]
        declaration.secrets = ["memory-client-secret", "memory-webhook-secret"]
        declaration.expectedDoubleCharges = InjectedFault.executedTwice(
            "the provider executes whatever arrives and knows no idempotency key")
        self.declaration = declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        try MemoryFixture(scheduler, injector)
    }
}

/// One fresh memory provider, behind the front that plays faults.
struct MemoryFixture: ControllableFixture {
    static let cardNumber = "4111111111111111"

    let backend: MemoryBackend
    let connection: SimulatorConnection
    let simulated: SimulatedReader

    init(_ scheduler: TestScheduler, _ injector: ConnectionKind) throws {
        let backend = MemoryBackend(clock: scheduler)
        self.backend = backend
        connection = try SimulatorConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    var reader: (any CardReader)? { simulated }

    var visitor: @Sendable (_ page: PaymentLink) async -> Void {
        { [backend] page in _ = backend.visit(page: page.address, card: Self.cardNumber) }
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        var configuration = MemoryConfiguration(
            endpoint: connection.origin(of: backend.name), secret: backend.clientSecret)
        configuration.webhookSecret = backend.webhookSecret
        return MemoryDriver(configuration, connection.transport(interceptor))
    }
}
