import PaymentAbstraction
import PaymentConformance
import PaymentHarnesses
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTesting
import Testing

/// The suite of providers with a database in the place of the journal in memory. The checks' time is simulated and the database
/// is real.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct SuiteTests {
    private static let companies = ["memory", "adyen", "arise", "ecommpay", "halo", "ni"]

    /// The suite, in process: a sixth of it for each provider, all of it for all of them.
    @Test(arguments: companies) func theSuiteOfAProviderPasses(_ name: String) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let share = try #require(Self.companies.firstIndex(of: name))
        var passed = 0
        for (number, check) in Check.all.enumerated() where number % Self.companies.count == share {
            let place = try await Place()
            let table = LateRegistry()
            let journal = try await place.open { $0.processes = table }
            var conformance = ConformanceRunner(harness)
            conformance.makeJournal = { scheduler, processes in
                table.follow(processes)
                return ClockPausingJournal(journal, scheduler)
            }
            let result = conformance.run(check)
            #expect(
                result.status == .passed || result.status == .notApplicable || result.status == .waived,
                "\(check.id): \(result.detail)")
            if result.status == .passed { passed += 1 }
            await journal.close()
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
        #expect(passed > 5)
        print("the suite over PostgreSQL, \(name): \(passed) checks passed")
    }
}
