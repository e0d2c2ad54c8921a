/// What stands on the line between a driver and its provider: it may look, change, hold back, repeat or drop.
public struct Interceptor: Sendable {
    /// Carries a request on.
    public typealias Next = @Sendable (WireRequest) async throws(WireFailure) -> WireReply
    /// Deals with one request.
    public typealias Pass = @Sendable (WireRequest, Next) async throws(WireFailure) -> WireReply

    private let pass: Pass

    /// Makes a tap of a function.
    public init(_ pass: @escaping Pass) { self.pass = pass }

    /// Lets everything through.
    public static let open = Interceptor { (request, next) async throws(WireFailure) in try await next(request) }

    /// Sends a request through it.
    public func send(_ request: WireRequest, _ next: Next) async throws(WireFailure) -> WireReply {
        try await pass(request, next)
    }

    /// This one first, and another behind it, nearer to the provider.
    public func before(_ inner: Interceptor) -> Interceptor {
        Interceptor { (request, next) async throws(WireFailure) in
            try await send(request) { (request) async throws(WireFailure) in try await inner.send(request, next) }
        }
    }
}
