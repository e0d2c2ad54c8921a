import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport

/// The memory provider behind one of the two carriers, with a client that was given a transport to it.
struct FaultBench: Sendable {
    /// Which carrier is between the client and the provider.
    enum Carrier: String, Sendable, CaseIterable { case inProcess, socket }

    /// How long the socket carrier's client waits for a sign of life that never comes, in milliseconds.
    static let stallMillisecondsMin: Int64 = 100

    let provider: MemoryBackend
    let plan: FaultPlan
    let clock: SimulatorClock
    let origin: Origin
    let transport: any HTTPTransport
    private let server: SimulatorServer?

    static func open(_ injector: Carrier, stallMilliseconds: Int64 = 60_000) async throws -> FaultBench {
        let clock = SimulatorClock(SystemClock())
        let provider = MemoryBackend(clock: clock)
        let bench = FaultBench(provider, clock)
        guard injector == .socket else { return bench }
        let server = try SimulatorServer()
        let origin = try await server.listen(bench.service)
        var configuration = CurlTransport.Configuration()
        configuration.idleTimeoutMilliseconds = stallMilliseconds
        return FaultBench(bench, server, origin, CurlTransport(configuration))
    }

    private init(_ provider: MemoryBackend, _ clock: SimulatorClock) {
        let plan = FaultPlan()
        (self.provider, self.clock, self.plan, server) = (provider, clock, plan, nil)
        origin = Origin(.http, "memory.test")
        transport = InProcessTransport([origin: FaultInjector(provider, plan: plan, clock: clock)], clock: clock)
    }

    private init(_ bench: FaultBench, _ server: SimulatorServer, _ origin: Origin, _ transport: any HTTPTransport) {
        (provider, clock, plan, self.server) = (bench.provider, bench.clock, bench.plan, server)
        (self.origin, self.transport) = (origin, transport)
    }

    private var service: FaultInjector { FaultInjector(provider, plan: plan, clock: clock) }

    func close() async {
        await (transport as? CurlTransport)?.close()
        await server?.stop()
    }

    /// A client on the real clock; on the thread of a real transport where that is asked for.
    func client(onTheTransportsThread isOnItsThread: Bool = false) throws -> PaymentClient {
        let configuration = MemoryConfiguration(endpoint: origin, secret: provider.clientSecret)
        var dependencies = ClientOptions(journal: .memory)
        dependencies.clock = clock
        if isOnItsThread { dependencies.executor = (transport as? CurlTransport)?.executor }
        return try PaymentClient(MemoryDriver(configuration, transport), dependencies)
    }
}
