internal import HaloProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentProviderKit
public import PaymentSandbox
public import PaymentTesting

/// The harness of Halo: every script by amount or card, every fault of the sandbox.
public struct HaloHarness: Harness {
    public let name = "halo"
    public let declaration: Declaration

    private let injector: Carrier
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness.
    public init(_ injector: Carrier = .inProcess) {
        self.injector = injector
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.zar, .usd, .jpy, .kwd, .clf]
        declaration.secrets = ["halo-simulated-office-key"]
        declaration.decidedAfterMilliseconds = 150_000
        for fault in NeutralFault.traceless {
            declaration.staysOpen[.init(.refund, fault)] = .init(
                2, "a refund of the back office has no limit in time, so that absence proves nothing")
        }
        declaration.missingScripts = [
            .wrongSecurityCode: "a card that is tapped has no security code to type",
            .partial: "nothing on this wire asks for a partial approval",
            .challenge: "a card that is present is not challenged",
            .clarification: "this wire asks for nothing but a PIN",
        ]
        self.declaration = declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any Fixture {
        // Under the usual reading somebody has found out that searches show everything; else the adapter is as it comes.
        var fixture = try HaloFixture(scheduler, injector, search: reading == nil ? .proven : .unproven)
        try fixture.connection.play(reading, fixture.backend)
        return fixture
    }
}

extension HaloHarness: ReadingHarness {
    public var readings: [SandboxReading] { HaloBackend.readings }

    public func playing(_ reading: String) -> HaloHarness {
        var copy = self
        copy.reading = reading
        return copy
    }
}

/// One fresh provider with one till in front of it, and the merchant's backend that signs tokens.
struct HaloFixture: ControllableFixture {
    let backend: HaloBackend
    var connection: ProviderConnection
    let simulated: SimulatedReader
    let scheduler: TestScheduler
    let tokens = Locked(0)
    private let search: HaloConfiguration.Absence

    init(_ scheduler: TestScheduler, _ injector: Carrier, search: HaloConfiguration.Absence) throws {
        self.search = search
        let backend = HaloBackend(clock: scheduler)
        (self.scheduler, self.backend) = (scheduler, backend)
        connection = try ProviderConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let source = SecretSource("the merchant's backend") { [scheduler, backend, tokens] in
            let number = tokens.withLock { number in
                number += 1
                return number
            }
            return backend.merchant.token(now: scheduler.now, number: number)
        }
        var configuration = HaloConfiguration(
            endpoint: connection.origin(of: backend.name), merchant: backend.merchant.merchant, token: source)
        configuration.audience = backend.merchant.audience
        configuration.officeKey = backend.officeKey
        configuration.search = search
        return HaloDriver(configuration, ProviderDependencies(transport: connection.transport(interceptor)))
    }

    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
        TapScripts(reader: simulated, currency: .zar).scripted(script, operation, asksAfterwards: true)
    }
}
