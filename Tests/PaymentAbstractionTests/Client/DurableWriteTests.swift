import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

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
