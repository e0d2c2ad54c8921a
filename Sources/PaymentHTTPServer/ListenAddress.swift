internal import PaymentSystem

/// Where a server listens: an address of this machine and a port.
package struct ListenAddress: Hashable, Sendable {
    /// The address in digits, such as `127.0.0.1` or `::1`.
    package let host: String
    /// The port; 0 for one that the system chooses.
    package let port: Int
    private let isVersion6: Bool

    /// The most connections that wait to be accepted.
    private static let backlog: Int32 = 512

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
    ///
    /// - Throws: ``HTTPServerError`` if the text is none of these.
    package init(_ text: String) throws(HTTPServerError) {
        let wrong = HTTPServerError(
            "The address to listen on is ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080 (got \(text.prefix(64))).")
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw wrong }
        var name = String(text[..<colon])
        let digits = text[text.utf8.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
            throw wrong
        }
        if name == "localhost" { name = "127.0.0.1" }
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = String(name.dropFirst().dropLast())
            var address = in6_addr()
            guard unsafe inet_pton(AF_INET6, name, &address) == 1 else { throw wrong }
            isVersion6 = true
        } else {
            var address = in_addr()
            guard unsafe inet_pton(AF_INET, name, &address) == 1 else { throw wrong }
            isVersion6 = false
        }
        (host, self.port) = (name, Int(port))
    }

    /// A port that the system chooses, for this machine alone.
    package static let anyLoopbackPort = ListenAddress(loopback: 0)

    private init(loopback port: Int) { (host, self.port, isVersion6) = ("127.0.0.1", port, false) }

    /// Whether only programs of this machine can reach it.
    package var isLoopback: Bool { isVersion6 ? host == "::1" : host.hasPrefix("127.") }

    /// The address with another port, as a URL has it.
    package func text(port: Int) -> String { isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Opens a socket that listens, and says on which port.
    func open() throws(HTTPServerError) -> (descriptor: Int32, port: Int) {
        let family = isVersion6 ? AF_INET6 : AF_INET
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw HTTPServerError("The system gives no socket (errno \(errno)).") }
        var isOn: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor), listen(descriptor, Self.backlog) == 0 else {
            let code = errno
            close(descriptor)
            let why =
                code == EADDRINUSE
                ? "another program uses it; end that one or choose another port" : "the system says errno \(code)"
            throw HTTPServerError("The server can't listen on \(text(port: port)): \(why).")
        }
        return (descriptor, boundPort(descriptor))
    }

    private func bind(_ descriptor: Int32) -> Bool {
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(truncatingIfNeeded: port).bigEndian
            _ = unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe PaymentSystem.bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        _ = unsafe inet_pton(AF_INET, host, &address.sin_addr)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe PaymentSystem.bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// The port that a socket has got; the port is at the same place in the addresses of both versions.
    private func boundPort(_ descriptor: Int32) -> Int {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &size)
            }
        }
        return code == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : port
    }
}
