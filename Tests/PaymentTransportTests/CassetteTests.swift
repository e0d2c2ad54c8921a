import PaymentBase
import PaymentTransport
import Testing

@Suite struct CassetteTests {
    private let origin = Origin(.https, "example.com")
    private let rules = CassetteRules(removedHeaders: ["X-Signature"]) { target in
        String(target.prefix { $0 != "?" })
    } redactBody: { body in
        String(decoding: body, as: UTF8.self).contains("4111") ? Array("masked".utf8) : body
    }

    private func request(_ body: String) -> HTTPRequest {
        HTTPRequest(
            "POST", origin, "/pay?key=hidden",
            headers: [
                "authorization": "hidden", "X-API-Key": "hidden", "Cookie": "hidden", "x-signature": "hidden",
                "Content-Type": "text/plain",
            ], body: Array(body.utf8))
    }

    /// A recording of three exchanges whose contents try to look like structure.
    private func recorded() async throws -> Cassette {
        let stub = StubTransport([
            .success(
                HTTPResponse(
                    200, headers: ["Set-Cookie": "hidden", "X-Odd": "body 3"],
                    body: Array("\nbody 4\n\nstatus 3".utf8))),
            .success(HTTPResponse(402, body: [0, 255, 10, 13])),
            .failure(.maybeSent(.truncated)),
        ])
        let recorder = RecordingTransport(stub, rules: rules)
        #expect(try await recorder.send(request("4111111111111111")).headers["Set-Cookie"] == "hidden")
        _ = try await recorder.send(request("second"))
        await #expect(throws: TransportFailure.maybeSent(.truncated)) { try await recorder.send(request("second")) }
        #expect(stub.sent.withLock { $0.first?.headers["authorization"] } == "hidden")
        return recorder.cassette
    }

    @Test func nothingSecretIsKept() async throws {
        let text = String(decoding: try await recorded().text, as: UTF8.self)
        for secret in ["hidden", "4111", "uthorization", "ookie", "API-Key", "ignature"] {
            #expect(!text.contains(secret), "\(secret) is on the cassette")
        }
        #expect(text.contains("masked"))
        #expect(text.contains("Content-Type"))
    }

    @Test func theTextReadsBack() async throws {
        let cassette = try await recorded()
        #expect(cassette.interactions.count == 3)
        #expect(try Cassette(text: cassette.text) == cassette)
        #expect(try Cassette(text: Cassette().text) == Cassette())
    }

    @Test func noPartOfATextIsTakenForAWhole() async throws {
        let text = try await recorded().text
        for count in text.indices {
            #expect(throws: Cassette.ParseError.self) { try Cassette(text: Array(text.prefix(count))) }
        }
        #expect(throws: Cassette.ParseError.self) { try Cassette(text: text + [10]) }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        for gone in lines.indices {
            var rest = lines
            rest.remove(at: gone)
            let cut = Array((rest.joined(separator: "\n") + "\n").utf8)
            #expect(throws: Cassette.ParseError.self, "without line \(gone + 1)") { try Cassette(text: cut) }
        }
        let other = String(decoding: text, as: UTF8.self).replacing("\"cassette\":2", with: "\"cassette\":3")
        #expect(throws: Cassette.ParseError.self) { try Cassette(text: Array(other.utf8)) }
    }

    @Test func whatElseHappenedKeepsItsPlaceAndItsTime() throws {
        var header = Cassette.Header(provider: "acme", environment: "test", clock: 7, seed: .max)
        header.notes = ["adapter": "1.2", "readings": ["a", "b"]]
        var cassette = Cassette(header)
        cassette.items = [
            .init(.other("reader", "cardDetected"), section: "sale", at: 3),
            .init(.other("webhook", ["headers": [], "body": ["text": "a\nb"]]), section: "sale", at: 5),
            .init(.other("reader", "readCompleted"), section: "refund", at: 0),
        ]
        let read = try Cassette(text: cassette.text)
        #expect(read == cassette && read.sections == ["sale", "refund"] && !read.header.isSynthetic)
        #expect(read.interactions.isEmpty)
    }

    @Test func aReplayGivesEachExchangeOnce() async throws {
        let player = ReplayingTransport(try await recorded(), rules: rules)
        #expect(try await player.send(request("second")).status == 402)
        await #expect(throws: TransportFailure.maybeSent(.truncated)) { try await player.send(request("second")) }
        await #expect(throws: TransportFailure.notSent(.notRecorded)) { try await player.send(request("second")) }
        #expect(player.remainingCount == 1)
        let first = try await player.send(request("4111111111111112"))
        #expect(first.headers["Set-Cookie"] == nil)
        #expect(first.headers["x-odd"] == "body 3")
        #expect(player.remainingCount == 0)
    }

    @Test func anotherMethodPlaceOrBodyIsNotOnIt() async throws {
        let player = ReplayingTransport(try await recorded(), rules: rules)
        var others = Array(repeating: request("second"), count: 4)
        others[0].method = "PUT"
        others[1].origin = Origin(.http, "example.com")
        others[2].target = "/other"
        others[3].body = [1]
        for other in others {
            await #expect(throws: TransportFailure.notSent(.notRecorded)) { try await player.send(other) }
        }
        #expect(player.remainingCount == 3)
    }
}
