public import PaymentBase

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
    private let clock: any PaymentClock
    private let start: Int64
    private let kept: Locked<Cassette>

    /// Wraps a transport; times are those of the clock.
    public init(
        _ inner: any HTTPTransport, rules: CassetteRules, header: Cassette.Header = Cassette.Header(provider: ""),
        clock: any PaymentClock = SystemClock()
    ) {
        (self.inner, self.rules, self.clock, start) = (inner, rules, clock, clock.uptime)
        kept = Locked(Cassette(header))
    }

    /// What was recorded so far.
    public var cassette: Cassette { kept.withLock { $0 } }

    public var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let begun = clock.uptime
        do {
            let response = try await inner.send(request)
            keep(request, .success(response), begun)
            return response
        } catch {
            keep(request, .failure(error), begun)
            throw error
        }
    }

    private func keep(_ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, _ begun: Int64) {
        let exchange = rules.exchange(request, end, milliseconds: max(0, clock.uptime - begun))
        let item = Cassette.Item(.exchange(exchange), at: max(0, begun - start))
        kept.withLock { if $0.items.count < Self.exchangesMax { $0.items.append(item) } }
    }
}

/// Answers from a cassette: each recorded exchange once, in the order of recording among equal requests.
///
/// Two requests are equal when method, origin, redacted target and redacted body are; headers differ from run to run.
/// A request that is not on the cassette fails as `notSent(.notRecorded)`, so that nothing can reach a network.
public struct ReplayingTransport: HTTPTransport {
    private let rules: CassetteRules
    private let left: Locked<[Cassette.Interaction]>

    /// Makes a transport that plays a cassette; `rules` are those of the recording.
    public init(_ cassette: Cassette, rules: CassetteRules) {
        self.rules = rules
        left = Locked(cassette.interactions)
    }

    /// How many exchanges were not asked for yet.
    public var remainingCount: Int { left.withLock { $0.count } }

    /// Nothing leaves.
    public var sendLimitMilliseconds: Int64? { 0 }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let wanted = rules.redacted(request)
        let found = left.withLock { left -> Cassette.Interaction? in
            let index = left.firstIndex { Self.same($0.request, wanted) }
            return index.map { left.remove(at: $0) }
        }
        guard let found else { throw .notSent(.notRecorded) }
        return try found.end.get()
    }

    private static func same(_ one: HTTPRequest, _ other: HTTPRequest) -> Bool {
        one.method == other.method && one.origin == other.origin && one.target == other.target
            && one.body == other.body
    }
}

extension TransportFailure.Reason {
    /// A replayed run asked for something that was not recorded.
    public static let notRecorded = TransportFailure.Reason(rawValue: "notRecorded")
}
