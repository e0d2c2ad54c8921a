import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentPostgres
import PaymentSimulation
import PaymentTestPostgres
import PaymentTesting
import Testing

/// The worlds of the simulation and the suite of providers, with a database in the place of the journal in memory. The
/// worlds' time is simulated and the database is real; the same judge and the same checks.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct WorldTests {
    private static let names = HarnessRegistry.builtin.harnesses.map(\.name)

    /// A world of each link, every other one with another provider beside it; `Scripts/simulate --journal postgres` plays
    /// more.
    @Test(arguments: names) func theBooksOfAWorldAgree(_ name: String) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let number = try #require(Self.names.firstIndex(of: name))
        let place = try await Place()
        let journal = try await place.open()
        var simulation = try Simulation(harness, beside: number.isMultiple(of: 2) ? nil : MemoryHarness())
        simulation.makeStore = { HoldingJournal(journal, $0) }
        let run = try simulation.run(seed: UInt64(number + 1), operations: 60)
        #expect(run.violation == nil)
        #expect(run.calls > 5)
        let problems = try await journal.check().problems
        #expect(problems == [])
        await journal.close()
        print("a world over PostgreSQL, \(name): \(run.calls) calls about money")
    }

    /// The judge judges here, too: a driver that is broken on purpose is found.
    @Test func aBrokenDriverIsFound() async throws {
        var found = false
        for seed in UInt64(1)...6 where !found {
            let place = try await Place()
            let journal = try await place.open()
            var simulation = try Simulation(MemoryHarness())
            simulation.makeStore = { HoldingJournal(Forgetful(inner: journal), $0) }
            found = try simulation.run(seed: seed, operations: 60).violation != nil
            await journal.close()
        }
        #expect(found)
    }

    /// A journal that takes silence for proof: closes that lost an answer are written as if nothing had been sent.
    private struct Forgetful: WrappingJournal {
        let inner: any Journal

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
        ) async throws(JournalFailure) -> JournalAnswer {
            var changed = entry
            changed.parts = entry.parts.map { part in
                if case .close(let send, .lost) = part { return .close(send: send, .notSent) }
                return part
            }
            return try await inner.write(changed, id, at: instant)
        }
    }

    private static let companies = ["memory", "adyen", "arise", "ecommpay", "halo", "ni"]

    /// The suite, in process: a sixth of it for each provider, all of it for all of them.
    @Test(arguments: companies) func theSuiteOfAProviderPasses(_ name: String) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let share = try #require(Self.companies.firstIndex(of: name))
        var passed = 0
        for (number, check) in Check.all.enumerated() where number % Self.companies.count == share {
            let place = try await Place()
            let journal = try await place.open()
            var conformance = Conformance(harness)
            conformance.makeJournal = { HoldingJournal(journal, $0) }
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
