extension JSONPullReader {
    /// Where the bytes between two quotes are and what was seen in them.
    struct ScannedString {
        let start: Int
        let end: Int
        let hasEscape: Bool
    }

    /// Checks the string whose quote is at the place that has been reached, and moves past it.
    ///
    /// Plain ASCII, which nearly every string is, is checked eight bytes at a time; all others are checked once more.
    @inline(__always) mutating func scanString() throws(JSONError) -> ScannedString {
        let start = position + 1
        let lastWord = bytes.count - MachineWord.byteCount
        var index = start
        var highs: UInt64 = 0
        while index <= lastWord {
            let word = MachineWord.load(bytes, at: index)
            let special = MachineWord.special(word)
            highs |= MachineWord.highs(word, before: special)
            index += MachineWord.count(before: special)
            if special == 0 { continue }
            guard highs == 0, bytes[index] == Byte.quote else { break }
            position = index + 1
            return ScannedString(start: start, end: index, hasEscape: false)
        }
        return try scanAnyString()
    }

    @inline(never) private mutating func scanAnyString() throws(JSONError) -> ScannedString {
        let start = position + 1
        let count = bytes.count
        var index = start
        var seen: UInt8 = 0
        var hasEscape = false
        while index < count {
            let byte = bytes[index]
            if byte == Byte.quote { break }
            if byte == Byte.backslash {
                hasEscape = true
                index = try escape(at: index).next
                continue
            }
            if byte < Byte.space { throw failure(.controlCharacter, at: index) }
            seen |= byte
            index += 1
        }
        guard index < count else { throw failure(.unexpectedEnd, at: count) }
        if seen >= 0x80, let invalid = UTF8Check.firstInvalid(in: bytes, from: start, to: index) {
            throw failure(.invalidUTF8, at: invalid)
        }
        position = index + 1
        return ScannedString(start: start, end: index, hasEscape: hasEscape)
    }

    /// The text of a string that has been checked.
    @inline(__always) mutating func text(_ scanned: ScannedString) -> String {
        if scanned.hasEscape { return String(decoding: unescaped(scanned), as: UTF8.self) }
        return text(from: scanned.start, to: scanned.end)
    }

    /// The text of checked bytes.
    @inline(__always) mutating func text(from start: Int, to end: Int) -> String { bytes.text(start..<end) }

    /// The bytes of a checked string, with its escapes replaced by what they mean.
    func unescaped(_ scanned: ScannedString) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(scanned.end - scanned.start)
        var index = scanned.start
        while index < scanned.end {
            if bytes[index] != Byte.backslash {
                text.append(bytes[index])
                index += 1
            } else if let (scalar, next) = try? escape(at: index) {
                text.append(contentsOf: scalar.utf8)
                index = next
            } else {
                break
            }
        }
        return text
    }

    /// The character that the escape at `index` means, and where the text continues.
    private func escape(at index: Int) throws(JSONError) -> (scalar: Unicode.Scalar, next: Int) {
        guard index + 1 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
        let scalar: Unicode.Scalar
        switch bytes[index + 1] {
        case Byte.quote: scalar = "\""
        case Byte.backslash: scalar = "\\"
        case Byte.slash: scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(at: index)
        default: throw failure(.invalidEscape, at: index)
        }
        return (scalar, index + 2)
    }

    private func unicodeEscape(at index: Int) throws(JSONError) -> (scalar: Unicode.Scalar, next: Int) {
        let first = try fourDigits(at: index)
        if let scalar = Unicode.Scalar(first) { return (scalar, index + 6) }
        guard first & 0xFC00 == 0xD800 else { throw failure(.loneSurrogate, at: index) }
        guard index + 6 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
        guard bytes[index + 6] == Byte.backslash else { throw failure(.loneSurrogate, at: index) }
        guard index + 7 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
        guard bytes[index + 7] == UInt8(ascii: "u") else { throw failure(.loneSurrogate, at: index) }
        let second = try fourDigits(at: index + 6)
        guard
            second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        else { throw failure(.loneSurrogate, at: index) }
        return (scalar, index + 12)
    }

    /// The value of the four digits of the escape that starts at `index`.
    private func fourDigits(at index: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for place in (index + 2)..<(index + 6) {
            guard place < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
            guard let digit = Byte.hexValue(bytes[place]) else { throw failure(.invalidEscape, at: index) }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
