import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct AdyenMutantTests {
    @Test(arguments: AdyenMutants.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        let plain = PlainRun.result(AdyenHarness(), check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(AdyenHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnoughAndTheirNamesAreUnique() {
        #expect(AdyenMutants.all.count >= 20)
        #expect(Set(AdyenMutants.all.map(\.id)).count == AdyenMutants.all.count)
        print("\(AdyenMutants.all.count) mutants")
    }
}

@Suite struct AdyenFaultWalkTests {
    @Test(arguments: AdyenHarness.all().map(\.name)) func everyFaultAtEveryExchangeSettlesOrIsDeclared(
        _ name: String
    ) throws {
        let harness = try #require(AdyenHarness.all().first { $0.name == name })
        // The short form where the link alone is another; the whole is `payctl conformance`.
        var walk = FaultSweep(harness)
        walk.walksClassesOnly = name == "adyen-async" || name == "adyen-local"
        let report = walk.walk()
        print("\(name): \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(10).joined(separator: "\n"))")
        #expect(report.cases > (walk.walksClassesOnly ? 100 : 800))
        #expect(name == "adyen-mobile" || report.open == 0)
    }
}
