import PaymentAbstraction
import PaymentBase
import PaymentPostgres
import PaymentTestJournal
import PaymentTestPostgres
import Testing

/// What the rows of the store guard, and what is found by them.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct RowTests {
    /// Each row has a sum of its own, so that it takes no checksums of the database's.
    @Test(arguments: ["events", "answer", "timeline", "write"])
    func entry_bitFlipped_isNoticed(_ column: String) async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b"] {
            let step = try JournalTestWriter.event("seen", of: name)
            try await desk.accept(JournalTestWriter.request(try JournalTestWriter.intent(name)), timeline: [step])
        }
        let middle = "length(\(column)) / 2"
        try place.server.sql(
            """
            UPDATE \(place.options.schema).entry SET \(column) = set_byte(\(column), \(middle), get_byte(\(column), \(middle)) # 1) \
            WHERE number = 1 AND payment = (SELECT payment FROM \(place.options.schema).attempt WHERE id = 'a')
            """)
        let unreadable = JournalFailure.unreadable(PaymentID(try JournalTestWriter.id("a")))
        await #expect(throws: unreadable) { try await desk.attempt("a") }
        await #expect(throws: unreadable) {
            try await desk.write(JournalTestWriter.finish(try JournalTestWriter.id("a"), JournalTestWriter.approved()))
        }
        // Others are read and written, and lists name the one that can't be read.
        try await desk.accept(JournalTestWriter.finish(try JournalTestWriter.id("b"), JournalTestWriter.approved()))
        for query in [JournalQuery.origins(scope: nil), .open(scope: nil)] {
            let page = try await journal.attempts(query, after: nil, limit: 10)
            #expect(page.unreadable == [PaymentID(try JournalTestWriter.id("a"))])
        }
        let due = try await journal.takeDue(limit: 10, at: JournalTestWriter.at(100_000))
        #expect(due.unreadable == [PaymentID(try JournalTestWriter.id("a"))])
        await journal.close()
    }

    /// A payment whose last entries are gone still has the ids of their attempts.
    @Test func payment_lastEntryLost_isNoticed() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        try await desk.done(try JournalTestWriter.intent("a"), JournalTestWriter.approved())
        try await desk.send(try JournalTestWriter.intent("r", .refund, of: "a"))
        try place.server.sql("DELETE FROM \(place.options.schema).entry WHERE number = 3")
        await #expect(throws: JournalFailure.self) { try await desk.attempt("a") }
        await journal.close()
    }

    /// Only what begins under one reference waits for the other; the second is refused, whichever came first.
    @Test func sales_underOneReferenceAtOnce_payOnce() async throws {
        let place = try await Place()
        let journals = [try await place.open("one"), try await place.open("two")]
        let desks = journals.map { JournalTestWriter($0, name: $0.processes.own) }
        let answers = try await desks[0].atOnce(24) { number in
            try await desks[number % 2].write(
                JournalTestWriter.request(try JournalTestWriter.intent("s-\(number)", reference: "order"), owner: "o"))
        }
        let written = answers.count { if case .written = $0 { true } else { false } }
        let refused = answers.count { if case .refused(.referenceInUse, _) = $0 { true } else { false } }
        #expect(written == 1 && refused == 23)
        for journal in journals { await journal.close() }
    }

    /// Refunds of the same payments and messages about them, from two processes in every order: each refund counts once, and
    /// no transaction waits for another one for ever.
    @Test func refundsAndMessages_fromAllSides_countOnce() async throws {
        let place = try await Place()
        let journals = [try await place.open("one"), try await place.open("two")]
        let desks = journals.map { JournalTestWriter($0, name: $0.processes.own) }
        for payment in 0..<6 {
            let verdict = JournalTestWriter.approved(1_000, ["id": "pay-\(payment)"])
            try await desks[0].done(
                try JournalTestWriter.intent("p-\(payment)", .sale, 1_000), verdict, names: ["pay-\(payment)"])
        }
        _ = try await desks[0].atOnce(96) { number in
            let (desk, payment, name) = (desks[number % 2], number / 2 % 6, "back-\(number / 2)")
            let verdict = JournalTestWriter.approved(1, ["id": name])
            guard number.isMultiple(of: 2) else {
                _ = try await desk.write(
                    JournalTestWriter.notice("m-\(number)", name, verdict, [.refund], original: "pay-\(payment)"))
                return
            }
            let intent = try JournalTestWriter.intent("r-\(number / 2)", .refund, 1, of: "p-\(payment)")
            try await desk.done(intent, verdict, names: [name])
        }
        for payment in 0..<6 {
            let family = try await desks[1].family("p-\(payment)")
            #expect(PaymentRecord(family).amounts.refunded.minorUnits == 8, "\(family)")
        }
        #expect(try place.server.sql("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'") == ["0"])
        for journal in journals { await journal.close() }
    }

    /// The locks of payments are really taken, and each payment has one, whether an id or a name leads to it.
    @Test func lockPayments_idsAndNames_lockEachPaymentOnce() async throws {
        let place = try await Place()
        let journal = try await place.open()
        let desk = JournalTestWriter(journal)
        for name in ["a", "b", "c"] {
            try await desk.done(try JournalTestWriter.intent(name), JournalTestWriter.approved(), names: ["n-\(name)"])
        }
        try await desk.send(try JournalTestWriter.intent("r", .refund, 1, of: "a"))
        await journal.close()
        let name = place.options.schema
        let hashes = try place.server.sql("SELECT hash FROM \(name).name ORDER BY payment LIMIT 2").joined(
            separator: ",")
        let counts = try place.server.sql(
            """
            SET search_path = pg_catalog, \(name); BEGIN; PREPARE p AS \(PostgresStatement.lockPayments.sql); \
            EXECUTE p(ARRAY['a', 'r', 'new'], ARRAY[\(hashes)]::bigint[], 7); \
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
            """)
        #expect(counts == ["2", "2"])
    }
}
