internal import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

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

    /// What is asked otherwise than it was recorded, so far.
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
