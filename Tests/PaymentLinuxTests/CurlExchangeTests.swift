import Foundation
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// What goes out and what comes back when nothing fails.
@Suite struct CurlExchangeTests {
    private func exchange(
        _ request: HTTPRequest, reply: String, _ roots: CurlTransport.Configuration.Roots = .system
    ) async throws -> (sent: TestRequest, came: HTTPResponse) {
        let server = try TestServer { _ in reply }
        defer { server.stop() }
        var request = request
        request.origin = Origin(.http, "127.0.0.1", server.port)
        let transport = CurlTransport()
        let response = try await transport.send(request)
        await transport.close()
        return (try #require(server.requests.withLock { $0.first }), response)
    }

    private let anywhere = Origin(.http, "127.0.0.1", 1)

    @Test func aRequestGoesOutAsItIs() async throws {
        let target = "/a/../b/./%2e/%c3%a4?x=1&y=%20{}|\"<>^`[]'"
        let request = HTTPRequest(
            "POST", anywhere, target, headers: ["X-One": "ä: b", "X-Empty": "", "content-type": "application/json"],
            body: [0, 255, 10])
        let (sent, came) = try await exchange(request, reply: "HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\n!")
        #expect(sent.line == "POST \(target) HTTP/1.1")
        #expect(sent.body == [0, 255, 10])
        #expect(sent.header("X-One") == "ä: b")
        #expect(sent.header("X-Empty") == "")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(sent.header("User-Agent") == "swift-payments")
        #expect(sent.header("Accept") == nil)
        #expect(sent.header("Expect") == nil)
        #expect((came.status, came.body) == (201, [33]))
    }

    @Test func nothingIsSaidThatTheRequestDoesNotSay() async throws {
        let empty = "HTTP/1.1 204 No Content\r\n\r\n"
        for method in ["POST", "PUT", "GET", "DELETE", "PATCH", "OPTIONS"] {
            let (sent, came) = try await exchange(HTTPRequest(method, anywhere, "/"), reply: empty)
            #expect(sent.line == "\(method) / HTTP/1.1")
            #expect(sent.header("Content-Type") == nil)
            #expect(sent.header("Content-Length") == (["POST", "PUT", "PATCH"].contains(method) ? "0" : nil))
            #expect(came.status == 204)
        }
    }

    @Test func aHeadHasHeadersOnly() async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let (sent, came) = try await exchange(HTTPRequest("HEAD", anywhere, "/"), reply: reply)
        #expect(sent.line == "HEAD / HTTP/1.1")
        #expect(came.headers["content-length"] == "5")
        #expect(came.body.isEmpty)
    }

    @Test func allFieldsOfTheLastHeadComeBackAndTrailersDoNot() async throws {
        let reply =
            "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Blank:   \r\nX-Colon: a:b \r\n"
            + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n"
        let (_, came) = try await exchange(HTTPRequest("GET", anywhere, "/"), reply: reply)
        #expect(came.headers["Link"] == nil)
        #expect(came.headers.values("Set-Cookie") == ["a=1", "b=2"])
        #expect(came.headers["X-Blank"] == "")
        #expect(came.headers["X-Colon"] == "a:b")
        #expect(came.headers["X-Trailer"] == nil)
        #expect(came.body == Array("abc".utf8))
    }

    @Test func noCookieIsKept() async throws {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<2 {
            _ = try await transport.send(HTTPRequest("GET", Origin(.http, "127.0.0.1", server.port), "/"))
        }
        await transport.close()
        #expect(server.requests.withLock { $0.allSatisfy { $0.header("Cookie") == nil } })
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsAReplyAndCarriesNothingAnywhere(_ status: Int) async throws {
        let thief = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { thief.stop() }
        let location = "http://127.0.0.1:\(thief.port)/steal"
        let server = try TestServer { _ in
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = HTTPRequest(
            "POST", Origin(.http, "127.0.0.1", server.port), "/", headers: ["Authorization": "Bearer key"], body: [49])
        let came = try await transport.send(request)
        await transport.close()
        #expect((came.status, came.headers["Location"]) == (status, location))
        #expect(server.requests.withLock { $0.count } == 1)
        #expect(thief.connectionCount.withLock { $0 } == 0)
    }

    @Test func aCompressedReplyIsUnpackedAndCountedUnpacked() async throws {
        // The letter a, a hundred thousand times, in zlib's format (RFC 1950).
        let text = "eNrtwTEBAAAAwqCs61/CGh5AAQ" + String(repeating: "A", count: 127) + "K8GeWYLTQ=="
        let packed = try [UInt8](#require(Data(base64Encoded: text)))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = try TestServer { connection in
            while try connection.readRequest() != nil { try connection.write(Array(head.utf8) + packed) }
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = HTTPRequest("GET", Origin(.http, "127.0.0.1", server.port), "/")
        let came = try await transport.send(request)
        #expect(came.body == [UInt8](repeating: 97, count: 100_000))
        #expect(came.headers["Content-Encoding"] == nil)
        #expect(came.headers["Content-Length"] == nil)
        #expect(packed.count < 1_000)
        request.responseBodyBytesMax = 99_999
        await #expect(throws: TransportFailure.maybeSent(.tooLarge)) { try await transport.send(request) }
        await transport.close()
    }

    @Test func anotherPlaceToConnectToKeepsNameAndCertificate() async throws {
        let identity = try TestIdentity(names: "DNS:terminal.example")
        let server = try TestServer(identity) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.roots = .pem(identity.certificatePEM)
        let transport = CurlTransport(configuration)
        var request = HTTPRequest("POST", Origin(.https, "terminal.example", 8_443), "/nexo", body: [49])
        request.connectTo = Origin(.https, "127.0.0.1", server.port)
        #expect(try await transport.send(request).status == 200)
        // Another name at the same place is another certificate's matter: nothing may be reused.
        request.origin = Origin(.https, "other.example", 8_443)
        await #expect(throws: TransportFailure.notSent(.tlsFailed)) { try await transport.send(request) }
        await transport.close()
        #expect(server.requests.withLock { $0.map { $0.header("Host") } } == ["terminal.example:8443"])
    }

    @Test func rootsCanComeFromAFileAndNobodyElseIsTrustedThen() async throws {
        let (identity, other) = (try TestIdentity(), try TestIdentity())
        let server = try TestServer(identity) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("roots-\(server.port).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        let request = HTTPRequest("GET", Origin(.https, "localhost", server.port), "/")
        var configuration = CurlTransport.Configuration()
        configuration.roots = .file(file.path)
        try Data(identity.certificatePEM.utf8).write(to: file)
        let trusting = CurlTransport(configuration)
        #expect(try await trusting.send(request).status == 200)
        await trusting.close()
        try Data(other.certificatePEM.utf8).write(to: file)
        let doubting = CurlTransport(configuration)
        await #expect(throws: TransportFailure.notSent(.tlsFailed)) { try await doubting.send(request) }
        await doubting.close()
    }

    @Test func manyTasksShareFewConnections() async throws {
        let server = try TestServer { request in
            "HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"
                + String(decoding: request.body, as: UTF8.self)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHostMax = 4
        let transport = CurlTransport(configuration)
        let origin = Origin(.http, "127.0.0.1", server.port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let body = Array("number \(number)".utf8)
                    let came = try await transport.send(HTTPRequest("POST", origin, "/", body: body))
                    #expect(came.body == body)
                }
            }
            try await group.waitForAll()
        }
        await transport.close()
        #expect(server.requests.withLock { $0.count } == 200)
        #expect(server.connectionCount.withLock { $0 } <= 4)
    }
}
