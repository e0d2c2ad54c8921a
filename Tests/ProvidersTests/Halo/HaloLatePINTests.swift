import HaloProvider
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// A tap whose answer only asks for the PIN has executed nothing.
@Suite struct HaloLatePINTests {
    /// The PIN comes when the till's time is over: it is not sent, and the order can be charged again.
    @Test func pin_afterTheTillsTimeIsOver_movedNothing() throws {
        let till = HaloTill()
        var given = ClientOptions(journal: till.journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        given.reader = SlowPINReader(inner: till.reader, scheduler: till.scheduler)
        given.random = till.random
        let client = try PaymentClient(till.driver, given)
        let (state, again) = try till.scheduler.run { [scheduler = till.scheduler] in
            let first = SaleRequest(Money(minorUnits: 1_065, .zar), from: .reader, reference: "order-1")
            _ = try? await client.sale(first, attempt: try AttemptID("a-1"), timeout: .seconds(30))
            try await scheduler.sleep(until: scheduler.now + 5 * 60_000)
            let state = try await till.journal.record(try AttemptID("a-1"))?.state
            let second = SaleRequest(Money(minorUnits: 1_500, .zar), from: .reader, reference: "order-1")
            return (state, try await client.sale(second, attempt: try AttemptID("a-2")))
        }
        #expect(state == .notExecuted)
        #expect(again.payment != nil && till.backend.ledger.movements.map(\.amount.minorUnits) == [1_500])
    }
}

/// A reader whose holder types the PIN after forty seconds, also when no caller waits.
private struct SlowPINReader: CardReader {
    let inner: SimulatedReader
    let scheduler: TestScheduler

    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.setEventHandler(sink) }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    func read(_ request: CardReadRequest) async throws -> CardReadResult { try await inner.read(request) }

    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        let end = scheduler.now + 40_000
        await Task(executorPreference: scheduler) { [scheduler] in try? await scheduler.sleep(until: end) }.value
        return try await inner.readPIN(token: token, after: read)
    }

    func cancel() async throws -> CancelResult { try await inner.cancel() }
}
