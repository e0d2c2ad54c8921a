import CPostgres
import Foundation
import PaymentJournalKit
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTestPrograms
import Testing

@testable import PaymentPostgres

/// What is refused when a journal is opened, and what is only told.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct OpeningTests {
    private func refusal(_ place: Place, _ change: (inout PostgresJournal.Options) -> Void) async throws -> String {
        do {
            let journal = try await place.open(nil, change)
            await journal.close()
            return ""
        } catch let breach as JournalViolation { return breach.description }
    }

    @Test func withoutAStandbyNothingIsAcknowledged() async throws {
        let place = try await Place()
        let server = try PostgresServer([])
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        try await PostgresJournal.prepare(options)
        let words = try await refusal(place) { $0 = options }
        #expect(words.contains("no synchronous standby"))
        options.durability = .local
        let journal = try await PostgresJournal.open(options)
        #expect(journal.warnings.contains { $0.contains("no synchronous standby") })
        // What waits for a standby is of unknown fate when a person ends that wait.
        try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try server.sql("SELECT pg_reload_conf()")
        let desk = JournalTestWriter(journal)
        let writes = Task {
            // The server hears of its new setting when it likes.
            for number in 0... { try await desk.send(try JournalTestWriter.intent("a-\(number)")) }
        }
        var isWaiting = false
        while !isWaiting {
            isWaiting = try !server.sql(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            ).isEmpty
        }
        let failure = await #expect(throws: JournalFailure.self) { try await writes.value }
        if case .writeUnconfirmed? = failure {} else { Issue.record("it was \(String(describing: failure))") }
        try server.sql("ALTER SYSTEM RESET synchronous_standby_names")
        try server.sql("SELECT pg_reload_conf()")
        await journal.close()
    }

    @Test func aServerThatForgetsIsRefused() async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.durability = .standby }.contains("fsync is off"))
    }

    @Test func whatIsMissingIsNamed() async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.schema = "elsewhere" }.contains("payctl journal init"))
        #expect(try await refusal(place) { $0.schema = "Not-Plain" }.contains("small letters"))
        #expect(try await refusal(place) { $0.connection = Secret("host") }.contains("no connection string"))
        let name = place.options.schema
        try place.server.sql("INSERT INTO \(name).version (number) VALUES (\(PostgresSchema.version + 1))")
        #expect(try await refusal(place) { _ in }.contains("Use the newer software"))
        try place.server.sql("DELETE FROM \(name).version WHERE number = \(PostgresSchema.version + 1)")
    }

    @Test func roleWithoutARight_getsTheRightsName() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            """
            CREATE ROLE \(name) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(name); \
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name) TO \(name); \
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(name) TO \(name); \
            REVOKE INSERT ON \(name).entry FROM \(name)
            """)
        let connection = Secret(place.server.connection(user: name))
        #expect(try await refusal(place) { $0.connection = connection }.contains("INSERT on entry"))
        try place.server.sql("GRANT INSERT ON \(name).entry TO \(name)")
        // With what is asked for, and no more, it works.
        let journal = try await place.open { $0.connection = connection }
        try await JournalTestWriter(journal).done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        // A write that comes again is made as durable as it was.
        let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("b")))
        let first = try await journal.write(entry, WriteID("again"), at: JournalTestWriter.at(5))
        #expect(try await journal.write(entry, WriteID("again"), at: JournalTestWriter.at(6)) == first)
        // Messages that wait and then count, a name, a lookup that is owed, and steps of the timeline.
        let desk = JournalTestWriter(journal, name: "messages")
        #expect(try await desk.write(JournalTestWriter.notice("m", "late", JournalTestWriter.approved())) == .kept)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), nil, names: ["late"]))
        #expect(try await desk.held("b").state == .approved)
        try await journal.add(
            [try JournalTestWriter.event("seen", of: "b")], to: PaymentID(try JournalTestWriter.id("b")))
        _ = try await desk.write(JournalTestWriter.notice("h", "late", nil))
        #expect(try await journal.takeDue(limit: 5, at: JournalTestWriter.at(9_000_000)).attempts.count == 1)
        await journal.close()
    }

    // MARK: Others who may create something

    /// What a statement names without a schema is the server's own, whatever else has that name.
    @Test func functionInTheSchema_namedLikeTheServers_isNotCalled() async throws {
        let place = try await Place()
        let name = place.options.schema
        for function in ["current_setting(text)", "pg_try_advisory_lock(bigint)", "has_table_privilege(text, text)"] {
            try place.server.sql(
                """
                CREATE FUNCTION \(name).\(function) RETURNS text LANGUAGE plpgsql \
                AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$
                """)
        }
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        await journal.close()
        #expect(try await PostgresJournal.prepare(place.options) == PostgresSchema.version)
    }

    @Test func schemaInWhichAnotherRoleMayCreate_isRefused() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql("CREATE ROLE \(name)_m LOGIN; GRANT CREATE ON SCHEMA \(name) TO \(name)_m")
        let words = try await refusal(place) { _ in }
        #expect(words.contains("\(name)_m may create") && words.contains("REVOKE CREATE"), "\(words)")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("\(name)_m may create") == true, "\(error?.detail ?? "")")
        try place.server.sql("REVOKE CREATE ON SCHEMA \(name) FROM \(name)_m; GRANT CREATE ON SCHEMA \(name) TO PUBLIC")
        #expect(try await refusal(place) { _ in }.contains("every role may create"))
        try place.server.sql("REVOKE CREATE ON SCHEMA \(name) FROM PUBLIC")
        #expect(try await refusal(place) { _ in } == "")
    }

    /// The role that made the tables may continue making them, and a superuser may anyway.
    @Test func schemaOfAnotherOwner_inWhichTheTablesOwnerMayCreate_isOpened() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            "CREATE ROLE \(name)_a; CREATE ROLE \(name)_s SUPERUSER; GRANT CREATE ON SCHEMA \(name) TO \(name)_a, \(name)_s;"
                + "ALTER TABLE \(name).version OWNER TO \(name)_a")
        #expect(try await refusal(place) { _ in } == "")
    }

    @Test func preparingASchemaWithWhatOtherRolesMade_isRefused() async throws {
        var place = try await Place()
        let name = place.server.freshSchema()
        place.options.schema = name
        try place.server.sql(
            "CREATE ROLE \(name)_m; CREATE SCHEMA \(name); GRANT CREATE ON SCHEMA \(name) TO \(name)_m; SET ROLE \(name)_m;"
                + "CREATE FUNCTION \(name).pg_control_system() RETURNS bigint LANGUAGE sql AS 'SELECT 1';"
                + "RESET ROLE; REVOKE CREATE ON SCHEMA \(name) FROM \(name)_m")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("other roles have made something") == true, "\(error?.detail ?? "")")
        let tables = try place.server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(name)'")
        #expect(tables == ["0"])
    }

    /// In the schema of another name that is there already nothing is made either.
    @Test func preparingASchemaThatAllMayWrite_isRefused() async throws {
        var place = try await Place()
        place.options.schema = place.server.freshSchema()
        try place.server.sql(
            "CREATE SCHEMA \(place.options.schema); GRANT CREATE ON SCHEMA \(place.options.schema) TO PUBLIC")
        let error = await #expect(throws: PaymentError.self) { try await PostgresJournal.prepare(place.options) }
        #expect(error?.detail.contains("every role may create") == true, "\(error?.detail ?? "")")
        let tables = try place.server.sql(
            "SELECT count(*) FROM pg_tables WHERE schemaname = '\(place.options.schema)'")
        #expect(tables == ["0"])
    }

    @Test(arguments: ["information_schema", "pg_catalog", "pg_temp"])
    func schemaOfTheServersOwn_isRefused(_ name: String) async throws {
        let place = try await Place()
        #expect(try await refusal(place) { $0.schema = name }.contains("small letters"))
    }

    @Test func overANetworkTheServerHasToProveItself() async throws {
        let place = try await Place()
        let words = try await refusal(place) { $0.connection = Secret("host=db.example sslmode=require") }
        #expect(words.contains("verify-full"))
    }

    @Test func preparingTwiceChangesNothingAndManyAtOnceMakeOne() async throws {
        var place = try await Place()
        #expect(try await PostgresJournal.prepare(place.options) == PostgresSchema.version)
        place.options.schema = place.server.freshSchema()
        let options = place.options
        let versions = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for _ in 0..<8 { group.addTask { try await PostgresJournal.prepare(options) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(versions.count { $0 == nil } == 1 && versions.count { $0 == PostgresSchema.version } == 7)
    }
}

/// Where a journal's password goes, and how it is protected, is what the connection string says and nothing else.
@Suite struct AddressTests {
    /// The variables that libpq reads, by its own list.
    private static let variables: [String] = {
        guard let options = unsafe PQconndefaults() else { return [] }
        defer { unsafe PQconninfoFree(options) }
        var (names, place): ([String], Int) = ([], 0)
        while unsafe options[place].keyword != nil {
            if let name = unsafe options[place].envvar { unsafe names.append(String(cString: name)) }
            place += 1
        }
        // Those that no option is named by.
        return names + ["PGREQUIRESSL", "PGSERVICEFILE", "PGSYSCONFDIR"]
    }()

    /// What a variable leads astray: who listens there, and where files with services and certificates are.
    private struct Lure {
        let impostor: PostgresImpostor
        let folder: String

        init() throws {
            impostor = try PostgresImpostor()
            folder = "/tmp/pay-lure-\(UUID().uuidString.prefix(12))"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            for name in ["services", "pg_service.conf", ".pg_service.conf"] {
                try """
                [prod]
                host=\(PostgresImpostor.address)
                port=\(impostor.port)
                sslmode=disable

                """.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
        }

        func end() {
            impostor.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// `payctl journal init` with a connection string, as a program with these variables of libpq's and no others.
        func prepared(_ connection: String, _ variables: [String: String], schema: String = "payments") throws
            -> ProgramRun
        {
            let config = "\(folder)/providers.json"
            try """
            { "active": "till", "providers": { "till": { "adapter": "memory", "environment": "sandbox",
              "merchant": "m-1" } },
              "journal": { "kind": "postgres", "connection": "env:JOURNAL_URL", "schema": "\(schema)",
              "durability": "local" } }
            """.write(toFile: config, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
            return try TestProgram.run(
                URL(filePath: program).deletingLastPathComponent().appending(path: "payctl").path,
                ["journal", "init", "--config", config, "--state", "\(folder)/state"],
                environment: inherited.merging(["JOURNAL_URL": connection, "HOME": folder]) { $1 }
                    .merging(variables) { $1 })
        }
    }

    /// Who the till is, wherever the journal may be.
    private static let identity = "user=till password=made-up dbname=shop"

    @Test(arguments: ["PGSERVICEFILE", "PGSYSCONFDIR", "HOME", "PGHOST", "PGHOSTADDR"])
    func environment_namesAnotherServer_getsNoPassword(_ name: String) throws {
        let lure = try Lure()
        defer { lure.end() }
        let (address, port) = (PostgresImpostor.address, "\(lure.impostor.port)")
        let (place, variables): (String, [String: String]) =
            switch name {
            case "PGSERVICEFILE": ("", ["PGSERVICE": "prod", name: "\(lure.folder)/services"])
            case "PGSYSCONFDIR": ("", ["PGSERVICE": "prod", name: lure.folder, "HOME": "/nonexistent"])
            case "HOME": ("", ["PGSERVICE": "prod"])
            case "PGHOST": ("", [name: address, "PGPORT": port])
            default: ("host=localhost port=\(port)", [name: address])
            }
        let run = try lure.prepared("\(place) \(Self.identity)", variables)
        #expect(lure.impostor.said == [], "\(run.errors)")
        #expect(run.code != 0 && run.errors.contains("can't be reached"), "\(run)")
    }

    /// Any user of the machine can put a socket there while the server is down.
    @Test(arguments: ["/tmp", "@payments"])
    func socket_whereAnyUserMayMakeOne_needsTheServersUser(_ place: String) throws {
        let lure = try Lure()
        defer { lure.end() }
        let run = try lure.prepared("host=\(place) port=\(lure.impostor.port) \(Self.identity)", [:])
        #expect(run.code != 0 && run.errors.contains("requirepeer"), "\(run)")
        #expect(run.errors.contains(place), "\(run)")
        let named = try lure.prepared(
            "host=\(place) port=\(lure.impostor.port) requirepeer=postgres \(Self.identity)", [:])
        #expect(named.code != 0 && named.errors.contains("can't be reached"), "\(named)")
    }

    /// Newer versions of libpq can refuse to send a password as it is.
    @Test func passwordAsItIs_toAServerThatHasProvenNothing_isNotAllowed() {
        #expect(PostgresAddress.usual("require_auth", isVerified: false) == "!password")
        #expect(PostgresAddress.usual("require_auth", isVerified: true) == nil)
    }

    @Test func service_inConnectionString_isRefused() throws {
        let lure = try Lure()
        defer { lure.end() }
        let run = try lure.prepared(
            "service=prod \(Self.identity)", ["PGSERVICEFILE": "\(lure.folder)/services"])
        #expect(lure.impostor.said == [], "\(run.errors)")
        #expect(run.code != 0 && run.errors.contains("the option service"), "\(run)")
    }

    @Test(arguments: ["", "sslmode=verify-full"])
    func remoteHost_withoutTLS_getsNoPassword(_ mode: String) throws {
        let lure = try Lure()
        defer { lure.end() }
        let run = try lure.prepared(
            "host=\(PostgresImpostor.address) port=\(lure.impostor.port) \(mode) \(Self.identity)",
            ["PGSSLMODE": "disable", "PGREQUIRESSL": "0", "PGGSSENCMODE": "prefer"])
        #expect(lure.impostor.said == ["TLS?"], "\(run.errors)")
        #expect(run.code != 0 && run.errors.contains("SSL"), "\(run)")
    }

    @Test(.enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
    func environment_everyVariableOfLibpqSet_changesNothing() throws {
        let server = try #require(PostgresServer.shared)
        let lure = try Lure()
        defer { lure.end() }
        #expect(Self.variables.count > 20)
        var variables = Dictionary(uniqueKeysWithValues: Self.variables.map { ($0, "made-up") })
        variables["PGHOST"] = PostgresImpostor.address
        variables["PGHOSTADDR"] = PostgresImpostor.address
        variables["PGPORT"] = "\(lure.impostor.port)"
        // A service that libpq doesn't find ends every connection.
        (variables["PGSERVICE"], variables["PGSERVICEFILE"]) = ("prod", "\(lure.folder)/services")
        let schema = server.freshSchema()
        let run = try lure.prepared(server.connection(), variables, schema: schema)
        #expect(run.code == 0 && run.output.contains("is made in the schema \(schema)"), "\(run)")
        #expect(lure.impostor.said == [])
        #expect(try server.sql("SELECT max(number) FROM \(schema).version") == ["\(PostgresSchema.version)"])
    }

    @Test(.enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
    func remoteHost_certificateVerified_isConnectedWhateverTheEnvironmentSays() throws {
        let lure = try Lure()
        defer { lure.end() }
        let certified = try CertifiedServer(PostgresImpostor.address)
        defer { certified.end() }
        let variables = [
            "PGSSLMODE": "disable", "PGSSLROOTCERT": "\(lure.folder)/services", "PGSSLCRL": "\(lure.folder)/services",
            "PGSSLCERT": "\(lure.folder)/services", "PGSSLKEY": "\(lure.folder)/services",
            "PGSSLMAXPROTOCOLVERSION": "TLSv1.1", "PGREQUIREPEER": "somebody",
        ]
        let connection = "host=\(PostgresImpostor.address) port=\(certified.port) user=pay dbname=postgres"
        let run = try lure.prepared("\(connection) sslrootcert=\(certified.roots)", variables)
        #expect(run.code == 0 && run.output.contains("is made"), "\(run)")
        // No root that this machine trusts has signed it.
        let other = try lure.prepared(connection, ["PGSSLROOTCERT": certified.roots])
        #expect(other.code != 0 && other.errors.contains("certificate verify failed"), "\(other)")
    }

    /// A password that is not escaped ends up in other options, which messages and name servers would repeat.
    @Test(arguments: [
        "postgres://u:Secret1/Secret2@127.0.0.1/db", "postgres://u:one@Secret2@127.0.0.1/db",
        "postgres://u:/Secret2@127.0.0.1/db", "host=db port=Secret1 user=u",
    ]) func password_thatSplitsAnAddress_isNoConnectionString(_ text: String) throws {
        let error = #expect(throws: PostgresOpenError.self) { _ = try PostgresAddress(Secret(text)) }
        #expect(error == .badConnection && error?.words.contains("Secret") == false)
    }

    /// Of an empty name libpq takes the file in the home folder, which a variable names.
    @Test(.enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
    func remoteHost_emptyRootsAndTheirsInTheHomeFolder_isNotConnected() throws {
        let lure = try Lure()
        defer { lure.end() }
        let certified = try CertifiedServer(PostgresImpostor.address)
        defer { certified.end() }
        try FileManager.default.createDirectory(
            atPath: "\(lure.folder)/.postgresql", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: certified.roots, toPath: "\(lure.folder)/.postgresql/root.crt")
        let connection = "host=\(PostgresImpostor.address) port=\(certified.port) user=pay dbname=postgres"
        let run = try lure.prepared("\(connection) sslrootcert=''", ["HOME": lure.folder])
        #expect(run.code != 0 && !run.output.contains("is made"), "\(run)")
    }

    @Test func connected_toAnotherPlaceOrWithoutTLS_isNotMeant() throws {
        func isMeant(_ text: String, _ host: String, _ address: String, encrypted: Bool = false) throws -> Bool {
            try PostgresAddress(Secret(text)).isMeant(host: host, address: address, isEncrypted: encrypted)
        }
        #expect(try isMeant("dbname=shop", "/var/run/postgresql", ""))
        #expect(try !isMeant("dbname=shop", "192.0.2.7", "192.0.2.7", encrypted: true))
        #expect(try isMeant("host=/run/db", "/run/db", ""))
        #expect(try !isMeant("host=/run/db", "/tmp", ""))
        #expect(try isMeant("host=db1,", "/var/run/postgresql", ""))
        #expect(try isMeant("host=localhost", "localhost", "127.0.0.1"))
        #expect(try isMeant("host=localhost", "localhost", "::1"))
        #expect(try !isMeant("host=localhost", "localhost", "192.0.2.7"))
        #expect(try !isMeant("host=localhost", "localhost", "192.0.2.7", encrypted: true))
        #expect(try isMeant("host=db1,db2", "db2", "192.0.2.7", encrypted: true))
        #expect(try !isMeant("host=db1,db2", "db2", "192.0.2.7"))
        #expect(try !isMeant("host=db1,db2", "db3", "192.0.2.7", encrypted: true))
        #expect(try isMeant("host=db1 hostaddr=192.0.2.7", "db1", "192.0.2.7", encrypted: true))
    }
}

/// A PostgreSQL that is reached over TCP with TLS alone, with a certificate that it signed itself.
struct CertifiedServer {
    let server: PostgresServer
    let port: Int
    /// The file with its certificate, for clients that shall trust it.
    let roots: String

    private let folder: String

    struct NoCertificate: Error { let words: String }

    init(_ address: String) throws {
        // Where no server listened a moment ago.
        let impostor = try PostgresImpostor()
        port = impostor.port
        impostor.stop()
        folder = "/tmp/pay-tls-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        roots = "\(folder)/certificate.pem"
        let made = try TestProgram.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=test", "-addext", "subjectAltName=IP:\(address)", "-keyout", "\(folder)/key.pem",
                "-out", roots,
            ])
        guard made.code == 0 else { throw NoCertificate(words: made.errors) }
        try "local all all trust\nhostssl all all 127.0.0.0/8 trust\n".write(
            toFile: "\(folder)/hba.conf", atomically: true, encoding: .utf8)
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        for name in ["key.pem", "certificate.pem", "hba.conf"] {
            let mode = name == "key.pem" ? 0o600 : 0o644
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
            // The server lacks our rights, and reads a key that is its own alone.
            if getuid() == 0 {
                try files.setAttributes([.ownerAccountName: "nobody"], ofItemAtPath: "\(folder)/\(name)")
            }
        }
        server = try PostgresServer([
            "fsync=off", "listen_addresses=\(address)", "port=\(port)", "ssl=on", "ssl_key_file=\(folder)/key.pem",
            "ssl_cert_file=\(roots)", "hba_file=\(folder)/hba.conf",
        ])
    }

    /// Stops it and removes its files.
    func end() {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
