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
