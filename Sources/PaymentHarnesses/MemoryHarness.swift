internal import MemoryProvider
internal import PaymentBase
public import PaymentConformance
internal import PaymentDriverKit
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
        declaration.executesWithinMilliseconds = 5_000
        declaration.unprovenWebhookBodies = "a secret in a header field comes with each message, whatever it says"
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

extension MemoryFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        simulated.present(script.card(Self.number(script), asksAfterwards: true))
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        guard let from = self.source(script, source) else { return nil }
        var scripted = TestPayment(Money(minorUnits: base + (script.amountScript?.rawValue ?? 0), .eur), from)
        (scripted.reason, scripted.code) = script.declineByISO(securityCode: "82")
        scripted.secrets = Self.secrets(script, source)
        return scripted
    }

    private func source(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> PaymentSource? {
        switch kind {
        case .reader: return .reader
        case .card:
            let card = try? KeyedCard(number: Self.number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737")
            return card.map { .card($0) }
        case .external:
            var read = ExternalCardData(.chip)
            read.track2 = Secret("track-2-data")
            return .external(read)
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "mi_1"))
        case .token: return .token(Secret("card-token"), last4: "1111")
        case .bank: return .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .page: return .hostedPage
        }
    }

    private static func secrets(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> [String] {
        switch kind {
        case .reader: [number(script)]
        case .card: [number(script), "737"]
        case .external: ["track-2-data"]
        case .wallet: ["wallet-payload"]
        case .saved, .page: []
        case .token: ["card-token"]
        case .bank: ["000123456789", "011000015"]
        }
    }

    private static func number(_ script: SimulatedOutcome) -> String {
        let numbers: [SimulatedOutcome: String] = [
            .doNotHonor: "4000000000000002", .wrongSecurityCode: "4000000000000127",
        ]
        return numbers[script] ?? cardNumber
    }
}
