internal import PaymentBase

/// Makes the tables of a journal, one process at a time. A journal of another format is refused and left as it is.
struct PostgresMaking {
    let link: PostgresLink

    private static let hasSchema = PostgresStatement(
        "has_schema", "SELECT to_regclass($1::text || '.version') IS NOT NULL")
    private static let newest = PostgresStatement("newest", "SELECT coalesce(max(number), 0) FROM version")

    /// The number of the format that is there; nil if there is no journal.
    static func version(_ line: PostgresConnection, _ schema: String) throws(PostgresFailure) -> Int64? {
        guard try line.exchange([PostgresCall(hasSchema, [.text(schema)])])[0].flag(0, 0) else { return nil }
        return try line.exchange([PostgresCall(newest)])[0].integer(0, 0)
    }

    /// Makes the tables if there are none; returns the number of the format that was there before, nil for none.
    func run() throws(PostgresOpenError) -> Int64? {
        do {
            let line = try link.connect()
            try PostgresOpening.examineServer(line)
            let lock = LockKey(schema: link.schema).making
            _ = try line.exchange([PostgresCall(.begin), PostgresCall(.lock, [.integers([lock])])])
            let found = try Self.version(line, link.schema)
            guard found == nil || found == PostgresSchema.version else {
                throw PostgresOpenError.otherVersion(
                    schema: link.schema, found: found ?? 0, known: PostgresSchema.version)
            }
            if found == nil { try plain(line, "CREATE SCHEMA IF NOT EXISTS \(link.schema)") }
            try PostgresOpening.examineCreators(line, link.schema)
            if found == nil {
                try PostgresOpening.examineStrangers(line, link.schema)
                // What is made without a schema's name is made in the first one.
                try plain(line, "SET LOCAL search_path = \"\(link.schema)\", pg_catalog, pg_temp")
                try make(line)
            }
            _ = try line.exchange([PostgresCall(.commit)])
            return found
        } catch let failure as PostgresOpenError { throw failure } catch let failure as PostgresFailure {
            throw .unreachable(failure.words)
        } catch { throw .unreachable("\(type(of: error))") }
    }

    private func make(_ line: PostgresConnection) throws(PostgresFailure) {
        for sql in PostgresSchema.sql.split(separator: ";") where sql.contains(where: { !$0.isWhitespace }) {
            try plain(line, String(sql))
        }
    }

    private func plain(_ line: PostgresConnection, _ sql: String) throws(PostgresFailure) {
        // A statement without a name is another one each time.
        _ = try line.exchange([PostgresCall(PostgresStatement("", sql))])
    }
}
