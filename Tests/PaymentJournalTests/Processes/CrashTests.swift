import PaymentTestTill
import Testing

/// A process is killed (SIGKILL) at every step of a money operation: before and after every call of the journal and
/// every exchange, and after the provider has done what it was asked and nobody has heard.
///
/// This proves the death of a process, not the loss of power: what the kernel had taken is there afterwards, so nothing
/// here can tell whether the disk had it too.
@Suite(.serialized) struct CrashTests {
    /// How many attempts the memory provider leaves open after recovery: it can always tell.
    static let declaredOpen = 0

    static let cases = MoneyCase.all.filter {
        [
            "sale from the reader", "sale of a keyed card", "authorisation", "capture of a part", "refund of a part",
            "void of a sale",
        ].contains($0.description)
    }

    @Test func thereAreSixCases() { #expect(Self.cases.count == 6) }

    @Test(arguments: cases) func theBooksAgreeWhereverTheProcessDies(_ money: MoneyCase) throws {
        let run = CrashRun(money: money, folder: try Folder())
        var report = CrashRun.Report()
        try run.play(killAt: nil, &report)
        let steps = report.steps
        try #require(steps.count >= 12)
        for number in 1...steps.count { try run.play(killAt: number, &report) }
        #expect(report.books.problems == [])
        #expect(report.books.open == Self.declaredOpen)
        #expect(report.books.cases == steps.count)
        print("killed, \(money): \(report.books.cases) cases, \(report.books.open) open")
    }
}
