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
        func waiting(_ endpoint: String, at now: Int64) -> DeliveryCounts { rows.waiting(endpoint, at: now) }
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
        // Nor is what failed for good, which may be very much.
        let (next, fresh) = (FeedPosition("feed", row: 2), OutgoingMessage("shop", "evt-new", "{}", at: 0, due: 5_000))
        #expect(try DeliveryRules.write([fresh], to: "shop", from: position, upTo: next, at: 5_000, &rows))
        #expect(counting.counted.withLock { $0 } == 0)
    }

    /// A receiver answers 400 to one type of message, and each of these fails for good.
    @Test func receiver_whoseFailedMessagesAreMany_getsWhatIsNew() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let (from, next) = (FeedPosition("feed", row: 1), FeedPosition("feed", row: 2))
        try rows.keep(DeliveryEndpoint("shop", from: from))
        for number in 0..<DeliveryRules.messagesMax {
            try rows.keep(OutgoingMessage("shop", "evt-\(number)", "{}", at: 0, tries: 10, due: nil))
        }
        let now = DeliveryRules.keptMilliseconds
        let fresh = OutgoingMessage("shop", "evt-new", "{}", at: now, due: now)
        let isWritten = try DeliveryRules.write([fresh], to: "shop", from: from, upTo: next, at: now, &rows)
        #expect(isWritten)
        #expect(try DeliveryRules.take("shop", at: now, &rows).map(\.event) == ["evt-new"])
        // Thirty days after they failed the others go, also where nothing is sent.
        try DeliveryRules.keepOnly(["shop"], at: now + 1, &rows)
        let left = try rows.counts("shop", at: now + 1)
        #expect(left == DeliveryCounts(all: 1, failed: 0, taken: 1))
    }

    /// A message waits 29 days for a receiver that is removed, and then fails for good: a person has 30 days to resend it.
    @Test func message_thatFailedForGood_isKeptFromThenOn() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let day: Int64 = 86_400_000
        try rows.keep(DeliveryEndpoint("shop", from: FeedPosition("feed", row: 1)))
        try rows.keep(OutgoingMessage("shop", "evt-1", "{}", at: day, tries: 9, due: 30 * day))
        let sent = try #require(try DeliveryRules.take("shop", at: 30 * day, &rows).first)
        let lost = try DeliveryRules.settle(sent, .failed("400"), at: 30 * day, jitter: { _ in 0 }, &rows)
        #expect(lost?.due == nil && lost?.failedAt == 30 * day)
        try DeliveryRules.keepOnly(["shop"], at: 60 * day, &rows)
        let kept = try rows.counts("shop", at: 60 * day)
        #expect(kept == DeliveryCounts(all: 1, failed: 1, taken: 0))
        #expect(try DeliveryRules.resend("shop", nil, at: 60 * day, &rows) == 1)
        let again = try DeliveryRules.take("shop", at: 60 * day, &rows)
        #expect(again.map(\.tries) == [1])
    }
}
