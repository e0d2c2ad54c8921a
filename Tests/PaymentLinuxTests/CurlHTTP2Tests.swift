import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

@Suite struct CurlHTTP2Tests {
    /// How a stream or its connection ends without a reply.
    enum End: CaseIterable, CustomStringConvertible {
        case refusedStream, cancelledStream, wantsHTTP1, goAwayBeforeIt, closedConnection, resetConnection

        var description: String {
            switch self {
            case .refusedStream: "refused stream"
            case .cancelledStream: "cancelled stream"
            case .wantsHTTP1: "wants HTTP/1.1"
            case .goAwayBeforeIt: "go away before it"
            case .closedConnection: "closed connection"
            case .resetConnection: "reset connection"
            }
        }

        func happen(_ connection: TestConnection, _ peer: HTTP2Peer, _ stream: UInt32) throws {
            switch self {
            case .refusedStream: try peer.resetStream(stream, code: 7)
            case .cancelledStream: try peer.resetStream(stream, code: 8)
            case .wantsHTTP1: try peer.resetStream(stream, code: 13)
            case .goAwayBeforeIt: try peer.goAway(last: stream > 2 ? stream - 2 : 0)
            case .closedConnection: connection.close()
            case .resetConnection: connection.reset()
            }
            connection.readToEnd()
        }
    }

    private func configuration(_ identity: TestIdentity) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.roots = .pem(identity.certificatePEM)
        return configuration
    }

    @Test(arguments: End.allCases)
    func aStreamThatEndsWithoutAReplyIsNotSentAgain(_ end: End) async throws {
        let identity = try TestIdentity(http2: true)
        let streamCount = Locked(0)
        let server = try TestServer(identity) { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.readRequest()
                let number = streamCount.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { try peer.answer(stream) } else { return try end.happen(connection, peer, stream) }
            }
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration(identity))
        let request = HTTPRequest("POST", Origin(.https, "localhost", server.port), "/charge", body: [49])
        #expect(try await transport.send(request).status == 200)
        do {
            _ = try await transport.send(request)
            Issue.record("there was no reply")
        } catch {
            #expect(error.delivery == .maybeSent)
        }
        await transport.close()
        #expect(streamCount.withLock { $0 } == 2)
    }

    @Test func streamsShareOneConnection() async throws {
        let identity = try TestIdentity(http2: true)
        let server = try TestServer(identity) { connection in
            let peer = try HTTP2Peer(connection)
            while true { try peer.answer(try peer.readRequest()) }
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration(identity))
        let request = HTTPRequest("POST", Origin(.https, "localhost", server.port), "/charge", body: [49])
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await transport.send(request).status } }
            for try await status in group { #expect(status == 200) }
        }
        await transport.close()
        #expect(server.connectionCount.withLock { $0 } == 1)
    }

    @Test func aStalledStreamTakesItsConnectionAlong() async throws {
        let identity = try TestIdentity(http2: true)
        let streamCount = Locked(0)
        let server = try TestServer(identity) { connection in
            let peer = try HTTP2Peer(connection)
            while true {
                let stream = try peer.readRequest()
                let number = streamCount.withLock { count in
                    count += 1
                    return count
                }
                if number > 1 { try peer.answer(stream) }
            }
        }
        defer { server.stop() }
        var configuration = configuration(identity)
        configuration.idleTimeoutMilliseconds = 1_000
        let transport = CurlTransport(configuration)
        let request = HTTPRequest("POST", Origin(.https, "localhost", server.port), "/charge", body: [49])
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await transport.send(request) }
        #expect(try await transport.send(request).status == 200)
        await transport.close()
        #expect(server.connectionCount.withLock { $0 } == 2)
    }

    @Test func withoutTheOfferItIsHTTP1() async throws {
        let identity = try TestIdentity(http2: true)
        let server = try TestServer(identity) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        var configuration = configuration(identity)
        configuration.http2 = false
        let transport = CurlTransport(configuration)
        let request = HTTPRequest("POST", Origin(.https, "localhost", server.port), "/charge", body: [49])
        #expect(try await transport.send(request).status == 200)
        await transport.close()
    }
}
