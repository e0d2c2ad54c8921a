internal import PaymentAbstraction

/// A checksum over a row, kept in the row: a disk that returns other bits than were written is noticed before an amount is
/// believed. It guards against damage, not against people. The same numbers serve as hashes by which rows are found: what is
/// found is compared with the log.
enum RowSum {
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let factor: UInt64 = 0x0000_0100_0000_01B3

    /// One value of a row.
    enum Value {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
    }

    /// The checksum (FNV-1a over kind, length and bytes of each value).
    static func of(_ values: Value...) -> Int64 {
        var sum = start
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* factor }
        func add(_ number: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        for value in values {
            switch value {
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

    // MARK: - What rows are found by

    static func hash(_ name: ProviderName) -> Int64 { of(.text(EventCodec.text(name.account)), .text(name.value)) }
    static func hash(_ account: ProviderIdentity) -> Int64 { of(.text(EventCodec.text(account))) }
    static func hash(_ reference: PaymentRecord.Reference) -> Int64 {
        hash(reference.scope, isRefund: reference.isRefund, reference.text)
    }
    static func hash(_ scope: String, isRefund: Bool, _ reference: String) -> Int64 {
        of(.text(scope), .integer(isRefund ? 1 : 0), .text(reference))
    }
    /// Under which a message waits for an attempt's id.
    static func hash(_ attempt: AttemptID) -> Int64 { of(.text(attempt.text)) }
    /// Everything under which a message waits.
    static func hashes(_ notice: Notice) -> Set<Int64> {
        let names = notice.values + (notice.original.map { [$0] } ?? [])
        var hashes = Set(names.map { hash(ProviderName(notice.account, $0)) })
        if case .attempt(let id) = notice.subject { hashes.insert(hash(id)) }
        return hashes
    }
}
