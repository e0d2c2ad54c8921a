import Foundation
import PaymentBase
import PaymentTransport

/// The program `payctl sandbox` as a process of its own, beside the tests that were built with it.
final class SandboxProcess {
    struct NotFound: Error {}

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    /// The one line on standard output.
    let line: JSON
    let control: Origin
    let memory: Origin

    init(_ arguments: [String] = []) throws {
        process.executableURL = try Self.program()
        process.arguments = ["sandbox"] + arguments
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
        line = try JSONReader().read(bytes)
        guard let control = line["control"]?.string.flatMap({ Origin($0) }),
            let memory = line["providers"]?["memory"]?.string.flatMap({ Origin($0) })
        else { throw NotFound() }
        (self.control, self.memory) = (control, memory)
    }

    deinit { if process.isRunning { process.terminate() } }

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
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = try program ?? Self.program()
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        if let state {
            process.environment = ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": state.path]) { $1 }
        }
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: words, as: UTF8.self), String(decoding: said, as: UTF8.self)
        )
    }

    func terminate() { process.terminate() }
    func interrupt() { process.interrupt() }

    /// Waits for the end; the exit status, what was left on standard output, and standard error.
    func end() throws -> (code: Int32, output: String, errors: String) {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let code = process.terminationReason == .exit ? process.terminationStatus : -1
        return (code, String(decoding: rest, as: UTF8.self), String(decoding: words, as: UTF8.self))
    }
}
