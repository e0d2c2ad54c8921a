import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentJournalKit
import PaymentModel
import PaymentProviderKit
import PaymentTestJournal
import PaymentTestPostgres
import PaymentTesting
import Testing

@testable import PaymentPostgres

/// A database that was set back begins nothing that may be lost, as far as it can know.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct RestoredTests {
    private func words(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch let failure as JournalFailure {
            if case .notWritten(let words) = failure { return words }
            return "\(failure)"
        } catch { return "\(error)" }
        return ""
    }

    /// A journal whose connections differ from those of other tests.
    private func ownPlace() async throws -> Place {
        var place = try await Place()
        place.options.connection = Secret(place.server.connection() + " application_name=\(place.options.schema)")
        return place
    }

    /// Cuts every connection of a journal's.
    private func cutAll(_ place: Place) throws {
        try place.server.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
            WHERE application_name = '\(place.options.schema)'
            """)
    }

    /// Begins an attempt, as often as connections are lost under it; gives why it may not.
    private func begin(_ desk: JournalTestWriter, _ name: String) async throws -> String {
        while true {
            do {
                try await desk.send(try JournalTestWriter.intent(name))
                return ""
            } catch JournalFailure.notWritten(let words) {
                if !words.contains("connection") { return words }
            } catch JournalFailure.writeUnconfirmed {}
        }
    }

    @Test(arguments: [false, true]) func aRestoredDumpBeginsNothing(_ isElsewhere: Bool) async throws {
        var place = try await Place()
        let first = try await place.open()
        try await JournalTestWriter(first, name: "one").done(
            try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        try await JournalTestWriter(first, name: "open").send(try JournalTestWriter.intent("open"))
        _ = try await first.draw(10)
        let server = place.server
        let dump = try PostgresServer.run(
            server.folder, "pg_dump", ["-h", server.folder, "-U", "pay", "-n", place.options.schema, "postgres"])
        try await JournalTestWriter(first, name: "late").done(
            try JournalTestWriter.intent("b"), JournalTestWriter.approved())
        #expect(try await first.draw(10) == 11)
        await first.close()
        let other = isElsewhere ? try PostgresServer() : server
        defer { if isElsewhere { other.stop() } }
        if !isElsewhere { try server.sql("DROP SCHEMA \(place.options.schema) CASCADE") }
        try dump.write(toFile: other.folder + "/dump.sql", atomically: true, encoding: .utf8)
        try PostgresServer.run(
            other.folder, "psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", other.folder, "-U", "pay", "-d", "postgres", "-f",
                other.folder + "/dump.sql",
            ])
        place.options.connection = Secret(other.connection())
        let journal = try await place.open()
        #expect(journal.warnings.contains { $0.contains("accept-restored") })
        let desk = JournalTestWriter(journal, name: "two")
        #expect(try await begin(desk, "b").contains("accept-restored"))
        #expect(await words { _ = try await journal.draw(1) }.contains("accept-restored"))
        var more = OpenRequest(
            try JournalTestWriter.id("open"), owner: JournalTestWriter.owner, account: JournalTestWriter.one,
            sendLimit: 1)
        (more.run, more.closing) = (1, Closing(1, .notSent))
        let command = JournalCommand.request(more)
        let refusal = await words { try await desk.write(command) }
        #expect(refusal.contains("accept-restored"))
        // What is known is still answered, and what was left open can be concluded.
        #expect(try await desk.held("a").state == .approved)
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("open"), nil))
        #expect(try await PostgresJournal.acceptRestored(place.options))
        #expect(try await journal.draw(1) >= JournalNumbers.ofGeneration)
        try await desk.closeGap()
        #expect(try await begin(desk, "b") == "")
        await journal.close()
        #expect(try await PostgresJournal.acceptRestored(place.options) == false)
    }

    /// Its tables have the numbers of those of the database that it was made of, on the same server.
    @Test func databaseMadeOfATemplate_beginsNothing_untilItIsAccepted() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        var options = PostgresJournal.Options(connection: Secret(server.connection()))
        (options.schema, options.durability) = ("journal", .local)
        _ = try await PostgresJournal.prepare(options)
        try PostgresServer.run(
            server.folder, "psql",
            [
                "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-U", "pay", "-d", "template1", "-c",
                "CREATE DATABASE clone TEMPLATE postgres",
            ])
        let original = try await PostgresJournal.open(options)
        #expect(try await original.draw(1) > 0)
        await original.close()
        options.connection = Secret(server.connection(database: "clone"))
        let journal = try await PostgresJournal.open(options)
        #expect(journal.warnings.contains { $0.contains("accept-restored") })
        #expect(await words { _ = try await journal.draw(1) }.contains("accept-restored"))
        #expect(try await PostgresJournal.acceptRestored(options))
        #expect(try await journal.draw(1) >= JournalNumbers.ofGeneration)
        await journal.close()
    }

    /// A journal that was made before names its table alone, and begins as it did.
    @Test func journalOfAnEarlierTime_thatNamesItsTableAlone_begins() async throws {
        let place = try await Place()
        let name = place.options.schema
        try place.server.sql(
            "UPDATE \(name).counter SET value = '\(name).attempt'::regclass::oid::bigint WHERE name = 'place'")
        let journal = try await place.open()
        #expect(!journal.warnings.contains { $0.contains("accept-restored") })
        #expect(try await begin(JournalTestWriter(journal), "a") == "")
        #expect(try await journal.draw(1) > 0)
        // Another table's number is that of a copy.
        try place.server.sql("UPDATE \(name).counter SET value = value + 1 WHERE name = 'place'")
        #expect(await words { _ = try await journal.draw(1) }.contains("accept-restored"))
        await journal.close()
    }

    /// A standby took over that lacks the last commit: a process that got it as written misses it, and closes the journal for all.
    @Test func processThatMissesWhatItRead_closesTheJournal() async throws {
        let place = try await ownPlace()
        let (one, two) = (try await place.open("one"), try await place.open("two"))
        let (desk, other) = (JournalTestWriter(one, name: "one"), JournalTestWriter(two, name: "two"))
        try await other.send(try JournalTestWriter.intent("early"))
        try await desk.send(try JournalTestWriter.intent("a"))
        try await desk.send(try JournalTestWriter.intent("b"))
        // Nothing is missed as long as nothing is missing.
        try cutAll(place)
        #expect(try await begin(desk, "c") == "")
        try place.loseNewestPayment()
        try cutAll(place)
        #expect(try await begin(desk, "c").contains("lacks what was written last"))
        #expect(try await begin(other, "c").contains("lacks what was written last"))
        #expect(await words { _ = try await two.draw(1) }.contains("lacks what was written last"))
        let third = try await place.open()
        #expect(try await begin(JournalTestWriter(third, name: "three"), "c").contains("accept-restored"))
        #expect(try await PostgresJournal.acceptRestored(place.options))
        // Once it is accepted, no process closes it again for what it had read before.
        try await desk.closeGap()
        try cutAll(place)
        #expect(try await begin(desk, "d") == "")
        #expect(try await begin(other, "e") == "")
        try cutAll(place)
        #expect(try await begin(desk, "f") == "")
        for journal in [one, two, third] { await journal.close() }
    }

    /// The process that misses it has nothing to write: its thread that gives signs of life notices.
    @Test func idleProcessThatMissesItsCommit_closesTheJournalForOthers() async throws {
        let place = try await ownPlace()
        let (one, two) = (try await place.open("one"), try await place.open("two"))
        let (desk, other) = (JournalTestWriter(one, name: "one"), JournalTestWriter(two, name: "two"))
        try await other.send(try JournalTestWriter.intent("early"))
        try await desk.send(try JournalTestWriter.intent("b"))
        try place.loseNewestPayment()
        try cutAll(place)
        // The first look meets the connection that was cut.
        for _ in 0..<2 { await one.refreshOwners() }
        #expect(try await begin(other, "c").contains("lacks what was written last"))
        for journal in [one, two] { await journal.close() }
    }

    @Test func whoMissesNumbersThatHeDrewClosesTheJournal() async throws {
        let place = try await ownPlace()
        let journal = try await place.open()
        _ = try await journal.draw(100)
        try place.server.sql("UPDATE \(place.options.schema).counter SET value = 51 WHERE name = 'number'")
        try cutAll(place)
        var found = ""
        while !found.contains("accept-restored") { found = await words { _ = try await journal.draw(1) } }
        await journal.close()
    }

    /// What was pruned isn't missed, and a server whose files were set back is one that a person knows of.
    @Test func whatWasForgottenIsNotMissedAndAPersonMayKnowMore() async throws {
        let place = try await ownPlace()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        // As a pruning leaves it.
        let name = place.options.schema
        try place.server.sql(
            """
            INSERT INTO \(name).forgotten VALUES ('a'); DELETE FROM \(name).entry; DELETE FROM \(name).attempt; \
            DELETE FROM \(name).open; DELETE FROM \(name).reference; UPDATE \(name).name SET payment = -payment
            """)
        await #expect(throws: JournalFailure.pruned(try JournalTestWriter.id("a"))) {
            try await desk.send(try JournalTestWriter.intent("a"))
        }
        try cutAll(place)
        #expect(try await begin(desk, "b") == "")
        #expect(try await PostgresJournal.acceptRestored(place.options) == false)
        #expect(try await PostgresJournal.acceptRestored(place.options, anyway: true))
        #expect(try await journal.draw(1) >= JournalNumbers.ofGeneration)
        await journal.close()
    }

    /// While a restore may have lost something, only what this generation of the journal knows begins.
    @Test func gap_open_beginsNoOtherIdUntilAPersonClosesIt() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        try place.server.sql("UPDATE \(place.options.schema).counter SET value = 1 WHERE name = 'gap'")
        let command = JournalTestWriter.request(try JournalTestWriter.intent("a"))
        let refused = try await desk.write(command)
        if case .refused(.mayBeLost, nil) = refused {} else { Issue.record("it was \(refused)") }
        let preview = try await journal.preview(JournalEntry(command), at: JournalTestWriter.at(1))
        #expect(preview == refused)
        #expect(try await desk.write(.closeGap(by: "Ann")) == .kept)
        #expect(try await journal.closedGaps().map(\.person) == ["Ann"])
        try await desk.accept(command)
        await journal.close()
    }
}

/// The suite of providers over two journals at once that get the same calls: the one in memory and a store. What both answer
/// and keep is the same after every write.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct TwinTests {
    /// All checks of the memory provider, and a part of those of links of three others.
    private static let links = [("memory", 1), ("adyen", 4), ("ecommpay", 4), ("halo", 4)]

    @Test(arguments: links) func suite_overMemoryAndPostgres_differsNowhere(_ name: String, _ every: Int) async throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        var passed = 0
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: every) {
            let place = try await Place()
            let table = LateRegistry()
            let store = try await place.open { $0.processes = table }
            passed += try await play(check, harness, table, store) ? 1 : 0
            await store.close()
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
        print("memory and PostgreSQL side by side, \(name): \(passed) checks passed")
    }

    /// Two processes of which each makes every other call, on one database.
    @Test func suite_overMemoryAndSharedPostgres_differsNowhere() async throws {
        for (number, check) in Check.all.enumerated() where number.isMultiple(of: 5) {
            let place = try await Place()
            let table = LateRegistry()
            let stores = [try await place.open { $0.processes = table }, try await place.open { $0.processes = table }]
            _ = try await play(check, MemoryHarness(), table, TurnsJournal(stores))
            for store in stores { await store.close() }
            try place.server.sql("DROP SCHEMA \(place.options.schema) CASCADE")
        }
    }

    /// Plays one check; says whether it passed.
    private func play(
        _ check: Check, _ harness: any ConformanceHarness, _ table: LateRegistry, _ store: any Journal
    ) async throws -> Bool {
        let (passed, differences) = try await TwinPlay(harness, store, table).play(check)
        #expect(differences.isEmpty, "\(harness.name) \(check.id): \(differences.joined(separator: "\n"))")
        return passed
    }
}
