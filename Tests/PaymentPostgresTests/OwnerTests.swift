import PaymentConformance
import PaymentHarnesses
import PaymentJournalKit
import PaymentPostgres
import PaymentProviderKit
import PaymentSimulation
import PaymentTestJournal
import PaymentTestPipes
import PaymentTestPostgres
import PaymentTesting
import Testing

@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct OwnerTests {
    @Test func whoLeavesIsGoneAndWhoLivesIsNot() async throws {
        let place = try await Place()
        let (one, two) = (try await place.open("one"), try await place.open("two"))
        await two.refreshOwners()
        #expect(two.processes.isAlive("one") && two.processes.isAlive("two"))
        // An unknown process isn't proven gone.
        #expect(two.processes.isAlive("nobody"))
        await one.close()
        await two.refreshOwners()
        #expect(!two.processes.isAlive("one"))
        await two.close()
    }

    /// A list a minute from a monitor would leave half a million rows a year, which every process reads.
    @Test func processThatOnlyReads_leavesNoRow_andBeginsNothing() async throws {
        let place = try await Place()
        let (one, reader) = (try await place.open("one"), try await place.open("reader") { $0.isReader = true })
        try await JournalTestWriter(one, name: "one").send(try JournalTestWriter.intent("a"))
        #expect(try await reader.attempts(.open(scope: nil), after: nil, limit: 1).attempts.count == 1)
        await #expect(throws: JournalFailure.self) { () async throws -> Void in
            try await JournalTestWriter(reader, name: "reader").send(try JournalTestWriter.intent("b"))
        }
        await one.close()
        await reader.refreshOwners()
        #expect(!reader.processes.isAlive("one"))
        await reader.close()
        #expect(try place.server.sql("SELECT name FROM \(place.options.schema).owner") == ["one"])
    }

    @Test func whoIsForgottenLeaves() async throws {
        let place = try await Place()
        let two = try await place.open("two")
        do {
            let one = try await place.open("one")
            await two.refreshOwners()
            #expect(two.processes.isAlive("one"))
            withExtendedLifetime(one) {}
        }
        while two.processes.isAlive("one") { await two.refreshOwners() }
        await two.close()
    }

    @Test func aNameIsTakenForEver() async throws {
        let place = try await Place()
        let one = try await place.open("one")
        await #expect(throws: JournalViolation.self) { try await place.open("one") }
        await one.close()
        await #expect(throws: JournalViolation.self) { try await place.open("one") }
    }

    /// Silence alone is no proof while the lock is held, and a free lock is none before the lease is over.
    @Test func whoGivesNoSignIsGoneAfterTheLeaseAndOpensNoSend() async throws {
        let place = try await Place()
        let silent = try await place.open("silent") { $0.lease = .seconds(3_600) }
        let desk = JournalTestWriter(silent)
        try await desk.send(try JournalTestWriter.intent("before"))
        let patient = try await place.open("patient") { $0.lease = .seconds(3_600) }
        let hasty = try await place.open("hasty") { $0.lease = .milliseconds(60) }
        // It has given no sign for longer than the short lease, and its lock is held.
        for _ in 0..<10 { await hasty.refreshOwners() }
        #expect(hasty.processes.isAlive("silent"))
        // Its connection is cut and it doesn't hear of it before the others look.
        let name = place.options.schema
        try place.server.sql(
            "SET session_replication_role = replica; UPDATE \(name).owner SET lock = lock + 1 WHERE name = 'silent'")
        while hasty.processes.isAlive("silent") { await hasty.refreshOwners() }
        await patient.refreshOwners()
        #expect(!patient.processes.isAlive("silent"))
        // It finds out with its next sign of life, and opens no send any more.
        await silent.refreshOwners()
        await #expect(throws: JournalFailure.self) { try await desk.send(try JournalTestWriter.intent("after")) }
        // What it has sent can be closed still.
        try await desk.accept(
            JournalTestWriter.finish(try JournalTestWriter.id("before"), JournalTestWriter.approved()))
        for journal in [silent, patient, hasty] { await journal.close() }
    }

    @Test func whoCantTellThatHeLivesOpensNoSend() async throws {
        let server = try PostgresServer()
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.durability, options.lease, options.outageTimeout) = (.local, .milliseconds(200), .milliseconds(100))
        try await PostgresJournal.prepare(options)
        let journal = try await PostgresJournal.open(options)
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("a"))
        server.stop()
        // Until half of the lease is over, it is tried and can't be written; then it is refused at once.
        var words = ""
        while !words.contains("that it lives") {
            do { try await desk.send(try JournalTestWriter.intent("b")) } catch JournalFailure.notWritten(let said) {
                words = said
            } catch JournalFailure.writeUnconfirmed { words = "" }
        }
        await journal.close()
    }
}

/// What is tried on a file with processes that die, fail and race, on a database.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct ProcessTests {
    @Test(arguments: CrashPlay.cases) func theBooksAgreeWhereverTheProcessDies(
        _ operation: PaymentOperation
    ) async throws {
        for number in [nil] + (1...CrashPlay.stepsCount).map({ $0 }) {
            let steps = try await CrashPlay(operation).play(try await Place().store(), killAt: number)
            #expect(steps.count == number ?? CrashPlay.stepsCount)
        }
        print("killed over PostgreSQL, \(operation): \(CrashPlay.stepsCount) cases")
    }

    @Test(arguments: FailurePlay.Fault.allCases) func theBooksAgreeWhicheverCallOrWriteFails(
        _ fault: FailurePlay.Fault
    ) async throws {
        var cases = 0
        for failing in 1...60 {
            let play = FailurePlay(fault, failing: failing)
            let store = try await Place().store { options in
                if fault == .lostCommit { options.commitFault = { play.failsCommit() ? .lost : nil } }
                if fault == .unheardCommit { options.commitFault = { play.failsCommit() ? .unconfirmed : nil } }
            }
            guard try await play.play(store.open("opened")) else { break }
            cases += 1
        }
        #expect(cases >= 5)
        print("n-th failure over PostgreSQL, \(fault): \(cases) cases")
    }

    @Test(arguments: [(2, 8), (4, 64)]) func everyAttemptIsDoneOnceByAnyProcess(
        _ processes: Int, _ tills: Int
    ) async throws {
        let tallies = try await RacePlay(processes: processes, callers: tills)
            .play(try await Place().store(lease: 60_000), killing: nil)
        for tally in tallies { #expect(RacePlay.strange(tally) == []) }
    }

    @Test func whenOneOfFourDiesTheOthersTakeOver() async throws {
        let tallies = try await RacePlay(processes: 4, callers: 8).play(
            try await Place().store(lease: 2_000), killing: 1)
        #expect(tallies.count { $0 == nil } == 1)
    }

    /// One payment of 1,000, refunded by the tills of four processes in parts, as fast as they can.
    @Test func refunds_ofAllAtOnce_areWhatWasTaken() async throws {
        let place = try await Place()
        let store = place.store(lease: 60_000)
        let opened = try await store.open("parent")
        let desk = JournalTestWriter(opened.journal, name: "parent")
        try await desk.done(
            try JournalTestWriter.intent("paid", .sale, 1_000), JournalTestWriter.approved(1_000), names: ["at-paid"])
        let children = try (0..<4).map { index in
            try Child("journal-child", ["refunds", store.word, "child-\(index)", "paid", "20", "8"])
        }
        var granted = 0
        for child in children {
            guard case .done(let words)? = try child.channel.receive() else {
                Issue.record("a child said something else")
                continue
            }
            child.wait()
            granted += try #require(Int(words), "\(words)")
        }
        let family = try await desk.family("paid")
        let back = family.filter { $0.intent.operation == .refund && $0.state == .approved }.map(
            \.intent.amount.minorUnits)
        #expect(back.reduce(0, +) == 1_000 && back.count == 50 && granted == 50)
        await opened.close()
    }

    @Test func numbersOfFourProcessesNeverRepeat() async throws {
        let word = try await Place().store(lease: 60_000).word
        let (processes, blocks) = (4, 100)
        let children = try (0..<processes).map { _ in try Child("journal-child", ["numbers", word, "\(blocks)"]) }
        var (seen, repeated): (Set<Int64>, Int) = ([], 0)
        for child in children {
            guard case .done(let text)? = try child.channel.receive() else {
                Issue.record("a child said something else")
                return
            }
            child.wait()
            for first in text.split(separator: " ").compactMap({ Int64($0) }) {
                for number in first..<(first + 512) where !seen.insert(number).inserted { repeated += 1 }
            }
        }
        #expect(repeated == 0 && seen.count == processes * blocks * 512)
    }
}

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
            _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
        ) async throws(JournalFailure) -> JournalAnswer {
            guard case .finish(var finish) = entry.command, let closing = finish.closing, closing.ending == .lost else {
                return try await inner.write(entry, id, at: instant)
            }
            finish.closing = Closing(closing.request, .notSent, names: closing.names)
            return try await inner.write(JournalEntry(.finish(finish), timeline: entry.timeline), id, at: instant)
        }
    }
}
