import Dispatch
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

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
            // Nobody is answered before everybody is there.
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
