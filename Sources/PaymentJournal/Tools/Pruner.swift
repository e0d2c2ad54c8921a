internal import PaymentAbstraction

/// Removes whole payments, a few at a time.
struct Pruner {
    let connection: SQLiteConnection
    let terms: PruneTerms

    /// What one step has removed, and the last payment that it looked at; nil when there was none left.
    struct Step: Sendable {
        var last: Int64?
        var pruned = JournalPruning()
    }

    func prune(after last: Int64, _ limit: Int) throws -> Step {
        let reader = FactReader(connection: connection)
        let origins = try connection.rows(
            "SELECT seq, scope, id FROM attempt WHERE is_origin = 1 AND seq > ?1 ORDER BY seq LIMIT ?2",
            [.integer(last), .integer(Int64(limit))], doing: "pruning"
        ) { (seq: $0.integer(0), scope: $0.text(1) ?? "", id: $0.text(2) ?? "") }
        var step = Step()
        step.last = origins.last?.seq
        for origin in origins {
            // What can't be read stays, and so does a family of which something is missing.
            guard let attempt = try? AttemptID(origin.id),
                let family = try? reader.wholeFamily(AttemptKey(attempt, scope: origin.scope)), !family.isEmpty
            else { continue }
            let key = AttemptKey(attempt, scope: origin.scope)
            guard terms.mayForget(family.map(\.facts), newestEvent: try newestEvent(key)) else { continue }
            step.pruned.events += try removeEvents(AttemptKey(attempt, scope: origin.scope))
            for held in family { try remove(held) }
            step.pruned.attempts += family.count
            step.pruned.payments += 1
        }
        return step
    }

    /// Removes an attempt; its id and its names stay.
    private func remove(_ held: FactReader.Held) throws {
        let (seq, key) = (held.row.seq, held.row.key)
        let stone = try EntryWriter(connection).nextSeq("forgotten")
        try connection.run(
            "INSERT INTO forgotten (seq, scope, id) VALUES (?1, ?2, ?3)",
            [.integer(stone), .text(key.scope), .text(key.attempt.text)], doing: "pruning")
        for name in Set(held.facts.names) {
            try connection.run(
                "UPDATE OR REPLACE name SET attempt = ?4 WHERE account = ?1 AND value = ?2 AND attempt = ?3",
                [.text(FactCodec.text(name.provider)), .text(name.value), .integer(seq), .integer(-stone)],
                doing: "pruning")
        }
        try connection.run("DELETE FROM entry WHERE attempt = ?1", [.integer(seq)], doing: "pruning")
        try connection.run("DELETE FROM attempt WHERE seq = ?1", [.integer(seq)], doing: "pruning")
    }

    private func removeEvents(_ origin: AttemptKey) throws -> Int {
        let count = try FactReader(connection: connection).timeline(origin).count
        try connection.run(
            "DELETE FROM event WHERE scope = ?1 AND payment = ?2",
            [.text(origin.scope), .text(origin.attempt.text)], doing: "pruning")
        return count
    }

    /// When the last step of a payment's timeline was; 0 for none.
    private func newestEvent(_ origin: AttemptKey) throws -> Int64 {
        try connection.number(
            "SELECT coalesce(max(at), 0) FROM event WHERE scope = ?1 AND payment = ?2",
            [.text(origin.scope), .text(origin.attempt.text)], doing: "pruning")
    }
}
