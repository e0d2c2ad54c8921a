import Foundation
import PaymentBase
import PaymentSimulator
import PaymentTestPrograms
import PaymentTransport
import Testing

/// What a process of ours leaves behind for others to find.
@Suite struct PrivateProcessTests {
    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// A program that waits for its input, and what the system says of it meanwhile.
    @Test func noDumpIsWrittenOfAProgramThatHoldsCards() throws {
        let process = try TestProgram(
            try SandboxProcess.program().path, ["inspect", "adyen", "-"], errors: .withOutput)
        let limits = "/proc/\(process.processIdentifier)/limits"
        // It has begun to read when a pipe's worth and more was taken from us.
        #expect(process.write([UInt8](repeating: 0x20, count: 1_000_000)))
        let text = try String(contentsOf: URL(filePath: limits), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.split(separator: " ").suffix(3).dropLast() == ["0", "0"], "\(line)")
    }

    /// A short text lies in a register, so that a page about a crash may show a card number.
    @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT])
    func crash_ofAProgramThatHoldsCards_showsNothing(_ signal: Int32) throws {
        let process = try TestProgram(
            try SandboxProcess.program().path, ["inspect", "adyen", "-"],
            environment: ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=yes,color=no"]) { $1 },
            errors: .withOutput)
        #expect(process.write([UInt8](repeating: 0x20, count: 1_000_000)))
        #expect(kill(process.processIdentifier, signal) == 0)
        let run = process.finish(secondsMax: 60)
        #expect(run.end == .signalled(signal), "\(run.end)")
        #expect(!run.output.contains("Registers") && !run.output.contains("Backtrac"), "\(run.output.prefix(400))")
    }

    @Test func noKeyOfAConnectionIsLogged() async throws {
        try await inFolder { folder in
            let server = try SimulatorServer(identity: SimulatorCertificate())
            let origin = try await server.listen(Silent())
            let (log, config) = (folder.appending(path: "keys"), folder.appending(path: "providers.json"))
            let text = """
                { "active": "till", "journal": { "kind": "memory" }, "providers": { "till": {
                  "adapter": "memory", "environment": "sandbox", "merchant": "m-1",
                  "endpoint": "https://localhost:\(origin.port)", "credentials": { "secret": "env:MADE_UP" } } } }
                """
            try Data(text.utf8).write(to: config)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config.path)
            let said = try TestProgram.run(
                try SandboxProcess.program().path,
                [
                    "sale", "--unreferenced", "5.00", "EUR", "--config", config.path, "--state",
                    folder.appending(path: "state").path,
                ],
                environment: ProcessInfo.processInfo.environment.merging(
                    ["SSLKEYLOGFILE": log.path, "MADE_UP": "made-up-secret"]) { $1 },
                errors: .withOutput
            ).output
            #expect(said.contains("TLS failed: ") && said.contains("certificate"), "\(said)")
            let logged = (try? Data(contentsOf: log)) ?? Data()
            #expect(logged.isEmpty, "\(logged.count) bytes of keys were logged")
            await server.stop()
        }
    }
}

/// Answers nobody.
private struct Silent: SimulatorService {
    func answer(_ request: HTTPRequest) async -> SimulatorResponse { .noReply }
}
