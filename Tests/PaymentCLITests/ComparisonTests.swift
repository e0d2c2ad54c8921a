import Foundation
import PaymentConformance
import PaymentHarnesses
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import Testing

@testable import PaymentCLI

/// What a comparison says about what it played, and about what it did not play.
@Suite struct ComparisonTests {
    @Test func links_areThoseOfEveryHarness_andStandInTheReadme() throws {
        let names = Set(HarnessRegistry.builtin.harnesses.map(\.name))
        #expect(names == Set(ComparedLink.builtin.keys))
        for (name, link) in ComparedLink.builtin where link.adapter != "memory" {
            let text = try String(contentsOf: OutputSchemas.root.appending(path: "README.md"), encoding: .utf8)
            let table = text.split(separator: "\n").drop { !$0.hasPrefix("| provider | link") }
            #expect(table.contains { $0.contains("`\(link.link)`") }, "\(name): \(link.link)")
        }
        #expect(ComparedLink.builtin["arise"]?.isReal(.reader) == false)
        #expect(ComparedLink.builtin["arise"]?.isReal(.card) == true)
        #expect(
            ComparedLink.builtin["arise"]?.isReal(nil) == false
                && ComparedLink.builtin["arise-kit"]?.isReal(nil) == true)
        #expect(ComparedLink.builtin["ecommpay"]?.isReal(nil) == false)
    }

    /// The adapters say the same of their links.
    @Test func realLinks_areThoseOfARealEnvironment() throws {
        for (name, link) in ComparedLink.builtin where link.adapter != "memory" {
            let entry = try #require(CommandRegistry.builtin.providers.entry(link.adapter))
            let described = try #require(entry.links.first { $0.name == link.link }, "\(name)")
            let hosts = Set(entry.environments.filter { !$0.allowsPlainHTTP }.map(\.name))
            let isReal = described.kind != .simulated && !hosts.isDisjoint(with: described.environments)
            #expect(PaymentSource.Kind.allCases.contains { link.isReal($0) } == isReal, "\(name)")
            if let limit = described.limits["production"] {
                #expect(link.isReal(.reader) == !limit.contains("It takes no taps"), "\(name)")
            }
        }
    }

    private static func compared(_ words: String...) async throws -> (providers: [String], links: [String]) {
        let run = await CommandRun.of(["compare", "--scenario", "sale", "--format", "json"] + words)
        #expect(run.status == 0, "\(words): \(run.errors)")
        let json = try run.json
        func texts(_ name: String) -> [String] { (json[name]?.array ?? []).compactMap(\.string) }
        return (texts("providers"), texts("links"))
    }

    @Test func providerNamedAlone_isPlayedOverALinkThatProductionHas() async throws {
        let usual = try await Self.compared("arise", "adyen")
        #expect(usual.providers == ["arise-kit", "adyen"])
        #expect(
            usual.links == [
                "arise-kit: arise over its link kit, simulated. You named arise: arise-kit was played, a link that a real "
                    + "account has. Not played was arise-reader: money from reader over the link reader exists in the "
                    + "simulator only.",
                "adyen: adyen over its link cloudSync, simulated",
            ])
        // Typed cards are published, and then the link of the name stays.
        #expect(
            try await Self.compared("arise", "ecommpay", "--source", "card").providers == ["arise", "ecommpay-gate"])
        #expect(try await Self.compared("ecommpay", "adyen").providers == ["ecommpay-gate", "adyen"])
        #expect(try await Self.compared("ecommpay", "arise", "--source", "page").providers.first == "ecommpay-page")
        #expect(try await Self.compared("memory", "halo").providers == ["memory", "halo"])
        #expect(try await Self.compared("arise", "adyen", "--environment", "real").providers == usual.providers)
    }

    @Test func linkOfTheSimulatorAlone_isPlayedIfItIsNamed_andSaysSo() async throws {
        let own = try await Self.compared("arise-reader", "adyen-cloudSync")
        #expect(own.providers == ["arise", "adyen"])
        #expect(
            own.links.first
                == "arise: arise over its link reader, simulated; money from reader over the link reader exists in the "
                + "simulator only"
        )
        let session = try await Self.compared("ecommpay-simulated", "ecommpay-gate")
        #expect(session.providers == ["ecommpay", "ecommpay-gate"])
        #expect(session.links.first?.hasSuffix("the link simulated exists in the simulator only") == true)
        #expect(try await Self.compared("arise", "arise-kit").providers == ["arise", "arise-kit"])
        let real = await CommandRun.of(["compare", "arise-reader", "halo", "--environment", "real"])
        #expect(real.status == 2 && real.errors.first?.contains("compare arise-kit") == true, "\(real.errors)")
    }

    @Test func scenarioThatIsNotPlayed_isExplainedAndInNoCount() async throws {
        let run = await CommandRun.of(["compare", "arise", "adyen", "--scenario", "sale", "--scenario", "expired"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.text.contains("expired at arise-kit: not played: expiredCard can't be brought about"), "\(run.text)")
        #expect(!run.text.contains("approved in"), "\(run.text)")
        let short = await CommandRun.of(["compare", "arise", "adyen"])
        let words = short.out.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        #expect(words.contains("simulations of this package were compared"), "\(short.text)")
        #expect(words.contains("money from reader over the link reader exists in the simulator only"))
        let rows = short.out.filter { $0.hasPrefix("expired") || $0.hasPrefix("wrong-code") }
        #expect(rows.isEmpty, "\(rows)")
    }

    /// A row says what was done, and no cell is cut: what it says of the money stands at its end.
    @Test func rowInTheTerminal_saysWhatWasDone_andCutsNothing() async throws {
        let run = await CommandRun.of(["compare", "arise", "adyen"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.text.contains("…"), "\(run.text)")
        // Why a scenario was not played is one line each.
        let rows = run.out.prefix { !$0.hasPrefix("only ") }
        #expect(rows.allSatisfy { $0.count <= 80 }, "\(rows.filter { $0.count > 80 })")
        #expect(rows.contains("capture-released: The till captures what it let go before."))
        #expect(run.out.filter { $0.hasPrefix("  arise-kit: arise over its link kit") }.count == 1, "\(run.text)")
        let words = rows.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("refused by the client, nothing sent"), "\(words)")
        #expect(!words.contains("notExecuted"), "\(words)")
        // What the till does not know, the books do.
        #expect(words.contains("booked: charge all") && words.contains("booked: nothing"), "\(words)")
    }

    /// A till with a wrong key has to be set right; that the provider shows nothing of the sale doesn't change that.
    @Test(arguments: [
        ("refused-access", "it refuses the access (authentication)"),
        ("too-fast", "too many requests (rateLimited)"),
    ])
    func refusedSale_thatTheProviderShowsNothingOf_keepsItsReason(_ scenario: String, _ code: String) async throws {
        let run = await CommandRun.of(["compare", "arise", "adyen", "--scenario", scenario, "--format", "json"])
        let seen = try run.json["scenarios"]?.array?.first?["observations"]?["adyen"]
        #expect(seen?["result"]?.string == "refused by the provider: \(code); no money moved", "\(run.text)")
    }

    /// Each id is followed to the contract that it names.
    @Test func sources_areCallsOfAPublishedContract_orAssumptions() async throws {
        var published = 0
        for pair in [["arise", "adyen"], ["ecommpay-gate", "halo"], ["ni-kit", "arise-kit"]] {
            let words = ["sale", "refund", "reply-lost"].flatMap { ["--scenario", $0] }
            let run = await CommandRun.of(["compare"] + pair + words + ["--format", "json"])
            #expect(run.status == 0, "\(run.errors)")
            for scenario in try run.json["scenarios"]?.array ?? [] {
                for (name, source) in scenario["sources"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
                    let adapter = try #require(ComparedLink.builtin[name]?.adapter)
                    let contract = try #require(SimulatorRegistry.contracts[adapter])
                    let said = (source["published"]?.array ?? []).compactMap(\.string)
                    #expect(!said.isEmpty && said.allSatisfy { contract.describes($0) }, "\(name): \(said)")
                    published += said.count
                }
            }
        }
        #expect(published > 10)
        var source = ResultSource(recording: "x.jsonl")
        source.published = ["POST /nowhere"]
        #expect(source.unknown(of: "adyen") == ["POST /nowhere"] && source.words == "recording x.jsonl")
        // ARISE publishes no path for a tap, and the comparison says so.
        let tap = await CommandRun.of(["compare", "arise-reader", "adyen", "--scenario", "sale"])
        #expect(tap.text.contains("our assumption of POST /pay-api/v1/transactions/tap-to-pay"), "\(tap.text)")
    }

    @Test func page_hasNoMarkForWhatWasNotPlayedAndNoCrossForADifference() throws {
        let harnesses = try ["arise", "adyen"].map { try #require(HarnessRegistry.builtin[$0]) }
        let comparison = try ProviderComparison(harnesses)
        let rows = ["sale", "expired", "refund"].compactMap { name in Scenario.all.first { $0.name == name } }
            .map { comparison.play($0) }
        let report = ComparisonReport(
            providers: comparison.providers, source: comparison.source, links: ["a", "b"], capabilities: [], rows: rows)
        let tables = report.document.parts.compactMap { part in
            if case .table(let table) = part { table } else { nil }
        }
        let scenarios = tables.first { $0.title == "Scenarios by provider" }
        let moods = (scenarios?.rows ?? []).map { "\($0.cells[0].lines[0]) \($0.mood)" }
        #expect(moods == ["sale good", "expired plain", "refund doubt"])
        #expect(tables.allSatisfy { $0.rows.allSatisfy { $0.mood != .bad } })
        #expect(report.document.facts.map(\.name) == ["payments", "commit", "date", "machine"])
        #expect(report.reasons.map(\.scenario) == ["expired"])
        // Green says that all was done as asked, which no comparison says as a whole.
        #expect(report.document.mood == .plain)
    }
}

/// Landmarks by which a screen reader jumps through a page.
@Suite struct LandmarkTests {
    @Test(arguments: PageSamples.names) func landmarks_haveANameOfTheirOwn(_ name: String) async throws {
        let page = try await PageSamples.page(name)
        let named = page.matches(
            of: #/<(?:section|div role="region"|div class="wide" role="region") aria-labelledby="([^"]+)"/#)
        let ids = named.map { String($0.output.1) }
        #expect(!ids.isEmpty && Set(ids).count == ids.count, "\(name): \(ids)")
    }
}
