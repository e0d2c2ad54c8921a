import PaymentHTTPServer
import Testing

/// Requests that two programs could read differently. A refusal is any answer of 4xx or 5xx, or a closed connection, without
/// an answer of 2xx beside it.
struct MalformedRequestTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ fields: String..., line: String = "POST /x HTTP/1.1", body: String = "") {
            self.name = name
            bytes = Array(([line, "Host: test"] + fields + ["", body]).joined(separator: "\r\n").utf8)
        }

        init(_ name: String, raw: String) { (self.name, bytes) = (name, Array(raw.utf8)) }
    }

    private static let second =
        "POST /second HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    /// What must be refused.
    static let refused: [Shape] = [
        Shape(
            "a length and chunks", "Content-Length: 6", "Transfer-Encoding: chunked", body: "0\r\n\r\nX" + second),
        Shape("two lengths", "Content-Length: 5", "Content-Length: 0", body: "hello" + second),
        Shape("the same length twice", "Content-Length: 5", "Content-Length: 5", body: "hello"),
        Shape("a length with a plus", "Content-Length: +5", body: "hello"),
        Shape("a length below zero", "Content-Length: -1"),
        Shape("a list of lengths", "Content-Length: 5, 5", body: "hello"),
        Shape("a length in hexadecimal", "Content-Length: 0x5", body: "hello"),
        Shape("a length of 20 digits", "Content-Length: 99999999999999999999"),
        Shape("an unknown coding", "Transfer-Encoding: xchunked", body: "0\r\n\r\n"),
        Shape("two codings in one field", "Transfer-Encoding: chunked, identity", body: "0\r\n\r\n"),
        Shape("two codings", "Transfer-Encoding: chunked", "Transfer-Encoding: identity", body: "0\r\n\r\n"),
        Shape("a space before the colon", "Content-Length : 5", body: "hello"),
        Shape("a bare CR in a field", "X-One: a\rb", "Content-Length: 0"),
        Shape("a field without a colon", "X-One", "Content-Length: 0"),
        Shape("no Host", raw: "POST /x HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
        Shape("two Hosts", "Host: other", "Content-Length: 0"),
        Shape("chunks in HTTP/1.0", "Transfer-Encoding: chunked", line: "POST /x HTTP/1.0", body: "0\r\n\r\n"),
        Shape("another version", "Content-Length: 0", line: "POST /x HTTP/9.9"),
        Shape("a method in lower case", "Content-Length: 0", line: "post /x HTTP/1.1"),
        Shape("a target without a slash", "Content-Length: 0", line: "POST x HTTP/1.1"),
        Shape("a target with an address", "Content-Length: 0", line: "POST http://other/x HTTP/1.1"),
        Shape("a chunk size with a letter behind", "Transfer-Encoding: chunked", body: "1x\r\na\r\n0\r\n\r\n"),
        Shape("a chunk size of 17 digits", "Transfer-Encoding: chunked", body: "10000000000000001\r\na\r\n0\r\n\r\n"),
        Shape("a chunk size below zero", "Transfer-Encoding: chunked", body: "-1\r\na\r\n0\r\n\r\n"),
        Shape("a chunk longer than its size", "Transfer-Encoding: chunked", body: "1\r\nabc\r\n0\r\n\r\n"),
        Shape("40 KB of one field", "X-One: " + String(repeating: "a", count: 40_000), "Content-Length: 0"),
        Shape(
            "1,000 fields",
            (0..<1_000).map { "X-\($0): " + String(repeating: "a", count: 40) }.joined(separator: "\r\n"),
            "Content-Length: 0"),
        Shape("two spaces in the first line", "Content-Length: 0", line: "POST  /x HTTP/1.1"),
        Shape("a folded field", "X-One: a", " b", "Content-Length: 0"),
        Shape("a bare LF in the head", "X-One: a\nX-Two: b", "Content-Length: 0"),
        Shape("a NUL in a field", "X-One: a\0b", "Content-Length: 0"),
        Shape("a field without a name", ": a", "Content-Length: 0"),
        Shape("a NUL at the end of a field", "X-One: a\0", "Content-Length: 0"),
        Shape("a NUL in a field's name", "X\0One: a", "Content-Length: 0"),
        Shape("a NUL in the last field", "Content-Length: 0", "X-One: a\0b"),
        Shape("two NULs at the end of the last field", "Content-Length: 0", "X-One: a\0\0"),
        Shape("a length behind a NUL", "X-One: a\0\r\nContent-Length: 5", body: "hello"),
        Shape("a NUL in the target", "Content-Length: 0", line: "POST /x\0y HTTP/1.1"),
        Shape("a NUL in the version", "Content-Length: 0", line: "POST /x HTTP/1.1\0"),
        Shape("a first line that ends with LF", raw: "POST /x HTTP/1.1\nHost: test\r\nContent-Length: 0\r\n\r\n"),
        Shape("a head that ends with LF", raw: "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\n"),
        Shape("garbage", raw: "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n"),
    ]

    /// What the library takes before this code sees it. A proxy in front writes these again; none hides a second request.
    static let lenient: [Shape] = [
        Shape("a chunk that ends with LF", "Transfer-Encoding: chunked", body: "1\na\n0\n\n")
    ]

    @Test(arguments: refused)
    func malformedRequest_isRefused(shape: Shape) async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        // What follows a refused request is no request: the connection is closed.
        let text = try await RawClient.exchange(shape.bytes + Array(Self.second.utf8), port: server.port)
        #expect(!statuses(text).contains { $0 < 400 }, "\(text.prefix(200))")
        let good = try await RawClient.exchange(Array(Self.second.utf8), port: server.port)
        #expect(statuses(good) == [200])
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: lenient)
    func requestThatTheLibraryRepairs_isAtMostOneRequest(shape: Shape) async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        let text = try await RawClient.exchange(shape.bytes + Array(Self.second.utf8), port: server.port)
        #expect(statuses(text).count <= 2, "\(text)")
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [
        "X-One: a", "X-One:a", "X-One: \t a", "X-One:", "X-One: ", "X-One: a: b", "Cookie: a=b; c=d", "X-One: a ",
        "X-One: ä",
    ])
    func soundField_isTaken_andANULIsAnswered(field: String) async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        let head = "POST /x?a=b&c HTTP/1.1\r\nHost: test\r\n\(field)\r\nContent-Length: 5\r\n"
        let text = try await RawClient.exchange(
            Array((head + "Connection: close\r\n\r\nhello").utf8), port: server.port)
        #expect(statuses(text) == [200], "\(text)")
        let cut = try await RawClient.exchange(Array((head + "X-Two: a\0b\r\n\r\nhello").utf8), port: server.port)
        #expect(statuses(cut) == [400], "\(cut)")
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [12_000, 24_000])
    func longHead_isTaken(bytes: Int) async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        let fields = (0..<bytes / 500).map { "X-\($0): " + String(repeating: "a", count: 480) + "\r\n" }.joined()
        let head = "POST /x HTTP/1.1\r\nHost: test\r\n\(fields)Content-Length: 5\r\nConnection: close\r\n\r\n"
        // In two parts: the library moves what it has read as it grows.
        let client = try RawClient(port: server.port)
        client.write(String(head.prefix(bytes / 2)))
        client.write(String(head.dropFirst(bytes / 2)) + "hello")
        #expect(await statuses(client.readToEnd()) == [200])
        await server.stop(within: .seconds(5))
    }

    /// The library would take a query apart, and have no memory left for an answer.
    @Test(arguments: [500, 5_000])
    func queryOfManyParameters_isAnswered(count: Int) async throws {
        var handler = TestHandler()
        handler.answer = { request in
            ServerResponse(400, [], .bytes(Array("\(request.head.query?.utf8.count ?? 0)".utf8)))
        }
        let server = try MicroHTTPServer(handler: handler)
        let query = (0..<count).map { "a\($0 % 9)=" }.joined(separator: "&")
        let text = try await RawClient.exchange(
            Array("GET /x?\(query) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8), port: server.port)
        #expect(statuses(text) == [400])
        #expect(text.hasSuffix("\r\n\r\n\(query.utf8.count)"))
        await server.stop(within: .seconds(5))
    }

    @Test func goodRequests_pipelined_areAnsweredInOrder() async throws {
        let server = try MicroHTTPServer(handler: TestHandler())
        let one = "POST /one HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello"
        let text = try await RawClient.exchange(Array((one + Self.second).utf8), port: server.port)
        #expect(statuses(text) == [200, 200])
        #expect(text.contains("/one 5"))
        #expect(text.contains("/second 0"))
        await server.stop(within: .seconds(5))
    }
}
