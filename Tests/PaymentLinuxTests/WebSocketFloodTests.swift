import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

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
