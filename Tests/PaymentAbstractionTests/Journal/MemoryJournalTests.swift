import PaymentAbstraction
import PaymentTestTill
import Testing

@Suite struct MemoryJournalTests {
    @Test(arguments: JournalContract.all) func itKeepsTheContract(_ check: JournalCheck) async throws {
        try await check.run(on: MemoryJournal())
    }

    @Test func theContractHasNoTwoChecksOfOneName() {
        #expect(Set(JournalContract.all.map(\.description)).count == JournalContract.all.count)
        print("journal contract: \(JournalContract.all.count) checks")
    }
}
