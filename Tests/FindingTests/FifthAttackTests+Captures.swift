import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// How a sale was undone before the provider charged it all the same.
enum Undoing: String, CaseIterable, Sendable { case weVoidIt, providerVoidsIt, providerReversesIt }

/// Captures of sales that were undone, and what is left of a payment after odd orders of operations.
@Suite struct FifthAttackCaptureTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// A sale is undone before it is settled. An hour later, by its own clock, the provider captures it all the same: that
    /// counts, or a person learns of it.
    @Test(arguments: [false, true], Undoing.allCases) func captureOfAnUndoneSale_countsOrIsRaised(
        _ isSQLite: Bool, _ undoing: Undoing
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = Whole(Fake(shop.ledger))
            driver.onVoid = { request, context in
                try await context.exchange(.money) { _ in
                    nowApproved(request.amount.minorUnits, ["void": "v-1"], at: shop.stage.now)
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                switch undoing {
                case .weVoidIt:
                    let told = await client.undo(sale)
                    try #require(told.isApproved, "\(told)")
                case .providerVoidsIt:
                    shop.say(.reference("v-1", [.void]), [.void], nowApproved(1_000, ["void": "v-1"]), of: "p-sale-1")
                    await client.takeWebhook()
                case .providerReversesIt:
                    shop.say(
                        .attempt(sale), [.sale],
                        .cancelled(
                            Cancellation(cause: .provider, references: ["payment": "p-sale-1"], wasReversed: true)))
                    await client.takeWebhook()
                }
                let undone = try await client.amounts(of: sale)
                try #require(undone.captured.isZero, "\(undone)")
                let before = heard.count(.contradiction)
                try await shop.wait(seconds: 3_600)
                shop.say(
                    .reference("c-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "c-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                let again = await client.sell(attempt: next)
                #expect(
                    captured == .cents(1_000) || heard.count(.contradiction) > before || heard.has(.disputed),
                    "10.00 is charged, in the books \(captured); sold again: \(again); heard \(heard.kinds)")
            }
        }
    }

    /// The sums at the edge of what is believed: nothing wraps, and no more is refunded than was taken.
    @Test(arguments: [false, true]) func saleOfTheMostThatIsBelieved_refundsNoMore(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                let most = Money.believableMinorUnitsMax
                let sold = await client.sell(most, attempt: sale)
                let tip = await client.tip(most, of: sale)
                let amounts = try await client.amounts(of: sale)
                let one = await client.refund(most, of: sale, for: "1")
                let two = await client.refund(most, of: sale, for: "2")
                let three = await client.refund(1, of: sale, for: "3")
                #expect(sold.isApproved && tip.isApproved && amounts.captured.minorUnits == 2 * most)
                #expect(one.isApproved && two.isApproved && !three.isApproved, "\(one), \(two), \(three)")
            }
        }
    }
}
