public import PaymentBase
internal import PaymentModel
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
        /// What the sieves of earlier takes knew.
        var learnt: Set<String> = []
    }

    private let inner: any HTTPTransport
    private let clock: any PaymentClock
    private let state: Locked<State>

    /// Wraps a transport.
    public init(_ inner: any HTTPTransport, _ header: Cassette.Header, clock: any PaymentClock) {
        (self.inner, self.clock) = (inner, clock)
        state = Locked(State(cassette: Cassette(header)))
    }

    /// What was recorded so far, looked through once more for everything that was learnt in the meantime.
    public var cassette: Cassette {
        let (cassette, learnt) = state.withLock { ($0.cassette, $0.learnt.union($0.sieve.learnt)) }
        return HiddenSecrets(learnt).cleaned(cassette)
    }

    /// Begins the next take; what these secrets say is never kept, wherever it is.
    public func begin(_ take: String, hiding secrets: [Secret]) {
        let sieve = CassetteRedactor(secrets.map { $0.expose() })
        state.withLock { state in
            state.learnt.formUnion(state.sieve.learnt)
            (state.take, state.start, state.sieve) = (take, clock.now, sieve)
        }
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

/// Answers from a cassette of a real line, take by take; nothing reaches a network.
public final class SectionReplayTransport: HTTPTransport {
    private let cassette: Cassette
    private let clock: any PaymentClock
    private let fleeting: Set<String>
    private let tapes = Locked([ReplayTape]())

    /// Plays a cassette; an answer comes at once, however long it took.
    public init(_ cassette: Cassette, clock: any PaymentClock) {
        (self.cassette, self.clock, fleeting) = (cassette, clock, Self.fleeting(cassette))
    }

    /// Members that are another text in each of at least three requests: names of messages, made of the time. What comes
    /// of a real clock can't come again.
    private static func fleeting(_ cassette: Cassette) -> Set<String> {
        var values: [String: [JSON]] = [:]
        for exchange in cassette.interactions {
            guard let json = try? JSONReader().read(exchange.request.body) else { continue }
            for (path, value) in MemberValue.all(in: json) where value.string != nil {
                values[path, default: []].append(value)
            }
        }
        let others = values.filter { $1.count >= 3 && Set($1).count == $1.count }.map(\.key)
        return Set(others.compactMap { $0.split(separator: ".").last.map(String.init) })
    }

    /// What is asked differently from it was recorded, so far.
    public var differences: [ReplayDifference] { tapes.withLock { $0 }.flatMap(\.differences) }

    /// Begins the next take.
    public func begin(_ take: String, hiding secrets: [Secret]) {
        let items = cassette.items.filter { $0.section == take }
        let tape = ReplayTape(take, items, secrets.map { $0.expose() }, clock, waits: false, fleeting: fleeting)
        tapes.withLock { $0.append(tape) }
    }

    /// How a take ended when it was recorded.
    public func outcome(_ take: String) -> JSON? {
        for item in cassette.items where item.section == take {
            if case .other("outcome", let value) = item.event { return value }
        }
        return nil
    }

    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard let tape = tapes.withLock({ $0.last }) else { throw .notSent(.notRecorded) }
        return try await tape.interceptor.send(request) { (_) async throws(TransportFailure) in
            throw .notSent(.notRecorded)
        }
    }
}
