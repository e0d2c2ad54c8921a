import PaymentAbstraction
import PaymentBase
import PaymentConformance
import Testing

@testable import PaymentJournal

/// What the writer remembers of its own entries is never believed against the file.
@Suite struct FactCacheTests {
    @Test func whatAnotherHasWrittenIsReadBeforeTheNextEntry() async throws {
        let folder = try Folder()
        let (first, second) = (
            try await SQLiteJournal.open(path: folder.file()), try await SQLiteJournal.open(path: folder.file())
        )
        let (here, there) = (JournalDesk(first), JournalDesk(second, name: "there"))
        try await here.send(try JournalDesk.intent("a"))
        // By now the first remembers an attempt on which nothing is decided.
        try await there.accept("a", JournalDesk.closing(JournalDesk.approved(), names: ["psp-1"]))
        #expect(try await here.write("a", [JournalDesk.open()]) == .refused(.fenced, try await there.facts("a")))
        try await here.accept("a", [.note(name: "n", value: "v")])
        #expect(try await there.accept("a", []).words.count == 1)
        await first.close()
        await second.close()
    }

    /// A piece of a batch that is undone leaves nothing behind that the next entry would build on.
    @Test func whatWasUndoneIsForgotten() async throws {
        struct Broken: Error {}
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        let before = try await desk.send(try JournalDesk.intent("a"))
        await #expect(throws: JournalFailure.self) {
            try await journal.keeping { keeper in
                let entry = JournalEntry(
                    try JournalDesk.key("a"), JournalDesk.closing(JournalDesk.approved(), names: ["psp-1"]))
                _ = try EntryWriter(keeper.connection, keeper.cache).write(entry, WriteID("w"), at: JournalDesk.at(5))
                throw Broken()
            }
        }
        #expect(try await desk.accept("a", []) == before)
        #expect(try await desk.accept("a", JournalDesk.closing(JournalDesk.approved())).hasMoved)
        await journal.close()
    }

    @Test func whoIsNoLongerRememberedIsRead() async throws {
        let folder = try Folder()
        let journal = try await SQLiteJournal.open(path: folder.file())
        let desk = JournalDesk(journal)
        let names = (0...FactCache.attemptsMax).map { "a\($0)" }
        for name in names { try await desk.send(try JournalDesk.intent(name)) }
        for name in [names[0], names[names.count - 1]] {
            #expect(try await desk.accept(name, JournalDesk.closing(JournalDesk.approved())).hasMoved, "\(name)")
        }
        #expect(try await journal.check().problems.isEmpty)
        await journal.close()
    }
}
