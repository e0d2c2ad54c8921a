import Dispatch
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

    @Test func rootsFromAFile_areTheOnlyTrustedOnes() async throws {
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

    @Test func request_http2Disabled_usesHTTP1() async throws {
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

/// One request that takes long must not keep others from being sent: the status of a payment is asked for while the
/// payment itself still waits for its answer.
@Suite struct CurlParallelTests {
    @Test(arguments: [true, false], [true, false])
    func requestsThatAllHaveToBeOpenAtOnceAreSentAtOnce(_ isHTTP2: Bool, _ isSecure: Bool) async throws {
        let count = 64
        // A server that knows nothing of HTTP/2, and says so in the handshake or doesn't speak of it at all.
        let identity = isSecure ? try TestIdentity() : nil
        let waiting = Locked(0)
        let allThere = DispatchSemaphore(value: 0)
        let server = try TestServer(identity) { connection in
            guard try connection.readRequest() != nil else { return }
            let number = waiting.withLock { waiting in
                waiting += 1
                return waiting
            }
            // No request is answered before all are there.
            if number == count { for _ in 1..<count { allThere.signal() } } else { allThere.wait() }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.http2 = isHTTP2
        configuration.connectionsPerHostMax = count
        if let identity { configuration.roots = .pem(identity.certificatePEM) }
        let transport = CurlTransport(configuration)
        let origin = Origin(isSecure ? .https : .http, "localhost", server.port)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.send(HTTPRequest("POST", origin, "/charge", body: [49])).status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: count))
        await transport.close()
    }

    @Test func aHeadThatEndsEarlyIsNoReply() async throws {
        for torn in ["HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: a\r\n"] {
            let server = try TestServer { connection in
                guard try connection.readRequest() != nil else { return }
                try connection.write(torn)
                connection.close()
            }
            defer { server.stop() }
            let transport = CurlTransport()
            let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [49])
            do {
                let reply = try await transport.send(request)
                Issue.record("\(torn.count) characters of a head were taken for a reply: \(reply.status)")
            } catch { #expect(error.delivery == .maybeSent) }
            await transport.close()
        }
    }
}
