/// Tells in one pass over the bytes that none of many texts stands in another one.
///
/// A search by characters makes a table for every text that is looked for, and nearly nothing that comes back from a
/// provider has a secret in it. What the sieve does not rule out is searched as before.
struct MultiPatternMatcher: Sendable {
    /// How many marks there are; a power of two.
    private static let marksCount = 1_024
    private static let unmarked = [UInt8](repeating: 0, count: marksCount)
    /// How many bytes a mark is made of; a shorter text can't be ruled out.
    private static let markBytes = 3

    private var needles: [[UInt8]] = []
    private var marks = unmarked
    /// Whether some needle may equal a text that has other bytes, as composed and decomposed letters do.
    private var rulesOut = true

    /// Looks for one more text.
    mutating func add(_ needle: String) {
        let bytes = Array(needle.utf8)
        guard bytes.count >= Self.markBytes, bytes.allSatisfy({ $0 < 0x80 }) else {
            rulesOut = false
            return
        }
        needles.append(bytes)
        marks[Self.mark(bytes[0], bytes[1], bytes[2])] = 1
    }

    /// Looks for everything that another one looks for, too.
    mutating func add(_ other: MultiPatternMatcher) {
        if needles.isEmpty, rulesOut {
            self = other
            return
        }
        rulesOut = rulesOut && other.rulesOut
        for bytes in other.needles {
            needles.append(bytes)
            marks[Self.mark(bytes[0], bytes[1], bytes[2])] = 1
        }
    }

    /// False only where no needle can stand in the text.
    func mayStand(in text: String) -> Bool {
        guard rulesOut else { return true }
        let bytes = Array(text.utf8)
        let count = bytes.count
        guard count >= Self.markBytes else { return false }
        var (first, second) = (bytes[0], bytes[1])
        var union = first | second
        var index = 2
        var isMarked = false
        while index < count {
            let third = bytes[index]
            union |= third
            if marks[Self.mark(first, second, third)] != 0, !isMarked { isMarked = stands(at: index - 2, in: bytes) }
            (first, second) = (second, third)
            index += 1
        }
        return isMarked || union >= 0x80
    }

    private func stands(at start: Int, in bytes: [UInt8]) -> Bool {
        for needle in needles where needle[0] == bytes[start] && needle.count <= bytes.count - start {
            var length = 1
            while length < needle.count, needle[length] == bytes[start + length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }

    private static func mark(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        ((Int(first) &* 37) ^ (Int(second) &* 44) ^ Int(third)) & (marksCount - 1)
    }
}
