import Foundation
import PaymentBase
import PaymentCore
import PaymentHTTPServer
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

@testable import PaymentService

/// A journal that is put back from a copy while tills sell.
struct RestoredServiceTests {
    typealias H = ServiceHarness

    /// A journal's file in a folder that is removed at the end.
    private struct Place {
        let file: String

        func open() async throws -> SQLiteJournal {
            try await SQLiteJournal.open(path: file, processes: SingleProcess(UUID().uuidString))
        }

        func copy() throws { try FileManager.default.copyItem(atPath: file, toPath: file + ".backup") }

        func restore() throws {
            for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file + ending) {
                try FileManager.default.removeItem(atPath: file + ending)
            }
            try FileManager.default.copyItem(atPath: file + ".backup", toPath: file)
        }

        static func use(_ body: (Place) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("restored-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(Place(file: folder.appendingPathComponent("journal.sqlite").path))
        }
    }

    /// Plays over the journal as it is, with a service of its own.
    private static func play(
        _ till: Till, _ place: Place, transport: (any HTTPTransport)? = nil,
        _ body: @escaping @Sendable (H) async throws -> Void
    ) async throws {
        var till = till
        let journal = try await place.open()
        till.journal = SchedulerJournal(journal)
        try H.play(till, transport: transport, body)
        await journal.close()
    }

    /// Sells under keys, all at a time, and gives what each was answered.
    private static func sell(_ shop: H, _ keys: ClosedRange<Int>) async throws -> [Reply] {
        try await withThrowingTaskGroup(of: Reply.self) { group in
            for key in keys {
                let sale = H.sale("12.50", "order-\(key)").adding("source", "token").adding("token", "tok-1")
                group.addTask { try await shop.post("/v1/sales", sale, key) }
            }
            var replies: [Reply] = []
            for try await reply in group { replies.append(reply) }
            return replies
        }
    }

    /// No till is sent to a service that begins nothing, not even before the first sale.
    @Test func ready_ofARestoredJournal_is503() async throws {
        try await Place.use { place in
            let till = Till()
            try await Self.play(till, place) { shop in _ = try await Self.sell(shop, 1...2) }
            try place.copy()
            try await Self.play(till, place) { shop in
                #expect(try await shop.get("/ready", by: .none).status == 200)
                _ = try await Self.sell(shop, 3...4)
            }
            try place.restore()
            try await Self.play(till, place) { (shop: H) async throws -> Void in
                #expect(try await shop.get("/ready", by: .none).status == 503)
                #expect(try await Self.sell(shop, 5...5).map(\.status) == [503])
            }
        }
    }

    /// The keys of the lost hour are unknown and stay so; those of the morning are answered; keys of the new generation sell.
    @Test func restore_underLoad_losesNoCharge_andSellsOnWithKeysOfTheNewGeneration() async throws {
        try await Place.use { place in
            let till = Till()
            let (morning, lost) = (1...16, 17...32)
            try await Self.play(till, place) { shop in
                for reply in try await Self.sell(shop, morning) { #expect(reply.status == 201) }
            }
            try place.copy()
            try await Self.play(till, place) { shop in
                for reply in try await Self.sell(shop, lost) { #expect(reply.status == 201) }
                #expect(try await shop.post("/v1/sales", H.sale("20.51", "declined"), 40).status == 402)
            }
            try place.restore()
            try await Self.play(till, place) { shop in
                // Until a person accepts it, nothing begins, and nothing is said about the money.
                for reply in try await Self.sell(shop, 30...34) {
                    #expect(reply.status == 503 && reply.outcome == nil, "\(reply.status) \(reply.body)")
                }
                for reply in try await Self.sell(shop, 1...2) { #expect(reply.status == 201) }
            }
            #expect(try await SQLiteJournal.acceptRestored(path: place.file))
            let movements = till.backend.ledger.movements.count
            try await Self.play(till, place) { shop in
                for _ in 0..<2 {
                    for reply in try await Self.sell(shop, lost) {
                        #expect(reply.status == 409 && reply.word == "mayBeLost", "\(reply.status) \(reply.body)")
                        #expect(reply.outcome == "unknown" && reply.body["retry"] == "afterStatusCheck")
                    }
                }
                // Nor is a declined sale of the lost hour said to be one.
                #expect(try await shop.post("/v1/sales", H.sale("20.51", "declined"), 40).word == "mayBeLost")
                for reply in try await Self.sell(shop, morning) {
                    #expect(reply.status == 201 && reply["Idempotency-Replayed"] == "true")
                }
                #expect(shop.till.backend.ledger.movements.count == movements)
                let generation = try #require(try await shop.get("/v1/self").body["generation"]?.string)
                #expect(generation.utf8.count == 12)
                for number in 1...4 {
                    let fresh = "\(generation.prefix(8))-\(generation.suffix(4))-8c55-9d0a-00000000000\(number)"
                    let fields = [HTTPField("content-type", "application/json"), HTTPField("idempotency-key", fresh)]
                    let body = H.sale("9.00", "fresh-\(number)").bytes()
                    let sold = try await H.send(shop.service, "POST", "/v1/sales", body, by: .till, fields)
                    #expect(sold.status == 201, "\(sold.status) \(sold.body)")
                    let again = try await H.send(shop.service, "POST", "/v1/sales", body, by: .till, fields)
                    #expect(again.status == 201 && again["Idempotency-Replayed"] == "true")
                }
            }
            for key in 1...32 { #expect(till.backend.ledger.movements(attempt: H.uuid(key)).count == 1, "\(key)") }
        }
    }

    /// How the event reads that says that the refund was approved.
    private static let refunded = "\"kind\":\"approved\",\"payment\":\"\(H.uuid(1))\",\"attempt\":\"\(H.uuid(9))\""

    /// The next recorded event of a stream: its id and text.
    private static func next(_ response: ServerResponse) async throws -> (id: String, text: String) {
        let text = await LiveTests.read(response, until: "\ndata: ")
        return (try #require(LiveTests.ids(text).first, "\(text)"), text)
    }

    /// A client that is thrown off after each event and follows from there, over a service that dies after each event as well: it sees
    /// what was written, each once and in order.
    @Test func events_brokenAfterEachOne_onSQLite_areSeenAsTheyWereWritten() async throws {
        try await Place.use { place in
            let till = Till()
            let start = Locked("")
            let written = Locked([String]())
            try await Self.play(till, place) { shop in
                let first = try #require(try await shop.get("/v1/payments")["Event-Position"])
                start.withLock { $0 = first }
                for reply in try await Self.sell(shop, 1...3) { #expect(reply.status == 201) }
                #expect(
                    try await shop.post("/v1/payments/\(H.uuid(1))/refunds", ["all": true], 9, by: .office).status
                        == 201)
                let text = await LiveTests.read(
                    await LiveTests.follow(shop, after: first), until: Self.refunded)
                written.withLock { $0 = LiveTests.ids(text) }
            }
            let all = written.withLock { $0 }
            #expect(all.count >= 8 && Set(all).count == all.count, "\(all)")
            let after = Locked(start.withLock { $0 })
            for id in all {
                try await Self.play(till, place) { shop in
                    let seen = try await Self.next(await LiveTests.follow(shop, after: after.withLock { $0 }))
                    #expect(seen.id == id)
                    after.withLock { $0 = seen.id }
                }
            }
        }
    }

    /// A journal without the sale under key 17, which the provider has executed.
    private static func lose(_ till: Till, _ place: Place) async throws {
        try await play(till, place) { shop in _ = try await sell(shop, 1...2) }
        try place.copy()
        try await play(till, place) { shop in
            let replies = try await sell(shop, 17...17)
            #expect(replies.map(\.status) == [201])
        }
        try place.restore()
    }

    /// A till never got the answer to a sale of the lost hour: it cancels, and repeats it.
    @Test(arguments: [false, true])
    func cancel_ofASaleOfTheLostHour_isNotSaidToHaveEndedIt(isAccepted: Bool) async throws {
        try await Place.use { place in
            let till = Till()
            try await Self.lose(till, place)
            if isAccepted { #expect(try await SQLiteJournal.acceptRestored(path: place.file)) }
            let status = isAccepted ? 409 : 503
            try await Self.play(till, place) { shop in
                let cancelled = try await shop.post("/v1/attempts/\(H.uuid(17))/cancel")
                #expect(cancelled.status == status, "\(cancelled.status) \(cancelled.body)")
                for reply in try await Self.sell(shop, 17...17) {
                    #expect(reply.status == status && reply.outcome != "notExecuted", "\(reply.status) \(reply.body)")
                    if isAccepted { #expect(reply.word == "mayBeLost") }
                }
            }
            #expect(till.backend.ledger.movements(attempt: H.uuid(17)).count == 1)
        }
    }

    /// The provider's access hangs until the time of the repeat is over: nothing was sent, and the first sale may have been.
    @Test func saleOfTheLostHour_whoseTimeIsOverBeforeItsRequest_mayStillBeLost() async throws {
        try await Place.use { place in
            let (till, gate) = (Till(), Gate())
            try await Self.lose(till, place)
            #expect(try await SQLiteJournal.acceptRestored(path: place.file))
            try await Self.play(till, place, transport: gate.transport(till.transport, at: "/token")) { shop in
                let sale = H.sale("12.50", "order-17").adding("source", "token").adding("token", "tok-1")
                let reply = try await shop.post("/v1/sales", sale.adding("timeout", 10), 17)
                #expect(reply.status == 409 && reply.word == "mayBeLost", "\(reply.status) \(reply.body)")
                gate.opened.fulfill(true)
                let again = try await shop.post("/v1/sales", sale, 17)
                #expect(again.word == "mayBeLost", "\(again.status) \(again.body)")
            }
            #expect(till.backend.ledger.movements(attempt: H.uuid(17)).count == 1)
        }
    }

    /// The sale and its refund are both of the lost hour.
    @Test func refundOfTheLostHour_repeated_mayBeLost() async throws {
        try await Place.use { place in
            let refund = "/v1/payments/\(H.uuid(17))/refunds"
            let till = Till()
            try await Self.play(till, place) { shop in _ = try await Self.sell(shop, 1...2) }
            try place.copy()
            try await Self.play(till, place) { shop in
                _ = try await Self.sell(shop, 17...17)
                let back = try await shop.post(refund, ["all": true], 40, by: .office)
                #expect(back.status == 201)
            }
            try place.restore()
            #expect(try await SQLiteJournal.acceptRestored(path: place.file))
            try await Self.play(till, place) { shop in
                let reply = try await shop.post(refund, ["all": true], 40, by: .office)
                #expect(reply.status == 409 && reply.word == "mayBeLost", "\(reply.status) \(reply.body)")
            }
        }
    }

    /// The till repeats a sale of the lost hour at its reader, and the customer leaves.
    @Test(arguments: [false, true])
    func tapOfTheLostHour_thatIsCancelled_isNotSaidToHaveEndedIt(isAccepted: Bool) async throws {
        try await Place.use { place in
            let till = Till()
            try await Self.lose(till, place)
            if isAccepted { #expect(try await SQLiteJournal.acceptRestored(path: place.file)) }
            till.reader.present(nil)
            try await Self.play(till, place) { shop in
                let began = try await shop.post("/v1/sales", H.sale("12.50", "order-17"), 17, wait: 5)
                #expect(began.outcome != "notExecuted", "\(began.status) \(began.body)")
                let ended = try await shop.post("/v1/attempts/\(H.uuid(17))/cancel")
                #expect(ended.status == (isAccepted ? 409 : 503), "\(ended.status) \(ended.body)")
                let shown = try await shop.get("/v1/attempts/\(H.uuid(17))")
                #expect(shown.outcome != "notExecuted", "\(shown.body)")
            }
            till.reader.present(SimulatedReader.Card())
            if !isAccepted { #expect(try await SQLiteJournal.acceptRestored(path: place.file)) }
            try await Self.play(till, place) { shop in
                let again = try await shop.post("/v1/sales", H.sale("12.50", "order-17"), 17)
                #expect(again.word == "mayBeLost", "\(again.status) \(again.body)")
            }
            #expect(till.backend.ledger.movements(attempt: H.uuid(17)).count == 1)
        }
    }
}
