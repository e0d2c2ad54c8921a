public import PaymentTransport

/// What stands between a driver and its provider: it may look, change, hold back, repeat or drop.
///
/// ```swift
/// Interceptor { (request, next) async throws(TransportFailure) in
///     var response = try await next(request)
///     if request.path.hasSuffix("/payments") { response.status = 500 }
///     return response
/// }
/// ```
public struct Interceptor: Sendable {
    /// Carries a request on.
    public typealias Next = @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse
    /// Deals with one request.
    public typealias Pass = @Sendable (HTTPRequest, @escaping Next) async throws(TransportFailure) -> HTTPResponse

    private let pass: Pass

    /// Makes an interceptor of a function.
    public init(_ pass: @escaping Pass) { self.pass = pass }

    /// Lets everything through.
    public static let open = Interceptor { (request, next) async throws(TransportFailure) in try await next(request) }

    /// Sends a request through it.
    public func send(_ request: HTTPRequest, _ next: @escaping Next) async throws(TransportFailure) -> HTTPResponse {
        try await pass(request, next)
    }

    /// This one first, and another behind it, nearer to the provider.
    public func before(_ inner: Interceptor) -> Interceptor {
        Interceptor { (request, next) async throws(TransportFailure) in
            try await send(request) { (request) async throws(TransportFailure) in try await inner.send(request, next) }
        }
    }
}
