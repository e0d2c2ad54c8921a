internal import PaymentTransport

/// One frame on its way out, as RFC 6455, section 5.2 writes it; a client masks everything that it sends.
struct WebSocketFrame {
    /// What a frame is.
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    /// How long the content of a ping, a pong or a close may be.
    static let controlBytesMax = 125

    let opcode: Opcode
    let payload: [UInt8]

    /// A close with its code and no reason.
    static func close(_ code: UInt16) -> WebSocketFrame {
        WebSocketFrame(opcode: .close, payload: [UInt8(code >> 8), UInt8(code & 255)])
    }

    /// The frame's bytes; `mask` has four.
    func bytes(mask: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x80 | opcode.rawValue]
        bytes.reserveCapacity(payload.count + 14)
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536:
            bytes.append(0x80 | 126)
            append(count: payload.count, byteCount: 2, to: &bytes)
        case _:
            bytes.append(0x80 | 127)
            append(count: payload.count, byteCount: 8, to: &bytes)
        }
        bytes.append(contentsOf: mask)
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
        return bytes
    }

    private func append(count: Int, byteCount: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: count >> shift))
        }
    }
}

/// Bytes in, messages and control frames out (RFC 6455, the client's side); knows no socket.
struct WebSocketReader {
    /// What a server said.
    enum Event: Hashable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong
        case close
    }

    /// The server broke the rules, or a message was larger than allowed.
    struct Violation: Error, Hashable {
        static let protocolError: UInt16 = 1_002
        static let notText: UInt16 = 1_007
        static let tooLarge: UInt16 = 1_009

        /// What our close says.
        let code: UInt16
    }

    private struct Head {
        let opcode: WebSocketFrame.Opcode
        let isFinal: Bool
        let byteCount: Int
        let headByteCount: Int
    }

    private let messageBytesMax: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var parts: (opcode: WebSocketFrame.Opcode, bytes: [UInt8])?

    init(messageBytesMax: Int) { self.messageBytesMax = messageBytesMax }

    /// Takes what came.
    mutating func feed(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or nil when more bytes are needed.
    mutating func next() throws(Violation) -> Event? {
        while let head = try readHead() {
            let content = start + head.headByteCount
            guard buffer.count - content >= head.byteCount else { return nil }
            let payload = Array(buffer[content..<(content + head.byteCount)])
            start = content + head.byteCount
            if let event = try event(head, payload) { return event }
        }
        return nil
    }

    private func readHead() throws(Violation) -> Head? {
        let bytes = buffer[start...]
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x70 == 0, let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F), second & 0x80 == 0 else {
            throw Violation(code: Violation.protocolError)
        }
        let isFinal = first & 0x80 != 0
        let (byteCount, headByteCount) = try length(second & 0x7F, bytes) ?? (-1, 0)
        if byteCount < 0 { return nil }
        if opcode.isControl {
            guard isFinal, byteCount <= WebSocketFrame.controlBytesMax else {
                throw Violation(code: Violation.protocolError)
            }
        } else {
            guard (opcode == .continuation) == (parts != nil) else { throw Violation(code: Violation.protocolError) }
            guard byteCount <= messageBytesMax - (parts?.bytes.count ?? 0) else {
                throw Violation(code: Violation.tooLarge)
            }
        }
        return Head(opcode: opcode, isFinal: isFinal, byteCount: byteCount, headByteCount: headByteCount)
    }

    /// A length must be written in as few bytes as it needs.
    private func length(_ short: UInt8, _ bytes: ArraySlice<UInt8>) throws(Violation) -> (count: Int, head: Int)? {
        if short < 126 { return (Int(short), 2) }
        let size = short == 126 ? 2 : 8
        guard bytes.count >= 2 + size else { return nil }
        let count = bytes.dropFirst(2).prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count > (size == 2 ? 125 : 65_535), let count = Int(exactly: count) else {
            throw Violation(code: Violation.protocolError)
        }
        return (count, 2 + size)
    }

    private mutating func event(_ head: Head, _ payload: [UInt8]) throws(Violation) -> Event? {
        switch head.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong
        case .close:
            try checkClose(payload)
            return .close
        case .text, .binary, .continuation:
            // Appended in place: a copy for each fragment would cost the square of their number.
            if parts == nil { parts = (head.opcode, payload) } else { parts?.bytes += payload }
            guard head.isFinal, let whole = parts else { return nil }
            parts = nil
            return .message(try message(whole.opcode, whole.bytes))
        }
    }

    private func message(
        _ opcode: WebSocketFrame.Opcode, _ bytes: [UInt8]
    ) throws(Violation) -> WebSocketMessage {
        if opcode == .binary { return .binary(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Violation(code: Violation.notText) }
        return .text(text)
    }

    private func checkClose(_ payload: [UInt8]) throws(Violation) {
        if payload.isEmpty { return }
        guard payload.count >= 2 else { throw Violation(code: Violation.protocolError) }
        switch UInt16(payload[0]) << 8 | UInt16(payload[1]) {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: break
        case _: throw Violation(code: Violation.protocolError)
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
            throw Violation(code: Violation.notText)
        }
    }
}
