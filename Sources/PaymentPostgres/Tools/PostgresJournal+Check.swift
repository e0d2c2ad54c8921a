public import PaymentAbstraction

extension PostgresJournal {
    /// How many rows are read at once.
    static let walkedRowsMax: Int64 = 500

    /// Reads everything again and says what is wrong: facts that can't be read, attempts that aren't found by their
    /// names or where their facts say that they stand, more given back than was taken. Nothing is changed.
    public func check() async throws(JournalFailure) -> PostgresReport {
        var report = PostgresReport()
        var last: Int64 = 0
        while true {
            let piece = try await ask(.walk, [.text(""), .integer(last), .integer(Self.walkedRowsMax)]) { rows in
                try JournalWalk(rows)
            }
            guard let end = piece.last else { break }
            last = end
            report.attempts += piece.count
            for seq in piece.unreadable { report.add("the attempt in row \(seq) can't be read: restore a backup") }
            try await compare(piece.rows, &report)
        }
        try await countEvents(&report)
        return report
    }

    /// Looks for attempts in the other ways in which they are found.
    private func compare(_ rows: [JournalWalk.Row], _ report: inout PostgresReport) async throws(JournalFailure) {
        let seqs = rows.map(\.seq)
        let standing = try await ask(.standing, [.integers(seqs)]) { found in
            (0..<found.count).map { row in
                JournalWalk.Standing(
                    seq: found.integer(row, 0), isOpen: found.flag(row, 1), blocks: found.flag(row, 2),
                    isRival: found.flag(row, 3), isDue: found.flag(row, 4))
            }
        }
        let named = try await ask(.namesOf, [.integers(seqs)]) { found in
            (0..<found.count).map { JournalWalk.Named(seq: found.integer($0, 0), name: found.text($0, 1)) }
        }
        let names = Dictionary(grouping: named, by: \.seq).mapValues { Set($0.map(\.name)) }
        let standings = Dictionary(standing.map { ($0.seq, $0) }) { first, _ in first }
        for row in rows {
            let id = row.facts.intent.attempt
            if standings[row.seq] != JournalWalk.Standing(row.seq, row.facts) {
                report.add("the attempt \(id) isn't found where its facts say: restore a backup")
            }
            let own = Set(row.facts.names.map { FactCodec.text($0.provider) + "\n" + $0.value })
            if names[row.seq] ?? [] != own {
                report.add("the attempt \(id) isn't found by its names: restore a backup")
            }
            let family = try await family(row.facts.intent.origin)
            guard family.contains(where: \.intent.isOrigin) else {
                report.add("the attempt \(id) belongs to a payment that isn't there")
                continue
            }
            guard row.facts.intent.isOrigin else { continue }
            if PaymentFlow.isOverRefunded(family) { report.add("more was given back of \(id) than was taken") }
        }
    }

    private func countEvents(_ report: inout PostgresReport) async throws(JournalFailure) {
        var last: Int64 = 0
        while true {
            let piece = try await ask(.walkEvents, [.integer(last), .integer(Self.walkedRowsMax)]) { rows in
                (0..<rows.count).map { row in
                    (seq: rows.integer(row, 0), count: (try? FactCodec.events(rows.bytes(row, 3)))?.count)
                }
            }
            guard let end = piece.last?.seq else { break }
            last = end
            for row in piece {
                report.events += row.count ?? 0
                if row.count == nil { report.add("the event in row \(row.seq) can't be read: restore a backup") }
            }
        }
        last = 0
        while true {
            let piece = try await ask(.walkNotices, [.integer(last), .integer(Self.walkedRowsMax)]) { rows in
                (0..<rows.count).map { row in
                    (seq: rows.integer(row, 0), isGood: (try? FactCodec.notice(rows.bytes(row, 1))) != nil)
                }
            }
            guard let end = piece.last?.seq else { return }
            last = end
            report.notices += piece.count
            for row in piece where !row.isGood { report.add("the kept notice \(row.seq) can't be read") }
        }
    }
}

extension PostgresStatement {
    static let standing = PostgresStatement(
        "standing",
        """
        SELECT attempt, is_open, blocks, is_rival, next_look IS NOT NULL FROM live WHERE attempt = ANY ($1::bigint[])
        """)
    static let namesOf = PostgresStatement(
        "names_of",
        """
        SELECT attempt, account || E'\\n' || value FROM name WHERE attempt = ANY ($1::bigint[])
        """)
    static let walkEvents = PostgresStatement(
        "walk_events",
        """
        SELECT seq, scope, payment, body FROM event WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint
        """)
    static let walkNotices = PostgresStatement(
        "walk_notices", "SELECT seq, body FROM notice WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint")
}
