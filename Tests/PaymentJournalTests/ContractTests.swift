import PaymentAbstraction
import PaymentConformance
import PaymentJournal
import PaymentTestJournal
import Testing

@Suite struct ContractTests {
    @Test(arguments: JournalContract.all) func memoryKeepsTheContract(_ check: JournalCheck) async throws {
        try await check.run(on: MemoryJournal())
    }

    @Test(arguments: JournalContract.all) func sqliteKeepsTheContract(_ check: JournalCheck) async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await check.run(on: journal)
        await journal.close()
    }

    /// Everything that is said of one journal holds when many connections share the file.
    @Test(arguments: JournalContract.all) func sharedFilesKeepTheContract(_ check: JournalCheck) async throws {
        let folder = try Folder()
        let journals = [
            try await SQLiteJournal.open(path: folder.file()), try await SQLiteJournal.open(path: folder.file()),
        ]
        try await check.run(on: TurnsJournal(journals))
        for journal in journals { await journal.close() }
    }
}
