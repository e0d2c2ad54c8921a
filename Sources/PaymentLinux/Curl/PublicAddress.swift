/// Which addresses are of the public internet: global unicast, by the registries of special addresses (RFC 6890).
enum PublicAddress {
    /// Special blocks of IPv4: the first address and how many leading bits count.
    private static let special4: [(first: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
        (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16),
        (0xC612_0000, 15), (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
    ]
    /// Special blocks among IPv6's global unicast: by the first 32 bits.
    private static let special6: [(first: UInt32, bits: UInt32)] = [
        (0x2001_0000, 23), (0x2001_0DB8, 32), (0x2002_0000, 16), (0x3FFF_0000, 20),
    ]

    /// Whether an address of 4 or 16 bytes is public; anything else is not.
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 || bytes.count == 16 else { return false }
        let head = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        func isIn(_ blocks: [(first: UInt32, bits: UInt32)]) -> Bool {
            blocks.contains { head >> (32 - $0.bits) == $0.first >> (32 - $0.bits) }
        }
        if bytes.count == 4 { return !isIn(special4) }
        // Only 2000::/3 is global unicast: what holds an IPv4 address of another kind is not.
        return head >> 29 == 1 && !isIn(special6)
    }
}
