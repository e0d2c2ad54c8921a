import CPostgres
import Foundation
import PaymentBase
import PaymentTestPostgres
import PaymentTestPrograms
import Testing

@testable import PaymentPostgres

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
        #expect(try server.sql("SELECT max(number) FROM \(schema).version") == ["4"])
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
