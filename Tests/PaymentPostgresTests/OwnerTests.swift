import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct OwnerTests {
    @Test func whoLeavesIsGoneAndWhoLivesIsNot() async throws {
        let place = try await Place()
        let (one, two) = (try await place.open("one"), try await place.open("two"))
        await two.refreshOwners()
        #expect(two.processes.isAlive("one") && two.processes.isAlive("two"))
        // Whom nobody knows isn't proven gone.
        #expect(two.processes.isAlive("nobody"))
        await one.close()
        await two.refreshOwners()
        #expect(!two.processes.isAlive("one"))
        await two.close()
    }

    @Test func whoIsForgottenLeaves() async throws {
        let place = try await Place()
        let two = try await place.open("two")
        do {
            let one = try await place.open("one")
            await two.refreshOwners()
            #expect(two.processes.isAlive("one"))
            withExtendedLifetime(one) {}
        }
        while two.processes.isAlive("one") { await two.refreshOwners() }
        await two.close()
    }

    @Test func aNameIsTakenForEver() async throws {
        let place = try await Place()
        let one = try await place.open("one")
        await #expect(throws: JournalViolation.self) { try await place.open("one") }
        await one.close()
        await #expect(throws: JournalViolation.self) { try await place.open("one") }
    }

    /// Silence alone is no proof while the lock is held, and a free lock is none before the lease is over.
    @Test func whoGivesNoSignIsGoneAfterTheLeaseAndOpensNoSend() async throws {
        let place = try await Place()
        let silent = try await place.open("silent") { $0.lease = .seconds(3_600) }
        let desk = JournalTestWriter(silent)
        try await desk.send(try JournalTestWriter.intent("before"))
        let patient = try await place.open("patient") { $0.lease = .seconds(3_600) }
        let hasty = try await place.open("hasty") { $0.lease = .milliseconds(60) }
        // It has given no sign for longer than the short lease, and its lock is held.
        for _ in 0..<10 { await hasty.refreshOwners() }
        #expect(hasty.processes.isAlive("silent"))
        // Its connection is cut and it doesn't hear of it before the others look.
        let name = place.options.schema
        try place.server.sql(
            "UPDATE \(name).owner SET lock = lock + 1 WHERE name = 'silent'")
        while hasty.processes.isAlive("silent") { await hasty.refreshOwners() }
        await patient.refreshOwners()
        #expect(!patient.processes.isAlive("silent"))
        // It finds out with its next sign of life, and opens no send any more.
        await silent.refreshOwners()
        await #expect(throws: JournalFailure.self) { try await desk.send(try JournalTestWriter.intent("after")) }
        // What it has sent can be closed still.
        try await desk.accept(
            JournalTestWriter.finish(try JournalTestWriter.id("before"), JournalTestWriter.approved()))
        for journal in [silent, patient, hasty] { await journal.close() }
    }

    @Test func whoCantTellThatHeLivesOpensNoSend() async throws {
        let server = try PostgresServer()
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.durability, options.lease, options.outageTimeout) = (.local, .milliseconds(200), .milliseconds(100))
        try await PostgresJournal.prepare(options)
        let journal = try await PostgresJournal.open(options)
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("a"))
        server.stop()
        // Until half of the lease is over, it is tried and can't be written; then it is refused at once.
        var words = ""
        while !words.contains("that it lives") {
            do { try await desk.send(try JournalTestWriter.intent("b")) } catch JournalFailure.notWritten(let said) {
                words = said
            } catch JournalFailure.writeUnconfirmed { words = "" }
        }
        await journal.close()
    }
}
