/// Text inside addresses: everything but letters, digits and `-._~` becomes `%` and two upper-case digits per byte.
public enum PercentEncoding {
    /// A text as one segment of a path; nil for an empty text, `.` and `..`, which would lead to another path.
    public static func pathSegment(_ text: String) -> String? {
        if text.isEmpty || text == "." || text == ".." { return nil }
        return encode(text)
    }

    /// A text as a name or a value of a query.
    public static func queryComponent(_ text: String) -> String { encode(text) }

    /// The text behind the escapes, `+` staying a plus; nil when an escape is broken or the bytes are not UTF-8.
    public static func decode(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return unescape(bytes, bytes.indices, plusIsSpace: false)
    }

    /// The bytes of a text with all but the unreserved characters escaped.
    private static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { escape(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `%` and two digits.
    static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(Byte.percent)
        bytes.append(Byte.hexDigit(byte >> 4, uppercase: true))
        bytes.append(Byte.hexDigit(byte & 15, uppercase: true))
    }

    /// The text behind the escapes, or nil when one is broken or the bytes are not UTF-8.
    static func unescape(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> String? {
        var index = range.lowerBound
        while index < range.upperBound, isPlain(bytes[index]) { index += 1 }
        // Most texts are as they stand there.
        if index == range.upperBound { return bytes.text(range) }
        var text = Array(bytes[range.lowerBound..<index])
        text.reserveCapacity(range.count)
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == Byte.percent {
                guard
                    index + 2 < range.upperBound,
                    let high = Byte.hexValue(bytes[index + 1]), let low = Byte.hexValue(bytes[index + 2])
                else { return nil }
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(byte == Byte.plus && plusIsSpace ? Byte.space : byte)
                index += 1
            }
        }
        guard UTF8Check.firstInvalid(in: text, from: 0, to: text.count) == nil else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a byte stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != Byte.percent && byte != Byte.plus }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case Byte.zero...UInt8(ascii: "9"), Byte.minus, Byte.point: true
        case UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
