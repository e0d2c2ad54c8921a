import Foundation
import PaymentBase
import PaymentCLI
import PaymentTestPrograms
import PaymentTransport
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

/// The files of a journal as they lie there, while others may carry the log over into the file and delete it.
struct JournalFiles {
    private let file: String
    private let kept: [(path: String, bytes: Data)]

    init(_ shop: CommandShop) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.state)
        let file = "\(shop.state)/\(try #require(names.first { $0.hasSuffix(".sqlite") }))"
        // The log first: what leaves it afterwards stands in the file.
        let log = FileManager.default.contents(atPath: file + "-wal")
        let main = try Data(contentsOf: URL(fileURLWithPath: file))
        kept = [(file, main)] + (log.map { [(file + "-wal", $0)] } ?? [])
        self.file = file
    }

    /// Everything in them, read as text.
    var text: String { kept.map { String(decoding: $0.bytes, as: UTF8.self) }.joined() }

    /// Puts them back as a backup is put back, with nothing of what lies there now.
    func restore() throws {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        for (path, bytes) in kept { try bytes.write(to: URL(fileURLWithPath: path)) }
    }
}

/// The program `payctl sandbox` as a process of its own, beside the tests that were built with it.
final class SandboxProcess {
    struct NotFound: Error {}

    private let process: TestProgram
    /// The one line on standard output.
    let line: JSON
    let control: Origin
    let memory: Origin

    /// - Parameter descriptors: How many descriptors the process begins with, and how many it may ask for.
    init(_ arguments: [String] = [], descriptors: (first: Int, most: Int)? = nil) throws {
        let (program, words) = (try Self.program().path, ["sandbox"] + arguments)
        if let descriptors {
            let line = "ulimit -Sn \(descriptors.first) && ulimit -Hn \(descriptors.most) && exec \"$0\" \"$@\""
            process = try TestProgram("/bin/bash", ["-c", line, program] + words)
        } else {
            process = try TestProgram(program, words)
        }
        line = try JSONReader().read(process.readLine())
        guard let control = line["control"]?.string.flatMap({ Origin($0) }),
            let memory = line["providers"]?["memory"]?.string.flatMap({ Origin($0) })
        else { throw NotFound() }
        (self.control, self.memory) = (control, memory)
    }

    /// Where the program lies: beside the bundle of the tests.
    static func program() throws -> URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        guard let bundle else { throw NotFound() }
        let program = URL(filePath: bundle).deletingLastPathComponent().appending(path: "payctl")
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw NotFound() }
        return program
    }

    /// Runs the program to its end with arguments that it refuses.
    static func refusal(_ arguments: [String]) throws -> (code: Int32, words: String, output: String) {
        try plain(["sandbox"] + arguments)
    }

    /// Runs the program to its end.
    static func plain(
        _ arguments: [String], in folder: URL? = nil, state: URL? = nil, program: URL? = nil
    ) throws -> (code: Int32, words: String, output: String) {
        let here = ProcessInfo.processInfo.environment
        let run = try TestProgram.run(
            try (program ?? Self.program()).path, arguments, in: folder?.path,
            environment: state.map { here.merging(["XDG_STATE_HOME": $0.path]) { $1 } })
        return (run.code, run.errors, run.output)
    }

    var number: Int32 { process.processIdentifier }

    func terminate() { process.terminate() }
    func interrupt() { process.interrupt() }

    /// Waits for the end; the exit status, what was left on standard output, and standard error.
    func end() -> (code: Int32, output: String, errors: String) {
        let run = process.finish()
        return (run.code, run.output, run.errors)
    }
}
