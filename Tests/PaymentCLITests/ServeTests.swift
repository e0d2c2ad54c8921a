import Foundation
import Glibc
import PaymentBase
import PaymentCLI
import PaymentLinux
import PaymentTestPrograms
import PaymentTransport
import Testing

/// `payctl serve` as a process of its own.
@Suite struct ServeTests {
    private static func sale(_ value: String, _ reference: String) -> JSON {
        ["amount": ["value": .string(value), "currency": "EUR"], "reference": .string(reference)]
    }

    // MARK: - What a till meets

    @Test func serve_simulated_sellsOnce_andStopsOnSIGTERM() async throws {
        try await ServeProcess.inFolder { folder in
            let process = try ServeProcess(["--state", folder])
            #expect(Set(process.keys.keys) == ["viewer", "till", "office"])
            let id = UUID().uuidString
            let sold = try await process.send("POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id)
            #expect(sold.status == 201)
            let again = try await process.send("POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id)
            #expect(again.status == 201 && again.body == sold.body)
            let other = try await process.send("POST", "/v1/sales", Self.sale("12.51", "order-1"), key: "till", id: id)
            #expect(other.status == 422)
            let declined = try await process.send(
                "POST", "/v1/sales", Self.sale("20.51", "order-2"), key: "till", id: UUID().uuidString)
            #expect(declined.status == 402)
            #expect(try await process.send("GET", "/v1/self", key: "unknown").status == 401)
            // Another command of the same folder sees the payment, also while the service runs.
            let list = await CommandRun.of(["list", "--state", folder, "--format", "json"])
            #expect(try list.json["items"]?.array?.contains { $0["reference"] == "order-1" } == true)
            let end = process.stop()
            #expect(end.code == 0)
            #expect(end.errors.contains("serve: stopped"))
        }
    }

    @Test func serve_killedWithoutAReply_answersTheRepeatAfterItsRestart() async throws {
        try await ServeProcess.inFolder { folder in
            let id = UUID().uuidString
            let first = try ServeProcess(["--state", folder])
            let begun = try await first.send(
                "POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id, prefer: "wait=0")
            #expect(begun.status == 201 || begun.status == 202)
            _ = kill(first.program.processIdentifier, SIGKILL)
            _ = first.program.finish()
            let second = try ServeProcess(["--state", folder])
            var repeated = try await second.send(
                "POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id)
            // What was in doubt is looked up; the quiet period of the simulated provider may have to pass.
            for _ in 0..<20 where repeated.status == 202 {
                repeated = try await second.send(
                    "POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id)
            }
            let payments = try await second.send("GET", "/v1/payments?reference=order-1", key: "till")
            let captured = (payments.body["items"]?.array ?? []).compactMap { $0["amounts"]?["captured"]?["value"] }
            #expect(repeated.status == 201 || repeated.status == 402)
            #expect(captured == [repeated.status == 201 ? "12.50" : "0.00"])
            #expect(second.stop().code == 0)
        }
    }

    @Test func serve_atAnAdapterWithItsSimulator_sellsAndRefundsOnce() async throws {
        let root = OutputSchemas.root.appending(path: "providers.json")
        let text = try String(contentsOf: root, encoding: .utf8)
            .replacing("\"active\": \"memory\"", with: "\"active\": \"adyen\"")
        let shop = try CommandShop(configuration: text)
        let process = try ServeProcess(shop.place)
        let id = UUID().uuidString
        let sold = try await process.send("POST", "/v1/sales", Self.sale("12.50", "order-1"), key: "till", id: id)
        #expect(sold.status == 201)
        #expect(sold.body["provider"] == "adyen")
        let payment = try #require(sold.body["payment"]?.string)
        let refund = UUID().uuidString
        for _ in 0..<2 {
            let all: JSON = ["all": true]
            let given = try await process.send(
                "POST", "/v1/payments/\(payment)/refunds", all, key: "office", id: refund)
            // Adyen accepts a refund and reports later by a webhook what became of it.
            #expect(given.status == 202 || given.status == 201)
        }
        let shown = try await process.send("GET", "/v1/payments/\(payment)", key: "viewer")
        #expect(shown.body["attempts"]?.array?.count == 2)
        // The terminal's test amounts: declined, and a reply that is lost after the charge.
        let declined = try await process.send(
            "POST", "/v1/sales", Self.sale("11.24", "order-2"), key: "till", id: UUID().uuidString)
        #expect(declined.status == 402)
        #expect(declined.body["status"] == "declined")
        let lost = try await process.send(
            "POST", "/v1/sales", Self.sale("19.01", "order-3"), key: "till", id: UUID().uuidString)
        #expect(lost.status == 201)
        #expect(process.stop().code == 0)
    }

    // MARK: - Keys

    @Test func serve_withAFileOfKeys_keepsShopsApart() async throws {
        try await ServeProcess.inFolder { folder in
            var (keys, entries) = ([String: String](), [JSON]())
            for shop in ["berlin", "paris"] {
                let made = await CommandRun.of(["key", "new", "--shop", shop, "--role", "office", "--format", "json"])
                #expect(made.status == 0)
                #expect(try OutputSchemas.problems(["key", "new"], made.json) == [])
                keys[shop] = try made.json["key"]?.string
                entries.append(try #require(try made.json["entry"]))
            }
            let file = "\(folder)/keys.json"
            let list: JSON = ["keys": .array(entries)]
            try Data(list.bytes()).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let process = try ServeProcess(["--state", "\(folder)/state", "--keys", file])
            #expect(process.keys.isEmpty)
            let (berlin, paris) = (keys["berlin"] ?? "", keys["paris"] ?? "")
            for key in [berlin, paris] {
                let sold = try await process.send(
                    "POST", "/v1/sales", Self.sale("12.50", "order-1"), key: key, id: UUID().uuidString)
                #expect(sold.status == 201)
                let list = try await process.send("GET", "/v1/payments", key: key)
                #expect(list.body["items"]?.array?.count == 1)
                let own = sold.body["payment"]?.string ?? ""
                let other = try await process.send("GET", "/v1/payments/\(own)", key: key == berlin ? paris : berlin)
                #expect(other.status == 404)
            }
            #expect(process.stop().code == 0)
        }
    }

    @Test func unit_whateverEndedTheService_startsItAgain() throws {
        let unit = OutputSchemas.root.appending(path: "Examples/serve/payctl-serve.service")
        let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
        // Five starts in ten seconds would end it for good, and a signal for a clean end.
        for line in ["Restart=always", "StartLimitIntervalSec=0"] { #expect(lines.contains { $0 == line }, "\(line)") }
    }

    /// A journal beside its configuration ends with the container, and what was paid is free to be charged again.
    @Test func examples_journals_areInTheFolderOfTheState() throws {
        for name in ["Shop", "Till"] {
            let file = OutputSchemas.root.appending(path: "Examples/\(name)/providers.json")
            let path = try JSONReader().read(Array(Data(contentsOf: file)))["journal"]?["path"]?.string
            #expect(path?.hasPrefix("state:") == true, "\(name)")
        }
    }

    /// A folder from before has its journal beside the configuration, with references and last digits.
    @Test func examplesShop_itsGitignore_namesJournals() throws {
        let file = OutputSchemas.root.appending(path: "Examples/Shop/.gitignore")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains("*.sqlite*"))
    }

    /// SIGHUP reads the file of keys again; one that is wrong leaves the keys of before. Calls have audit lines.
    @Test func serve_onSIGHUP_readsItsKeysAgain_andKeepsAuditLines() async throws {
        try await ServeProcess.inFolder { folder in
            var (keys, entries) = ([String](), [JSON]())
            for _ in 0..<2 {
                let made = await CommandRun.of([
                    "key", "new", "--shop", "berlin", "--role", "viewer", "--format", "json",
                ])
                keys.append(try #require(try made.json["key"]?.string))
                entries.append(try #require(try made.json["entry"]))
            }
            let (file, audit) = ("\(folder)/keys.json", "\(folder)/audit.jsonl")
            func write(_ text: String) throws {
                try Data(text.utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            }
            func list(_ entries: [JSON]) -> String {
                let list: JSON = ["keys": .array(entries)]
                return String(decoding: list.bytes(), as: UTF8.self)
            }
            try write(list([entries[0]]))
            let process = try ServeProcess(["--state", "\(folder)/state", "--keys", file, "--audit", audit])
            /// Asks until a key is answered so: a signal has no reply.
            func isAnswered(_ key: String, _ status: Int) async throws -> Bool {
                for _ in 0..<500 where try await process.send("GET", "/v1/self", key: key).status == status {
                    return true
                }
                return false
            }
            #expect(try await isAnswered(keys[0], 200))
            #expect(try await isAnswered(keys[1], 401))
            try write(list([entries[1]]))
            _ = kill(process.program.processIdentifier, SIGHUP)
            #expect(try await isAnswered(keys[1], 200))
            #expect(try await isAnswered(keys[0], 401))
            try write("{")
            _ = kill(process.program.processIdentifier, SIGHUP)
            #expect(try await isAnswered(keys[1], 200))
            let end = process.stop()
            #expect(end.code == 0)
            #expect(end.errors.contains("1 keys were read again"))
            #expect(end.errors.contains("the keys of before stay"))
            let lines = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
            let statuses = try lines.map { try JSONReader().read(Array($0.utf8))["status"]?.int64 }
            #expect(statuses.contains(200) && statuses.contains(401))
            #expect(!lines.contains { line in keys.contains { line.contains($0) } })
        }
    }

    @Test func serve_withAnAdminAddress_showsHealthThereAlone() async throws {
        try await ServeProcess.inFolder { folder in
            let process = try ServeProcess(["--state", folder, "--admin-listen", "127.0.0.1:0"])
            let origin = try #require(process.admin)
            let transport = CurlTransport()
            for (path, text) in [("/health/ready", "\"isReady\":true"), ("/metrics", "payments_waits 0")] {
                let reply = try await transport.send(HTTPRequest("GET", origin, path))
                #expect(reply.status == 200)
                #expect(String(decoding: reply.body, as: UTF8.self).contains(text))
                let own = try await transport.send(HTTPRequest("GET", process.origin, path))
                #expect(own.status == 404)
            }
            #expect(try await transport.send(HTTPRequest("GET", origin, "/v1/self")).status == 404)
            await transport.close()
            #expect(process.stop().code == 0)
        }
    }

    /// A card is laid in front of the simulated terminal over HTTP.
    @Test func serve_simulated_tapsCardsAndInjectsFaults() async throws {
        try await ServeProcess.inFolder { folder in
            let process = try ServeProcess(["--state", folder])
            let readers = try await process.send("GET", "/v1/readers", key: "till")
            let reader = try #require(readers.body["items"]?[0]?["reader"]?.string)
            let unknown = try await process.send(
                "POST", "/v1/simulator/readers/\(reader)/tap", ["card": "none"], key: "till")
            #expect(unknown.status == 409)
            let words = unknown.body["detail"]?.string ?? ""
            let card = try #require(
                words.components(separatedBy: "It has ").last?.split(separator: ",").first.map(String.init))
            let tapped = try await process.send(
                "POST", "/v1/simulator/readers/\(reader)/tap", ["card": .string(card)], key: "till")
            #expect(tapped.status == 200, "\(card)")
            let fault = try await process.send(
                "POST", "/v1/simulator/faults", ["fault": "reply.lost"], key: "till")
            #expect(fault.status == 200)
            #expect(process.stop().code == 0)
        }
    }

    @Test func serve_whereItMayNot_saysWhy() async throws {
        let refusals: [([String], String)] = [
            (["--listen", "0.0.0.0:8080"], "speaks no TLS"),
            (["--listen", "0.0.0.0:8080", "--behind-proxy"], "without --keys FILE"),
            (["--listen", "8080"], "ADDRESS:PORT"), (["--keys", "/nowhere/keys.json"], "can't be read"),
            (["--drain", "601"], "0 to 600"), (["--admin-listen", "0.0.0.0:9464"], "this machine alone"),
            (["--audit", "/nowhere/audit"], "can't be opened"),
            (["--otlp", "collector"], "http://127.0.0.1:4318"), (["--trace-context"], "needs --otlp URL"),
            (["--otlp-headers", "/nowhere/lines"], "needs --otlp URL"),
            (["--otlp", "http://127.0.0.1:4318/a?key=1"], "https://collector.example/otlp"),
            (["--otlp", "http://127.0.0.1:4318", "--otlp-headers", "/nowhere/lines"], "can't be read"),
            (["--otlp", "http://collector.example", "--otlp-headers", "/nowhere/lines"], "read on the way"),
        ]
        for (words, reason) in refusals {
            let run = await CommandRun.of(["serve"] + words)
            #expect(run.status == 2, "\(words)")
            #expect(run.errors.first?.contains(reason) == true, "\(run.errors)")
        }
        let real = """
            {"active": "memory", "providers": {"memory": {"adapter": "memory", "environment": "sandbox", \
            "merchant": "m-1", "endpoint": "http://127.0.0.1:9"}}, "journal": {"kind": "memory"}}
            """
        let shop = try CommandShop(configuration: real)
        let run = await shop.run("serve", "--listen", "127.0.0.1:0")
        #expect(run.status == 2)
        #expect(run.errors.first?.contains("only simulated providers are served") == true, "\(run.errors)")
    }

    @Test func headerFile_thatIsWrongOrReadable_isRefusedWithoutItsContent() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "h-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/lines"
        let files: [(String, Int, String)] = [
            ("X-Key: planted-key\n", 0o644, "can't be read"), ("planted-key\n", 0o600, "line 1 is no header line"),
            ("# fine\nX Key: planted-key\n", 0o600, "line 2 is no header line"), ("X-Key:\n", 0o600, "needs a value"),
            ("X-Key: planted-key\nx-key: planted-key\n", 0o600, "line 2: this field is set already"),
            ("Content-Type: planted-key\n", 0o600, "this field is set already"),
        ]
        for (text, mode, reason) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let run = await CommandRun.of(["serve", "--otlp", "http://127.0.0.1:4318/otlp", "--otlp-headers", path])
            #expect(run.status == 2 && run.errors.first?.contains(reason) == true, "\(text): \(run.errors)")
            #expect(!run.errors.contains { $0.contains("planted-key") }, "\(run.errors)")
        }
    }

    @Test func keyFile_thatIsWrong_isRefusedWithItsPlace() async throws {
        let digest = String(repeating: "a", count: 64)
        let files: [(String, String)] = [
            ("{", "no JSON"), ("{\"keys\": []}", "\"keys\""), ("{\"keys\": [{}]}", "keys[0].sha256"),
            (#"{"keys": [{"sha256": "\#(digest)", "name": "a", "shop": "Berlin", "role": "till"}]}"#, "keys[0].shop"),
            (#"{"keys": [{"sha256": "\#(digest)", "name": "a", "shop": "b", "role": "boss"}]}"#, "keys[0].role"),
            (#"{"keys": [{"sha256": "\#(digest)", "name": "a", "shop": "b", "role": "till", "x": 1}]}"#, "x"),
            (
                #"{"keys": [{"sha256": "\#(digest)", "name": "a", "shop": "b", "role": "till", "operations": ["pay"]}]}"#,
                "pay"
            ),
            (
                #"{"keys": [{"sha256": "\#(digest)", "name": "a", "shop": "b", "role": "till", "refundMax": ["1 EUR"]}]}"#,
                "refundMax"
            ),
        ]
        try await ServeProcess.inFolder { folder in
            for (text, reason) in files {
                let file = "\(folder)/keys.json"
                try Data(text.utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let run = await CommandRun.of(["serve", "--keys", file])
                #expect(run.status == 2)
                #expect(run.errors.first?.contains(reason) == true, "\(run.errors)")
            }
        }
    }

    // MARK: - The document

    /// The lines of `docs/serve.md` answer what the document says.
    @Test func linesOfTheDocument_work() async throws {
        let file = OutputSchemas.root.appending(path: "docs/serve.md")
        let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```sh\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        let lines = try #require(blocks.first { $0.contains("curl") })
        let expected = lines.split(separator: "\n").filter { $0.hasPrefix("curl") }.compactMap { line in
            line.components(separatedBy: "# ").last.flatMap { Int($0.prefix(3)) }
        }
        #expect(expected.count >= 6)
        try await ServeProcess.inFolder { folder in
            let process = try ServeProcess(["--state", folder])
            let script = lines.replacing("http://127.0.0.1:8080", with: "\(process.origin)")
            let environment = ProcessInfo.processInfo.environment.merging([
                "TILL": process.keys["till"] ?? "", "OFFICE": process.keys["office"] ?? "",
            ]) { $1 }
            let run = try TestProgram.run("/bin/bash", ["-uc", script], environment: environment)
            #expect(run.code == 0, "\(run.errors)")
            let statuses = run.output.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
            #expect(statuses == expected, "\(run.output)")
            #expect(process.stop().code == 0)
        }
    }
}
