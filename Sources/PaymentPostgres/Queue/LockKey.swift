internal import PaymentAbstraction

/// What an entry has to have for itself while it is decided, as the server's numbers for locks. Two things with one number
/// only wait for each other.
struct LockKey {
    private let schema: String

    init(schema: String) { self.schema = schema }

    func attempt(_ key: AttemptKey) -> Int64 { number("attempt", key.scope, key.attempt.text) }

    func owner(_ name: String) -> Int64 { number("owner", name, "") }

    func family(_ origin: AttemptKey) -> Int64 { number("family", origin.scope, origin.attempt.text) }

    var migration: Int64 { number("migration", "", "") }

    /// Everything that decides about an entry, in the order in which everybody takes it.
    ///
    /// Whoever only reads an attempt doesn't lock it: what is written to it meanwhile is as if it came afterwards. So what
    /// may be begun is guarded by what it is compared with: its payment, or its reference.
    func all(_ entry: JournalEntry, _ reads: JournalReads, _ holders: [AttemptKey]) -> [Int64] {
        var keys = Set(holders.map { attempt($0) } + reads.told.map { attempt($0) })
        if let key = reads.attempt { keys.insert(attempt(key)) }
        if let origin = reads.family { keys.insert(family(origin)) }
        if let text = reads.reference { keys.insert(number("reference", reads.attempt?.scope ?? "", text)) }
        for case .byProvider(let intent, _) in entry.parts { keys.insert(attempt(intent.key)) }
        if let provider = reads.provider {
            let account = FactCodec.text(provider)
            for name in reads.names { keys.insert(number("name", account, name)) }
            if reads.wantsRivals { keys.insert(number("rivals", account, "")) }
        }
        return keys.sorted()
    }

    /// FNV-1a over the parts with their lengths, so that no two sets of parts run into one.
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
