import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

/// Refunds whose provider answers with the names of something else.
@Suite struct FollowUpTests {
    private let sale: AttemptID
    private let first: AttemptID
    private let second: AttemptID
    private let third: AttemptID

    init() throws {
        (sale, first) = (try AttemptID("sale-1"), try AttemptID("refund-1"))
        (second, third) = (try AttemptID("refund-2"), try AttemptID("refund-3"))
    }

    /// A refund is declined. The next one is executed, its reply is lost, and the lookup shows the first one's decline.
    @Test(arguments: [false, true]) func declineOfAnotherRefund_foundForOurs_refundsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .found(nowDeclined(.declinedByProvider, ["refund": "op-1"])) }
            driver.onRefund = { [ledger = shop.ledger, first, second] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    if context.attempt == first { return nowDeclined(.declinedByProvider, ["refund": "op-1"]) }
                    ledger.refund(context.attempt, request.amount)
                    if context.attempt == second { throw Lost() }
                    return nowApproved(request.amount.minorUnits, ["refund": "op-3"])
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale, first, second, third] () async throws -> Void in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(500, of: sale, attempt: first)
                #expect(await client.refund(500, of: sale, attempt: second).saysUnknown)
                #expect(try await client.standing(of: second) == .inDoubt)
                let again = await client.refund(500, of: sale, attempt: third)
                #expect(shop.ledger.refundedCents == 500, "refunded a second time: \(again)")
            }
        }
    }

    /// A person names the sale; a refund of it is declined under a name of its own. The next refund is of the sale all the same.
    @Test(arguments: [false, true]) func saleAPersonNamed_isRefundedByThatName_afterADecline(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.manualName = "transaction"
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            let asked = Locked<[String?]>([])
            driver.onRefund = { [first] request, context in
                asked.withLock { $0.append(request.payment.references["transaction"]) }
                return try await context.exchange(.money) { _ -> Verdict in
                    if context.attempt == first { return nowDeclined(.declinedByProvider, ["transaction": "rf-1"]) }
                    return nowApproved(request.amount.minorUnits, ["refund": "rf-2"])
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale, first, second] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "t-1", nil), by: "Ann", reason: "The slip says so.")
                _ = await client.refund(500, of: sale, attempt: first)
                _ = await client.refund(500, of: sale, attempt: second)
            }
            #expect(asked.withLock { $0 } == ["t-1", "t-1"])
        }
    }

    /// A refund is declined in its reply, and the provider's message about it says the same as a late failure.
    @Test(arguments: [false, true]) func messageOfARefundsDecline_contradictsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onRefund = { _, context in
                try await context.exchange(.money) { _ in nowDeclined(.declinedByProvider, ["refund": "op-1"]) }
            }
            let client = try shop.client(driver)
            try shop.play { [sale, first] () async throws -> Void in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(500, of: sale, attempt: first)
                let failure = nowDeclined(.failedAfterApproval, ["refund": "op-1"])
                shop.ledger.post(shop.notice("op-1", .refund, failure, of: "p-sale-1"))
                await client.takeWebhook()
                #expect(try await client.attempt(first)?.isContradicted == false)
                #expect(try await client.standing(of: first) == .declined)
            }
        }
    }

    /// A refund failed. The next one is pending, and the lookup shows the first one's failure.
    @Test(arguments: [false, true]) func lateFailureOfAnotherRefund_foundForOurs_decidesNothing(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .found(nowDeclined(.failedAfterApproval, ["refund": "op-1"])) }
            driver.onRefund = { [first] _, context in
                try await context.exchange(.money) { _ -> Verdict in
                    context.attempt == first
                        ? nowDeclined(.declinedByProvider, ["refund": "op-1"])
                        : .pending(Pending(references: ["refund": "op-2"], shouldPoll: false))
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale, first, second] () async throws -> Void in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(500, of: sale, attempt: first)
                _ = await client.refund(500, of: sale, attempt: second)
                _ = await client.outcome(of: second)
                try await shop.recover(client, seconds: 3_600)
                #expect(try await client.standing(of: second) == .pending)
            }
        }
    }
}
