internal import PaymentAbstraction

/// Goes through whole tables in pieces, so that a large journal needs no large memory.
struct JournalWalk {
    let connection: SQLiteConnection

    /// How many rows are read at once.
    static let rowsMax = 500

    /// The next attempts behind a row number; those that can't be read are nil.
    func attempts(after last: Int64) throws -> [(seq: Int64, record: AttemptRecord?)] {
        let sql = """
            SELECT seq, \(AttemptRows.columns), sum FROM attempt WHERE seq > ?1 ORDER BY seq LIMIT \(Self.rowsMax)
            """
        return try rows(sql, after: last) { row in (row.integer(0), try? AttemptRows.record(row).record) }
    }

    /// The next events behind a row number; those that can't be read are nil.
    func events(after last: Int64) throws -> [(seq: Int64, event: PaymentEvent?)] {
        let sql = """
            SELECT payment, sequence, at, attempt, provider, kind, attributes, sum, seq FROM event WHERE seq > ?1 \
            ORDER BY seq LIMIT \(Self.rowsMax)
            """
        return try rows(sql, after: last) { row in
            (row.integer(8), row.text(0).flatMap { try? EventRows.event(row, PaymentID($0)) })
        }
    }

    /// The values by which an attempt is found.
    func handles(of seq: Int64) throws -> Set<String> {
        let statement = try connection.prepared("SELECT value FROM handle WHERE attempt = ?1", doing: "reading handles")
        defer { statement.reset() }
        try statement.bind([.integer(seq)])
        var values: Set<String> = []
        while try statement.step() { values.insert(statement.text(0) ?? "") }
        return values
    }

    private func rows<Row>(_ sql: String, after last: Int64, _ make: (SQLiteStatement) throws -> Row) throws -> [Row] {
        let statement = try connection.prepared(sql, doing: "reading all rows")
        defer { statement.reset() }
        try statement.bind([.integer(last)])
        var rows: [Row] = []
        while try statement.step() { rows.append(try make(statement)) }
        return rows
    }
}
