internal import CLinux
internal import PaymentSystem

/// The calls to the system that begin and end connections; loopback only.
enum ListeningSocket {
    /// How many connections may wait to be accepted.
    static let backlog: Int32 = 512

    /// A listening socket and its port; 0 lets the system choose one.
    static func open(port: Int) throws(SimulatorServerError) -> (descriptor: Int32, port: Int) {
        guard let number = UInt16(exactly: port) else { throw .noSocket(code: EINVAL) }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_INET, Int32(kind), 0)
        guard descriptor >= 0 else { throw .noSocket(code: errno) }
        var isReused: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard unsafe bind(descriptor, pointer, length) == 0, listen(descriptor, backlog) == 0 else {
                    return errno
                }
                return unsafe getsockname(descriptor, pointer, &length) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw code == EADDRINUSE ? .portTaken(port) : .noSocket(code: code)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// What one attempt to accept gave.
    enum Accepted {
        case connection(Int32)
        case none
        /// The system has no descriptors left, or worse.
        case failed
    }

    /// The next connection that waits.
    static func accept(_ listener: Int32) -> Accepted {
        while true {
            let descriptor = pay_accept(listener)
            if descriptor >= 0 {
                var isPrompt: Int32 = 1
                unsafe setsockopt(
                    descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, socklen_t(MemoryLayout<Int32>.size))
                return .connection(descriptor)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return .none
            case _: return .failed
            }
        }
    }
}
