import PaymentBase
import PaymentTestServers
import PaymentTransport
import PaymentURLSession
import Testing

/// The subset that holds on every transport, with the evidence that `URLSession` can give.
@Suite struct URLSessionTransportTests {
    private func charge(_ server: TestServer, _ scheme: Origin.Scheme = .http) -> HTTPRequest {
        HTTPRequest("POST", Origin(scheme, "127.0.0.1", server.port), "/charge", body: Array("amount=1".utf8))
    }

    private func failure(_ request: HTTPRequest, stallMilliseconds: Int64 = 20_000) async -> TransportFailure? {
        var configuration = URLSessionTransport.Configuration()
        configuration.idleTimeoutMilliseconds = stallMilliseconds
        do {
            _ = try await URLSessionTransport(configuration).send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func aRequestGoesOutAndAReplyComesBack() async throws {
        let server = try TestServer { _ in
            "HTTP/1.1 201 Created\r\nX-One: a: b\r\nContent-Length: 3\r\n\r\nabc"
        }
        defer { server.stop() }
        var request = charge(server)
        request.target = "/a?x=1&y=%20"
        request.headers = ["Content-Type": "application/json", "X-Two": "b"]
        let came = try await URLSessionTransport().send(request)
        #expect((came.status, came.body) == (201, Array("abc".utf8)))
        #expect(came.headers["x-one"] == "a: b")
        let sent = try #require(server.requests.withLock { $0.first })
        #expect(sent.line == "POST /a?x=1&y=%20 HTTP/1.1")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(sent.header("X-Two") == "b")
        #expect(sent.body == request.body)
    }

    @Test func whatProvablyDidNotLeaveIsNotSent() async throws {
        let closed = HTTPRequest("POST", Origin(.http, "127.0.0.1", try TestSocket.closedPort()), "/", body: [49])
        #expect(await failure(closed) == .notSent(.connectionRefused))
        let unknown = HTTPRequest("POST", Origin(.http, "does-not-exist.invalid"), "/", body: [49])
        #expect(await failure(unknown) == .notSent(.nameNotResolved))
    }

    @Test func whatItCannotDoIsNotSent() async throws {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        var elsewhere = charge(server)
        elsewhere.connectTo = elsewhere.origin
        #expect(await failure(elsewhere) == .notSent(.invalidRequest))
        var trusting = HTTPRequest("POST", Origin(.https, "127.0.0.1", server.port), "/charge", body: [49])
        trusting.trust = ServerTrust(roots: "", CertificateNameRule("all") { _ in true })
        #expect(await failure(trusting) == .notSent(.invalidRequest))
        var changed = charge(server)
        for target in ["/a b", "no-slash", "/a|b", "/a\r\nX: y"] {
            changed.target = target
            let found = await failure(changed)
            #expect(found == nil || found == .notSent(.invalidRequest))
        }
        var smuggling = charge(server)
        smuggling.headers = ["X": "a\r\nY: b"]
        #expect(await failure(smuggling) == .notSent(.invalidRequest))
        let lines = server.requests.withLock { $0.map(\.line) }
        #expect(lines.allSatisfy { $0 == "POST /a|b HTTP/1.1" })
    }

    @Test func anUntrustedCertificate_isMaybeSent_andNothingArrives() async throws {
        let server = try TestServer(TestIdentity()) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let found = await failure(charge(server, .https))
        #expect(found?.delivery == .maybeSent)
        #expect(server.requests.withLock { $0.isEmpty })
    }

    /// The name has two addresses, of which the first refuses; the refusal must not colour what comes later.
    @Test(arguments: [true, false]) func aLostReplyAfterARefusedAddressIsMaybeSent(_ isReset: Bool) async throws {
        let server = try TestServer { connection in
            guard try connection.readRequest() != nil else { return }
            if isReset { connection.reset() } else { connection.close() }
        }
        defer { server.stop() }
        var request = charge(server)
        request.origin = Origin(.http, "localhost", server.port)
        #expect(await failure(request)?.delivery == .maybeSent)
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test(arguments: [true, false]) func aLostReplyIsMaybeSentAndSentOnce(_ isReset: Bool) async throws {
        let server = try TestServer { connection in
            guard try connection.readRequest() != nil else { return }
            if isReset { connection.reset() } else { connection.close() }
        }
        defer { server.stop() }
        #expect(await failure(charge(server))?.delivery == .maybeSent)
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test(arguments: ["POST", "GET", "DELETE"], [true, false])
    func aServerThatKeepsItsConnectionsGetsEachRequestOnce(_ method: String, _ isReset: Bool) async throws {
        let server = try TestServer { connection in
            guard try connection.readRequest()?.line.contains("/first") == true else { return }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            guard try connection.readRequest() != nil else { return }
            if isReset { connection.reset() } else { connection.close() }
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        var request = charge(server)
        (request.method, request.target) = ("GET", "/first")
        request.body = []
        #expect(try await transport.send(request).status == 200)
        (request.method, request.target) = (method, "/charge")
        do {
            _ = try await transport.send(request)
            Issue.record("there was no reply")
        } catch {
            #expect(error.delivery == .maybeSent)
        }
        #expect(server.requests.withLock { $0.map(\.line) }.filter { $0.contains("/charge") }.count == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "nonsense\r\n\r\n",
    ])
    func halfAReplyIsMaybeSent(_ reply: String) async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(reply)
            connection.close()
        }
        defer { server.stop() }
        #expect(await failure(charge(server))?.delivery == .maybeSent)
    }

    @Test func aReplyThatStopsIsMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.readToEnd()
        }
        defer { server.stop() }
        #expect(await failure(charge(server), stallMilliseconds: 1_000) == .maybeSent(.stalled))
    }

    @Test func aBodyOneByteTooLongIsMaybeSent() async throws {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n12345678901" }
        defer { server.stop() }
        var request = charge(server)
        request.responseBodyBytesMax = 10
        #expect(await failure(request) == .maybeSent(.tooLarge))
        request.responseBodyBytesMax = 11
        #expect(await failure(request) == nil)
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
        var request = charge(server)
        request.headers["Authorization"] = "Bearer key"
        let came = try await URLSessionTransport().send(request)
        #expect((came.status, came.headers["Location"]) == (status, location))
        #expect(server.requests.withLock { $0.count } == 1)
        #expect(thief.connectionCount.withLock { $0 } == 0)
    }

    @Test func aDemandForCredentialsIsAReplyAndSentOnce() async throws {
        let server = try TestServer { _ in
            "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 2\r\n\r\nno"
        }
        defer { server.stop() }
        let came = try await URLSessionTransport().send(charge(server))
        #expect((came.status, came.body) == (401, Array("no".utf8)))
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func whatIsCancelledBeforeItStartsIsNeverSent() async throws {
        let server = try TestServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let request = charge(server)
        for _ in 0..<20 {
            let go = Promise<Bool>()
            let task = Task {
                _ = await go.value()
                _ = try await transport.send(request)
            }
            task.cancel()
            go.fulfill(true)
            await #expect(throws: TransportFailure.notSent(.cancelled)) { try await task.value }
        }
        #expect(try await transport.send(request).status == 200)
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func aConnectionEndsWithItsRequestAlthoughTheServerWouldKeepIt() async throws {
        let left = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            connection.readToEnd()
            left.fulfill(true)
        }
        defer { server.stop() }
        #expect(try await URLSessionTransport().send(charge(server)).status == 200)
        #expect(await left.value())
    }

    @Test func whatIsCancelledInFlightIsMaybeSent() async throws {
        let arrived = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            arrived.fulfill(true)
            connection.readToEnd()
        }
        defer { server.stop() }
        let request = charge(server)
        let task = Task { try await URLSessionTransport().send(request) }
        _ = await arrived.value()
        task.cancel()
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { _ = try await task.value }
    }
}
