/// Where random numbers come from; injected, so that a run can be replayed.
///
/// ```swift
/// struct Fixed: RandomSource { func next() -> UInt64 { 4 } }
/// ```
public protocol RandomSource: Sendable {
    /// The next 64 random bits.
    func next() -> UInt64
}

extension RandomSource {
    /// As many random bytes as asked for.
    public func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(bytes.prefix(count))
    }
}

/// The operating system's random numbers.
public struct SystemRandom: RandomSource {
    /// Makes a source that asks the operating system.
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

/// Numbers that one seed repeats (SplitMix64); for tests and simulations, never for keys.
public final class SeededRandom: RandomSource {
    private let state: Locked<UInt64>

    /// Makes a source whose whole sequence follows from `seed`.
    public init(seed: UInt64) { state = Locked(seed) }

    public func next() -> UInt64 {
        let word = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        var mixed = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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
