import PaymentAbstraction
import PaymentBase
import PaymentSandbox
import PaymentTestTill
import PaymentTesting
import Testing

/// How many durable writes an operation costs when nothing goes wrong.
@Suite struct DurableWritesTests {
    /// Counts the writes that changed something.
    private final class Counting: WrappingJournal {
        let inner: any Journal = MemoryJournal()
        private let count = Locked(0)

        /// How many there were since this was asked last.
        func taken() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }

        func write(
            _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
        ) async throws(JournalFailure) -> JournalAnswer {
            let before = try await held(entry)
            let answer = try await inner.write(entry, id, at: instant)
            if try await held(entry) != before || !entry.events.isEmpty { count.withLock { $0 += 1 } }
            return answer
        }

        private func held(_ entry: JournalEntry) async throws(JournalFailure) -> AttemptFacts? {
            guard let key = entry.key else { return nil }
            return try await inner.facts(key)
        }
    }

    @Test func eachOperationCostsWhatTheTableSays() throws {
        var till = Till()
        till.answers.on(PartialApprovalOffer.self) { _ in true }
        let journal = Counting()
        till.journal = journal
        let client = try till.client()
        let card = try Cards.good()
        try till.play { try await client.session?.open() }
        let sold = try till.play { try await client.sale(.cents(1_000), from: card, reference: "keyed").payment }
        #expect(journal.taken() == 2, "a keyed sale: the beginning with its send; the end")
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
        #expect(journal.taken() == 3, "a tap: the beginning; the send; the end")
        _ = try till.play { try await client.sale(.cents(1_065), from: .reader, reference: "pin") }
        #expect(journal.taken() == 4, "a tap with a PIN: one send more")
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
        _ = try till.play { try await client.receive(message.body, headers: message.headers, from: "memory") }
        #expect(journal.taken() == 1, "the word, with the event that nobody waited for")
        _ = try till.play { try await client.receive(message.body, headers: message.headers, from: "memory") }
        #expect(journal.taken() == 0)
    }
}
