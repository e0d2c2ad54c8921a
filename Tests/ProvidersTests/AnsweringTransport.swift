import PaymentTransport

/// A provider that answers some requests as a document prints it, and the rest as the simulated one does.
struct AnsweringTransport: HTTPTransport {
    let inner: any HTTPTransport
    /// What is answered instead: nil leaves the answer as it is.
    let answer: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse?
    /// Whether a request reaches the simulated provider before it is answered.
    var arrives: @Sendable (HTTPRequest) -> Bool = { _ in true }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = arrives(request) ? try await inner.send(request) : HTTPResponse(500)
        return answer(request, response) ?? response
    }
}
