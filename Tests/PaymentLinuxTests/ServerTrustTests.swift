import COpenSSL
import PaymentBase
import PaymentTestServers
import PaymentTransport
import Testing

@testable import PaymentLinux

/// A trust of the request's own: other roots and a rule for the name, instead of the transport's roots and the host's.
@Suite struct ServerTrustTests {
    private static let rule = CertificateNameRule("terminal") { $0.hasSuffix(".terminal.example") }
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A server whose certificate has this common name, comes from a root, and names no host that we call.
    private func server(_ commonNames: [String], _ root: TestIdentity) throws -> TestServer {
        let identity = try TestIdentity(names: "DNS:nobody.example", commonNames: commonNames, issuer: root)
        return try TestServer(identity) { _ in Self.reply }
    }

    private func request(_ server: TestServer, _ roots: String, _ rule: CertificateNameRule = rule) -> HTTPRequest {
        var request = HTTPRequest("POST", Origin(.https, "127.0.0.1", server.port), "/nexo", body: [49])
        request.trust = ServerTrust(roots: roots, rule)
        return request
    }

    private func failure(_ request: HTTPRequest, _ transport: CurlTransport = CurlTransport()) async
        -> TransportFailure?
    {
        do {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func theRightNameFromTheRightRootPassesWhateverTheHostIsCalled() async throws {
        let root = try TestIdentity(commonNames: ["root"])
        let server = try server(["shop-1.terminal.example"], root)
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.idleSecondsMax = 600
        let transport = CurlTransport(configuration)
        for _ in 0..<2 {
            let reply = try await transport.send(request(server, root.certificatePEM))
            #expect(reply.body == Array("ok".utf8))
        }
        #expect(server.connectionCount.withLock { $0 } == 1, "a trust of its own costs no connection per request")
        await transport.close()
    }

    @Test(arguments: [
        ["shop-1.terminal.example.com"], ["nobody.example"], [],
        ["shop-1.terminal.example", "shop-2.terminal.example"], ["other", "shop-1.terminal.example"],
        ["a\0.terminal.example"],
    ])
    func anyOtherNameIsNotSent(_ commonNames: [String]) async throws {
        let root = try TestIdentity(commonNames: ["root"])
        let server = try server(commonNames, root)
        defer { server.stop() }
        #expect(await failure(request(server, root.certificatePEM)) == .notSent(.tlsFailed))
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func anotherRootIsNotSentWhateverTheNameIs() async throws {
        let (root, other) = (try TestIdentity(commonNames: ["root"]), try TestIdentity(commonNames: ["root"]))
        let server = try server(["shop-1.terminal.example"], root)
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        // The transport's own roots would do; the request's own count alone.
        configuration.roots = .pem(root.certificatePEM)
        let transport = CurlTransport(configuration)
        for roots in [other.certificatePEM, "", "no certificate"] {
            #expect(await failure(request(server, roots), transport) == .notSent(.tlsFailed))
        }
        #expect(server.requests.withLock { $0.isEmpty })
        await transport.close()
    }

    @Test func aKeptConnectionIsNotTrustedByAnotherRuleOrWithoutOne() async throws {
        let root = try TestIdentity(commonNames: ["root"])
        let server = try server(["shop-1.terminal.example"], root)
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.roots = .pem(root.certificatePEM)
        let transport = CurlTransport(configuration)
        let good = request(server, root.certificatePEM)
        #expect(await failure(good, transport) == nil)
        let stricter = request(server, root.certificatePEM, CertificateNameRule("shop 2") { $0.hasPrefix("shop-2.") })
        #expect(await failure(stricter, transport) == .notSent(.tlsFailed))
        var usual = good
        usual.trust = nil
        #expect(await failure(usual, transport) == .notSent(.tlsFailed))
        #expect(await failure(good, transport) == nil)
        #expect(server.requests.withLock { $0.count } == 2)
        await transport.close()
    }

    @Test func aPlainRequestCannotHaveOne() async throws {
        let server = try TestServer { _ in Self.reply }
        defer { server.stop() }
        var plain = HTTPRequest("POST", Origin(.http, "127.0.0.1", server.port), "/nexo", body: [49])
        plain.trust = ServerTrust(roots: "", CertificateNameRule("all") { _ in true })
        #expect(await failure(plain) == .notSent(.invalidRequest))
        #expect(server.connectionCount.withLock { $0 } == 0)
    }

    @Test func aWebSocketObeysItToo() async throws {
        let root = try TestIdentity(commonNames: ["root"])
        let peer = try TestIdentity(
            names: "DNS:nobody.example", commonNames: ["shop-1.terminal.example"], issuer: root)
        let server = try TestServer(peer) { connection in
            let peer = try WebSocketPeer(connection)
            while true {
                let frame = try peer.readFrame()
                try peer.write(frame.first, frame.payload)
            }
        }
        defer { server.stop() }
        var request = HTTPRequest("GET", Origin(.https, "127.0.0.1", server.port), "/events")
        request.trust = ServerTrust(roots: root.certificatePEM, Self.rule)
        let connection = try await CurlWebSocketTransport().connect(request)
        try await connection.send("hello")
        #expect(try await connection.receive() == WebSocketMessage.text("hello"))
        await connection.close()
        request.trust = ServerTrust(roots: root.certificatePEM, CertificateNameRule("none") { _ in false })
        await #expect(throws: TransportFailure.notSent(.tlsFailed)) {
            _ = try await CurlWebSocketTransport().connect(request)
        }
    }
}

@Suite struct TLSFloorTests {
    @Test func noConfigurationOfTheMachineGoesBelow() throws {
        let context = unsafe try #require(SSL_CTX_new(TLS_client_method()))
        defer { unsafe SSL_CTX_free(context) }
        // What a lax openssl.cnf does.
        unsafe SSL_CTX_set_security_level(context, 0)
        #expect(unsafe SSL_CTX_set_cipher_list(context, "ALL:eNULL") == 1)
        #expect(unsafe pay_ssl_ctx_set_min_version(context, TLS1_VERSION) == 1)
        unsafe SSL_CTX_set_keylog_callback(context) { _, _ in }
        #expect(unsafe TLSFloor.hold(context))
        #expect(unsafe SSL_CTX_get_security_level(context) == 2)
        #expect(unsafe SSL_CTX_get_keylog_callback(context) == nil)
        let ssl = unsafe try #require(SSL_new(context))
        defer { unsafe SSL_free(ssl) }
        var names: [String] = []
        while let name = unsafe SSL_get_cipher_list(ssl, Int32(names.count)) {
            names.append(unsafe String(cString: name))
        }
        #expect(names.count > 4)
        let isFloor = names.allSatisfy { name in
            name.hasPrefix("TLS_") || name.contains("DHE-") && (name.contains("GCM") || name.contains("CHACHA20"))
        }
        #expect(isFloor, "\(names)")
    }
}
