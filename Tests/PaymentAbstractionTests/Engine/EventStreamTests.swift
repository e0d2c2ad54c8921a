import PaymentBase
import PaymentCore
import PaymentModel
import PaymentTestTill
import Testing

@Suite struct EventStreamTests {
    @Test func eachSubscriberHasAStreamOfItsOwn() throws {
        let till = Till()
        let client = try till.client()
        let (one, two) = (client.events(), client.events())
        let card = try Cards.good()
        let kinds = try till.play {
            _ = try await client.sale(.cents(1_000), from: card, reference: "o")
            var seen: [[PaymentEvent.Kind]] = []
            for stream in [one, two] {
                var kinds: [PaymentEvent.Kind] = []
                for await event in stream {
                    kinds.append(event.kind)
                    if event.kind == .approved { break }
                }
                seen.append(kinds)
            }
            return seen
        }
        #expect(kinds[0] == kinds[1])
        #expect(kinds[0].contains(.submitted))
    }

    @Test func theNumbersOfAPaymentContinueAcrossItsOperations() throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let events = try till.play {
            let sold = try await client.sale(.cents(1_000), from: card, reference: "o").payment
            guard let id = sold?.id else { return [PaymentEvent]() }
            try await client.refund(id, of: .cents(100), reference: "item 1")
            try await client.addEvent(
                PaymentEvent.Kind(rawValue: "shop.receiptPrinted"), to: id, attributes: ["copy": "1"])
            try await client.refund(id, of: .cents(100), reference: "item 2")
            return try await client.timeline(of: id)
        }
        #expect(events.map(\.sequence) == Array(1...events.count))
        #expect(events.contains { $0.kind.rawValue == "shop.receiptPrinted" })
        #expect(events.filter { $0.kind == .approved }.count == 3)
    }

    /// A sale whose reply is lost is approved by a look: the timeline says so once, after the look.
    @Test func timeline_replyLostAndFound_hasTheApprovalOnce() throws {
        let till = Till()
        let client = try till.client(FailingTransport(till.transport, failing: 2, .lostAfter))
        let stream = client.events()
        let card = try Cards.good()
        let (steps, told) = try till.play {
            let result = try await client.sale(.cents(1_000), from: card, reference: "o")
            guard let id = result.payment?.id else { return ([PaymentEvent](), 0) }
            try await client.addEvent(PaymentEvent.Kind(rawValue: "shop.end"), to: id)
            var told = 0
            for await event in stream {
                if event.kind == .approved { told += 1 }
                if event.kind.rawValue == "shop.end" { break }
            }
            return (try await client.timeline(of: id), told)
        }
        let kinds = steps.map(\.kind).filter { $0 == .lookedUp || $0 == .approved }
        #expect(kinds == [.lookedUp, .approved], "\(steps.map(\.kind))")
        #expect(told == 1)
    }

    @Test func aSlowSubscriberLosesTheOldestAndNothingElse() throws {
        let till = Till()
        let client = try till.client()
        let stream = client.events()
        let card = try Cards.good()
        let count = 300
        let last = try till.play {
            for number in 1...count {
                _ = try await client.sale(.cents(1_000), from: card, reference: "o\(number)")
            }
            var sales: [PaymentEvent] = []
            for await event in stream {
                if event.kind == .approved { sales.append(event) }
                if sales.last?.attempt != nil, event.kind == .approved, sales.count >= 200 { break }
            }
            return sales.count
        }
        // Four events and more for each sale: the first ones are gone, the stream is bounded.
        #expect(last >= 200)
        #expect(last < count)
    }
}
