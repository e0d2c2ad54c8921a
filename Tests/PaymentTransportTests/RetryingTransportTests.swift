import PaymentBase
import PaymentTesting
import PaymentTransport
import Testing

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
