import Foundation
import MemoryProvider
import PaymentProviderKit
import PaymentSimulator
import PaymentTestPrograms
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// Text from outside can't forge a line, wherever it is printed.
@Suite struct PrintedTextTests {
    private static let nasty = "a\u{1B}[2K\u{7}\r\nmoney: moved\u{202E}\u{85}\u{200B}z"

    private func printed(_ text: String, colors: Bool = false) -> [String] {
        let lines = Locked([String]())
        let console = Console(
            out: { line in lines.withLock { $0.append(line) } }, error: { _ in }, showsColors: colors)
        console.out(text)
        return lines.withLock { $0 }
    }

    @Test func nothingIsLeftThatDoesSomething() {
        let shown = printed(Self.nasty)
        #expect(shown == [#"a\u001B[2K\u0007\u000D\u000Amoney: moved\u202E\u0085\u200Bz"#])
        #expect(printed("Zoë €5 日本 😀") == ["Zoë €5 日本 😀"])
        #expect(printed("\u{E0041}") == [#"\uDB40\uDC41"#])
    }

    @Test func ownColoursStayAndOthersDont() {
        let good = Paint(isOn: true).good("good")
        #expect(printed(good, colors: true) == ["\u{1B}[32mgood\u{1B}[0m"])
        #expect(printed("\u{1B}[32mgood", colors: false) == [#"\u001B[32mgood"#])
        // A text from outside can't be in our colours, beside ours either.
        let foreign = #"\u001B[32mgood\u001B[0m"#
        #expect(printed("\u{1B}[32mgood\u{1B}[0m", colors: true) == [foreign])
        let beside = "\(good): \u{1B}[32mgood\u{1B}[0m"
        #expect(printed(beside, colors: true) == ["\u{1B}[32mgood\u{1B}[0m: \(foreign)"])
        #expect(Paint(isOn: true).without(good) == "good")
        #expect(printed("\u{1B}[8mhidden\u{1B}[38;5;1m", colors: true) == [#"\u001B[8mhidden\u001B[38;5;1m"#])
    }

    @Test func jsonSaysTheSameAfterwards() throws {
        let line = String(decoding: JSON.object(["detail": .string(Self.nasty)]).bytes(), as: UTF8.self)
        let shown = try #require(printed(line).first)
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(try JSONReader().read(Array(shown.utf8))["detail"]?.string == Self.nasty)
    }

    @Test func aProvidersTextIsShownWrittenOut() async throws {
        let body = #"{"id":"p\u001b[2K\r\u202e1","event":"paymentApproved\u001b[1A","at":1,"state":"approved"}"#
        for format in ["text", "json"] {
            let run = await CommandRun.of(["inspect", "memory", "-", "--format", format], input: body)
            let hidden = run.text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E }
            #expect(hidden.isEmpty && run.text.contains(#"\u001"#), "\(run.text)")
        }
        let reference = await CommandShop.refusedReference("order\u{1B}[31m\u{202E}1")
        #expect(!reference.unicodeScalars.contains { $0 == "\u{1B}" || $0.value == 0x202E })
    }
}

extension CommandShop {
    /// Everything that is printed about a sale under a reference.
    fileprivate static func refusedReference(_ reference: String) async -> String {
        guard let shop = try? CommandShop() else { return "\u{1B}" }
        let sale = await shop.run("sale", "5", "EUR", "--reference", reference)
        let list = await shop.run("list", columns: 80)
        return (sale.out + sale.errors + list.out + list.errors).joined(separator: "\n")
    }
}

/// A provider that says back what it was sent, in words that are longer than what is kept of them.
@Suite struct EchoedSecretTests {
    private static let configuration = """
        { "active": "echo", "deadlineMilliseconds": 180000,
          "providers": { "echo": { "adapter": "echo", "environment": "sandbox", "merchant": "m-1" } },
          "journal": { "kind": "sqlite", "path": "state:simulation.sqlite" } }
        """

    /// Declines every sale with words made of the card's number and the client's secret.
    private static func registry(
        _ words: @escaping @Sendable (_ number: String, _ secret: String) -> String
    ) -> CommandRegistry {
        let entry = ProviderDefinition(
            adapter: "echo", name: "Echo", environments: [.simulated("echo", as: "sandbox", merchant: "m-1")],
            merchant: "Any name.", errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            let secret = "memory-client-secret"
            let configuration = MemoryConfiguration(name: "echo", endpoint: settings.endpoint, secret: Secret(secret))
            let line = HookTransport(tools.transport) { (request, next) async throws(TransportFailure) in
                var response = try await next(request)
                guard request.target == "/payments", let sent = try? JSONReader().read(request.body),
                    let body = try? JSONReader().read(response.body)
                else { return response }
                let said = words(sent["source"]?["number"]?.string ?? "", secret)
                response.body = body.adding("state", "declined").adding("code", "05")
                    .adding("message", .string(said)).bytes()
                return response
            }
            return MemoryDriver(configuration, line)
        }
        let sandbox = SimulatorRegistry.Entry(name: "echo") { MemoryBackend(clock: $0, name: "echo") }
        return .builtin + [CommandRegistry.AddedProvider(entry, sandbox: sandbox)]
    }

    /// Everything that a sale leaves on the terminal, and what of it stands in the journal's files.
    private func traces(
        _ words: @escaping @Sendable (_ number: String, _ secret: String) -> String
    ) async throws -> (terminal: String, journal: String) {
        let shop = try CommandShop(Self.registry(words), configuration: Self.configuration)
        let card = #"{"number": "4539 5787 6362 1486", "month": 12, "year": 30, "code": "737"}"#
        let sale = await shop.run(
            "sale", "--unreferenced", "20.00", "EUR", "--card", "-", "--attempt", "echo-1", input: card)
        let show = await shop.run("show", "echo-1")
        let json = await shop.run("show", "echo-1", "--format", "json")
        #expect(sale.status == 1 && show.text.contains("declined"), "\(sale.errors) \(show.errors)")
        let terminal = [sale, show, json].flatMap { $0.out + $0.errors }.joined(separator: "\n")
        let journal = try JournalFiles(shop).text
        #expect(journal.contains("echo-1"))
        return (terminal, journal)
    }

    @Test func sale_cardNumberAcrossTheEndOfTheMessage_reachesNeitherTerminalNorJournal() async throws {
        let (terminal, journal) = try await traces { number, _ in
            String(repeating: "x", count: 1_009) + number + " was refused"
        }
        for count in [8, 12, 15, 16] {
            let part = "4539578763621486".prefix(count)
            #expect(!terminal.contains(part), "the terminal has \(count) digits")
            #expect(!journal.contains(part), "the journal has \(count) digits")
        }
    }

    @Test func sale_secretAcrossTheEndOfTheMessage_reachesNeitherTerminalNorJournal() async throws {
        let (terminal, journal) = try await traces { _, secret in
            String(repeating: "x", count: 1_024 - secret.count + 1) + secret
        }
        for count in [10, 19, 20] {
            let part = "memory-client-secret".prefix(count)
            #expect(!terminal.contains(part), "the terminal has \(count) letters")
            #expect(!journal.contains(part), "the journal has \(count) letters")
        }
    }
}

/// What our process leaves behind for others to find.
@Suite struct PrivateProcessTests {
    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// A program that waits for its input, and what the system says of it while it waits.
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

/// Answers no request.
private struct Silent: SimulatorService {
    func answer(_ request: HTTPRequest) async -> SimulatorResponse { .noReply }
}
