import PaymentBase
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ObservingTransportTests {
    @Test func itTellsPlacesAndSizesAndNothingElse() async throws {
        let scheduler = TestScheduler(now: 5_000)
        let told = Locked([RequestSummary]())
        try scheduler.run {
            let transport = ObservingTransport(Slow(clock: scheduler), clock: scheduler) { summary in
                told.withLock { $0.append(summary) }
            }
            let request = HTTPRequest(
                "POST", Origin(.https, "example.com"), "/pay/x?token=hidden1&hidden2&a=hidden3=b",
                headers: ["Authorization": "hidden4"], body: Array("hidden5".utf8))
            _ = try await transport.send(request)
        }
        let summary = try #require(told.withLock { $0.first })
        #expect(summary.path == "/pay/x")
        #expect(summary.queryNames == ["token", "…", "a"])
        #expect(summary.bodyByteCount == 7)
        #expect(summary.elapsedMilliseconds == 250)
        #expect(summary.end == .replied(status: 201, bodyByteCount: 7))
        var text = "\(summary)"
        dump(summary, to: &text)
        #expect(!text.contains("hidden"))
        #expect(
            "\(summary)"
                == "POST https://example.com:443/pay/x?token&…&a (7 bytes) → 201, 7 bytes in 250 ms")
    }

    @Test func itTellsAFailureAndPassesItOn() async throws {
        let scheduler = TestScheduler()
        let told = Locked([RequestSummary.Ending]())
        let stub = StubTransport([.failure(.maybeSent(.stalled))])
        let transport = ObservingTransport(stub, clock: scheduler) { summary in told.withLock { $0.append(summary.end) }
        }
        await #expect(throws: TransportFailure.maybeSent(.stalled)) {
            try await transport.send(HTTPRequest("GET", Origin(.http, "a"), "/"))
        }
        #expect(told.withLock { $0 } == [.failed(.maybeSent(.stalled))])
    }

    private struct Slow: HTTPTransport {
        let clock: any PaymentClock
        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            do { try await clock.sleep(until: clock.now + 250) } catch { throw .notSent(.cancelled) }
            return HTTPResponse(201, headers: ["Set-Cookie": "hidden6"], body: Array("hidden7".utf8))
        }
    }
}
