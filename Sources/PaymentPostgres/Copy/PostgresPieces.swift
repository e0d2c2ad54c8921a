internal import PaymentAbstraction

/// Reads what a database holds, piece by piece.
struct PostgresPieces {
    let line: PostgresConnection

    private static let rowsMax = 200

    func pieces(
        _ kind: JournalChunk.Kind, after place: JournalPlace
    ) throws -> (pieces: [JournalChunk], next: JournalPlace)? {
        let limit = PostgresValue.integer(Int64(Self.rowsMax))
        switch kind {
        case .payments:
            let logs = try LogWalk(line: line).logs(after: max(0, place.number), Self.rowsMax).map { log in
                var log = log
                // What is computed from a log is computed again by the other store.
                log.mismatches = []
                return log
            }
            return logs.last.map { (logs.map { .payment($0) }, JournalPlace($0.number)) }
        case .notices:
            let notices = try LogWalk(line: line).notices(after: max(0, place.number), Self.rowsMax)
            if let lost = notices.first(where: { $0.notice == nil }) {
                throw JournalCopyFailure("the message in row \(lost.number) can't be read: restore a backup first")
            }
            return notices.last.map { (notices.map { .notice($0) }, JournalPlace($0.number)) }
        case .forgotten:
            let rows = try line.exchange([PostgresCall(.copyForgotten, [.text(place.text), limit])])[0]
            let ids = (0..<rows.count).map { rows.text($0, 0) }
            return ids.last.map { (ids.map { .forgotten($0) }, JournalPlace(.min, $0)) }
        case .forgottenNames:
            let rows = try line.exchange([
                PostgresCall(
                    .copyForgottenNames, [.integer(place.number), .integer(Int64(place.text) ?? .min), limit])
            ])[0]
            let names = (0..<rows.count).map { (hash: rows.integer($0, 0), payment: rows.integer($0, 1)) }
            return names.last.map {
                (
                    names.map { .forgottenName(hash: $0.hash, payment: $0.payment) },
                    JournalPlace($0.hash, String($0.payment))
                )
            }
        }
    }

    func counters() throws -> JournalCounters {
        let rows = try line.exchange([PostgresCall(.counters)])[0]
        let values = Dictionary(
            (0..<rows.count).map { (rows.text($0, 0), rows.integer($0, 1)) }, uniquingKeysWith: { first, _ in first })
        return JournalCounters(
            number: values["number"] ?? 1, generation: values["generation"] ?? 1,
            generationName: values["generation-name"] ?? 0, restored: values["restored"] ?? 0, gap: values["gap"] ?? 0)
    }
}

extension PostgresStatement {
    static let counters = PostgresStatement("counters", "SELECT name, value FROM counter ORDER BY name")
    static let copyForgotten = PostgresStatement(
        "copy_forgotten", "SELECT id FROM forgotten WHERE id > $1::text ORDER BY id LIMIT $2::bigint")
    static let copyForgottenNames = PostgresStatement(
        "copy_forgotten_names",
        """
        SELECT hash, payment FROM name WHERE payment < 0 AND (hash, payment) > ($1::bigint, $2::bigint) \
        ORDER BY hash, payment LIMIT $3::bigint
        """)
}
