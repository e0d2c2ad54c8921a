import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// One call of a command within this process, with everything that it wrote.
struct CommandRun {
    let status: Int32
    let out: [String]
    let errors: [String]

    /// Everything on standard output.
    var text: String { out.joined(separator: "\n") }

    /// The one line of JSON on standard output.
    var json: JSON {
        get throws { try JSONReader().read(Array(try #require(out.last, "\(errors)").utf8)) }
    }

    static func of(
        _ arguments: [String], input: String = "", answers: [String]? = nil,
        registry: @autoclosure () -> CommandRegistry = .builtin, columns: Int? = nil, colors: Bool = false
    ) async -> CommandRun {
        let (out, errors) = (Locked([String]()), Locked([String]()))
        let left = Locked(answers ?? [])
        let ask: @Sendable (String) -> String? = { _ in left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let console = Console(
            out: { line in out.withLock { $0.append(line) } }, error: { line in errors.withLock { $0.append(line) } },
            input: { Array(input.utf8) }, ask: answers == nil ? nil : ask, showsColors: colors,
            columns: columns)
        let status = await Payctl.main(arguments, registry: registry(), console: console)
        return CommandRun(status: status, out: out.withLock { $0 }, errors: errors.withLock { $0 })
    }
}

/// A folder with a configuration, a journal and providers of its own.
final class CommandShop: Sendable {
    let folder: String
    private let registry: CommandRegistry

    init(_ registry: CommandRegistry = .builtin, configuration: String? = nil) throws {
        self.registry = registry
        folder = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "providers.json")
        let text = try configuration ?? String(contentsOf: file, encoding: .utf8)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The configuration.
    var path: String { "\(folder)/providers.json" }

    /// Where the simulated providers are kept.
    var state: String { "\(folder)/state" }

    /// What every call is given beside its own words.
    var place: [String] { ["--config", path, "--state", state] }

    func run(_ words: String..., input: String = "", columns: Int? = nil) async -> CommandRun {
        await CommandRun.of(words + place, input: input, registry: registry, columns: columns)
    }

    /// The same, as JSON.
    func json(_ words: String..., status: Int32 = 0) async throws -> JSON {
        let run = await CommandRun.of(words + place + ["--format", "json"], registry: registry)
        #expect(run.status == status, "\(words): \(run.text) \(run.errors)")
        let json = try run.json
        #expect(try OutputSchemas.problems(words, json) == [])
        return json
    }

    /// A sale, and its payment.
    func sold(_ words: String...) async throws -> String {
        let isNamed = words.contains("--reference") || words.contains("--unreferenced")
        let all = ["sale"] + words + (isNamed ? [] : ["--unreferenced"]) + place + ["--format", "json"]
        let run = await CommandRun.of(all, registry: registry)
        #expect(run.status == 0, "\(words): \(run.text) \(run.errors)")
        return try #require(try run.json["payment"]?.string)
    }
}
