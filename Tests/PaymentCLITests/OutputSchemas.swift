import Foundation
import PaymentBase
import PaymentTestTill
import Testing

/// The schemas under `docs/schemas`, and which command's output each describes.
enum OutputSchemas {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: "docs/schemas")

    /// The schema of each command.
    static let byCommand: [String: String] = [
        "sale": "result", "authorize": "result", "capture": "result", "void": "result", "refund": "result",
        "adjust": "result", "verify": "result", "tokenize": "result", "status": "status", "show": "show",
        "list": "list", "tail": "event", "recover": "recover", "resolve": "record", "receipt": "receipt",
        "providers": "providers", "settings": "settings", "devices": "devices", "quote": "quote", "saved": "saved",
        "reader status": "reader-status", "reader activate": "reader-activate", "reader prepare": "reader-prepare",
        "reader events": "event", "errors": "errors", "explain": "explain", "inspect": "inspect",
        "webhook": "webhook", "sign": "sign", "verify-signature": "verify-signature", "init": "init",
        "new-provider": "new-provider", "journal init": "journal-init",
        "journal check": "journal-check", "journal copy": "journal-copy", "journal import": "journal-import",
        "journal prune": "journal-prune", "journal accept-restored": "journal-accept-restored",
        "switch plan": "switch-plan", "compare": "compare", "doctor": "doctor", "sandbox": "sandbox",
        "sandbox clock": "sandbox-clock", "sandbox fault": "sandbox-fault", "sandbox decide": "sandbox-decide",
        "sandbox visit": "sandbox-visit",
        "conformance": "conformance", "reconcile": "reconcile",
        "cassette record": "cassette-record", "cassette play": "cassette-play", "readings check": "readings-check",
        "assumptions": "assumptions",
    ]
    /// Commands whose output is a script, a message, lines of a journal or a page for people.
    static let others: Set<String> = ["demo", "completions", "nexo seal", "nexo open", "journal export"]

    static func schema(_ name: String) throws -> JSON {
        try JSONReader().read(Array(Data(contentsOf: folder.appending(path: "\(name).json"))))
    }

    /// What is wrong with the output of a command.
    static func problems(_ words: [String], _ output: JSON) throws -> [String] {
        let names = [words.prefix(2).joined(separator: " "), words.first ?? ""]
        let command = try #require(names.first { byCommand[$0] != nil }, "\(words)")
        let isFailure = output["error"] != nil && output["status"] == nil && command != "inspect"
        let follows = command == "list" && words.contains("--follow")
        let isLive = command == "conformance" && words.contains("--live")
        let name =
            isFailure ? "error" : isLive ? "conformance-live" : follows ? "payment" : try #require(byCommand[command])
        return SchemaValidator(try schema(name)).problems(output).map { "\(command) (\(name).json) \($0)" }
    }
}
