import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// A request whose bytes left us is never sent again, whatever libcurl would do by itself.
@Suite struct CurlDoubleSendTests {
    /// Answers the first request of a connection, reads the second whole, then ends it by `end`.
    private func server(_ end: @escaping @Sendable (TestConnection) -> Void) throws -> TestServer {
        try TestServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            guard try connection.readRequest() != nil else { return }
            end(connection)
        }
    }

    private static let requests: [HTTPRequest] = [
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/charge", body: Array("amount=1".utf8)),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/charge"),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/charge", body: [UInt8](repeating: 97, count: 300_000)),
        HTTPRequest("PUT", Origin(.http, "127.0.0.1", 1), "/charge", body: Array("amount=1".utf8)),
        HTTPRequest("DELETE", Origin(.http, "127.0.0.1", 1), "/charge"),
        HTTPRequest("GET", Origin(.http, "127.0.0.1", 1), "/charge"),
        HTTPRequest("HEAD", Origin(.http, "127.0.0.1", 1), "/charge"),
    ]

    @Test(arguments: requests, [true, false])
    func aKeptConnectionThatDiesAfterTheRequestLosesIt(_ template: HTTPRequest, _ isReset: Bool) async throws {
        let server = try server { isReset ? $0.reset() : $0.close() }
        defer { server.stop() }
        var patient = CurlTransport.Configuration()
        // The second request must go over the kept connection, however long a busy machine takes to get to it.
        patient.idleSecondsMax = 3_600
        let transport = CurlTransport(patient)
        var request = template
        request.origin = Origin(.http, "127.0.0.1", server.port)
        let first = try await transport.send(HTTPRequest("GET", request.origin, "/first"))
        #expect(first.status == 200)
        await #expect(throws: TransportFailure.maybeSent(.connectionReset)) { try await transport.send(request) }
        await transport.close()
        let lines = server.requests.withLock { $0.map(\.line) }
        #expect(lines == ["GET /first HTTP/1.1", "\(template.method) /charge HTTP/1.1"])
        #expect(server.connectionCount.withLock { $0 } == 1)
    }

    @Test func aConnectionThatClosedWhileIdleIsNotUsedAgain() async throws {
        let closed = Promise<Bool>()
        let server = try TestServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.close()
            closed.fulfill(true)
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [49])
        #expect(try await transport.send(request).status == 200)
        _ = await closed.value()
        // What the kernel knows by now, libcurl looks at before it hands the connection out.
        #expect(try await transport.send(request).status == 200)
        #expect(server.requests.withLock { $0.count } == 2)
        await transport.close()
    }

    @Test func aConnectionIsKeptForTheNextRequest() async throws {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [49])
        for _ in 0..<20 { #expect(try await transport.send(request).status == 200) }
        #expect(server.connectionCount.withLock { $0 } == 1)
        #expect(server.requests.withLock { $0.count } == 20)
        await transport.close()
    }
}
