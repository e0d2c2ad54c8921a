import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentJournalKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// A service that dies, and the next one over the same file.
struct RestartTests {
    typealias H = ServiceHarness

    /// A folder that is removed at the end.
    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("journal.sqlite").path)
    }

    private static func journal(_ path: String) async throws -> SQLiteJournal {
        try await SQLiteJournal.open(path: path, processes: SingleProcess(UUID().uuidString))
    }

    @Test func reply_thatNoClientGot_isGivenByTheNextService() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                // The service dies between its last write and its reply.
                _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                _ = try await shop.post("/v1/sales", H.sale("20.51", "order-2"), 2)
            }
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(sold.status == 201)
                #expect(sold["Idempotency-Replayed"] == "true")
                let declined = try await shop.post("/v1/sales", H.sale("20.51", "order-2"), 2)
                #expect(declined.status == 402)
                #expect(try await shop.post("/v1/sales", H.sale("12.51"), 1).status == 422)
                #expect(shop.movements(1) == 1)
            }
        }
    }

    @Test func request_thatWasUnderWay_isLookedUpByTheNextService_andChargedOnce() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            let (executed, never) = (Promise<Bool>(), Promise<Bool>())
            let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
                let reply = try await next(request)
                guard request.method == "POST", request.target.hasSuffix("/payments") else { return reply }
                executed.fulfill(true)
                _ = await never.value()
                return reply
            }
            try H.play(till, transport: transport) { shop in
                let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 0)
                #expect(reply.status == 202)
                _ = await executed.value()
            }
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").outcome == "unknown")
                let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(reply.status == 201)
                #expect(reply.body["approvedAmount"] == H.euro("12.50"))
                #expect(shop.movements(1) == 1)
            }
        }
    }

    /// A cancel comes before its request, and the service is started again before the request comes.
    @Test func cancelBeforeItsRequest_isKeptOverARestart() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let cancelled = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
                #expect(cancelled.status == 200)
            }
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let sale = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(sale.status == 402 && sale.word == "cancelled", "\(sale.status) \(sale.body)")
                #expect(shop.movements(1) == 0)
                let listed = try await shop.get("/v1/payments").body["items"]?.array
                #expect(listed?.isEmpty == true)
            }
        }
    }

    /// A client follows all events from the place that a list gave, over a restart: each recorded event comes once.
    @Test func eventsOfAShop_followedFromAList_continueOverARestart() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            let (place, last) = (Locked(""), Locked(""))
            try H.play(till) { shop in
                let start = try #require(try await shop.get("/v1/payments")["Event-Position"])
                place.withLock { $0 = start }
                _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                let text = await LiveTests.read(await LiveTests.follow(shop, after: start), until: "\"approved\"")
                let ids = LiveTests.ids(text)
                #expect(Set(ids).count == ids.count && !ids.isEmpty, "\(text)")
                last.withLock { $0 = ids.last ?? "" }
            }
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                _ = try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2)
                let after = last.withLock { $0 }
                let text = await LiveTests.read(await LiveTests.follow(shop, after: after), until: "\"approved\"")
                #expect(text.contains(H.uuid(2)) && !text.contains(H.uuid(1)), "\(text)")
                let start = place.withLock { $0 }
                let both = await LiveTests.read(
                    await LiveTests.follow(shop, after: start), until: "\"attempt\":\"\(H.uuid(2))\"")
                #expect(both.contains(H.uuid(1)))
                let strange = await LiveTests.follow(shop, after: "000000000000.1.0")
                #expect(strange.status == 410)
            }
        }
    }

    /// A refund was pruned with its payment, and its request comes once more.
    @Test func refundThatWasPruned_repeated_isSaidToBePruned() async throws {
        try await Self.inFolder { path in
            let refund = "/v1/payments/\(H.uuid(1))/refunds"
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                let back = try await shop.post(refund, ["all": true], 2, by: .office)
                let newest = try await shop.post("/v1/sales", H.sale("9.00", "order-2"), 3)
                #expect(sold.status == 201 && back.status == 201 && newest.status == 201)
            }
            let journal = try await Self.journal(path)
            #expect(try await journal.prune(before: till.scheduler.now + 86_400_000).payments == 1)
            await journal.close()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let reply = try await shop.post(refund, ["all": true], 2, by: .office)
                #expect(reply.status == 409 && reply.word == "pruned", "\(reply.status) \(reply.body)")
                #expect(reply.outcome == "unknown" && shop.movements(2) == 1)
                // A key that is new finds no payment, as before.
                #expect(try await shop.post(refund, ["all": true], 4, by: .office).status == 404)
            }
        }
    }

    /// What was pruned was no other request: a repeat of it must not ask the till for a new key.
    @Test func requestThatWasPruned_repeated_isNotSaidToBeAnother() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                // The newest payment is never pruned.
                let newest = try await shop.post("/v1/sales", H.sale("9.00", "order-2"), 2)
                #expect(sold.status == 201 && newest.status == 201)
            }
            let journal = try await Self.journal(path)
            #expect(try await journal.prune(before: till.scheduler.now + 86_400_000).payments == 1)
            await journal.close()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(reply.status == 409 && reply.outcome == "unknown", "\(reply.status) \(reply.body)")
                #expect(reply.word != "keyReused")
                #expect(shop.movements(1) == 1)
            }
        }
    }

    /// An attempt that was pruned is cancelled, and then its request comes again.
    @Test func saleThatWasPruned_repeatedAfterACancel_isSaidToBePruned() async throws {
        try await Self.inFolder { path in
            var till = Till()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                let newest = try await shop.post("/v1/sales", H.sale("9.00", "order-2"), 2)
                #expect(sold.status == 201 && newest.status == 201)
            }
            let journal = try await Self.journal(path)
            #expect(try await journal.prune(before: till.scheduler.now + 86_400_000).payments == 1)
            await journal.close()
            till.journal = SchedulerJournal(try await Self.journal(path))
            try H.play(till) { shop in
                _ = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
                let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(reply.status == 409 && reply.word == "pruned", "\(reply.status) \(reply.body)")
            }
        }
    }
}
