import NetworkInternationalProvider
import PaymentCore
import PaymentJournalKit
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting

/// A till in front of the simulated provider.
struct NITill: ProviderTill {
    let scheduler: TestScheduler
    let backend: NISimulator
    let reader: SimulatedReader
    var configuration: NIConfiguration
    var tools: ProviderDependencies
    let journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random = SeededRandom(seed: 1)

    init(now: Int64 = 1_767_225_600_000, rules: NISimulator.Rules = NISimulator.Rules()) {
        scheduler = TestScheduler(now: now)
        backend = NISimulator(clock: scheduler, rules: rules)
        reader = SimulatedReader(clock: scheduler, executor: scheduler)
        let origin = Origin(.http, "ni.test")
        configuration = NIConfiguration(
            endpoint: origin, outlet: rules.outlet, terminal: rules.terminals[0], deviceCode: "000C69",
            userCode: "user-1", apiKey: rules.apiKey)
        configuration.isSoleUser = true
        configuration.deviceIdentifier = "till-1"
        configuration.webhookSecret = rules.webhookValue
        tools = ProviderDependencies(transport: InProcessTransport([origin: JudgedService(backend)]))
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.reader) = (scheduler, scheduler, reader)
        given.random = random
        return try PaymentClient(NIDriver(configuration, tools), given)
    }

    func advance(hours: Int64) { scheduler.advance(by: hours * 3_600_000) }
}

extension Money {
    static func aed(_ units: Int64) -> Money { Money(minorUnits: units, .aed) }
}

/// A till whose phone runs the kit, in front of the simulated platform.
struct NIKitTill {
    var inner = NITill()
    let kit: SimulatedNISDK

    var scheduler: TestScheduler { inner.scheduler }
    var backend: NISimulator { inner.backend }

    init() {
        let setup = NIPhoneSDK.Setup(
            serverScheme: "http", serverHost: "ni.test", serverPort: 80, serverBasePath: "/softpos")
        kit = SimulatedNISDK(
            setup, terminal: inner.configuration.terminal, clock: inner.scheduler, executor: inner.scheduler,
            reader: inner.reader, transport: inner.tools.transport)
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor) = (scheduler, scheduler)
        given.random = inner.random
        return try PaymentClient(NIMobileDriver(NIDriver(inner.configuration, inner.tools), kit), given)
    }

    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    func failure(_ body: @escaping @Sendable (PaymentClient) async throws -> Void) -> PaymentError? {
        do { try play(body) } catch { return error as? PaymentError }
        return nil
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }

    /// A sale of fifteen dirham under an attempt of that name.
    static func sale(
        _ client: PaymentClient, _ units: Int64 = 1_500, _ name: String = "a-1"
    ) async throws -> PaymentResult {
        try await client.sale(.aed(units), from: .reader, reference: "order_\(name)", attempt: try AttemptID(name))
    }

    /// The result of a sale, in a word or two.
    func told(_ units: Int64 = 1_500) throws -> String {
        do {
            switch try play({ try await Self.sale($0, units) }) {
            case .approved(let payment): return "approved \(payment.approved.minorUnits)"
            case .declined(let decline): return "declined \(decline.reason)"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }
}
