public import PaymentTransport

/// A transport with a function around every call.
public struct HookTransport: HTTPTransport {
    /// Sends a request on.
    public typealias Next = @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse

    private let inner: any HTTPTransport
    private let hook: @Sendable (HTTPRequest, Next) async throws(TransportFailure) -> HTTPResponse

    public init(
        _ inner: any HTTPTransport,
        _ hook: @escaping @Sendable (HTTPRequest, Next) async throws(TransportFailure) -> HTTPResponse
    ) {
        (self.inner, self.hook) = (inner, hook)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await hook(request) { (request) async throws(TransportFailure) in try await inner.send(request) }
    }
}
