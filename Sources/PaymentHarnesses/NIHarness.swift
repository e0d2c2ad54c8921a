internal import NetworkInternationalProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentProviderKit
public import PaymentSandbox
public import PaymentTesting

/// The harness of Network International: every script by amount or card, every fault of the sandbox.
public struct NIHarness: Harness {
    public let name = "ni"
    public let declaration: Declaration

    private let injector: Carrier
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness.
    public init(_ injector: Carrier = .inProcess) {
        self.injector = injector
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.aed, .usd, .jpy, .kwd, .omr]
        declaration.secrets = ["ni-simulated-api-key", "ni-simulated-webhook-value"]
        declaration.unprotected = [
            "request.duplicated": "nothing of ours travels with a request, so the provider can't know it again"
        ]
        let cases: [PaymentOperation: Int] = [
            .sale: 3, .authorize: 1, .capture: 2, .void: 2, .refund: 2,
        ]
        for (operation, cases) in cases {
            for fault in NeutralFault.traceless {
                declaration.staysOpen[.init(operation, fault)] = .init(
                    cases,
                    "what was never executed leaves no trace, and absence proves nothing without a reference of ours")
            }
        }
        declaration.staysOpen[.init(.capture, "request.duplicated")] = .init(
            1, "the answer lists two new captures of our amount, and a person has to look at that")
        declaration.staysOpen[.init(.refund, "request.duplicated")] = .init(
            1, "the order shows that twice our amount went back, and a person has to look at that")
        declaration.missingScripts = [
            .wrongSecurityCode: "a card that is tapped has no security code to type",
            .partial: "nothing on this wire asks for a partial approval",
            .challenge: "a card that is present is not challenged",
            .clarification: "this wire has no questions",
        ]
        self.declaration = declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any Fixture {
        var fixture = try NIFixture(scheduler, injector)
        try fixture.connection.play(reading, fixture.backend)
        return fixture
    }
}

extension NIHarness: ReadingHarness {
    public var readings: [SandboxReading] { NIBackend.readings }

    public func playing(_ reading: String) -> NIHarness {
        var copy = self
        copy.reading = reading
        return copy
    }
}

/// One fresh provider with one till in front of it.
struct NIFixture: ControllableFixture {
    let backend: NIBackend
    var connection: ProviderConnection
    let simulated: SimulatedReader

    init(_ scheduler: TestScheduler, _ injector: Carrier) throws {
        let backend = NIBackend(clock: scheduler)
        self.backend = backend
        connection = try ProviderConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        var configuration = NIConfiguration(
            endpoint: connection.origin(of: backend.name), outlet: backend.rules.outlet,
            terminal: backend.rules.terminals[0], deviceCode: "000C69", userCode: "user-1",
            apiKey: backend.rules.apiKey)
        configuration.isSoleUser = true
        configuration.deviceIdentifier = "till-1"
        configuration.webhookSecret = backend.rules.webhookValue
        return NIDriver(configuration, ProviderDependencies(transport: connection.transport(interceptor)))
    }

    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
        TapScripts(reader: simulated, currency: .aed).scripted(script, operation, asksAfterwards: false)
    }

    func settle() -> Bool {
        backend.settleNow()
        return true
    }
}
