import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import PaymentTesting
import Testing

/// What the guide for authors tells about follow-ups and keys, under the whole suite.
@Suite struct ZetaTests {
    @Test(arguments: Check.all.filter { $0.level <= .backOffice })
    func everyCheckPasses(_ check: Check) {
        let result = ConformanceRunner(ZetaHarness()).run(check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }

    @Test func theLevelIsReached() {
        #expect(ConformanceRunner(ZetaHarness()).run(upTo: .backOffice).level == .backOffice)
    }

    /// A harness that doesn't say which sends are keyed is told so by the checks that lose one of them.
    @Test(arguments: ["lookup.request-lost", "lookup.quiet-time", "lookup.never-arrived"])
    func whatIsKeyedHasToBeDeclared(_ id: String) throws {
        let check = try #require(Check.all.first { $0.id == id })
        #expect(ConformanceRunner(ZetaHarness(isDeclared: false)).run(check).status == .failed)
    }
}

struct ZetaHarness: ConformanceHarness {
    let name = "zeta"
    var isDeclared = true

    var declaration: ConformanceProfile {
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox.filter { $0.id != "member.wrong-reference" })
        if isDeclared { declaration.idempotentOperations = [.sale, .refund] }
        declaration.secrets = ["zeta-test-key"]
        let missing: [SimulatedOutcome] = [
            .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .partial, .challenge, .clarification, .pin,
        ]
        for script in missing {
            declaration.unsupportedOutcomes[script] = "Zeta has no such thing"
        }
        return declaration
    }

    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture { try ZetaFixture(scheduler) }
}

struct ZetaFixture: SimulatorFixture {
    static let cards: [SimulatedOutcome: (number: String, reason: Decline.Reason?, code: String?)] = [
        .approved: ("4111111111111111", nil, nil),
        .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
        .lostCard: ("4000000000000041", .lostCard, "lost"),
        .expiredCard: ("4000000000000054", .expiredCard, "expired"),
        .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
    ]

    let connection: SimulatorConnection
    private let provider: SimulatedZeta

    init(_ scheduler: TestScheduler) throws {
        provider = SimulatedZeta(clock: scheduler)
        connection = try SimulatorConnection([provider], scheduler)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let identity = ProviderIdentity("zeta", adapter: "zeta", environment: "test", merchant: "m-1")
        return ZetaDriver(
            identity, connection.origin(of: provider.name), key: provider.key, connection.transport(interceptor))
    }

    var ledger: LedgerView { LedgerView(provider.ledger) }

    func scripted(
        _ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind
    ) -> TestPayment? {
        let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
        guard source == .card, Self.cards[script] != nil || connection.play(script, at: "/charges"),
            let keyed = try? KeyedCard(number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
        else { return nil }
        var scripted = TestPayment(Money(minorUnits: 5_000, .eur), .card(keyed))
        (scripted.reason, scripted.code, scripted.secrets) = (card.reason, card.code, [card.number, "737"])
        return scripted
    }
}
