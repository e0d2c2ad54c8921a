import Acme
import AcmeSandbox
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSandbox
import PaymentTesting

/// What the kit has to know to judge the adapter.
struct AcmeHarness: Harness {
    let name = "acme"
    let front: LineFront

    init(_ front: LineFront) { self.front = front }

    var declaration: Declaration {
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy]
        declaration.secrets = ["acme-test-key"]
        declaration.unprotected = ["request.duplicated": "Acme executes whatever arrives and knows no idempotency key"]
        for script in [Script.wrongSecurityCode, .pending, .partial, .challenge, .clarification, .pin] {
            declaration.missingScripts[script] = "Acme has no such thing"
        }
        return declaration
    }

    func open(_ stage: Stage) throws -> any Fixture { try AcmeFixture(stage, front) }
}

/// One fresh Acme.
struct AcmeFixture: Fixture {
    static let cards: [Script: (number: String, reason: DeclineReason?, code: String?)] = [
        .approved: ("4111111111111111", nil, nil),
        .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
        .lostCard: ("4000000000000041", .lostCard, "lost"),
        .expiredCard: ("4000000000000054", .expiredCard, "expired"),
        .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
    ]

    private let company: AcmeCompany
    private let line: CompanyLine

    init(_ stage: Stage, _ front: LineFront) throws {
        company = AcmeCompany(clock: stage)
        line = try CompanyLine([company], stage, front)
    }

    func driver(_ tap: Tap) throws -> any PaymentDriver {
        let identity = ProviderIdentity("acme", adapter: "acme", environment: "test", merchant: "m-1")
        return AcmeDriver(identity, line.origin(of: company.name), key: company.key, line.transport(tap))
    }

    var reader: (any CardReader)? { nil }
    var ledger: LedgerView { LedgerView(company.ledger) }
    func arm(_ fault: NeutralFault, after skipped: Int) { line.arm(fault, after: skipped) }
    func happen(_ event: CompanyEvent) -> [CompanyNews]? { nil }

    func cue(_ script: Script, _ operation: PaymentAbstraction.Operation, _ source: SourceKind) -> Cue? {
        let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
        guard source == .card, Self.cards[script] != nil || line.play(script, at: "/v1/sales"),
            let keyed = try? KeyedCard(number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
        else { return nil }
        var cue = Cue(Money(minorUnits: 5_000, .eur), .card(keyed))
        (cue.reason, cue.code, cue.secrets) = (card.reason, card.code, [card.number, "737"])
        return cue
    }
}
