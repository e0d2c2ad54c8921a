/// A checksum over a row, kept in the row: a disk that returns other bits than were written is noticed before an amount
/// is believed. It guards against damage, not against people.
enum RowSum {
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let factor: UInt64 = 0x0000_0100_0000_01B3

    /// The checksum (FNV-1a over kind, length and bytes of each value).
    static func of(_ values: [SQLiteValue]) -> Int64 {
        var sum = start
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* factor }
        func add(_ number: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        for value in values {
            switch value {
            case .null: add(0 as UInt8)
            case .integer(let number):
                add(1 as UInt8)
                add(number)
            case .text(let text):
                add(2 as UInt8)
                add(Int64(text.utf8.count))
                for byte in text.utf8 { add(byte) }
            case .bytes(let bytes):
                add(3 as UInt8)
                add(Int64(bytes.count))
                for byte in bytes { add(byte) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
