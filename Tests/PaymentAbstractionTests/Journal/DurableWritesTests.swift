import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// How many durable writes an operation costs when nothing goes wrong.
@Suite struct DurableWritesTests {
    /// Counts the writes that changed something.
    private final class Counting: JournalWrapper {
        let inner: any Journal = InMemoryJournal()
        private let count = Locked((count: 0, entries: [PaymentID: Int]()))

        /// How many there were since this was asked last.
        func taken() -> Int {
            count.withLock { last in
                defer { last.count = 0 }
                return last.count
            }
        }

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
        ) async throws(JournalFailure) -> JournalAnswer {
            let answer = try await inner.write(entry, id, at: instant)
            guard let written = answer.receipt?.entry, let payment = answer.attempt?.intent.paymentID else {
                return answer
            }
            count.withLock { last in
                // A message that is a copy of another one gets that one's receipt.
                if written > last.entries[payment] ?? 0 { last.count += 1 }
                last.entries[payment] = max(written, last.entries[payment] ?? 0)
            }
            return answer
        }
    }

    @Test func eachOperationCostsWhatTheTableSays() throws {
        var till = Till()
        till.answers.handle(PartialApprovalOffer.self) { _ in true }
        let journal = Counting()
        till.journal = journal
        let client = try till.client()
        let card = try Cards.good()
        try till.play { try await client.session?.open() }
        let sold = try till.play { try await client.sale(.cents(1_000), from: card, reference: "keyed").payment }
        #expect(journal.taken() == 2, "a keyed sale: the request; the end")
        let payment = try #require(sold).id
        _ = try till.play { try await client.refund(payment, of: .cents(400)) }
        #expect(journal.taken() == 2, "a refund")
        let held = try till.play { try await client.authorize(.cents(1_000), from: card, reference: "held").payment }
        #expect(journal.taken() == 2, "a hold")
        _ = try till.play { [id = try #require(held).id] in try await client.capture(id, of: .cents(500)) }
        #expect(journal.taken() == 2, "its capture")
        try till.play { try await client.reader?.prepare() }
        _ = journal.taken()
        _ = try till.play { try await client.sale(.cents(1_000), from: .reader, reference: "tap") }
        #expect(journal.taken() == 2, "a tap: the request; the end")
        _ = try till.play { try await client.sale(.cents(1_065), from: .reader, reference: "pin") }
        #expect(journal.taken() == 3, "a tap with a PIN: one request more")
    }

    @Test func aWebhookCostsOneAndItsDuplicateNothing() throws {
        var till = Till()
        let journal = Counting()
        till.journal = journal
        let client = try till.client()
        let attempt = try AttemptID("pending-1")
        _ = try till.play {
            try await client.sale(.cents(1_015), from: .reader, reference: "o", attempt: attempt)
        }
        let message = try #require(till.backend.decide(attempt.text, succeeds: true))
        _ = journal.taken()
        _ = try till.play { try await client.receiveWebhook(message.body, headers: message.headers, from: "memory") }
        #expect(journal.taken() == 1, "the report, with the event that no caller waited for")
        _ = try till.play { try await client.receiveWebhook(message.body, headers: message.headers, from: "memory") }
        #expect(journal.taken() == 0)
    }
}
