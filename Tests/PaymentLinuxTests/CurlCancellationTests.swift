import Dispatch
import Glibc
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

@Suite struct CurlCancellationTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func charge(_ server: TestServer) -> HTTPRequest {
        HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: Array("amount=1".utf8))
    }

    /// What overtakes a start must not be lost: the task is cancelled before it ever calls the transport.
    @Test func whatIsCancelledBeforeItStartsIsNeverSent() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = charge(server)
        for _ in 0..<50 {
            let go = Promise<Bool>()
            let task = Task {
                _ = await go.value()
                _ = try await transport.send(request)
            }
            task.cancel()
            go.fulfill(true)
            await #expect(throws: TransportFailure.notSent(.cancelled)) { try await task.value }
        }
        // A later request proves that the thread has gone past all of them.
        #expect(try await transport.send(request).status == 200)
        await transport.close()
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func whatIsCancelledAtAnyMomentSaysTheTruth() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = charge(server)
        var unsent: Set<String> = []
        for number in 0..<200 {
            request.target = "/charge/\(number)"
            let task = Task { [request] in try await transport.send(request) }
            for _ in 0..<(number % 20) { await Task.yield() }
            task.cancel()
            do {
                _ = try await task.value
            } catch TransportFailure.notSent(let reason) {
                #expect(reason == .cancelled)
                unsent.insert(request.target)
            } catch TransportFailure.maybeSent(let reason) {
                #expect(reason == .cancelled)
            }
        }
        #expect(try await transport.send(charge(server)).status == 200)
        await transport.close()
        let arrived = Set(server.requests.withLock { $0.map { String($0.line.split(separator: " ")[1]) } })
        #expect(unsent.isDisjoint(with: arrived))
    }

    @Test func whatIsCancelledWhileConnectingIsNotSent() async throws {
        let accepted = Promise<Bool>()
        let server = try TestServer { connection in
            accepted.fulfill(true)
            connection.readToEnd()
        }
        defer { server.stop() }
        // Beside busy tests this task may wait for its turn longer than a connection may take to come about.
        var configuration = CurlTransport.Configuration()
        configuration.connectMilliseconds = 600_000
        let transport = CurlTransport(configuration)
        let request = HTTPRequest("POST", Origin(.https, "127.0.0.1", server.port), "/", body: [49])
        let task = Task { try await transport.send(request) }
        _ = await accepted.value()
        task.cancel()
        await #expect(throws: TransportFailure.notSent(.cancelled)) { try await task.value }
        await transport.close()
    }

    @Test func whatIsCancelledInFlightIsMaybeSentAndEndsTheConnection() async throws {
        let (arrived, left) = (Promise<Bool>(), Promise<Bool>())
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            arrived.fulfill(true)
            connection.readToEnd()
            left.fulfill(true)
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = charge(server)
        let task = Task { try await transport.send(request) }
        _ = await arrived.value()
        task.cancel()
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await task.value }
        _ = await left.value()
        await transport.close()
    }

    @Test func aReplyThatCameIsKeptThoughTheTaskWasCancelledAfterwards() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = charge(server)
        let (replied, go) = (Promise<Bool>(), Promise<Bool>())
        let task = Task {
            let response = try await transport.send(request)
            replied.fulfill(true)
            _ = await go.value()
            return response
        }
        _ = await replied.value()
        task.cancel()
        go.fulfill(true)
        #expect(try await task.value.status == 200)
        #expect(try await transport.send(request).status == 200)
        await transport.close()
        #expect(server.connectionCount.withLock { $0 } == 1)
    }

    @Test func closingEndsWhatIsUnderWayAndTakesNothingMore() async throws {
        let arrived = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            arrived.fulfill(true)
            connection.readToEnd()
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = charge(server)
        let task = Task { try await transport.send(request) }
        _ = await arrived.value()
        await transport.close()
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await task.value }
        await #expect(throws: TransportFailure.notSent(.cancelled)) { try await transport.send(request) }
        await transport.close()
    }

    @Test func anUnreferencedTransportEndsItsThreadAndItsConnections() async throws {
        let gone = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(Self.ok)
            connection.readToEnd()
            gone.fulfill(true)
        }
        defer { server.stop() }
        var transport: CurlTransport? = CurlTransport()
        let ended = transport?.ended
        #expect(try await transport?.send(charge(server)).status == 200)
        transport = nil
        #expect(await ended?.value() == true)
        #expect(await gone.value())
    }
}

/// Bytes of a payment leave within the time that the transport declares, or not at all.
@Suite struct CurlSendLimitTests {
    private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A clock that is set by hand.
    private final class Settable: PaymentClock {
        let time = Locked(Int64(1_000))
        var now: Int64 { time.withLock { $0 } }
        func sleep(until instant: Int64) async throws {}
    }

    private func charge(_ server: TestServer, bytes: Int = 8) -> HTTPRequest {
        HTTPRequest(
            "POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [UInt8](repeating: 97, count: bytes))
    }

    /// Sends a request so long after it was opened.
    private func send(
        _ request: HTTPRequest, after milliseconds: Int64, _ configuration: CurlTransport.Configuration = .init()
    ) async -> Result<Int, TransportFailure> {
        let clock = Settable()
        let opened = RequestTimer(clock)
        clock.time.withLock { $0 += milliseconds }
        let transport = CurlTransport(configuration)
        let result: Result<Int, TransportFailure>
        do {
            let status = try await RequestTimer.$current.withValue(opened) { try await transport.send(request).status }
            result = .success(status)
        } catch { result = .failure(error as? TransportFailure ?? .maybeSent(.other)) }
        await transport.close()
        return result
    }

    @Test func whatWasOpenedTooLongAgoNeverLeaves() async throws {
        let server = try TestServer { _ in Self.fine }
        defer { server.stop() }
        let limit = CurlTransport.Configuration().beginMilliseconds
        #expect(await send(charge(server), after: limit + 1) == .failure(.notSent(.tooLate)))
        #expect(server.requests.withLock { $0.isEmpty })
        #expect(await send(charge(server), after: limit) == .success(200))
        // The server counts connections in their order, some time after each was made: the second one has been answered.
        #expect(server.requests.withLock { $0.count } == 1 && server.connectionCount.withLock { $0 } == 2)
    }

    @Test func aClockThatWentBackSendsNothing() async throws {
        let server = try TestServer { _ in Self.fine }
        defer { server.stop() }
        #expect(await send(charge(server), after: -1) == .failure(.notSent(.tooLate)))
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func whoReadsNothingEndsTheWrite() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try TestServer { (_: TestConnection) in isOver.wait() }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.writeMilliseconds = 50
        let result = await send(charge(server, bytes: 64 * 1_024 * 1_024), after: 0, configuration)
        isOver.signal()
        #expect(result == .failure(.maybeSent(.stalled)))
    }

    /// Writing has a limit, waiting for the answer another one.
    @Test func whatIsWrittenMayBeAnsweredLater() async throws {
        let isLater = DispatchSemaphore(value: 0)
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            isLater.wait()
            try connection.write(Self.fine)
        }
        let silent = try TestServer { $0.readToEnd() }
        defer {
            server.stop()
            silent.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.writeMilliseconds = 50
        async let answered = send(charge(server), after: 0, configuration)
        var other = charge(silent)
        other.idleTimeoutMilliseconds = 200
        let transport = CurlTransport()
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await transport.send(other) }
        await transport.close()
        isLater.signal()
        #expect(await answered == .success(200))
    }

    @Test func undeliveredBytes_afterTheLimit_theSystemGivesUp() async throws {
        let limits = Locked([Int32]())
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            limits.withLock { $0 = Self.deliveryLimits() }
            try connection.write(Self.fine)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.deliverMilliseconds = 12_321
        #expect(await send(charge(server), after: 0, configuration) == .success(200))
        #expect(limits.withLock { $0 }.contains(12_321))
    }

    /// What the sockets of this process have as their limit.
    private static func deliveryLimits() -> [Int32] {
        (Int32(0)..<16_384).compactMap { descriptor in
            var limit: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            let code = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, &size)
            return code == 0 ? limit : nil
        }
    }

    @Test func whatLimitsNothingIsDeclaredAsNone() {
        func declared(_ change: (inout CurlTransport.Configuration) -> Void) -> Int64? {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            return CurlTransport(configuration).sendLimitMilliseconds
        }
        #expect(declared { _ in } == 30_000)
        #expect(declared { $0.deliverMilliseconds = 0 } == nil)
        #expect(declared { $0.beginMilliseconds = -1 } == nil)
        #expect(declared { $0.writeMilliseconds = .max } == nil)
    }
}

/// Tasks that run on the thread of the transport itself.
@Suite struct CurlExecutorTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func charge(_ server: TestServer) -> HTTPRequest {
        HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: Array("amount=1".utf8))
    }

    private static var thread: UInt { UInt(pthread_self()) }

    @Test func anExchangeChangesNoThread() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        let threads = try await Task(executorPreference: transport.executor) {
            var threads: Set<UInt> = [Self.thread]
            for _ in 0..<50 {
                let status = try await transport.send(request).status
                #expect(status == 200)
                threads.insert(Self.thread)
            }
            return threads
        }.value
        #expect(threads.count == 1)
        await transport.close()
    }

    /// One answer that is long in coming keeps neither the other tasks of the thread from running nor their requests.
    @Test func aRequestThatWaitsDelaysNoOther() async throws {
        let open = DispatchSemaphore(value: 0)
        let server = try TestServer { connection in
            while let request = try connection.readRequest() {
                if request.line.contains("/slow") { open.wait() }
                try connection.write(Self.ok)
            }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        var slow = request
        slow.target = "/slow"
        let waiting = Task(executorPreference: transport.executor) { [slow] in try await transport.send(slow).status }
        let fast = Task(executorPreference: transport.executor) {
            var statuses: Set<Int> = []
            for _ in 0..<10 { statuses.insert(try await transport.send(request).status) }
            return statuses
        }
        #expect(try await fast.value == [200])
        open.signal()
        #expect(try await waiting.value == 200)
        await transport.close()
    }

    @Test func whatIsCancelledOnTheThreadSaysTheTruth() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = Self.charge(server)
        var unsent: Set<String> = []
        for number in 0..<100 {
            request.target = "/charge/\(number)"
            let task = Task(executorPreference: transport.executor) { [request] in try await transport.send(request) }
            for _ in 0..<(number % 20) { await Task.yield() }
            task.cancel()
            do { _ = try await task.value } catch TransportFailure.notSent { unsent.insert(request.target) } catch {
                #expect(error as? TransportFailure == .maybeSent(.cancelled))
            }
        }
        await transport.close()
        let arrived = Set(server.requests.withLock { $0.map { String($0.line.split(separator: " ")[1]) } })
        #expect(unsent.isDisjoint(with: arrived))
    }

    /// A task that outlives the thread continues elsewhere; it is never left behind.
    @Test func tasksOutliveTheThread() async throws {
        let server = try TestServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = Self.charge(server)
        let closed = Promise<Bool>()
        let tasks = (0..<20).map { number in
            Task(executorPreference: transport.executor) {
                if number == 0 { await transport.close() }
                _ = await closed.value()
                for _ in 0..<5 { await Task.yield() }
                do { return "\(try await transport.send(request).status)" } catch { return "\(error)" }
            }
        }
        _ = await transport.close()
        closed.fulfill(true)
        for task in tasks { #expect(await task.value == "\(TransportFailure.notSent(.cancelled))") }
        let late = Task(executorPreference: transport.executor) { 1 }
        #expect(await late.value == 1)
    }
}
