package import PaymentBase
public import PaymentTransport

/// HTTP by libcurl, on one thread of its own: HTTP/1.1 and HTTP/2, kept-alive connections, certificates always checked.
///
/// What it promises beyond ``PaymentTransport/HTTPTransport``:
///
/// - **A request leaves at most once.** libcurl by itself sends a request again when a kept-alive connection closes
///   without an answer; here a second start is refused and the failure is `maybeSent`.
/// - **`notSent` is proven**: libcurl asks us just before the first byte of a request would leave. What fails before
///   that question (name, port, TLS, a limit, a cancellation) can't have arrived; everything later is `maybeSent`.
/// - **Bytes of a payment leave in time or not at all**: the limits of ``Configuration`` are enforced on the connection
///   that stands, while the request is written, and by the system after our death; what they come to is declared.
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

    /// Starts the thread; the transport lives until ``close()`` or until nobody holds it any more.
    public init(_ configuration: Configuration = Configuration()) {
        sendLimitMilliseconds = configuration.leavesWithinMilliseconds
        thread = CurlThread(configuration)
        thread.begin()
    }

    deinit { thread.close() }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed else { throw .notSent(.invalidRequest) }
        let job = CurlJob(request, RequestTimer.current)
        let result = await withTaskCancellationHandler {
            thread.start(job)
            return await job.value()
        } onCancel: {
            thread.cancel(job)
        }
        return try result.get()
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
        thread.close()
        _ = await thread.ended.value()
    }

    /// Fulfilled when the thread is gone; for tests of leaks.
    package var ended: Promise<Bool> { thread.ended }

    /// What watches the sockets; for tests that take it away.
    package var epoll: Int32 { thread.epoll }
}
