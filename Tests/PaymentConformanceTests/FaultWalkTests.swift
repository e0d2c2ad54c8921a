import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct FaultWalkTests {
    @Test(arguments: FaultScenario.all) func everyFaultAtEveryExchangeSettles(_ scenario: FaultScenario) {
        let report = FaultWalk(MemoryHarness()).walk([scenario])
        print("\(scenario): \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
        #expect(report.cases > 40)
        #expect(report.open == 0)
    }
}
