internal import CCurl
internal import CLinux
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// What the tasks and the thread of a transport share: the loop behind its lock, and the mailbox beside it.
final class CurlThread: Sendable {
    /// How many sockets are looked at in one turn.
    private static let eventsMax = 64

    private let mailbox: CurlMailbox
    /// The tasks that prefer this thread.
    let tasks: CurlTasks
    /// What watches the bell and libcurl's sockets.
    let epoll: Int32
    private let loop: Locked<CurlLoop?>

    /// Makes the descriptors and the loop and starts the thread; where one of them can't be had, nothing is ever sent.
    init(_ configuration: CurlTransport.Configuration) {
        mailbox = CurlMailbox()
        tasks = CurlTasks(mailbox)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        let isWatching = pay_epoll_control(epoll, EPOLL_CTL_ADD, mailbox.bell, EPOLLIN.rawValue) == 0
        loop = Locked(isWatching ? CurlLoop(configuration, epoll: epoll) : nil)
    }

    deinit { if epoll >= 0 { _ = PaymentSystem.close(epoll) } }

    /// Fulfilled when the thread has ended and everything of libcurl's is freed.
    var ended: Promise<Bool> { mailbox.ended }

    /// Starts the thread.
    func begin() {
        if !DedicatedThread.start({ [self] in run() }) { finish() }
    }

    // MARK: The tasks' side

    /// Starts a request: here and now where the thread sleeps, which saves waking it. A thread that is awake works with
    /// libcurl already, and takes it along.
    func start(_ job: CurlJob) {
        if mailbox.leave(.start(job)) { return }
        let done = loop.tryOwned { loop in loop.map { $0.start(job) } }
        switch done {
        case .some(.some(let (ended, mustWake))):
            Self.tell(ended)
            if mustWake { mailbox.wake() }
        case .some(.none): job.fail(.notSent(.cancelled))
        case .none: if !mailbox.post(.start(job)) { job.fail(.notSent(.cancelled)) }
        }
    }

    /// Ends a request that was started, or is about to be.
    func cancel(_ job: CurlJob) {
        job.cancel()
        _ = mailbox.post(.cancel(job))
    }

    /// Lets the thread end.
    func close() { mailbox.close() }

    // MARK: The thread's side

    private func run() {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        var found: [CurlEvent] = []
        var commands: [CurlMailbox.Command] = []
        var isClosed = false
        tasks.begin()
        while !isClosed {
            let (rung, sockets) = (commands, found)
            guard let turn = loop.withOwned({ loop in loop.map { $0.turn(rung, sockets) } }) else { break }
            // What the turn has begun may have left us: from here on it ends with the evidence of the loop.
            commands = []
            found.removeAll(keepingCapacity: true)
            Self.tell(turn.ended)
            if turn.isBroken { break }
            let hasRun = tasks.run()
            (commands, isClosed) = mailbox.take()
            // Tasks took time, and may have asked for something.
            if hasRun { continue }
            let wait = commands.isEmpty && !isClosed ? turn.waitMilliseconds : 0
            let count = unsafe epoll_wait(epoll, &events, Int32(Self.eventsMax), wait)
            for index in 0..<max(0, Int(count)) {
                let event = unsafe CurlEvent(events[index])
                if event.descriptor == mailbox.bell {
                    mailbox.silence()
                } else {
                    found.append(event)
                }
            }
        }
        for command in commands { if case .start(let job) = command { job.fail(.notSent(.cancelled)) } }
        finish()
    }

    /// Ends whatever is left, frees everything of libcurl's, and says so.
    private func finish() {
        for command in mailbox.detach() {
            if case .start(let job) = command { job.fail(.notSent(.cancelled)) }
        }
        let left = loop.withOwned { loop -> [CurlLoop.Ended] in
            defer { loop = nil }
            return loop?.endAll() ?? []
        }
        Self.tell(left)
        tasks.end()
        mailbox.ended.fulfill(true)
    }

    private static func tell(_ ended: [CurlLoop.Ended]) {
        for one in ended { one.job.finish(one.end) }
    }
}

/// What tasks leave for the thread when they can't do it themselves, and how they wake it.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Whether the thread looks here again before it sleeps; it does so before it sleeps for the first time.
        var isAwake = true
    }

    private let state = Locked(State())

    /// Becomes readable when the thread has to look; -1 when the system has none left.
    let bell: Int32

    /// Fulfilled when the thread has ended and everything of libcurl's is freed.
    let ended = Promise<Bool>()

    init() { bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }

    deinit { if bell >= 0 { _ = PaymentSystem.close(bell) } }

    /// Queues a command and wakes the thread; false when the transport is closed.
    func post(_ command: Command) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            if state.isClosed { return (false, false) }
            state.commands.append(command)
            defer { state.isAwake = true }
            return (true, !state.isAwake)
        }
        if mustWake { wake() }
        return isTaken
    }

    /// Queues a command if the thread is awake and will see it without the bell; whether it did.
    func leave(_ command: Command) -> Bool {
        state.withLock { state in
            guard state.isAwake, !state.isClosed else { return false }
            state.commands.append(command)
            return true
        }
    }

    /// Takes no more commands; the thread ends what is under way and then itself.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// Makes the thread look at its deadlines again.
    func wake() { eventfd_write(bell, 1) }

    // MARK: The thread's side

    /// Stops the bell, before looking at what made it ring.
    func silence() {
        var count: UInt64 = 0
        unsafe eventfd_read(bell, &count)
    }

    /// All commands that have come, and whether to continue. Where none have, the thread sleeps next.
    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            state.isAwake = !state.commands.isEmpty
            return (state.commands, state.isClosed)
        }
    }

    /// Lets nothing more in; gives what came last.
    func detach() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state = State(isClosed: true)
            return commands
        }
    }
}

/// What happened on a socket, in libcurl's words.
struct CurlEvent: Sendable {
    let descriptor: Int32
    let mask: Int32

    init(_ event: epoll_event) {
        descriptor = unsafe event.data.fd
        // An error is reported as both, so that libcurl finds out on its own what became of the connection.
        let failed = EPOLLERR.rawValue | EPOLLHUP.rawValue
        var mask: Int32 = 0
        if unsafe event.events & (EPOLLIN.rawValue | failed) != 0 { mask |= CURL_CSELECT_IN }
        if unsafe event.events & (EPOLLOUT.rawValue | failed) != 0 { mask |= CURL_CSELECT_OUT }
        self.mask = mask
    }
}

/// The multi handle with its connections and transfers. It lives behind a lock: the thread of the transport works with
/// it whenever a socket has something, and a task that starts a request while the thread sleeps does so itself where
/// the lock is free, which saves waking the thread. libcurl allows any thread, one at a time.
@safe final class CurlLoop {
    /// How one request ended; told only when the lock is free again.
    struct Ended: Sendable {
        let job: CurlJob
        let end: CurlJob.End
    }

    /// What a turn leaves: requests that are done, how long to wait, and whether libcurl can continue.
    struct Turn: Sendable {
        var ended: [Ended] = []
        var waitMilliseconds: Int32 = 0
        var isBroken = false
    }

    /// How many unused easy handles are kept for later requests.
    private static let idleHandlesMax = 64
    /// How long one wait may last; a lost wake-up costs no more than this.
    private static let waitMillisecondsMax: Int64 = 1_000
    /// How often libcurl may ask to be called again at once before others get their turn.
    private static let callsMax = 4

    private let configuration: CurlTransport.Configuration
    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var idleHandles: [CurlHandle] = []
    private let deadlines: CurlDeadlines
    /// When libcurl wants to be called though no socket has anything.
    private var timer = Int64.max
    /// Until when the thread sleeps unless a socket or the bell wakes it.
    private var wakesAt = Int64.min
    private var ended: [Ended] = []
    private var isBroken = false

    /// Makes the handle, which watches its sockets with `epoll`; nil when libcurl refuses.
    init?(_ configuration: CurlTransport.Configuration, epoll: Int32) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        (self.configuration, sockets) = (configuration, CurlSockets(epoll))
        deadlines = CurlDeadlines(configuration)
        unsafe self.multi = multi
        let perHost = max(1, configuration.connectionsPerHostMax)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let codes = unsafe [
            pay_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            pay_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost),
            pay_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, perHost * 4),
            pay_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            pay_curl_multi_set_socket(multi) { _, descriptor, wanted, context, _ in
                unsafe CurlLoop.from(context)?.sockets.watch(descriptor, wanted) == true ? 0 : -1
            },
            pay_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            pay_curl_multi_set_timer(multi) { _, milliseconds, context in
                unsafe CurlLoop.from(context)?.setTimer(milliseconds)
                return 0
            },
        ]
        if !codes.allSatisfy({ $0 == CURLM_OK }) { return nil }
    }

    deinit {
        // No callback is left to which libcurl could say that it closes its sockets.
        _ = unsafe pay_curl_multi_set_socket(multi, nil)
        _ = unsafe pay_curl_multi_set_timer(multi, nil)
        unsafe curl_multi_cleanup(multi)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
        unsafe context.map { unsafe Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What libcurl asks for

    private func setTimer(_ milliseconds: Int) {
        timer = milliseconds < 0 ? .max : milliseconds == 0 ? .min : deadlines.now + Int64(milliseconds)
    }

    // MARK: The task's side

    /// Starts a request; says what has ended by that, and whether the thread must be woken for its deadlines.
    func start(_ job: CurlJob) -> (ended: [Ended], mustWake: Bool) {
        deadlines.look()
        begin(job)
        callOnTime(calls: Self.callsMax)
        collect()
        defer { ended = [] }
        return (ended, min(timer, deadlines.next) < wakesAt || isBroken)
    }

    // MARK: The thread's side

    /// Does what the mailbox and the sockets say.
    func turn(_ commands: [CurlMailbox.Command], _ events: [CurlEvent]) -> Turn {
        deadlines.look()
        for command in commands {
            switch command {
            case .start(let job): begin(job)
            case .cancel(let job):
                guard let transfer = transfers[ObjectIdentifier(job)] else { continue }
                end(transfer, .failure(transfer.failure(.cancelled)))
            }
        }
        for event in events where sockets.isWanted(event.descriptor) { act(event.descriptor, event.mask) }
        callOnTime(calls: Self.callsMax)
        collect()
        let now = deadlines.now
        if now >= deadlines.next { enforceDeadlines(now) }
        let next = min(timer, deadlines.next, now + Self.waitMillisecondsMax)
        wakesAt = next
        defer { ended = [] }
        return Turn(ended: ended, waitMilliseconds: next <= now ? 0 : Int32(next - now), isBroken: isBroken)
    }

    /// Ends whatever is left.
    func endAll() -> [Ended] {
        for transfer in Array(transfers.values) { end(transfer, .failure(transfer.failure(.cancelled))) }
        idleHandles = []
        defer { ended = [] }
        return ended
    }

    // MARK: Work

    /// Calls libcurl when its time has come; what it asks for at once, too, so many times.
    private func callOnTime(calls: Int) {
        for _ in 0..<calls {
            guard timer == .min || (timer < .max && timer <= deadlines.now) else { return }
            timer = .max
            act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    private func act(_ descriptor: Int32, _ mask: Int32) {
        var running: Int32 = 0
        if unsafe curl_multi_socket_action(multi, descriptor, mask, &running) != CURLM_OK { isBroken = true }
    }

    private func begin(_ job: CurlJob) {
        func fail(_ failure: TransportFailure) { ended.append(Ended(job: job, end: .failure(failure))) }
        if job.isCancelled { return fail(.notSent(.cancelled)) }
        guard transfers.count < configuration.requestsMax else { return fail(.notSent(.overloaded)) }
        guard let handle = idleHandles.popLast() ?? CurlHandle(configuration, sockets) else {
            return fail(.notSent(.other))
        }
        let transfer = CurlTransfer(job, handle, headerBytesMax: configuration.headerBytesMax, deadlines)
        do throws(TransportFailure) {
            try handle.prepare(transfer)
            guard unsafe curl_multi_add_handle(multi, handle.easy) == CURLM_OK else { throw .notSent(.other) }
        } catch {
            _ = handle.clear()
            return fail(error)
        }
        transfers[ObjectIdentifier(job)] = transfer
    }

    /// Ends every transfer that libcurl is done with.
    private func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe pay_curl_message_easy(message) else {
                continue
            }
            let code = unsafe pay_curl_message_result(message)
            guard let transfer = unsafe CurlHandle.of(easy)?.transfer else { continue }
            end(transfer, transfer.result(code))
        }
    }

    /// Ends a transfer that libcurl has or hasn't finished. A handle is used again only after a reply.
    private func end(_ transfer: CurlTransfer, _ result: CurlJob.End) {
        transfers[ObjectIdentifier(transfer.job)] = nil
        let handle = transfer.handle
        let isRemoved = unsafe curl_multi_remove_handle(multi, handle.easy) == CURLM_OK
        let isClean = handle.clear()
        if isRemoved, isClean, case .success = result, idleHandles.count < Self.idleHandlesMax {
            idleHandles.append(handle)
        }
        ended.append(Ended(job: transfer.job, end: result))
    }

    // MARK: Limits on waiting

    private func enforceDeadlines(_ now: Int64) {
        for transfer in Array(transfers.values) where transfer.isStalled(now) {
            // A connection on which nothing moves must not carry the next request.
            unsafe _ = pay_curl_set_long(transfer.handle.easy, CURLOPT_FORBID_REUSE, 1)
            end(transfer, .failure(transfer.failure(transfer.hasBegun ? .stalled : .connectTimedOut)))
        }
        deadlines.reset(transfers.values.map(\.deadline))
    }
}

/// When the loop has to look at its transfers next; shared by the loop and its transfers, all on one thread.
final class CurlDeadlines {
    let connectMilliseconds: Int64
    let stallMilliseconds: Int64
    let writeMilliseconds: Int64
    let beginMilliseconds: Int64
    let deliverMilliseconds: Int64
    private(set) var next = Int64.max
    /// The time as the loop saw it when it began to work; what libcurl does in one go happens at one time.
    private(set) var now = DedicatedThread.monotonicNow

    init(_ configuration: CurlTransport.Configuration) {
        connectMilliseconds = configuration.connectMilliseconds
        stallMilliseconds = configuration.idleTimeoutMilliseconds
        writeMilliseconds = configuration.writeMilliseconds
        beginMilliseconds = configuration.beginMilliseconds
        deliverMilliseconds = configuration.deliverMilliseconds
    }

    /// The deadline of a connection that is asked for now.
    func connect() -> Int64 { after(connectMilliseconds) }

    /// The deadline after something has moved now.
    func stall(_ own: Int64?) -> Int64 { after(own ?? stallMilliseconds) }

    /// The deadline of writing what begins to leave now.
    func write() -> Int64 { after(writeMilliseconds) }

    /// Looks at the clock.
    func look() { now = DedicatedThread.monotonicNow }

    /// Starts again from the deadlines that are left.
    func reset(_ left: some Sequence<Int64>) { next = left.min() ?? .max }

    private func after(_ milliseconds: Int64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(max(0, milliseconds))
        let deadline = overflow ? Int64.max : sum
        next = min(next, deadline)
        return deadline
    }
}

/// Registers libcurl's sockets with epoll.
///
/// Between two requests libcurl stops watching a connection. To remove it from epoll and to add it again would cost two
/// system calls for each request, so it stays registered. If an event comes while libcurl is not watching,
/// `isWanted` removes the connection.
final class CurlSockets {
    private struct Watched {
        /// Nil where the system doesn't watch it.
        var events: UInt32?
        var isWanted = false
        /// Whether libcurl reports when it is closed; the sockets with which libcurl talks to itself are closed in
        /// silence.
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

    /// What libcurl wants to know about a socket from now on; false where the system refuses.
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

    /// Whether libcurl wants to know what happened on a socket; it is let go of where not.
    func isWanted(_ descriptor: Int32) -> Bool {
        guard let socket = sockets[descriptor], !socket.isWanted else { return true }
        if socket.events != nil { forget(descriptor) }
        sockets[descriptor]?.events = nil
        return false
    }

    private func forget(_ descriptor: Int32) { _ = pay_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0) }
}
