import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

@Suite struct WebSocketTests {
    private func request(_ server: TestServer, _ scheme: Origin.Scheme = .http) -> HTTPRequest {
        HTTPRequest("GET", Origin(scheme, "localhost", server.port), "/events?a=b", headers: ["Authorization": "key"])
    }

    /// Answers every frame with the same frame, pongs and closes included.
    private func echo(_ identity: TestIdentity? = nil) throws -> TestServer {
        try TestServer(identity) { connection in
            let peer = try WebSocketPeer(connection)
            while true {
                let frame = try peer.readFrame()
                guard frame.isMasked else { return connection.reset() }
                try peer.write(frame.first, frame.payload)
            }
        }
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 300_000]) func aTextGoesThereAndBack(_ count: Int) async throws {
        let server = try echo()
        defer { server.stop() }
        let connection = try await CurlWebSocketTransport().connect(request(server))
        let text = String(repeating: "x", count: count)
        for _ in 0..<3 {
            try await connection.send(text)
            #expect(try await connection.receive() == .text(text))
        }
        await connection.close()
        #expect(try await connection.receive() == nil)
        await #expect(throws: TransportFailure.notSent(.closed)) { try await connection.send("more") }
        let handshake = try #require(server.requests.withLock { $0.first })
        #expect(handshake.line == "GET /events?a=b HTTP/1.1")
        #expect(handshake.header("Authorization") == "key")
        #expect(handshake.header("Host") == "localhost:\(server.port)")
    }

    @Test func aCertificateIsCheckedAndThenItWorks() async throws {
        let identity = try TestIdentity()
        let server = try echo(identity)
        defer { server.stop() }
        await #expect(throws: TransportFailure.notSent(.tlsFailed)) {
            _ = try await CurlWebSocketTransport().connect(request(server, .https))
        }
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.connection.roots = .pem(identity.certificatePEM)
        let connection = try await CurlWebSocketTransport(configuration).connect(request(server, .https))
        let text = String(repeating: "ä", count: 100_000)
        try await connection.send(text)
        #expect(try await connection.receive() == .text(text))
        await connection.close()
    }

    @Test func fragmentsAreJoinedAndControlFramesMayComeBetween() async throws {
        let pong = Promise<WebSocketPeer.Frame>()
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            let text = Array("Grüße".utf8)
            // The cut goes through a character.
            try peer.write(0x01, Array(text.prefix(3)))
            try peer.write(0x89, [1, 2, 3])
            try peer.write(0x00, [])
            try peer.write(0x80, Array(text.dropFirst(3)))
            for byte in WebSocketPeer.frame(0x82, [UInt8](repeating: 7, count: 300)) { try connection.write([byte]) }
            pong.fulfill(try peer.readFrame())
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await CurlWebSocketTransport().connect(request(server))
        #expect(try await connection.receive() == .text("Grüße"))
        #expect(try await connection.receive() == .binary([UInt8](repeating: 7, count: 300)))
        #expect(await pong.value() == WebSocketPeer.Frame(first: 0x8A, isMasked: true, payload: [1, 2, 3]))
        await connection.close()
    }

    @Test func aMessageRightBehindTheHandshakeIsNotLost() async throws {
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection, extra: "X-Filler: 1\r\n")
            try connection.write(WebSocketPeer.frame(0x81, [97]) + WebSocketPeer.frame(0x81, [98]))
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await CurlWebSocketTransport().connect(request(server))
        #expect(try await connection.receive() == .text("a"))
        #expect(try await connection.receive() == .text("b"))
        await connection.close()
    }

    @Test func theServersCloseIsAnsweredAndEndsIt() async throws {
        let answer = Promise<WebSocketPeer.Frame>()
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            try peer.write(0x81, [97])
            try peer.write(0x88, [0x03, 0xE9] + Array("bye".utf8))
            answer.fulfill(try peer.readFrame())
        }
        defer { server.stop() }
        let connection = try await CurlWebSocketTransport().connect(request(server))
        #expect(try await connection.receive() == .text("a"))
        #expect(try await connection.receive() == nil)
        #expect(try await connection.receive() == nil)
        #expect(await answer.value() == WebSocketPeer.Frame(first: 0x88, isMasked: true, payload: [0x03, 0xE8]))
        await #expect(throws: TransportFailure.notSent(.closed)) { try await connection.send("more") }
        await connection.close()
    }

    @Test func ourClose_sendsItsFrame_andEndsWithoutAnAnswer() async throws {
        let goodbye = Promise<WebSocketPeer.Frame>()
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            goodbye.fulfill(try peer.readFrame())
            connection.readToEnd()
        }
        defer { server.stop() }
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.closeMilliseconds = 50
        let connection = try await CurlWebSocketTransport(configuration).connect(request(server))
        await connection.close()
        #expect(await goodbye.value() == WebSocketPeer.Frame(first: 0x88, isMasked: true, payload: [0x03, 0xE8]))
    }

    // MARK: Rules that a server breaks

    private static let violations: [(bytes: [UInt8], code: UInt16)] = [
        (WebSocketPeer.frame(0xC1, [97]), 1_002),  // a reserved bit
        (WebSocketPeer.frame(0x83, []), 1_002),  // an unknown opcode
        ([0x81, 0x81, 1, 2, 3, 4, 96], 1_002),  // masked by a server
        (WebSocketPeer.frame(0x80, [97]), 1_002),  // a continuation of nothing
        (WebSocketPeer.frame(0x01, [97]) + WebSocketPeer.frame(0x81, [97]), 1_002),  // a message within a message
        (WebSocketPeer.frame(0x09, []), 1_002),  // a fragmented ping
        (WebSocketPeer.frame(0x89, [UInt8](repeating: 0, count: 126)), 1_002),  // a ping that is too long
        ([0x81, 126, 0, 125], 1_002),  // a length in more bytes than it needs
        ([0x81, 127, 0, 0, 0, 0, 0, 0, 255, 255], 1_002),
        ([0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255], 1_002),  // a length that is negative elsewhere
        (WebSocketPeer.frame(0x81, [0xC3, 0x28]), 1_007),  // no UTF-8
        (WebSocketPeer.frame(0x81, [0xED, 0xA0, 0x80]), 1_007),  // a surrogate
        (WebSocketPeer.frame(0x01, [0xC3]) + WebSocketPeer.frame(0x80, [0x28]), 1_007),
        (WebSocketPeer.frame(0x88, [3]), 1_002),  // half a close code
        (WebSocketPeer.frame(0x88, [0x03, 0xED]), 1_002),  // 1005 is never on a wire
        (WebSocketPeer.frame(0x88, [0x00, 0x01]), 1_002),
        (WebSocketPeer.frame(0x88, [0x03, 0xE8, 0xFF]), 1_007),
        (WebSocketPeer.frame(0x82, [UInt8](repeating: 0, count: 1_001)), 1_009),  // larger than allowed
        ([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0], 1_009),  // announced as larger
        (
            WebSocketPeer.frame(0x02, [UInt8](repeating: 0, count: 600))
                + WebSocketPeer.frame(0x80, [UInt8](repeating: 0, count: 401)), 1_009
        ),
    ]

    @Test(arguments: violations.indices) func aServerThatBreaksTheRulesIsLeft(_ index: Int) async throws {
        let violation = Self.violations[index]
        let goodbye = Promise<WebSocketPeer.Frame?>()
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            try connection.write(WebSocketPeer.frame(0x82, [UInt8](repeating: 1, count: 1_000)) + violation.bytes)
            goodbye.fulfill(try? peer.readFrame())
            connection.readToEnd()
        }
        defer { server.stop() }
        var request = request(server)
        request.responseBodyBytesMax = 1_000
        let connection = try await CurlWebSocketTransport().connect(request)
        #expect(try await connection.receive() == .binary([UInt8](repeating: 1, count: 1_000)))
        let reason: TransportFailure.Reason = violation.code == 1_009 ? .tooLarge : .malformed
        await #expect(throws: TransportFailure.maybeSent(reason)) { try await connection.receive() }
        let code = [UInt8(violation.code >> 8), UInt8(violation.code & 255)]
        #expect(await goodbye.value()?.payload == code)
        await connection.close()
    }

    // MARK: Handshakes that fail

    private func failure(
        _ request: HTTPRequest, connectMilliseconds: Int64 = 5_000
    ) async -> TransportFailure? {
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.connection.connectMilliseconds = connectMilliseconds
        do {
            _ = try await CurlWebSocketTransport(configuration).connect(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 301 Moved\r\nLocation: http://a/\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "nonsense\r\n\r\n",
    ])
    func anAnswerThatDoesNotAgreeIsMaybeSent(_ reply: String) async throws {
        let server = try TestServer { _ in reply }
        defer { server.stop() }
        #expect(await failure(request(server)) == .maybeSent(.notUpgraded))
    }

    @Test func anAnswerThatAgreesToSomethingElseIsMaybeSent() async throws {
        let extras = ["Sec-WebSocket-Extensions: permessage-deflate\r\n", "Sec-WebSocket-Protocol: other\r\n"]
        for extra in extras {
            let server = try TestServer { _ = try WebSocketPeer($0, extra: extra) }
            defer { server.stop() }
            #expect(await failure(request(server)) == .maybeSent(.notUpgraded))
        }
        let server = try TestServer { _ = try WebSocketPeer($0, acceptKey: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") }
        defer { server.stop() }
        #expect(await failure(request(server)) == .maybeSent(.notUpgraded))
    }

    @Test func aProtocolThatWasAskedForIsFine() async throws {
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection, extra: "Sec-WebSocket-Protocol: second\r\n")
            connection.readToEnd()
        }
        defer { server.stop() }
        var request = request(server)
        request.headers["Sec-WebSocket-Protocol"] = "first, second"
        #expect(await failure(request) == nil)
    }

    @Test func evidenceOfHandshakes() async throws {
        let closed = HTTPRequest("GET", Origin(.http, "127.0.0.1", try TestSocket.closedPort()), "/")
        #expect(await failure(closed) == .notSent(.connectionRefused))
        let unknown = HTTPRequest("GET", Origin(.http, "does-not-exist.invalid"), "/")
        #expect(await failure(unknown) == .notSent(.nameNotResolved))
        let silent = try TestServer { $0.readToEnd() }
        defer { silent.stop() }
        #expect(await failure(request(silent), connectMilliseconds: 1_000) == .maybeSent(.stalled))
        let leaving = try TestServer { connection in
            _ = try connection.readRequest()
            connection.close()
        }
        defer { leaving.stop() }
        #expect(await failure(request(leaving)) == .maybeSent(.connectionReset))
        var post = request(leaving)
        post.method = "POST"
        #expect(await failure(post) == .notSent(.invalidRequest))
        var smuggling = request(leaving)
        smuggling.headers["Sec-WebSocket-Key"] = "mine"
        #expect(await failure(smuggling) == .notSent(.invalidRequest))
        #expect(leaving.connectionCount.withLock { $0 } == 1)
    }

    @Test func aHandshakeThatIsCancelledLetsGoAtOnce() async throws {
        let (arrived, left) = (Promise<Bool>(), Promise<Bool>())
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            arrived.fulfill(true)
            connection.readToEnd()
            left.fulfill(true)
        }
        defer { server.stop() }
        let request = request(server)
        // Beside busy tests this task may wait for its turn longer than a handshake may take.
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.connection.connectMilliseconds = 600_000
        let transport = CurlWebSocketTransport(configuration)
        let task = Task { _ = try await transport.connect(request) }
        _ = await arrived.value()
        task.cancel()
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await task.value }
        _ = await left.value()
        let early = Task {
            _ = await left.value()
            while !Task.isCancelled { await Task.yield() }
            _ = try await transport.connect(request)
        }
        early.cancel()
        await #expect(throws: TransportFailure.notSent(.cancelled)) { try await early.value }
        #expect(server.connectionCount.withLock { $0 } == 1)
    }
}

/// What happens to a WebSocket over time: silence, floods, resets, no listener.
@Suite struct WebSocketLifeTests {
    private func connect(
        _ server: TestServer, _ configure: (inout CurlWebSocketTransport.Configuration) -> Void = { _ in }
    ) async throws -> any WebSocketConnection {
        var configuration = CurlWebSocketTransport.Configuration()
        // Where a test is not about silence, a busy machine may be silent for long.
        configuration.pingMilliseconds = 3_600_000
        configure(&configuration)
        let request = HTTPRequest("GET", Origin(.http, "127.0.0.1", server.port), "/")
        return try await CurlWebSocketTransport(configuration).connect(request)
    }

    @Test func aResetIsMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection).readFrame()
            connection.reset()
        }
        defer { server.stop() }
        let connection = try await connect(server)
        try await connection.send("charge")
        await #expect(throws: TransportFailure.maybeSent(.connectionReset)) { try await connection.receive() }
        await #expect(throws: TransportFailure.notSent(.connectionReset)) { try await connection.send("more") }
        await connection.close()
    }

    @Test func anEndWithoutGoodbyeIsMaybeSent() async throws {
        let server = try TestServer { _ = try WebSocketPeer($0).readFrame() }
        defer { server.stop() }
        let connection = try await connect(server)
        try await connection.send("charge")
        await #expect(throws: TransportFailure.maybeSent(.connectionReset)) { try await connection.receive() }
    }

    @Test func silenceEndsInAPingAndThenInAFailure() async throws {
        let ping = Promise<WebSocketPeer.Frame>()
        let server = try TestServer { connection in
            ping.fulfill(try WebSocketPeer(connection).readFrame())
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await connect(server) { $0.pingMilliseconds = 50 }
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await connection.receive() }
        #expect(await ping.value().first == 0x89)
    }

    @Test func answeredPingsKeepItAlive() async throws {
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            for _ in 0..<2 { try peer.write(0x8A, try peer.readFrame().payload) }
            try peer.write(0x81, [97])
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await connect(server) { $0.pingMilliseconds = 1_000 }
        #expect(try await connection.receive() == .text("a"))
        await connection.close()
    }

    @Test func aServerThatDoesNotReadStallsTheSender() async throws {
        let end = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection)
            Blocking.wait(for: end)
        }
        defer { server.stop() }
        let connection = try await connect(server) { $0.connection.idleTimeoutMilliseconds = 100 }
        let text = String(repeating: "x", count: 16 * 1_024 * 1_024)
        let (first, second) = (Task { try await connection.send(text) }, Task { try await connection.receive() })
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await first.value }
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { _ = try await second.value }
        end.fulfill(true)
    }

    @Test func aFloodWaitsInOrderForItsReader() async throws {
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            for number in 0..<5_000 {
                try peer.write(0x81, Array("\(number) \(String(repeating: "x", count: 2_000))".utf8))
            }
            try peer.write(0x88, [])
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await connect(server)
        var number = 0
        while let message = try await connection.receive() {
            guard case .text(let text) = message else { break }
            #expect(text.hasPrefix("\(number) "))
            number += 1
        }
        #expect(number == 5_000)
    }

    @Test func aReceiverThatIsCancelledLosesNothing() async throws {
        let go = Promise<Bool>()
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            Blocking.wait(for: go)
            try peer.write(0x81, [97])
            connection.readToEnd()
        }
        defer { server.stop() }
        let connection = try await connect(server)
        for _ in 0..<50 {
            let task = Task { try await connection.receive() }
            await Task.yield()
            task.cancel()
            await #expect(throws: TransportFailure.notSent(.cancelled)) { _ = try await task.value }
        }
        go.fulfill(true)
        #expect(try await connection.receive() == .text("a"))
        await connection.close()
    }

    @Test func manySendersEachSendWholeTexts() async throws {
        let server = try TestServer { connection in
            let peer = try WebSocketPeer(connection)
            while true {
                let frame = try peer.readFrame()
                try peer.write(frame.first, frame.payload)
            }
        }
        defer { server.stop() }
        let connection = try await connect(server)
        let texts = (0..<100).map { String(repeating: "\($0) ", count: 500) }
        async let sent: Void = withThrowingTaskGroup(of: Void.self) { group in
            for text in texts { group.addTask { try await connection.send(text) } }
            try await group.waitForAll()
        }
        var came: Set<String> = []
        for _ in texts {
            guard case .text(let text) = try await connection.receive() else { break }
            came.insert(text)
        }
        try await sent
        #expect(came == Set(texts))
        await connection.close()
    }

    @Test func anUnreferencedConnectionIsClosed() async throws {
        let left = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection)
            connection.readToEnd()
            left.fulfill(true)
        }
        defer { server.stop() }
        var connection: (any WebSocketConnection)? = try await connect(server)
        #expect(connection != nil)
        connection = nil
        #expect(await left.value())
    }
}

/// A server that sends as inconveniently as the protocol allows.
@Suite struct WebSocketFloodTests {
    /// Joining each fragment to a copy of all before it would take hours here.
    @Test func aMessageOfVeryManyFragmentsIsJoinedInOnePass() async throws {
        let count = 2_000_000
        let server = try TestServer { connection in
            _ = try WebSocketPeer(connection)
            let some = [[UInt8]](repeating: WebSocketPeer.frame(0x00, [98]), count: 10_000).flatMap { $0 }
            try connection.write(WebSocketPeer.frame(0x02, [97]))
            for _ in 0..<(count / 10_000) { try connection.write(some) }
            try connection.write(WebSocketPeer.frame(0x80, [99]))
            connection.readToEnd()
        }
        defer { server.stop() }
        var request = HTTPRequest("GET", Origin(.http, "localhost", server.port), "/events")
        request.responseBodyBytesMax = count + 2
        let connection = try await CurlWebSocketTransport().connect(request)
        guard case .binary(let bytes) = try await connection.receive() else {
            Issue.record("no message came")
            return
        }
        #expect(bytes.count == count + 2 && bytes.first == 97 && bytes.last == 99)
        await connection.close()
    }

    @Test func anUntrustedCertificateIsNamed() async throws {
        let identity = try TestIdentity()
        let server = try TestServer(identity) { connection in connection.readToEnd() }
        defer { server.stop() }
        let request = HTTPRequest("GET", Origin(.https, "localhost", server.port), "/events")
        let failure = await #expect(throws: TransportFailure.self) {
            _ = try await CurlWebSocketTransport().connect(request)
        }
        #expect(failure == .notSent(.tlsFailed) && failure?.reason.detail?.contains("certificate") == true)
    }
}
