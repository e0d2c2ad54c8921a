public import PaymentTransport

/// Simulated providers on real sockets: each has a port of its own on the loopback, chosen by the system.
///
/// ```swift
/// let server = try SimulatorServer()
/// let origin = try await server.listen(provider)        // http://127.0.0.1:PORT
/// …
/// await server.stop()                                  // open requests are finished
/// ```
///
/// One port per provider rather than one path per provider: paths are then those of the provider's documents, and two
/// providers are two origins, so that a redirect or a credential that goes to the wrong one is seen.
///
/// All of them share one thread with an epoll loop. It speaks HTTP/1.1 with kept-alive connections, chunked request
/// bodies, `Expect: 100-continue` and WebSockets. Pipelined requests are answered one after the other.
/// A client that ends its side of the connection while it waits for an answer is taken to have gone away.
public final class SimulatorServer: Sendable {
    /// What it shows in TLS handshakes; nil for a server without TLS.
    public let identity: SimulatorCertificate?
    private let core: ServerCore

    /// Starts the thread; nothing is listened to yet. With an identity, every port speaks TLS.
    public init(identity: SimulatorCertificate? = nil, limits: Limits = Limits()) throws(SimulatorServerError) {
        guard let loop = EventLoop() else { throw .noLoop }
        self.identity = identity
        core = ServerCore(loop, identity, limits)
        guard core.start() else { throw .noLoop }
    }

    deinit { Task(executorPreference: core.loop) { [core] in await core.stop() } }

    /// Opens a port for a provider, or for whatever else answers requests.
    ///
    /// - Throws: ``SimulatorServerError`` when the port is taken or the server was stopped.
    public func listen(_ service: any SimulatorService, port: Int = 0) async throws(SimulatorServerError) -> Origin {
        try await core.listen(service, port: port)
    }

    /// The same without waiting: connections are taken from now on, and served as soon as the server's thread gets to
    /// it.
    ///
    /// - Throws: ``SimulatorServerError`` when the port is taken.
    public func begin(_ service: any SimulatorService, port: Int = 0) throws(SimulatorServerError) -> Origin {
        try core.begin(service, port: port)
    }

    /// Accepts nothing more, finishes open requests, and returns when every connection is closed; what is still open
    /// after ``Limits/stopMilliseconds`` is reset.
    public func stop() async { await core.stop() }
}
