import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct ProviderConformanceTests {
    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name), Check.all)
    func everyProviderPassesEveryCheck(_ provider: String, _ check: Check) throws {
        let harness = try #require(HarnessRegistry.builtin[provider])
        let result = PlainRun.result(harness, check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }

    /// The order in which ready work runs is drawn from the seed; no check may hang on it.
    @Test(arguments: UInt64(2)...4) func noCheckHangsOnTheSeed(_ seed: UInt64) throws {
        let report = ConformanceRunner(MemoryHarness(), seed: seed).run()
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "seed \(seed): \(failed.joined(separator: "\n"))")
    }
}
