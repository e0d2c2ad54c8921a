internal import PaymentBase

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

    /// How many exchanges nobody has asked for yet.
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
