#if DEBUG
import PaymentTransport

@testable import PaymentLinux
@testable import PaymentSimulator

extension Axis {
    /// Heads and bodies of HTTP as sockets receive them, and frames.
    static var wires: [Axis] { requests + replies + frames }

    private static func times(_ part: String, _ count: Int) -> String {
        String(repeating: part, count: max(count, 1))
    }

    private static let heads: [(String, @Sendable (Int) -> String)] = [
        ("target", { "GET /" + times("a", $0) + " HTTP/1.1\r\nHost: a\r\n\r\n" }),
        (
            "fields",
            { @Sendable count in
                "GET / HTTP/1.1\r\nHost: a\r\n" + (0..<max(count / 12, 1)).map { "x-\($0): 1\r\n" }.joined() + "\r\n"
            }
        ), ("sameField", { "GET / HTTP/1.1\r\nHost: a\r\n" + times("x: 1\r\n", $0 / 6) + "\r\n" }),
        ("value", { "GET / HTTP/1.1\r\nHost: a\r\nx: " + times("a", $0) + "\r\n\r\n" }),
        ("blanks", { "GET / HTTP/1.1\r\nHost: a\r\nx: " + times(" ", $0) + "\r\n\r\n" }),
        ("name", { "GET / HTTP/1.1\r\nHost: a\r\n" + times("x", $0) + ": 1\r\n\r\n" }),
        ("noEnd", { "GET / HTTP/1.1\r\nHost: a\r\nx: " + times("a", $0) }),
        ("returns", { times("\r", $0) }), ("lines", { times("\r\n", $0 / 2) }),
        (
            "chunks",
            {
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + times("1\r\na\r\n", $0 / 6)
                    + "0\r\n\r\n"
            }
        ),
        (
            "body",
            { "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(max($0, 1))\r\n\r\n" + times("b", $0) }
        ), ("requests", { times("GET / HTTP/1.1\r\nHost: a\r\n\r\n", $0 / 28) }),
    ]

    /// At once, and byte by byte, as a slow client sends it.
    private static var requests: [Axis] {
        heads.flatMap { name, make in
            [
                Axis("request", name, memory: 24, make) { feed($0, piece: .max) },
                Axis("request-bytewise", name, memory: 24, make) { feed($0, piece: 1) },
            ]
        }
    }

    private static func feed(_ bytes: [UInt8], piece: Int) {
        var limits = SimulatorServer.Limits()
        // What grows is looked at, and not where it ends.
        (limits.headBytesMax, limits.bodyBytesMax, limits.fieldsMax) = (.max / 4, .max / 4, .max / 4)
        var parser = RequestParser(Origin(.http, "a", 80), limits)
        var place = 0
        while place < bytes.count {
            let end = place + min(piece, bytes.count - place)
            parser.feed(bytes[place..<end])
            place = end
            do throws(RequestHead.Refused) {
                reading: while true {
                    switch try parser.next() {
                    case .request, .expectsContinue: continue
                    case .needsMore: break reading
                    }
                }
            } catch { return }
        }
    }

    private static var replies: [Axis] {
        heads.prefix(9).map { name, make in
            Axis("response-head", name, memory: 24, make) { bytes in
                var head = ResponseHead()
                for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                    unsafe (Array(line) + [10]).withUnsafeBytes { unsafe head.take($0) }
                }
                _ = head.unpacked
            }
        }
    }

    private static var frames: [Axis] {
        @Sendable func frames(_ first: UInt8, _ next: UInt8, _ payload: Int) -> @Sendable (Int) -> [UInt8] {
            { @Sendable count in
                let frame = [UInt8(payload)] + [UInt8](repeating: 97, count: payload)
                let more = max(count / (payload + 2), 1)
                return [first] + frame + (0..<more).flatMap { _ in [next] + frame }
            }
        }
        @Sendable func read(_ bytes: [UInt8], _ piece: Int) {
            var reader = WebSocketReader(messageBytesMax: .max / 4)
            var place = 0
            while place < bytes.count {
                let end = place + min(piece, bytes.count - place)
                reader.feed(Array(bytes[place..<end]))
                place = end
                do { while try reader.next() != nil {} } catch { return }
            }
        }
        let shapes = [
            ("fragments", frames(0x01, 0x00, 1)), ("messages", frames(0x81, 0x81, 1)), ("pings", frames(0x89, 0x89, 1)),
        ]
        return shapes.flatMap { name, make in
            [
                Axis("websocket", name, memory: 48) { Work(make($0)) { read($0, .max) } },
                Axis("websocket-bytewise", name, memory: 48) { Work(make($0)) { read($0, 1) } },
            ]
        }
    }
}
#endif
