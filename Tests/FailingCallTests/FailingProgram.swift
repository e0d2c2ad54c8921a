import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTransport

/// `payctl` beside a simulated provider in a process of its own, with one call to the system that fails.
final class FailingProgram {
    /// What a program did with a failure.
    struct Run {
        /// The exit status; nil where it was ended by a signal or didn't end.
        let code: Int32?
        let output: String
        let errors: String
        /// What the library saw: the calls by kind, and whether one failed.
        let report: JSON?

        /// What was open when it ended: how often, by the file's name; pipes, sockets and what has no file by their kinds.
        var left: OpenFiles {
            // Who closes a journal takes its file's name away first; the mark of the process has a name of its own.
            let names = (report?["left"]?.array ?? []).compactMap(\.string).map { $0.replacing(" (deleted)", with: "") }
            return OpenFiles(names.map { $0.hasSuffix(".new") ? "mark" : $0 })
        }

        /// What it said on standard output, or on standard error where it failed.
        var answer: JSON? {
            [output, errors].lazy.flatMap { $0.split(separator: "\n") }
                .compactMap { $0.hasPrefix("{") ? try? JSONReader().read(Array($0.utf8)) : nil }.first
        }
    }

    /// A call that is to fail.
    struct Failure: Hashable, CustomStringConvertible {
        let kind: String
        let place: Int
        var description: String { "\(kind) \(place)" }
    }

    struct Problem: Error, CustomStringConvertible { let description: String }

    /// No program that does one payment takes as long.
    private static let secondsMax = 60

    private let folder = FileManager.default.temporaryDirectory.appending(path: "failing-\(UUID().uuidString)")
    private let program: URL
    private let sandbox: TestProgram
    private let control: JSONClient
    private var count = 0

    init(_ transport: any HTTPTransport) throws {
        guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
            throw Problem(description: "the tests were not started by swift test")
        }
        program = URL(filePath: bundle).deletingLastPathComponent().appending(path: "payctl")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.compile(URL(filePath: #filePath).deletingLastPathComponent().appending(path: "failing.c"), in: folder)
        sandbox = try TestProgram(
            program.path,
            [
                "sandbox", "--provider", "memory", "--write-config", folder.appending(path: "providers.json").path,
            ], errors: .nowhere)
        guard let origin = try JSONReader().read(sandbox.readLine())["control"]?.string.flatMap({ Origin($0) }) else {
            throw Problem(description: "the simulated provider doesn't say where it is")
        }
        control = JSONClient(transport, origin)
    }

    deinit {
        sandbox.terminate()
        _ = sandbox.finish()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes the library with the toolchain's own compiler.
    private static func compile(_ source: URL, in folder: URL) throws {
        let compiler = try TestProgram.run(
            "/usr/bin/env",
            [
                "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o",
                folder.appending(path: "failing.so").path, source.path, "-ldl",
            ])
        guard compiler.code == 0 else {
            throw Problem(description: "\(source.path) doesn't compile: \(compiler.errors)")
        }
    }

    /// A folder for one case, with a configuration and neither journal nor state.
    func fresh() throws -> URL {
        count += 1
        let place = folder.appending(path: "case-\(count)")
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            at: folder.appending(path: "providers.json"), to: place.appending(path: "providers.json"))
        return place
    }

    /// Runs the program in a case's folder, with the library before everything else.
    func run(_ arguments: [String], in place: URL, _ failure: Failure? = nil) throws -> Run {
        let report = place.appending(path: "report")
        try? FileManager.default.removeItem(at: report)
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_STATE_HOME"] = place.appending(path: "state").path
        environment["LD_PRELOAD"] = folder.appending(path: "failing.so").path
        environment["FAILING_REPORT"] = report.path
        environment["SWIFT_BACKTRACE"] = "enable=no"
        if let failure {
            (environment["FAILING_CALL"], environment["FAILING_AT"]) = (failure.kind, "\(failure.place)")
        }
        let run = try TestProgram(program.path, arguments, in: place.path, environment: environment)
            .finish(secondsMax: Self.secondsMax)
        return Run(
            code: run.code < 0 ? nil : run.code, output: run.output, errors: run.errors,
            report: (try? Data(contentsOf: report)).flatMap { try? JSONReader().read(Array($0)) })
    }

    /// How often the provider's books have a charge of an attempt.
    func charges(_ attempt: String) async throws -> Int {
        let movements = try await control.send("GET", "/ledger/memory").body?["movements"]?.array ?? []
        return movements.count { $0["attempt"]?.string == attempt && $0["to"]?.string == "merchant" }
    }
}
