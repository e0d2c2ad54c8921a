import PaymentBase
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// Opening a WebSocket is a request like any other: it has a span, and a count.
@Suite struct WebSocketSpanTests {
    private struct Line: WebSocketConnection {
        func send(_ text: String) async throws(TransportFailure) {}
        func receive() async throws(TransportFailure) -> WebSocketMessage? { nil }
        func close() async {}
    }

    private struct Opener: WebSocketTransport {
        let failure: TransportFailure?

        func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
            if let failure { throw failure }
            return Line()
        }
    }

    private static let request = HTTPRequest("GET", Origin(.https, "events.test"), "/events?sid=planted-session")

    /// What an observer sees of an opening.
    private static func seen(_ failure: TransportFailure?) async -> RecordingObserver {
        let (observer, till) = (RecordingObserver(), Till())
        let observation = Observation(
            observer, till.scheduler, till.random, Observation.Subject(attempt: nil, []), clean: { $0 })
        await RequestInFlight.$current.withValue(RequestInFlight(observation)) {
            _ = try? await ObservedWebSocketTransport(Opener(failure: failure)).connect(request)
        }
        return observer
    }

    @Test("An opened WebSocket is a request with the status 101, and its query is shown nowhere")
    func webSocket_opened_isASpan() async throws {
        let observer = await Self.seen(nil)
        let span = try #require(observer.ended.first)
        #expect(observer.ended.count == 1 && span.name == .request && !span.hasFailed)
        #expect(span.text(.host) == "events.test" && span.text(.status) == "101")
        #expect(observer.counts.map(\.counter) == [.requests])
        #expect(!"\(observer.ended) \(observer.counts)".contains("planted-session"))
    }

    @Test("A WebSocket that does not open is a failed request that says why")
    func webSocket_refused_isAFailedSpan() async throws {
        let span = try #require(await Self.seen(.notSent(.connectionRefused)).ended.first)
        #expect(span.hasFailed && span.text(.cause) == "connectionRefused" && span.text(.status) == nil)
    }

    @Test("Outside of a client's work nothing is reported, and the line is opened all the same")
    func webSocket_withoutAnObserver_opens() async throws {
        let line = try await ObservedWebSocketTransport(Opener(failure: nil)).connect(Self.request)
        #expect(line is Line)
    }
}
