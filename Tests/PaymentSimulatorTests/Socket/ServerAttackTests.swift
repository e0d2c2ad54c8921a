import PaymentBase
import PaymentSimulator
import PaymentTransport
import Testing

@Suite struct ServerAttackTests {
    /// A server with a client that is known to be served, so that a crash or a stuck loop is seen.
    private func attacked(
        limits: SimulatorServer.Limits = SimulatorServer.Limits(), _ body: (Int) throws -> Void
    ) async throws {
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(EchoService())
        try body(origin.port)
        let client = try RawClient(port: origin.port)
        client.write("GET /alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().hasSuffix("GET /alive "))
        await server.stop()
    }

    private static func status(_ answer: String) -> Int? {
        answer.hasPrefix("HTTP/1.1 ") ? Int(answer.dropFirst(9).prefix(3)) : nil
    }

    @Test func theTableIsLong() {
        #expect(MalformedRequest.all.count >= 60)
        #expect(Set(MalformedRequest.all.map(\.name)).count == MalformedRequest.all.count)
    }

    @Test func malformedRequestsAreRefusedOrClosed() async throws {
        try await attacked { port in
            for request in MalformedRequest.all {
                let client = try RawClient(port: port)
                client.write(request.bytes)
                client.endWriting()
                let answer = client.readToEnd()
                if let status = request.status { #expect(Self.status(answer) == status, "\(request)") }
                #expect(!client.wasReset, "\(request)")
            }
        }
    }

    @Test func theSameByteByByte() async throws {
        try await attacked { port in
            for request in MalformedRequest.fields {
                let client = try RawClient(port: port)
                for byte in request.bytes { client.write([byte]) }
                client.endWriting()
                #expect(Self.status(client.readToEnd()) == request.status, "\(request)")
            }
        }
    }

    @Test func aBrokenSecondRequestComesAfterTheFirstAnswer() async throws {
        try await attacked { port in
            let client = try RawClient(port: port)
            client.write("GET /one HTTP/1.1\r\nHost: a\r\n\r\nBROKEN\r\n\r\n")
            let answer = client.readToEnd()
            #expect(answer.contains("GET /one ") && answer.contains("HTTP/1.1 400 "))
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await attacked { port in
            let client = try RawClient(port: port)
            let requests = (1...100).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" }
            client.write(requests.joined() + "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = client.readToEnd()
            let lines = answer.split(separator: "\r\n").flatMap { $0.split(separator: "HTTP/1.1 200 OK") }
            let bodies = lines.filter { $0.hasPrefix("POST /") || $0.hasPrefix("GET /") }
            #expect(bodies == (1...100).map { "POST /\($0) ab" } + ["GET /last "])
        }
    }

    @Test func oneEmptyLineIsPassedOverHoweverItComes() async throws {
        try await attacked { port in
            for pieces in [["\r\n\r\n\r\nGET / HTTP/1.1\r\n"], ["\r\n", "\r\n", "\r\nGET / HTTP/1.1\r\n"]] {
                let client = try RawClient(port: port)
                client.write("\r\nGET /first HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(client.read(until: "/first").contains("200"))
                // Each piece is read by itself, since the one before was answered or came alone.
                for piece in pieces { client.write(piece) }
                client.endWriting()
                #expect(Self.status(client.readToEnd()) == 400)
            }
        }
    }

    @Test func chunkedBodiesAreJoined() async throws {
        try await attacked { port in
            let client = try RawClient(port: port)
            client.write("POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n")
            for part in ["3\r", "\nab", "c\r\n", "0000A;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n", "\r\n"] {
                client.write(part)
            }
            #expect(client.readToEnd().hasSuffix("POST /c abc0123456789"))
        }
    }

    @Test func leaveToSendABodyIsGivenOnce() async throws {
        try await attacked { port in
            let client = try RawClient(port: port)
            client.write("POST /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            client.write("abc")
            #expect(client.read(until: "abc").hasSuffix("POST /e abc"))
            client.write("POST /f HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
            #expect(Self.status(client.readToEnd()) == 413)
        }
    }

    @Test func anOldClientIsAnsweredAndClosed() async throws {
        try await attacked { port in
            let client = try RawClient(port: port)
            client.write("GET /old HTTP/1.0\r\n\r\n")
            let answer = client.readToEnd()
            #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("GET /old "))
        }
    }

    @Test func slowAndIdleClientsAreLetGo() async throws {
        var limits = SimulatorServer.Limits()
        (limits.idleMilliseconds, limits.requestMilliseconds) = (60, 60)
        try await attacked(limits: limits) { port in
            let idle = try RawClient(port: port)
            #expect(idle.readToEnd().isEmpty)
            let slow = try RawClient(port: port)
            slow.write("GET / HTTP/1.1\r\nHost")
            #expect(Self.status(slow.readToEnd()) == 408)
            let half = try RawClient(port: port)
            half.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            #expect(Self.status(half.readToEnd()) == 408)
        }
    }

    @Test func aClientThatTakesNothingIsLetGo() async throws {
        var limits = SimulatorServer.Limits()
        limits.writeMilliseconds = 60
        try await attacked(limits: limits) { port in
            let client = try RawClient(port: port)
            for _ in 0..<4 { client.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n") }
            let first = client.read(until: "\r\n\r\n")
            #expect(Self.status(first) == 200)
            let other = try RawClient(port: port)
            other.write("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(other.readToEnd().utf8.count > 4_000_000)
        }
    }

    @Test func connectionsAboveTheLimitAreClosed() async throws {
        var limits = SimulatorServer.Limits()
        limits.connectionsMax = 2
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(EchoService())
        let clients = try (1...2).map { _ in try RawClient(port: origin.port) }
        for client in clients {
            client.write("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.read(until: "/kept").contains("200"))
        }
        let third = try RawClient(port: origin.port)
        #expect(third.readToEnd().isEmpty)
        await server.stop()
    }

    @Test func resetsAreRealAndEndsAreNot() async throws {
        try await attacked { port in
            for (target, isReset) in [("/reset", true), ("/closed", false), ("/torn-head", false)] {
                let client = try RawClient(port: port)
                client.write("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = client.readToEnd()
                #expect(client.wasReset == isReset, "\(target)")
            }
        }
    }
}
