#if os(Linux) && !APPLE_CHECK
internal import PaymentBase
internal import PaymentSystem

/// Reports when a process may have written to a journal's log, another process too, without looking all the time: the
/// system wakes a thread. Where the system can't, or has no room for one more, that thread looks four times a second.
///
/// It lives while a caller waits, so that it costs nothing otherwise.
final class WALWatcher: Sendable {
    private let isClosed = Locked(false)
    private let inside: Int32
    private let outside: Int32

    /// How long to wait between two looks where the system doesn't tell, in milliseconds.
    private static let lookMilliseconds: Int32 = 250
    /// The log is written before the commit counts, which may take as long as the disk likes: after each sign one looks
    /// again, each time after twice as long, up to this, in milliseconds.
    private static let againMilliseconds: Int32 = 8_192

    /// Watches a log from now on; `changed` is called on the thread of the watch.
    init(log path: String, changed: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pipe(&ends)
        precondition(code == 0, "no pipe could be made: too many files are open")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (inside, outside) = (ends[0], ends[1])
        let (bell, watch) = (inside, Self.watch(path))
        let isClosed = isClosed
        _ = DedicatedThread.start {
            // What was written just before the watch was there may not count yet either.
            var pause: Int32 = 1
            while !isClosed.withLock({ $0 }) {
                pause = Self.wait(bell, watch, pause)
                if !isClosed.withLock({ $0 }) { changed() }
            }
            for descriptor in [bell, watch] where descriptor >= 0 { close(descriptor) }
        }
    }

    /// Ends the thread.
    func end() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        // The other end of the bell is read once more, and closed by the thread.
        if isFirst { close(outside) }
    }

    deinit { end() }

    /// Waits for a sign, or until it is time to look again; gives how long to wait next.
    private static func wait(_ bell: Int32, _ watch: Int32, _ pause: Int32) -> Int32 {
        var waited = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
        if watch >= 0 { waited.append(pollfd(fd: watch, events: Int16(POLLIN), revents: 0)) }
        _ = unsafe poll(&waited, nfds_t(waited.count), watch < 0 ? lookMilliseconds : pause)
        guard waited.count > 1, waited[1].revents != 0 else {
            return pause < 0 || pause >= againMilliseconds ? -1 : pause * 2
        }
        // All events say the same.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while unsafe read(watch, &bytes, bytes.count) < 0, errno == EINTR {}
        return 1
    }

    /// A descriptor that can be read when the log was written; -1 where the system has none.
    private static func watch(_ path: String) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return -1 }
        if unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 { return descriptor }
        close(descriptor)
        return -1
    }
}
#endif
