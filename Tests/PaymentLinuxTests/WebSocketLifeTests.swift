import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// What happens to a WebSocket over time: silence, floods, resets, nobody listening.
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

    @Test func aConnectionThatNobodyHoldsIsLetGo() async throws {
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
