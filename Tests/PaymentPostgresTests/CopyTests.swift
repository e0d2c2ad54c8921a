import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestJournal
import PaymentTestPostgres
import Testing

@testable import PaymentPostgres

/// A journal that is brought from a file into a database and back: all of it, and never two that begin anything.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct CopyTests {
    private let file = NSTemporaryDirectory() + "copied-\(UUID().uuidString).sqlite"

    private func remove() {
        for end in ["", "-wal", "-shm", ".last", ".owners"] { try? FileManager.default.removeItem(atPath: file + end) }
    }

    /// Everything that a journal can hold.
    private func fill(_ journal: SQLiteJournal) async throws {
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("gone"), JournalTestWriter.approved(), names: ["n-gone"])
        // The newest payment of a file stays.
        try await desk.done(try JournalTestWriter.intent("newer"), JournalTestWriter.approved(), at: 2_000)
        #expect(try await journal.prune(before: JournalTestWriter.at(1_000).wall).payments == 1)
        for number in 0..<600 {
            let name = "a-\(number)"
            try await desk.done(
                try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["n-\(name)", "m-\(number)"])
        }
        try await desk.done(try JournalTestWriter.intent("r", .refund, 40, of: "a-7"), JournalTestWriter.approved(40))
        try await desk.done(try JournalTestWriter.intent("no"), JournalTestWriter.declined)
        try await desk.send(try JournalTestWriter.intent("elsewhere", scope: "other \u{0}\u{10}1"))
        try await desk.send(try JournalTestWriter.intent("lost"))
        let lost = JournalTestWriter.finish(try JournalTestWriter.id("lost"), nil)
        try await desk.accept(lost, timeline: [try JournalTestWriter.event("sent", of: "lost")])
        try await journal.add(
            [try JournalTestWriter.event("seen", of: "lost")], to: PaymentID(try JournalTestWriter.id("lost")))
        _ = try await desk.write(JournalTestWriter.notice("w", "unknown \u{0}", JournalTestWriter.approved()), at: 9)
        _ = try await journal.draw(77)
    }

    /// Pieces of a journal, all of them.
    private func pieces(_ journal: any JournalReading) throws -> [JournalChunk] {
        try JournalChunk.Kind.allCases.flatMap { kind in
            var (all, place) = ([JournalChunk](), JournalPlace.start)
            while let (pieces, next) = try journal.pieces(kind, after: place) { (all, place) = (all + pieces, next) }
            return all
        }
    }

    private func words(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch let failure as JournalCopyFailure { return failure.words } catch let failure
            as JournalFailure
        {
            if case .notWritten(let words) = failure { return words }
            return "\(failure)"
        } catch { return "\(error)" }
        return ""
    }

    /// What a journal says to a request, to a drawing of numbers, to a new message and one from before a move, and to what takes
    /// lookups that are owed or messages that wait; empty where it does what was asked.
    private func answers(_ journal: any Journal, _ desk: JournalTestWriter) async -> [String] {
        let late = JournalTestWriter.notice("m-late", "n-a-3", JournalTestWriter.declined, [.refund])
        let known = JournalTestWriter.notice("w", "unknown \u{0}", JournalTestWriter.approved())
        let noon = JournalTestWriter.at(43_200_000)
        return [
            await words { try await desk.send(try JournalTestWriter.intent("x")) },
            await words { _ = try await journal.draw(1) },
            await words { _ = try await desk.write(late, at: 9_000) },
            await words { _ = try await desk.write(known, at: 9_000) },
            await words { _ = try await journal.takeDue(limit: 10, at: noon) },
            await words { _ = try await journal.takeDue(limit: 0, at: noon) },
            await words { _ = try await journal.changeDeliveries { rows in try rows.endpoints().count } },
        ]
    }

    @Test func everythingIsBroughtThereAndBack() async throws {
        defer { remove() }
        let first = try await SQLiteJournal.open(path: file, processes: SingleProcess(JournalTestWriter.owner))
        try await fill(first)
        let followed = try await first.feed(after: nil, limit: 0)?.next
        await first.close()
        var place = try await Place()
        place.options.schema = place.server.freshSchema()
        let report = try JournalCopy(
            from: try SQLiteSource(file), to: try PostgresTarget(place.options), isMove: true
        ).run()
        #expect(report.counts[.payments] == 604 && report.attempts == 605 && report.counts[.notices] == 1)
        #expect(report.counts[.forgotten] == 1 && report.counts[.forgottenNames] == 2 && report.events > 0)
        // There it continues: with its numbers, its names, and what was open.
        let journal = try await place.open()
        #expect(journal.warnings.allSatisfy { !$0.contains("restored") })
        #expect(try await Place.problems(journal) == [])
        let desk = JournalTestWriter(journal, name: "there")
        #expect(try await journal.draw(1) == 78)
        #expect(try await desk.holders("n-a-3") == ["a-3"])
        // A reader of the old journal's events begins again, whatever number its place has.
        let there = try await journal.feed(after: nil, limit: 0)?.next
        #expect(there != nil && there?.feed != followed?.feed)
        #expect(try await desk.names(.open(scope: "")).sorted() == ["lost"])
        try await desk.done(try JournalTestWriter.intent("new"), JournalTestWriter.approved())
        let again = await words { try await desk.send(try JournalTestWriter.intent("gone")) }
        #expect(again.contains("pruned"))
        await journal.close()
        // And here it doesn't, not even for a person.
        let left = try await SQLiteJournal.open(path: file, processes: SingleProcess(JournalTestWriter.owner))
        let here = JournalTestWriter(left, name: "here")
        #expect(await answers(left, here).allSatisfy { $0.contains("was moved") })
        #expect(try await here.held("a-3").state == .approved)
        await left.close()
        await #expect(throws: PaymentError.self) { try await SQLiteJournal.acceptRestored(path: file) }
        // And back.
        let back = file + "-back"
        defer {
            for end in ["", "-wal", "-shm", ".last", ".owners"] {
                try? FileManager.default.removeItem(atPath: back + end)
            }
        }
        _ = try JournalCopy(from: try PostgresSource(place.options), to: SQLiteTarget(back), isMove: true).run()
        let home = try await SQLiteJournal.open(path: back, processes: SingleProcess(JournalTestWriter.owner))
        #expect(try await Place.problems(home) == [])
        #expect(try await home.feed(after: nil, limit: 0)?.next.feed != there?.feed)
        #expect(try await home.draw(1) == 79)
        try await JournalTestWriter(home, name: "home").done(
            try JournalTestWriter.intent("last"), JournalTestWriter.approved())
        await home.close()
        let old = try await place.open()
        let gone = JournalTestWriter(old, name: "gone")
        #expect(await answers(old, gone).allSatisfy { $0.contains("was moved") })
        await old.close()
        await #expect(throws: PaymentError.self) {
            try await PostgresJournal.acceptRestored(place.options, anyway: true)
        }
    }

    @Test func aCopyBeginsNothingUntilAPersonAcceptsIt() async throws {
        defer { remove() }
        let first = try await SQLiteJournal.open(path: file, processes: SingleProcess(JournalTestWriter.owner))
        let desk = JournalTestWriter(first)
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved(), names: ["n"])
        _ = try await first.draw(10)
        // Others write during the copy: it is copied up to some moment, and says which.
        var place = try await Place()
        place.options.schema = place.server.freshSchema()
        let report = try JournalCopy(
            from: try SQLiteSource(file), to: try PostgresTarget(place.options), isMove: false
        ).run()
        #expect(report.last?.text == "a" && report.lastAt == JournalTestWriter.at(1).wall)
        try await desk.done(try JournalTestWriter.intent("b"), JournalTestWriter.approved())
        #expect(try await first.draw(1) == 11)
        await first.close()
        let journal = try await place.open()
        #expect(journal.warnings.contains { $0.contains("copied from another one") })
        let there = JournalTestWriter(journal, name: "there")
        #expect(await words { try await there.send(try JournalTestWriter.intent("b")) }.contains("accept-restored"))
        #expect(await words { _ = try await journal.draw(1) }.contains("accept-restored"))
        #expect(try await there.held("a").state == .approved)
        #expect(try await PostgresJournal.acceptRestored(place.options))
        #expect(try await PostgresJournal.acceptRestored(place.options) == false)
        // Also for processes that had it open: numbers of a new generation.
        #expect(try await journal.draw(1) >= JournalNumbers.ofGeneration)
        try await there.closeGap()
        try await there.send(try JournalTestWriter.intent("c"))
        await journal.close()
    }

    @Test func aDatabaseIsCopiedIntoAFileThatBeginsNothing() async throws {
        defer { remove() }
        let place = try await Place()
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        _ = try JournalCopy(from: try PostgresSource(place.options), to: SQLiteTarget(file), isMove: false).run()
        // The first continues.
        try await JournalTestWriter(journal, name: "more").done(
            try JournalTestWriter.intent("b"), JournalTestWriter.approved())
        await journal.close()
        let copy = try await SQLiteJournal.open(path: file, processes: SingleProcess(JournalTestWriter.owner))
        let desk = JournalTestWriter(copy, name: "copy")
        #expect(await words { try await desk.send(try JournalTestWriter.intent("c")) }.contains("accept-restored"))
        #expect(await words { _ = try await copy.draw(1) }.contains("accept-restored"))
        await copy.close()
        #expect(try await SQLiteJournal.acceptRestored(path: file))
    }

    @Test func whatIsNotEmptyInUseOrTheSameIsRefused() async throws {
        defer { remove() }
        let (place, other) = (try await Place(), try await Place())
        let journal = try await place.open()
        try await JournalTestWriter(journal).done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        func copy(_ from: any JournalSource, _ to: any JournalTarget, isMove: Bool = false) async -> String {
            await words { _ = try JournalCopy(from: from, to: to, isMove: isMove).run() }
        }
        func source() throws -> PostgresSource { try PostgresSource(place.options) }
        #expect(try await copy(source(), try PostgresTarget(place.options)).contains("the same journal"))
        #expect(try await copy(source(), SQLiteTarget(file), isMove: true).contains("in use"))
        await journal.close()
        let user = try await other.open()
        #expect(try await copy(source(), try PostgresTarget(other.options)).contains("in use"))
        try await JournalTestWriter(user).done(try JournalTestWriter.intent("x"), JournalTestWriter.approved())
        await user.close()
        #expect(try await copy(source(), try PostgresTarget(other.options)).contains("isn't empty"))
        // What was refused has left nothing, and the other can be moved still.
        #expect(try await copy(source(), SQLiteTarget(file), isMove: true) == "")
        #expect(try await copy(SQLiteSource(file), SQLiteTarget(file + "-2")) == "")
        #expect(try await copy(source(), SQLiteTarget(file), isMove: true).contains("moved"))
        #expect(try await copy(SQLiteSource(file), SQLiteTarget(file + "-2")).contains("isn't empty"))
        try? FileManager.default.removeItem(atPath: file + "-2")
        #expect(try await copy(SQLiteSource(file), SQLiteTarget(file + "-2")).contains("isn't empty") == false)
        #expect(await words { _ = try SQLiteSource(file + "-none") }.contains("there is no journal"))
        let locks = try ProcessLocks(besideJournal: file, owner: "till-1")
        #expect(try await copy(SQLiteSource(file), SQLiteTarget(file + "-3"), isMove: true).contains("till-1"))
        withExtendedLifetime(locks) {}
        for name in ["-2", "-3"] {
            for end in ["", "-wal", "-shm", ".last", ".owners"] {
                try? FileManager.default.removeItem(atPath: file + name + end)
            }
        }
    }

    /// A process that was under way when its machine died is taken over where the journal is now.
    @Test func whoIsGoneThereIsGoneHere() async throws {
        defer { remove() }
        let place = try await Place()
        let dead = try await place.open("dead-1")
        try await JournalTestWriter(dead).send(try JournalTestWriter.intent("a"), owner: "dead-1")
        await dead.close()
        _ = try JournalCopy(from: try PostgresSource(place.options), to: SQLiteTarget(file), isMove: true).run()
        let locks = try ProcessLocks(besideJournal: file, owner: "heir-1")
        #expect(!locks.isAlive("dead-1") && locks.isAlive("nobody-1"))
        var back = place
        back.options.schema = place.server.freshSchema()
        withExtendedLifetime(locks) {}
    }

    /// Tills write while the journal is moved away under them: what was acknowledged is in the second, or nowhere.
    @Test func nothingIsAcknowledgedInBetween() async throws {
        defer { remove() }
        let place = try await Place()
        let journal = try await place.open("tills") { $0.lease = .seconds(3_600) }
        let desk = JournalTestWriter(journal)
        try await desk.send(try JournalTestWriter.intent("first"))
        let isOver = Locked(false)
        let tills = Task {
            try await desk.atOnce(16) { till in
                var written: [String] = []
                for number in 0... {
                    if isOver.withLock({ $0 }) { break }
                    let name = "t-\(till)-\(number)"
                    do {
                        try await desk.send(try JournalTestWriter.intent(name))
                        written.append(name)
                    } catch is JournalFailure { return written }
                }
                return written
            }
        }
        while try await desk.names(.open(scope: nil)).count < 200 {}
        // They are taken for dead, wrongly, and find out a long time later.
        try place.server.sql(
            "SET session_replication_role = replica; UPDATE \(place.options.schema).owner SET is_gone = true")
        _ = try JournalCopy(from: try PostgresSource(place.options), to: SQLiteTarget(file), isMove: true).run()
        isOver.withLock { $0 = true }
        let written = try await tills.value.flatMap(\.self)
        await journal.close()
        let copy = try await SQLiteJournal.open(path: file, processes: SingleProcess(JournalTestWriter.owner))
        let there = Set(try await JournalTestWriter(copy).names(.open(scope: nil), limit: 10_000))
        #expect(written.count >= 199 && written.allSatisfy { there.contains($0) })
        await copy.close()
    }
}
