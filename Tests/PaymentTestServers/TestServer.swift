internal import COpenSSL
internal import Foundation
internal import Glibc
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
            // Under the lock, so that `stop` never meets a descriptor that belongs to another connection by then.
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

/// One accepted connection, on the thread that serves it.
@safe public final class TestConnection {
    /// The other side closed, or reading failed.
    public struct Ended: Error {}

    private let socket: Int32
    private let identity: TestIdentity?
    private let note: (TestRequest) -> Void
    private let closing: (() -> Void) -> Void
    private var ssl: OpaquePointer?
    private var buffer: [UInt8] = []
    private var isOpen = true

    init(
        _ socket: Int32, _ identity: TestIdentity?, note: @escaping (TestRequest) -> Void,
        closing: @escaping (() -> Void) -> Void
    ) {
        (self.socket, self.identity, self.note, self.closing) = (socket, identity, note, closing)
    }

    /// Makes writing to a closed connection an error on this thread rather than a signal, then shakes hands.
    func begin() throws {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let identity else { return }
        unsafe ssl = SSL_new(identity.context)
        guard unsafe SSL_set_fd(ssl, socket) == 1, unsafe SSL_accept(ssl) == 1 else { throw Ended() }
    }

    /// Closes unless that has happened; after this the descriptor belongs to the system again.
    func end() {
        if isOpen { close() }
        unsafe SSL_free(ssl)
        unsafe ssl = nil
    }

    /// Closes in good order.
    public func close() {
        if unsafe ssl != nil { unsafe SSL_shutdown(ssl) }
        isOpen = false
        closing { TestSocket.close(socket) }
    }

    /// Resets the connection (SO_LINGER 0), which the other side sees as an error rather than an end.
    public func reset() {
        isOpen = false
        closing { TestSocket.reset(socket) }
    }

    /// Writes all of a text.
    public func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes all bytes.
    public func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                if unsafe ssl != nil { return unsafe Int(SSL_write(ssl, rest.baseAddress, Int32(rest.count))) }
                return unsafe send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads exactly so many bytes.
    public func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { if !fill() { throw Ended() } }
        let bytes = Array(buffer.prefix(count))
        buffer.removeFirst(count)
        return bytes
    }

    /// Waits until the other side has closed, whatever it says before.
    public func readToEnd() { while fill() { buffer.removeAll() } }

    /// Reads one request with its body; nil when the other side closed before one began.
    public func readRequest() throws -> TestRequest? {
        guard let lines = try readHead(), let line = lines.first else { return nil }
        let head = TestRequest(line: line, headers: Array(lines.dropFirst()), body: [])
        let count = head.header("Content-Length").flatMap { Int($0) } ?? 0
        let request = TestRequest(line: line, headers: head.headers, body: try read(count))
        note(request)
        return request
    }

    /// Reads the lines up to the empty one; nil when the other side closed before the first byte.
    public func readHead() throws -> [String]? {
        while true {
            if let end = headEnd() {
                let text = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return text.split(separator: "\r\n").map(String.init)
            }
            if !fill() {
                if buffer.isEmpty { return nil }
                throw Ended()
            }
        }
    }

    private func headEnd() -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first { Array(buffer[$0..<($0 + 4)]) == [13, 10, 13, 10] }
    }

    private func fill() -> Bool {
        guard isOpen else { return false }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let size = bytes.count
        let count =
            if unsafe ssl != nil {
                unsafe Int(SSL_read(ssl, &bytes, Int32(size)))
            } else {
                unsafe recv(socket, &bytes, size, 0)
            }
        guard count > 0 else { return false }
        buffer.append(contentsOf: bytes.prefix(count))
        return true
    }
}

/// One request as the server read it.
public struct TestRequest: Sendable, Hashable {
    /// The first line.
    public let line: String
    /// The header lines.
    public let headers: [String]
    /// The body.
    public let body: [UInt8]

    /// The value of a header, or nil.
    public func header(_ name: String) -> String? {
        let prefix = name.lowercased() + ":"
        guard let line = headers.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
        return String(line.dropFirst(prefix.count).drop { $0 == " " })
    }
}

/// The socket calls of the tests.
public enum TestSocket {
    /// A call to the system failed.
    public struct Failure: Error {
        /// What `errno` said.
        public let code: Int32
    }

    /// A listening socket on the loopback and its port.
    public static func listen(backlog: Int32) throws -> (socket: Int32, port: Int) {
        let (listener, port) = try bound()
        guard Glibc.listen(listener, backlog) == 0 else { throw Failure(code: errno) }
        return (listener, port)
    }

    /// A socket that has a port of the loopback, chosen by the system, and doesn't listen.
    private static func bound() throws -> (socket: Int32, port: Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(code: errno) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard unsafe bind(socket, pointer, length) == 0 else { return -1 }
                return unsafe getsockname(socket, pointer, &length)
            }
        }
        guard code == 0 else { throw Failure(code: errno) }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A connection to a port of the loopback.
    public static func connect(port: Int) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(socket, pointer, length)
            }
        }
        guard code == 0 else { throw Failure(code: errno) }
        return socket
    }

    /// A port where no server listens, nor can as long as the program runs: its socket is never closed.
    public static func closedPort() throws -> Int { try bound().port }

    /// Closes with a reset (RST) instead of an orderly end (FIN).
    public static func reset(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<Glibc.linger>.size)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, size)
        close(socket)
    }

    /// Closes.
    public static func close(_ socket: Int32) { _ = Glibc.close(socket) }

    static func accept(_ listener: Int32) -> Int32? {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket >= 0 { return socket }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    static func shutDown(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RDWR)) }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Waiting on a thread of the test server, which is no task.
public enum Blocking {
    /// Blocks this thread until the promise is fulfilled.
    public static func wait(for promise: Promise<Bool>) {
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = await promise.value()
            done.signal()
        }
        done.wait()
    }
}

/// The server's side of HTTP/2 (RFC 9113), as little of it as a test needs: whole requests in, canned frames out.
public final class HTTP2Peer {
    private let connection: TestConnection

    /// Reads the client's preface and answers with empty settings.
    public init(_ connection: TestConnection) throws {
        self.connection = connection
        _ = try connection.read(24)
        try frame(type: 4, flags: 0, stream: 0, [])
    }

    /// Waits for the end of the next request and gives its stream's number.
    public func readRequest() throws -> UInt32 {
        while true {
            let head = try connection.read(9)
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let (type, flags) = (head[3], head[4])
            let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            _ = try connection.read(length)
            if type == 4, flags & 1 == 0 { try frame(type: 4, flags: 1, stream: 0, []) }
            if type == 0 || type == 1, flags & 1 != 0 { return stream }
        }
    }

    /// Answers with status 200 and no body: one byte of header compression's static table.
    public func answer(_ stream: UInt32) throws { try frame(type: 1, flags: 5, stream: stream, [0x88]) }

    /// Ends a stream; code 7 promises that nothing was executed.
    public func resetStream(_ stream: UInt32, code: UInt8) throws {
        try frame(type: 3, flags: 0, stream: stream, [0, 0, 0, code])
    }

    /// Says that streams after `last` were not looked at and that the connection ends.
    public func goAway(last: UInt32) throws {
        try frame(type: 7, flags: 0, stream: 0, bytes(last) + [0, 0, 0, 0])
    }

    private func frame(type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) throws {
        let length = UInt32(payload.count)
        try connection.write(bytes(length).dropFirst() + [type, flags] + bytes(stream) + payload)
    }

    private func bytes(_ word: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
}

/// The server's side of a WebSocket, written for tests alone: it frames what a server may send, and what it may not.
public final class WebSocketPeer {
    /// One frame as it came.
    public struct Frame: Sendable, Hashable {
        /// The first byte: final flag, reserved bits, opcode.
        public let first: UInt8
        /// Whether it was masked, as everything from a client must be.
        public let isMasked: Bool
        /// The content, unmasked.
        public let payload: [UInt8]

        /// Makes a frame to compare with.
        public init(first: UInt8, isMasked: Bool, payload: [UInt8]) {
            (self.first, self.isMasked, self.payload) = (first, isMasked, payload)
        }
    }

    /// The request that opened it.
    public let request: TestRequest
    private let connection: TestConnection

    /// Reads the handshake and agrees to it, with `extra` lines in the reply.
    public init(_ connection: TestConnection, extra: String = "", acceptKey: String? = nil) throws {
        guard let request = try connection.readRequest() else { throw TestConnection.Ended() }
        (self.request, self.connection) = (request, connection)
        let key = request.header("Sec-WebSocket-Key") ?? ""
        let accept = acceptKey ?? Self.accept(key)
        try connection.write(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\(extra)\r\n")
    }

    /// Reads one frame.
    public func readFrame() throws -> Frame {
        let head = try connection.read(2)
        var count = Int(head[1] & 0x7F)
        if count >= 126 {
            count = try connection.read(count == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        let isMasked = head[1] & 0x80 != 0
        let mask = isMasked ? try connection.read(4) : [0, 0, 0, 0]
        let payload = try connection.read(count).enumerated().map { $0.element ^ mask[$0.offset % 4] }
        return Frame(first: head[0], isMasked: isMasked, payload: payload)
    }

    /// Writes one frame, its first byte given whole.
    public func write(_ first: UInt8, _ payload: [UInt8]) throws {
        try connection.write(Self.frame(first, payload))
    }

    /// The bytes of one frame.
    public static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        if count < 126 { return [first, UInt8(count)] + payload }
        if count < 65_536 { return [first, 126, UInt8(count >> 8), UInt8(count & 255)] + payload }
        return [first, 127, 0, 0, 0, 0] + [24, 16, 8, 0].map { UInt8(count >> $0 & 255) } + payload
    }

    private static func accept(_ key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var written: UInt32 = 0
        unsafe EVP_Digest(text, text.count, &digest, &written, EVP_sha1(), nil)
        var base64 = [UInt8](repeating: 0, count: 29)
        unsafe EVP_EncodeBlock(&base64, digest, 20)
        return String(decoding: base64.prefix(28), as: UTF8.self)
    }
}
