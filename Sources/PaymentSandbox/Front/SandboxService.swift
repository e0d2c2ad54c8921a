public import PaymentTransport

/// A simulated provider behind whatever front: in process, or on a socket.
public protocol SandboxService: Sendable {
    /// Answers one request, or cuts the connection.
    func answer(_ request: HTTPRequest) async -> SandboxAnswer
}
