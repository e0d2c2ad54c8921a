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
    private let mailbox = CurlMailbox()

    /// Starts the thread; the transport lives until ``close()`` or until nobody holds it any more.
    public init(_ configuration: Configuration = Configuration()) {
        let mailbox = mailbox
        let started = OwnThread.start {
            CurlLoop(configuration, mailbox)?.run()
            for command in mailbox.detach() {
                guard case .start(let job) = command else { continue }
                job.fail(.notSent(.cancelled))
            }
            mailbox.ended.fulfil(true)
        }
        if !started {
            _ = mailbox.detach()
            mailbox.ended.fulfil(true)
        }
    }

    deinit { mailbox.close() }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isWellFormed else { throw .notSent(.invalidRequest) }
        let job = CurlJob(request)
        let result = await withTaskCancellationHandler {
            if !mailbox.post(.start(job)) { job.fail(.notSent(.cancelled)) }
            return await job.end.value()
        } onCancel: {
            job.cancel()
            _ = mailbox.post(.cancel(job))
        }
        return try result.get()
    }

    /// Ends what is under way, as a cancellation would, and returns when the thread is gone and all sockets are closed.
    public func close() async {
        mailbox.close()
        _ = await mailbox.ended.value()
    }

    /// Fulfilled when the thread is gone; for tests of leaks.
    package var ended: Promise<Bool> { mailbox.ended }
}
