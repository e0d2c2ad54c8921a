internal import CCurl
internal import CLinux

/// What happened on a socket, in libcurl's words.
struct CurlEvent: Sendable {
    let descriptor: Int32
    let mask: Int32

    init(_ event: epoll_event) {
        descriptor = unsafe event.data.fd
        // An error is told as both, so that libcurl finds out by itself what became of the connection.
        let failed = EPOLLERR.rawValue | EPOLLHUP.rawValue
        var mask: Int32 = 0
        if unsafe event.events & (EPOLLIN.rawValue | failed) != 0 { mask |= CURL_CSELECT_IN }
        if unsafe event.events & (EPOLLOUT.rawValue | failed) != 0 { mask |= CURL_CSELECT_OUT }
        self.mask = mask
    }
}
