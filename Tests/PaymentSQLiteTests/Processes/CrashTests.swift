import PaymentAbstraction
import PaymentTestJournal
import Testing

@Suite(.serialized) struct CrashTests {
    @Test(arguments: CrashPlay.cases) func theBooksAgreeWhereverTheProcessDies(
        _ operation: PaymentOperation
    ) async throws {
        let steps = try await CrashPlay(operation).play(.sqlite(try Folder()), killAt: nil)
        #expect(steps.count == CrashPlay.stepsCount)
        for number in 1...steps.count {
            let played = try await CrashPlay(operation).play(.sqlite(try Folder()), killAt: number)
            #expect(played.count == number)
        }
        print("killed, \(operation): \(steps.count) cases")
    }
}
