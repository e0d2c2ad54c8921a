internal import PaymentTransport

/// What carries requests when an application injects no transport: the one place to change for another.
enum DefaultTransport {
    /// Makes the transport.
    static func make() -> any HTTPTransport { NoTransport() }
}

/// Reaches nobody, and proves that nothing was sent.
struct NoTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        throw .notSent(.connectionRefused)
    }
}
