import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentJournalKit
@testable import PaymentModel

/// How many durable writes an operation costs: a till's disk, or a server's round trip, is waited for once for each.
@Suite struct DurableWriteTests {
    @Test(arguments: MoneyCase.all) func operation_ofEachKind_writesTwice(_ money: MoneyCase) throws {
        var till = Till()
        till.answers.handle(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        let journal = CountingJournal()
        till.journal = journal
        let client = try till.client()
        let payment = try till.play { try await money.before(client) }
        journal.reset()
        _ = try till.play { try await money.call(client, payment, try AttemptID("counted")) }
        // A question on the way has a request of its own.
        let asks = money.description.contains("PIN") || money.description.contains("challenge")
        #expect(journal.writes == (asks ? 3 : 2), "\(money): \(journal.writes)")
    }

    @Test func webhook_news_writesOnce_andRepeatedNotAtAll() throws {
        var till = Till()
        let journal = CountingJournal()
        till.journal = journal
        let client = try till.client()
        let refund = try AttemptID("refund-1")
        _ = try till.play {
            let sold = try await client.sale(.cents(5_000), from: .reader, reference: "order")
            guard let id = sold.payment?.id else { return }
            _ = try await client.refund(id, of: .cents(3_015), attempt: refund)
        }
        till.scheduler.advance(by: 1_000)
        let hook = try #require(till.backend.decide(refund.text, succeeds: true))
        journal.reset()
        _ = try till.play { try await client.receiveWebhook(hook.body, headers: hook.headers, from: "memory") }
        #expect(journal.writes == 1)
        journal.reset()
        _ = try till.play { try await client.receiveWebhook(hook.body, headers: hook.headers, from: "memory") }
        #expect(journal.writes == 0)
    }

    @Test func tap_cancelledBeforeAnyRequest_writesOnce() throws {
        var till = Till()
        let journal = CountingJournal()
        till.journal = journal
        till.reader.present(nil)
        let client = try till.client()
        let id = try AttemptID("tap-1")
        let sale = Task(executorPreference: till.scheduler) {
            try await client.sale(.cents(1_000), from: .reader, reference: "order", attempt: id)
        }
        till.scheduler.settle()
        _ = try till.play { try await client.reader?.cancel() }
        till.scheduler.drain()
        sale.cancel()
        #expect(journal.writes == 1)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func replay_ofARecordedSale_writesNothing() throws {
        var till = Till()
        let journal = CountingJournal()
        till.journal = journal
        let client = try till.client()
        let (id, card) = (try AttemptID("sale-1"), try Cards.good())
        for due in [2, 0] {
            journal.reset()
            _ = try till.play { try await client.sale(.cents(1_000), from: card, reference: "order", attempt: id) }
            #expect(journal.writes == due)
        }
    }
}

/// A journal in memory that counts what a store would have to make durable: entries that change something, and steps of a
/// timeline that no entry took along.
private final class CountingJournal: JournalWrapper {
    private let memory = InMemoryJournal()
    private let count = Locked((before: 0, added: 0))

    var inner: any Journal { memory }
    var writes: Int { count.withLock { memory.writeCount - $0.before + $0.added } }
    func reset() { count.withLock { $0 = (memory.writeCount, 0) } }

    func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        if !events.isEmpty { count.withLock { $0.added += 1 } }
        try await memory.add(events, to: payment)
    }
}

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
            _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
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

/// What can't be true beside what is written is never lost in silence.
@Suite struct ContradictionTests {
    /// The quiet time proved that the request never arrived; then the provider says that it charged the card.
    @Test func aChargeAfterTheProofOfNoneRaisesAnEventAndIsRecorded() throws {
        let till = Till()
        let client = try till.client()
        let events = client.events()
        let error = till.failure { _ = try await client.sale(.cents(1_014), from: .reader, reference: "o") }
        #expect(error == PaymentError(.notReceived, outcome: .notExecuted))
        let attempt = try #require(error?.attempt)
        let body: JSON = [
            "id": "mp_9", "attempt": .string(attempt.text), "state": "approved", "event": "sale",
            "amount": ["minorUnits": 1_014, "currency": "EUR"], "at": .number(JSONNumber(till.scheduler.now)),
        ]
        let kinds = try till.play {
            try await client.receiveWebhook(
                body.bytes(), headers: ["x-memory-secret": "memory-webhook-secret"], from: "memory")
            client.services.events.finish()
            var kinds: [PaymentEvent.Kind] = []
            for await event in events { kinds.append(event.kind) }
            return kinds
        }
        #expect(kinds.filter { $0 == .contradiction }.count == 1)
        // The money is in the books, where it can be refunded.
        let payment = try till.play { try await client.payment(PaymentID(attempt)) }
        #expect(payment.amounts.refundable == .cents(1_014))
    }
}
