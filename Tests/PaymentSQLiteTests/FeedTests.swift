import PaymentJournalKit
import PaymentModel
import PaymentTestJournal
import Testing

@testable import PaymentSQLite

/// The order of all payments' events, in memory and in a file.
@Suite struct FeedTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func followed_inMemory_givesEachEventOnce() async throws {
        #expect(try await FeedPlay(InMemoryJournal()).problems().isEmpty)
    }

    @Test func followed_inAFile_givesEachEventOnce() async throws {
        let journal = try await folder.open()
        #expect(try await FeedPlay(journal).problems().isEmpty)
        await journal.close()
    }

    @Test func messages_inMemory_areWrittenTakenAndSettled() async throws {
        #expect(try await DeliveryPlay(InMemoryJournal()).problems().isEmpty)
    }

    @Test func messages_inAFile_areWrittenTakenAndSettled() async throws {
        let (one, other) = (try await folder.open(), try await folder.open())
        #expect(try await DeliveryPlay(one, beside: other).problems().isEmpty)
        await one.close()
        await other.close()
    }

    /// A reader that was away finds its place in the file that another process opens.
    @Test func followed_overAnOpening_continues() async throws {
        let first = try await folder.open()
        let start = try await FeedPlay(first).end()
        let written = try await FeedPlay(first).write()
        await first.close()
        let second = try await folder.open()
        #expect(try await FeedPlay(second).follow(start, by: 2) == written)
        await second.close()
    }

    /// A row of a payment can't be read: the others' events come all the same.
    @Test func followed_withADamagedRow_givesTheOthers() async throws {
        let first = try await folder.open()
        let start = try await FeedPlay(first).end()
        let written = try await FeedPlay(first).write()
        await first.close()
        try folder.execute("UPDATE entry SET timeline = x'00' WHERE payment = 1 AND number = 1")
        let second = try await folder.open()
        #expect(try await FeedPlay(second).follow(start, by: 3) == Array(written.dropFirst(2)))
        await second.close()
    }

    /// Rows older than thirty days go, but the newest one, so that no place is used twice; a place before them is unknown.
    @Test func place_ofWhatIsNotKept_isUnknown() async throws {
        let first = try await folder.open()
        let start = try await FeedPlay(first).end()
        _ = try await FeedPlay(first).write()
        let end = try await FeedPlay(first).end()
        await first.close()
        try folder.execute("DELETE FROM feed WHERE seq < (SELECT max(seq) FROM feed)")
        let second = try await folder.open()
        #expect(try await second.feed(after: start, limit: 10) == nil)
        #expect(try await second.feed(after: end, limit: 10)?.items.isEmpty == true)
        await second.close()
    }

    /// Old rows go from the front alone. A row of a clock that ran ahead goes with them, one of a clock that was behind stays
    /// with the young ones around it.
    @Test(arguments: [
        ("UPDATE feed SET at = at + 31536000000 WHERE seq = 1", true), ("UPDATE feed SET at = 1 WHERE seq = 3", false),
    ])
    func rows_ofAWrongClock_leaveNoHole(_ change: String, _ isOld: Bool) async throws {
        let first = try await folder.open()
        _ = try await FeedPlay(first).write()
        _ = try await FeedPlay(first).write()
        let last = try await first.number("SELECT max(seq) FROM feed")
        #expect(last > 4)
        let now = JournalTestWriter.at(1_000_000).wall
        if isOld {
            try await first.execute("UPDATE feed SET at = \(now - 3_456_000_000) WHERE seq < \(last)")
        }
        try await first.execute(change)
        try await first.keeping { try LogWriter.removeOldFeed($0.connection, at: now) }
        let (least, count) = (
            try await first.number("SELECT min(seq) FROM feed"), try await first.number("SELECT count(*) FROM feed")
        )
        #expect((least > 1) == isOld && count == last - least + 1, "\(least) to \(last), \(count) rows")
        await first.close()
    }
}
