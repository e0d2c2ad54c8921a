import Foundation
import PaymentBase
import Testing

/// Cassettes, as somebody records and plays them.
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

    @Test func theSuiteKeepsWhatPassed() async throws {
        let path = file("checks.jsonl")
        _ = try await json("conformance", "memory", "--level", "core", "--record", path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"take\":\"sale.approved\"") && !text.contains("memory-client-secret"))
        #expect(text.hasPrefix("{\"cassette\":2,\"provider\":\"memory\",\"environment\":\"simulated\""))
        for words in [
            ["cassette", "record", "memry", path], ["cassette", "record", "memory", path, "--scenario", "sael"],
            ["cassette", "record", "adyen", path, "--reading", "adyen.no-such"], ["compare", "--old", path],
            ["conformance", "memory", "halo", "--record", path], ["readings", "check", path],
        ] {
            let run = await CommandRun.of(words)
            #expect(run.status == 2, "\(words): \(run.text.prefix(200))")
        }
    }
}
