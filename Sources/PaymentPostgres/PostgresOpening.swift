public import PaymentCore
internal import PaymentJournalKit
public import PaymentProviderKit
public import Payments

/// What is looked at before a database is used as a journal.
struct PostgresOpening {
    let link: PostgresLink
    let durability: JournalConfiguration.Durability

    /// The oldest server that has what the journal needs.
    private static let versionMin = 140_000
    /// By how much the server's clock may be off before a warning, and before the journal is refused.
    private static let (warnedMilliseconds, offMillisecondsMax): (Int64, Int64) = (1_000, 10_000)

    init(_ options: PostgresJournal.Options) throws(PostgresOpenError) {
        guard Self.isSchema(options.schema) else { throw .badSchema }
        link = PostgresLink(
            address: try PostgresAddress(options.connection), schema: options.schema,
            outageMilliseconds: options.outageTimeout.wholeMilliseconds)
        durability = options.durability
    }

    private static let nameCharactersMax = 50

    /// The name is in statements: only what needs no quoting is taken.
    static func isSchema(_ name: String) -> Bool {
        guard let first = name.utf8.first, (97...122).contains(first), name.utf8.count <= nameCharactersMax else {
            return false
        }
        let isServers = name == "information_schema" || name.hasPrefix("pg_")
        return !isServers && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    }

    /// Looks at everything; gives what is doubtful.
    func examine() throws(PostgresOpenError) -> [String] {
        do {
            let line = try link.connect()
            try Self.examineServer(line)
            try examinePooling(line)
            try examineSchema(line)
            try examineRights(line)
            return try examineDurability(line) + examineClock(line) + Self.examineFitness(line)
        } catch let failure as PostgresOpenError { throw failure } catch let failure as PostgresFailure {
            throw .unreachable(failure.words)
        } catch { throw .unreachable("\(type(of: error))") }
    }

    private static func setting(_ line: PostgresConnection, _ name: String) throws(PostgresFailure) -> String {
        try line.exchange([
            PostgresCall(PostgresStatement("setting", "SELECT current_setting($1::text)"), [.text(name)])
        ])[0].text(0, 0)
    }

    /// The server's version and the database's encoding.
    static func examineServer(_ line: PostgresConnection) throws {
        guard line.version >= Self.versionMin else { throw PostgresOpenError.oldServer(line.version) }
        let encoding = try setting(line, "server_encoding")
        guard encoding == "UTF8" else { throw PostgresOpenError.encoding(encoding) }
    }

    /// A pooler by transactions gives a connection that is idle to another client: two of this process's then speak
    /// with one process of the server, or one with two.
    private func examinePooling(_ line: PostgresConnection) throws {
        let process = PostgresStatement("process", "SELECT pg_backend_pid()::bigint")
        let first = try line.exchange([PostgresCall(process)])[0].integer(0, 0)
        let other = try link.connect()
        let others = try other.exchange([PostgresCall(.begin), PostgresCall(process)])[1].integer(0, 0)
        let again = try line.exchange([PostgresCall(process)])[0].integer(0, 0)
        _ = try other.exchange([PostgresCall(.rollback)])
        guard first == again, first != others else { throw PostgresOpenError.pooled }
    }

    /// Which roles may make something in the schema, beside its owner, the tables' owner, superusers and the role that
    /// is connected: one of their tables, functions or operators could be taken for one of the journal's or of the
    /// server's.
    static func examineCreators(_ line: PostgresConnection, _ schema: String) throws {
        let statement = PostgresStatement(
            "creators",
            """
            SELECT DISTINCT coalesce(r.rolname::text, '') FROM pg_namespace n \
            CROSS JOIN LATERAL aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a \
            LEFT JOIN pg_roles r ON r.oid = a.grantee \
            WHERE n.nspname = $1::text AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner \
            AND r.rolname IS DISTINCT FROM current_user AND NOT coalesce(r.rolsuper, false) AND a.grantee NOT IN \
            (SELECT c.relowner FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'version')
            """)
        let rows = try line.exchange([PostgresCall(statement, [.text(schema)])])[0]
        let creators = (0..<rows.count).map { rows.text($0, 0) }.sorted()
        guard creators.isEmpty else { throw PostgresOpenError.openSchema(schema, creators) }
    }

    /// Refuses a schema in which other roles have made something before the journal: the statements that make the
    /// tables could call their functions.
    static func examineStrangers(_ line: PostgresConnection, _ schema: String) throws {
        let statement = PostgresStatement(
            "strangers",
            """
            SELECT count(*) FROM (SELECT proowner AS owner, pronamespace AS place FROM pg_proc \
            UNION ALL SELECT typowner, typnamespace FROM pg_type UNION ALL SELECT relowner, relnamespace FROM pg_class \
            UNION ALL SELECT oprowner, oprnamespace FROM pg_operator \
            UNION ALL SELECT collowner, collnamespace FROM pg_collation) x \
            JOIN pg_namespace n ON n.oid = x.place JOIN pg_roles r ON r.oid = x.owner \
            WHERE n.nspname = $1::text AND x.owner <> n.nspowner AND NOT r.rolsuper AND r.rolname <> current_user
            """)
        let rows = try line.exchange([PostgresCall(statement, [.text(schema)])])[0]
        guard rows.integer(0, 0) == 0 else { throw PostgresOpenError.foreignObjects(schema) }
    }

    func examineSchema(_ line: PostgresConnection) throws {
        try Self.examineCreators(line, link.schema)
        let found = try PostgresMaking.version(line, link.schema)
        guard let found else { throw PostgresOpenError.noJournal(link.schema) }
        guard found == PostgresSchema.version else {
            throw PostgresOpenError.otherVersion(schema: link.schema, found: found, known: PostgresSchema.version)
        }
    }

    /// What the role may not do; asked for one by one, so that all of it is said at once.
    private func examineRights(_ line: PostgresConnection) throws {
        var wanted: [(table: String, right: String)] = []
        for (table, rights) in PostgresSchema.rights { for right in rights { wanted.append((table, right)) } }
        let statement = PostgresStatement(
            "rights",
            """
            SELECT n.relation, n.privilege FROM unnest($1::text[], $2::text[]) AS n(relation, privilege) \
            WHERE NOT has_table_privilege(n.relation, n.privilege) UNION ALL \
            SELECT 'place', 'USAGE' WHERE NOT has_sequence_privilege('place', 'USAGE') UNION ALL \
            SELECT 'counter', 'UPDATE (value)' WHERE NOT has_column_privilege('counter', 'value', 'UPDATE')
            """)
        let rows = try line.exchange([
            PostgresCall(statement, [.texts(wanted.map(\.table)), .texts(wanted.map(\.right))])
        ])[0]
        guard rows.count == 0 else {
            throw PostgresOpenError.missingRights((0..<rows.count).map { "\(rows.text($0, 1)) on \(rows.text($0, 0))" })
        }
    }

    private func examineDurability(_ line: PostgresConnection) throws -> [String] {
        var doubts: [String] = []
        for name in ["fsync", "full_page_writes"] where try Self.setting(line, name) != "on" {
            guard durability == .local else { throw PostgresOpenError.notDurable(name) }
            doubts.append("the server's setting \(name) is off: what was acknowledged is lost when the power fails")
        }
        if try Self.setting(line, "synchronous_standby_names").isEmpty {
            guard durability == .local else { throw PostgresOpenError.noStandby }
            doubts.append("there is no synchronous standby: what was acknowledged is lost with the server")
        }
        if try Self.setting(line, "data_checksums") != "on" {
            doubts.append(
                "the database was made without checksums of its pages: what a disk has changed is read as if it had been "
                    + "written. Turn them on with pg_checksums while the server is down")
        }
        return doubts
    }

    private static func examineFitness(_ line: PostgresConnection) throws(PostgresFailure) -> [String] {
        switch RestoreCheck(try line.exchange([try RestoreCheck.call(line)])[0]).refusal {
        case .moved?: [PostgresStoreError.movedWords]
        case .some: [PostgresStoreError.restoredWords]
        case nil: []
        }
    }

    private func examineClock(_ line: PostgresConnection) throws -> [String] {
        let clock = SystemClock()
        let (sent, before) = (clock.uptime, clock.now)
        let there = try line.exchange([PostgresCall(.clock)])[0].integer(0, 0)
        let took = clock.uptime - sent
        // What the way took may be on either side.
        let ahead = before.addingSaturating(took / 2).until(there)
        let offset = max(0, Int64(clamping: ahead.magnitude) - took / 2)
        guard offset <= Self.offMillisecondsMax else { throw PostgresOpenError.clock(offset) }
        return offset > Self.warnedMilliseconds ? ["the server's clock and this machine's are \(offset) ms apart"] : []
    }
}

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
        for sql in PostgresSchema.guards { try plain(line, sql) }
    }

    private func plain(_ line: PostgresConnection, _ sql: String) throws(PostgresFailure) {
        // A statement without a name is another one each time.
        _ = try line.exchange([PostgresCall(PostgresStatement("", sql))])
    }
}

extension JournalStore {
    /// One in a PostgreSQL database, which many machines share; its tables are made by `payctl journal init`.
    ///
    /// - Throws: `journal`, nothing moved: why the database can't be one, and what to do.
    public static func postgres(_ options: PostgresJournal.Options) async throws(PaymentError) -> JournalStore {
        JournalStore(try await PostgresJournal.open(options))
    }
}

extension JournalFactory {
    /// Opens journals of the kind `postgres`.
    public static let postgres = JournalFactory(.postgres) { choice, secrets throws(PaymentError) in
        try await JournalStore.postgres(try await PostgresJournal.Options(choice, secrets))
    }

    /// Opens journals of the kind `postgres` for a process that only reads.
    package static let postgresReader = JournalFactory(.postgres) { choice, secrets throws(PaymentError) in
        var options = try await PostgresJournal.Options(choice, secrets)
        options.isReader = true
        return try await JournalStore.postgres(options)
    }
}

extension PostgresJournal.Options {
    /// What a configuration says.
    ///
    /// - Throws: `configuration`, nothing moved, when its reference leads nowhere.
    public init(_ choice: JournalConfiguration, _ secrets: any SecretResolver) async throws(PaymentError) {
        guard let reference = choice.connection else {
            throw PaymentError.notExecuted(
                .configuration, "journal.connection: a postgres journal needs a reference to its connection string")
        }
        do { self.init(connection: try await reference.follow(secrets)) } catch {
            throw PaymentError.notExecuted(
                .configuration, "journal.connection: \(reference): \(error.problem). \(error.advice)")
        }
        if let schema = choice.schema { self.schema = schema }
        if let durability = choice.durability { self.durability = durability }
    }
}
