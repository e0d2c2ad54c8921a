internal import PaymentAbstraction

extension SQLiteJournal {
    /// Gives every attempt with its facts, then every event, then every notice that waits for a name, as one line of
    /// JSON each, without holding them all in memory.
    ///
    /// - Parameter line: Takes one line, without its line break; what it throws ends the export.
    /// - Throws: What `line` throws; `JournalFailure.unreadable` at a row that can't be read.
    public func export(_ line: (String) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let rows = try await reading { [last] in
                try JournalWalk(connection: $0).attempts(after: last).map { row in
                    let held = try row.get()
                    return (seq: row.seq, text: JournalLine.text(held.facts, held.list))
                }
            }
            guard let end = rows.last?.seq else { break }
            last = end
            for row in rows { try await line(row.text) }
        }
        last = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).events(after: last) }
            guard let end = rows.last?.seq else { break }
            last = end
            for row in rows {
                for event in try Self.whole(row.events) { try await line(JournalLine.text(event, scope: row.scope)) }
            }
        }
        last = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).notices(after: last) }
            guard let end = rows.last?.seq else { return }
            last = end
            for row in rows { try await line(JournalLine.text(try Self.whole(row.notice))) }
        }
    }

    private static func whole<Row>(_ row: Row?) throws(JournalFailure) -> Row {
        guard let row else { throw StoreFailure.damagedRow.ofReading }
        return row
    }
}
