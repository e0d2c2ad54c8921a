import PaymentAbstraction
import PaymentTestTill
import Testing

@Suite struct NthFailureTests {
    /// How many attempts the memory provider leaves open after recovery: it can always tell.
    static let declaredOpen = 0

    @Test(arguments: MoneyCase.all)
    func theBooksAgreeWhicheverCallOrWriteFails(_ money: MoneyCase) throws {
        var total = NthFailure.Report()
        for fault in NthFailure.Fault.all {
            let report = try NthFailure().play(money, fault)
            total.cases += report.cases
            total.open += report.open
            total.problems += report.problems
        }
        #expect(total.problems == [])
        #expect(total.open == Self.declaredOpen)
        #expect(total.cases >= 10)
        print("n-th failure, \(money): \(total.cases) cases, \(total.open) open")
    }
}
