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

/// A till that follows the client's rule to the letter behind a proxy that loses, doubles, delays and replaces what it passes
/// on: goods are handed over exactly where the provider's ledger has a charge.
struct ProxyTests {
    typealias H = ServiceHarness

    /// What a client gets; nil for a broken connection.
    private typealias Answer = (status: Int, isOurs: Bool, body: JSON)?

    /// A proxy in front of a service, with its faults drawn from a seed.
    private struct Proxy: Sendable {
        let shop: H
        let random: SeededRandom

        func pass(_ send: @escaping @Sendable () async throws -> Reply) async throws -> Answer {
            switch random.next() % 10 {
            case 0: return nil
            case 1:
                _ = try await send()
                return nil
            case 2:
                // Both arrive, and the client gets the answer of the second.
                async let first = send()
                async let second = send()
                _ = try await first
                return answer(try await second)
            case 3:
                try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 30_000)
                return answer(try await send())
            case 4:
                _ = try await send()
                return (403, false, .null)
            case 5:
                _ = try await send()
                return (504, false, .null)
            case 6: return (200, false, .string("<html>"))
            default: return answer(try await send())
            }
        }

        private func answer(_ reply: Reply) -> Answer {
            (reply.status, reply["Payments-Version"] != nil, reply.body)
        }
    }

    /// Sells as the rule says; true if the goods are handed over, nil if the till gives up without knowing.
    private static func sell(_ value: String, _ proxy: Proxy) async throws -> Bool? {
        var isAsking = false
        for _ in 0..<60 {
            let asks = isAsking
            let answer = try await proxy.pass {
                asks
                    ? try await proxy.shop.get("/v1/attempts/\(H.uuid(1))", wait: 10)
                    : try await proxy.shop.post("/v1/sales", H.sale(value), 1, wait: 10)
            }
            guard let answer, answer.isOurs else { continue }
            switch answer.status {
            case 201: return true
            case 202: isAsking = true
            case 200:
                if answer.body["outcome"] == "executed" { return true }
                if answer.body["outcome"] == "notExecuted" { return false }
            case 402: return false
            default: return nil
            }
        }
        return nil
    }

    @Test func till_behindABadProxy_handsOverWhatWasCharged() throws {
        var (sold, refused) = (0, 0)
        for seed in 0..<400 {
            let (till, value) = (Till(seed: UInt64(seed)), ["12.50", "20.51", "20.13", "20.15"][seed % 4])
            let shop = try H(till)
            let handed = try till.play {
                let proxy = Proxy(shop: shop, random: SeededRandom(seed: UInt64(seed)))
                async let sale = Self.sell(value, proxy)
                // What is pending is decided in between.
                for _ in 0..<40 where value == "20.15" {
                    try await till.scheduler.sleep(until: till.scheduler.now + 5_000)
                    guard let message = till.backend.decide(H.uuid(1), succeeds: seed % 8 < 4) else { continue }
                    let fields = message.headers.map { HTTPField($0.key.lowercased(), $0.value) }
                    let head = RequestHead(method: "POST", target: "/v1/webhooks/memory", fields: fields)
                    _ = await shop.service.response(to: ServerRequest(head, body: message.body))
                    break
                }
                return try await sale
            }
            let charged = !till.backend.ledger.movements(attempt: H.uuid(1)).isEmpty
            #expect(handed == charged, "seed \(seed): \(value)")
            if handed == true { sold += 1 } else { refused += 1 }
        }
        #expect(sold > 100 && refused > 50)
    }

    /// The disk is full at one write after another: an executed sale is never said to be not executed.
    @Test(arguments: FailingJournal.Kind.allCases, [0, 3])
    func journal_thatFailsAtEachWrite_hidesNoCharge(kind: FailingJournal.Kind, lasting: Int) throws {
        for failing in 1...8 {
            var till = Till()
            till.journal = FailingJournal(InMemoryJournal(), failing: failing, lasting: lasting, kind)
            try H.play(till) { shop in
                // What was opened and not sent is proven not executed; then the same key stays 402, and nothing is charged.
                func check(_ reply: Reply) {
                    #expect([201, 202, 503, 402].contains(reply.status), "write \(failing): \(reply.status)")
                    if reply.status == 402 { #expect(shop.movements(1) == 0, "write \(failing)") }
                    if reply.status == 201 { #expect(shop.movements(1) == 1, "write \(failing)") }
                }
                var reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                check(reply)
                if reply.status == 202, reply.body["status"] == "approved" {
                    #expect(reply.body["isRecorded"] == false)
                }
                for _ in 0..<8 where reply.status != 201 {
                    reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                    check(reply)
                }
                #expect(reply.status == (shop.movements(1) == 1 ? 201 : 402), "write \(failing): \(reply.status)")
            }
        }
    }

    // MARK: - Stop

    /// The customer pays 100 seconds after the service was asked to stop, and the till gets the result.
    @Test func stop_underASaleAtTheReader_letsTheCustomerPay() throws {
        let till = Till()
        var card = SimulatedReader.Card()
        card.tapMilliseconds = 100_000
        till.reader.present(card)
        try H.play(till) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 1)
            shop.service.beginStop()
            let began = till.scheduler.now
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50).word == "running")
            // A wait of a service that stops is short.
            #expect(till.scheduler.now <= began + 2_000)
            #expect(await shop.service.drain(within: .seconds(180)))
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "approved")
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func stop_underASaleAtTheReader_letsTheTillCancel() throws {
        let till = Till()
        till.reader.present(nil)
        try H.play(till) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 1)
            shop.service.beginStop()
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            #expect(reply.body["result"] == "cancelled")
            #expect(await shop.service.drain(within: .seconds(1)))
            #expect(shop.movements(1) == 0)
        }
    }
}
