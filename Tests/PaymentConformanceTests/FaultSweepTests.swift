import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct FaultSweepTests {
    @Test(arguments: FaultSweepScenario.all) func everyFaultAtEveryExchangeSettles(_ scenario: FaultSweepScenario) {
        let report = FaultSweep(MemoryHarness()).walk([scenario])
        print("\(scenario): \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
        #expect(report.cases > 40)
        #expect(report.open == 0)
    }

    @Test func pairsOfFaultsSettleToo() throws {
        let sale = try #require(FaultSweepScenario.all.first { "\($0)" == "sale from token" })
        var walk = FaultSweep(MemoryHarness())
        let single = walk.walk([sale])
        walk.walksPairs = true
        let report = walk.walk([sale])
        let classes = InjectedFault.Effect.allCases.count
        #expect(report.problems.isEmpty, "\(report.problems.joined(separator: "\n"))")
        #expect(report.cases == single.cases + single.exchanges * classes * classes)
    }
}
