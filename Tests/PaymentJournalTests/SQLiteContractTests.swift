import PaymentJournal
import PaymentTestTill
import Testing

@Suite struct SQLiteContractTests {
    @Test(arguments: JournalContract.all) func itKeepsTheContract(_ check: JournalCheck) async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await check.run(on: journal)
        await journal.close()
    }
}
