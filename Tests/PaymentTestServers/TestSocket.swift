internal import Glibc

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

    /// A port where nobody listens, nor can as long as the program runs: its socket is never closed.
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
