import Foundation
import Glibc
import PaymentBase
import PaymentLinux
import PaymentTestPostgres
import PaymentTestPrograms
import PaymentTransport
import Testing

/// `payctl serve` on PostgreSQL, killed while tills wait, and another one that takes its place.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct KilledServiceTests {
    private static let salesCount = 64

    /// A folder with a configuration over simulated providers and a database, and with keys.
    private struct World {
        let folder: String
        let key: String
        let schema: String

        init(_ folder: String, _ server: PostgresServer) async throws {
            self.folder = folder
            schema = server.freshSchema()
            try Self.write(server.connection(), "\(folder)/database")
            let place = "\(folder)/providers.json"
            var json = try #require(
                try JSONReader().read(Array(Data(contentsOf: URL(filePath: place)))).object)
            json["journal"] = [
                "kind": "postgres", "connection": .string("file:\(folder)/database"), "schema": .string(schema),
                "durability": "local",
            ]
            try Self.write(String(decoding: JSON.object(json).bytes(), as: UTF8.self), place)
            let made = await CommandRun.of(["key", "new", "--shop", "berlin", "--role", "office", "--format", "json"])
            key = try #require(try made.json["key"]?.string)
            let keys: JSON = ["keys": [try #require(try made.json["entry"])]]
            try Self.write(String(decoding: keys.bytes(), as: UTF8.self), "\(folder)/keys.json")
            let begun = await CommandRun.of(["journal", "init", "--config", place])
            #expect(begun.status == 0, "\(begun.errors)")
        }

        private static func write(_ text: String, _ path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }

        func serve() throws -> ServeProcess {
            try ServeProcess([
                "--config", "\(folder)/providers.json", "--state", "\(folder)/state", "--keys", "\(folder)/keys.json",
            ])
        }
    }

    private static func sale(_ number: Int) -> JSON {
        [
            "amount": ["value": .string("\(number + 1).00"), "currency": "EUR"],
            "reference": .string("order-\(number)"),
            "source": "token", "token": .string("tok_\(number)"),
        ]
    }

    /// Half of the replies never come, some requests are lost, and the rest comes late.
    private static func faults(_ control: JSONClient) async throws {
        let rules: [JSON] = [
            ["fault": "request.lost", "times": 8, "method": "POST", "path": "/payments"],
            ["fault": "reply.never", "times": 32, "method": "POST", "path": "/payments"],
            ["fault": "reply.late", "times": 24, "method": "POST", "path": "/payments", "delayMilliseconds": 5_000],
        ]
        for rule in rules { _ = try await control.send("POST", "/faults", body: rule) }
    }

    @Test func service_killedUnderSixtyFourSales_isFollowedByAnother_andBooksEqualTheLedger() async throws {
        let server = try #require(PostgresServer.shared)
        try await ServeProcess.inFolder { folder in
            let sandbox = try SandboxProcess(["--provider", "memory", "--write-config", "\(folder)/providers.json"])
            let world = try await World(folder, server)
            let (transport, key) = (CurlTransport(), world.key)
            let control = JSONClient(transport, sandbox.control)
            try await Self.faults(control)
            let ids = (0..<Self.salesCount).map { _ in UUID().uuidString.lowercased() }
            let first = try world.serve()
            let till = first.caller
            let told = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (number, id) in ids.enumerated() {
                    group.addTask {
                        let reply = try? await till.send(
                            "POST", "/v1/sales", Self.sale(number), key: key, id: id, prefer: "wait=50")
                        return (number, reply?.status ?? 0)
                    }
                }
                // Killed when most of them have charged and none or few have answered.
                while try await Self.movements(control).count < Self.salesCount / 2 {}
                _ = kill(first.program.processIdentifier, SIGKILL)
                _ = first.program.finish()
                var told: [Int: Int] = [:]
                for try await (number, status) in group { told[number] = status }
                return told
            }
            #expect(told.values.contains(0), "all were told before the service was killed")
            _ = try await control.send("DELETE", "/faults")
            let second = try world.serve()
            let decided = try await Self.decide(ids, second.caller, key)
            for (number, status) in told where status == 201 || status == 402 {
                #expect(decided[number] == status, "order-\(number) was told as \(status)")
            }
            try await Self.compare(ids, decided, second, key, control)
            #expect(second.stop().code == 0)
            sandbox.terminate()
            _ = sandbox.end()
            await transport.close()
        }
    }

    /// As after its machine stood still: it begins nothing any more, and must not stay like that until a person comes.
    @Test func service_thatWasTakenForDead_endsAsFailed() async throws {
        let server = try #require(PostgresServer.shared)
        let shop = try CommandShop()
        let world = try await World(shop.folder, server)
        let process = try world.serve()
        try server.sql(
            "SET session_replication_role = replica; UPDATE \(world.schema).owner SET is_gone = true")
        let run = process.program.finish(secondsMax: 60)
        #expect(run.code == 1 && run.errors.contains("took this one for dead"), "\(run.code) \(run.errors)")
        withExtendedLifetime(shop) {}
    }

    /// Repeats each sale under its key until it is decided.
    private static func decide(_ ids: [String], _ service: ServeCaller, _ key: String) async throws -> [Int] {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (number, id) in ids.enumerated() {
                group.addTask {
                    while true {
                        let reply = try await service.send(
                            "POST", "/v1/sales", sale(number), key: key, id: id, prefer: "wait=50")
                        if reply.status != 202 { return (number, reply.status) }
                    }
                }
            }
            var decided = [Int](repeating: 0, count: ids.count)
            for try await (number, status) in group { decided[number] = status }
            return decided
        }
    }

    private static func movements(_ control: JSONClient) async throws -> [JSON] {
        try await control.send("GET", "/ledger/memory")["movements"]?.array ?? []
    }

    /// Compares what the service says, what its journal has, and what the provider's ledger has.
    private static func compare(
        _ ids: [String], _ decided: [Int], _ service: ServeProcess, _ key: String, _ control: JSONClient
    ) async throws {
        var charged: [String: [Int64]] = [:]
        for movement in try await movements(control) {
            charged[movement["attempt"]?.string ?? "", default: []].append(
                movement["minorUnits"]?.int64 ?? 0)
        }
        for (number, id) in ids.enumerated() {
            #expect(decided[number] == 201 || decided[number] == 402)
            let isCharged = decided[number] == 201
            #expect(charged[id] ?? [] == (isCharged ? [Int64(number + 1) * 100] : []), "order-\(number)")
            let again = try await service.send("POST", "/v1/sales", sale(number), key: key, id: id)
            #expect(again.status == decided[number])
            let shown = try await service.send("GET", "/v1/payments?reference=order-\(number)", key: key)
            let captured = (shown.body["items"]?.array ?? []).compactMap {
                $0["amounts"]?["captured"]?["value"]?.string
            }
            #expect(captured == [isCharged ? "\(number + 1).00" : "0.00"])
        }
        #expect(charged.count == decided.count { $0 == 201 })
        let open = try await service.send("GET", "/v1/attempts?status=open", key: key)
        #expect(open.body["items"]?.array == [])
    }
}
