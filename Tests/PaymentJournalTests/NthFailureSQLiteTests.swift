import PaymentAbstraction
import PaymentJournal
import PaymentTestTill
import Testing

@Suite(.serialized) struct NthFailureSQLiteTests {
    @Test(arguments: MoneyCase.all)
    func theBooksAgreeWhicheverCallOrWriteFails(_ money: MoneyCase) throws {
        let folder = try Folder()
        var number = 0
        var total = NthFailure.Report()
        for fault in NthFailure.Fault.all {
            number += 1
            let path = folder.file("\(number)")
            let counter = Counter()
            let run = NthFailure {
                let file = "\(path)-\(counter.next()).sqlite"
                return try SchedulerJournal.open { try await SQLiteJournal.open(path: file) }
            }
            let report = try run.play(money, fault)
            total.cases += report.cases
            total.open += report.open
            total.problems += report.problems
        }
        #expect(total.problems == [])
        #expect(total.open == 0)
        print("n-th failure over SQLite, \(money): \(total.cases) cases, \(total.open) open")
    }
}
