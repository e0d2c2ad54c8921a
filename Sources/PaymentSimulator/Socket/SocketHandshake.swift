internal import COpenSSL
internal import PaymentBase
internal import PaymentTransport

/// The server's half of the opening handshake (RFC 6455, section 4.2).
enum SocketHandshake {
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The agreement to a request, or nil when it asks for no WebSocket that we speak.
    static func agreement(to request: HTTPRequest) -> [UInt8]? {
        let headers = request.headers
        guard request.method == "GET", words(headers, "Upgrade").contains("websocket"),
            words(headers, "Connection").contains("upgrade"), headers["Sec-WebSocket-Version"] == "13",
            let key = headers["Sec-WebSocket-Key"], Base64.standard.decode(key)?.count == 16
        else { return nil }
        let text = Array((key + magic).utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let code = unsafe EVP_Digest(text, text.count, &digest, &count, EVP_sha1(), nil)
        guard code == 1, count == 20 else { return nil }
        let lines = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(Base64.standard.encode(digest))", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private static func words(_ headers: HTTPHeaders, _ name: String) -> [String] {
        headers.values(name).flatMap { $0.lowercased().split { $0 == "," || $0 == " " }.map(String.init) }
    }
}
