import PaymentConformance
import PaymentHarnesses
import PaymentModel
import PaymentTesting
import Testing

/// A walk that plays one case of so many: declarations are held to their numbers, and every case has its seed.
@Suite struct FaultShareTests {
    /// A built-in harness that declares something else.
    private struct Redeclared: ConformanceHarness {
        let inner: any ConformanceHarness
        var declaration: ConformanceProfile
        var name: String { inner.name }

        init(_ inner: any ConformanceHarness) { (self.inner, declaration) = (inner, inner.declaration) }

        func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture { try inner.open(scheduler) }
    }

    private static let declaring = HarnessRegistry.builtin.harnesses.filter {
        !$0.declaration.expectedOpenAttempts.isEmpty
    }.map(\.name)

    /// The scenarios of one operation, one case of so many that no case is drawn by its number.
    private static func short(_ harness: any ConformanceHarness, _ place: ConformanceProfile.FaultLocation) -> [String]
    {
        var walk = FaultSweep(harness)
        walk.every = 1_000_003
        return walk.walk(FaultSweepScenario.all.filter { $0.operation == place.operation }).problems
    }

    /// Adyen's three links to a terminal declare nothing, and neither does memory.
    @Test func linksThatDeclare_areEleven() { #expect(Self.declaring.count == 11, "\(Self.declaring)") }

    /// Two links: `Scripts/faults --short` holds the numbers of all.
    @Test(arguments: declaring.prefix(2)) func wrongNumber_isFoundByEveryShare(_ name: String) throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let all = harness.declaration.expectedOpenAttempts
        let place = try #require(all.keys.min { "\($0)" < "\($1)" })
        let opening = try #require(all[place])
        #expect(Self.short(harness, place) == [])
        var planted = Redeclared(harness)
        planted.declaration.expectedOpenAttempts[place] = .init(opening.cases + 1, opening.reason)
        #expect(
            Self.short(planted, place) == [
                "\(place) stays open in \(opening.cases) cases, \(opening.cases + 1) are declared"
            ])
    }

    /// Each undeclared open attempt is found by exactly one seed of as many as cases are left out between two.
    @Test func missingDeclaration_isFoundByOneSeedOfAll() throws {
        let harness = try #require(HarnessRegistry.builtin["halo-kit"])
        let place = ConformanceProfile.FaultLocation(.sale, "journal.lost")
        var planted = Redeclared(harness)
        #expect(planted.declaration.expectedOpenAttempts.removeValue(forKey: place)?.cases == 1)
        let scenarios = FaultSweepScenario.all.filter { $0.operation == place.operation }
        var (problems, cases) = ([String](), 0)
        for seed in UInt64(1)...5 {
            var walk = FaultSweep(planted, seed: seed)
            walk.every = 5
            let report = walk.walk(scenarios)
            problems += report.problems
            cases += report.cases
            #expect(report.passedOver > report.cases * 3)
        }
        #expect(problems.count == 1 && problems[0].contains("journal.lost: it stays open, and must be decided"))
        #expect(cases == FaultSweep(planted).walk(scenarios).cases)
    }
}
