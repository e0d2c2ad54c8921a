import PaymentBase
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ObservingTransportTests {
    @Test func itReportsPlacesAndSizesAndNothingElse() async throws {
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

    @Test func itReportsAFailureAndPassesItOn() async throws {
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

@Suite struct RetryingTransportTests {
    private typealias End = Result<HTTPResponse, TransportFailure>

    /// Plays the ends through a transport that repeats twice; gives what came, the number of sendings and the time.
    private func play(_ ends: [End]) throws -> (end: End, sentCount: Int, elapsed: Int64) {
        let scheduler = TestScheduler(now: 0)
        let stub = StubTransport(ends)
        let end = try scheduler.run { () -> End in
            let transport = RetryingTransport(stub, clock: scheduler, repeatsMax: 2, pauseMilliseconds: 300)
            do throws(TransportFailure) {
                return .success(try await transport.send(HTTPRequest("POST", Origin(.http, "a"), "/")))
            } catch {
                return .failure(error)
            }
        }
        return (end, stub.sent.withLock { $0.count }, scheduler.now)
    }

    @Test func whatNeverLeftIsSentAgainAfterAPause() throws {
        let found = try play([
            .failure(.notSent(.connectionRefused)), .failure(.notSent(.tlsFailed)), .success(HTTPResponse(200)),
        ])
        #expect(found == (.success(HTTPResponse(200)), 3, 600))
    }

    @Test func itGivesUp() throws {
        let found = try play(Array(repeating: .failure(.notSent(.connectionRefused)), count: 9))
        #expect(found == (.failure(.notSent(.connectionRefused)), 3, 600))
    }

    @Test(
        arguments: [
            .maybeSent(.connectionReset), .maybeSent(.stalled), .maybeSent(.cancelled), .maybeSent(.nameNotResolved),
            .notSent(.cancelled), .notSent(.invalidRequest),
        ] as [TransportFailure])
    func everythingElseIsSentOnce(_ failure: TransportFailure) throws {
        let found = try play([.failure(failure), .success(HTTPResponse(200))])
        #expect(found == (.failure(failure), 1, 0))
    }

    @Test func aDoubtAfterARepeatIsNotRepeated() throws {
        let found = try play([
            .failure(.notSent(.connectionRefused)), .failure(.maybeSent(.truncated)), .success(HTTPResponse(200)),
        ])
        #expect(found == (.failure(.maybeSent(.truncated)), 2, 300))
    }

    @Test func aReplyIsNeverRepeatedWhateverItSays() throws {
        let found = try play([.success(HTTPResponse(503)), .success(HTTPResponse(200))])
        #expect(found == (.success(HTTPResponse(503)), 1, 0))
    }

    @Test func aCancelledPauseEndsIt() throws {
        let scheduler = TestScheduler()
        let stub = StubTransport([.failure(.notSent(.connectionRefused))])
        try scheduler.run {
            let task = Task(executorPreference: scheduler) {
                let transport = RetryingTransport(stub, clock: scheduler, repeatsMax: 2, pauseMilliseconds: 300)
                _ = try await transport.send(HTTPRequest("POST", Origin(.http, "a"), "/"))
            }
            try await scheduler.sleep(until: scheduler.now + 100)
            task.cancel()
            await #expect(throws: TransportFailure.notSent(.cancelled)) { try await task.value }
        }
        #expect(stub.sent.withLock { $0.count } == 1)
    }
}

@Suite struct JSONClientTests {
    private let origin = Origin(.https, "acme.example")

    @Test func anExchangeThatTakesLongNamesItsOwnLimit() async throws {
        let stub = StubTransport([])
        let client = JSONClient(stub, origin)
        _ = try? await client.send("POST", "/payments", body: [:], stallMilliseconds: 155_000)
        _ = try? await client.send("GET", "/payments/1")
        #expect(stub.sent.withLock { $0 }.map(\.idleTimeoutMilliseconds) == [155_000, nil])
    }
}

/// Answers with prepared ends, in order, and remembers what it was sent.
final class StubTransport: HTTPTransport {
    let sent = Locked([HTTPRequest]())
    private let ends: Locked<[Result<HTTPResponse, TransportFailure>]>

    init(_ ends: [Result<HTTPResponse, TransportFailure>]) { self.ends = Locked(ends) }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return try ends.withLock { $0.isEmpty ? .failure(.notSent(.other)) : $0.removeFirst() }.get()
    }
}
