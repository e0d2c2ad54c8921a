internal import COpenSSL
internal import PaymentBase
public import PaymentTransport

/// The opening handshake (RFC 6455, section 4): one GET, and a reply that proves that the server speaks the protocol.
struct WebSocketHandshake {
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private let request: HTTPRequest
    private let userAgent: String
    private let key: String

    /// Makes a handshake with a fresh key; nil when the request can't be one.
    init?(_ request: HTTPRequest, userAgent: String) {
        let own = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-accept", "sec-websocket-extensions"]
        guard request.isWellFormed, request.method == "GET", request.body.isEmpty,
            own.allSatisfy({ request.headers[$0] == nil })
        else { return nil }
        (self.request, self.userAgent) = (request, userAgent)
        key = Self.base64(SystemRandom().bytes(16))
    }

    /// What goes out.
    var bytes: [UInt8] {
        let origin = request.origin
        var lines = ["GET \(request.target) HTTP/1.1", "Host: \(origin.host):\(origin.port)"]
        lines += [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        if request.headers["User-Agent"] == nil, !userAgent.isEmpty { lines.append("User-Agent: \(userAgent)") }
        lines += request.headers.fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Whether the reply's head agrees to everything that was asked, and to nothing else.
    func accepts(_ head: [UInt8]) throws(CryptoFailure) -> Bool {
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 101") else { return false }
        lines.removeFirst()
        var fields = HTTPHeaders()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return false }
            fields.add(String(parts[0]), Self.trimmed(parts[1]))
        }
        let answer = Self.base64(try OpenSSLCrypto().digest(.sha1, Array((key + Self.magic).utf8)))
        let asked = Self.tokens(request.headers.values("Sec-WebSocket-Protocol"))
        let chosen = fields.values("Sec-WebSocket-Protocol")
        return fields.values("Sec-WebSocket-Accept") == [answer]
            && Self.tokens(fields.values("Upgrade")).contains("websocket")
            && Self.tokens(fields.values("Connection")).contains("upgrade")
            && fields["Sec-WebSocket-Extensions"] == nil
            && chosen.count <= 1 && chosen.allSatisfy { asked.contains($0.lowercased()) }
    }

    private static func tokens(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map { trimmed($0).lowercased() } }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}

extension TransportFailure.Reason {
    /// The server answered the handshake of a WebSocket with something else than agreement.
    public static let notUpgraded = TransportFailure.Reason(rawValue: "notUpgraded")
    /// The WebSocket was closed in good order, by either side.
    public static let closed = TransportFailure.Reason(rawValue: "closed")
}
