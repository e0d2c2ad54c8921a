import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import Testing

@testable import PaymentJournal

/// Files that the first edition's own code has written.
@Suite struct MigrationTests {
    private static let start: Int64 = 1_700_000_000_000

    private func fixture(_ name: String, in folder: Folder) throws {
        let from = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/Journal/\(name).sqlite").standardized
        try FileManager.default.copyItem(atPath: from.path, toPath: folder.file())
    }

    /// The moment of the migration, long after everything in the file.
    private var options: OpeningOptions {
        var options = OpeningOptions()
        options.now = JournalInstant(wall: Self.start + 86_400_000, uptime: 10_000_000, boot: "b")
        return options
    }

    private func opened(_ name: String = "edition-1", _ folder: Folder) async throws -> (SQLiteJournal, JournalDesk) {
        try fixture(name, in: folder)
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        return (journal, JournalDesk(journal, name: "migrated"))
    }

    @Test func everyAttemptStandsWhereItStood() async throws {
        let folder = try Folder()
        let (journal, desk) = try await opened("edition-1", folder)
        let wanted: [(String, AttemptFacts.Standing, sends: Int, AttemptFacts.Close.Proof?, AttemptFacts.End.Cause)] = [
            ("begun", .notMoved, 0, nil, .takeOver), ("submitted", .inDoubt, 1, .lost, .takeOver),
            ("in-doubt", .inDoubt, 1, .lost, .takeOver), ("doubt-unsent", .inDoubt, 1, .lost, .takeOver),
            ("not-moved", .notMoved, 0, nil, .owner), ("never-arrived", .notMoved, 1, .lost, .owner),
            ("approved", .moved, 1, .answered, .owner), ("approved-two", .moved, 1, .answered, .owner),
            ("likeness", .moved, 1, .answered, .owner), ("by-person", .moved, 1, .answered, .owner),
            ("declined", .declined, 1, .answered, .owner), ("declined-found", .declined, 1, .answered, .owner),
            ("cancelled", .declined, 1, .answered, .owner), ("pending", .pending, 1, .answered, .owner),
            ("second-round", .notMoved, 0, nil, .takeOver), ("auth", .moved, 1, .answered, .owner),
            ("capture", .moved, 1, .answered, .owner), ("refund", .moved, 1, .answered, .owner),
            ("refund-failed", .declined, 1, .answered, .owner), ("refund-open", .inDoubt, 1, .lost, .takeOver),
            ("adopted", .moved, 0, nil, .imported),
        ]
        for (name, standing, sends, proof, cause) in wanted {
            let facts = try await desk.held(name)
            #expect(facts.standing == standing, "\(name)")
            #expect(facts.sends.count == sends, "\(name)")
            #expect(facts.closes.first?.proof == proof, "\(name)")
            #expect(facts.ends.map(\.by) == [cause], "\(name)")
            // Nobody waits to hear what is long done.
            #expect(facts.isTold == facts.hasMoved, "\(name)")
            #expect(!facts.blocks || facts.isOpen, "\(name)")
        }
        #expect(try await journal.check().attempts == wanted.count)
        #expect(try await journal.check().problems == [])
        await journal.close()
    }

    @Test func whatWasKnownIsKnown() async throws {
        let folder = try Folder()
        let (journal, desk) = try await opened("edition-1", folder)
        let approved = try await desk.held("approved")
        #expect(approved.names.map(\.value) == ["p-1"])
        #expect(try await desk.holders("p-1") == ["approved"])
        // Both payments are in batch 7: that names neither.
        #expect(try await desk.holders("7") == [])
        #expect(try await desk.holders("p-2") == ["approved-two"])
        #expect(try await desk.holders("l-1") == ["likeness"])
        #expect(Set(try await desk.holders("a-1")) == ["auth", "capture"])
        // Notes stay notes, and name nobody.
        #expect(AttemptRecord(try await desk.held("submitted")).notes == ["message": "s-1 ü"])
        #expect(try await desk.holders("s-1 ü") == [])
        let webhook = try await desk.held("approved-two").words[0]
        #expect(webhook.source == .webhook && webhook.providerTime == Self.start + 2_000)
        let reply = try await desk.held("approved").words[0]
        #expect(reply.source == .reply && reply.providerTime == nil)
        #expect(try await desk.held("second-round").newest.provider == JournalDesk.two)
        #expect(try await desk.held("adopted").words[0].source == .imported)
        let family = try await journal.family(try JournalDesk.key("approved"))
        #expect(family.map(\.intent.attempt.text) == ["approved", "refund", "refund-failed", "refund-open"])
        #expect(try await desk.timeline("approved").map(\.kind) == [.begun, .approved])
        #expect(try await desk.timeline("approved").last?.attributes == ["k": "v ü"])
        #expect(try await journal.draw(1) == 33)
        #expect(
            Set(try await desk.names(.open)) == ["submitted", "in-doubt", "doubt-unsent", "pending", "refund-open"])
        await journal.close()
    }

    /// What is in doubt is asked for anew, and silence counts from the migration on.
    @Test func quietBeginsAnew() async throws {
        let folder = try Folder()
        let (journal, desk) = try await opened("edition-1", folder)
        let quiet: Int64 = 150_000
        func silence(after milliseconds: Int64) async throws -> JournalAnswer {
            let asked = JournalInstant(
                wall: options.now.wall + milliseconds, uptime: options.now.uptime + milliseconds, boot: "b")
            let silence = Silence(nil, of: try await desk.held("submitted"), askedAt: asked, quiet: quiet)
            let entry = JournalEntry(try JournalDesk.key("submitted"), [.silence(silence)])
            return try await journal.write(entry, desk.fresh(), at: asked)
        }
        guard case .refused(.noProof, _) = try await silence(after: quiet - 1) else {
            Issue.record("the silence before the migration counted")
            return
        }
        guard case .accepted(let facts) = try await silence(after: quiet) else {
            Issue.record("the silence did not count")
            return
        }
        #expect(facts.standing == .notMoved)
        await journal.close()
    }

    @Test(arguments: [1, 2]) func earlierVersionsAreBroughtOver(_ version: Int) async throws {
        let folder = try Folder()
        let (journal, desk) = try await opened("edition-1-version-\(version)", folder)
        #expect(try await desk.names(.origins) == ["in-doubt", "submitted", "begun"])
        #expect(try await journal.draw(1) == (version == 1 ? 1 : 33))
        #expect(try await journal.check().problems == [])
        await journal.close()
    }

    @Test func theFileIsKeptAsItWas() async throws {
        let folder = try Folder()
        let (journal, _) = try await opened("edition-1", folder)
        await journal.close()
        let connection = try SQLiteConnection(
            path: Migration.kept(folder.file()), isReadOnly: true, busyMilliseconds: 100)
        #expect(try Schema.signs(connection).version == FirstEdition.version)
        #expect(try connection.number("SELECT count(*) FROM attempt", doing: "counting") == 21)
        #expect(try connection.number("SELECT sum(followers) FROM attempt", doing: "counting") == 4)
        connection.close()
        let mode = try FileManager.default.attributesOfItem(atPath: Migration.kept(folder.file()))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        // The second time there is nothing to do, and the copy stays.
        let again = try await SQLiteJournal.open(path: folder.file())
        #expect(try await again.check().attempts == 21)
        await again.close()
    }

    @Test func whileSomebodyUsesItNothingIsChanged() async throws {
        let folder = try Folder()
        try fixture("edition-1", in: folder)
        let owners = folder.file() + ".owners"
        try FileManager.default.createDirectory(atPath: owners, withIntermediateDirectories: true)
        let lock = try FirstEditionLock(owners + "/first-owner.lock")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        do {
            await (try await SQLiteJournal.open(path: folder.file(), options)).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("(first-owner); stop them first")) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
        lock.release()
        // Processes of this edition, waiting for the file, are in nobody's way.
        let ours = try ProcessLocks(besideJournal: folder.file(), owner: "ours")
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        #expect(try await journal.check().attempts == 21)
        #expect(ours.isAlive("ours"))
        await journal.close()
    }

    @Test func manyWhoOpenItAtOnceMigrateItOnce() async throws {
        let folder = try Folder()
        try fixture("edition-1", in: folder)
        // It's not a matter of time: on a busy machine the first one takes as long as it takes.
        var options = options
        options.busyMilliseconds = 600_000
        let (path, patient) = (folder.file(), options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let journal = try await SQLiteJournal.open(path: path, patient)
                    #expect(try await journal.page(.open, scope: "", after: nil, limit: 10).rows.count == 5)
                    await journal.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func whatCannotBeReadIsNamedAndTheRestComesOver() async throws {
        let folder = try Folder()
        try fixture("edition-1", in: folder)
        let connection = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        try connection.execute("UPDATE attempt SET minor_units = 7 WHERE id = 'submitted'", doing: "harm")
        try connection.execute("UPDATE event SET kind = 'x' WHERE sequence = 2", doing: "harm")
        connection.close()
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        let desk = JournalDesk(journal)
        await #expect(throws: JournalFailure.unreadable(try JournalDesk.key("submitted"))) {
            try await desk.facts("submitted")
        }
        let page = try await journal.page(.open, scope: "", after: nil, limit: 10)
        #expect(page.rows.count == 4)
        #expect(page.unreadable == [try JournalDesk.key("submitted")])
        #expect(try await desk.held("approved").hasMoved)
        #expect(try await journal.check().problems == [.attempt(row: 2), .event(row: 2)])
        await journal.close()
    }

    @Test func whoHadItOpenCanWriteNoMore() async throws {
        let folder = try Folder()
        try fixture("edition-1", in: folder)
        let old = try SQLiteConnection(path: folder.file(), isReadOnly: false, busyMilliseconds: 100)
        let insertion = "INSERT INTO number (name, next) VALUES ('x', 1)"
        _ = try old.number("SELECT count(*) FROM attempt", doing: "reading")
        let journal = try await SQLiteJournal.open(path: folder.file(), options)
        #expect(throws: SQLiteFailure.self) { try old.execute(insertion, doing: "writing") }
        #expect(throws: SQLiteFailure.self) {
            try old.execute("UPDATE attempt SET state = 'begun' WHERE id = 'approved'", doing: "writing")
        }
        old.close()
        await journal.close()
    }

    /// An old copy that was put in the place of a journal of this edition was restored, whatever edition it is of.
    @Test func anOldCopyInTheJournalsPlaceIsRestored() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        try await JournalDesk(journal).send(try JournalDesk.intent("a"))
        await journal.close()
        try FileManager.default.removeItem(atPath: folder.file())
        let (old, desk) = try await opened("edition-1", folder)
        await #expect(throws: JournalFailure.self) { try await desk.send(try JournalDesk.intent("b")) }
        #expect(try await desk.held("approved").hasMoved)
        await old.close()
    }

    @Test func aFileThatIsOnlyReadIsNotBroughtOver() async throws {
        let folder = try Folder()
        try fixture("edition-1", in: folder)
        var options = options
        options.isReadOnly = true
        do {
            await (try await SQLiteJournal.open(path: folder.file(), options)).close()
            Issue.record("it was opened")
        } catch { #expect(error.detail.contains("the first to write has to do that")) }
    }
}
