import PaymentJournalKit
import Testing

/// Messages to receivers, while a clock is wrong by hours.
@Suite struct DeliveryClockTests {
    @Test func message_takenByAClockThatRanAhead_isTakenAgainSoon() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let (start, hour): (Int64, Int64) = (1_700_000_000_000, 3_600_000)
        try rows.keep(DeliveryEndpoint("shop", from: FeedPosition("0123456789ab", row: 1)))
        try rows.keep(OutgoingMessage("shop", "evt_1", "{}", at: start, due: start))
        let first = try DeliveryRules.take("shop", at: start + 5 * hour, &rows)
        // That process died, and the clock is right again.
        let second = try DeliveryRules.take("shop", at: start + 300_000, &rows)
        #expect(first.count == 1 && second.count == 1)
    }

    /// What was written by a clock that ran ahead is sent once the clock is right, and so is what such a clock put off.
    @Test func message_dueByAClockThatRanAhead_isTakenSoon() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let (start, month): (Int64, Int64) = (1_700_000_000_000, 30 * 86_400_000)
        try rows.keep(DeliveryEndpoint("shop", from: FeedPosition("0123456789ab", row: 1)))
        try rows.keep(OutgoingMessage("shop", "evt_1", "{}", at: start + month, due: start + month))
        try rows.keep(OutgoingMessage("shop", "evt_2", "{}", at: start, due: start + 86_400_000))
        #expect(try DeliveryRules.take("shop", at: start, &rows).map(\.event) == ["evt_1"])
    }

    @Test func receiver_probedByAClockThatRanAhead_isTriedSoon() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let (start, month): (Int64, Int64) = (1_700_000_000_000, 30 * 86_400_000)
        var endpoint = DeliveryEndpoint("shop", from: FeedPosition("0123456789ab", row: 1))
        (endpoint.failures, endpoint.probeAt) = (DeliveryRules.failuresMax, start + month)
        try rows.keep(endpoint)
        try rows.keep(OutgoingMessage("shop", "evt_1", "{}", at: start, due: start))
        #expect(try DeliveryRules.take("shop", at: start, &rows).count == 1)
    }

    /// A process reads its receivers again, and one of them is gone: its own word of before does not keep it.
    @Test func receiver_thatThisProcessHadItself_isRemovedAtOnce() throws {
        var rows: any DeliveryRows = InMemoryDeliveries()
        let start: Int64 = 1_700_000_000_000
        try rows.keep(DeliveryEndpoint("shop", from: FeedPosition("0123456789ab", row: 1)))
        try DeliveryRules.keepOnly(["shop"], at: start, &rows)
        try DeliveryRules.keepOnly([], at: start + 1_000, &rows)
        let kept = try rows.endpoint("shop")
        #expect(kept != nil && kept?.removedAt == nil)
        try DeliveryRules.keepOnly([], leaving: ["shop"], at: start + 2_000, &rows)
        let gone = try rows.endpoint("shop")
        #expect(gone?.removedAt == start + 2_000)
    }
}
