import PaymentBase
import PaymentSimulator
import PaymentTransport
import Testing

/// The server's side of WebSockets against a client that breaks the rules.
@Suite struct ServerWebSocketTests {
    private static let handshake = """
        GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
        """

    /// A frame of a client, masked with zeros so that its content stays readable.
    private static func frame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes = [first]
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65_536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        case _:
            bytes.append(mask | 127)
            bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        }
        return bytes + (isMasked ? [0, 0, 0, 0] : []) + payload
    }

    /// What comes back on a socket after the greeting, up to the end.
    private func answer(
        to frames: [[UInt8]], limits: SimulatorServer.Limits = SimulatorServer.Limits()
    ) async throws -> [UInt8] {
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(EchoService())
        let client = try RawClient(port: origin.port)
        client.write(Self.handshake)
        let greeting = client.read(until: "hello")
        // The example of RFC 6455, section 1.3.
        #expect(greeting.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        for frame in frames { client.write(frame) }
        client.endWriting()
        var bytes: [UInt8] = []
        while true {
            let part = client.readSome()
            if part.isEmpty { break }
            bytes += part
        }
        await server.stop()
        return bytes
    }

    @Test func aCloseIsAnswered() async throws {
        #expect(try await answer(to: [Self.frame(0x88, [])]) == [0x88, 2, 3, 232])
        #expect(try await answer(to: [Self.frame(0x88, [3, 232])]) == [0x88, 2, 3, 232])
    }

    @Test func aPingIsAnsweredBetweenTheFragmentsOfAMessage() async throws {
        let frames = [Self.frame(0x01, [97]), Self.frame(0x89, [1, 2]), Self.frame(0x80, [98]), Self.frame(0x88, [])]
        let bytes = try await answer(to: frames)
        #expect(bytes.starts(with: [0x8A, 2, 1, 2]))
        #expect(bytes.suffix(4) == [0x88, 2, 3, 232])
    }

    @Test func brokenRulesEndTheConnectionWithTheirCode() async throws {
        let rows: [(String, [UInt8], UInt8)] = [
            ("no mask", Self.frame(0x81, [97], isMasked: false), 234),
            ("a reserved bit", Self.frame(0xC1, [97]), 234),
            ("an unknown opcode", Self.frame(0x83, [97]), 234),
            ("a fragmented ping", Self.frame(0x09, []), 234),
            ("a long ping", Self.frame(0x89, [UInt8](repeating: 0, count: 126)), 234),
            ("a continuation of nothing", Self.frame(0x80, [97]), 234),
            ("a message inside a message", Self.frame(0x01, [97]) + Self.frame(0x81, [97]), 234),
            ("a length in too many bytes", [0x81, 0xFE, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5], 234),
            ("a ping above all limits", [0x89, 0xFF] + [UInt8](repeating: 0x7F, count: 12), 234),
            ("half a code of a close", Self.frame(0x88, [3]), 234),
            ("a code that is never sent", Self.frame(0x88, [0x03, 0xED]), 234),
            ("a close with a text that is none", Self.frame(0x88, [0x03, 0xE8, 0xFF]), 239),
            ("text that is none", Self.frame(0x81, [0xFF]), 239),
            ("a length above all limits", [0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 11), 241),
        ]
        for (name, frame, code) in rows {
            #expect(try await answer(to: [frame]) == [0x88, 2, 3, code], "\(name)")
        }
    }

    @Test func aMessageAboveTheLimitIsRefused() async throws {
        var limits = SimulatorServer.Limits()
        limits.messageBytesMax = 200
        let large = Self.frame(0x81, [UInt8](repeating: 97, count: 201))
        #expect(try await answer(to: [large], limits: limits) == [0x88, 2, 3, 241])
        let together =
            Self.frame(0x01, [UInt8](repeating: 97, count: 150))
            + Self.frame(0x80, [UInt8](repeating: 97, count: 51))
        #expect(try await answer(to: [together], limits: limits) == [0x88, 2, 3, 241])
    }

    @Test func aHandshakeThatIsNoneIsRefused() async throws {
        let server = try SimulatorServer()
        let origin = try await server.listen(EchoService())
        for (old, new) in [
            ("Version: 13", "Version: 8"), ("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="), ("GET", "POST"),
            ("Upgrade: websocket", "Upgrade: h2c"), ("keep-alive, Upgrade", "keep-alive"),
        ] {
            let client = try RawClient(port: origin.port)
            let parts = Self.handshake.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
            #expect(parts.count == 2)
            client.write(parts.joined(separator: new))
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 426 "), "\(new)")
        }
        await server.stop()
    }

    @Test func aClientThatTakesNothingIsNotSentEverything() async throws {
        var limits = SimulatorServer.Limits()
        limits.outgoingBytesMax = 1_000
        let refused = Promise<TransportFailure>()
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(PushingService(refused: refused))
        let client = try RawClient(port: origin.port)
        client.write(Self.handshake)
        #expect(await refused.value() == .notSent(.connectionReset))
        await server.stop()
    }

    @Test func moreRequestsThanAreKeptAreAnsweredAllTheSame() async throws {
        var limits = SimulatorServer.Limits()
        limits.pipelinedBytesMax = 100
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(EchoService())
        let client = try RawClient(port: origin.port)
        let body = String(repeating: "b", count: 90_000)
        let request = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n\(body)"
        for _ in 0..<20 { client.write(request) }
        client.write("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = client.readToEnd()
        #expect(answer.split(separator: "POST /p ").count == 21 && answer.hasSuffix("GET /last "))
        await server.stop()
    }
}

/// Sends on a WebSocket until it is refused.
private struct PushingService: SimulatorService {
    let refused: Promise<TransportFailure>

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        .upgrade { socket in
            let text = String(repeating: "x", count: 900)
            while true {
                do throws(TransportFailure) { try await socket.send(text) } catch {
                    refused.fulfill(error)
                    return
                }
            }
        }
    }
}
