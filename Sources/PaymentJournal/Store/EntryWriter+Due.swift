internal import PaymentAbstraction

extension EntryWriter {
    /// Takes attempts whose look is due by moving their next look forward: in the same transaction, so that nobody else
    /// takes them.
    func takeDue(_ scope: String, _ limit: Int, at now: JournalInstant) throws -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let count = SQLiteValue.integer(Int64(limit))
        let (far, overflow) = now.wall.addingReportingOverflow(JournalRules.looksAfterMilliseconds.last ?? 0)
        // A look further off than any wait was made by a clock that ran ahead.
        let overdue = try reader.find(
            "scope = ?1 AND next_look IS NOT NULL AND next_look <= ?2 ORDER BY next_look, seq LIMIT ?3",
            [.text(scope), .integer(now.wall), count])
        let stray = try reader.find(
            "scope = ?1 AND next_look IS NOT NULL AND next_look > ?2 ORDER BY next_look, seq LIMIT ?3",
            [.text(scope), .integer(overflow ? .max : far), count])
        let taken = Array((overdue + stray).prefix(limit))
        for row in taken { try move(row, now) }
        return reader.page(taken, 0)
    }

    /// What can't be read is put off as well, so that it stands in nobody's way.
    private func move(_ row: FactReader.Found, _ now: JournalInstant) throws {
        let looks = try connection.number(
            "SELECT looks FROM attempt WHERE seq = ?1", [.integer(row.seq)], doing: "taking looks")
        let count = Int(clamping: max(0, looks)) &+ 1
        let waits = JournalRules.looksAfterMilliseconds
        let next: Int64?
        switch row.outcome {
        case .success(let held): next = JournalRules.nextLook(held.facts, looks: count, at: now)
        case .failure: next = now.wall + waits[min(count, waits.count - 1)]
        }
        try connection.run(
            "UPDATE attempt SET looks = ?2, next_look = ?3 WHERE seq = ?1",
            [.integer(row.seq), .integer(Int64(count)), .integer(orNull: next)], doing: "taking looks")
    }
}
