internal import PaymentAbstraction

/// The checksum that stands in each row. The same numbers serve as hashes by which rows are found: what is found is compared
/// with the log.
enum RowSum {
    /// One value of a row.
    enum Value {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
    }

    static func of(_ values: Value...) -> Int64 {
        var sum = RowChecksum()
        for value in values {
            switch value {
            case .integer(let number): sum.add(integer: number)
            case .text(let text): sum.add(text: text)
            case .bytes(let bytes): sum.add(bytes: bytes)
            }
        }
        return sum.value
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
