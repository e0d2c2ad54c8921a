internal import PaymentTransport

/// Carries what goes to a provider's simulated address to the port where it really is, over real HTTP.
struct SandboxTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let places: [Origin: Origin]

    /// Knows where each simulated address is.
    init(_ inner: any HTTPTransport, _ places: [Origin: Origin]) { (self.inner, self.places) = (inner, places) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        if let place = places[request.origin] { request.origin = place }
        return try await inner.send(request)
    }
}
