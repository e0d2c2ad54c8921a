internal import PaymentBase
internal import PaymentTransport

/// One request on its way to the thread, and the promise of its end.
final class CurlJob: Sendable {
    let request: HTTPRequest
    let end = Promise<Result<HTTPResponse, TransportFailure>>()
    private let cancelled = Locked(false)

    init(_ request: HTTPRequest) { self.request = request }

    /// Set before the thread is told, so that a cancellation that overtakes its own request is not lost.
    func cancel() { cancelled.withLock { $0 = true } }

    var isCancelled: Bool { cancelled.withLock { $0 } }

    func fail(_ failure: TransportFailure) { end.fulfil(.failure(failure)) }
}
