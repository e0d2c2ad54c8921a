import COpenSSL
import PaymentTransport

@testable import PaymentLinux
@testable import PaymentSimulator

extension FuzzTarget {
    /// What sockets receive.
    static let wires: [FuzzTarget] = [
        FuzzTarget("websocket") { bytes in websocket(bytes) },
        FuzzTarget("websocket-raw") { bytes in websocketInPieces(bytes) },
        FuzzTarget("websocket-handshake") { bytes in handshake(bytes) },
        FuzzTarget("request") { bytes in request(bytes) },
        FuzzTarget("response-head") { bytes in
            var head = ResponseHead()
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                unsafe (Array(line) + [10]).withUnsafeBytes { unsafe head.take($0) }
            }
            hold(head.byteCount == bytes.count + 1, "bytes of a head were not counted")
            hold(!head.headers.fields.contains { $0.value.utf8.contains(10) }, "a field goes over two lines")
            _ = head.unpacked
        },
        FuzzTarget("certificate-name") { bytes in
            let certificate = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                var start = buffer.baseAddress
                return unsafe d2i_X509(nil, &start, buffer.count)
            }
            ERR_clear_error()
            guard let certificate = unsafe certificate else { return }
            let name = unsafe PeerCertificate.commonName(certificate)
            hold(name?.utf8.contains(0) != true, "a name has a zero in it")
            unsafe X509_free(certificate)
        },
        FuzzTarget("cassette") { bytes in
            guard let cassette = try? Cassette(text: bytes) else { return }
            hold((try? Cassette(text: cassette.text)) == cassette, "a cassette is another one when it was written")
        },
    ]

    /// The same frames for a client and, masked, for a server: both have to hear the same.
    private static func websocket(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let bytesMax = 1 + choices.below(200) * 4
        var client = WebSocketReader(messageBytesMax: bytesMax)
        var server = SocketFrameReader(messageBytesMax: bytesMax)
        var (heard, other): ([String], [String]) = ([], [])
        while !choices.isEmpty, heard.last?.hasPrefix("violation") != true {
            let (first, form) = (choices.byte(), choices.below(3))
            let payload = choices.bytes(choices.below(2) == 0 ? choices.below(130) : choices.below(256) * 4)
            let mask = choices.bytes(4) + [0, 0, 0, 0]
            var length: [UInt8] = [UInt8(payload.count & 127)]
            if form == 1 || payload.count > 125 {
                length = [126, UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
            }
            if form == 2 {
                length = [127, 0, 0, 0, 0, 0, 0, UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
            }
            client.feed([first] + length + payload)
            length[0] |= 0x80
            let masked = payload.enumerated().map { $1 ^ mask[$0 & 3] }
            server.feed(([first] + length + mask.prefix(4) + masked)[...])
            heard += words(&client)
            other += words(&server)
        }
        hold(heard == other, "a client hears \(heard), a server \(other)")
    }

    private static func words(_ reader: inout WebSocketReader) -> [String] {
        var words: [String] = []
        do throws(WebSocketReader.Violation) {
            while let event = try reader.next() { words.append(word(event)) }
        } catch { words.append("violation \(error.code)") }
        return words
    }

    private static func words(_ reader: inout SocketFrameReader) -> [String] {
        var words: [String] = []
        do throws(SocketFrameReader.Violation) {
            while let event = try reader.next() {
                switch event {
                case .message(let message): words.append(word(.message(message)))
                case .ping(let payload): words.append(word(.ping(payload)))
                case .pong: words.append(word(.pong))
                case .close: words.append(word(.close))
                }
            }
        } catch { words.append("violation \(error.code)") }
        return words
    }

    private static func word(_ event: WebSocketReader.Event) -> String {
        switch event {
        case .message(.text(let text)): "text \(text)"
        case .message(.binary(let bytes)): "bytes \(bytes)"
        case .ping(let payload): "ping \(payload)"
        case .pong: "pong"
        case .close: "close"
        }
    }

    /// Any bytes at once, and the same in pieces.
    private static func websocketInPieces(_ bytes: [UInt8]) {
        var (whole, cut) = (WebSocketReader(messageBytesMax: 1_000), WebSocketReader(messageBytesMax: 1_000))
        var (server, parts) = (SocketFrameReader(messageBytesMax: 1_000), SocketFrameReader(messageBytesMax: 1_000))
        whole.feed(bytes)
        server.feed(bytes[...])
        let (heard, served) = (words(&whole), words(&server))
        var (again, servedAgain): ([String], [String]) = ([], [])
        var choices = Choices(bytes)
        let size = 1 + choices.below(9)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(bytes.count, start + size)]
            if again.last?.hasPrefix("violation") != true {
                cut.feed(piece)
                again += words(&cut)
            }
            if servedAgain.last?.hasPrefix("violation") != true {
                parts.feed(piece)
                servedAgain += words(&parts)
            }
        }
        hold(heard == again, "in pieces a client hears something else")
        hold(served == servedAgain, "in pieces a server hears something else")
    }

    private static func handshake(_ bytes: [UInt8]) {
        let origin = Origin(.http, "a", 80)
        if let handshake = WebSocketHandshake(HTTPRequest("GET", origin, "/"), userAgent: "") {
            hold((try? handshake.accepts(bytes)) != true, "a key was guessed")
        }
        var parser = RequestParser(origin, SimulatorServer.Limits())
        parser.feed(bytes[...])
        guard case .request(let request, _)? = try? parser.next(),
            let agreement = SocketHandshake.agreement(to: request)
        else { return }
        hold(agreement.starts(with: Array("HTTP/1.1 101 ".utf8)), "the agreement is none")
        hold(agreement.filter { $0 == 10 }.count == 5, "the agreement has more lines than ours")
    }

    /// Requests at once, and the same in pieces.
    private static func request(_ bytes: [UInt8]) {
        var limits = SimulatorServer.Limits()
        (limits.headBytesMax, limits.bodyBytesMax, limits.fieldsMax) = (2_000, 1_000, 20)
        let whole = requests(in: [bytes], limits)
        var choices = Choices(bytes)
        let size = 1 + choices.below(7)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
        let cut = requests(in: pieces, limits)
        hold(whole == cut, "in pieces there are other requests: \(whole), \(cut)")
    }

    private static func requests(in pieces: [[UInt8]], _ limits: SimulatorServer.Limits) -> [String] {
        var parser = RequestParser(Origin(.http, "a", 80), limits)
        var found: [String] = []
        for piece in pieces {
            parser.feed(piece[...])
            do throws(RequestHead.Refused) {
                reading: while true {
                    switch try parser.next() {
                    case .request(let request, let keepsAlive):
                        found.append("\(request.method) \(request.target) \(request.body) \(keepsAlive)")
                        hold(request.body.count <= limits.bodyBytesMax, "a body is larger than allowed")
                    case .expectsContinue: continue
                    case .needsMore: break reading
                    }
                }
            } catch { return found + ["\(error.status)"] }
        }
        return found
    }
}
