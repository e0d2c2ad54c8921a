import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import NetworkInternationalProvider

/// Running amounts of an order that no order has, around a refund whose answer is lost.
@Suite struct NIAmountRangeTests {
    private static let wrong = [Int64.max, .min, .min + 1, -1]

    /// What replaces the charged amount of one order, whether answers to refunds are torn, and whether orders leave out
    /// their captures and refunds, so that only the running amounts show them.
    private struct Mood {
        var order = ""
        var captured: Int64?
        var tears = false
        var hides = false
        /// The orders whose answer to a refund was torn, where only these are to say something else.
        var torn: Set<String>?
    }

    /// A line to a provider that is in such a mood.
    private static func line(_ inner: any HTTPTransport, _ mood: Locked<Mood>) -> HookTransport {
        HookTransport(inner) { request, next throws(TransportFailure) in
            var reply = try await next(request)
            let mood = mood.withLock { mood in
                let isRefund = request.method != "GET" && request.path.contains("refund")
                if isRefund, mood.tears { mood.torn?.insert(mood.order) }
                if isRefund, mood.tears { reply.body = Array("torn".utf8) }
                return mood
            }
            guard request.method == "GET", var body = (try? JSONReader().read(reply.body))?.object,
                var info = body["paymentInfo"]?.object, var captured = info["captured"]?.object
            else { return reply }
            if mood.hides { body["capturesNRefunds"] = [] }
            let isMeant = body["reference"]?.string == mood.order && mood.torn?.contains(mood.order) ?? true
            if let units = mood.captured, isMeant {
                captured["value"] = .number(JSONNumber(units))
                info["captured"] = .object(captured)
                body["paymentInfo"] = .object(info)
            }
            reply.body = JSON.object(body).bytes()
            return reply
        }
    }

    /// A till two days after two sales, with their payments.
    private func opened(_ mood: Locked<Mood>) throws -> (NITill, PaymentClient, [Payment]) {
        var till = NITill()
        till.tools.transport = Self.line(till.tools.transport, mood)
        let client = try till.client()
        let payments = try till.scheduler.run {
            var payments: [Payment] = []
            for name in ["a", "b"] {
                let sold = try await client.sale(.aed(5_000), from: .reader, reference: name)
                payments.append(try #require(sold.payment))
            }
            return payments
        }
        till.advance(hours: 48)
        return (till, client, payments)
    }

    @Test(arguments: wrong) func refund_torn_totalsOutOfRangeAfterIt_staysInDoubtAndOthersSettle(
        _ units: Int64
    ) throws {
        let mood = Locked(Mood())
        let (till, client, payments) = try opened(mood)
        let (mine, other) = (try AttemptID("back-a"), try AttemptID("back-b"))
        mood.withLock { ($0.tears, $0.hides, $0.torn) = (true, true, []) }
        for (payment, attempt) in zip(payments, [mine, other]) {
            mood.withLock { ($0.order, $0.captured) = (payment.references["order"] ?? "", units) }
            let error = #expect(throws: PaymentError.self) {
                try till.scheduler.run { _ = try await client.refund(payment.id, of: .aed(1_000), attempt: attempt) }
            }
            #expect(error?.outcome == .unknown)
        }
        mood.withLock { $0.order = payments[0].references["order"] ?? "" }
        for _ in 1...2 {
            till.scheduler.advance(by: 60_000)
            #expect(try till.scheduler.run { try await client.recover() } == [mine])
        }
        #expect(try till.scheduler.run { try await client.attempt(other)?.approval?.amount } == .aed(1_000))
        mood.withLock { $0.captured = nil }
        till.scheduler.advance(by: 60_000)
        #expect(try till.scheduler.run { try await client.recover() } == [])
        #expect(try till.scheduler.run { try await client.attempt(mine)?.approval?.amount } == .aed(1_000))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000, 5_000, 1_000, 1_000])
    }

    /// The driver refunds no order whose amounts can't be believed: it could not find out what became of the refund.
    @Test(arguments: wrong) func refund_totalsOutOfRangeBeforeIt_isNotSent(_ units: Int64) throws {
        let mood = Locked(Mood())
        let (till, client, payments) = try opened(mood)
        mood.withLock { ($0.tears, $0.hides) = (true, true) }
        mood.withLock { ($0.order, $0.captured) = (payments[0].references["order"] ?? "", units) }
        let error = #expect(throws: PaymentError.self) {
            try till.scheduler.run { _ = try await client.refund(payments[0].id, of: .aed(1_000)) }
        }
        #expect(error?.outcome == .notExecuted)
        mood.withLock { $0.captured = .max }
        for _ in 1...2 { #expect(try till.scheduler.run { try await client.recover() } == []) }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000, 5_000])
    }

    /// A journal may hold what an order said once.
    @Test func change_sinceTotalsOutOfRange_tellsNothing() throws {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        let order = try #require(
            NIOrder([
                "reference": "o", "action": "PURCHASE", "amount": amount(5_000), "captureStatus": "PURCHASED",
                "capturesNRefunds": [], "paymentInfo": ["captured": amount(5_000), "refunded": amount(1_000)],
            ]))
        #expect(order.change(since: (.min, 1_000))?.kind != "capture")
        #expect(order.change(since: (5_000, .min))?.kind != "refund")
        #expect(order.change(since: (5_000, 0))?.units == 1_000)
    }

    @Test func details_movementsBeyondEverySum_allowNothing() throws {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        let movement: JSON = [
            "eventGroupType": "PARTIAL_REFUND", "status": "REQUESTED", "timestamp": "2026-01-03T10:00:00Z",
            "payload": ["reference": "m", "amount": amount(1_000_000_000_000_000)],
        ]
        let order = try #require(
            NIOrder([
                "reference": "o", "action": "PURCHASE", "amount": amount(5_000), "captureStatus": "PURCHASED",
                "capturesNRefunds": .array(Array(repeating: movement, count: 9_300)),
                "paymentInfo": ["captured": amount(5_000), "refunded": amount(0)],
            ]))
        let details = try NIMapping.details(order, now: 4_102_444_800_000)
        #expect(details.operations.isEmpty)
    }
}
