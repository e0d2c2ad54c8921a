internal import PaymentAbstraction

/// The checksum that stands in each row.
enum RowSum {
    static func of(_ values: [SQLiteValue]) -> Int64 {
        var sum = RowChecksum()
        for value in values {
            switch value {
            case .null: sum.addNull()
            case .integer(let number): sum.add(integer: number)
            case .text(let text): sum.add(text: text)
            case .bytes(let bytes): sum.add(bytes: bytes)
            }
        }
        return sum.value
    }
}
