public import PaymentBase

/// What opens WebSockets. Adapters are given one and never make one.
///
/// A fake is a function, as with ``HTTPTransport``:
///
/// ```swift
/// struct Always: WebSocketTransport {
///     let connection: any WebSocketConnection
///     func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection { connection }
/// }
/// ```
public protocol WebSocketTransport: Sendable {
    /// Opens a connection with the handshake of RFC 6455.
    ///
    /// The request is a GET without a body; `http` means `ws`, `https` means `wss`, its headers go with the
    /// handshake, and its ``HTTPRequest/responseBodyBytesMax`` is the largest message that is accepted.
    ///
    /// - Throws: ``TransportFailure``. No message can have been sent, yet the handshake may have arrived.
    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection
}

/// Shows each opening of a WebSocket to the observer, as the request that its handshake is.
package struct ObservedWebSocketTransport: WebSocketTransport {
    private let inner: any WebSocketTransport

    /// Wraps a transport.
    package init(_ inner: any WebSocketTransport) { self.inner = inner }

    package func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        guard let observation = RequestInFlight.current?.observation else { return try await inner.connect(request) }
        let span = observation.beginRequest(
            method: request.method, host: request.origin.host, port: request.origin.port)
        do throws(TransportFailure) {
            let connection = try await inner.connect(request)
            observation.endRequest(span, status: 101, nil)
            return connection
        } catch {
            let failure = error.at(request.origin)
            observation.endRequest(span, status: nil, failure.diagnosis)
            throw error
        }
    }
}

/// An open WebSocket. One task may send while another receives.
///
/// A fake that answers every text with itself:
///
/// ```swift
/// final class Echo: WebSocketConnection {
///     let texts = Locked([String]())
///     func send(_ text: String) async throws(TransportFailure) { texts.withLock { $0.append(text) } }
///     func receive() async throws(TransportFailure) -> WebSocketMessage? {
///         texts.withLock { $0.isEmpty ? nil : .text($0.removeFirst()) }
///     }
///     func close() async {}
/// }
/// ```
public protocol WebSocketConnection: Sendable {
    /// Sends one text and returns when all of it has left the process; that proves nothing about its arrival.
    ///
    /// - Throws: ``TransportFailure``; `notSent` when no byte of this text left us.
    func send(_ text: String) async throws(TransportFailure)

    /// Waits for the next message; nil when the other side has closed in good order. For one task at a time.
    ///
    /// - Throws: ``TransportFailure``, always `maybeSent` unless this task was cancelled: what was sent before may
    ///   have arrived.
    func receive() async throws(TransportFailure) -> WebSocketMessage?

    /// Says goodbye, waits a little for the answer, and lets the connection go. Further calls do nothing.
    func close() async
}

/// One whole message, fragments joined.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text; what came was valid UTF-8.
    case text(String)
    /// Bytes.
    case binary([UInt8])
}

extension WebSocketMessage: RedactedDescription {
    /// Kind and size; never the content.
    public var description: String {
        switch self {
        case .text(let text): "WebSocketMessage(text, \(text.utf8.count) bytes)"
        case .binary(let bytes): "WebSocketMessage(binary, \(bytes.count) bytes)"
        }
    }
}
