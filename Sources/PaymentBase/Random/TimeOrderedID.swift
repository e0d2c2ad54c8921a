/// Identifiers of 36 characters that sort by the time when they were made (the text form of a version 7 UUID).
public enum TimeOrderedID {
    /// Makes an identifier from a moment and random bits.
    public static func make(now: Int64, random: any RandomSource) -> String {
        let time = UInt64(max(0, now)) & 0xFFFF_FFFF_FFFF
        let first = random.next()
        let second = random.next()
        let high = time << 16 | 0x7000 | (first & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (second & 0x3FFF_FFFF_FFFF_FFFF)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(Byte.minus) }
            let word = index < 16 ? high : low
            text.append(Byte.hexDigit(UInt8(word >> UInt64(60 - index % 16 * 4) & 15)))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// When an identifier was made, in milliseconds since 1970; nil for a text of another kind.
    public static func instant(of text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts[2].first == "7",
            let time = Hex.decode(String(parts[0] + parts[1]))
        else { return nil }
        return time.reduce(0) { $0 << 8 | Int64($1) }
    }
}
