import PaymentJournalKit
import PaymentModel
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// The order of all payments' events, over a server.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct FeedTests {
    @Test func followed_givesEachEventOnce() async throws {
        let place = try await Place()
        let journal = try await place.open(JournalTestWriter.owner)
        #expect(try await FeedPlay(journal).problems().isEmpty)
        await journal.close()
    }

    @Test func messages_areWrittenTakenAndSettled_byTwoProcesses() async throws {
        let place = try await Place()
        let (one, other) = (try await place.open(JournalTestWriter.owner), try await place.open("beside"))
        #expect(try await DeliveryPlay(one, beside: other).problems().isEmpty)
        await one.close()
        await other.close()
    }

    @Test func hintsAboutUnknownNames_onAServer_areNotKept() async throws {
        let place = try await Place()
        let journal = try await place.open(JournalTestWriter.owner)
        let found = try await HintPlay(journal) { try await journal.waitingNotices(after: 0, limit: 20_000).count }
            .problems()
        #expect(found == [])
        await journal.close()
    }

    /// After a move, years of rows have no place yet: placed at once, they took longer than a statement may, and no list was read.
    @Test func manyRowsWithoutAPlace_arePlacedInPieces() async throws {
        let place = try await Place()
        let journal = try await place.open(JournalTestWriter.owner)
        _ = try await FeedPlay(journal).write()
        let feed = "\(place.options.schema).feed"
        try place.server.sql(
            "INSERT INTO \(feed) (payment, number, at) SELECT f.payment, f.number, f.at "
                + "FROM (SELECT * FROM \(feed) LIMIT 1) f, generate_series(1, 12000)")
        #expect(try await journal.feed(after: nil, limit: 0) != nil)
        #expect(try place.server.sql("SELECT count(*) FROM \(feed) WHERE place IS NULL") == ["0"])
        // What one transaction wrote has one number.
        #expect(try place.server.sql("SELECT count(DISTINCT xmin::text) > 2 FROM \(feed)") == ["t"])
        await journal.close()
    }

    /// What is written in a transaction that began first and is committed last comes when it is there, and is not passed over.
    @Test func rowThatIsCommittedLate_isNotPassedOver() async throws {
        let place = try await Place()
        let journal = try await place.open(JournalTestWriter.owner)
        let play = FeedPlay(journal)
        let start = try await play.end()
        let written = try await play.write()
        let schema = place.options.schema
        // The first row is taken out before it has a place, as if its transaction were still open.
        try place.server.sql("DELETE FROM \(schema).feed WHERE id = (SELECT min(id) FROM \(schema).feed)")
        let seen = try await play.follow(start, by: 10)
        #expect(seen == Array(written.dropFirst(2)))
        let later = try await play.end()
        try place.server.sql(
            "INSERT INTO \(schema).feed (id, payment, number, at) OVERRIDING SYSTEM VALUE "
                + "SELECT 0, min(payment), 1, min(at) FROM \(schema).entry")
        #expect(try await play.follow(later, by: 1) == Array(written.prefix(2)))
        await journal.close()
    }
}
