internal import CLinux
internal import COpenSSL
internal import PaymentBase
internal import PaymentSystem

/// One thread that waits for sockets with epoll and runs the jobs of the actor that lives on it in between.
///
/// The actor's state can thus hold what belongs to the thread, and a handler that the actor calls answers without any
/// change of thread. Tasks that prefer it stay on the thread where they belong to no actor, so that a server needs
/// nothing of the shared pool and can serve tasks that block it. The thread ends when ``end()`` was called and nothing
/// is left to run.
final class EventLoop: SerialExecutor, TaskExecutor {
    /// How many events are taken at a time.
    private static let eventsMax = 256

    private struct State {
        var jobs: [UnownedJob] = []
        var isWoken = false
        var isEnded = false
        var thread: pthread_t?
    }

    private let state = Locked(State())
    private let epoll: Int32
    private let wake: Int32

    /// Makes the descriptors; nil when the system has none left.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard epoll >= 0, wake >= 0, watch(wake, EPOLLIN.rawValue, isNew: true) else {
            if epoll >= 0 { close(epoll) }
            if wake >= 0 { close(wake) }
            return nil
        }
    }

    // MARK: The executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            if state.isWoken { return false }
            state.isWoken = true
            return state.thread.map { pthread_equal($0, pthread_self()) == 0 } ?? true
        }
        if mustWake { wakeUp() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isOnThread, "this runs on the loop's thread only") }

    func isIsolatingCurrentContext() -> Bool? { isOnThread }

    private var isOnThread: Bool {
        state.withLock { $0.thread }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    /// Makes the thread take another turn soon.
    func nudge() { wakeUp() }

    private func wakeUp() { eventfd_write(wake, 1) }

    /// Lets the thread end; nothing may be enqueued any more.
    func end() {
        state.withLock { $0.isEnded = true }
        wakeUp()
    }

    // MARK: The thread

    /// Asks for the events of a descriptor.
    @discardableResult
    func watch(_ descriptor: Int32, _ events: UInt32, isNew: Bool = false) -> Bool {
        pay_epoll_control(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, events) == 0
    }

    /// Asks for no events of a descriptor any more.
    func forget(_ descriptor: Int32) { _ = pay_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0) }

    /// Works until the end. `ready` learns of a descriptor; `turn` is called after each round and says how many
    /// milliseconds the next wait may last, -1 for any time.
    func run(ready: (Int32, UInt32) -> Void, turn: () -> Int32) {
        let thread = pthread_self()
        state.withLock { $0.thread = thread }
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        while runJobs() {
            let milliseconds = turn()
            // The turn may have left jobs behind, for which no task wakes this thread.
            if !runJobs() { break }
            let count = unsafe epoll_wait(epoll, &events, Int32(Self.eventsMax), milliseconds)
            for index in 0..<Int(max(0, count)) {
                let descriptor = unsafe events[index].data.fd
                if descriptor == wake {
                    var value: UInt64 = 0
                    unsafe eventfd_read(wake, &value)
                } else {
                    ready(descriptor, unsafe events[index].events)
                }
            }
        }
        close(epoll)
        close(wake)
    }

    /// Runs what is enqueued until nothing is left; false at the end.
    private func runJobs() -> Bool {
        while true {
            let (jobs, isEnded) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                state.isWoken = false
                return (jobs, state.isEnded)
            }
            if jobs.isEmpty { return !isEnded }
            for job in jobs {
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }
}

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

/// How many descriptors the process may have open, and how many of them are for connections.
package enum DescriptorLimit {
    /// What a process keeps for files, ports, its threads, and messages that go out.
    private static let kept = 96

    /// Asks for what so many ports take at the most. Many systems begin with 1,024, of which one port could take all.
    package static func raise(for ports: Int) {
        _ = pay_descriptors(Int32(clamping: SimulatorServer.Limits().connectionsMax * ports + kept))
    }

    /// How many connections each of so many ports may have, so that together they leave what is kept.
    package static func share(of ports: Int) -> Int { max(1, (Int(pay_descriptors(0)) - kept) / max(1, ports)) }
}

/// An accepted socket with or without TLS, which never blocks.
@safe final class ByteStream {
    /// What one attempt to read or write gave.
    enum Step {
        case moved(Int)
        case wouldBlock
        case ended
    }

    let descriptor: Int32
    /// Whether TLS has to write before it can read more.
    private(set) var wantsToWrite = false
    private var ssl: OpaquePointer?
    private var isOpen = true

    /// Takes over a descriptor; nil when TLS could not begin, and the descriptor is closed.
    init?(_ descriptor: Int32, _ identity: SimulatorCertificate?) {
        self.descriptor = descriptor
        guard let identity else { return }
        unsafe ssl = SSL_new(identity.context)
        guard unsafe ssl != nil, unsafe SSL_set_fd(ssl, descriptor) == 1 else {
            PaymentSystem.close(descriptor)
            isOpen = false
            return nil
        }
        unsafe SSL_set_accept_state(ssl)
    }

    deinit {
        close()
        unsafe SSL_free(ssl)
    }

    /// Whether TLS is spoken.
    var isSecure: Bool { unsafe ssl != nil }

    /// Reads what is there into the buffer.
    func read(into buffer: inout [UInt8]) -> Step {
        let size = buffer.count
        if unsafe ssl == nil {
            while true {
                let count = unsafe recv(descriptor, &buffer, size, 0)
                if count > 0 { return .moved(count) }
                if count == 0 { return .ended }
                if errno == EINTR { continue }
                return errno == EAGAIN ? .wouldBlock : .ended
            }
        }
        ERR_clear_error()
        return tlsStep(unsafe SSL_read(ssl, &buffer, Int32(clamping: size)))
    }

    /// Writes as much as goes.
    func write(_ bytes: ArraySlice<UInt8>) -> Step {
        if bytes.isEmpty { return .moved(0) }
        if unsafe ssl == nil {
            while true {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count >= 0 { return .moved(count) }
                if errno == EINTR { continue }
                return errno == EAGAIN ? .wouldBlock : .ended
            }
        }
        ERR_clear_error()
        return tlsStep(
            unsafe bytes.withUnsafeBytes { unsafe SSL_write(ssl, $0.baseAddress, Int32(clamping: $0.count)) })
    }

    private func tlsStep(_ count: Int32) -> Step {
        wantsToWrite = false
        if count > 0 { return .moved(Int(count)) }
        switch unsafe SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            wantsToWrite = true
            return .wouldBlock
        case _: return .ended
        }
    }

    /// Says that nothing more will be written.
    func endWriting() {
        if unsafe ssl != nil, unsafe SSL_is_init_finished(ssl) == 1 { unsafe SSL_shutdown(ssl) }
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes in good order.
    func close() {
        guard isOpen else { return }
        isOpen = false
        if unsafe ssl != nil, unsafe SSL_is_init_finished(ssl) == 1 { unsafe SSL_shutdown(ssl) }
        PaymentSystem.close(descriptor)
    }

    /// Closes with a reset (RST), which the other side sees as an error.
    func reset() {
        guard isOpen else { return }
        isOpen = false
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<PaymentSystem.linger>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
        PaymentSystem.close(descriptor)
    }
}
