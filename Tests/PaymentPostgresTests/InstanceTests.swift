import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@testable import PaymentPostgres

/// Several instances on one database, of which one is away, is declared dead, or writes at the same moment.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct InstanceTests {
    /// A clock that a test puts forward.
    private final class Moved: PaymentClock {
        private let clock = SystemClock()
        private let by = Locked<Int64>(0)

        var now: Int64 { clock.now + by.withLock { $0 } }
        var uptime: Int64 { clock.uptime + by.withLock { $0 } }
        var boot: String { clock.boot }
        func sleep(until instant: Int64) async throws { try await clock.sleep(until: instant - by.withLock { $0 }) }
        func pass(_ seconds: Int64) { by.withLock { $0 += seconds * 1_000 } }
    }

    private func ownPlace() async throws -> Place {
        var place = try await Place()
        place.options.connection = Secret(place.server.connection() + " application_name=\(place.options.schema)")
        return place
    }

    /// Ends the connections of a place that is its own.
    private func cutOff(_ place: Place) throws {
        try place.server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                + "WHERE application_name = '\(place.options.schema)'")
    }

    /// Why an attempt is not begun, once there is a connection again; empty if it is.
    private func sent(_ name: String, _ desk: JournalTestWriter) async throws -> String {
        while true {
            do {
                try await desk.send(try JournalTestWriter.intent(name))
                return ""
            } catch JournalFailure.notWritten(let why) {
                if !why.contains("connection") { return why }
            } catch JournalFailure.writeUnconfirmed(let why) {
                if !why.contains("connection") { return why }
            }
        }
    }

    /// The answer to an opening was lost, and the process may open nothing now: the repeat proves nothing.
    @Test func openingOfUnknownFate_repeatedWhenNothingMayBeSent_staysUnknown() async throws {
        let (place, count, clock) = (try await Place(), Counter(), Moved())
        let journal = try await place.open(JournalTestWriter.owner) { options in
            (options.lease, options.clock) = (.seconds(3_600), clock)
            options.commitFault = { count.next() == 1 ? .unconfirmed : nil }
        }
        let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent("a")))
        var failures: [JournalFailure] = []
        for _ in 0..<2 {
            do { _ = try await journal.write(entry, WriteID("w-1"), at: JournalTestWriter.at(0)) } catch {
                failures.append(error)
            }
            clock.pass(1_801)
        }
        let unknown = failures.filter { if case .writeUnconfirmed = $0 { true } else { false } }
        #expect(unknown.count == 2, "\(failures)")
        #expect(try await JournalTestWriter(journal).held("a").state == .running)
        await journal.close()
    }

    /// Another process adds a step while an entry is committed. A reader that counted the steps misses none.
    @Test func step_addedWhileAnEntryIsCommitted_movesNoStepThatWasRead() async throws {
        let place = try await ownPlace()
        let (server, name) = (place.server, place.options.schema)
        let other = try await place.open("other")
        let id = PaymentID(try JournalTestWriter.id("a"))
        let step = try JournalTestWriter.event("added", of: "a", at: 2)
        let (isArmed, read) = (Locked(false), Locked<[PaymentEvent]?>(nil))
        let adding = Locked<Task<Void, any Error>?>(nil)
        let journal = try await place.open(JournalTestWriter.owner) { options in
            options.commitFault = {
                let isNow = isArmed.withLock { isArmed in
                    defer { isArmed = false }
                    return isArmed
                }
                guard isNow else { return nil }
                let task = Task {
                    try await other.add([step], to: id)
                    let events = try await other.timeline(id)
                    read.withLock { $0 = events }
                }
                adding.withLock { $0 = task }
                // Until the step is read, or waits for this commit.
                let waits = """
                    SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' \
                    AND NOT granted AND application_name = '\(name)'
                    """
                while read.withLock({ $0 == nil }), (try? server.sql(waits).isEmpty) == true {}
                return nil
            }
        }
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("a"))
        isArmed.withLock { $0 = true }
        try await desk.accept(
            JournalTestWriter.finish(try JournalTestWriter.id("a"), JournalTestWriter.approved()),
            timeline: [try JournalTestWriter.event("decided", of: "a", at: 1)])
        if let task = adding.withLock({ $0 }) { try await task.value }
        let (before, after) = (try #require(read.withLock { $0 }), try await other.timeline(id))
        #expect(Array(after.prefix(before.count)) == before)
        await journal.close()
        await other.close()
    }

    /// A person accepts the journal while a process lives. Then a standby takes over that lacks later entries.
    @Test func processThatLivedThroughAnAcceptance_missesWhatItWroteSince() async throws {
        let place = try await ownPlace()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("a"))
        // It connects once more before that.
        try cutOff(place)
        #expect(try await sent("c", desk) == "")
        #expect(try await PostgresJournal.acceptRestored(place.options, anyway: true))
        try await desk.closeGap()
        try await desk.send(try JournalTestWriter.intent("b"))
        try place.loseNewestPayment()
        try cutOff(place)
        let words = try await sent("b", desk)
        #expect(words.contains("lacks what was written last"), "\(words)")
        await journal.close()
    }

    /// A machine without power ends no connection: the server itself has to find out that its lock is free.
    @Test func connectionOfAMachineThatIsGone_isEndedByTheServer() throws {
        let address = try PostgresAddress(Secret("host=db.example dbname=shop user=till"))
        let settings = PostgresLink(address: address, schema: "payments").settings
        for name in ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout"] {
            #expect(settings.contains("SET \(name) = "), "\(name)")
        }
    }

    /// An instance that was taken for dead begins nothing any more. Its health check must show that.
    @Test func processThatWasTakenForDead_drawsNoNumber() async throws {
        let place = try await Place()
        let silent = try await place.open("silent") { $0.lease = .seconds(3_600) }
        try place.server.sql(
            """
            SET session_replication_role = replica; \
            UPDATE \(place.options.schema).owner SET is_gone = true WHERE name = 'silent'
            """)
        await silent.refreshOwners()
        await #expect(throws: JournalFailure.self) { () async throws -> Void in _ = try await silent.draw(1) }
        // A service ends then, so that a new process takes its place.
        #expect(await silent.processes.takenForDead?.value() == true)
        await silent.close()
        let other = try await place.open("other")
        await other.close()
        #expect(await other.processes.takenForDead?.value() == false)
    }

    /// The server's clock was hours ahead when the last sign of a process came, as before a change of servers.
    @Test func processWhoseLastSignIsInTheFuture_isFoundDead() async throws {
        let place = try await Place()
        let name = place.options.schema
        let hasty = try await place.open("hasty") { $0.lease = .milliseconds(600) }
        try place.server.sql(
            "INSERT INTO \(name).owner (name, lock, seen) "
                + "VALUES ('ahead', 4711, clock_timestamp() + interval '3 hours')")
        for _ in 0..<50_000 where hasty.processes.isAlive("ahead") { await hasty.refreshOwners() }
        #expect(!hasty.processes.isAlive("ahead"))
        await hasty.close()
    }

    /// The same, where nothing else uses the journal that is to be moved.
    @Test func processWhoseLastSignIsInTheFuture_keepsNoJournalFromMoving() async throws {
        let place = try await Place()
        await (try await place.open("gone")).close()
        try place.server.sql(
            "INSERT INTO \(place.options.schema).owner (name, lock, seen) "
                + "VALUES ('ahead', 4711, clock_timestamp() + interval '3 hours')")
        let source = try PostgresSource(place.options)
        #expect(throws: Never.self) { try source.begin(isMove: true) }
        source.end()
    }
}
