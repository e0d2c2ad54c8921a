import Foundation
import PaymentBase
import PaymentCLI
import PaymentTestTill
import Testing

/// What programs read: every command's JSON has its version and fits its schema.
@Suite struct OutputSchemaTests {
    @Test func everyCommandHasASchemaAndEverySchemaACommand() async throws {
        let names = await Set(HelpTests.names())
        #expect(names == Set(OutputSchemas.byCommand.keys).union(OutputSchemas.others))
        let files = try FileManager.default.contentsOfDirectory(atPath: OutputSchemas.folder.path)
        let schemas = Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
        #expect(
            schemas
                == Set(OutputSchemas.byCommand.values).union([
                    "error", "payment", "conformance-faults", "conformance-live", "simulation",
                ]))
        let guide = try String(contentsOf: OutputSchemas.folder.appending(path: "README.md"), encoding: .utf8)
        for (command, schema) in OutputSchemas.byCommand where command.replacing(" ", with: "-") != schema {
            let row = guide.split(separator: "\n").first { $0.contains("`\(command)`") && $0.hasPrefix("|") }
            #expect(row?.contains("[\(schema).json](\(schema).json)") == true, "\(command)")
        }
        for name in schemas {
            let schema = try OutputSchemas.schema(name)
            #expect(SchemaValidator(schema).unknownKeywords(schema).isEmpty, "\(name)")
        }
    }

    @Test func aMissingOrAddedMemberIsNoticed() throws {
        let good: JSON = ["format": 2, "activation": "active"]
        #expect(try OutputSchemas.problems(["reader", "activate"], good) == [])
        let bad: [JSON] = [
            ["activation": "active"], ["format": 1, "activation": "active"], ["format": 2],
            ["format": 2, "activation": 3], ["format": 2, "activation": "active", "more": true],
        ]
        for json in bad { #expect(try !OutputSchemas.problems(["reader", "activate"], json).isEmpty, "\(json)") }
    }

    @Test func schemasOfShapes_areWritten() throws {
        for (name, schema) in OutputSchema.written {
            let file = OutputSchemas.folder.appending(path: "\(name).json")
            let text = String(decoding: schema.bytes(layout: .pretty), as: UTF8.self) + "\n"
            if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name): write it with RECORD_SNAPSHOTS=1")
        }
    }

    @Test func outputAboutMoney_fitsItsSchema() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", "order-1", "--attempt", "s-1")
        let room = try await shop.json("authorize", "--unreferenced", "30", "EUR", "--attempt", "s-2")
        _ = try await shop.json("adjust", "s-2", "35")
        _ = try await shop.json("capture", "s-2", "10")
        _ = try await shop.json("refund", id, "5")
        _ = try await shop.json("void", try #require(room["payment"]?.string))
        let declined = try await shop.json(
            "sale", "10", "EUR", "--reference", "order-3", "--card", "declined", "--attempt", "s-3", status: 1)
        for member in ["payment", "operation", "provider", "environment", "reference", "amount", "amounts", "card"] {
            #expect(declined[member]?.isNull == false, "\(member) is there on a decline too")
        }
        _ = try await shop.json("status", id)
        _ = try await shop.json("status", "--attempt", "nobody-1", status: 5)
        _ = try await shop.json("show", id)
        _ = try await shop.json("list")
        _ = try await shop.json("tail", "--once", "--last", "1")
        _ = try await shop.json("recover")
        _ = try await shop.json("receipt", id)
        _ = try await shop.json("resolve", id, "--not-executed", "--because", "x", status: 5)
        _ = try await shop.json("sale", "x", "EUR", status: 2)
    }

    @Test func outputAboutProviders_fitsItsSchema() async throws {
        let shop = try CommandShop()
        _ = try await shop.json("providers")
        _ = try await shop.json("settings", "--provider", "arise")
        for name in ["arise", "ni"] { _ = try await shop.json("devices", "--provider", name) }
        _ = try await shop.json("quote", "100", "USD", "--provider", "arise")
        _ = try await shop.json("verify", "EUR", "--provider", "ecommpay", "--customer", "c-1")
        _ = try await shop.json("tokenize", "EUR", "--provider", "ecommpay", "--customer", "c-1")
        _ = try await shop.json("saved", "c-1", "--provider", "ecommpay")
        for word in ["status", "activate", "prepare", "events"] {
            _ = try await shop.json("reader", word, "--provider", "ni")
        }
        _ = try await shop.json("journal", "init")
        _ = try await shop.json("journal", "check")
        _ = try await shop.json("journal", "personal")
        let roles = await CommandRun.of(["journal", "roles", "--format", "json"])
        #expect(try OutputSchemas.problems(["journal", "roles"], roles.json) == [])
        _ = try await shop.json("journal", "prune", "--before", "2020-01-01")
        _ = try await shop.json("journal", "accept-restored")
        _ = try await shop.json("switch", "plan", "arise", "adyen")
        _ = try await shop.json("doctor")
        for words in [
            ["errors", "halo"], ["explain", "halo", "118"], ["explain", "arise", "51"],
            ["compare", "arise", "halo", "--scenario", "sale"], ["screens", "adyen", "ni"],
            ["conformance", "memory", "--level", "core"],
        ] {
            let run = await CommandRun.of(words + ["--format", "json"])
            #expect(run.status == 0, "\(words): \(run.errors) \(run.text)")
            #expect(try OutputSchemas.problems(words, run.json) == [])
        }
        let unknown = await CommandRun.of(["explain", "halo", "none", "--format", "json"])
        #expect(try OutputSchemas.problems(["explain"], unknown.json) == [])
    }

    @Test func outputAboutTheSimulation_fitsItsSchema() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "s-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = ["--state", folder, "--format", "json"]
        for words in [
            ["sandbox", "clock", "--advance", "1d"], ["sandbox", "fault"],
            ["sandbox", "fault", "reply.lost", "--provider", "adyen", "--times", "2"], ["sandbox", "fault", "--clear"],
        ] {
            let run = await CommandRun.of(words + place)
            #expect(run.status == 0, "\(words): \(run.errors)")
            #expect(try OutputSchemas.problems(words, run.json) == [])
        }
        let none = await CommandRun.of(["sandbox", "decide", "adyen", "nobody", "succeeds"] + place)
        #expect(none.status == 5)
        #expect(try OutputSchemas.problems(["sandbox", "decide"], none.json) == [])
        let process = try SandboxProcess(["--provider", "memory"])
        #expect(try OutputSchemas.problems(["sandbox"], process.line) == [])
        process.terminate()
        _ = process.end()
    }
}

/// The schemas under `docs/schemas`, and which command's output each describes.
enum OutputSchemas {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: "docs/schemas")

    /// The schema of each command.
    static let byCommand: [String: String] = [
        "sale": "result", "authorize": "result", "capture": "result", "void": "result", "refund": "result",
        "adjust": "result", "verify": "result", "tokenize": "result", "status": "result", "show": "show",
        "list": "list", "day": "day", "tail": "event", "recover": "recover", "resolve": "record", "receipt": "receipt",
        "providers": "providers", "settings": "settings", "devices": "devices", "quote": "quote", "saved": "saved",
        "reader status": "reader-status", "reader activate": "reader-activate", "reader prepare": "reader-prepare",
        "reader events": "event", "errors": "errors", "explain": "explain", "inspect": "inspect",
        "webhook": "webhook", "sign": "sign", "verify-signature": "verify-signature", "init": "init",
        "new-provider": "new-provider", "journal init": "journal-init",
        "journal check": "journal-check", "journal copy": "journal-copy", "journal import": "journal-import",
        "journal personal": "journal-personal", "journal roles": "journal-roles",
        "journal prune": "journal-prune", "journal accept-restored": "journal-accept-restored",
        "switch plan": "switch-plan", "compare": "compare", "screens": "screens", "doctor": "doctor",
        "sandbox": "sandbox",
        "sandbox clock": "sandbox-clock", "sandbox fault": "sandbox-fault", "sandbox decide": "sandbox-decide",
        "sandbox visit": "sandbox-visit",
        "conformance": "conformance", "reconcile": "reconcile",
        "cassette record": "cassette-record", "cassette play": "cassette-play", "readings check": "readings-check",
        "assumptions": "assumptions", "serve": "serve", "key new": "key-new",
        "webhooks list": "webhooks-list", "webhooks resend": "webhooks-resend",
    ]
    /// Commands whose output is a script, a message, lines of a journal or a page for people.
    static let others: Set<String> = ["demo", "completions", "nexo seal", "nexo open", "journal export", "mcp"]

    static func schema(_ name: String) throws -> JSON {
        try JSONReader().read(Array(Data(contentsOf: folder.appending(path: "\(name).json"))))
    }

    /// What is wrong with the output of a command.
    static func problems(_ words: [String], _ output: JSON) throws -> [String] {
        let names = [words.prefix(2).joined(separator: " "), words.first ?? ""]
        let command = try #require(names.first { byCommand[$0] != nil }, "\(words)")
        let isFailure = output["error"] != nil && command != "inspect"
        let follows = command == "list" && words.contains("--follow")
        let isLive = command == "conformance" && words.contains("--live")
        let isFaults = command == "conformance" && words.contains("--faults")
        let name =
            isFailure
            ? "error"
            : isLive
                ? "conformance-live"
                : isFaults ? "conformance-faults" : follows ? "payment" : try #require(byCommand[command])
        return SchemaValidator(try schema(name)).problems(output).map { "\(command) (\(name).json) \($0)" }
    }
}
