internal import PaymentBase

/// Makes the tables, and brings those of an earlier version to this one: step by step, forward only, one process at a time.
struct PostgresMigration {
    let link: PostgresLink

    private static let hasSchema = PostgresStatement(
        "has_schema", "SELECT to_regclass($1::text || '.version') IS NOT NULL")
    private static let newest = PostgresStatement("newest", "SELECT coalesce(max(number), 0) FROM version")

    /// Which version is there; nil where none is.
    static func version(_ line: PostgresLine, _ schema: String) throws(PostgresFailure) -> Int64? {
        guard try line.exchange([PostgresCall(hasSchema, [.text(schema)])])[0].flag(0, 0) else { return nil }
        return try line.exchange([PostgresCall(newest)])[0].integer(0, 0)
    }

    /// Makes what is missing; gives the version that was there before, nil for none.
    func run() throws(OpeningFailure) -> Int64? {
        do {
            let line = try link.connect()
            try PostgresOpening.examineServer(line)
            let lock = LockKey(schema: link.schema).migration
            _ = try line.exchange([PostgresCall(.begin), PostgresCall(.lock, [.integers([lock])])])
            let found = try Self.version(line, link.schema)
            guard (found ?? 0) <= PostgresSchema.version else {
                throw OpeningFailure.otherVersion(found: found ?? 0, known: PostgresSchema.version)
            }
            if found == nil { try plain(line, "CREATE SCHEMA IF NOT EXISTS \(link.schema)") }
            try PostgresOpening.examineCreators(line, link.schema)
            if found == nil {
                try PostgresOpening.examineStrangers(line, link.schema)
                try make(line)
            }
            // What is made without a schema's name is made in the first one.
            try plain(line, "SET LOCAL search_path = \"\(link.schema)\", pg_catalog, pg_temp")
            for (index, step) in PostgresSchema.steps.enumerated() where Int64(index) >= found ?? 0 {
                try steps(line, step)
                try plain(line, "INSERT INTO version (number) VALUES (\(index + 1))")
            }
            _ = try line.exchange([PostgresCall(.commit)])
            return found
        } catch let failure as OpeningFailure { throw failure } catch let failure as PostgresFailure {
            throw .unreachable(failure.words)
        } catch { throw .unreachable("\(type(of: error))") }
    }

    private func make(_ line: PostgresLine) throws(PostgresFailure) {
        try plain(
            line,
            """
            CREATE TABLE \(link.schema).version \
            (number bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())
            """)
    }

    private func steps(_ line: PostgresLine, _ step: String) throws(PostgresFailure) {
        for sql in step.split(separator: ";") where sql.contains(where: { !$0.isWhitespace }) {
            try plain(line, String(sql))
        }
    }

    private func plain(_ line: PostgresLine, _ sql: String) throws(PostgresFailure) {
        // Its name is its own text; the server cuts long names, which no other statement here has.
        _ = try line.exchange([PostgresCall(PostgresStatement("", sql))])
    }
}
