import PaymentTestJournal
import Testing

/// Several processes on one file, against one provider that lives here.
@Suite(.serialized) struct RaceTests {
    @Test(arguments: [2, 4]) func everyAttemptIsDoneOnceWhoeverMakesIt(_ processes: Int) async throws {
        for tally in try await RacePlay(processes: processes, callers: 8).play(.sqlite(try Folder()), killing: nil) {
            #expect(RacePlay.strange(tally) == [])
        }
    }

    @Test func whenOneOfFourDiesTheOthersTakeOver() async throws {
        let tallies = try await RacePlay(processes: 4, callers: 8).play(.sqlite(try Folder()), killing: 1)
        #expect(tallies.count { $0 == nil } == 1)
    }
}
