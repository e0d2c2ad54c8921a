import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTransport

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
