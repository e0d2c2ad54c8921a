import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// A machine that is cut off from the database for a minute, between a charge and its end.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct CutTests {
    /// The machine's clock, which is put forward by whole seconds.
    private final class Moved: PaymentClock {
        private let clock = SystemClock()
        private let by = Locked<Int64>(0)

        var now: Int64 { clock.now + by.withLock { $0 } }
        var uptime: Int64 { clock.uptime + by.withLock { $0 } }
        var boot: String { clock.boot }
        func sleep(until instant: Int64) async throws { try await clock.sleep(until: instant - by.withLock { $0 }) }
        func pass(_ seconds: Int64) { by.withLock { $0 += seconds * 1_000 } }
    }

    /// Time passes for all: at both machines, and at the server for what was seen there of a process.
    private func pass(_ seconds: Int64, _ clocks: [Moved], _ place: Place, silent owner: String) throws {
        for clock in clocks { clock.pass(seconds) }
        try place.server.sql(
            """
            UPDATE \(place.options.schema).owner SET seen = seen - interval '\(seconds) s' WHERE name = '\(owner)'
            """)
    }

    private func refusal(_ desk: JournalTestWriter, _ name: String) async throws -> String {
        do {
            try await desk.send(try JournalTestWriter.intent(name), owner: "cut-off")
        } catch JournalFailure.notWritten(
            let words)
        { return words } catch JournalFailure.writeUnconfirmed { return "unknown" }
        return ""
    }

    @Test func nothingIsDoneTwiceAndTheLeaseIsWaitedFor() async throws {
        let place = try await Place()
        let proxy = try PostgresProxy(place.server)
        defer { proxy.stop() }
        let (ours, theirs) = (Moved(), Moved())
        let cut = try await place.open("cut-off") { options in
            options.connection = Secret(proxy.connection)
            (options.lease, options.outageTimeout, options.clock) = (.seconds(60), .milliseconds(50), ours)
        }
        let other = try await place.open("other") { options in
            (options.lease, options.clock) = (.seconds(60), theirs)
        }
        let provider = LedgerProvider()
        let desk = JournalTestWriter(cut, name: "cut")
        // The charge has left and is carried out; then nothing comes through any more.
        try await desk.send(try JournalTestWriter.intent("a"), owner: "cut-off")
        provider.execute("a", Money(minorUnits: 100, .eur))
        proxy.cut()
        // It still believes that it may, and can't; from half of the lease on it knows that it may not.
        #expect(try await !refusal(desk, "b").contains("that it lives"))
        try pass(31, [ours, theirs], place, silent: "cut-off")
        #expect(try await refusal(desk, "c").contains("that it lives"))
        // The other one doesn't take over: not while the server keeps the lock, and not before the lease is over.
        let till = JournalTestClient(other, owner: "other", other.processes, at: 90_000)
        await other.refreshOwners()
        #expect(other.processes.isAlive("cut-off"))
        try pass(31, [ours, theirs], place, silent: "cut-off")
        await other.refreshOwners()
        #expect(other.processes.isAlive("cut-off"), "the server still keeps its lock")
        #expect(try await JournalTestWriter(other).held("a").state == .running)
        proxy.tellServer()
        while other.processes.isAlive("cut-off") { await other.refreshOwners() }
        // Now it does, and finds what was done.
        let left = try await till.recover { provider.found($0.attempt.text) }
        #expect(left.isEmpty)
        let held = try await JournalTestWriter(other).held("a")
        #expect(held.state == .approved && held.requests.count == 1 && held.runs.map(\.end) == [.takeOver])
        #expect(provider.count("a") == 1)
        // Back again, it finds out that it was taken for dead, and sends nothing; what it had heard still counts.
        proxy.mend()
        var words = ""
        while !words.contains("taken for dead") {
            await cut.refreshOwners()
            words = try await refusal(desk, "d")
        }
        _ = try await desk.write(
            JournalTestWriter.finish(try JournalTestWriter.id("a"), JournalTestWriter.approved(), owner: "cut-off"))
        #expect(provider.count("a") == 1)
        for name in ["b", "c", "d"] { #expect(try await JournalTestWriter(other).attempt(name) == nil) }
        await cut.close()
        await other.close()
    }

    /// A process whose line was cut for less than the lease lives on, and no other takes anything from it.
    @Test func processThatReturnsBeforeItsLeaseEnds_continues() async throws {
        let place = try await Place()
        let proxy = try PostgresProxy(place.server)
        defer { proxy.stop() }
        let (ours, theirs) = (Moved(), Moved())
        let cut = try await place.open("cut-off") { options in
            options.connection = Secret(proxy.connection)
            (options.lease, options.outageTimeout, options.clock) = (.seconds(60), .milliseconds(50), ours)
        }
        let other = try await place.open("other") { options in
            (options.lease, options.clock) = (.seconds(60), theirs)
        }
        proxy.cut()
        proxy.tellServer()
        try pass(45, [ours, theirs], place, silent: "cut-off")
        await other.refreshOwners()
        #expect(other.processes.isAlive("cut-off"))
        let desk = JournalTestWriter(cut, name: "cut")
        #expect(try await refusal(desk, "a").contains("that it lives"))
        proxy.mend()
        while try await refusal(desk, "b") != "" {}
        await other.refreshOwners()
        #expect(other.processes.isAlive("cut-off"))
        await cut.close()
        await other.close()
    }

    /// A machine that slept with all others on it has seen the silence of no other: it watches for a whole lease first.
    @Test func processThatSlept_declaresNoOtherDeadAtOnce() async throws {
        let place = try await Place()
        let proxy = try PostgresProxy(place.server)
        defer { proxy.stop() }
        let (ours, theirs) = (Moved(), Moved())
        let cut = try await place.open("asleep") { options in
            options.connection = Secret(proxy.connection)
            (options.lease, options.outageTimeout, options.clock) = (.seconds(60), .milliseconds(50), ours)
        }
        let other = try await place.open("awake") { options in
            (options.lease, options.clock) = (.seconds(60), theirs)
        }
        proxy.cut()
        proxy.tellServer()
        try pass(600, [ours, theirs], place, silent: "asleep")
        for _ in 0..<3 {
            await other.refreshOwners()
            #expect(other.processes.isAlive("asleep"), "nobody has watched it for a lease")
        }
        for _ in 0..<3 {
            try pass(31, [ours, theirs], place, silent: "asleep")
            await other.refreshOwners()
        }
        while other.processes.isAlive("asleep") { await other.refreshOwners() }
        await cut.close()
        await other.close()
    }
}

/// A commit without an acknowledgement: written or not, the same write again finds out, and nothing is done twice.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct FateTests {
    @Test(arguments: CommitFault.allCases) func theSameWriteAgainFindsOut(_ fault: CommitFault) async throws {
        for failing in 1...9 {
            let (place, count) = (try await Place(), Counter())
            let journal = try await place.open { $0.commitFault = { count.next() == failing ? fault : nil } }
            let desk = JournalTestWriter(journal)
            var unknown = 0
            func surely(_ command: JournalCommand) async throws -> JournalAnswer {
                let (entry, id) = (JournalEntry(command), desk.fresh())
                while true {
                    do { return try await journal.write(entry, id, at: JournalTestWriter.at(0)) } catch {
                        guard case .writeUnconfirmed = error else { throw error }
                        unknown += 1
                    }
                }
            }
            for name in ["a", "b", "c"] {
                let (intent, id) = (try JournalTestWriter.intent(name), try JournalTestWriter.id(name))
                let begun = try await surely(JournalTestWriter.request(intent))
                let held = try await desk.held(name)
                #expect(begun.receipt?.request == 1 && begun.attempt == held)
                _ = try await surely(JournalTestWriter.note(id, "n", "v"))
                _ = try await surely(JournalTestWriter.finish(id, JournalTestWriter.approved(), names: ["n-\(name)"]))
            }
            #expect(unknown == 1)
            for name in ["a", "b", "c"] {
                let held = try await desk.held(name)
                #expect(held.requests.count == 1 && held.reports.count == 1 && held.notes.count == 1)
                #expect(try await desk.holders("n-\(name)") == [name])
            }
            await journal.close()
        }
    }

    @Test func writersOfOneBatch_haveTheSameDoubt() async throws {
        let (place, count) = (try await Place(), Counter())
        let journal = try await place.open { $0.commitFault = { count.next() % 3 == 1 ? .lost : nil } }
        let (doubts, open) = try await DoubtPlay.writeTogether(120, journal)
        #expect(doubts > 0 && open == 120)
        await journal.close()
    }

    /// Every connection is cut again and again while tills write: what was acknowledged is there, once.
    @Test func whatWasAcknowledgedIsThereWhateverIsCut() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        let isOver = Locked(false)
        let server = place.server
        let cuts = Task {
            var count = 0
            while !isOver.withLock({ $0 }) {
                _ = try? server.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'payments' \
                    AND query <> '' AND pid IN (SELECT pid FROM pg_locks WHERE relation = \
                    '\(place.options.schema).entry'::regclass)
                    """)
                count += 1
            }
            return count
        }
        let doubts = try await desk.atOnce(16) { till in
            var doubts = 0
            for number in 0..<20 {
                let name = "a-\(till)-\(number)"
                let begin = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent(name)))
                var isWritten = false
                while !isWritten {
                    do {
                        _ = try await journal.write(begin, WriteID(name), at: JournalTestWriter.at(0))
                        isWritten = true
                    } catch JournalFailure.writeUnconfirmed { doubts += 1 } catch JournalFailure.notWritten {}
                }
            }
            return doubts
        }
        isOver.withLock { $0 = true }
        let count = await cuts.value
        let names = try await desk.names(.open(scope: nil))
        #expect(names.count == 320 && Set(names).count == 320)
        print("cut \(count) times, \(doubts.reduce(0, +)) writes of unknown fate found again")
        await journal.close()
    }
}
