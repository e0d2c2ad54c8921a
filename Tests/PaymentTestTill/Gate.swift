public import PaymentBase
public import PaymentTransport

/// Holds money calls back until it is opened, and says when the first one has come.
public struct Gate: Sendable {
    public let reached = Promise<Bool>()
    public let opened = Promise<Bool>()

    public init() {}

    /// A transport that stops here before a request whose target ends with a text is sent on.
    public func transport(_ inner: any HTTPTransport, at suffix: String = "/payments") -> HookTransport {
        HookTransport(inner) { [self] (request, next) async throws(TransportFailure) in
            if request.method == "POST", request.target.hasSuffix(suffix) {
                reached.fulfill(true)
                _ = await opened.value()
            }
            return try await next(request)
        }
    }
}
