import Foundation
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// Every kind of failure provoked for real, each with its evidence.
@Suite struct CurlFailureTests {
    private func charge(_ server: TestServer, _ scheme: Origin.Scheme = .http) -> HTTPRequest {
        HTTPRequest("POST", Origin(scheme, "127.0.0.1", server.port), "/charge", body: Array("amount=1".utf8))
    }

    private func failure(
        _ request: HTTPRequest, _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async -> TransportFailure? {
        var configuration = CurlTransport.Configuration()
        configure(&configuration)
        let transport = CurlTransport(configuration)
        var failure: TransportFailure?
        do { _ = try await transport.send(request) } catch { failure = error }
        await transport.close()
        return failure
    }

    // MARK: Nothing left us

    /// A name may lead to anything: what counts is the address, when the socket is made.
    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func addressThatIsNotPublic_isRefused_beforeAnyConnection(_ host: String) async throws {
        let server = try TestServer(answering: { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" })
        let request = HTTPRequest("POST", Origin(.http, host, server.port), "/", body: [49])
        let failure = await failure(request) { $0.isPublicOnly = true }
        guard case .notSent = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(server.connectionCount.withLock { $0 } == 0)
        #expect(failure?.reason.detail == "The name leads to an address that is not public.")
        server.stop()
    }

    /// An answer without end is read up to the limit, and its status counts.
    @Test func restOfALongAnswer_isLeftUnread_whereTheRequestSaysSo() async throws {
        let long = String(repeating: "x", count: 100_000)
        let server = try TestServer(answering: { _ in "HTTP/1.1 202 Accepted\r\nContent-Length: 100000\r\n\r\n" + long }
        )
        var request = charge(server)
        request.responseBodyBytesMax = 4_096
        #expect(await failure(request) == .maybeSent(.tooLarge))
        request.leavesRestUnread = true
        let transport = CurlTransport()
        let response = try await transport.send(request)
        #expect(response.status == 202 && response.body.count == 4_096)
        await transport.close()
        server.stop()
    }

    @Test func aClosedPortIsNotSent() async throws {
        let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", try TestSocket.closedPort()), "/", body: [49])
        #expect(await failure(request) == .notSent(.connectionRefused))
    }

    @Test func aNameThatDoesNotExistIsNotSent() async {
        let request = HTTPRequest("POST", Origin(.http, "does-not-exist.invalid"), "/", body: [49])
        #expect(await failure(request) == .notSent(.nameNotResolved))
    }

    @Test func aListenerThatNeverAcceptsIsNotSent() async throws {
        let (listener, port) = try TestSocket.listen(backlog: 0)
        let filling = try TestSocket.connect(port: port)
        defer {
            TestSocket.close(filling)
            TestSocket.close(listener)
        }
        let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", port), "/", body: [49])
        #expect(await failure(request) { $0.connectMilliseconds = 100 } == .notSent(.connectTimedOut))
    }

    @Test func aServerThatNeverSpeaksTLSIsNotSent() async throws {
        let server = try TestServer { $0.readToEnd() }
        defer { server.stop() }
        let found = await failure(charge(server, .https)) { $0.connectMilliseconds = 100 }
        #expect(found == .notSent(.connectTimedOut))
    }

    @Test func aServerThatSpeaksSomethingElseThanTLSIsNotSent() async throws {
        let server = try TestServer { connection in
            try connection.write("220 ready\r\n")
            connection.readToEnd()
        }
        defer { server.stop() }
        let found = await failure(charge(server, .https))
        #expect(found == .notSent(.tlsFailed) && found?.reason.detail == "the handshake failed")
    }

    @Test func anUntrustedCertificate_isNotSent() async throws {
        let server = try TestServer(TestIdentity()) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let stranger = await failure(charge(server, .https))
        #expect(stranger == .notSent(.tlsFailed) && stranger?.reason.detail?.contains("self") == true)
        let other = try TestIdentity()
        let found = await failure(charge(server, .https)) { $0.roots = .pem(other.certificatePEM) }
        #expect(found == .notSent(.tlsFailed))
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func aCertificateForAnotherNameIsNotSent() async throws {
        let identity = try TestIdentity(names: "DNS:other.example")
        let server = try TestServer(identity) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let found = await failure(charge(server, .https)) { $0.roots = .pem(identity.certificatePEM) }
        #expect(found == .notSent(.tlsFailed))
        #expect(found?.reason.detail == "the certificate is for another host")
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func rootsThatAreMissingAreNotSent() async throws {
        let server = try TestServer(TestIdentity()) { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let found = await failure(charge(server, .https)) { $0.roots = .file("/does/not/exist.pem") }
        #expect(found == .notSent(.tlsFailed))
    }

    @Test(arguments: [
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "no-slash"),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/a b"),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/a\r\nX: y"),
        HTTPRequest("PO ST", Origin(.http, "127.0.0.1", 1), "/"),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/", headers: ["X": "a\r\nY: b"]),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/", headers: ["X:": "a"]),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/", headers: ["Content-Length": "3"]),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 1), "/", headers: ["transfer-encoding": "chunked"]),
        HTTPRequest("POST", Origin(.http, "user@127.0.0.1", 1), "/"),
        HTTPRequest("POST", Origin(.http, "a/b", 1), "/"),
        HTTPRequest("POST", Origin(.http, "127.0.0.1", 70_000), "/"),
        HTTPRequest("HEAD", Origin(.http, "127.0.0.1", 1), "/", body: [1]),
    ])
    func aRequestThatHTTPCanNotCarryIsNotSent(_ request: HTTPRequest) async {
        #expect(await failure(request) == .notSent(.invalidRequest))
    }

    // MARK: It may have arrived

    @Test func aResetBeforeTheRequestWasReadIsMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.read(1)
            connection.reset()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) == .maybeSent(.connectionReset))
    }

    @Test func aResetAfterTheRequestWasReadIsMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            connection.reset()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) == .maybeSent(.connectionReset))
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func anEndWithoutAReplyIsMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            connection.close()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) == .maybeSent(.connectionReset))
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func halfAReplyIsMaybeSent(_ reply: String) async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(reply)
            connection.close()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) == .maybeSent(.truncated))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func aReplyThatStopsIsMaybeSent(_ start: String) async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(start)
            connection.readToEnd()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) { $0.idleTimeoutMilliseconds = 100 } == .maybeSent(.stalled))
    }

    @Test func aRequestMayBeMoreOrLessPatientThanItsTransport() async throws {
        let count = Locked(0)
        let answers = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst { return connection.readToEnd() }
            Blocking.wait(for: answers)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.idleTimeoutMilliseconds = 100
        let transport = CurlTransport(configuration)
        var patient = charge(server)
        patient.idleTimeoutMilliseconds = 60_000
        async let first = transport.send(patient)
        while count.withLock({ $0 }) == 0 { await Task.yield() }
        // When the second is given up, the first would have been given up before it.
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await transport.send(charge(server)) }
        answers.fulfill(true)
        #expect(try await first.status == 200)
        await transport.close()
        var hasty = charge(server)
        hasty.idleTimeoutMilliseconds = 100
        #expect(await failure(hasty) { $0.idleTimeoutMilliseconds = 60_000 } == .maybeSent(.stalled))
    }

    @Test func aServerThatDoesNotReadIsMaybeSent() async throws {
        let end = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.read(1)
            Blocking.wait(for: end)
        }
        defer { server.stop() }
        var request = charge(server)
        request.body = [UInt8](repeating: 97, count: 32 * 1_024 * 1_024)
        #expect(await failure(request) { $0.idleTimeoutMilliseconds = 100 } == .maybeSent(.stalled))
        end.fulfill(true)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n12345678901",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n12345678901",
    ])
    func aBodyOneByteTooLongIsMaybeSent(_ reply: String) async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(reply)
            connection.close()
        }
        defer { server.stop() }
        var request = charge(server)
        request.responseBodyBytesMax = 10
        #expect(await failure(request) == .maybeSent(.tooLarge))
        request.responseBodyBytesMax = 11
        #expect(await failure(request) == nil)
    }

    @Test func headersThatNeverEndAreMaybeSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\n")
            for number in 0..<10_000 { try connection.write("X-\(number): \(number)\r\n") }
            connection.readToEnd()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) { $0.headerBytesMax = 8_192 } == .maybeSent(.tooLarge))
    }

    @Test(arguments: ["220 smtp.example.com ESMTP\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "nonsense\r\n\r\n"])
    func aReplyThatIsNotHTTPIsMaybeSent(_ reply: String) async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            try connection.write(reply)
            connection.close()
        }
        defer { server.stop() }
        #expect(await failure(charge(server)) == .maybeSent(.malformed))
    }

    @Test func moreRequestsThanAllowedAreNotSent() async throws {
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            connection.readToEnd()
        }
        defer { server.stop() }
        let found = await failure(charge(server)) { $0.requestsMax = 0 }
        #expect(found == .notSent(.overloaded))
        #expect(server.connectionCount.withLock { $0 } == 0)
    }

    /// The thread is awake, since something was cancelled, so that the request begins in the very turn in which libcurl
    /// finds that it can't continue: a kept connection takes what its buffers hold, and the rest can't be waited for.
    @Test func request_begunWhenLibcurlFails_isMaybeSent() async throws {
        let (held, arrived) = (Promise<Bool>(), Promise<Bool>())
        let server = try TestServer { connection in
            if try connection.readRequest()?.line.hasPrefix("GET") == true {
                held.fulfill(true)
            } else {
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                arrived.fulfill(try connection.readHead()?.first == "POST /charge HTTP/1.1")
            }
            connection.readToEnd()
        }
        defer { server.stop() }
        let transport = CurlTransport()
        var request = charge(server)
        let asking = HTTPRequest("GET", request.origin, "/held")
        let holding = Task { try await transport.send(asking) }
        _ = await held.value()
        #expect(try await transport.send(request).status == 200)
        request.body = [UInt8](repeating: 49, count: 32 * 1_024 * 1_024)
        let task = Task(executorPreference: transport.executor) { [request] in
            let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            #expect(dup2(nothing, transport.epoll) == transport.epoll)
            TestSocket.close(nothing)
            holding.cancel()
            return try await transport.send(request)
        }
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await task.value }
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await holding.value }
        #expect(await arrived.value())
        await transport.close()
    }

    @Test func aRequestThatFindsNoFreeConnectionIsNotSent() async throws {
        let read = Promise<Bool>()
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            read.fulfill(true)
            connection.readToEnd()
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHostMax = 1
        configuration.connectMilliseconds = 1_500
        let transport = CurlTransport(configuration)
        let first = Task { [request = charge(server)] in try await transport.send(request) }
        _ = await read.value()
        await #expect(throws: TransportFailure.notSent(.connectTimedOut)) { try await transport.send(charge(server)) }
        first.cancel()
        await #expect(throws: TransportFailure.maybeSent(.cancelled)) { try await first.value }
        await transport.close()
        #expect(server.requests.withLock { $0.count } == 1)
    }
}

/// A request whose bytes left us is never sent again, whatever libcurl would do on its own.
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
        // A busy machine may take longer between two requests than a connection may idle.
        var patient = CurlTransport.Configuration()
        patient.idleSecondsMax = 3_600
        let transport = CurlTransport(patient)
        let request = HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [49])
        for _ in 0..<20 { #expect(try await transport.send(request).status == 200) }
        #expect(server.connectionCount.withLock { $0 } == 1)
        #expect(server.requests.withLock { $0.count } == 20)
        await transport.close()
    }
}
