import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// What libcurl keeps for the next request, and what it must not.
@Suite struct CurlReuseTests {
    /// Requests of every shape, each with fields and a target of its own.
    private static func shapes(_ origin: Origin) -> [HTTPRequest] {
        let body = Array("amount=1".utf8)
        return [
            HTTPRequest("GET", origin, "/a"),
            HTTPRequest("GET", origin, "/b?c=d", headers: ["X-One": "1", "Accept": "text/plain"]),
            HTTPRequest("GET", origin, "/c", body: body),
            HTTPRequest("HEAD", origin, "/d"),
            HTTPRequest("POST", origin, "/e", headers: ["Content-Type": "text/plain"], body: body + body),
            HTTPRequest("POST", origin, "/f", headers: ["User-Agent": "till"]),
            HTTPRequest("PUT", origin, "/g", body: body),
            HTTPRequest("PATCH", origin, "/h"),
            HTTPRequest("DELETE", origin, "/i", headers: ["X-Empty": ""]),
            HTTPRequest("DELETE", origin, "/j", body: body),
        ]
    }

    /// Line, fields and body as they came.
    private static func sent(_ requests: [HTTPRequest]) async throws -> [TestRequest] {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let transport = CurlTransport()
        for var request in requests {
            request.origin = Origin(.http, "127.0.0.1", server.port)
            #expect(try await transport.send(request).status == 200)
        }
        await transport.close()
        return server.requests.withLock { $0 }
    }

    private static func same(_ one: TestRequest, _ other: TestRequest) -> Bool {
        func fields(_ request: TestRequest) -> [String] {
            // The server has another port each time.
            request.headers.filter { !$0.lowercased().hasPrefix("host:") }
        }
        return one.line == other.line && one.body == other.body && fields(one) == fields(other)
    }

    @Test func nothingOfARequestIsLeftForTheNext() async throws {
        let shapes = Self.shapes(Origin(.http, "127.0.0.1"))
        var alone: [TestRequest] = []
        for shape in shapes { alone += try await Self.sent([shape]) }
        #expect(alone.count == shapes.count)
        for first in shapes {
            for (second, expected) in zip(shapes, alone) {
                let came = try #require(try await Self.sent([first, second]).last)
                #expect(Self.same(came, expected), "\(second) after \(first): \(came.line)")
            }
        }
    }

    @Test func aPlaceToConnectToIsLeftBehindToo() async throws {
        let reply: @Sendable (TestRequest) -> String = { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        let (near, far) = (try TestServer(answering: reply), try TestServer(answering: reply))
        defer {
            near.stop()
            far.stop()
        }
        let transport = CurlTransport()
        var request = HTTPRequest("GET", Origin(.http, "127.0.0.1", near.port), "/")
        request.connectTo = Origin(.http, "127.0.0.1", far.port)
        for place in [request.connectTo, nil, request.connectTo] {
            request.connectTo = place
            _ = try await transport.send(request)
        }
        await transport.close()
        #expect(near.requests.withLock { $0.count } == 1)
        #expect(far.requests.withLock { $0.count } == 2)
    }
}
