public import PaymentTransport

/// What answers requests, in process or on a socket: a simulated provider, or something before one.
public protocol SimulatorService: Sendable {
    /// Answers one request, or cuts the connection.
    func answer(_ request: HTTPRequest) async -> SimulatorResponse
}
