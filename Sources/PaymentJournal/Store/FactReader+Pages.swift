internal import PaymentAbstraction

extension FactReader {
    /// A page of a scope's attempts.
    func page(_ query: JournalQuery, _ scope: String, _ cursor: JournalCursor?, _ limit: Int) throws -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let count = SQLiteValue.integer(Int64(limit))
        let rows: [Found]
        switch query {
        case .origins:
            rows = try find(
                "scope = ?1 AND is_origin = 1 AND is_rehearsal = 0 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
                [.text(scope), .integer(cursor?.number ?? .max), count])
        case .reference(let text):
            rows = try find(
                "scope = ?1 AND reference = ?2 AND is_origin = 1 AND seq > ?3 ORDER BY seq LIMIT ?4",
                [.text(scope), .text(text), .integer(cursor?.number ?? .min), count])
        case .open:
            rows = try find(
                "scope = ?1 AND is_open = 1 AND seq > ?2 ORDER BY seq LIMIT ?3",
                [.text(scope), .integer(cursor?.number ?? .min), count])
        }
        return page(rows, limit)
    }

    /// What can be read, what can't, and where the next page begins.
    func page(_ rows: [Found], _ limit: Int) -> JournalPage {
        var page = JournalPage()
        for row in rows {
            switch row.outcome {
            case .success(let held): page.rows.append(held.facts)
            case .failure(.unreadable(let key?)): page.unreadable.append(key)
            case .failure: break
            }
        }
        if rows.count == limit { page.next = rows.last.map { JournalCursor($0.seq) } }
        return page
    }

    /// A payment's timeline, in order.
    func timeline(_ origin: AttemptKey) throws -> [PaymentEvent] {
        let rows = try connection.rows(
            "SELECT seq, scope, payment, at, body, sum FROM event WHERE scope = ?1 AND payment = ?2 ORDER BY seq",
            [.text(origin.scope), .text(origin.attempt.text)], doing: "reading a timeline"
        ) { row -> [PaymentEvent] in
            guard row.integer(5) == RowSum.of(row.values(0...4)), let body = row.bytes(4),
                let events = try? FactCodec.events(body)
            else { throw StoreFailure.damagedRow }
            return events
        }
        // Those of one place come in the order in which they were written.
        return rows.flatMap(\.self).enumerated()
            .sorted {
                ($0.element.sequence, $0.element.at, $0.offset) < ($1.element.sequence, $1.element.at, $1.offset)
            }
            .map(\.element)
    }

    /// Messages that wait for a name, the oldest first; one that can't be read stays where it is.
    func kept(_ name: String, _ provider: ProviderIdentity) throws -> [(seq: Int64, notice: KeptNotice)] {
        try connection.rows(
            "SELECT seq, account, value, at, body, sum FROM notice WHERE account = ?1 AND value = ?2 ORDER BY seq",
            [.text(FactCodec.text(provider)), .text(name)], doing: "reading kept notices"
        ) { row -> (seq: Int64, notice: KeptNotice)? in
            guard row.integer(5) == RowSum.of(row.values(0...4)), let body = row.bytes(4),
                let notice = try? FactCodec.notice(body)
            else { return nil }
            return (row.integer(0), notice)
        }.compactMap(\.self)
    }
}
