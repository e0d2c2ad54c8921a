import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct MutantTests {
    @Test(arguments: Mutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        let plain = PlainRun.result(MemoryHarness(), check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func namesAreUnique() {
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
        #expect(Set(Mutant.all.map(\.id)).count == Mutant.all.count)
        #expect(Check.all.count >= 120)
        #expect(Mutant.all.count >= 60)
    }
}
