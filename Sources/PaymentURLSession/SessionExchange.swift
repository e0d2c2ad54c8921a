internal import PaymentBase
internal import PaymentTransport

/// One request under way: what the delegate has heard of it, and the promise of its end.
final class SessionExchange: Sendable {
    private struct State {
        var hasBegun = false
        var hasLeft = false
        var isCancelled = false
        var status = 0
        var headers = HTTPHeaders()
        var body: [UInt8] = []
    }

    let end = Promise<Result<HTTPResponse, TransportFailure>>()
    private let bodyBytesMax: Int
    private let state = Locked(State())

    init(bodyBytesMax: Int) { self.bodyBytesMax = bodyBytesMax }

    /// Notes that the request is handed over now; false when it was cancelled before.
    func begin() -> Bool {
        let mayBegin = state.withLock { state in
            state.hasBegun = !state.isCancelled
            return state.hasBegun
        }
        if !mayBegin { end.fulfill(.failure(.notSent(.cancelled))) }
        return mayBegin
    }

    /// Our own side ends it; after it was handed over nobody knows how far it got.
    func cancel() {
        let hasBegun = state.withLock { state in
            state.isCancelled = true
            return state.hasBegun
        }
        if hasBegun { end.fulfill(.failure(.maybeSent(.cancelled))) }
    }

    /// A part of the request has been seen leaving; no later failure can prove the contrary.
    func leave() { state.withLock { $0.hasLeft = true } }

    /// Takes the head of the reply.
    func take(status: Int, headers: HTTPHeaders) {
        state.withLock { ($0.hasLeft, $0.status, $0.headers, $0.body) = (true, status, headers, []) }
    }

    /// Takes a part of the body; too much of it is the end.
    func take(_ bytes: some Collection<UInt8>) {
        let isTooLarge = state.withLock { state in
            guard bytes.count <= bodyBytesMax - state.body.count else { return true }
            state.body.append(contentsOf: bytes)
            return false
        }
        if isTooLarge { end.fulfill(.failure(.maybeSent(.tooLarge))) }
    }

    /// Takes the end; `failure` is nil when the loader is content.
    func finish(_ failure: TransportFailure?) {
        let result = state.withLock { state -> Result<HTTPResponse, TransportFailure> in
            if let failure { return .failure(state.hasLeft ? .maybeSent(failure.reason) : failure) }
            guard state.status >= 200 else { return .failure(.maybeSent(.malformed)) }
            return .success(HTTPResponse(state.status, headers: state.headers, body: state.body))
        }
        end.fulfill(result)
    }
}
