import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

/// A journal that does not answer the next reads.
final class ReadlessJournal: JournalWrapper {
    let inner: any Journal
    private let unanswered = Locked(0)

    init(_ inner: any Journal) { self.inner = inner }

    /// Lets so many reads fail.
    func failReads(_ count: Int) { unanswered.withLock { $0 = count } }

    private func read() throws(JournalFailure) {
        let isAnswered = unanswered.withLock { left in
            if left == 0 { return true }
            left -= 1
            return false
        }
        if !isAnswered { throw .notWritten("the database does not answer") }
    }

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try read()
        return try await inner.attempts(query, after: cursor, limit: limit)
    }

    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        try read()
        return try await inner.payment(id)
    }
}

/// What one process leaves in doubt, and what another client or process makes of it.
@Suite struct DoubtTests {
    /// Keeps the first opening and hides that. It refuses the repeats, as where a process may send nothing now.
    private final class Refusing: JournalWrapper {
        let inner: any Journal
        private let offers = Locked(0)

        init(_ inner: any Journal) { self.inner = inner }

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
        ) async throws(JournalFailure) -> JournalAnswer {
            guard case .request = entry.command else { return try await inner.write(entry, id, at: instant) }
            let number = offers.withLock { offers in
                offers += 1
                return offers
            }
            if number == 2 || number == 3 { throw .notWritten("it opens no send now") }
            let answer = try await inner.write(entry, id, at: instant)
            if number == 1 { throw .writeUnconfirmed("the connection was lost while committing") }
            return answer
        }
    }

    /// The database is away when an opening is committed, and for longer than half of the lease.
    @Test func openingOfUnknownFate_whoseRepeatIsRefused_leavesNoOrderOpen() throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger), over: Refusing(shop.journal))
        let (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2"))
        try shop.play {
            let first = await client.sell(attempt: sale)
            #expect(shop.ledger.chargedCents == 0, "\(first)")
            try await shop.recover(client, seconds: 86_400)
            let state = try await client.standing(of: sale)
            #expect(state == .notExecuted, "\(first); \(String(describing: state))")
            let again = await client.sell(attempt: next)
            #expect(again.isApproved && shop.ledger.chargedCents == 1_000, "\(again)")
        }
    }

    /// A till repeats what it did under ids of its own while the database does not answer.
    @Test func givenID_whoseFirstReadFails_isUnknown() throws {
        let shop = Shop()
        let journal = ReadlessJournal(shop.journal)
        let client = try shop.client(Fake(shop.ledger), over: journal)
        let (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1"))
        try shop.play {
            _ = await client.sell(attempt: sale)
            _ = await client.refund(300, of: sale, attempt: refund)
            journal.failReads(1)
            let sold = await client.sell(attempt: sale)
            #expect(sold.saysUnknown && sold.error?.attempt == sale, "\(sold)")
            journal.failReads(1)
            let refunded = await client.refund(300, of: sale, attempt: refund)
            #expect(refunded.saysUnknown && refunded.error?.attempt == refund, "\(refunded)")
            // Under an id that is drawn for the call nothing was done before.
            journal.failReads(1)
            let fresh = await client.refund(200, of: sale)
            #expect(fresh.saysNothingMoved && fresh.error?.attempt == nil, "\(fresh)")
            let again = await client.refund(300, of: sale, attempt: refund)
            #expect(again.isApproved, "\(again)")
            #expect(shop.ledger.chargedCents == 1_000 && shop.ledger.refundedCents == 300)
        }
    }
}
