import Glibc
import PaymentTestServers

/// A client that writes and reads bytes as they are.
final class RawClient {
    /// How long one read may last before a test is taken to have failed, in seconds.
    private static let readSeconds = 20
    private let socket: Int32
    private(set) var wasReset = false

    init(port: Int) throws {
        socket = try TestSocket.connect(port: port)
        var time = timeval(tv_sec: Self.readSeconds, tv_usec: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { TestSocket.close(socket) }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more will come.
    func endWriting() { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Some bytes, or none at the end.
    func readSome() -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &part, 65_536, 0)
        if count < 0, errno == ECONNRESET { wasReset = true }
        return Array(part.prefix(max(0, count)))
    }

    /// Everything up to the end of the connection.
    func readToEnd() -> String {
        var bytes: [UInt8] = []
        while true {
            let part = readSome()
            if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += part
        }
    }

    /// Reads until a text has come, and gives everything so far.
    func read(until text: String) -> String {
        var bytes: [UInt8] = []
        while true {
            let part = readSome()
            bytes += part
            let all = String(decoding: bytes, as: UTF8.self)
            if part.isEmpty || all.contains(text) { return all }
        }
    }
}
