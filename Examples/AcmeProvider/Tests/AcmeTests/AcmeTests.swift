import AcmeHarnesses
import PaymentConformance
import Testing

/// The suite, up to the level that is reached; raise it with every operation that is added.
@Suite struct AcmeTests {
    static let level = ConformanceLevel.core

    @Test(arguments: Check.all.filter { $0.level <= level })
    func everyCheckOfTheLevelPasses(_ check: Check) {
        let result = ConformanceRunner(AcmeHarness()).run(check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }

    @Test func theLevelIsReached() {
        #expect(ConformanceRunner(AcmeHarness()).run(upTo: Self.level).level == Self.level)
    }
}
