import PaymentAbstraction
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPipes
import PaymentTestPostgres
import Testing

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
                if fault == .unheardCommit { options.commitFault = { play.failsCommit() ? .unheard : nil } }
            }
            guard try await play.play(store.open("opened")) else { break }
            cases += 1
        }
        #expect(cases >= 5)
        print("n-th failure over PostgreSQL, \(fault): \(cases) cases")
    }

    @Test(arguments: [(2, 8), (4, 64)]) func everyAttemptIsDoneOnceWhoeverMakesIt(
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

    /// One payment of 1,000, given back by the tills of four processes in parts, as fast as they can.
    @Test func whatIsGivenBackByAllAtOnceIsWhatThereWas() async throws {
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
