import AllProviders
import Foundation
import PaymentConformance
import PaymentCore
import PaymentProviderKit
import PaymentTestTill
import Payments
import Testing

@testable import PaymentCLI

/// Cassettes, as a person records and plays them.
@Suite struct CassetteCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cassettes-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    private func json(_ words: String..., status: Int32 = 0) async throws -> JSON {
        let run = await CommandRun.of(words + ["--format", "json"])
        #expect(run.status == status, "\(words): \(run.text.prefix(500)) \(run.errors)")
        let json = try run.json
        #expect(try OutputSchemas.problems(words, json) == [])
        return json
    }

    @Test(arguments: ["adyen", "memory"]) func theExamplesArePlayedByTodaysDrivers(_ name: String) async throws {
        let path = OutputSchemas.root.appending(path: "Examples/cassettes/\(name).synthetic.jsonl").path
        let played = try await json("cassette", "play", path)
        #expect(played["environment"]?.string == "simulated" && played["takes"]?.int64 == 5)
        let compared = try await json("compare", "--old", path, "--new", name, "--scenario", "sale")
        #expect(compared["scenarios"]?[0]?["differs"]?.array?.isEmpty == true)
        let other = try await json("compare", path, "halo", "--scenario", "sale", "--scenario", "void")
        #expect(other["notCompared"]?.int64 == 2 && other["undeclared"]?.array?.isEmpty == true)
    }

    @Test func aCassetteStrikesOutWhatItContradicts() async throws {
        let (usual, other) = (file("usual.jsonl"), file("other.jsonl"))
        _ = try await json("cassette", "record", "adyen", usual, "--scenario", "sale")
        _ = try await json(
            "cassette", "record", "adyen", other, "--scenario", "sale", "--reading", "adyen.receipt.missing")
        func verdict(_ path: String) async throws -> [String: String] {
            let found = try await json("readings", "check", path)
            #expect(found["synthetic"]?.bool == true)
            let pairs = (found["readings"]?.array ?? []).compactMap { one in
                one["id"]?.string.flatMap { id in one["verdict"]?.string.map { (id, $0) } }
            }
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
        let (one, two) = (try await verdict(usual), try await verdict(other))
        #expect(one["adyen.receipt.missing"] == "contradicted" && two["adyen.receipt.missing"] == "supported")
        #expect(one["adyen.poidata.missing"] == "contradicted" && two["adyen.poidata.missing"] == "contradicted")
        #expect(one["adyen.webhook.delivery.none"] == "silent")
    }

    @Test func aCassetteThatNoLongerFitsIsShownByExchange() async throws {
        let path = file("memory.jsonl")
        _ = try await json("cassette", "record", "memory", path, "--scenario", "sale")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing(
            "\"minorUnits\":5000,\"currency\":\"EUR\"},\"reference\"",
            with: "\"minorUnits\":50,\"currency\":\"EUR\"},\"reference\""
        )
        .write(toFile: path, atomically: true, encoding: .utf8)
        let played = try await json("cassette", "play", path, status: 1)
        let difference = played["differences"]?[0]
        #expect(difference?["member"]?.string == "amount.minorUnits" && difference?["recorded"]?.string == "50")
        let cut = file("cut.jsonl")
        try String(text.dropLast(20)).write(toFile: cut, atomically: true, encoding: .utf8)
        let refused = await CommandRun.of(["cassette", "play", cut])
        #expect(refused.status == 2 && refused.errors.first?.contains("was cut off") == true)
    }

    /// A cassette comes from elsewhere: a time that no exchange takes is no cassette, and ends no process.
    @Test(arguments: [
        ("\"milliseconds\":0", "\"milliseconds\":9223372036854775807"), ("\"milliseconds\":0", "\"milliseconds\":-1"),
        ("\"at\":700", "\"at\":-1"), ("\"at\":700", "\"at\":9223372036854775807"),
        ("\"clock\":1767225600000", "\"clock\":9223372036854775807"),
        ("\"clock\":1767225600000", "\"clock\":-9223372036854775808"),
    ])
    func cassette_withATimeThatNothingTakes_isRefused(_ old: String, _ new: String) throws {
        let example = OutputSchemas.root.appending(path: "Examples/cassettes/memory.synthetic.jsonl")
        let text = try String(contentsOf: example, encoding: .utf8)
        let path = file("times.jsonl")
        try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
        let run = try SandboxProcess.plain(["cassette", "play", path])
        #expect(run.code == 2 && run.words.contains("line"), "\(run.code): \(run.words.prefix(300))")
    }

    /// A recording of a real account has its payments.
    @Test func recording_isWrittenForItsOwnerAlone() async throws {
        let path = file("own.jsonl")
        _ = try await json("cassette", "record", "memory", path, "--scenario", "sale")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func theSuiteKeepsWhatPassed() async throws {
        let path = file("checks.jsonl")
        _ = try await json("conformance", "memory", "--level", "core", "--record", path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"take\":\"sale.approved\"") && !text.contains("memory-client-secret"))
        #expect(text.hasPrefix("{\"cassette\":2,\"provider\":\"memory\",\"environment\":\"simulated\""))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        for words in [
            ["cassette", "record", "memry", path], ["cassette", "record", "memory", path, "--scenario", "sael"],
            ["cassette", "record", "adyen", path, "--reading", "adyen.no-such"], ["compare", "--old", path],
            ["conformance", "memory", "halo", "--record", path], ["readings", "check", path],
        ] {
            let run = await CommandRun.of(words)
            #expect(run.status == 2, "\(words): \(run.text.prefix(200))")
        }
    }

    /// What nothing here can play was not compared.
    @Test func cassette_ofTakesThatNothingPlays_isNotCalledAsItWasRecorded() async throws {
        let path = file("live.jsonl")
        _ = try await json("cassette", "record", "memory", path, "--scenario", "sale")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("\"take\":\"sale\"", with: "\"take\":\"live.sale\"")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let played = await CommandRun.of(["cassette", "play", path])
        #expect(played.status != 0 && !played.text.contains("everything is as it was recorded"), "\(played.text)")
    }
}

/// Live runs: against our own simulated provider as a foreign process, with the person's part played by a script.
@Suite struct LiveTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    private func live(_ words: String..., answers: [String]? = nil) async throws -> (run: CommandRun, json: JSON) {
        let all = ["conformance", "adyen", "--live", "--config", file("p.json"), "--state", file("state")] + words
        let run = await CommandRun.of(all + ["--format", "json"], answers: answers)
        let json = try run.json
        #expect(try OutputSchemas.problems(["conformance", "--live"], json) == [])
        return (run, json)
    }

    private func statuses(_ json: JSON) -> [String] {
        (json["checks"]?.array ?? []).compactMap { $0["status"]?.string }
    }

    @Test func aLiveRunIsRecordedAndPlayedAgainAndABrokenMappingIsShown() async throws {
        let process = try SandboxProcess(["--provider", "adyen,memory", "--write-config", file("p.json")])
        let path = file("live.jsonl")
        let (run, json) = try await live(
            "--record", path, "--by", "a script", "--amount", "12.00",
            answers: ["36.00", "", "", "skip the till is closed"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(statuses(json) == ["proven", "proven", "proven", "proven", "skipped"])
        #expect(json["checks"]?[4]?["detail"]?.string == "the till is closed" && json["by"]?.string == "a script")
        let closed = json["closed"]?.array ?? []
        // Voids and refunds are received, and a webhook decides them.
        let words = closed.compactMap { $0["words"]?.string }
        #expect(closed.allSatisfy { $0["closed"]?.bool == false } && words.count == 2, "\(words)")
        #expect(words.contains { $0.contains("received, and not decided") }, "\(words)")
        #expect(words.contains { $0.contains("undone by its check (pending") }, "\(words)")
        process.terminate()
        _ = process.end()

        // No server listens any more: what comes now comes off the recording.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("adyen-sandbox-api-key") && text.contains("\"take\":\"live.void\""))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let (again, same) = try await live("--cassette", path)
        // What was asked for then is asked for now, also where no option says that it is a live run.
        let alone = await CommandRun.of(
            ["conformance", "adyen", "--config", file("p.json"), "--cassette", path, "--format", "json"])
        #expect(alone.status == 0, "\(alone.errors)")
        #expect(try alone.json["checks"] == json["checks"])
        #expect(same["replay"]?.bool == true && same["checks"] == json["checks"], "\(same)")
        #expect(same["closed"] == json["closed"] && same["differences"]?.array?.isEmpty == true, "\(same)")
        #expect(again.status == 0, "\(again.errors)")

        let (results, shown) = try await played(path) { request in
            let text = String(decoding: request.body, as: UTF8.self)
            request.body = Array(text.replacing("\"RequestedAmount\":12.00", with: "\"RequestedAmount\":1000").utf8)
        }
        #expect(results.first { $0.check.id == "live.sale" }?.status == .proven, "the answer is the recorded one")
        let member = "SaleToPOIRequest.PaymentRequest.PaymentTransaction.AmountsReq.RequestedAmount"
        let sale = shown.filter { $0.take == "live.sale" }
        #expect(
            sale.map(\.member) == [member] && sale.first?.recorded == "12.00" && sale.first?.now == "1000", "\(sale)")
    }

    /// A recording, played to a driver whose requests are changed on their way out.
    private func played(
        _ path: String, _ breaking: @escaping @Sendable (inout HTTPRequest) -> Void
    ) async throws -> ([LiveRun.Result], [ReplayDifference]) {
        let cassette = try Cassette(text: Array(try Data(contentsOf: URL(filePath: path))))
        let player = SectionReplayTransport(cassette, clock: SystemClock())
        let configuration = try PaymentConfiguration.load(file("p.json"), registry: .builtin)
        let broken = HookTransport(player) { (request, next) async throws(TransportFailure) in
            var request = request
            breaking(&request)
            return try await next(request)
        }
        let client = try await PaymentClient.open(configuration: configuration, folder: folder.path) { options in
            (options.journal, options.transport) = (.memory, broken)
        }
        let run = LiveRun(
            client: client, provider: ProviderID(rawValue: "adyen"), amount: try Money("12.00", .eur), paymentsMax: 1,
            within: .seconds(30), run: LiveCommand.name(cassette.header.seed), begin: { player.begin($0, hiding: []) },
            ask: nil
        )
        return (try await run.play { _ in }.results, player.differences)
    }

    @Test func nothingIsTriedWhereMoneyMayBeRealOrIsNotConfirmed() async throws {
        func refusal(
            _ environment: String, _ endpoint: String, _ settings: String = ""
        ) async throws -> String {
            let text = """
                {"active": "till", "journal": {"kind": "memory"}, "providers": {"till": {
                  "adapter": "adyen", "environment": "\(environment)", "merchant": "M", "endpoint": "\(endpoint)",
                  "settings": {"terminal": "V400m-1"\(settings)},
                  "credentials": {"apiKey": "env:NO_SUCH_VARIABLE_HERE"}}}}
                """
            let path = file("\(environment).json")
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let run = await CommandRun.of(["conformance", "till", "--live", "--config", path, "--state", file("s")])
            #expect(run.status == 2, "\(run.text)")
            return run.errors.joined()
        }
        #expect(try await refusal("live", "https://localhost:1").contains("where money may be real"))
        #expect(try await refusal("test", "https://checkout-live.example").contains("where money may be real"))
        // Refunds go to an address of their own.
        let checkout = #", "checkout": "https://abc-checkout-live.example/checkout/v72""#
        let second = try await refusal("test", "https://localhost:1", checkout)
        #expect(second.contains("at abc-checkout-live.example, where money may be real"), "\(second)")
        let idle = await CommandRun.of(["conformance", "adyen", "--amount", "5.00"])
        #expect(idle.status == 2 && idle.errors.joined().contains("--amount goes with --live"))
        let inside = await CommandRun.of(["conformance", "adyen", "--live", "--state", file("s")])
        #expect(inside.status == 2 && inside.errors.joined().contains("simulated within this program"))
        let process = try SandboxProcess(["--provider", "adyen,memory", "--write-config", file("p.json")])
        for answers in [["no"], ["30"], []] {
            let run = await CommandRun.of(
                ["conformance", "adyen", "--live", "--config", file("p.json"), "--state", file("state")],
                answers: answers)
            #expect(run.status == 5 && run.errors.joined().contains("nothing was sent"), "\(answers)")
        }
        process.terminate()
        _ = process.end()
    }
}
