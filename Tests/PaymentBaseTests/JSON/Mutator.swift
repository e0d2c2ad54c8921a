import PaymentBase

/// Makes broken and unbroken variants of the seeds; one number gives one variant, on every machine.
struct Mutator {
    /// No variant is longer, so that a run stays fast.
    static let bytesMax = 4_096
    private static let tokens: [[UInt8]] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "null", "true", "false", "-", "0", "1e9",
        ".",
        "\u{FEFF}", "é", "😀", "\u{0}", "\n", "\"a\":", "\"a\"", "1E+400", "[[[[[[[[", "{\"a\":{\"a\":",
    ].map { Array($0.utf8) }

    private var state: UInt64

    /// Makes the source of the variants that follow from `seed`.
    init(seed: UInt64) { state = seed }

    /// A number below `bound`.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }

    /// One variant of one of the seeds.
    mutating func variant() -> [UInt8] {
        var bytes = Seeds.texts[below(Seeds.texts.count)]
        for _ in 0..<below(5) { mutate(&bytes) }
        return Array(bytes.prefix(Self.bytesMax))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        let length = min(below(40), bytes.count - place)
        switch below(8) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(below(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(below(256)) }
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.removeSubrange(place..<(place + length))
        case 4: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: place)
        case 5: bytes.insert(contentsOf: Array(bytes[place..<(place + length)]), at: below(bytes.count + 1))
        case 6:
            let other = Seeds.texts[below(Seeds.texts.count)]
            let start = below(other.count)
            let piece = other[start..<min(other.count, start + below(200))]
            bytes.replaceSubrange(place..<(place + length), with: piece)
        default: bytes.insert(UInt8(below(256)), at: place)
        }
    }
}
