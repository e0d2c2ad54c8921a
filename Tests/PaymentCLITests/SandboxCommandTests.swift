import Foundation
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestPrograms
import PaymentTestServers
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct SandboxCommandTests {
    @Test func anOpenRequestFinishesAfterTheSignal() async throws {
        let process = try SandboxProcess()
        let transport = CurlTransport()
        let control = JSONClient(transport, process.control)
        // The provider holds the answer back, so that the request is open when the signal comes.
        let rule: JSON = ["fault": "reply.late", "delayMilliseconds": 1_500]
        _ = try await control.send("POST", "/faults", body: rule)
        let provider = JSONClient(transport, process.memory)
        async let token = provider.send("POST", "/token", body: ["secret": "memory-client-secret"])
        var played = 0
        while played == 0 { played = try await control.send("GET", "/faults").body?["played"]?.array?.count ?? 0 }
        process.terminate()
        #expect(try await token.body?["token"]?.string?.hasPrefix("mt_") == true)
        let (code, rest, errors) = process.end()
        #expect(code == 0 && rest.isEmpty)
        #expect(errors.contains("sandbox: stopped"))
        await transport.close()
    }

    @Test func anInterruptEndsItToo() throws {
        let process = try SandboxProcess(["--provider", "memory"])
        #expect(process.line["providers"]?.object?.members.map(\.key) == ["memory"])
        #expect(process.line["certificate"] == nil)
        process.interrupt()
        #expect(process.end().code == 0)
    }

    /// A flood of one provider's port, where a process has few descriptors, and where it has few until it asks.
    @Test(arguments: [(200, 200, false), (200, 1_000, true)])
    func theControlAddressAnswersDuringAFlood(_ first: Int, _ most: Int, _ isAllTaken: Bool) async throws {
        let process = try SandboxProcess(["--provider", "memory"], descriptors: (first, most))
        let flood = try (0..<400).map { _ in try TestSocket.connect(port: process.memory.port) }
        defer { for socket in flood { TestSocket.close(socket) } }
        let transport = CurlTransport()
        let control = JSONClient(transport, process.control)
        // The program's own view: what was too much is closed at once, and what was taken stays. It takes them one after the
        // other, and may not have come to all of them when it answers first.
        let descriptors = "/proc/\(process.number)/fd"
        var open = 0
        for turn in 0..<500 where turn < 5 || isAllTaken && open <= 400 {
            #expect(try await control.send("GET", "/clock").status == 200)
            open = try FileManager.default.contentsOfDirectory(atPath: descriptors).count
        }
        #expect(isAllTaken ? open > 400 : open < 200, "\(open) descriptors are open")
        await transport.close()
        process.terminate()
        #expect(process.end().code == 0)
    }

    @Test func theCertificateCanBeTrusted() async throws {
        let process = try SandboxProcess(["--tls"])
        #expect(process.memory.scheme == .https && process.control.scheme == .http)
        var configuration = CurlTransport.Configuration()
        configuration.roots = .pem(try #require(process.line["certificate"]?.string))
        let transport = CurlTransport(configuration)
        let response = try await transport.send(HTTPRequest("GET", process.memory, "/settings"))
        #expect(response.status == 401)
        await transport.close()
        process.terminate()
        #expect(process.end().code == 0)
    }

    @Test func theStateOutlivesTheProcess() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "state.json").path
        var token = ""
        for turn in 0..<2 {
            let process = try SandboxProcess(["--state", file])
            let provider = JSONClient(CurlTransport(), process.memory)
            if turn == 0 {
                let reply = try await provider.send("POST", "/token", body: ["secret": "memory-client-secret"])
                token = reply["token"]?.string ?? ""
            }
            #expect(try await provider.send("GET", "/settings", bearer: Secret(token)).status == 200)
            process.terminate()
            #expect(process.end().code == 0)
        }
    }

    @Test func messagesArePostedWhereTheCommandSays() async throws {
        let (receiver, transport) = (ReceivingService(), CurlTransport())
        let server = try SimulatorServer()
        let origin = try await server.listen(receiver)
        let process = try SandboxProcess(["--provider", "memory", "--notify", "memory=\(origin)/hooks?till=1"])
        let (control, provider) = (JSONClient(transport, process.control), JSONClient(transport, process.memory))
        let secret: JSON = ["secret": "memory-client-secret"]
        let token = Secret(try await provider.send("POST", "/token", body: secret)["token"]?.string ?? "")
        let sale: JSON = [
            "attempt": "a-1", "kind": "sale", "amount": ["minorUnits": 3_015, "currency": "EUR"],
            "source": ["kind": "card", "number": "4111111111111111"],
        ]
        #expect(try await provider.send("POST", "/payments", body: sale, bearer: token)["state"] == "pending")
        let decision: JSON = ["attempt": "a-1", "outcome": "succeeds"]
        #expect(try await control.send("POST", "/decisions/memory", body: decision).status == 200)
        let heard = await receiver.first.value()
        #expect(heard.target == "/hooks?till=1" && heard.headers["x-memory-secret"] == "memory-webhook-secret")
        #expect(try JSONReader().read(heard.body)["attempt"] == "a-1")
        process.terminate()
        #expect(process.end().code == 0)
        await server.stop()
        await transport.close()
    }

    @Test func wrongUsageIsExplained() throws {
        for (arguments, words) in [
            (["--provider", "memry"], "did you mean memory?"), (["--port", "x"], "--port needs a number"),
            (["--port", "70000"], "--port needs a number"), (["--provider", ","], "--provider needs a name"),
            (["--prot", "1"], "did you mean --port?"), (["--state", "/"], "/ can't be used: it is no ordinary file"),
            (["--notify", "memory"], "--notify needs NAME=URL"), (["--notify", "memory=ftp://x"], "needs NAME=URL"),
            (["--provider", "halo", "--notify", "memory=http://x/"], "none of the providers that are opened"),
        ] {
            let refused = try SandboxProcess.refusal(arguments)
            #expect(refused.code == 2 && refused.output.isEmpty)
            #expect(refused.words.contains(words), "\(refused.words)")
        }
    }
}

/// Takes what is posted to it, and keeps the first.
private struct ReceivingService: SimulatorService {
    let first = Promise<HTTPRequest>()

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        first.fulfill(request)
        return .empty()
    }
}

/// Callbacks that anyone may send: how much memory the program takes before it refuses their signature.
@Suite(.serialized) struct HostileCallbackTests {
    /// How much the program may take at most, in kibibytes.
    private static let kibibytesMax = 100 * 1_024

    @Test(arguments: HostileMessage.allCases, [48 * 1_024, 1_000_000])
    func callback_unsignedAndHostile_takesLittleMemory(shape: HostileMessage, bytes: Int) throws {
        let key = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(
            FileManager.default.createFile(
                atPath: key.path, contents: Data("made-up".utf8), attributes: [.posixPermissions: 0o600]))
        defer { try? FileManager.default.removeItem(at: key) }
        // The mark never sinks, and the process ends some time after it has printed its answer; one that ended before it was looked
        // at is run again.
        var peak = 0
        for _ in 1...50 where peak == 0 {
            let program = try TestProgram(
                try SandboxProcess.program().path,
                ["webhook", "ecommpay", "--key", "file:\(key.path)", "--merchant", "1234", "-"])
            #expect(program.write(shape.body(bytes, signature: HostileMessage.wellFormedSignature)))
            program.closeInput()
            while program.isRunning { peak = max(peak, Self.highWaterMark(of: program.processIdentifier) ?? 0) }
            let run = program.finish()
            #expect(run.code == 1 && run.output.hasPrefix("not verified"), "\(run)")
        }
        #expect((1...Self.kibibytesMax).contains(peak), "\(peak) KiB")
    }

    /// The most memory that a process had so far, in kibibytes; nil when it has ended.
    private static func highWaterMark(of process: Int32) -> Int? {
        let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
