package import PaymentBase
internal import PaymentSystem
public import PaymentTransport

/// HTTP by libcurl, on one thread of its own: HTTP/1.1 and HTTP/2, kept-alive connections, certificates always checked.
///
/// What it promises beyond ``PaymentTransport/HTTPTransport``:
///
/// - **A request leaves at most once.** libcurl on its own sends a request again when a kept-alive connection closes
///   without an answer; here a second start is refused and the failure is `maybeSent`.
/// - **`notSent` is proven**: libcurl asks us just before the first byte of a request would leave. What fails before
///   that question (name, port, TLS, a limit, a cancellation) can't have arrived; everything later is `maybeSent`.
/// - **Bytes of a payment leave in time or not at all**: the limits of ``Configuration`` are enforced on the connection
///   that is, while the request is written, and by the system after our death; what they come to is declared.
/// - A redirect is a reply like any other and never followed; no cookies, no proxy, no `.netrc`, no authentication of
///   libcurl's own.
/// - Compressed replies are unpacked, counted against the limit unpacked, and lose their `Content-Encoding` and
///   `Content-Length`.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.send(HTTPRequest("GET", Origin(.https, "example.com"), "/"))
/// ```
public final class CurlTransport: HTTPTransport {
    /// What beginning, writing and delivering may take together.
    public let sendLimitMilliseconds: Int64?
    private let thread: CurlThread

    /// Starts the thread; the transport lives until ``close()`` or until no owner holds it any more.
    public convenience init() { self.init(.standard) }

    /// Starts the thread; the transport lives until ``close()`` or until no owner holds it any more.
    public init(_ configuration: Configuration) {
        sendLimitMilliseconds = configuration.leavesWithinMilliseconds
        thread = CurlThread(configuration)
        thread.begin()
    }

    deinit { end() }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed else { throw .notSent(.invalidRequest.at(request.origin)) }
        let job = CurlJob(request, RequestTimer.current)
        let result = await withTaskCancellationHandler {
            thread.start(job)
            return await job.value()
        } onCancel: {
            thread.cancel(job)
        }
        do throws(TransportFailure) { return try result.get() } catch { throw error.at(request.origin) }
    }

    /// The transport's thread, for tasks that should run there: an exchange then changes threads neither to be sent nor
    /// to be answered, which at one request at a time is most of what it costs.
    ///
    /// Meant for a program that takes one payment after the other, such as a till: set it as the executor of the
    /// surroundings. Whatever runs here holds up the network as long as it runs, so that it must not block. Tasks that
    /// still prefer it after ``close()`` run on the shared pool.
    public var executor: any TaskExecutor { thread.tasks }

    /// Ends what is under way, as a cancellation would, and returns when the thread is gone and all sockets are closed.
    public func close() async {
        end()
        _ = await thread.ended.value()
    }

    /// The same without waiting for it.
    package func end() { thread.close() }

    /// Fulfilled when the thread is gone; for tests of leaks.
    package var ended: Promise<Bool> { thread.ended }

    /// What watches the sockets; for tests that take it away.
    package var epoll: Int32 { thread.epoll }
}

extension CurlTransport {
    /// How a ``CurlTransport`` connects; every value has a default that is safe to keep.
    public struct Configuration: Sendable, Hashable {
        /// Whom to trust when a server shows its certificate.
        public enum Roots: Sendable, Hashable {
            /// The machine's own certificates.
            case system
            /// The certificates in a PEM file, and no other.
            case file(String)
            /// The certificates in a PEM text, and no other.
            case pem(String)
        }

        /// How long a connection may take to come about: waiting for a free one, name, TCP and TLS together.
        public var connectMilliseconds: Int64 = 10_000
        /// How long after a payment's exchange was opened its first byte may leave; checked when the connection is open.
        public var beginMilliseconds: Int64 = 10_000
        /// How long a request that has begun to leave may take to be handed to the system.
        public var writeMilliseconds: Int64 = 5_000
        /// How long the system tries to deliver what it was handed, even when this process is gone.
        public var deliverMilliseconds: Int64 = 15_000
        /// How long nothing may move once a request has begun to leave us.
        public var idleTimeoutMilliseconds: Int64 = 60_000
        /// How many connections to one host may be open; further requests wait for `connectMilliseconds` at most.
        public var connectionsPerHostMax = 32
        /// How long an idle connection may still be used again; many servers close theirs after a few seconds more.
        public var idleSecondsMax = 15
        /// How many requests may be under way or waiting; more fail as `notSent(.overloaded)`.
        public var requestsMax = 4_096
        /// How many bytes the header fields of a reply may have together.
        public var headerBytesMax = 256 * 1_024
        /// Whom to trust.
        public var roots = Roots.system
        /// Whether HTTP/2 is offered in the TLS handshake; plain connections always speak HTTP/1.1.
        public var http2 = true
        /// What is in `User-Agent` where a request doesn't say; empty for none.
        public var userAgent = "swift-payments"

        /// Whether it connects to addresses of the public internet alone, whatever a name leads to.
        package var isPublicOnly = false

        /// What a transport has that is made without a configuration; tests set whom it trusts, and short limits.
        @TaskLocal package static var standard = Configuration()

        /// Makes the defaults.
        public init() {}

        /// For how long bytes can leave after the opening of what they belong to; nil where that is no limit.
        var leavesWithinMilliseconds: Int64? {
            let parts = [beginMilliseconds, writeMilliseconds, deliverMilliseconds]
            // The system takes a limit of zero for none.
            guard parts.allSatisfy({ (1...Self.limitMillisecondsMax).contains($0) }) else { return nil }
            return parts.reduce(0, +)
        }

        /// An hour; what is longer limits nothing.
        static let limitMillisecondsMax: Int64 = 3_600_000
    }
}

/// The tasks that run on the thread of a transport, because the code that started them prefers it.
///
/// No task is ever left behind: what comes when the thread is gone runs where tasks without a preference do.
final class CurlTasks: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
        var thread: pthread_t?
    }

    private let state = Locked(State())
    private let mailbox: CurlMailbox

    /// Makes the queue of the thread that this mailbox wakes.
    init(_ mailbox: CurlMailbox) { self.mailbox = mailbox }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isTaken, mustWake) = state.withLock { state in
            if state.isEnded { return (false, false) }
            state.jobs.append(job)
            let isOurs = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return (true, state.jobs.count == 1 && !isOurs)
        }
        if !isTaken { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        if mustWake { mailbox.wake() }
    }

    // MARK: The thread's side

    /// Says on which thread the tasks run.
    func begin() { state.withLock { $0.thread = pthread_self() } }

    /// Runs what waits; whether there was anything.
    func run() -> Bool {
        let jobs = take()
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    private func take() -> [UnownedJob] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Takes no more tasks, and has those that wait run elsewhere.
    func end() {
        state.withLock { $0.isEnded = true }
        for job in take() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
