public import PaymentBase

/// Tells a closure about every exchange, without anything that is secret.
///
/// ```swift
/// let transport = ObservingTransport(curl, clock: SystemClock()) { summary in log.append("\(summary)") }
/// ```
public struct ObservingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let clock: any PaymentClock
    private let observe: @Sendable (RequestSummary) -> Void

    /// Wraps a transport; `observe` is called once for every exchange, after it has ended.
    public init(
        _ inner: any HTTPTransport, clock: any PaymentClock, observe: @escaping @Sendable (RequestSummary) -> Void
    ) {
        (self.inner, self.clock, self.observe) = (inner, clock, observe)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = clock.now
        do {
            let response = try await inner.send(request)
            tell(request, start, .replied(status: response.status, bodyByteCount: response.body.count))
            return response
        } catch {
            tell(request, start, .failed(error))
            throw error
        }
    }

    private func tell(_ request: HTTPRequest, _ start: Int64, _ end: RequestSummary.Ending) {
        observe(RequestSummary(request, elapsedMilliseconds: max(0, clock.now - start), end: end))
    }
}
