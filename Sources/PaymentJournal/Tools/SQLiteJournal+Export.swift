internal import PaymentAbstraction

extension SQLiteJournal {
    /// Gives every attempt, then every event, as one line of JSON each, without holding them all in memory.
    ///
    /// - Parameter line: Takes one line, without its line break; what it throws ends the export.
    /// - Throws: What `line` throws; `JournalFailure.store` at a row that can't be read.
    public func export(_ line: (String) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).attempts(after: last) }
            guard let end = rows.last?.seq else { break }
            last = end
            for row in rows { try await line(JournalLine.text(try Self.whole(row.record))) }
        }
        last = 0
        while true {
            let rows = try await reading { [last] in try JournalWalk(connection: $0).events(after: last) }
            guard let end = rows.last?.seq else { return }
            last = end
            for row in rows { try await line(JournalLine.text(try Self.whole(row.event))) }
        }
    }

    private static func whole<Row>(_ row: Row?) throws -> Row {
        guard let row else { throw failure(DamagedRow()) }
        return row
    }
}
