internal import Foundation
public import PaymentBase

/// A server on the loopback whose behaviour is a closure: one thread for each connection, so the closure may block.
public final class TestServer: Sendable {
    private struct State {
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// Where it listens, chosen by the system.
    public let port: Int
    /// Every request that was read completely, in order.
    public let requests = Locked([TestRequest]())
    /// How many connections were accepted.
    public let connectionCount = Locked(0)

    private let listener: Int32
    private let state = Locked(State())
    private let identity: TestIdentity?
    private let handle: @Sendable (TestConnection) throws -> Void

    /// Starts listening; with an identity, every connection begins with a TLS handshake.
    public init(
        _ identity: TestIdentity? = nil, _ handle: @escaping @Sendable (TestConnection) throws -> Void
    ) throws {
        (listener, port) = try TestSocket.listen(backlog: 64)
        (self.identity, self.handle) = (identity, handle)
        Thread { [self] in accept() }.start()
    }

    /// Answers every request on every connection with what the closure gives.
    public convenience init(
        _ identity: TestIdentity? = nil, answering answer: @escaping @Sendable (TestRequest) -> String
    ) throws {
        try self.init(identity) { connection in
            while let request = try connection.readRequest() { try connection.write(answer(request)) }
        }
    }

    /// Ends every connection and the listening.
    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            TestSocket.shutDown(listener)
            for connection in state.connections { TestSocket.shutDown(connection) }
        }
    }

    private func accept() {
        while let socket = TestSocket.accept(listener) {
            let isStopped = state.withLock { state in
                state.connections.insert(socket)
                return state.isStopped
            }
            connectionCount.withLock { $0 += 1 }
            if isStopped { TestSocket.shutDown(socket) }
            Thread { [self] in serve(socket) }.start()
        }
        TestSocket.close(listener)
    }

    private func serve(_ socket: Int32) {
        let connection = TestConnection(socket, identity) { [self] request in
            requests.withLock { $0.append(request) }
        } closing: { [self] close in
            // Under the lock, so that `stop` never meets a descriptor that belongs to somebody else by then.
            state.withLock { state in
                state.connections.remove(socket)
                close()
            }
        }
        do {
            try connection.begin()
            try handle(connection)
        } catch {
            // The other side went away, which is what many tests are about.
        }
        connection.end()
    }
}
