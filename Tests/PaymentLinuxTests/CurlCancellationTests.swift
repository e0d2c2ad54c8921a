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

    @Test func aTransportThatNobodyHoldsEndsItsThreadAndItsConnections() async throws {
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
