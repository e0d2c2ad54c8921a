internal import PaymentAbstraction

/// What an entry has to have for itself while it is decided, as the server's numbers for locks. Two things with one number
/// only wait for each other.
///
/// Every transaction takes its locks in the same order: first those that are known from the entry, by number; then the
/// payments to which its ids and names lead, by the payments' numbers. So no two wait for each other.
struct LockKey {
    private let schema: String

    init(schema: String) { self.schema = schema }

    func owner(_ name: String) -> Int64 { number("owner", name) }

    /// By which signs of change name a payment.
    func payment(_ id: PaymentID) -> Int64 { number("payment", id.attempt.text) }

    var making: Int64 { number("making") }

    /// Held while the journal is copied.
    var copying: Int64 { number("copying") }

    /// With which the server makes locks of payments' numbers.
    var seed: Int64 { number("payment") }

    /// What is known from the entry: its reference, the ids that may be new, names, and the message.
    func all(_ entry: JournalEntry, _ reads: JournalReads) -> [Int64] {
        var keys = Set(reads.attempts.union(reads.payments.map(\.attempt)).map { number("attempt", $0.text) })
        if let reference = reads.reference {
            keys.insert(number("reference", reference.scope, reference.isRefund ? "refund" : "", reference.text))
        }
        for name in reads.names { keys.insert(number("name", EventCodec.text(name.account), name.value)) }
        if let account = reads.matches { keys.insert(number("matches", EventCodec.text(account))) }
        if case .notice(let notice) = entry.command {
            keys.insert(number("notice", EventCodec.text(notice.account), notice.id))
        }
        return keys.sorted()
    }

    /// FNV-1a over the parts, each with its end, so that no two sets of parts run into one.
    private func number(_ parts: String...) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for part in [schema] + parts {
            for byte in part.utf8 { take(byte) }
            take(0xFF)
        }
        return Int64(bitPattern: sum)
    }
}
