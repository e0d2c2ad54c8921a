internal import PaymentBase
public import PaymentTransport

/// WebSockets over connections that libcurl makes, so that names, routes and certificates are treated as for HTTP.
///
/// Each connection has one thread of its own, which ends with it.
///
/// ```swift
/// let transport = CurlWebSocketTransport()
/// let connection = try await transport.connect(HTTPRequest("GET", Origin(.https, "example.com"), "/events"))
/// try await connection.send("hello")
/// while let message = try await connection.receive() { … }
/// ```
public struct CurlWebSocketTransport: WebSocketTransport {
    /// How connections are made and watched.
    public struct Configuration: Sendable, Hashable {
        /// How to connect, whom to trust; `stallMilliseconds` is how long nothing of a text may leave us.
        public var connection = CurlTransport.Configuration()
        /// After how much silence a ping goes out; after twice as much without an answer the connection is dead.
        public var pingMilliseconds: Int64 = 30_000
        /// How long the other side may take to answer our goodbye.
        public var closeMilliseconds: Int64 = 1_000

        /// Makes the defaults.
        public init() {}
    }

    private let configuration: Configuration

    /// Makes a transport; nothing is connected yet.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    public func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        guard let mailbox = WebSocketMailbox(inboxBytesMax: max(1, request.responseBodyBytesMax)) else {
            throw .notSent(.other)
        }
        if Task.isCancelled { throw .notSent(.cancelled) }
        let configuration = configuration
        let isStarted = DedicatedThread.start { WebSocketLoop(request, configuration, mailbox).run() }
        guard isStarted else { throw .notSent(.other) }
        let connection = CurlWebSocketConnection(mailbox)
        let opened = await withTaskCancellationHandler {
            await mailbox.opened.value()
        } onCancel: {
            mailbox.cancelConnecting()
        }
        _ = try opened.get()
        return connection
    }
}

/// The front of one WebSocket; the thread behind it ends when the connection does or no owner holds the front any more.
final class CurlWebSocketConnection: WebSocketConnection {
    /// How long a text may be that is sent.
    static let textBytesMax = 16 * 1_024 * 1_024

    private let mailbox: WebSocketMailbox

    init(_ mailbox: WebSocketMailbox) { self.mailbox = mailbox }

    deinit { mailbox.abandon() }

    /// A text whose sending has begun goes out whole, even when the task is cancelled in the meantime.
    func send(_ text: String) async throws(TransportFailure) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.textBytesMax else { throw .notSent(.invalidRequest) }
        if Task.isCancelled { throw .notSent(.cancelled) }
        let end = Promise<Result<Bool, TransportFailure>>()
        let result = await withTaskCancellationHandler {
            mailbox.send(WebSocketMailbox.Outgoing(bytes: bytes, end: end))
            if Task.isCancelled { mailbox.cancel(end) }
            return await end.value()
        } onCancel: {
            mailbox.cancel(end)
        }
        _ = try result.get()
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage? {
        let receiver = Promise<WebSocketMailbox.Received>()
        let received = await withTaskCancellationHandler {
            mailbox.receive(receiver)
            // A cancellation that came before the receiver was known has found nothing to cancel.
            if Task.isCancelled { mailbox.cancel(receiver) }
            return await receiver.value()
        } onCancel: {
            mailbox.cancel(receiver)
        }
        return try received.get()
    }

    func close() async {
        mailbox.close()
        _ = await mailbox.ended.value()
    }
}
