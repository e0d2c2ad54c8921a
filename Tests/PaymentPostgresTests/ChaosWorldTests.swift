import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentPostgres
import PaymentSimulation
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTesting
import Testing

/// The worlds of the simulation and the suite of providers, with a database in the place of the journal in memory. The
/// worlds' time is simulated and the database is real; the same judge and the same checks.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct ChaosWorldTests {
    private static let names = HarnessRegistry.builtin.harnesses.map(\.name)

    /// A world of each link, every other one with another provider beside it; `Scripts/simulate --journal postgres` plays
    /// more.
    @Test(arguments: names) func theBooksOfAWorldAgree(_ name: String) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let number = try #require(Self.names.firstIndex(of: name))
        let place = try await Place()
        let table = LateRegistry()
        let journal = try await place.open { $0.processes = table }
        var simulation = try ChaosTest(harness, beside: number.isMultiple(of: 2) ? nil : MemoryHarness())
        simulation.makeStore = { scheduler, processes in
            table.follow(processes)
            return ClockPausingJournal(journal, scheduler)
        }
        let run = try simulation.run(seed: UInt64(number + 1), operations: 60)
        #expect(run.violation == nil)
        #expect(run.calls > 5)
        #expect(try await Place.problems(journal) == [])
        await journal.close()
        print("a world over PostgreSQL, \(name): \(run.calls) calls about money")
    }

    /// The judge judges here, too: a driver that is broken on purpose is found.
    @Test func aBrokenDriverIsFound() async throws {
        var found = false
        for seed in UInt64(1)...6 where !found {
            let place = try await Place()
            let table = LateRegistry()
            let journal = try await place.open { $0.processes = table }
            var simulation = try ChaosTest(MemoryHarness())
            simulation.makeStore = { scheduler, processes in
                table.follow(processes)
                return ClockPausingJournal(Forgetful(inner: journal), scheduler)
            }
            found = try simulation.run(seed: seed, operations: 60).violation != nil
            await journal.close()
        }
        #expect(found)
    }

    /// A journal that takes a lost reply for proof: such a request ends as if nothing had been sent.
    private struct Forgetful: JournalWrapper {
        let inner: any Journal

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
        ) async throws(JournalFailure) -> JournalAnswer {
            guard case .finish(var finish) = entry.command, let closing = finish.closing, closing.ending == .lost else {
                return try await inner.write(entry, id, at: instant)
            }
            finish.closing = Closing(closing.request, .notSent, names: closing.names)
            return try await inner.write(JournalEntry(.finish(finish), timeline: entry.timeline), id, at: instant)
        }
    }
}
