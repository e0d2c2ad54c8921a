internal import PaymentAbstraction

/// An attempt as a statement gives it: by which key it was found, its row, and all its facts.
struct HeldAttempt {
    /// Which of the keys that were asked for has found it; counts from 0.
    let place: Int
    let seq: Int64
    let isOrigin: Bool
    let looks: Int
    /// Whether it has a row of what is computed of it.
    let isLive: Bool
    let entries: Int64
    /// The facts one by one, as they were written.
    let list: [JournalFact]
    let facts: AttemptFacts

    /// A row: the attempt, or the name of what can't be read.
    struct Row {
        let place: Int
        let seq: Int64
        let looks: Int
        let outcome: Result<HeldAttempt, StoreFailure>
    }

    /// Reads all rows of a statement.
    static func rows(_ rows: PostgresRows) -> [Row] {
        (0..<rows.count).map { row in
            Row(
                place: Int(rows.integer(row, 0)) - 1, seq: rows.integer(row, 1), looks: Int(rows.integer(row, 6)),
                outcome: Result { () throws(StoreFailure) in try HeldAttempt(rows, row) })
        }
    }

    private init(_ rows: PostgresRows, _ row: Int) throws(StoreFailure) {
        let id = try? AttemptID(rows.text(row, 3))
        let key = id.map { AttemptKey($0, scope: rows.text(row, 2)) }
        let (count, last) = (rows.integer(row, 9), rows.integer(row, 10))
        // One that is missing within leaves a hole; what is missing at the end, the database's own checks have to find.
        guard count > 0, count == last, !rows.isNull(row, 8) else { throw .unreadable(key) }
        var list: [JournalFact] = []
        guard let parts = Self.parts(rows.bytes(row, 8)) else { throw .unreadable(key) }
        for part in parts { do { list += try FactCodec.facts(part) } catch { throw .unreadable(key) } }
        guard let facts = AttemptFacts(list), facts.intent.attempt == id else { throw .unreadable(key) }
        (place, seq, isOrigin) = (Int(rows.integer(row, 0)) - 1, rows.integer(row, 1), rows.flag(row, 5))
        (looks, isLive, entries) = (Int(rows.integer(row, 6)), rows.flag(row, 7), count)
        (self.list, self.facts) = (list, facts)
    }

    /// What was put together of several rows, each behind its length in four bytes; nil where it does not come out even.
    private static func parts(_ bytes: [UInt8]) -> [[UInt8]]? {
        var (parts, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty {
            let length = rest.prefix(lengthCount).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count - lengthCount >= length else { return nil }
            parts.append(Array(rest.dropFirst(lengthCount).prefix(length)))
            rest = rest.dropFirst(lengthCount + length)
        }
        return parts
    }

    private static let lengthCount = 4
}
