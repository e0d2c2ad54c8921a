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
    private static let standardValues = values(of: standardLetters)
    private static let safeValues = values(of: safeLetters)

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
        while index + 2 < bytes.count {
            let (first, second, third) = (bytes[index], bytes[index + 1], bytes[index + 2])
            text.append(letters[Int(first >> 2)])
            text.append(letters[Int((first & 0b11) << 4 | second >> 4)])
            text.append(letters[Int((second & 0b1111) << 2 | third >> 6)])
            text.append(letters[Int(third & 0b11_1111)])
            index += 3
        }
        let rest = bytes.count - index
        guard rest > 0 else { return text }
        let second = rest == 2 ? bytes[index + 1] : 0
        text.append(letters[Int(bytes[index] >> 2)])
        text.append(letters[Int((bytes[index] & 0b11) << 4 | second >> 4)])
        if rest == 2 { text.append(letters[Int((second & 0b1111) << 2)]) }
        if padding != .forbidden { text.append(contentsOf: repeatElement(Byte.equals, count: 3 - rest)) }
        return text
    }

    /// The bytes of a text, or nil when it is not the canonical text of any bytes.
    public func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    /// The bytes of a text given as bytes, or nil when it is not the canonical text of any bytes.
    public func decode(_ text: [UInt8]) -> [UInt8]? {
        guard let count = unpaddedCount(text), count % 4 != 1 else { return nil }
        let values = alphabet == .standard ? Self.standardValues : Self.safeValues
        let rest = count % 4
        let whole = count / 4 * 3
        var bytes = [UInt8](repeating: 0, count: whole + max(rest - 1, 0))
        // What is no character has its highest bit set, which is looked at once, at the end.
        var seen = Self.read(count / 4, of: text, values, into: &bytes)
        let (index, place) = (count - rest, whole)
        guard rest > 0 else { return seen < 0x80 ? bytes : nil }
        let first = values[Int(text[index])]
        let second = values[Int(text[index + 1])]
        let third = rest == 3 ? values[Int(text[index + 2])] : 0
        bytes[place] = first << 2 | second >> 4
        if rest == 3 { bytes[place + 1] = second << 4 | third >> 2 }
        // Bits behind the last byte don't count, and have to be zero.
        let left = rest == 3 ? third & 0b11 : second & 0b1111
        seen |= first | second | third
        return seen < 0x80 && left == 0 ? bytes : nil
    }

    /// Reads so many groups of four characters; gives all their values' bits.
    private static func read(
        _ groups: Int, of text: [UInt8], _ values: [UInt8], into bytes: inout [UInt8]
    ) -> UInt8 {
        precondition(
            groups * 4 <= text.count && groups * 3 <= bytes.count && values.count == 256, "all groups are there")
        var seen: UInt8 = 0
        unsafe text.withUnsafeBufferPointer { text in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                    for group in 0..<groups {
                        let (index, place) = (group * 4, group * 3)
                        let first = unsafe values[Int(text[index])]
                        let second = unsafe values[Int(text[index + 1])]
                        let third = unsafe values[Int(text[index + 2])]
                        let fourth = unsafe values[Int(text[index + 3])]
                        seen |= first | second | third | fourth
                        unsafe bytes[place] = first << 2 | second >> 4
                        unsafe bytes[place + 1] = second << 4 | third >> 2
                        unsafe bytes[place + 2] = third << 6 | fourth
                    }
                }
            }
        }
        return seen
    }

    /// How many characters are before the padding, or nil when the padding is wrong.
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

    /// The value of each byte; a byte without a value has its highest bit set.
    private static func values(of letters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }
}

extension Base64 {
    /// The two characters in which the alphabets of RFC 4648 differ.
    public enum Alphabet: Sendable, Hashable, CaseIterable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case urlSafe
    }
}

extension Base64 {
    /// Whether a text is filled up with `=` to a multiple of four characters.
    public enum Padding: Sendable, Hashable, CaseIterable {
        /// Written, and demanded when reading.
        case required
        /// Not written, and refused when reading.
        case forbidden
        /// Written; when reading it may be there, complete, or not at all.
        case optional
    }
}
