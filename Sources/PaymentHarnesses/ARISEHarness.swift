internal import ARISEProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentLinux
public import PaymentSandbox
public import PaymentTesting

/// The harness of the ARISE driver.
public struct ARISEHarness: Harness {
    public let name = "arise"
    public let declaration: Declaration

    private let injector: Carrier
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness.
    public init(_ injector: Carrier = .inProcess) {
        self.injector = injector
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.usd]
        declaration.secrets = ["arise-client-secret", "arise-webhook-secret"]
        declaration.unprotected = [
            "request.duplicated": "ARISE promises no idempotency key, and its control of duplicates is opt-in"
        ]
        declaration.approvesPartsUnasked = "no member of a request says whether a part is wanted"
        let noQuestion = "ARISE asks the application nothing on the way"
        declaration.missingScripts = [.challenge: noQuestion, .clarification: noQuestion]
        // What never arrived leaves nothing behind, and no call of ARISE proves that nothing is there.
        let lost = NeutralFault.sandbox.filter { fault in
            fault.kind == .lostBefore || fault.id.hasSuffix("-before")
        }
        let cases: [PaymentOperation: Int] = [
            .sale: 8, .authorize: 1, .capture: 2, .void: 2, .refund: 2, .unlinkedRefund: 1, .tipAdjustment: 1,
        ]
        for (operation, cases) in cases {
            for fault in lost {
                declaration.staysOpen[.init(operation, fault.id)] = .init(
                    cases, "nothing is left behind by what never arrived, and absence proves nothing at ARISE")
            }
        }
        self.declaration = declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any Fixture {
        var fixture = try ARISEFixture(scheduler, injector)
        // Under the usual reading somebody has found out what a failure proves; else the adapter is as it comes.
        if reading == nil { fixture.failed = .final }
        try fixture.connection.play(reading, fixture.backend)
        return fixture
    }
}

extension ARISEHarness: ReadingHarness {
    public var readings: [SandboxReading] { ARISEBackend.readings }

    public func playing(_ reading: String) -> ARISEHarness {
        var copy = self
        copy.reading = reading
        return copy
    }
}

/// One fresh ARISE, behind the front that plays faults.
struct ARISEFixture: ControllableFixture {
    let backend: ARISEBackend
    var connection: ProviderConnection
    var failed = ARISEConfiguration.Failed.open
    let simulated: SimulatedReader

    init(_ scheduler: TestScheduler, _ injector: Carrier = .inProcess, account: ARISEAccount = ARISEAccount()) throws {
        let backend = ARISEBackend(clock: scheduler, account: account)
        self.backend = backend
        connection = try ProviderConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let origin = connection.origin(of: backend.name)
        var configuration = ARISEConfiguration(
            endpoint: origin, oauth: origin, clientID: ARISEBackend.clientID, clientSecret: backend.clientSecret)
        configuration.isSoleUser = true
        configuration.failed = failed
        configuration.webhookSecret = backend.webhookSecret
        configuration.requesterIPAddress = "198.51.100.47"
        return ARISEDriver(configuration, connection.transport(interceptor), crypto: OpenSSLCrypto())
    }

    func settle() -> Bool {
        backend.settle()
        return true
    }
}
