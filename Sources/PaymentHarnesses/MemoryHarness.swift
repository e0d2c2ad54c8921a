internal import MemoryProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentSandbox
public import PaymentTesting

/// The harness of the memory driver: every script by amount or card, every fault of the sandbox.
public struct MemoryHarness: Harness {
    public let name = "memory"
    public let declaration: Declaration

    private let front: LineFront

    /// Makes the harness.
    public init(_ front: LineFront = .inProcess) {
        self.front = front
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .krw, .kwd, .iqd, .lyd, .clf, .uyw]
        declaration.secrets = ["memory-client-secret", "memory-webhook-secret"]
        declaration.unprotected = [
            "request.duplicated": "the company executes whatever arrives and knows no idempotency key"
        ]
        self.declaration = declaration
    }

    public func open(_ stage: Stage) throws -> any Fixture { try MemoryFixture(stage, front) }
}

/// One fresh memory company, behind the front that plays faults.
struct MemoryFixture: SteeredFixture {
    static let cardNumber = "4111111111111111"

    let backend: MemoryBackend
    let line: CompanyLine
    let simulated: SimulatedReader

    init(_ stage: Stage, _ front: LineFront) throws {
        let backend = MemoryBackend(clock: stage)
        self.backend = backend
        line = try CompanyLine([backend], stage, front)
        simulated = SimulatedReader(clock: stage, executor: stage)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ tap: Tap) throws -> any PaymentDriver {
        var configuration = MemoryConfiguration(endpoint: line.origin(of: backend.name), secret: backend.clientSecret)
        configuration.webhookSecret = backend.webhookSecret
        return MemoryDriver(configuration, line.transport(tap))
    }
}
