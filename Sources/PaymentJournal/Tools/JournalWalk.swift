internal import PaymentAbstraction

/// Goes through whole tables in pieces, so that a large journal needs no large memory.
struct JournalWalk {
    let connection: SQLiteConnection

    /// How many rows are read at once.
    static let rowsMax = 500

    /// The next attempts behind a row number.
    func attempts(after last: Int64) throws -> [FactReader.Found] {
        try FactReader(connection: connection).find("seq > ?1 ORDER BY seq LIMIT \(Self.rowsMax)", [.integer(last)])
    }

    /// The next events behind a row number, with their payment's scope; those that can't be read are nil.
    func events(after last: Int64) throws -> [(seq: Int64, scope: String, events: [PaymentEvent]?)] {
        let sql = """
            SELECT seq, scope, payment, at, body, sum FROM event WHERE seq > ?1 ORDER BY seq LIMIT \(Self.rowsMax)
            """
        return try connection.rows(sql, [.integer(last)], doing: "reading all rows") { row in
            (row.integer(0), row.text(1) ?? "", whole(row, 4).flatMap { try? FactCodec.events($0) })
        }
    }

    /// The next kept notices behind a row number; those that can't be read are nil.
    func notices(after last: Int64) throws -> [(seq: Int64, notice: KeptNotice?)] {
        let sql = """
            SELECT seq, account, value, at, body, sum FROM notice WHERE seq > ?1 ORDER BY seq LIMIT \(Self.rowsMax)
            """
        return try connection.rows(sql, [.integer(last)], doing: "reading all rows") { row in
            (row.integer(0), whole(row, 4).flatMap { try? FactCodec.notice($0) })
        }
    }

    /// The bytes in a column, if the checksum behind them fits everything before it.
    private func whole(_ row: SQLiteStatement, _ column: Int) -> [UInt8]? {
        row.integer(column + 1) == RowSum.of(row.values(0...column)) ? row.bytes(column) : nil
    }

    /// How many names lead to an attempt.
    func names(of seq: Int64, _ names: [AttemptFacts.Name]) throws -> Int {
        var count = 0
        for name in names {
            count += try Int(
                connection.number(
                    "SELECT count(*) FROM name WHERE account = ?1 AND value = ?2 AND attempt = ?3",
                    [.text(FactCodec.text(name.provider)), .text(name.value), .integer(seq)], doing: "reading names"))
        }
        return count
    }

    /// The columns beside the facts, as far as they are computed from them.
    func columns(of seq: Int64) throws -> [SQLiteValue] {
        let sql = """
            SELECT seq, scope, id, payment, is_origin, reference, account, standing, is_open, blocks, is_rival, \
            is_rehearsal, entries FROM attempt WHERE seq = ?1
            """
        return try connection.rows(sql, [.integer(seq)], doing: "reading all rows") { $0.values(0...12) }.first ?? []
    }
}
