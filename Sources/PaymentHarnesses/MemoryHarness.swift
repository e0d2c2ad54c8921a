internal import PaymentAbstraction
public import PaymentBase
public import PaymentConformance
internal import PaymentSandbox
internal import PaymentTransport
internal import Providers

/// The harness of the memory driver: every script by amount or card, every fault of the sandbox.
public struct MemoryHarness: Harness {
    public let name = "memory"
    public let declaration: Declaration

    /// Makes the harness.
    public init() {
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .krw, .kwd, .iqd, .lyd, .clf, .uyw]
        declaration.secrets = ["memory-client-secret", "memory-webhook-secret"]
        declaration.unprotected = [
            "request.duplicated": "the company executes whatever arrives and knows no idempotency key"
        ]
        self.declaration = declaration
    }

    public func open(_ stage: Stage) -> any Fixture { MemoryFixture(stage) }
}

/// One fresh memory company, behind the front that plays faults.
struct MemoryFixture: Fixture {
    static let origin = Origin(.http, "memory.test", 80)
    static let cardNumber = "4111111111111111"

    let backend: MemoryBackend
    let plan = FaultPlan()
    let clock: any PaymentClock
    let simulated: SimulatedReader

    init(_ stage: Stage) {
        clock = stage
        backend = MemoryBackend(clock: stage)
        simulated = SimulatedReader(clock: stage, executor: stage)
    }

    var reader: (any CardReader)? { simulated }

    func driver(_ tap: Tap) throws -> any PaymentDriver {
        let front = CompanyFront(backend, plan: plan, clock: clock)
        let transport = TapTransport(InProcessTransport([Self.origin: front], clock: clock), tap)
        var configuration = MemoryConfiguration(endpoint: Self.origin, secret: backend.clientSecret)
        configuration.webhookSecret = backend.webhookSecret
        return MemoryDriver(configuration, transport)
    }

    func arm(_ fault: NeutralFault, after skipped: Int) {
        guard let fault = SandboxFault(rawValue: fault.id) else { return }
        var rule = FaultRule(fault)
        rule.skip = skipped
        plan.arm(rule)
    }

    func happen(_ event: CompanyEvent) -> [CompanyNews]? {
        let news: (headers: [String: String], body: [UInt8])?
        switch event {
        case .accessRevoked:
            backend.revokeTokens()
            return []
        case .decided(let attempt, let succeeds): news = backend.settle(attempt.text, succeeds: succeeds)
        case .failedLater(let attempt): news = backend.failLater(attempt.text)
        }
        return news.map { [CompanyNews(headers: $0.headers, body: $0.body)] }
    }

    var ledger: LedgerView {
        let ledger = backend.ledger
        let entries = ledger.movements.map { movement in
            LedgerView.Entry(
                attempt: movement.attempt, payment: movement.payment, movement.direction, movement.amount.minorUnits,
                movement.amount.currency, cause: movement.cause)
        }
        return LedgerView(entries, isBalanced: ledger.isBalanced)
    }
}

extension Ledger.Movement {
    /// Which way it went, in neutral words.
    fileprivate var direction: LedgerView.Direction {
        switch (from, to) {
        case (.cardholder, .merchant): .charge
        case (.cardholder, _): .hold
        case (.held, .merchant): .capture
        case (.held, _): .release
        case (.merchant, .cardholder): .reversal
        case (.refunded, _): .returned
        case (.merchant, _), (.funds, _): .refund
        }
    }
}
