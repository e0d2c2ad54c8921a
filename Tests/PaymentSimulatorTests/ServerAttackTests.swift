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
                // Each piece is read on its own, since the one before was answered or came alone.
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

/// One row of bytes that no server may fall over, with what has to come back.
struct MalformedRequest: Sendable, CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The status of the answer; nil where the connection may end without one.
    let status: Int?

    init(_ name: String, _ text: String, _ status: Int?) { self.init(name, Array(text.utf8), status) }

    init(_ name: String, _ bytes: [UInt8], _ status: Int?) {
        (self.name, self.bytes, self.status) = (name, bytes, status)
    }

    var description: String { name }

    private static func post(_ fields: String, _ body: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n" }

    private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let lines: [MalformedRequest] = [
        .init("nothing", "", nil),
        .init("one byte", "G", nil),
        .init("half a line", "GET / HT", nil),
        .init("half a head", "GET / HTTP/1.1\r\nHost: a\r\n", nil),
        .init("only an empty line", "\r\n", nil),
        .init("two empty lines", "\r\n\r\n", nil),
        .init("four empty lines", "\r\n\r\n\r\n\r\n", 400),
        .init("bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", nil),
        .init("a bare line feed in the head", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400),
        .init("a bare carriage return", "GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", 400),
        .init("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("no version", "GET /\r\nHost: a\r\n\r\n", 400),
        .init("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a space behind the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        .init("a tab instead of a space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a leading space", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("version 2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        .init("version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        .init("version 0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
        .init("the version in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        .init("another protocol", "GET / SIP/2.0\r\nHost: a\r\n\r\n", 400),
        .init("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        .init("a TLS hello", [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3] + [UInt8](repeating: 7, count: 40), nil),
        .init("an SSH hello", "SSH-2.0-OpenSSH_9.2\r\n\r\n", 400),
        .init("a target without a slash", "GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("an absolute target", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a proxy's target", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a target with a fragment", "GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a target with a zero", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a target beyond ASCII", "GET /ü HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a method with a bracket", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        .init("a target that is too long", "GET /" + many("x", 9_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        .init("a head that never ends", "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 9_000), 431),
        .init("one field that never ends", "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 40_000), 431),
        .init("too many fields", get(String(repeating: "X: y\r\n", count: 120) + "Z: z"), 431),
    ]

    static let fields: [MalformedRequest] = [
        .init("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        .init("two hosts", get("Host: b"), 400),
        .init("a field without a colon", get("X"), 400),
        .init("a field without a name", get(": y"), 400),
        .init("a space before the colon", get("X : y"), 400),
        .init("a folded field", get("X: y\r\n z"), 400),
        .init("a zero in a value", get("X: a\0b"), 400),
        .init("an escape in a value", get("X: a\u{1b}b"), 400),
        .init("bytes that are no text", Array("GET / HTTP/1.1\r\nX: ".utf8) + [255, 254, 13, 10, 13, 10], 400),
        .init("a name beyond ASCII", get("Ü: y"), 400),
        .init("a length that is no number", post("Content-Length: x"), 400),
        .init("an empty length", post("Content-Length:"), 400),
        .init("a negative length", post("Content-Length: -1"), 400),
        .init("a length with a plus", post("Content-Length: +1", "x"), 400),
        .init("a length in hexadecimal", post("Content-Length: 0x1", "x"), 400),
        .init("a length list", post("Content-Length: 1, 1", "x"), 400),
        .init("two lengths", post("Content-Length: 1\r\nContent-Length: 2", "xy"), 400),
        .init("a length above the limit", post("Content-Length: 2000000"), 413),
        .init("a length above all numbers", post("Content-Length: 99999999999999999999999"), 413),
        .init("a length and chunks", post("Content-Length: 1\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), 400),
        .init("an unknown coding", post("Transfer-Encoding: gzip", "x"), 501),
        .init("two codings", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), 501),
        .init("chunks twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), 501),
        .init("a hidden coding", post("Transfer-Encoding: xchunked", "0\r\n\r\n"), 501),
        .init("chunks in version 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        .init("an expectation that nobody knows", post("Expect: 200-ok\r\nContent-Length: 1", "x"), 417),
    ]

    static let bodies: [MalformedRequest] = [
        .init("a body that ends early", post("Content-Length: 10", "123"), nil),
        .init("a chunk without a size", chunked("\r\nabc\r\n0\r\n\r\n"), 400),
        .init("a chunk size that is no number", chunked("xyz\r\nabc\r\n0\r\n\r\n"), 400),
        .init("a negative chunk size", chunked("-1\r\nabc\r\n0\r\n\r\n"), 400),
        .init("a chunk size with a prefix", chunked("0x3\r\nabc\r\n0\r\n\r\n"), 400),
        .init("a chunk size with a space", chunked("3 \r\nabc\r\n0\r\n\r\n"), 400),
        .init("a chunk size of nine digits", chunked("000000003\r\nabc\r\n0\r\n\r\n"), 400),
        .init("a chunk above the limit", chunked("7fffffff\r\n"), 413),
        .init("chunks above the limit together", chunked("fffff\r\n" + many("x", 1_048_575) + "\r\n2\r\n"), 413),
        .init("a chunk that is longer than it says", chunked("3\r\nabcd\r\n0\r\n\r\n"), 400),
        .init("a chunk that is shorter than it says", chunked("4\r\nabc\r\n0\r\n\r\n"), 400),
        .init("chunks with bare line feeds", chunked("3\nabc\n0\n\n"), 400),
        .init("a chunk line that never ends", chunked("3;" + String(repeating: "x", count: 2_000)), 400),
        .init("trailers that never end", chunked("0\r\n" + String(repeating: "X: y\r\n", count: 2_000)), 400),
        .init("chunks that end early", chunked("3\r\nab"), nil),
        .init("a second request that is broken", get("X: y") + "BROKEN\r\n\r\n", nil),
        .init("a socket that nobody offers", get("Upgrade: websocket\r\nConnection: Upgrade\r\nX: y"), nil),
    ]

    static let all = lines + fields + bodies
}
