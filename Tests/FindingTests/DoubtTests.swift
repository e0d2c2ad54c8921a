import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

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
}
