internal import PaymentBase
public import PaymentConformance
internal import PaymentSimulator
public import PaymentTransport

/// A transport behind an interceptor: what brings the suite's changes to whatever speaks HTTP.
///
/// It also tells the simulated provider which attempt a request belongs to, for its ledger alone.
public struct InterceptingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let interceptor: Interceptor

    /// Puts an interceptor before a transport.
    public init(_ inner: any HTTPTransport, _ interceptor: Interceptor) {
        (self.inner, self.interceptor) = (inner, interceptor)
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await interceptor.send(request) { [inner] (changed) async throws(TransportFailure) in
            var changed = changed
            if let attempt = CurrentAttempt.id { changed.headers[SimulatorRequest.attemptHeader] = attempt }
            return try await inner.send(changed)
        }
    }
}
