/// Base64 as RFC 4648 defines it, in one alphabet and with one rule for padding; only canonical texts are decoded.
///
/// White space, foreign characters, misplaced padding and bits that do not count but are set are refused, so that every
/// value has one text and a byte-exact comparison of texts is a comparison of values.
public struct Base64: Sendable, Hashable {
    /// `+` and `/`, padded: what most providers use.
    public static let standard = Base64(alphabet: .standard, padding: .required)
    /// `-` and `_` without padding: what tokens use.
    public static let urlSafe = Base64(alphabet: .urlSafe, padding: .forbidden)

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardLetters = Array((common + "+/").utf8)
    private static let safeLetters = Array((common + "-_").utf8)

    /// The last two characters of the alphabet.
    public let alphabet: Alphabet
    /// Whether the text is filled up with `=`.
    public let padding: Padding

    /// Makes a coding.
    public init(alphabet: Alphabet, padding: Padding) {
        self.alphabet = alphabet
        self.padding = padding
    }

    /// The text of some bytes.
    public func encode(_ bytes: [UInt8]) -> String { String(decoding: encodeBytes(bytes), as: UTF8.self) }

    /// The text of some bytes, as bytes.
    public func encodeBytes(_ bytes: [UInt8]) -> [UInt8] {
        let letters = alphabet == .standard ? Self.standardLetters : Self.safeLetters
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            var word = UInt32(bytes[index]) << 16
            if left > 1 { word |= UInt32(bytes[index + 1]) << 8 }
            if left > 2 { word |= UInt32(bytes[index + 2]) }
            let characters = min(left, 3) + 1
            for place in 0..<characters { text.append(letters[Int(word >> (18 - 6 * UInt32(place)) & 63)]) }
            if characters < 4, padding != .forbidden {
                text.append(contentsOf: repeatElement(Byte.equals, count: 4 - characters))
            }
            index += 3
        }
        return text
    }

    /// The bytes of a text, or nil when it is not the canonical text of any bytes.
    public func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    /// The bytes of a text given as bytes, or nil when it is not the canonical text of any bytes.
    public func decode(_ text: [UInt8]) -> [UInt8]? {
        guard let count = unpaddedCount(text), count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var word: UInt32 = 0
        var bits: UInt32 = 0
        for index in 0..<count {
            guard let value = value(text[index]) else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            word &= 1 << bits - 1
        }
        return word == 0 ? bytes : nil
    }

    /// How many characters stand before the padding, or nil when the padding is wrong.
    private func unpaddedCount(_ text: [UInt8]) -> Int? {
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == Byte.equals { count -= 1 }
        let isPadded = count < text.count
        if isPadded, text.count % 4 != 0 { return nil }
        switch padding {
        case .required: return text.count % 4 == 0 ? count : nil
        case .forbidden: return isPadded ? nil : count
        case .optional: return count
        }
    }

    private func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case Byte.zero...UInt8(ascii: "9"): character - Byte.zero + 52
        case Byte.plus: alphabet == .standard ? 62 : nil
        case Byte.slash: alphabet == .standard ? 63 : nil
        case Byte.minus: alphabet == .urlSafe ? 62 : nil
        case UInt8(ascii: "_"): alphabet == .urlSafe ? 63 : nil
        default: nil
        }
    }
}
