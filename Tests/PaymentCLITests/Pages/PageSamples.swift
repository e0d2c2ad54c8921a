import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulation
import PaymentTransport
import Testing

@testable import PaymentCLI

/// One page of each kind, made by the commands themselves where they can be had to fail.
enum PageSamples {
    /// The kinds.
    static let names = [
        "conformance", "compare", "reconcile", "live", "live-replay", "switch-plan", "simulation", "show",
    ]

    /// Made once for all tests.
    static let all = Task { try await make() }

    static func page(_ name: String) async throws -> String { try #require(try await all.value[name]) }

    private static func make() async throws -> [String: String] {
        let live = try await livePages()
        return [
            "conformance": conformance, "compare": try await compare(), "reconcile": try await reconcile(),
            "live": live.run, "live-replay": live.replay, "switch-plan": try await switchPlan(),
            "simulation": try simulation(), "show": try await show(),
        ]
    }

    /// All providers, of which one hears nothing about refunds.
    private static var conformance: String {
        let checks = Check.all.filter { [.sale, .refund, .lookup].contains($0.family) }
        let reports = ["arise", "adyen", "memory", "halo"].compactMap { name -> ProviderConformance? in
            guard let harness = HarnessRegistry.builtin[name] else { return nil }
            var conformance = ConformanceRunner(harness)
            if name == "memory" { conformance.mutant = unanswered }
            return conformance.run(checks)
        }
        return ConformanceReport(reports).html
    }

    /// Never hears what became of a refund.
    private static var unanswered: Mutant {
        var mutant = Mutant("refund.unheard", "Loses what is said about refunds.", caughtBy: "refund.all")
        mutant.interceptor = {
            Interceptor { (request, next) async throws(TransportFailure) in
                if request.path.hasSuffix("/refund") { throw .maybeSent(.connectionReset) }
                return try await next(request)
            }
        }
        return mutant
    }

    private static var declining: Mutant {
        var mutant = Mutant("approval.as-decline", "Takes approvals for declines.", caughtBy: "sale.approved")
        mutant.interceptor = {
            Interceptor { (request, next) async throws(TransportFailure) in
                var reply = try await next(request)
                if request.path.hasSuffix("/payments") {
                    let text = String(decoding: reply.body, as: UTF8.self)
                    reply.body = Array(text.replacing("\"approved\"", with: "\"declined\"").utf8)
                }
                return reply
            }
        }
        return mutant
    }

    private static func compare() async throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let scenarios = ["sale", "authorize", "capture-part", "void", "refund-part"].flatMap { ["--scenario", $0] }
        let run = await CommandRun.of(["compare", "arise", "adyen", "halo"] + scenarios + ["--report", path])
        #expect(run.status == 0, "\(run.errors)")
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// A till whose journal doesn't know what another one sold, and a line that can't be read.
    private static func reconcile() async throws -> String {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        let other = "\(shop.folder)/other.json"
        try String(contentsOfFile: shop.path, encoding: .utf8).replacing("simulation.sqlite", with: "other.sqlite")
            .write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        for number in 1...6 {
            _ = await CommandRun.of([
                "sale", "\(number * 7).50", "EUR", "--reference", "till-2-order-\(number)", "--config", other,
                "--state",
                shop.state,
            ])
        }
        let day = Date.now.formatted(.iso8601.year().month().day())
        let run = await shop.run(
            "reconcile", "memory", "--from", day, "--to", day, "--report", "\(shop.folder)/page.html")
        #expect(run.status == 1, "\(run.errors)")
        return try String(contentsOfFile: "\(shop.folder)/page.html", encoding: .utf8)
    }

    /// A run at a foreign process, and its recording with another amount in one of the requests.
    private static func livePages() async throws -> (run: String, replay: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) -> String { folder.appending(path: name).path }
        let process = try SandboxProcess(["--provider", "adyen,memory", "--write-config", file("p.json")])
        let words = [
            "conformance", "adyen", "--live", "--config", file("p.json"), "--state", file("state"), "--by", "a script",
        ]
        let run = await CommandRun.of(
            words + ["--record", file("live.jsonl"), "--report", file("live.html")],
            answers: ["30.00", "", "", "skip the till is closed"])
        #expect(run.status == 0, "\(run.errors)")
        process.terminate()
        _ = process.end()
        let text = try String(contentsOfFile: file("live.jsonl"), encoding: .utf8)
        let other = text.replacing("\"RequestedAmount\":10.00", with: "\"RequestedAmount\":12.00")
        #expect(other != text)
        try other.write(toFile: file("live.jsonl"), atomically: true, encoding: .utf8)
        let replay = await CommandRun.of(
            words + ["--cassette", file("live.jsonl"), "--report", file("replay.html")])
        #expect(replay.status == 1, "\(replay.errors)")
        return (
            try String(contentsOfFile: file("live.html"), encoding: .utf8),
            try String(contentsOfFile: file("replay.html"), encoding: .utf8)
        )
    }

    private static func switchPlan() async throws -> String {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "USD", "--provider", "arise", "--attempt", "s-1")
        _ = await shop.run("void", id)
        _ = await shop.run("authorize", "--unreferenced", "30", "USD", "--provider", "arise", "--attempt", "s-2")
        _ = await shop.run("capture", "s-2", "10")
        let run = await shop.run("switch", "plan", "arise", "adyen", "--report", "\(shop.folder)/page.html")
        #expect(run.status == 0, "\(run.errors)")
        return try String(contentsOfFile: "\(shop.folder)/page.html", encoding: .utf8)
    }

    /// Worlds with nothing wrong, and one whose driver takes approvals for declines.
    private static func simulation() throws -> String {
        var report = SimulationReport()
        let memory = try #require(HarnessRegistry.builtin["memory"])
        for seed in 1...3 as ClosedRange<UInt64> {
            report.add(try ChaosTest(memory, beside: HarnessRegistry.builtin["arise"]).run(seed: seed, operations: 80))
        }
        var broken = try ChaosTest(memory)
        broken.mutant = declining
        let run = try broken.run(seed: 4, operations: 80)
        #expect(run.violation != nil)
        report.add(run, shrunk: try broken.shrunk(run))
        report.milliseconds = 1_234
        return report.document.html
    }

    private static func show() async throws -> String {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        _ = await shop.run("refund", id, "5", "--attempt", "r-1")
        let run = await shop.run("show", id, "--report", "\(shop.folder)/page.html")
        #expect(run.status == 0, "\(run.errors)")
        return try String(contentsOfFile: "\(shop.folder)/page.html", encoding: .utf8)
    }
}
