import Foundation
import PaymentBase
import PaymentCLI
import PaymentTestTill
import Testing

/// A folder with a configuration, a journal and simulated providers, for `payctl` in this process.
final class CommandShop: Sendable {
    /// One call of `payctl`, with what it printed.
    struct Call: Sendable, CustomStringConvertible {
        let status: Int32
        let out: [String]
        let errors: [String]

        /// Everything on standard output.
        var text: String { out.joined(separator: "\n") }
        var description: String { "status \(status): \((out + errors).joined(separator: " / "))" }
    }

    let folder: String
    private let clock = TurnClock()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "finding-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try FileManager.default.copyItem(atPath: root.appending(path: "providers.json").path, toPath: configuration)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: configuration)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var configuration: String { "\(folder)/providers.json" }

    /// Where the journal and the simulated providers are kept.
    var state: String { "\(folder)/state" }

    /// The journal's file.
    var journal: String { "\(state)/simulation.sqlite" }

    /// Runs `payctl` with the words of a line; a word with spaces in it is given apart.
    func run(_ line: String, _ more: String...) async -> Call {
        await run(words(line) + more + ["--config", configuration, "--state", state])
    }

    /// Runs a command that knows no configuration.
    func runBare(_ line: String) async -> Call { await run(words(line) + ["--state", state]) }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    private func run(_ words: [String]) async -> Call {
        let (out, errors) = (Locked([String]()), Locked([String]()))
        var console = Console(
            out: { line in out.withLock { $0.append(line) } }, error: { line in errors.withLock { $0.append(line) } })
        console.clock = clock
        let status = await Payctl.main(words, registry: .builtin, console: console)
        return Call(status: status, out: out.withLock { $0 }, errors: errors.withLock { $0 })
    }

    /// A fault of a simulated provider, for so many requests to a path.
    func plant(_ fault: String, at provider: String, path: String, times: Int = 400) async {
        let call = await runBare("sandbox fault \(fault) --provider \(provider) --times \(times) --path \(path)")
        #expect(call.status == 0, "\(call)")
    }

    /// A member of what `show` says about a payment.
    func shown(_ payment: String) async throws -> JSON {
        let call = await run("show \(payment) --format json")
        return try JSONReader().read(Array(try #require(call.out.last, "\(call)").utf8))
    }
}
