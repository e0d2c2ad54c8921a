/// Identifiers of 36 characters that sort by the time when they were made (the text form of a version 7 UUID).
public enum TimeOrderedID {
    /// Makes an identifier from a moment and random bits.
    public static func make(now: Int64, random: any RandomSource) -> String {
        let time = UInt64(max(0, now)) & 0xFFFF_FFFF_FFFF
        let first = random.next()
        let second = random.next()
        let high = time << 16 | 0x7000 | (first & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (second & 0x3FFF_FFFF_FFFF_FFFF)
        return text(high, low)
    }

    /// Makes an identifier that begins with 48 bits of the caller's: the text form of a version 8 UUID. Behind them stand 32
    /// bits of the time in seconds and 42 random bits.
    public static func make(prefix: UInt64, now: Int64, random: any RandomSource) -> String {
        let seconds = UInt64(max(0, now) / 1_000) & 0xFFFF_FFFF
        let high = (prefix & 0xFFFF_FFFF_FFFF) << 16 | 0x8000 | seconds >> 20
        let low = 0x8000_0000_0000_0000 | (seconds & 0xF_FFFF) << 42 | (random.next() & 0x3FF_FFFF_FFFF)
        return text(high, low)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
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
