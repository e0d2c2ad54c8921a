internal import PaymentTransport

/// Carries what goes to simulated providers within this process, and everything else over the network.
struct EmbeddedTransport: HTTPTransport {
    let inside: any HTTPTransport
    let origins: Set<Origin>
    let outside: any HTTPTransport

    var sendLimitMilliseconds: Int64? { outside.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if origins.contains(request.origin) { return try await inside.send(request) }
        return try await outside.send(request)
    }
}
