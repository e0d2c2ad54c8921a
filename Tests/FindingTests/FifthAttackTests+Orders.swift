import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// What may follow an order that is over, and orders that look alike.
@Suite struct FifthAttackOrderTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// The order was refunded and sold again; then a tip is added to the first payment.
    @Test(arguments: [false, true]) func tipOnAFullyRefundedSale_isRefused(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(1_000, of: sale)
                let again = await client.sell(attempt: next)
                let told = await client.tip(300, of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    !told.isApproved || heard.has(.activeTwice),
                    "sold again \(again), tip \(told): captured \(amounts.captured); heard \(heard.kinds)")
                #expect(!told.isApproved, "3.00 is charged to a customer who got everything back: \(told)")
            }
        }
    }

    /// A reference that was read from a file with a byte order mark, or pasted with an invisible mark.
    @Test(arguments: ["\u{FEFF}order-1", "order-1\u{200B}", "\u{200E}order-1", "order\u{00AD}-1", "order-1\u{2060}"])
    func referenceWithInvisibleCharacters_isTheSameOrder(_ text: String) throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [sale, next] in
            _ = await client.sell(1_000, "order-1", attempt: sale)
            let again = await client.sell(1_000, text, attempt: next)
            #expect(shop.ledger.chargedCents <= 1_000, "\(again): charged \(shop.ledger.charges)")
        }
    }

    /// A person frees the order of a hold, it is sold again, and then the hold is captured.
    @Test(arguments: [false, true]) func freedHold_soldAgain_thenCaptured_isRefusedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "other card")
                let again = await client.sell(attempt: next)
                let captured = await client.take(1_000, of: sale)
                try await shop.wait(seconds: 5)
                #expect(
                    shop.ledger.chargedCents <= 1_000 || heard.has(.activeTwice),
                    "sold again \(again), captured \(captured); charged \(shop.ledger.charges), heard \(heard.kinds)")
            }
        }
    }

    /// An unlinked refund is undone: it may be given again under its reference.
    @Test(arguments: [false, true]) func unlinkedRefund_voidedByTheProvider_canBeGivenAgain(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(
                Whole(Fake(shop.ledger)), Fake(shop.ledger, name: "q"), routing: Routing(active: "q"))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                func give(_ id: AttemptID) async -> Told {
                    await Told {
                        try await client.refundUnlinked(
                            UnlinkedRefundRequest(.cents(500), to: try Cards.good(), reference: "goodwill-1"),
                            attempt: id)
                    }
                }
                let first = await give(sale)
                shop.say(.attempt(sale), [.void], nowApproved(500, ["void": "v-1"]))
                await client.takeWebhook(from: "q")
                try await shop.wait(seconds: 5)
                let again = await give(next)
                #expect(first.isApproved && again.isApproved, "\(first); \(again); heard \(heard.kinds)")
            }
        }
    }

    /// The label of a table has lapsed and is the next guests' by now; then the first guests' tip is entered. That brings the
    /// label back as little as a refund does: nothing is raised, and the third guests can pay.
    @Test(arguments: [false, true]) func tipAfterTheLabelLapsed_doesNotBringTheLabelBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                @Sendable func sell(_ id: AttemptID) async -> Told {
                    await Told {
                        let table = OrderReference("table 5", holdsFor: .seconds(1_200))
                        return try await client.sale(.cents(1_000), from: Cards.good(), reference: table, attempt: id)
                    }
                }
                _ = await sell(sale)
                try await shop.wait(seconds: 1_300)
                let second = await sell(next)
                try await shop.wait(seconds: 600)
                let tip = await client.tip(200, of: sale)
                try await shop.wait(seconds: 700)
                let third = await sell(try AttemptID("sale-3"))
                try #require(second.isApproved && tip.isApproved, "\(second), \(tip)")
                #expect(third.isApproved && !heard.has(.activeTwice), "\(third); heard \(heard.kinds)")
            }
        }
    }
}
