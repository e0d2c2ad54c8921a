import Acme
import AcmeSandbox
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSandbox
import PaymentTesting

/// What the suite has to know to judge the adapter.
struct AcmeHarness: Harness {
    let name = "acme"
    let injector: Carrier

    init(_ injector: Carrier) { self.injector = injector }

    var declaration: Declaration {
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy]
        declaration.secrets = ["acme-test-key"]
        declaration.unprotected = ["request.duplicated": "Acme executes whatever arrives and knows no idempotency key"]
        for script in [PaymentScript.wrongSecurityCode, .pending, .partial, .challenge, .clarification, .pin] {
            declaration.missingScripts[script] = "Acme has no such thing"
        }
        return declaration
    }

    func open(_ scheduler: TestScheduler) throws -> any Fixture { try AcmeFixture(scheduler, injector) }
}

/// One fresh Acme.
struct AcmeFixture: Fixture {
    static let cards: [PaymentScript: (number: String, reason: DeclineReason?, code: String?)] = [
        .approved: ("4111111111111111", nil, nil),
        .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
        .lostCard: ("4000000000000041", .lostCard, "lost"),
        .expiredCard: ("4000000000000054", .expiredCard, "expired"),
        .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
    ]

    private let provider: SimulatedAcme
    private let connection: ProviderConnection

    init(_ scheduler: TestScheduler, _ injector: Carrier) throws {
        provider = SimulatedAcme(clock: scheduler)
        connection = try ProviderConnection([provider], scheduler, injector)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let identity = ProviderIdentity("acme", adapter: "acme", environment: "test", merchant: "m-1")
        return AcmeDriver(
            identity, connection.origin(of: provider.name), key: provider.key, connection.transport(interceptor))
    }

    var reader: (any CardReader)? { nil }
    var ledger: LedgerView { LedgerView(provider.ledger) }
    func arm(_ fault: NeutralFault, after skipped: Int) { connection.arm(fault, after: skipped) }
    func happen(_ event: ProviderEvent) -> [ProviderNews]? { nil }

    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
        let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
        guard source == .card, Self.cards[script] != nil || connection.play(script, at: "/v1/sales"),
            let keyed = try? KeyedCard(number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
        else { return nil }
        var scripted = ScriptedPayment(Money(minorUnits: 5_000, .eur), .card(keyed))
        (scripted.reason, scripted.code, scripted.secrets) = (card.reason, card.code, [card.number, "737"])
        return scripted
    }
}
