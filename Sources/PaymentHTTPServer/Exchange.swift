internal import CMicroHTTP
internal import PaymentBase

/// A connection of the library, as a value that threads can pass on.
struct ConnectionHandle: Hashable, Sendable {
    private let address: UInt

    init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        address = UInt(bitPattern: pointer)
    }

    /// Takes the connection out of the loop. Only the library's thread may call it.
    func suspend() { unsafe MHD_suspend_connection(OpaquePointer(bitPattern: address)) }

    /// Puts a suspended connection back; any thread may call it, once for each suspension.
    func resume() { unsafe MHD_resume_connection(OpaquePointer(bitPattern: address)) }
}

/// One request with its answer. The library calls about it on one thread; the task that answers it runs on another.
final class Exchange: Sendable {
    /// How far it has come.
    enum Phase: Sendable {
        /// The first line was read.
        case begun
        /// The body comes.
        case reading(RequestHead, [UInt8])
        /// It is refused; the rest of its body is thrown away.
        case refused(ServerResponse)
        /// A task works on the answer, and the connection is suspended.
        case answering
        /// The answer is ready.
        case answered(ServerResponse)
        /// The library has the answer.
        case handedOver
    }

    let target: String
    let connection: ConnectionHandle?
    private let phase = Locked(Phase.begun)

    init(target: String, connection: ConnectionHandle?) { (self.target, self.connection) = (target, connection) }

    /// Changes the phase.
    func update<Value: Sendable>(_ body: (inout Phase) -> Value) -> Value { phase.withLock { body(&$0) } }
}

/// A streamed body with the connection that it goes to.
final class StreamedBody: Sendable {
    let connection: ConnectionHandle?
    let buffer: StreamBuffer
    private let ended: @Sendable () -> Void

    init(_ connection: ConnectionHandle?, bytesMax: Int, ended: @escaping @Sendable () -> Void) {
        (self.connection, self.ended) = (connection, ended)
        buffer = StreamBuffer(bytesMax: bytesMax) { connection?.resume() }
    }

    /// The library is done with it.
    func close() {
        buffer.close()
        ended()
    }
}
