import AcmeProvider
import AcmeSandbox
import PaymentConformance
import PaymentHarnesses
import PaymentProviderKit
import PaymentTesting

/// What the suite has to know to judge the adapter.
public struct AcmeHarness: ConformanceHarness {
    public let name = "acme"
    private let carrier: ConnectionKind

    /// Makes the harness.
    public init(_ carrier: ConnectionKind = .inProcess) { self.carrier = carrier }

    public var declaration: ConformanceProfile {
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy]
        declaration.secrets = ["acme-test-key"]
        declaration.executesWithinMilliseconds = 5_000
        declaration.expectedDoubleCharges = InjectedFault.executedTwice("what arrives twice is executed twice")
        let missing: [SimulatedOutcome] = [
            .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .partial, .challenge, .clarification,
            .pin,
        ]
        for script in missing {
            declaration.unsupportedOutcomes[script] = "Acme has no such thing"
        }
        return declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        try AcmeFixture(scheduler, carrier)
    }
}

/// One fresh Acme.
struct AcmeFixture: SimulatorFixture {
    static let cards: [SimulatedOutcome: (number: String, reason: Decline.Reason?, code: String?)] = [
        .approved: ("4111111111111111", nil, nil),
        .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
        .lostCard: ("4000000000000041", .lostCard, "lost"),
        .expiredCard: ("4000000000000054", .expiredCard, "expired"),
        .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
    ]

    let connection: SimulatorConnection
    private let provider: SimulatedAcme

    init(_ scheduler: TestScheduler, _ carrier: ConnectionKind) throws {
        provider = SimulatedAcme(clock: scheduler)
        connection = try SimulatorConnection([provider], scheduler, carrier)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let identity = ProviderIdentity("acme", adapter: "acme", environment: "test", merchant: "m-1")
        let (origin, transport) = (connection.origin(of: provider.name), connection.transport(interceptor))
        return AcmeDriver(identity, origin, key: provider.key, transport)
    }

    var ledger: LedgerView { LedgerView(provider.ledger) }

    func scripted(
        _ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind
    ) -> TestPayment? {
        let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
        guard source == .card, Self.cards[script] != nil || connection.play(script, at: "/v1/sales"),
            let keyed = try? KeyedCard(
                number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
        else { return nil }
        var scripted = TestPayment(Money(minorUnits: 5_000, .eur), .card(keyed))
        (scripted.reason, scripted.code, scripted.secrets) = (card.reason, card.code, [card.number, "737"])
        return scripted
    }
}
