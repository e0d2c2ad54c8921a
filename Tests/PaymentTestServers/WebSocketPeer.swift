internal import COpenSSL

/// The server's side of a WebSocket, written for tests alone: it frames what a server may send, and what it may not.
public final class WebSocketPeer {
    /// One frame as it came.
    public struct Frame: Sendable, Hashable {
        /// The first byte: final flag, reserved bits, opcode.
        public let first: UInt8
        /// Whether it was masked, as everything from a client must be.
        public let isMasked: Bool
        /// The content, unmasked.
        public let payload: [UInt8]

        /// Makes a frame to compare with.
        public init(first: UInt8, isMasked: Bool, payload: [UInt8]) {
            (self.first, self.isMasked, self.payload) = (first, isMasked, payload)
        }
    }

    /// The request that opened it.
    public let request: TestRequest
    private let connection: TestConnection

    /// Reads the handshake and agrees to it, with `extra` lines in the reply.
    public init(_ connection: TestConnection, extra: String = "", acceptKey: String? = nil) throws {
        guard let request = try connection.readRequest() else { throw TestConnection.Ended() }
        (self.request, self.connection) = (request, connection)
        let key = request.header("Sec-WebSocket-Key") ?? ""
        let accept = acceptKey ?? Self.accept(key)
        try connection.write(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\(extra)\r\n")
    }

    /// Reads one frame.
    public func readFrame() throws -> Frame {
        let head = try connection.read(2)
        var count = Int(head[1] & 0x7F)
        if count >= 126 {
            count = try connection.read(count == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        let isMasked = head[1] & 0x80 != 0
        let mask = isMasked ? try connection.read(4) : [0, 0, 0, 0]
        let payload = try connection.read(count).enumerated().map { $0.element ^ mask[$0.offset % 4] }
        return Frame(first: head[0], isMasked: isMasked, payload: payload)
    }

    /// Writes one frame, its first byte given whole.
    public func write(_ first: UInt8, _ payload: [UInt8]) throws {
        try connection.write(Self.frame(first, payload))
    }

    /// The bytes of one frame.
    public static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        if count < 126 { return [first, UInt8(count)] + payload }
        if count < 65_536 { return [first, 126, UInt8(count >> 8), UInt8(count & 255)] + payload }
        return [first, 127, 0, 0, 0, 0] + [24, 16, 8, 0].map { UInt8(count >> $0 & 255) } + payload
    }

    private static func accept(_ key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var written: UInt32 = 0
        unsafe EVP_Digest(text, text.count, &digest, &written, EVP_sha1(), nil)
        var base64 = [UInt8](repeating: 0, count: 29)
        unsafe EVP_EncodeBlock(&base64, digest, 20)
        return String(decoding: base64.prefix(28), as: UTF8.self)
    }
}
