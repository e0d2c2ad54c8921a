internal import PaymentAbstraction

/// Reads what a database holds, piece by piece.
struct PostgresPieces {
    let line: PostgresLine

    private static let rowsMax = PostgresValue.integer(500)

    func pieces(
        _ kind: JournalPiece.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalPiece], next: JournalPlace)? {
        let found: [(piece: JournalPiece, place: JournalPlace)]
        switch kind {
        case .attempts: found = try attempts(place.number)
        case .answers: found = try answers(place.text)
        case .notices:
            found = try texts(.copyNotices, after: place.number) {
                .notice(account: $0, value: $1, at: $2, body: $3)
            }
        case .events:
            found = try texts(.copyEvents, after: place.number) {
                .event(scope: $0, payment: $1, at: $2, body: $3)
            }
        case .forgotten: found = try forgotten(place.number)
        }
        return found.last.map { (found.map(\.piece), $0.place) }
    }

    func counters() throws -> JournalCounters {
        let rows = try line.exchange([PostgresCall(.counters)])[0]
        let values = Dictionary(
            (0..<rows.count).map { (rows.text($0, 0), rows.integer($0, 1)) }, uniquingKeysWith: { first, _ in first })
        return JournalCounters(
            number: values["number"] ?? 1, generation: values["generation"] ?? 0, restored: values["restored"] ?? 0)
    }

    private func ask(_ statement: PostgresStatement, _ value: PostgresValue) throws(PostgresFailure) -> PostgresRows {
        try line.exchange([PostgresCall(statement, [value, Self.rowsMax])])[0]
    }

    private func attempts(_ last: Int64) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try ask(.copyAttempts, .integer(last))
        guard rows.count > 0 else { return [] }
        let found = try line.exchange([PostgresCall(.copyEntries, [.integers(rows.integers)])])[0]
        var entries: [Int64: [JournalPiece.Entry]] = [:]
        for row in 0..<found.count {
            let seq = found.integer(row, 0)
            entries[seq, default: []].append(
                JournalPiece.Entry(
                    write: found.original(row, 2), isAnswer: found.flag(row, 3), at: found.integer(row, 4),
                    facts: found.bytes(row, 5)))
            guard Int64(entries[seq]?.count ?? 0) == found.integer(row, 1) else {
                throw JournalCopyFailure("the attempt in row \(seq) can't be read: restore a backup first")
            }
        }
        return (0..<rows.count).map { row in
            let (seq, isDue) = (rows.integer(row, 0), !rows.isNull(row, 2))
            let piece = JournalPiece.attempt(
                seq: seq, entries[seq] ?? [], looks: isDue ? rows.integer(row, 1) : 0,
                nextLook: isDue ? rows.integer(row, 2) : nil)
            return (piece, JournalPlace(seq))
        }
    }

    private func answers(_ last: String) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try ask(.copyAnswers, .text(last))
        return (0..<rows.count).map { row in
            let write = rows.original(row, 0)
            return (
                .answer(write: write, at: rows.integer(row, 1), body: rows.bytes(row, 2)), JournalPlace(.min, write)
            )
        }
    }

    /// Pieces of two texts each, a moment and a body.
    private func texts(
        _ statement: PostgresStatement, after last: Int64,
        _ piece: (String, String, _ at: Int64, _ body: [UInt8]) -> JournalPiece
    ) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try ask(statement, .integer(last))
        return (0..<rows.count).map { row in
            (
                piece(rows.original(row, 1), rows.original(row, 2), rows.integer(row, 3), rows.bytes(row, 4)),
                JournalPlace(rows.integer(row, 0))
            )
        }
    }

    private func forgotten(_ last: Int64) throws -> [(JournalPiece, JournalPlace)] {
        let rows = try ask(.copyForgotten, .integer(last))
        guard rows.count > 0 else { return [] }
        let found = try line.exchange([PostgresCall(.copyForgottenNames, [.integers(rows.integers.map { -$0 })])])[0]
        var names: [Int64: [JournalPiece.Name]] = [:]
        for row in 0..<found.count {
            names[-found.integer(row, 0), default: []].append(
                JournalPiece.Name(account: found.original(row, 1), value: found.original(row, 2)))
        }
        return (0..<rows.count).map { row in
            let seq = rows.integer(row, 0)
            return (
                .forgotten(seq: seq, scope: rows.original(row, 1), id: rows.original(row, 2), names[seq] ?? []),
                JournalPlace(seq)
            )
        }
    }
}

extension PostgresRows {
    /// A text as it was before characters were replaced that the server's texts can't hold.
    func original(_ row: Int, _ column: Int) -> String {
        String(decoding: PostgresValue.original(bytes(row, column)), as: UTF8.self)
    }
}

extension PostgresStatement {
    static let counters = PostgresStatement("counters", "SELECT name, value FROM counter ORDER BY name")
    static let copyAttempts = PostgresStatement(
        "copy_attempts",
        """
        SELECT a.seq, coalesce(l.looks, 0), l.next_look FROM attempt a LEFT JOIN live l ON l.attempt = a.seq \
        WHERE a.seq > $1::bigint ORDER BY a.seq LIMIT $2::bigint
        """)
    static let copyEntries = PostgresStatement(
        "copy_entries",
        """
        SELECT attempt, number, write, is_answer, at, facts FROM entry WHERE attempt = ANY ($1::bigint[]) \
        ORDER BY attempt, number
        """)
    static let copyAnswers = PostgresStatement(
        "copy_answers",
        "SELECT write, at, body FROM answer WHERE write > $1::text ORDER BY write LIMIT $2::bigint")
    static let copyNotices = PostgresStatement(
        "copy_notices",
        """
        SELECT seq, account, value, at, body FROM notice WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint
        """)
    static let copyEvents = PostgresStatement(
        "copy_events",
        """
        SELECT seq, scope, payment, at, body FROM event WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint
        """)
    static let copyForgotten = PostgresStatement(
        "copy_forgotten",
        "SELECT seq, scope, id FROM forgotten WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint")
    static let copyForgottenNames = PostgresStatement(
        "copy_forgotten_names",
        """
        SELECT attempt, account, value FROM name WHERE attempt = ANY ($1::bigint[]) ORDER BY account, value
        """)
}
