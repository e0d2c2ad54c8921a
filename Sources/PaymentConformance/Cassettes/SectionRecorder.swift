internal import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

/// Keeps what passes a real line, take by take and without secrets: for a run against a provider's own environment.
///
/// ```swift
/// let recorder = SectionRecorder(curl, Cassette.Header(provider: "adyen", environment: "test"), clock: SystemClock())
/// recorder.begin("live.sale", hiding: secrets)
/// // … sell, then write recorder.cassette.text to a file
/// ```
public final class SectionRecorder: HTTPTransport {
    private struct State {
        var cassette: Cassette
        var take = ""
        var start: Int64 = 0
        var sieve = CassetteRedactor([])
    }

    private let inner: any HTTPTransport
    private let clock: any PaymentClock
    private let state: Locked<State>

    /// Wraps a transport.
    public init(_ inner: any HTTPTransport, _ header: Cassette.Header, clock: any PaymentClock) {
        (self.inner, self.clock) = (inner, clock)
        state = Locked(State(cassette: Cassette(header)))
    }

    /// What was recorded so far.
    public var cassette: Cassette { state.withLock { $0.cassette } }

    /// Begins the next take; what these secrets say is never kept, wherever it stands.
    public func begin(_ take: String, hiding secrets: [Secret]) {
        let sieve = CassetteRedactor(secrets.map { $0.expose() })
        state.withLock { ($0.take, $0.start, $0.sieve) = (take, clock.now, sieve) }
    }

    /// Keeps how a take ended, or something else that happened in it.
    public func note(_ what: String, _ value: JSON) {
        state.withLock { state in
            state.cassette.items.append(.init(.other(what, value), section: state.take, at: clock.now - state.start))
        }
    }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let begun = clock.now
        let end: Result<HTTPResponse, TransportFailure>
        do throws(TransportFailure) { end = .success(try await inner.send(request)) } catch { end = .failure(error) }
        let time = clock.now - begun
        state.withLock { state in
            let exchange = state.sieve.exchange(request, end, milliseconds: time)
            state.cassette.items.append(.init(.exchange(exchange), section: state.take, at: begun - state.start))
        }
        return try end.get()
    }
}
