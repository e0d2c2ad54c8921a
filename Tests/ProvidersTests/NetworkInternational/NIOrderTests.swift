import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import Testing

@testable import NetworkInternationalProvider

/// What an order allows, and which of its movements is ours.
@Suite struct NIOrderTests {
    private static let day: Int64 = 86_400_000
    private static let start = Timestamp("2026-01-01T10:00:00Z")?.milliseconds ?? 0

    private static func movement(_ group: String, _ state: String, _ units: Int64, _ time: String) -> JSON {
        [
            "eventGroupType": .string(group), "status": .string(state), "timestamp": .string(time),
            "payload": [
                "reference": .string("m-\(units)"),
                "amount": ["currencyCode": "AED", "value": .number(JSONNumber(units))],
            ],
        ]
    }

    private static func order(captured: Int64, pending: Int64, refunded: Int64 = 0, _ movements: [JSON]) throws
        -> NIOrder
    {
        func amount(_ units: Int64) -> JSON {
            ["currencyCode": "AED", "value": .number(JSONNumber(units)), "minorUnit": 2]
        }
        return try #require(
            NIOrder([
                "reference": "o", "action": "AUTH", "amount": amount(10_000),
                "captureStatus": pending == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED",
                "createDateTime": "2026-01-01T10:00:00Z", "capturesNRefunds": .array(movements),
                "paymentInfo": [
                    "captured": amount(captured), "refunded": amount(refunded), "pending": amount(pending),
                ],
            ]))
    }

    private func operations(_ order: NIOrder, days: Int64) throws -> [String: Money?] {
        let found = try NIMapping.details(order, now: Self.start + days * Self.day).operations
        return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.amount) })
    }

    @Test func whatIsDecidedLaterReservesItsAmount() throws {
        let done = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 6_000, "2026-01-01T10:01:00Z")
        let refund = Self.movement("PARTIAL_REFUND", "REQUESTED", 1_000, "2026-01-03T10:00:00Z")
        let refunding = try Self.order(captured: 6_000, pending: 0, [done, refund])
        #expect(try operations(refunding, days: 3) == ["refund": .aed(5_000)])
        let capture = Self.movement("PARTIAL_CAPTURE", "REQUESTED", 1_500, "2026-01-01T10:02:00Z")
        let capturing = try Self.order(captured: 6_000, pending: 4_000, [done, capture])
        // What is under way keeps it from being voided.
        #expect(try operations(capturing, days: 0) == ["capture": .aed(2_500)])
    }

    @Test func aCaptureThatFailedDoesNotPutOffTheSettlement() throws {
        let done = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 6_000, "2026-01-01T10:01:00Z")
        let failed = Self.movement("PARTIAL_CAPTURE", "FAILED", 4_000, "2026-01-03T10:00:00Z")
        let order = try Self.order(captured: 6_000, pending: 0, [done, failed])
        let details = try NIMapping.details(order, now: Self.start + 2 * Self.day)
        #expect(details.isSettled == true && details.operations.map(\.name) == ["refund"])
    }

    @Test func theOldestMovementIsFirstInWhateverOrderTheyAreListed() throws {
        let one = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 100, "2026-01-01T10:01:00Z")
        let two = Self.movement("PARTIAL_CAPTURE", "SUCCESS", 200, "2026-01-01T10:02:00Z")
        for listed in [[one, two], [two, one]] {
            let order = try Self.order(captured: 300, pending: 9_700, listed)
            #expect(order.captures.compactMap { $0.amount?.value } == [100, 200])
        }
        let reply: JSON = [
            "reference": "p", "orderReference": "o", "state": "PARTIALLY_CAPTURED",
            "_embedded": [
                "cnp:capture": [
                    ["amount": ["currencyCode": "AED", "value": 200], "createdTime": "2026-01-01T10:02:00Z"],
                    ["amount": ["currencyCode": "AED", "value": 100], "createdTime": "2026-01-01T10:01:00Z"],
                ]
            ],
        ]
        #expect(NIPayment(reply)?.captures?.compactMap { $0.amount?.value } == [100, 200])
    }

    @Test func aRefundThatFailsLaterLeavesTheRestOfAHoldOpen() throws {
        let till = NITill()
        let client = try till.client()
        let held = try till.scheduler.run {
            let payment = try #require(try await client.authorize(.aed(2_500), from: .reader, reference: "h").payment)
            try await client.capture(payment.id, of: .aed(1_000))
            return payment
        }
        till.advance(hours: 48)
        _ = try till.scheduler.run { try await client.refund(held.id, of: .aed(400), attempt: AttemptID("back-1")) }
        let label = try #require(till.backend.ledger.movements.last { $0.cause == "refund" }?.attempt)
        _ = try #require(till.backend.failLater(label))
        let found = try till.scheduler.run { try await client.provider("ni").transactions?.details(held.references) }
        #expect(found?.state == "PARTIALLY_CAPTURED" && found?.refunded == .aed(0))
        #expect(found?.operations.contains { $0.operation == .capture && $0.amount == .aed(1_500) } == true)
    }
}
