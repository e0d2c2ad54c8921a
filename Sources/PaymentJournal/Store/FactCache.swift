internal import PaymentAbstraction

/// What the one connection that writes has written or read last, so that it need not read its own entries again.
///
/// It is forgotten when another connection has written, and believed only where the row beside it still says the same.
final class FactCache {
    /// How many attempts are kept.
    static let attemptsMax = 512

    private struct Kept {
        let entries: Int64
        let sum: Int64
        let facts: AttemptFacts
        let list: [JournalFact]
    }

    private var kept: [Int64: Kept] = [:]

    /// An attempt whose row still has as many entries and the same sum.
    func held(_ row: AttemptRow) -> FactReader.Held? {
        guard let known = kept[row.seq], known.entries == row.entries, known.sum == row.sum,
            known.facts.intent.key == row.key
        else { return nil }
        return FactReader.Held(row: row, facts: known.facts, list: known.list)
    }

    /// The facts of an attempt one by one, as far as they are known.
    func list(_ seq: Int64, entries: Int64) -> [JournalFact]? {
        kept[seq].flatMap { $0.entries == entries ? $0.list : nil }
    }

    /// Keeps an attempt beside what its row says.
    func keep(_ seq: Int64, entries: Int64, sum: Int64, _ facts: AttemptFacts, _ list: [JournalFact]) {
        if kept.count >= Self.attemptsMax { kept = [:] }
        kept[seq] = Kept(entries: entries, sum: sum, facts: facts, list: list)
    }

    /// Forgets everything: something of it may have been undone.
    func clear() { kept = [:] }
}
