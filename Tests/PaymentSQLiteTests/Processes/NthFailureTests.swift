import PaymentSQLite
import PaymentTestJournal
import Testing

/// Every exchange and every commit fails in turn, before or after it was done, and the books are compared.
@Suite(.serialized) struct NthFailureTests {
    @Test(arguments: FailurePlay.Fault.allCases) func theBooksAgreeWhicheverCallOrWriteFails(
        _ fault: FailurePlay.Fault
    ) async throws {
        var cases = 0
        for failing in 1...60 {
            let play = FailurePlay(fault, failing: failing)
            var options = OpeningOptions()
            if fault == .lostCommit { options.commitFault = { play.failsCommit() ? .lost : nil } }
            if fault == .unheardCommit { options.commitFault = { play.failsCommit() ? .unheard : nil } }
            guard try await play.play(StorePlace.sqlite(try Folder(), options).open("opened")) else { break }
            cases += 1
        }
        #expect(cases >= 5)
        print("n-th failure over SQLite, \(fault): \(cases) cases")
    }
}
