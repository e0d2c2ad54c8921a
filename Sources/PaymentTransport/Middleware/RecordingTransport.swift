internal import PaymentBase

/// Keeps every exchange in a cassette, secrets removed before anything is kept.
///
/// ```swift
/// let recorder = RecordingTransport(curl, rules: CassetteRules { mask($0) })
/// // … run the scenario, then write recorder.cassette.text to a file
/// ```
public struct RecordingTransport: HTTPTransport {
    /// How many exchanges a cassette holds; what comes after them passes through unrecorded.
    public static let exchangesMax = 10_000

    private let inner: any HTTPTransport
    private let rules: CassetteRules
    private let kept = Locked(Cassette())

    /// Wraps a transport.
    public init(_ inner: any HTTPTransport, rules: CassetteRules) { (self.inner, self.rules) = (inner, rules) }

    /// What was recorded so far.
    public var cassette: Cassette { kept.withLock { $0 } }

    public var bytesLeaveWithinMilliseconds: Int64? { inner.bytesLeaveWithinMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        do {
            let response = try await inner.send(request)
            keep(request, .success(rules.redacted(response)))
            return response
        } catch {
            keep(request, .failure(error))
            throw error
        }
    }

    private func keep(_ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>) {
        let exchange = Cassette.Exchange(request: rules.redacted(request), end: end)
        kept.withLock { if $0.exchanges.count < Self.exchangesMax { $0.exchanges.append(exchange) } }
    }
}
