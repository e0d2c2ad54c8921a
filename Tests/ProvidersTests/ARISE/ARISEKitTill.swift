import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// A till whose phone runs the kit, in front of the simulated platform; the phone was activated once.
struct ARISEKitTill {
    var inner: ARISEBench
    let kit: SimulatedARISESDK
    let session = SimulatedARISESDK.Session()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random = SeededRandom(seed: 1)

    var scheduler: TestScheduler { inner.scheduler }
    var backend: ARISESimulator { inner.backend }

    init(_ account: ARISEAccount = ARISEAccount(), isActive: Bool = true) {
        let inner = ARISEBench(account)
        self.inner = inner
        if isActive { inner.backend.activate(SimulatedARISESDK.device) }
        let line = ObservedLine(
            InProcessTransport([ARISEBench.origin: JudgedService(inner.backend)], clock: inner.scheduler)
        ) { [requests = inner.requests, overriding = inner.overriding] request in
            requests.withLock { $0.append(request) }
            return overriding.withLock { $0 }(request)
        }
        kit = SimulatedARISESDK(
            clock: inner.scheduler, executor: inner.scheduler, reader: inner.reader, transport: line,
            origin: ARISEBench.origin, session: session)
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor) = (scheduler, scheduler)
        given.random = random
        return try PaymentClient(ARISEMobileDriver(inner.driver, kit), given)
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

    /// A sale of fifteen dollars under an attempt of that name.
    static func sale(
        _ client: PaymentClient, _ cents: Int64 = 1_500, _ name: String = "a-1"
    ) async throws -> PaymentResult {
        try await client.sale(.dollars(cents), from: .reader, reference: "order_\(name)", attempt: try AttemptID(name))
    }

    /// What a sale is told as, in a word or two.
    func told(_ cents: Int64 = 1_500) throws -> String {
        do {
            switch try play({ try await Self.sale($0, cents) }) {
            case .approved(let payment): return "approved \(payment.approved.minorUnits)"
            case .declined(let decline): return "declined \(decline.reason)"
            case .cancelled(let cancellation): return "cancelled \(cancellation.cause)"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }
}
