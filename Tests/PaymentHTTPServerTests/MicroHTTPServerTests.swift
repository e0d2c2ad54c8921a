import PaymentBase
import PaymentHTTPServer
import Testing

struct MicroHTTPServerTests {
    private static let get = "GET /x HTTP/1.1\r\nHost: test\r\n\r\n"
    private static let lastGet = Array("GET /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8)

    private static func post(_ body: String, isLast: Bool = true) -> [UInt8] {
        let close = isLast ? "Connection: close\r\n" : ""
        return Array(
            ("POST /x HTTP/1.1\r\nHost: test\r\n\(close)Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
    }

    // MARK: - Limits

    @Test func body_atTheLimit_isTaken_andAboveIt_isRefused() async throws {
        var limits = ServerLimits()
        limits.bodyBytesMax = 100
        let server = try MicroHTTPServer(limits: limits, handler: TestHandler())
        let most = String(repeating: "a", count: 100)
        #expect(try await statuses(RawClient.exchange(Self.post(most), port: server.port)) == [200])
        #expect(try await statuses(RawClient.exchange(Self.post(most + "a"), port: server.port)) == [413])
        let chunks =
            "POST /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\(most)\r\n"
        let whole = try await RawClient.exchange(Array((chunks + "0\r\n\r\n").utf8), port: server.port)
        #expect(statuses(whole) == [200])
        let more = try await RawClient.exchange(Array((chunks + "1\r\na\r\n0\r\n\r\n").utf8), port: server.port)
        #expect(statuses(more) == [413])
        await server.stop(within: .seconds(5))
    }

    @Test func requestThatDoesNotArriveInTime_isDisconnected() async throws {
        let clock = StepClock()
        let server = try MicroHTTPServer(clock: clock, handler: TestHandler())
        let slow = try RawClient(port: server.port)
        slow.write("GET /x HTTP/1.1\r\nHo")
        // The server takes connections in their order: after this answer it has the slow one.
        #expect(try await statuses(RawClient.exchange(Self.lastGet, port: server.port)) == [200])
        await clock.sleepers(1)
        clock.advance(by: ServerLimits().requestMilliseconds + 1)
        #expect(await slow.readToEnd() == "")
        await server.stop(within: .seconds(5))
    }

    @Test func requestThatDrips_beforeItsTime_isAnswered() async throws {
        let clock = StepClock()
        let server = try MicroHTTPServer(clock: clock, handler: TestHandler())
        let slow = try RawClient(port: server.port)
        slow.write("GET /x HTTP/1.1\r\nHo")
        #expect(try await statuses(RawClient.exchange(Self.lastGet, port: server.port)) == [200])
        await clock.sleepers(1)
        clock.advance(by: ServerLimits().requestMilliseconds - 1)
        slow.write("st: test\r\nConnection: close\r\n\r\n")
        #expect(await statuses(slow.readToEnd()) == [200])
        await server.stop(within: .seconds(5))
    }

    @Test func answerThatTakesLong_isNotDisconnected() async throws {
        let (clock, gate, begun) = (StepClock(), Promise<Bool>(), Promise<Bool>())
        var handler = TestHandler()
        handler.answer = { _ in
            begun.fulfill(true)
            _ = await gate.value()
            return ServerResponse(200)
        }
        let server = try MicroHTTPServer(clock: clock, handler: handler)
        let client = try RawClient(port: server.port)
        client.write(Self.lastGet)
        _ = await begun.value()
        await clock.sleepers(1)
        clock.advance(by: 10 * ServerLimits().requestMilliseconds)
        await clock.sleepers(1)
        gate.fulfill(true)
        #expect(await statuses(client.readToEnd()) == [200])
        await server.stop(within: .seconds(5))
    }

    @Test func connectionsOfOneAddress_aboveTheLimit_areClosed() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddressMax = 1
        let server = try MicroHTTPServer(limits: limits, handler: TestHandler())
        let first = try RawClient(port: server.port)
        first.write(Self.get)
        #expect(await first.read(until: "/x 0").contains("200 OK"))
        #expect(try await RawClient.exchange(Self.lastGet, port: server.port) == "")
        first.write(Self.get)
        #expect(await first.read(until: "/x 0").contains("200 OK"))
        await server.stop(within: .seconds(5))
    }

    // MARK: - Heads

    @Test func requestRefusedByItsHead_isAnsweredAfterItsBody_andTheConnectionStays() async throws {
        var handler = TestHandler()
        handler.check = { $0.value("authorization") == nil ? ServerResponse(401) : nil }
        let server = try MicroHTTPServer(handler: handler)
        let good = "GET /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: key\r\n\r\n"
        let text = try await RawClient.exchange(Self.post("hello", isLast: false) + Array(good.utf8), port: server.port)
        #expect(statuses(text) == [401, 200])
        await server.stop(within: .seconds(5))
    }

    @Test func target_isGivenAsItWasSent() async throws {
        var handler = TestHandler()
        handler.answer = { request in
            ServerResponse(200, [], .bytes(Array("\(request.head.path)|\(request.head.query ?? "none")".utf8)))
        }
        let server = try MicroHTTPServer(handler: handler)
        let text = try await RawClient.exchange(
            Array("GET /a%2Fb//c/;d?e=%20&f=+ HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8),
            port: server.port)
        #expect(text.hasSuffix("/a%2Fb//c/;d|e=%20&f=+"))
        await server.stop(within: .seconds(5))
    }

    @Test func manyRequests_onManyConnections_eachGetTheirOwnAnswer() async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        let port = server.port
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for connection in 0..<16 {
                group.addTask {
                    let requests = (0..<20).map { number in
                        "GET /\(connection)/\(number) HTTP/1.1\r\nHost: test\r\n"
                            + (number == 19 ? "Connection: close\r\n\r\n" : "\r\n")
                    }
                    let text = try await RawClient.exchange(Array(requests.joined().utf8), port: port)
                    return statuses(text) == Array(repeating: 200, count: 20)
                        && (0..<20).allSatisfy { text.contains("/\(connection)/\($0) 0") }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        await server.stop(within: .seconds(5))
    }

    // MARK: - Stop

    @Test func stop_whileARequestRuns_answersItAndAcceptsNoMore() async throws {
        let (gate, begun) = (Promise<Bool>(), Promise<Bool>())
        var handler = TestHandler()
        handler.answer = { _ in
            begun.fulfill(true)
            _ = await gate.value()
            return ServerResponse(201)
        }
        let server = try MicroHTTPServer(clock: StepClock(), handler: handler)
        let client = try RawClient(port: server.port)
        client.write(Self.get)
        _ = await begun.value()
        let stopped = Task { await server.stop(within: .seconds(60)) }
        // Once the port is closed, the stop has begun.
        while let other = try? RawClient(port: server.port) {
            other.write(Self.get)
            await Task.yield()
        }
        gate.fulfill(true)
        let text = await client.readToEnd()
        #expect(statuses(text) == [201])
        #expect(text.lowercased().contains("connection: close"))
        await stopped.value
    }

    @Test func stop_whenTheTimeIsOver_cancelsWhatRuns() async throws {
        let (clock, begun) = (StepClock(), Promise<Bool>())
        var handler = TestHandler()
        handler.answer = { _ in
            let cancelled = Promise<Bool>()
            begun.fulfill(true)
            _ = await withTaskCancellationHandler {
                await cancelled.value()
            } onCancel: {
                cancelled.fulfill(true)
            }
            return ServerResponse(202)
        }
        let server = try MicroHTTPServer(clock: clock, handler: handler)
        let client = try RawClient(port: server.port)
        client.write(Self.get)
        _ = await begun.value()
        let stopped = Task { await server.stop(within: .seconds(60)) }
        // The watch over deadlines sleeps, and the stop.
        await clock.sleepers(2)
        clock.advance(by: 60_000)
        #expect(await statuses(client.readToEnd()) == [202])
        await stopped.value
    }

    @Test func server_afterItsStop_freesThePort() async throws {
        let first = try MicroHTTPServer(handler: TestHandler())
        let address = try ListenAddress("127.0.0.1:\(first.port)")
        #expect(throws: HTTPServerError.self) { _ = try MicroHTTPServer(at: address, handler: TestHandler()) }
        await first.stop(within: .seconds(5))
        await first.stop(within: .seconds(5))
        let second = try MicroHTTPServer(at: address, handler: TestHandler())
        #expect(try await statuses(RawClient.exchange(Self.lastGet, port: second.port)) == [200])
        await second.stop(within: .seconds(5))
    }

    // MARK: - Streams

    @Test func stream_isSentAsItComes_andEndsWithTheServer() async throws {
        let (parts, source) = AsyncStream<[UInt8]>.makeStream()
        var handler = TestHandler()
        handler.answer = { _ in ServerResponse(200, [], .stream(parts)) }
        let server = try MicroHTTPServer(handler: handler)
        let client = try RawClient(port: server.port)
        client.write(Self.get)
        source.yield(Array("first".utf8))
        #expect(await client.read(until: "first").contains("first"))
        source.yield(Array("second".utf8))
        #expect(await client.read(until: "second").contains("second"))
        await server.stop(within: .seconds(30))
        #expect(await client.readToEnd().hasSuffix("0\r\n\r\n"))
    }

    /// Nothing is sent to it: the server sees at its next tick that the client is gone.
    @Test func stream_whoseClientHasLeft_isEnded_beforeMoreIsSent() async throws {
        let (clock, ended) = (StepClock(), Promise<Bool>())
        let parts = AsyncStream<[UInt8]> { source in
            source.onTermination = { _ in ended.fulfill(true) }
            source.yield(Array("first".utf8))
        }
        var handler = TestHandler()
        handler.answer = { _ in ServerResponse(200, [], .stream(parts)) }
        let server = try MicroHTTPServer(clock: clock, handler: handler)
        do {
            let client = try RawClient(port: server.port)
            client.write(Self.get)
            #expect(await client.read(until: "first").contains("first"))
        }
        // A tick that comes before the end of the connection has arrived sees nothing; one of the next ones does.
        while ended.result == nil {
            await clock.sleepers(1)
            clock.advance(by: 500)
            await Task.yield()
        }
        #expect(await ended.value())
        await server.stop(within: .seconds(5))
    }

    @Test func stream_whoseClientIsTooFarBehind_isEnded() async throws {
        var limits = ServerLimits()
        limits.streamBytesMax = 1_000
        let ended = Promise<Bool>()
        let parts = AsyncStream<[UInt8]> { source in
            source.onTermination = { _ in ended.fulfill(true) }
            // More than the buffers of the system and the limit take.
            for _ in 0..<64 { source.yield([UInt8](repeating: 97, count: 999)) }
            source.yield([UInt8](repeating: 97, count: 1_001))
        }
        var handler = TestHandler()
        handler.answer = { _ in ServerResponse(200, [], .stream(parts)) }
        let server = try MicroHTTPServer(limits: limits, handler: handler)
        let client = try RawClient(port: server.port)
        client.write(Self.get)
        #expect(await client.readToEnd().contains("200 OK"))
        #expect(await ended.value())
        await server.stop(within: .seconds(5))
    }

    // MARK: - Addresses

    @Test func listenAddress_readsWhatCanBeListenedOn() throws {
        #expect(try ListenAddress("127.0.0.1:8080").isLoopback)
        #expect(try ListenAddress("localhost:0").isLoopback)
        #expect(try ListenAddress("[::1]:8080").text(port: 9) == "[::1]:9")
        #expect(try !ListenAddress("0.0.0.0:8080").isLoopback)
        #expect(try !ListenAddress("[::]:80").isLoopback)
        for wrong in [
            "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "name:80", "[::1:80", "1.2.3.4:+5", "::1:80",
        ] {
            #expect(throws: HTTPServerError.self, "\(wrong)") { _ = try ListenAddress(wrong) }
        }
    }
}
