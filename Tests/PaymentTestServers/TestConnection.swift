internal import COpenSSL
internal import Glibc

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
