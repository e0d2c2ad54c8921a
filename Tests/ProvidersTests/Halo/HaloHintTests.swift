import HaloProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// Webhooks without a signature: anyone who knows the name of an attempt can send them, and each is a hint to ask.
@Suite struct HaloHintTests {
    /// A till that notes when the provider is asked for something.
    private func watched() -> (till: HaloTill, asked: Locked<[Int64]>) {
        var till = HaloTill()
        let asked = Locked([Int64]())
        till.tools.transport = HookTransport(till.tools.transport) {
            [scheduler = till.scheduler] request, next throws(TransportFailure) in
            asked.withLock { $0.append(scheduler.now) }
            return try await next(request)
        }
        return (till, asked)
    }

    private static let hint: JSON = ["merchantReference": "a-1", "disposition": "Approved", "haloReference": "x"]

    /// How long after each other the requests were, and by the end of which of the groups.
    @Test func manyHintsAboutOneAttempt_areOneLookupInFiveSeconds() throws {
        let (till, asked) = watched()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .pending = try await HaloTill.sale(client, 1_015) else { throw CancellationError() }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let start = scheduler.now
            asked.withLock { $0 = [] }
            let hints = (0..<20).map { number in
                Task(executorPreference: scheduler) {
                    try await scheduler.sleep(until: start + Int64(number) * 100)
                    return try await client.receiveWebhook(Self.hint.bytes(), from: "halo").items.map(\.effect)
                }
            }
            for hint in hints { #expect(try await hint.value == [.applied(try AttemptID("a-1"))]) }
            // No answer waits for a look.
            try await scheduler.sleep(until: start + 20_000)
            let looks = Set(asked.withLock { $0 }.map { ($0 - start) / 5_000 })
            // The first looks at once, and one of the others for all of them when the five seconds are over.
            #expect(looks == [0, 1])
            let first = asked.withLock { $0 }.filter { $0 < start + 5_000 }.count
            #expect(first * 2 == asked.withLock { $0 }.count, "\(asked.withLock { $0.map { $0 - start } })")
        }
    }

    /// What is decided and can't turn is not asked about at all.
    @Test func hintAboutADeclinedSale_asksNobody() throws {
        let (till, asked) = watched()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .declined = try await HaloTill.sale(client, 1_051) else { throw CancellationError() }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            asked.withLock { $0 = [] }
            for _ in 0..<3 { _ = try await client.receiveWebhook(Self.hint.bytes(), from: "halo") }
            #expect(asked.withLock { $0 }.isEmpty)
        }
    }

    /// A look that was waited for is a look: news that come while a hint waits are seen by it.
    @Test func newsDuringTheFiveSeconds_areSeenAtTheirEnd() throws {
        let till = HaloTill()
        let client = try till.client()
        try till.scheduler.run { [scheduler = till.scheduler] in
            guard case .pending = try await HaloTill.sale(client, 1_015) else { throw CancellationError() }
            _ = try await client.receiveWebhook(Self.hint.bytes(), from: "halo")
            let start = scheduler.now
            let news = try #require(till.backend.decide("a-1", succeeds: true))
            _ = try await client.receiveWebhook(news.body, from: "halo")
            try await scheduler.sleep(until: start + 6_000)
            let held = try await till.journal.record(try AttemptID("a-1"))
            #expect(held?.approval != nil)
        }
    }
}
