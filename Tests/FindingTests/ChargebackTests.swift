import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// What a customer's bank takes back, and what a dispute that is won brings again.
@Suite struct ChargebackTests {
    private let sale: AttemptID
    private let next: AttemptID
    private let refund: AttemptID

    init() throws {
        (sale, next, refund) = (try AttemptID("sale-1"), try AttemptID("next-1"), try AttemptID("refund-1"))
    }

    /// The bank's message about the sale; a name of nil is the payment's.
    private static func dispute(
        _ shop: Shop, _ verdict: Verdict, _ name: String? = "dis-1", id: String, of cents: Int64 = 1_000
    ) {
        var notice = ProviderNotice(
            .reference(name ?? "p-sale-1", [.chargeback]), verdict, at: shop.stage.now, kind: "DISPUTE")
        (notice.operations, notice.original) = ([.chargeback], name == nil ? nil : "p-sale-1")
        (notice.id, notice.amount) = (id, .cents(cents))
        shop.ledger.post(notice)
    }

    private static func lost(_ cents: Int64, _ name: String? = "dis-1") -> Verdict {
        nowApproved(cents, ["m": name ?? "p-sale-1"])
    }

    private static func won(_ name: String? = "dis-1") -> Verdict {
        nowDeclined(.failedAfterApproval, ["m": name ?? "p-sale-1"])
    }

    /// Plays a body after a sale and a chargeback of a part or all of it.
    private func play(
        _ isSQLite: Bool, chargedBack cents: Int64 = 1_000,
        _ body: @escaping @Sendable (PaymentClient, Shop, AttemptID) async throws -> Void
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                #expect(await client.sell(attempt: sale).isApproved)
                Self.dispute(shop, Self.lost(cents), id: "lost")
                await client.takeWebhook()
                let taken = try await client.payment(PaymentID(sale)).attempts.first {
                    $0.intent.operation == .chargeback
                }
                try await body(client, shop, try #require(taken?.intent.attempt))
            }
        }
    }

    @Test(arguments: [false, true]) func chargeback_isRaised_andHasASumOfItsOwn(_ isSQLite: Bool) throws {
        try play(isSQLite, chargedBack: 400) { [sale] client, _, _ in
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.chargedBack == .cents(400) && amounts.refunded == .cents(400), "\(amounts)")
            #expect(amounts.refundable == .cents(600), "\(amounts)")
            let kinds = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(kinds.contains(.chargedBack), "\(kinds)")
        }
    }

    @Test(arguments: [false, true]) func orderThatWasChargedBack_isNotChargedAgain_untilAPersonFreesIt(
        _ isSQLite: Bool
    ) throws {
        try play(isSQLite) { [sale, next] client, shop, _ in
            let again = await client.sell(attempt: next)
            #expect(!again.isApproved && shop.ledger.charges.count == 1, "\(again)")
            #expect("\(again)".contains("took 10.00 EUR of it back"), "\(again)")
            try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "the dispute is lost")
            let freed = await client.sell(attempt: next)
            #expect(freed.isApproved, "\(freed)")
        }
    }

    @Test(arguments: [false, true]) func disputeThatIsWon_leavesTheOrderPaid(_ isSQLite: Bool) throws {
        try play(isSQLite) { [sale, next, refund] client, shop, _ in
            Self.dispute(shop, Self.won(), id: "won")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.chargedBack.isZero && amounts.refundable == .cents(1_000), "\(amounts)")
            #expect(await !client.sell(attempt: next).isApproved)
            let back = await client.refund(400, of: sale, attempt: refund)
            #expect(back.isApproved, "\(back)")
        }
    }

    @Test(arguments: [false, true]) func refundBesideAChargeback_waitsForAPerson(_ isSQLite: Bool) throws {
        try play(isSQLite, chargedBack: 400) { [sale, refund] client, shop, taken in
            let refused = await client.refund(600, of: sale, attempt: refund)
            #expect(!refused.isApproved && shop.ledger.refunds.isEmpty, "\(refused)")
            #expect("\(refused)".contains("chargeback \(taken)"), "\(refused)")
            await #expect(throws: PaymentError.self) {
                try await client.resolve(sale, as: .acknowledge(.chargeback), by: "Ann", reason: "it is another item")
            }
            try await client.resolve(taken, as: .acknowledge(.chargeback), by: "Ann", reason: "it is another item")
            let much = await client.refund(700, of: sale, attempt: try AttemptID("refund-2"))
            #expect(!much.isApproved, "\(much)")
            let allowed = await client.refund(600, of: sale, attempt: try AttemptID("refund-3"))
            #expect(allowed.isApproved, "\(allowed)")
            Self.dispute(shop, Self.lost(400, "dis-2"), "dis-2", id: "second")
            await client.takeWebhook()
            #expect(try await client.amounts(of: sale).chargedBack == .cents(800))
        }
    }

    /// A second chargeback is one that no person has seen.
    @Test(arguments: [false, true]) func refundBesideASecondChargeback_waitsAgain(_ isSQLite: Bool) throws {
        try play(isSQLite, chargedBack: 300) { [sale, refund] client, shop, taken in
            try await client.resolve(taken, as: .acknowledge(.chargeback), by: "Ann", reason: "seen")
            Self.dispute(shop, Self.lost(200, "dis-2"), "dis-2", id: "second")
            await client.takeWebhook()
            let refused = await client.refund(500, of: sale, attempt: refund)
            #expect(!refused.isApproved && !"\(refused)".contains("chargeback \(taken)"), "\(refused)")
        }
    }

    /// Our refund of the same amount has no name yet: the bank's movement is never taken for it.
    @Test(arguments: [false, true]) func chargebackWhileOurRefundIsInDoubt_isNotOurRefund(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 20_000)
            driver.onLookup = { _, _ in .cannotTell("no list") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(1_000, of: sale, attempt: refund)
                Self.dispute(shop, Self.lost(1_000), id: "lost")
                await client.takeWebhook()
                try await shop.wait(seconds: 600)
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.chargedBack == .cents(1_000) && amounts.inDoubt == .cents(1_000), "\(amounts)")
                #expect(try await client.standing(of: refund) == .inDoubt)
            }
        }
    }

    /// A later step of a dispute may name the payment alone: it is about the payment's only dispute.
    @Test(arguments: [false, true]) func stepThatNamesThePaymentAlone_isAboutItsOnlyDispute(_ isSQLite: Bool) throws {
        try play(isSQLite) { [sale] client, shop, _ in
            var seen: [Int64] = []
            for (verdict, id) in [(Self.won(nil), "won"), (Self.lost(1_000, nil), "lost again")] {
                try await shop.wait(seconds: 60)
                Self.dispute(shop, verdict, nil, id: id)
                await client.takeWebhook()
                seen.append(try await client.amounts(of: sale).chargedBack.minorUnits)
            }
            #expect(seen == [0, 1_000], "\(seen)")
            #expect(try await client.openCount(of: sale) == 0)
        }
    }

    /// The step comes before the chargeback that it lifts.
    @Test(arguments: [false, true]) func stepThatNamesThePaymentAlone_beforeItsDispute_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                Self.dispute(shop, Self.won(nil), nil, id: "won", of: 300)
                await client.takeWebhook()
                for (name, cents) in [("dis-2", Int64(400)), ("dis-1", 300)] {
                    Self.dispute(shop, Self.lost(cents, name), name, id: name, of: cents)
                    await client.takeWebhook()
                }
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.chargedBack == .cents(400) && amounts.refundable == .cents(600), "\(amounts)")
                #expect(try await client.openCount(of: sale) == 0)
            }
        }
    }

    /// A dispute is over before the sale is known to the journal.
    @Test(arguments: [false, true]) func disputeBeforeItsSaleIsKnown_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            driver.onSale = { request, context in
                try await context.exchange(.money) { _ in
                    shop.ledger.charge(context.attempt, request.amount, as: "p-sale-1")
                    throw Lost()
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                Self.dispute(shop, Self.won(nil), nil, id: "won", of: 300)
                Self.dispute(shop, Self.lost(300), id: "lost", of: 300)
                await client.takeWebhook()
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: "sale")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.captured == .cents(1_000) && amounts.chargedBack.isZero, "\(amounts)")
                #expect(try await client.openCount(of: sale) == 0)
            }
        }
    }

    /// Of two disputes of one amount, nothing says which one was won: a person is asked.
    @Test(arguments: [false, true]) func stepThatNamesThePaymentAlone_besideTwoDisputes_isRaised(
        _ isSQLite: Bool
    ) throws {
        try play(isSQLite, chargedBack: 300) { [sale] client, shop, _ in
            Self.dispute(shop, Self.lost(300, "dis-2"), "dis-2", id: "second")
            await client.takeWebhook()
            Self.dispute(shop, Self.won(nil), nil, id: "won", of: 300)
            await client.takeWebhook()
            #expect(try await client.amounts(of: sale).chargedBack == .cents(600))
            let kinds = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(kinds.contains(.disputed), "\(kinds)")
        }
    }
}
