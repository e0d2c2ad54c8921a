public import MemoryProvider
public import PaymentAbstraction
public import PaymentBase
public import PaymentSandbox
public import PaymentTesting
public import PaymentTransport

/// Everything that a test of the client needs: a stage, the memory company, a reader, a journal.
public struct Till: Sendable {
    public let stage: Stage
    public let backend: MemoryBackend
    public let reader: SimulatedReader
    public let random = SeededRandom(seed: 1)
    public var journal: any Journal = MemoryJournal()
    public var answers = Answers()
    public var owners: any OwnerRegistry = SoleOwner()
    public var owner: String?

    /// The company's address.
    public static let origin = Origin(.http, "memory.test", 80)

    public init(seed: UInt64? = nil, now: Int64? = nil) {
        stage = now.map { Stage(now: $0, seed: seed) } ?? Stage(seed: seed)
        backend = MemoryBackend(clock: stage)
        reader = SimulatedReader(clock: stage, executor: stage)
    }

    /// A transport straight to the company.
    public var transport: any HTTPTransport { InProcessTransport([Self.origin: backend]) }

    /// The driver over a transport.
    public func driver(_ transport: (any HTTPTransport)? = nil, name: String = "memory") -> MemoryDriver {
        var configuration = MemoryConfiguration(
            name: name, endpoint: Self.origin, secret: Secret("memory-client-secret"))
        configuration.webhookSecret = Secret("memory-webhook-secret")
        return MemoryDriver(configuration, transport ?? self.transport)
    }

    public var surroundings: Surroundings {
        var given = Surroundings(journal: journal)
        (given.clock, given.random, given.executor) = (stage, random, stage)
        (given.reader, given.answers, given.owners, given.owner) = (reader, answers, owners, owner)
        return given
    }

    /// A client over the driver.
    public func client(_ transport: (any HTTPTransport)? = nil) throws(PaymentError) -> PaymentClient {
        try PaymentClient(driver(transport), surroundings)
    }

    /// A client over any driver.
    public func client(over driver: any PaymentDriver) throws(PaymentError) -> PaymentClient {
        try PaymentClient(driver, surroundings)
    }

    /// Runs a body on the stage.
    public func play<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try stage.play(body)
    }

    /// The error that a body on the stage ends with.
    public func failure(_ body: @escaping @Sendable () async throws -> Void) -> PaymentError? {
        do { try stage.play(body) } catch { return error as? PaymentError }
        return nil
    }
}
