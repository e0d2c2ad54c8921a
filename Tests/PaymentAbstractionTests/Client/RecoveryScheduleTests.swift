import PaymentAbstraction
import PaymentBase
import PaymentSandbox
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct RecoveryScheduleTests {
    /// A lock that somebody else may hold.
    final class Lock: SettlementLock {
        let isFree = Locked(true)
        func acquire() -> Bool { isFree.withLock { $0 } }
        func release() {}
    }

    /// Loses the reply to a sale and every lookup of the first minutes.
    private func stuck(_ till: Till, until instant: Int64) -> HookTransport {
        HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            if request.target.hasPrefix("/attempts"), till.scheduler.now < instant { throw .maybeSent(.stalled) }
            let reply = try await next(request)
            if request.target == "/payments" { throw .maybeSent(.connectionReset) }
            return reply
        }
    }

    @Test func anOpenAttemptIsSettledAfterFiveMinutesAnHourAndADay() throws {
        let till = Till()
        let start = till.scheduler.now
        let lookups = Locked([Int64]())
        let inner = stuck(till, until: start + 25 * 3_600_000)
        let client = try till.client(
            HookTransport(inner) { (request, next) async throws(TransportFailure) in
                if request.target.hasPrefix("/attempts") { lookups.withLock { $0.append(till.scheduler.now - start) } }
                return try await next(request)
            })
        let card = try Cards.good()
        let id = try AttemptID("a1")
        let error = till.failure { _ = try await client.sale(.cents(1_000), from: card, reference: "o", attempt: id) }
        #expect(error?.outcome == .unknown)
        lookups.withLock { $0 = [] }
        let settled = try till.play { [scheduler = till.scheduler] in
            let background = Task(executorPreference: scheduler) { await client.recoverInBackground() }
            defer { background.cancel() }
            try await scheduler.sleep(until: start + 30 * 3_600_000)
            return try await client.status(id)
        }
        #expect(settled.payment?.amounts.captured == .cents(1_000))
        let minutes = lookups.withLock { $0 }.map { $0 / 60_000 }
        #expect(minutes.count == 3)
        #expect((5...7).contains(minutes[0]))
        #expect((65...68).contains(minutes[1]))
        #expect((1_505...1_510).contains(minutes[2]))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func whoHasNotTheLockLeavesItToTheOther() throws {
        let till = Till()
        let lock = Lock()
        lock.isFree.withLock { $0 = false }
        var given = till.dependencies
        given.settlementLock = lock
        let broken = till.driver(stuck(till, until: till.scheduler.now + 60_000))
        let client = try PaymentClient(broken, given)
        let card = try Cards.good()
        _ = till.failure { _ = try await client.sale(.cents(1_000), from: card, reference: "o") }
        let count = till.backend.requestCount
        try till.play { [scheduler = till.scheduler] in
            let background = Task(executorPreference: scheduler) { await client.recoverInBackground() }
            try await scheduler.sleep(until: scheduler.now + 3 * 3_600_000)
            background.cancel()
        }
        #expect(till.backend.requestCount == count)
    }
}
