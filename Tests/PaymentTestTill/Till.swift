public import MemoryProvider
public import PaymentBase
public import PaymentCore
public import PaymentDriverKit
package import PaymentJournalKit
public import PaymentSimulator
public import PaymentTesting
public import PaymentTransport

/// Everything that a test of the client needs: a stage, the memory provider, a reader, a journal.
public struct Till: Sendable {
    public let scheduler: TestScheduler
    public let backend: MemoryBackend
    public let reader: SimulatedReader
    public let random = SeededRandom(seed: 1)
    package var journal: any Journal = InMemoryJournal()
    public var answers = QuestionHandlers()
    /// The process that the next client is, among others on the journal; nil if it alone uses the journal.
    package var process: (any ProcessRegistry)?

    /// The provider's address.
    public static let origin = Origin(.http, "memory.test", 80)

    public init(seed: UInt64? = nil, now: Int64? = nil) {
        scheduler = now.map { TestScheduler(now: $0, seed: seed) } ?? TestScheduler(seed: seed)
        backend = MemoryBackend(clock: scheduler)
        reader = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    /// A transport straight to the provider.
    public var transport: any HTTPTransport { InProcessTransport([Self.origin: backend]) }

    /// The driver over a transport.
    public func driver(_ transport: (any HTTPTransport)? = nil, name: String = "memory") -> MemoryDriver {
        var configuration = MemoryConfiguration(
            name: name, endpoint: Self.origin, secret: Secret("memory-client-secret"))
        configuration.webhookSecret = Secret("memory-webhook-secret")
        return MemoryDriver(configuration, transport ?? self.transport)
    }

    public var dependencies: ClientOptions {
        var given = ClientOptions(journal: process.map { ProcessJournal(journal, $0) } ?? journal)
        (given.clock, given.random, given.executor) = (scheduler, random, scheduler)
        (given.reader, given.answers) = (reader, answers)
        return given
    }

    /// A client over the driver.
    public func client(_ transport: (any HTTPTransport)? = nil) throws(PaymentError) -> PaymentClient {
        try PaymentClient(driver(transport), dependencies)
    }

    /// A client over any driver.
    public func client(over driver: any PaymentDriver) throws(PaymentError) -> PaymentClient {
        try PaymentClient(driver, dependencies)
    }

    /// Runs a body on the stage.
    public func play<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try scheduler.run(body)
    }

    /// The error that a body on the stage ends with.
    public func failure(_ body: @escaping @Sendable () async throws -> Void) -> PaymentError? {
        do { try scheduler.run(body) } catch { return error as? PaymentError }
        return nil
    }
}

extension Journal {
    /// An attempt as the journal has it; nil if there is none of that id.
    package func record(_ attempt: AttemptID) async throws -> Attempt? {
        try await attempts(.attempt(attempt), after: nil, limit: 1).attempts.first
    }

    /// A payment's attempts, in order.
    package func records(of payment: PaymentID) async throws -> [Attempt] {
        try await self.payment(payment)?.attempts ?? []
    }

    /// All attempts that are not decided.
    package func openRecords() async throws -> [Attempt] {
        try await attempts(.open(scope: nil), after: nil, limit: 1_000).attempts
    }
}

extension Attempt.Evidence {
    /// Where something is known from, without its details.
    public enum Kind: Hashable, Sendable { case reply, lookup, webhook, person, imported }

    /// Where it is known from.
    public var kind: Kind {
        switch self {
        case .reply: .reply
        case .lookup: .lookup
        case .webhook: .webhook
        case .person: .person
        case .imported: .imported
        }
    }
}

/// Cards and amounts that tests use.
public enum Cards {
    /// A card that is approved.
    public static func good() throws(PaymentError) -> PaymentSource {
        .card(try KeyedCard(number: "4111 1111 1111 1111", expiryMonth: 12, expiryYear: 30, securityCode: "737"))
    }

    /// A card that is declined.
    public static func declined() throws(PaymentError) -> PaymentSource {
        .card(try KeyedCard(number: "4000000000000002", expiryMonth: 12, expiryYear: 30))
    }
}

extension Money {
    /// An amount in euro, in cents.
    public static func cents(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}

/// Holds money calls back until it is opened, and says when the first one has come.
public struct Gate: Sendable {
    public let reached = Promise<Bool>()
    public let opened = Promise<Bool>()

    public init() {}

    /// A transport that stops here before a request whose target ends with a text is sent on.
    public func transport(_ inner: any HTTPTransport, at suffix: String = "/payments") -> HookTransport {
        HookTransport(inner) { [self] (request, next) async throws(TransportFailure) in
            if request.method == "POST", request.target.hasSuffix(suffix) {
                reached.fulfill(true)
                _ = await opened.value()
            }
            return try await next(request)
        }
    }
}
