/// What carries bytes to a provider. Adapters are given one and never make one.
///
/// A fake is a function:
///
/// ```swift
/// struct Always: HTTPTransport {
///     let reply: HTTPResponse
///     func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { reply }
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends one request and waits for the whole reply; a cancelled task ends the transfer.
    ///
    /// - Throws: ``TransportFailure``, which says whether a byte may have arrived.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}
