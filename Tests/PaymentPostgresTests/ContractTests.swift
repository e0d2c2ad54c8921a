import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct ContractTests {
    @Test(arguments: JournalContract.all) func postgresKeepsTheContract(_ check: JournalCheck) async throws {
        let place = try await Place()
        let journal = try await place.open()
        try await check.run(on: journal)
        await journal.close()
    }

    /// Everything that is said of one journal holds when many connections of several processes share the database.
    @Test(arguments: JournalContract.all) func sharedDatabasesKeepTheContract(_ check: JournalCheck) async throws {
        let place = try await Place()
        let journals = [try await place.open(), try await place.open()]
        try await check.run(on: TurnsJournal(journals))
        for journal in journals { await journal.close() }
    }
}
