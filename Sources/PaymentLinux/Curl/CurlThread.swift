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
