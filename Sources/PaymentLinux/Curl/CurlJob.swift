internal import PaymentBase
internal import PaymentTransport

/// One request on its way, whoever waits for it, and what came of it.
final class CurlJob: Sendable {
    typealias End = Result<HTTPResponse, TransportFailure>

    private struct State {
        var isCancelled = false
        var end: End?
        var waiter: CheckedContinuation<End, Never>?
    }

    let request: HTTPRequest
    /// When it was opened, if money hangs on it.
    let opened: RequestTimer?
    private let state = Locked(State())

    init(_ request: HTTPRequest, _ opened: RequestTimer? = nil) { (self.request, self.opened) = (request, opened) }

    /// Set before the thread is told, so that a cancellation that overtakes its own request is not lost.
    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Waits for the end, whatever happens to the waiting task; one waits, once.
    func value() async -> End {
        await withCheckedContinuation { waiter in
            let end = state.withLock { state in
                if state.end == nil { state.waiter = waiter }
                return state.end
            }
            if let end { waiter.resume(returning: end) }
        }
    }

    /// Ends it; whoever ends it first wins.
    func finish(_ end: End) {
        let waiter = state.withLock { state -> CheckedContinuation<End, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end)
    }

    func fail(_ failure: TransportFailure) { finish(.failure(failure)) }
}
