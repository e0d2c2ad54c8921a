public import MemoryProvider
public import PaymentAbstraction
public import PaymentBase
public import PaymentSandbox
public import PaymentTesting
public import PaymentTransport

/// Everything that a test of the client needs: a stage, the memory provider, a reader, a journal.
public struct Till: Sendable {
    public let scheduler: TestScheduler
    public let backend: MemoryBackend
    public let reader: SimulatedReader
    public let random = SeededRandom(seed: 1)
    public var journal: any Journal = MemoryJournal()
    public var answers = Answers()
    public var owners: any OwnerRegistry = SoleOwner()
    public var owner: String?

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

    public var dependencies: ClientDependencies {
        var given = ClientDependencies(journal: journal)
        (given.clock, given.random, given.executor) = (scheduler, random, scheduler)
        (given.reader, given.answers, given.owners, given.owner) = (reader, answers, owners, owner)
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
        try scheduler.play(body)
    }

    /// The error that a body on the stage ends with.
    public func failure(_ body: @escaping @Sendable () async throws -> Void) -> PaymentError? {
        do { try scheduler.play(body) } catch { return error as? PaymentError }
        return nil
    }
}

extension Journal {
    /// An attempt as the journal has it; nil when there is none of that name.
    public func record(_ attempt: AttemptID) async throws -> AttemptRecord? {
        try await facts(AttemptKey(attempt)).map(AttemptRecord.init)
    }

    /// All attempts that are not decided.
    public func openRecords() async throws -> [AttemptRecord] {
        try await page(.open, scope: "", after: nil, limit: 1_000).rows.map(AttemptRecord.init)
    }
}
