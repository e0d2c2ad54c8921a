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
