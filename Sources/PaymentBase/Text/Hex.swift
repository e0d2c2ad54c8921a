/// Bytes as pairs of hexadecimal digits.
public enum Hex {
    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8], uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(Byte.hexDigit(byte >> 4, uppercase: uppercase))
            text.append(Byte.hexDigit(byte & 15, uppercase: uppercase))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text in either case, or nil when a character is no digit or one is missing.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard
                let high = Byte.hexValue(digits[index]), let low = Byte.hexValue(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
