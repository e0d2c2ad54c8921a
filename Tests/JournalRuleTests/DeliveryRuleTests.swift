import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import Testing

/// What the rules of messages to receivers ask of a store.
struct DeliveryRuleTests {
    /// Rows that note how often all messages of a receiver are counted.
    private struct CountingRows: DeliveryRows {
        var rows = InMemoryDeliveries()
        let counted = Locked(0)

        func endpoint(_ name: String) -> DeliveryEndpoint? { rows.endpoint(name) }
        func endpoints() -> [DeliveryEndpoint] { rows.endpoints() }
        mutating func keep(_ endpoint: DeliveryEndpoint) { rows.keep(endpoint) }
        func due(_ endpoint: String, at now: Int64, limit: Int) -> [OutgoingMessage] {
            rows.due(endpoint, at: now, limit: limit)
        }
        func all(_ endpoint: String, after event: String, limit: Int) -> [OutgoingMessage] {
            rows.all(endpoint, after: event, limit: limit)
        }
        func delivery(_ endpoint: String, _ event: String) -> OutgoingMessage? { rows.delivery(endpoint, event) }
        func counts(_ endpoint: String, at now: Int64) -> DeliveryCounts {
            counted.withLock { $0 += 1 }
            return rows.counts(endpoint, at: now)
        }
        mutating func keep(_ delivery: OutgoingMessage) { rows.keep(delivery) }
        mutating func remove(_ endpoint: String, _ event: String) { rows.remove(endpoint, event) }
        mutating func removeFailed(_ endpoint: String, before moment: Int64) {
            rows.removeFailed(endpoint, before: moment)
        }
        mutating func removeAll(_ endpoint: String) { rows.removeAll(endpoint) }
    }

    /// A receiver with messages of which none is due is looked at each second: nothing is counted then.
    @Test func take_withNothingDue_countsNoMessages() throws {
        let counting = CountingRows()
        let position = FeedPosition("feed", row: 1)
        var rows: any DeliveryRows = counting
        try rows.keep(DeliveryEndpoint("shop", from: position))
        for number in 0..<20 { try rows.keep(OutgoingMessage("shop", "evt-\(number)", "{}", at: 0, due: 5_000)) }
        #expect(try DeliveryRules.take("shop", at: 1_000, &rows).isEmpty)
        #expect(counting.counted.withLock { $0 } == 0)
        // At most eight are under way, over all processes.
        #expect(try DeliveryRules.take("shop", upTo: 5, at: 5_000, &rows).count == 5)
        #expect(try DeliveryRules.take("shop", at: 5_000, &rows).count == 3)
        #expect(try DeliveryRules.take("shop", at: 5_000, &rows).isEmpty)
    }
}
