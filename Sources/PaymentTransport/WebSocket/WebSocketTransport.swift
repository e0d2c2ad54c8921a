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
    /// The request is a GET without a body; `http` stands for `ws`, `https` for `wss`, its headers go with the
    /// handshake, and its ``HTTPRequest/responseBodyBytesMax`` is the largest message that is accepted.
    ///
    /// - Throws: ``TransportFailure``. No message can have been sent, yet the handshake may have arrived.
    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection
}
