internal import PaymentAbstraction

/// Reads what a file holds, piece by piece, each checked by the sum in its row.
struct SQLitePieces {
    let connection: SQLiteConnection

    private static let doing = "copying"

    func pieces(
        _ kind: JournalPiece.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalPiece], next: JournalPlace)? {
        let found: [(piece: JournalPiece, place: JournalPlace)]
        switch kind {
        case .attempts: found = try attempts(place.number)
        case .answers: found = try answers(place.text)
        case .notices:
            found = try texts("notice", "account, value", after: place.number) {
                .notice(account: $0, value: $1, at: $2, body: $3)
            }
        case .events:
            found = try texts("event", "scope, payment", after: place.number) {
                .event(scope: $0, payment: $1, at: $2, body: $3)
            }
        case .forgotten: found = try forgotten(place.number)
        }
        return found.last.map { (found.map(\.piece), $0.place) }
    }

    func counters() throws -> JournalCounters {
        func counter(_ name: String) throws -> Int64 {
            try connection.number("SELECT value FROM counter WHERE name = ?1", [.text(name)], doing: Self.doing)
        }
        return JournalCounters(
            number: try counter("number"), generation: try counter("generation"), restored: try counter("restored"))
    }

    private func attempts(_ last: Int64) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try connection.rows(
            "SELECT \(AttemptRow.columns) FROM attempt WHERE seq > ?1 ORDER BY seq LIMIT \(JournalWalk.rowsMax)",
            [.integer(last)], doing: Self.doing
        ) { try AttemptRow($0) }
        return try rows.map { row in
            let entries = try connection.rows(
                "SELECT attempt, number, write, answer, at, facts, sum FROM entry WHERE attempt = ?1 ORDER BY number",
                [.integer(row.seq)], doing: Self.doing
            ) { entry in
                guard entry.integer(6) == RowSum.of(entry.values(0...5)) else { throw StoreFailure.unreadable(row.key) }
                return JournalPiece.Entry(
                    write: entry.text(2) ?? "", isAnswer: entry.bytes(3) != nil, at: entry.integer(4),
                    facts: entry.bytes(5) ?? [])
            }
            guard Int64(entries.count) == row.entries else { throw StoreFailure.unreadable(row.key) }
            let looks = row.nextLook == nil ? 0 : Int64(row.looks)
            return (.attempt(seq: row.seq, entries, looks: looks, nextLook: row.nextLook), JournalPlace(row.seq))
        }
    }

    private func answers(_ last: String) throws -> [(JournalPiece, JournalPlace)] {
        try connection.rows(
            """
            SELECT attempt, number, write, answer, at, facts, sum FROM entry WHERE attempt = 0 AND write > ?1 \
            ORDER BY write LIMIT \(JournalWalk.rowsMax)
            """, [.text(last)], doing: Self.doing
        ) { row in
            guard row.integer(6) == RowSum.of(row.values(0...5)) else { throw StoreFailure.damagedRow }
            let write = row.text(2) ?? ""
            return (.answer(write: write, at: row.integer(4), body: row.bytes(3) ?? []), JournalPlace(.min, write))
        }
    }

    /// Pieces of two texts each, a moment and a body.
    private func texts(
        _ table: String, _ columns: String, after last: Int64,
        _ piece: (String, String, _ at: Int64, _ body: [UInt8]) -> JournalPiece
    ) throws -> [(JournalPiece, JournalPlace)] {
        try connection.rows(
            """
            SELECT seq, \(columns), at, body, sum FROM \(table) WHERE seq > ?1 ORDER BY seq LIMIT \(JournalWalk.rowsMax)
            """, [.integer(last)], doing: Self.doing
        ) { row in
            guard row.integer(5) == RowSum.of(row.values(0...4)) else { throw StoreFailure.damagedRow }
            return (
                piece(row.text(1) ?? "", row.text(2) ?? "", row.integer(3), row.bytes(4) ?? []),
                JournalPlace(row.integer(0))
            )
        }
    }

    private func forgotten(_ last: Int64) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try connection.rows(
            "SELECT seq, scope, id FROM forgotten WHERE seq > ?1 ORDER BY seq LIMIT \(JournalWalk.rowsMax)",
            [.integer(last)], doing: Self.doing
        ) { (seq: $0.integer(0), scope: $0.text(1) ?? "", id: $0.text(2) ?? "") }
        // Names have no index by what they lead to; there are few of those that were forgotten.
        guard let (first, end) = rows.first.map({ ($0.seq, rows[rows.count - 1].seq) }) else { return [] }
        let named = try connection.rows(
            "SELECT attempt, account, value FROM name WHERE attempt BETWEEN ?1 AND ?2 ORDER BY account, value",
            [.integer(-end), .integer(-first)], doing: Self.doing
        ) { (seq: -$0.integer(0), name: JournalPiece.Name(account: $0.text(1) ?? "", value: $0.text(2) ?? "")) }
        let names = Dictionary(grouping: named, by: \.seq).mapValues { $0.map(\.name) }
        return rows.map { row in
            (.forgotten(seq: row.seq, scope: row.scope, id: row.id, names[row.seq] ?? []), JournalPlace(row.seq))
        }
    }
}
