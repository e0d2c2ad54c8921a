import Foundation
import PaymentBase
import Testing

@testable import PaymentCLI

/// What `payctl conformance` plays instead of its checks.
@Suite struct ConformanceOptionTests {
    @Test func readings_namedTwice_arePlayedBoth() async throws {
        let run = await CommandRun.of([
            "conformance", "ni-kit", "--reading", "ni.sdk.session/2", "--reading", "ni.void.scope/2", "--every", "40",
            "--format", "json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let played = try run.json["providers"]?[0]?["readings"]?.array ?? []
        #expect(Set(played.compactMap { $0["id"]?.string }) == ["ni.sdk.session/2", "ni.void.scope/2"])
        let unknown = await CommandRun.of([
            "conformance", "ni-kit", "--reading", "ni.sdk.session/2", "--reading", "ni.none",
        ])
        #expect(unknown.status == 2 && unknown.errors.first?.contains("ni.none") == true, "\(unknown.errors)")
    }

    @Test func faults_oneOfMany_sayTheirSeedAndWhatTheyPassOver() async throws {
        let words = ["conformance", "memory", "ni-kit", "--faults", "--every", "97", "--seed", "5"]
        let run = await CommandRun.of(words + ["--format", "json"])
        #expect(run.status == 0, "\(run.errors) \(run.text.prefix(500))")
        let json = try run.json
        #expect(try OutputSchemas.problems(words, json) == [])
        #expect(json["seed"]?.string == "5" && json["every"]?.string == "97")
        let (memory, kit) = (json["providers"]?[0], json["providers"]?[1])
        let played = try #require(memory?["cases"]?.int64)
        let passedOver = try #require(memory?["passedOver"]?.int64)
        #expect(played > passedOver / 97 && played < passedOver / 4, "\(played) of \(passedOver + played)")
        // Every case that is declared to stay open is played, and stays open.
        #expect(kit?["open"]?.int64 == 57 && kit?["problems"]?.array?.isEmpty == true)
        let text = await CommandRun.of(["conformance", "memory", "--faults", "--every", "400", "--seed", "6"])
        #expect(text.out.first == "Seed 6, one case of 400, and every case at a place that the harness declares.")
    }

    @Test func faults_besideWhatNeedsChecks_areRefused() async throws {
        for words in [["--readings"], ["--level", "core"], ["--record", "x.jsonl"], ["--reading", "x"]] {
            let run = await CommandRun.of(["conformance", "memory", "--faults"] + words)
            #expect(run.status == 2 && run.errors.first?.contains("--faults plays no check") == true, "\(run.errors)")
        }
    }

    @Test func optionsThatDoNothing_areRefused() async throws {
        let shop = try CommandShop()
        let file = "\(shop.folder)/readings.json"
        let short = ["conformance", "ni-kit", "--reading", "ni.sdk.session/2", "--every", "40"]
        let reported = await CommandRun.of(short + ["--report", file])
        #expect(reported.status == 2 || FileManager.default.fileExists(atPath: file), "\(reported.text)")
        for words in [
            short + ["--record", "\(shop.folder)/r.jsonl"], short + ["--pairs"],
            ["conformance", "memory", "ni-kit", "--reading", "ni.sdk.session/2", "--every", "40"],
            ["conformance", "memory", "--level", "core", "--every", "5"],
            ["conformance", "memory", "--level", "core", "--pairs"],
        ] {
            let run = await CommandRun.of(words)
            #expect(run.status == 2, "\(words): \(run.text.prefix(200))")
        }
    }

    @Test func faults_overSockets_doNotSayThatEveryCaseIsPlayed() throws {
        let out = Locked([String]())
        let console = Console(out: { line in out.withLock { $0.append(line) } }, error: { _ in })
        let given = try GivenArguments(["--faults", "--front", "sockets"], takes: Command.conformance.takes)
        let call = try Invocation(given, .builtin, console)
        _ = try FaultsRun(
            harnesses: [], seed: 1, every: 1, walksPairs: false, walksClassesOnly: true, files: ReportFiles(given)
        ).play(call)
        let first = out.withLock { $0.first ?? "" }
        #expect(!first.contains("every case") && first.contains("one fault of each class"), "\(first)")
    }
}
