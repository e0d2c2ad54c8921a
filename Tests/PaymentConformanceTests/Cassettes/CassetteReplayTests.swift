import PaymentAbstraction
import PaymentBase
import PaymentHarnesses
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentConformance

/// Recordings of our own simulated providers, played again.
@Suite struct CassetteReplayTests {
    private static func harness(_ name: String) throws -> any ConformanceHarness {
        try #require(HarnessRegistry.builtin[name])
    }

    /// A cassette as a file has it.
    private static func read(_ recorder: CassetteRecorder) throws -> Cassette {
        try Cassette(text: recorder.cassette.text)
    }

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func everyScenarioComesToTheSameOffTheCassette(_ name: String) throws {
        let harness = try Self.harness(name)
        let recorder = CassetteRecorder(harness)
        _ = try recorder.record(Scenario.all)
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (rows, changes) = try player.replayScenarios()
        #expect(rows.count == Scenario.all.count - rows.count { $0.scenario.isEmpty })
        #expect(changes.isEmpty && player.differences.isEmpty, "\(changes.prefix(3)) \(player.differences.prefix(3))")
    }

    @Test func theSuiteRunsOnACassette() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let checks = Check.all.filter { ["sale", "refund", "capture", "void"].contains($0.family.rawValue) }
        let recorded = recorder.record(checks)
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (results, changes) = player.replay()
        #expect(recorded.count { $0.status == .passed } > 40)
        #expect(changes.isEmpty && player.differences.isEmpty, "\(changes.prefix(3)) \(player.differences.prefix(3))")
        #expect(results.count { $0.status == .passed } == recorded.count { $0.status == .passed })
    }

    @Test func aMappingThatIsBrokenIsShownByExchangeAndMember() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let check = try #require(Check.all.first { $0.id == "sale.from-card" })
        _ = recorder.record([check])
        var broken = Mutant("amount.tenfold", "Asks for ten times the amount.", caughtBy: check.id)
        broken.interceptor = {
            MessageRewrite.request("/payments", "amount.minorUnits") { .number(JSONNumber(($0.int64 ?? 0) * 10)) }
        }
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (_, changes) = player.replay(broken)
        let shown = player.differences.map(\.description)
        #expect(shown == ["sale.from-card: POST /payments, amount.minorUnits: recorded 5000, now 50000"])
        #expect(changes.isEmpty, "the answer is the recorded one")
    }

    @Test func whatIsAskedOtherwiseThanThenIsNamed() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let sale = try #require(Scenario.all.first { $0.name == "sale" })
        _ = try recorder.record([sale])
        var cassette = try Self.read(recorder)
        cassette.items.removeAll { item in
            guard case .exchange(let exchange) = item.event else { return false }
            return exchange.request.path == "/payments"
        }
        let player = CassetteHarness(cassette, harness)
        let (_, changes) = try player.replayScenarios()
        #expect(player.differences.contains { $0.exchange == "POST /payments" && $0.recorded == "not asked" })
        #expect(changes.contains { $0.aspect == "result" })
    }

    @Test func aCassetteIsACandidateOfAComparison() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let some = Array(Scenario.all.prefix(5))
        _ = try recorder.record(some)
        let old = CassetteHarness(try Self.read(recorder), harness, name: "old")
        let source = recorder.cassette.header.notes["source"]?.string.flatMap { PaymentSource.Kind(rawValue: $0) }
        let comparison = try ProviderComparison([old, harness], source: source)
        #expect(some.allSatisfy { comparison.play($0).differing.isEmpty })
        let unrecorded = comparison.play(Scenario.all[10])
        #expect(unrecorded.observations[0].result == "not played: it is not on the cassette")
        #expect(unrecorded.undeclared.isEmpty)
    }
}
