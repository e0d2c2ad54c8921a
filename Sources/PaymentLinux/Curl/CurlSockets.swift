internal import CCurl
internal import CLinux
internal import PaymentSystem

/// What the system watches libcurl's sockets for.
///
/// Between two requests libcurl doesn't want to hear of a connection. To tell the system so, and the opposite a moment
/// later, would be two calls for each request; so a connection stays watched, and is let go of when it has something to
/// say that nobody wants to hear.
final class CurlSockets {
    private struct Watched {
        /// Nil where the system doesn't watch it.
        var events: UInt32?
        var isWanted = false
        /// Whether we are told when it is closed; the sockets with which libcurl talks to itself are closed in silence.
        let isConnection: Bool
    }

    private let epoll: Int32
    private var sockets: [Int32: Watched] = [:]

    init(_ epoll: Int32) { self.epoll = epoll }

    /// A connection's socket, just made.
    func open(_ descriptor: Int32) { sockets[descriptor] = Watched(isConnection: true) }

    /// Closes a connection's socket.
    func close(_ descriptor: Int32) -> Int32 {
        if let socket = sockets.removeValue(forKey: descriptor), socket.events != nil { forget(descriptor) }
        return PaymentSystem.close(descriptor)
    }

    /// What libcurl wants to hear of a socket from now on; false where the system refuses.
    func watch(_ descriptor: Int32, _ wanted: Int32) -> Bool {
        var socket = sockets[descriptor] ?? Watched(isConnection: false)
        if wanted == CURL_POLL_REMOVE {
            socket.isWanted = false
            if !socket.isConnection { forget(descriptor) }
            sockets[descriptor] = socket.isConnection ? socket : nil
            return true
        }
        var events: UInt32 = 0
        if wanted & CURL_POLL_IN != 0 { events |= EPOLLIN.rawValue }
        if wanted & CURL_POLL_OUT != 0 { events |= EPOLLOUT.rawValue }
        if socket.events != events {
            let operation = socket.events == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
            guard pay_epoll_control(epoll, operation, descriptor, events) == 0 else { return false }
        }
        (socket.events, socket.isWanted) = (events, true)
        sockets[descriptor] = socket
        return true
    }

    /// Whether libcurl wants to hear what happened on a socket; it is let go of where not.
    func isWanted(_ descriptor: Int32) -> Bool {
        guard let socket = sockets[descriptor], !socket.isWanted else { return true }
        if socket.events != nil { forget(descriptor) }
        sockets[descriptor]?.events = nil
        return false
    }

    private func forget(_ descriptor: Int32) { _ = pay_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0) }
}
