internal import HaloProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentProviderKit
internal import PaymentSandbox
public import PaymentTesting

/// The harness of Halo: every script by amount or card, every fault of the sandbox.
public struct HaloHarness: Harness {
    public let name = "halo"
    public let declaration: Declaration

    private let front: LineFront

    /// Makes the harness.
    public init(_ front: LineFront = .inProcess) {
        self.front = front
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.zar, .usd, .jpy, .kwd, .clf]
        declaration.secrets = ["halo-simulated-office-key"]
        declaration.settlesAfterMilliseconds = 150_000
        for fault in NIHarness.traceless {
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

    public func open(_ stage: Stage) throws -> any Fixture { try HaloFixture(stage, front) }
}

/// One fresh company with one till in front of it, and the merchant's backend that signs tokens.
struct HaloFixture: SteeredFixture {
    let backend: HaloBackend
    let line: CompanyLine
    let simulated: SimulatedReader
    let stage: Stage
    let tokens = Locked(0)

    init(_ stage: Stage, _ front: LineFront) throws {
        let backend = HaloBackend(clock: stage)
        (self.stage, self.backend) = (stage, backend)
        line = try CompanyLine([backend], stage, front)
        simulated = SimulatedReader(clock: stage, executor: stage)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ tap: Tap) throws -> any PaymentDriver {
        let source = SecretSource("the merchant's backend") { [stage, backend, tokens] in
            let number = tokens.withLock { number in
                number += 1
                return number
            }
            return backend.merchant.token(now: stage.now, number: number)
        }
        var configuration = HaloConfiguration(
            endpoint: line.origin(of: backend.name), merchant: backend.merchant.merchant, token: source)
        configuration.audience = backend.merchant.audience
        configuration.officeKey = backend.officeKey
        return HaloDriver(configuration, Toolbox(transport: line.transport(tap)))
    }

    func cue(_ script: Script, _ operation: PaymentAbstraction.Operation, _ source: SourceKind) -> Cue? {
        TapCues(reader: simulated, currency: .zar).cue(script, operation, asksAfterwards: true)
    }
}
