internal import Glibc
internal import PaymentBase

/// A server on another address of this machine that knows no TLS and asks for passwords in plain text, as an attacker
/// between a till and its database would.
public final class PostgresImpostor: Sendable {
    /// Where it listens. The loopback has more addresses than 127.0.0.1, and a journal takes none of them for local.
    public static let address = "127.0.0.2"
    /// The port at which it listens.
    public let port: Int

    private let listener: Int32
    private let heard = Locked([String]())

    /// What clients ask first, as numbers in the place of a protocol's version.
    private static let (asksForTLS, asksForGSS): (UInt32, UInt32) = (80_877_103, 80_877_104)
    /// How long a message may be, in bytes.
    private static let bytesMax = 10_000

    /// Listens at a port that the system chooses.
    public init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: place.sin_port))
        guard listener >= 0, isBound, listen(listener, 16) == 0 else {
            throw PostgresServer.Failed(words: "no port of \(Self.address) is free")
        }
        let isStarted = DedicatedThread.start { [heard] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { return }
                Self.serve(client) { words in heard.withLock { $0.append(words) } }
                close(client)
            }
        }
        if !isStarted { throw PostgresServer.Failed(words: "no thread is left") }
    }

    /// What clients said, in order: `TLS?` where one asked for it, `startup`, and `password` with what it sent.
    public var said: [String] { heard.withLock { $0 } }

    /// Ends it.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ client: Int32, _ hear: (String) -> Void) {
        var code: UInt32
        repeat {
            guard let count = number(client), let asked = number(client),
                read(client, Int(count) - 8) != nil
            else { return }
            code = asked
            if code == asksForTLS { hear("TLS?") }
            if code == asksForTLS || code == asksForGSS, !write(client, [UInt8(ascii: "N")]) { return }
        } while code == asksForTLS || code == asksForGSS
        hear("startup")
        // AuthenticationCleartextPassword.
        guard write(client, [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]), read(client, 1) != nil,
            let count = number(client), let password = read(client, Int(count) - 4)
        else { return }
        hear("password \(String(decoding: password.prefix { $0 != 0 }, as: UTF8.self))")
    }

    private static func number(_ client: Int32) -> UInt32? {
        read(client, 4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    private static func read(_ client: Int32, _ count: Int) -> [UInt8]? {
        guard (0...bytesMax).contains(count) else { return nil }
        // Of nothing there is nothing to wait for.
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func write(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
