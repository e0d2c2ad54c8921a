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

    /// A check that no flaw can break would prove nothing.
    @Test(arguments: FlawedJournal.Flaw.allCases) func theContractFindsEveryFlaw(_ flaw: FlawedJournal.Flaw) async {
        var broken: [String] = []
        for check in JournalContract.all {
            do { try await check.run(on: FlawedJournal(flaw: flaw)) } catch { broken.append(check.description) }
        }
        #expect(!broken.isEmpty)
        #expect(broken.count < JournalContract.all.count)
    }
}
