import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentJournalKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentService

/// Messages of providers, and events for tills.
struct LiveTests {
    typealias H = ServiceHarness

    /// The simulated provider's message about the end of what is pending under key 1.
    private static func message(_ shop: H, succeeds: Bool) throws -> OutgoingWebhook {
        try #require(shop.till.backend.decide(H.uuid(1), succeeds: succeeds))
    }

    private static func deliver(
        _ shop: H, _ message: OutgoingWebhook, to account: String = "memory", secret: String? = nil
    ) async throws -> ServerResponse {
        var fields = message.headers.map { HTTPField($0.key.lowercased(), $0.value) }
        if let secret { fields = [HTTPField("x-memory-secret", secret)] }
        let head = RequestHead(method: "POST", target: "/v1/webhooks/\(account)", fields: fields)
        if let refusal = shop.service.refusal(of: head) { return refusal }
        return await shop.service.response(to: ServerRequest(head, body: message.body))
    }

    @Test(arguments: [true, false])
    func webhook_decidesWhatIsPending(succeeds: Bool) throws {
        try H.play { shop in
            let sale = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            #expect(sale.status == 202)
            let message = try Self.message(shop, succeeds: succeeds)
            #expect(try await Self.deliver(shop, message).status == 200)
            // The same message again changes nothing.
            #expect(try await Self.deliver(shop, message).status == 200)
            let repeated = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            #expect(repeated.status == (succeeds ? 201 : 402))
        }
    }

    @Test func attempt_thatIsPending_isWaitedForUntilItsMessageComes() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let began = shop.till.scheduler.now
            async let waiting = shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            let message = try Self.message(shop, succeeds: true)
            _ = try await Self.deliver(shop, message)
            #expect(try await waiting.word == "approved")
            #expect(shop.till.scheduler.now < began + 50_000)
            // Without a message the wait ends by its time.
            _ = try await shop.post("/v1/sales", H.sale("20.15", "order-2"), 2)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(2))", wait: 10).word == "pending")
        }
    }

    @Test func webhook_withAWrongSignature_is401_andDecidesNothing() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let message = try Self.message(shop, succeeds: false)
            let reply = try await Self.deliver(shop, message, secret: "wrong")
            #expect(reply.status == 401)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "pending")
        }
    }

    @Test func webhook_forAnUnknownAccount_is404() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let message = try Self.message(shop, succeeds: true)
            let reply = try await Self.deliver(shop, message, to: "unknown")
            #expect(reply.status == 404)
        }
    }

    static func follow(
        _ shop: H, _ query: String = "", by caller: Caller = .till, after place: String? = nil
    ) async -> ServerResponse {
        let head = RequestHead(
            method: "GET", target: "/v1/events\(query)",
            fields: [HTTPField("authorization", "Bearer \(H.key(caller))")]
                + (place.map { [HTTPField("last-event-id", $0)] } ?? []))
        return await shop.service.response(to: ServerRequest(head))
    }

    /// What a stream sends up to a text.
    static func read(_ response: ServerResponse, until text: String) async -> String {
        guard case .stream(let parts) = response.body else { return "" }
        var all = ""
        for await part in parts {
            all += String(decoding: part, as: UTF8.self)
            if all.contains(text) { break }
        }
        return all
    }

    @Test func events_ofASale_areSent_andOthersAreNot() throws {
        try H.play { shop in
            let response = await Self.follow(shop, "?attempt=\(H.uuid(2))")
            #expect(response.status == 200)
            let other = await Self.follow(shop, by: .other)
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-1"), 1)
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2)
            let text = await Self.read(response, until: "\"kind\":\"approved\"")
            #expect(text.contains("\"kind\":\"readyForCard\""))
            #expect(!text.contains(H.uuid(1)))
            // Another shop's stream has its own sale first.
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 3, by: .other)
            let others = await Self.read(other, until: "\"kind\":\"approved\"")
            #expect(!others.contains(H.uuid(1)) && !others.contains(H.uuid(2)))
        }
    }

    /// The message decides the first shop's sale, and a client that no shop follows takes it: the shop's own stream alone shows
    /// what came of it.
    @Test func webhook_ofOneShop_isInNoOtherShopsEvents() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let (own, other) = (await Self.follow(shop), await Self.follow(shop, by: .other))
            let message = try Self.message(shop, succeeds: true)
            #expect(try await Self.deliver(shop, message).status == 200)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "approved")
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2)
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 3, by: .other)
            for (stream, sale, isShown) in [(own, 2, true), (other, 3, false)] {
                let text = await Self.read(stream, until: H.uuid(sale))
                #expect(text.contains(H.uuid(sale)) && text.contains(H.uuid(1)) == isShown, "\(text)")
            }
        }
    }

    /// The next answer on the connection would begin behind a body that an answer to HEAD must not have.
    @Test func head_ofTheEvents_is405() throws {
        try H.play { (shop: H) async throws -> Void in
            let reply = try await H.send(shop.service, "HEAD", "/v1/events", [], by: .till, [])
            #expect(reply.status == 405 && reply["Allow"] == "GET")
            #expect(try await H.send(shop.service, "HEAD", "/v1/self", [], by: .till, []).status == 200)
        }
    }

    /// A stream of one payment reads that payment's events when they come, and not with each event of the shop.
    @Test func eventsOfAPayment_whileOthersAreSold_areNotReadAgain() throws {
        var till = Till()
        let journal = ReadCounts()
        till.journal = journal
        try H.play(till) { shop in
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let stream = await Self.follow(shop, "?payment=\(sold.payment)")
            #expect(stream.status == 200)
            await Task.yield()
            let before = journal.timelines
            for number in 2...9 { _ = try await shop.post("/v1/sales", H.sale("12.50", "order-\(number)"), number) }
            #expect(journal.timelines - before <= 1, "\(journal.timelines - before) reads")
            let message = try Self.message(shop, succeeds: true)
            _ = try await Self.deliver(shop, message)
            #expect(await Self.read(stream, until: "\"kind\":\"approved\"").contains("id: "))
        }
    }

    /// The ids of a text of events, in order.
    static func ids(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    /// A stream that breaks after each event, and is followed from there: every recorded event is seen once and in order.
    @Test func eventsOfAPayment_followedFromEachPlace_areAllSeenOnce() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let message = try Self.message(shop, succeeds: true)
            #expect(try await Self.deliver(shop, message).status == 200)
            let written = try await shop.get("/v1/payments/\(sold.payment)/events")
            let all = (written.body["items"]?.array ?? []).filter {
                !ServiceCore.isPrompt(PaymentEvent.Kind(rawValue: $0["kind"]?.string ?? ""))
            }.compactMap { $0["id"]?.string }
            #expect(all.count >= 4)
            var (seen, place) = ([String](), "\(sold.payment).0")
            while seen.count < all.count {
                let stream = await Self.follow(shop, "?payment=\(sold.payment)", after: place)
                #expect(stream.status == 200)
                let next = Self.ids(await Self.read(stream, until: "data: "))
                place = try #require(next.first)
                seen.append(place)
            }
            #expect(seen == all)
        }
    }

    /// A connection breaks within an event: a client has not got that one, and follows from the last whole one.
    @Test(arguments: [true, false])
    func events_cutWithinAnEvent_followedFromTheLastWholeOne_areAllSeenOnce(areOfAPayment: Bool) throws {
        try H.play { shop in
            let start = try #require(try await shop.get("/v1/payments")["Event-Position"])
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let message = try Self.message(shop, succeeds: true)
            #expect(try await Self.deliver(shop, message).status == 200)
            let (query, place) = areOfAPayment ? ("?payment=\(sold.payment)", "\(sold.payment).0") : ("", start)
            let (last, gap) = ("\"kind\":\"approved\"", "\n\n")
            let text = await Self.read(await Self.follow(shop, query, after: place), until: last)
            let all = Self.ids(text)
            try #require(all.count >= 4 && Set(all).count == all.count, "\(all)")
            let parts = text.split(separator: gap, omittingEmptySubsequences: false)
            let line = "id: \(all[2])\n"
            let number = try #require(parts.firstIndex { $0.hasPrefix(line) })
            // In its id, behind that, in its data, and before the empty line that ends it.
            for kept in [6, line.count, line.count + 20, parts[number].count] {
                let whole = parts[..<number].joined(separator: gap)
                let broken = "\(whole)\(gap)\(parts[number].prefix(kept))"
                // A client takes an event, and its id, at the empty line.
                let taken = broken.split(separator: gap, omittingEmptySubsequences: false).dropLast()
                let seen = Self.ids(taken.joined(separator: gap))
                #expect(seen == Array(all.prefix(2)), "\(kept): \(seen)")
                let next = await Self.follow(shop, query, after: seen.last)
                #expect(next.status == 200)
                let rest = Self.ids(await Self.read(next, until: last))
                #expect(seen + rest == all, "\(kept): \(rest)")
            }
        }
    }

    /// What another client writes while a stream is open comes with its place, and the reader's prompts without.
    @Test func eventsOfAnAttempt_comeAsTheyAreRecorded_alsoByAnotherClient() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            let stream = await Self.follow(shop, "?attempt=\(H.uuid(1))")
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let message = try Self.message(shop, succeeds: true)
            async let text = Self.read(stream, until: "\"kind\":\"approved\"")
            #expect(try await Self.deliver(shop, message).status == 200)
            let lines = await text.split(separator: "\n").map(String.init)
            let prompts = lines.indices.filter { lines[$0].contains("\"kind\":\"readyForCard\"") }
            #expect(prompts.count == 1)
            #expect(prompts.allSatisfy { !lines[$0 - 1].hasPrefix("id: ") && lines[$0].contains("\"id\":null") })
            let ids = Self.ids(lines.joined(separator: "\n"))
            #expect(Set(ids).count == ids.count && !ids.isEmpty)
        }
    }

    /// How often the journal's feed is read while one sale is made that so many streams follow.
    private static func reads(by count: Int) throws -> Int {
        var till = Till()
        let (journal, reads) = (ReadCounts(), Locked(0))
        till.journal = journal
        try H.play(till) { shop in
            let clock = shop.till.scheduler
            let start = try #require(try await shop.get("/v1/payments")["Event-Position"])
            var streams: [ServerResponse] = []
            for number in 0..<count {
                let caller: Caller = number < EventFeed.streamsMax ? .till : .office
                streams.append(await Self.follow(shop, by: caller, after: start))
            }
            // Each has read on its own what there was.
            try await clock.sleep(until: clock.now + 10_000)
            let before = journal.feeds
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            try await clock.sleep(until: clock.now + 10_000)
            reads.withLock { $0 = journal.feeds - before }
            var seen = Set<[String]>()
            for stream in streams {
                #expect(stream.status == 200)
                seen.insert(Self.ids(await Self.read(stream, until: "\"kind\":\"approved\"")))
            }
            #expect(seen.count == 1 && seen.first?.isEmpty == false, "\(seen)")
        }
        return reads.withLock { $0 }
    }

    @Test func eventsOfAShop_followedByManyStreams_areReadOnce() throws {
        let (one, many) = (try Self.reads(by: 1), try Self.reads(by: 2 * EventFeed.streamsMax))
        // Who reads what may differ by a look; a read for each stream would be many.
        #expect(one > 0 && many <= one + 4, "1 stream: \(one) reads, \(2 * EventFeed.streamsMax): \(many)")
    }

    /// Streams from an old, a newer and a last place: each sees what is written behind its place, once and in order.
    @Test func eventsOfAShop_followedFromSeveralPlaces_areAllSeenOnce() throws {
        try H.play { shop in
            let start = try #require(try await shop.get("/v1/payments")["Event-Position"])
            for number in 1...60 { _ = try await shop.post("/v1/sales", H.sale("1.50", "o-\(number)"), number) }
            let middle = try #require(try await shop.get("/v1/payments")["Event-Position"])
            let late = await Self.follow(shop, after: middle)
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 5_000)
            // It reads more than one page on its own while the other one follows.
            let early = await Self.follow(shop, by: .office, after: start)
            for number in 61...63 { _ = try await shop.post("/v1/sales", H.sale("1.50", "o-\(number)"), number) }
            let last = "\"kind\":\"approved\",\"payment\":\"\(H.uuid(63))\""
            let all = Self.ids(await Self.read(early, until: last))
            let newer = Self.ids(await Self.read(late, until: last))
            #expect(all.count > 100 && Set(all).count == all.count, "\(all.count)")
            #expect(!newer.isEmpty && newer == Array(all.suffix(newer.count)), "\(newer)")
            let again = Self.ids(await Self.read(await Self.follow(shop, after: all[10]), until: last))
            #expect(again == Array(all.dropFirst(11)), "\(again.count) of \(all.count)")
        }
    }

    @Test(arguments: [
        "7", "x.1", "\(H.uuid(2)).1", "\(H.uuid(1)).99", "\(H.uuid(1)).-1", "\(H.uuid(1)).99999999999999999999",
    ])
    func events_fromAPlaceThatIsNone_are410(place: String) throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(await Self.follow(shop, "?payment=\(H.uuid(1))", after: place).status == 410)
            // Another shop's payment has no places for this one.
            #expect(await Self.follow(shop, "?payment=\(H.uuid(1))", by: .other, after: "\(H.uuid(1)).1").status == 410)
        }
    }

    @Test func events_withAPlace_are410_andStreamsAreLimited() throws {
        try H.play { shop in
            let head = RequestHead(
                method: "GET", target: "/v1/events",
                fields: [HTTPField("authorization", "Bearer \(H.key(.till))"), HTTPField("last-event-id", "7")])
            let gone = await shop.service.response(to: ServerRequest(head))
            #expect(gone.status == 410)
            var open: [ServerResponse] = []
            for _ in 0..<EventFeed.streamsMax { open.append(await Self.follow(shop)) }
            #expect(open.allSatisfy { $0.status == 200 })
            let more = await Self.follow(shop)
            #expect(more.status == 429)
            #expect(await Self.follow(shop, by: .office).status == 200)
        }
    }

    @Test func reader_isPrepared() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/readers/unknown/prepare")
            #expect(reply.status == 404)
        }
    }
}

/// A journal in memory that counts how often a timeline and the feed are read.
private final class ReadCounts: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    private let count = Locked(0)
    private let feedCount = Locked(0)

    var timelines: Int { count.withLock { $0 } }
    var feeds: Int { feedCount.withLock { $0 } }

    func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        feedCount.withLock { $0 += 1 }
        return try await inner.feed(after: position, limit: limit)
    }

    func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        count.withLock { $0 += 1 }
        return try await inner.timeline(payment)
    }
}
