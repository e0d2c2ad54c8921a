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

/// Lists with their filters, open attempts, readers and what plays the customer.
struct ListTests {
    typealias H = ServiceHarness

    private static func names(_ reply: Reply) -> [String] {
        (reply.body["items"]?.array ?? []).compactMap { $0["reference"]?.string }
    }

    @Test func payments_ofATime_areThoseThatBeganThen() throws {
        try H.play { shop in
            for number in 1...4 {
                _ = try await shop.post("/v1/sales", H.sale("12.50", "order-\(number)"), number)
                shop.till.scheduler.advance(by: 3_600_000)
            }
            let all = try await shop.get("/v1/payments")
            let began = (all.body["items"]?.array ?? []).compactMap { $0["createdAt"]?.string }
            let (from, to) = (began[2], began[0])
            #expect(Self.names(try await shop.get("/v1/payments?from=\(from)&to=\(to)")) == ["order-3", "order-2"])
            #expect(Self.names(try await shop.get("/v1/payments?from=\(to)")) == ["order-4"])
            #expect(Self.names(try await shop.get("/v1/payments?to=\(from)")) == ["order-1"])
            #expect(try await shop.get("/v1/payments?from=yesterday").pointers == ["?from"])
        }
    }

    @Test func payments_thatAreOpen_areFoundPageByPage_howeverManyAreNot() throws {
        try H.play { shop in
            for number in 1...5 {
                _ = try await shop.post("/v1/sales", H.sale("20.15", "open-\(number)"), number)
                _ = try await shop.post("/v1/sales", H.sale("12.50", "paid-\(number)"), 100 + number)
                shop.till.scheduler.advance(by: 1_000)
            }
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 200, by: .other)
            var (seen, next) = ([String](), "")
            repeat {
                let page = try await shop.get(
                    "/v1/payments?status=open&limit=2" + (next.isEmpty ? "" : "&cursor=\(next)"))
                #expect(page.status == 200)
                seen += Self.names(page)
                next = page.body["next"]?.string ?? ""
            } while !next.isEmpty
            #expect(seen == ["open-5", "open-4", "open-3", "open-2", "open-1"])
        }
    }

    @Test func payments_ofAReference_inAnyOfItsSpellings_andOfAPart() throws {
        try H.play { shop in
            for part in ["1 of 2", "2 of 2"] {
                let sale = H.sale("12.50").adding("part", .string(part))
                _ = try await shop.post("/v1/sales", sale, part == "1 of 2" ? 1 : 2)
            }
            #expect(Self.names(try await shop.get("/v1/payments?reference=+order-1+")).count == 2)
            #expect(Self.names(try await shop.get("/v1/payments?reference=order-1&part=1++OF+2")).count == 1)
            #expect(Self.names(try await shop.get("/v1/payments?reference=order-1&status=declined")).isEmpty)
        }
    }

    @Test func openAttempts_areListedOldestFirst_andOnlyTheShopsOwn() throws {
        try H.play { shop in
            for number in 1...3 { _ = try await shop.post("/v1/sales", H.sale("20.15", "order-\(number)"), number) }
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-4"), 4)
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 5, by: .other)
            let first = try await shop.get("/v1/attempts?status=open&limit=2", by: .viewer)
            #expect(Self.names(first) == ["order-1", "order-2"])
            let cursor = try #require(first.body["next"]?.string)
            let second = try await shop.get("/v1/attempts?limit=2&cursor=\(cursor)", by: .viewer)
            #expect(Self.names(second) == ["order-3"])
            #expect(try await shop.get("/v1/payments?cursor=\(cursor)").status == 409)
            #expect(try await shop.get("/v1/attempts?status=decided").status == 400)
        }
    }

    @Test func lists_nameWhatCanNotBeRead() throws {
        var till = Till()
        let journal = ListsWithAGap()
        till.journal = journal
        try H.play(till) { shop in
            for number in 1...2 { _ = try await shop.post("/v1/sales", H.sale("20.15", "order-\(number)"), number) }
            let paths = ["/v1/payments", "/v1/payments?status=open", "/v1/attempts?status=open"]
            for path in paths {
                let list = try await shop.get(path)
                #expect(list.body["unreadable"] == nil && Self.names(list).count == 2, "\(path): \(list.body)")
            }
            let damaged = PaymentID(try AttemptID(H.uuid(1)))
            journal.damaged.withLock { $0 = damaged }
            for path in paths {
                let list = try await shop.get(path)
                #expect(list.body["unreadable"]?.array == [JSON.string(H.uuid(1))], "\(path): \(list.body)")
                #expect(Self.names(list) == ["order-2"])
            }
        }
    }

    /// Places are written when they are asked for. What was taken must be seen also when nothing can be written.
    @Test func listOfPayments_withoutAPlaceInTheFeed_isGivenAllTheSame() throws {
        var till = Till()
        till.journal = FeedlessJournal()
        try H.play(till) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let list = try await shop.get("/v1/payments")
            #expect(list.status == 200 && Self.names(list) == ["order-1"], "\(list.body)")
            #expect(list["Event-Position"] == nil)
        }
    }

    // MARK: - Readers

    @Test func reader_showsWhoUsesIt_andEndsItsWait() throws {
        let till = Till()
        till.reader.present(nil)
        try H.play(till) { shop in
            #expect(try await shop.post("/v1/readers/memory/cancel").body["result"] == "nothingToCancel")
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 3)
            let reader = try await shop.get("/v1/readers/memory")
            #expect(reader.body["attempts"]?.array == [.string(H.uuid(1))])
            #expect(try await shop.get("/v1/readers/memory", by: .other).body["attempts"]?.array == [])
            // Another till of the shop may not end it; the office may, and another shop finds nothing there.
            #expect(try await shop.post("/v1/readers/memory/cancel", by: .free).status == 403)
            let other = try await shop.post("/v1/readers/memory/cancel", by: .other)
            #expect(other.body["result"] == "nothingToCancel")
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "running")
            let ended = try await shop.post("/v1/readers/memory/cancel", by: .office)
            #expect(ended.body["result"] == "cancelled")
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 402)
            #expect(try await shop.get("/v1/readers/unknown").status == 404)
        }
    }

    @Test func reader_ofASale_isTheRoutedOne_orTheSaleIsRefused() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/sales", H.sale("12.50").adding("reader", "memory"), 1).status == 201)
            let other = try await shop.post("/v1/sales", H.sale("12.50", "order-2").adding("reader", "other"), 2)
            #expect(other.status == 409)
            #expect(other.outcome == "notExecuted")
            #expect(shop.movements(2) == 0)
            // The reader is no content: a repeat may name another one.
            let again = try await shop.post("/v1/sales", H.sale("12.50").adding("reader", "other"), 1)
            #expect(again.status == 201)
        }
    }

    @Test func simulator_isThere_onlyWhereProvidersAreSimulated() throws {
        try H.play { shop in
            let tapped = try await shop.post("/v1/simulator/readers/memory/tap", ["card": "visa"])
            let injected = try await shop.post("/v1/simulator/faults", ["fault": "reply.lost"])
            #expect(tapped.status == 404 && injected.status == 404)
        }
        let (till, taps, faults) = (Till(), Locked([String]()), Locked([String]()))
        let shop = try H(till) { options in
            options.simulator = ServiceSimulator(
                faults: ["reply.lost"], cards: { $0.rawValue == "memory" ? ["visa"] : nil },
                tap: { card, provider in taps.withLock { $0.append("\(card) \(provider)") } },
                misbehave: { name, provider, times, skip in
                    faults.withLock { $0.append("\(name) \(provider?.rawValue ?? "all") \(times) \(skip)") }
                    return true
                })
        }
        try till.play {
            let tap = "/v1/simulator/readers/memory/tap"
            let calls: [(String, JSON, Int)] = [
                (tap, ["card": "visa"], 200), (tap, ["card": "none"], 409),
                ("/v1/simulator/faults", ["fault": "reply.lost", "times": 2], 200),
                ("/v1/simulator/faults", ["fault": "none"], 409),
                ("/v1/simulator/faults", ["fault": "reply.lost", "provider": "real"], 404),
            ]
            for (path, body, status) in calls {
                let reply = try await shop.post(path, body)
                #expect(reply.status == status, "\(body)")
            }
            #expect(taps.withLock { $0 } == ["visa memory"])
            #expect(faults.withLock { $0 } == ["reply.lost all 2 0"])
        }
    }

    /// The first customer's card was read, and the second one is asked for theirs.
    @Test func readerCancel_endsTheWaitForACard_notWhatIsSentAlready() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 0)
            _ = await gate.reached.value()
            till.reader.present(nil)
            _ = try await shop.post("/v1/sales", H.sale("9.00", "order-2"), 2, wait: 3)
            let ended = try await shop.post("/v1/readers/memory/cancel")
            #expect(ended.body["result"] == "cancelled", "\(ended.body)")
            #expect(ended.body["attempt"]?["attempt"]?.string == H.uuid(2))
            gate.opened.fulfill(true)
        }
    }
}

/// A journal that can be read, and whose feed can't be written.
private final class FeedlessJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()

    func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        throw .notWritten("the disk is full")
    }
}

/// A journal of which one payment can't be read any more: its lists name it.
private final class ListsWithAGap: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let damaged = Locked(PaymentID?.none)

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        let page = try await inner.attempts(query, after: cursor, limit: limit)
        guard let hidden = damaged.withLock({ $0 }) else { return page }
        let left = page.attempts.filter { $0.intent.paymentID != hidden }
        if left.count == page.attempts.count { return page }
        return JournalPage(left, unreadable: page.unreadable + [hidden], next: page.next)
    }
}
