import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct MemoryConformanceTests {
    @Test(arguments: Check.all) func theMemoryDriverPasses(_ check: Check) {
        let result = Conformance(MemoryHarness()).run(check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }
}
