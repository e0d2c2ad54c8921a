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
    /// For how long, in milliseconds, bytes of a request can leave after its ``PaymentBase/OpenedSend``, even if this
    /// process dies meanwhile; nil where the transport can't enforce any limit, and then no silence of a provider proves
    /// that a request never arrived.
    ///
    /// Whoever wraps a transport passes on what that one declares.
    var sendLimitMilliseconds: Int64? { get }
}

extension HTTPTransport {
    /// No limit.
    public var sendLimitMilliseconds: Int64? { nil }
}
