import Glibc

/// A connection to the loopback whose owner decides when it sends and takes anything.
final class LoopbackClient {
    private var socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(socket, $0, length) }
        }
        guard code == 0 else {
            close()
            throw NotHere(what: "no connection to port \(port): error \(errno)")
        }
    }

    deinit { close() }

    /// Whether this process may have so many descriptors, after asking for them.
    static func mayOpen(_ count: Int) -> Bool {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        if limit.rlim_cur >= UInt(count) { return true }
        limit.rlim_cur = min(limit.rlim_max, UInt(count))
        return unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            && limit.rlim_cur >= UInt(count)
    }

    /// Sends what the system takes at once; whether that was all.
    @discardableResult func push(_ bytes: [UInt8]) -> Bool {
        let (end, flags) = (socket, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        return unsafe bytes.withUnsafeBytes { unsafe send(end, $0.baseAddress, $0.count, flags) } == bytes.count
    }

    func readToEnd() -> [UInt8] {
        var (taken, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            let count = unsafe recv(socket, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return taken }
            taken += chunk.prefix(count)
        }
    }

    func close() {
        if socket >= 0 { _ = Glibc.close(socket) }
        socket = -1
    }
}
