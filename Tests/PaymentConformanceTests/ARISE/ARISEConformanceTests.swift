import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct ARISEConformanceTests {
    @Test(arguments: ARISEMutants.all) func eachBrokenMappingIsCaught(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        var conformance = ConformanceRunner(ARISEHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    /// The order in which ready work runs is drawn from the seed; no check may hang on it.
    @Test(arguments: UInt64(2)...4) func noCheckHangsOnTheSeed(_ seed: UInt64) {
        let report = ConformanceRunner(ARISEHarness(), seed: seed).run()
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "seed \(seed): \(failed.joined(separator: "\n"))")
    }

    @Test func mutantsHaveTheirOwnNames() {
        #expect(Set(ARISEMutants.all.map(\.id)).count == ARISEMutants.all.count)
        #expect(ARISEMutants.all.count >= 15)
    }

    /// What never arrived leaves nothing behind; a driver that guesses is caught by the books.
    @Test func guessingWhatIsNotSeenIsCaughtByTheWalk() throws {
        let refund = try #require(FaultSweepScenario.all.first { "\($0)" == "refund of a part" })
        var walk = FaultSweep(ARISEHarness())
        // Every fault under the honest driver is walked below.
        walk.walksClassesOnly = true
        let honest = walk.walk([refund])
        #expect(honest.problems.isEmpty, "\(honest.problems.joined(separator: "\n"))")
        #expect(honest.open > 0)
        walk.mutant = ARISEMutants.guessing
        #expect(walk.walk([refund]).problems.contains { $0.contains("the ledger has nothing") })
    }

    @Test(arguments: FaultSweepScenario.all) func everyFaultAtEveryExchangeEndsAsDeclared(
        _ scenario: FaultSweepScenario
    ) {
        let report = FaultSweep(ARISEHarness()).walk([scenario])
        print("ARISE \(scenario): \(report.summary)")
        // A scenario is one of several for its operation, so that not all that is declared open is open in each.
        let problems = report.problems.filter { !$0.contains("is declared to stay open and never did") }
        #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
    }
}
