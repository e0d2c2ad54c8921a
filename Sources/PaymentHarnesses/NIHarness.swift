internal import NetworkInternationalProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentProviderKit
internal import PaymentSandbox
public import PaymentTesting

/// The harness of Network International: every script by amount or card, every fault of the sandbox.
public struct NIHarness: Harness {
    public let name = "ni"
    public let declaration: Declaration

    private let front: LineFront

    /// Makes the harness.
    public init(_ front: LineFront = .inProcess) {
        self.front = front
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.aed, .usd, .jpy, .kwd, .omr]
        declaration.secrets = ["ni-simulated-api-key", "ni-simulated-webhook-value"]
        declaration.unprotected = [
            "request.duplicated": "nothing of ours travels with a request, so the company can't know it again"
        ]
        let cases: [PaymentAbstraction.Operation: Int] = [
            .sale: 3, .authorize: 1, .capture: 2, .void: 2, .refund: 2,
        ]
        for (operation, cases) in cases {
            for fault in Self.traceless {
                declaration.staysOpen[.init(operation, fault)] = .init(
                    cases,
                    "what was never executed leaves no trace, and absence proves nothing without a reference of ours")
            }
        }
        declaration.staysOpen[.init(.capture, "request.duplicated")] = .init(
            1, "the answer lists two new captures of our amount, and a person has to look at that")
        declaration.missingScripts = [
            .wrongSecurityCode: "a card that is tapped has no security code to type",
            .partial: "nothing on this wire asks for a partial approval",
            .challenge: "a card that is present is not challenged",
            .clarification: "this wire has no questions",
        ]
        self.declaration = declaration
    }

    /// Faults under which nothing was executed and the answer does not prove it.
    static let traceless = [
        "request.lost", "request.reset", "request.reset-after-reading", "status.500-before", "status.502-before",
        "status.503-before", "status.504-before", "status.307",
    ]

    public func open(_ stage: Stage) throws -> any Fixture { try NIFixture(stage, front) }
}

/// One fresh company with one till in front of it.
struct NIFixture: SteeredFixture {
    let backend: NIBackend
    let line: CompanyLine
    let simulated: SimulatedReader

    init(_ stage: Stage, _ front: LineFront) throws {
        let backend = NIBackend(clock: stage)
        self.backend = backend
        line = try CompanyLine([backend], stage, front)
        simulated = SimulatedReader(clock: stage, executor: stage)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ tap: Tap) throws -> any PaymentDriver {
        var configuration = NIConfiguration(
            endpoint: line.origin(of: backend.name), outlet: backend.rules.outlet,
            terminal: backend.rules.terminals[0], deviceCode: "000C69", userCode: "user-1",
            apiKey: backend.rules.apiKey)
        configuration.deviceIdentifier = "till-1"
        configuration.webhookSecret = backend.rules.webhookValue
        return NIDriver(configuration, Toolbox(transport: line.transport(tap)))
    }

    func cue(_ script: Script, _ operation: PaymentAbstraction.Operation, _ source: SourceKind) -> Cue? {
        TapCues(reader: simulated, currency: .aed).cue(script, operation, asksAfterwards: false)
    }

    func settle() -> Bool {
        backend.settleNow()
        return true
    }
}
