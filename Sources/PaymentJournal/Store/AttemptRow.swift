internal import PaymentAbstraction

/// The row beside an attempt's facts: computed from them, to be looked for by.
struct AttemptRow {
    let seq: Int64
    let key: AttemptKey
    let payment: String
    let isOrigin: Bool
    let entries: Int64
    let sum: Int64
    let followers: Int64
    let looks: Int
    let nextLook: Int64?

    static let columns = """
        seq, scope, id, payment, is_origin, reference, account, standing, is_open, blocks, is_rival, is_rehearsal, \
        entries, sum, followers, looks, next_look
        """

    /// Reads a row that was selected by ``columns``.
    ///
    /// - Throws: `StoreFailure.unreadable`, naming the attempt where that can be read at least.
    init(_ row: SQLiteStatement) throws(StoreFailure) {
        let id = try? AttemptID(row.text(2) ?? "")
        let named = id.map { AttemptKey($0, scope: row.text(1) ?? "") }
        guard row.integer(13) == RowSum.of(row.values(0...12)), let key = named, let payment = row.text(3) else {
            throw StoreFailure.unreadable(named)
        }
        (seq, self.key, self.payment, isOrigin) = (row.integer(0), key, payment, row.integer(4) == 1)
        (entries, sum, followers) = (row.integer(12), row.integer(13), row.integer(14))
        (looks, nextLook) = (Int(clamping: row.integer(15)), row.optionalInteger(16))
    }

    /// What a row holds of facts, up to its checksum.
    static func values(_ seq: Int64, _ facts: AttemptFacts, entries: Int64) -> [SQLiteValue] {
        let intent = facts.intent
        return [
            .integer(seq), .text(intent.scope), .text(intent.attempt.text), .text(intent.paymentID.attempt.text),
            .flag(intent.isOrigin), .text(intent.reference), .text(FactCodec.text(facts.newest.provider)),
            .text(facts.standing.rawValue), .flag(facts.isOpen), .flag(intent.isOrigin && facts.blocks),
            .flag(facts.isOpen || facts.hasMoved && facts.names.isEmpty), .flag(facts.isRehearsal),
            .integer(entries),
        ]
    }
}
