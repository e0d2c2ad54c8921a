/// A checksum over a row, kept in the row: a disk that returns other bits than were written is noticed before an amount is
/// believed. It guards against damage, not against people (FNV-1a over kind, length and bytes of each value).
package struct RowChecksum {
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let factor: UInt64 = 0x0000_0100_0000_01B3

    private var sum = start

    package init() {}

    /// The checksum of what was added.
    package var value: Int64 { Int64(bitPattern: sum) }

    package mutating func addNull() { add(0 as UInt8) }

    package mutating func add(integer number: Int64) {
        add(1 as UInt8)
        add(number)
    }

    package mutating func add(text: String) {
        add(2 as UInt8)
        add(Int64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    package mutating func add(bytes: [UInt8]) {
        add(3 as UInt8)
        add(Int64(bytes.count))
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* Self.factor }

    private mutating func add(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
