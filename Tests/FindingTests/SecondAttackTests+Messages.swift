import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Messages that come early, late, in other words, or about two things.
@Suite struct SecondAttackMessageTests {
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    /// A sale is captured by the provider; a person presses capture once more at the dashboard, which is refused.
    @Test(arguments: [false, true]) func refusedSecondCaptureOfASale_leavesItCharged(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["m": "cap-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                shop.say(
                    .reference("cap-2", [.capture]), [.capture], nowDeclined(.declinedByProvider, ["m": "cap-2"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                let standing = try await client.standing(of: sale).map { "\($0)" } ?? ""
                #expect(
                    amounts.captured == .cents(1_000),
                    "captured \(amounts.captured), \(standing); heard \(heard.kinds)"
                )
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// A refund is found approved; a decline that was said before comes late under its name.
    @Test(arguments: [false, true]) func olderPushedDeclineOfAFoundRefund_refundsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.refund(context.attempt, request.amount, as: "r-1")
                    throw Lost()
                }
            }
            driver.onLookup = { _, _ in
                .found(nowApproved(400, ["refund": "r-1"], at: shop.stage.now))
            }
            let client = try shop.client(driver)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                let early = shop.stage.now
                let told = await client.refund(400, of: sale, attempt: refund)
                #expect(told.isApproved, "\(told)")
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(refund), [.refund], nowDeclined(.declinedByProvider, ["refund": "r-1"]), of: "p-sale-1",
                    at: early)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                let again = await client.refund(400, of: sale)
                #expect(
                    shop.ledger.refundedCents == 400,
                    "refunded \(amounts.refunded) in the books; again: \(again); paid out \(shop.ledger.refunds)")
            }
        }
    }

    /// The provider gave no name to a sale; a refund at its dashboard names the sale by our id and by the provider's name.
    @Test(arguments: [false, true]) func refundOfANamelessSaleUnderOurID_isCountedOrBlocks(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(1_000)
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
                shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 86_400)
                let amounts = try await client.amounts(of: sale)
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "in the books refunded \(amounts.refunded); a refund: \(told); paid out \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// The same where the journal could not take the sale's names.
    @Test func refundOfASaleWithUnwritableNames_isCountedOrBlocks() throws {
        let shop = Shop()
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(Fake(shop.ledger), over: journal)
        let heard = Heard(client, shop.stage)
        try shop.play { [sale] in
            journal.failNamed(.unwritable("index row size exceeds the maximum"))
            let sold = await client.sell(attempt: sale)
            #expect(sold.isApproved, "\(sold)")
            journal.fail(nil)
            shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
            shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-sale-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            let amounts = try await client.amounts(of: sale)
            let told = await client.refund(of: sale)
            #expect(
                shop.ledger.refundedCents == 1_000,
                "in the books refunded \(amounts.refunded); a refund: \(told); paid out \(shop.ledger.refunds); heard \(heard.kinds)"
            )
        }
    }

    /// A sale in doubt is reversed at the dashboard (a void or a refund), and found approved later.
    @Test(arguments: [false, true]) func reversalOfASaleInDoubt_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] in
                try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-sale-1"])
            }
            driver.onLookup = { _, _ in
                canTell.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "rev-1")
                shop.say(
                    .reference("rev-1", [.void, .refund]), [.void, .refund], nowApproved(1_000, ["refund": "rev-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                canTell.turn(true)
                _ = await client.outcome(of: sale)
                try await shop.wait(seconds: 3_600)
                let amounts = try await client.amounts(of: sale)
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "in the books captured \(amounts.captured), refunded \(amounts.refunded); a refund: \(told); paid out \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// 3.00 of a sale in doubt is reversed; the sale hears that it was undone before its approval is known.
    @Test(arguments: [false, true]) func partialReversalBeforeTheApproval_leavesTheRest(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let paid = shop.stage.now
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(sale), [.void, .refund], nowApproved(300, ["m": "rev-1"]), of: "p-sale-1", id: "rev a")
                shop.say(
                    .attempt(sale), [.sale, .authorize],
                    .cancelled(Cancellation(cause: .customer, references: ["m": "rev-1"], wasReversed: true)),
                    of: "p-sale-1", id: "rev b")
                await client.takeWebhook()
                shop.say(.attempt(sale), [.sale, .authorize], nowApproved(1_000, ["payment": "p-sale-1"]), at: paid)
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                let isOpen = try await client.openCount(of: sale) > 0
                let standing = try await client.standing(of: sale).map { "\($0)" } ?? ""
                #expect(
                    isOpen || heard.has(.contradiction)
                        || amounts.captured.minorUnits - amounts.refunded.minorUnits == 700,
                    "\(standing), captured \(amounts.captured), refunded \(amounts.refunded)"
                )
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// A person takes our sale for an import by mistake; the provider then reports our sale under our id.
    @Test(arguments: [false, true]) func absorbedSale_thenItsOwnApproval_isCountedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let (client, account) = (try shop.client(driver), driver.identity)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let imported = try AttemptID("import-1")
                var movement = ImportedMovement(
                    Begin(.init(imported, .sale, .cents(1_000), reference: "old-1"), account),
                    nowApproved(1_000, ["payment": "p-old"]), saidAt: shop.stage.now)
                movement.names = ["p-old"]
                (movement.paidAt, movement.terms) = (shop.stage.now - 86_400_000, LookupTerms(quietPeriod: 60_000))
                let now = Attempt.Instant(wall: shop.stage.now, uptime: 0)
                _ = try await shop.journal.write(
                    JournalEntry(.report(imported, .imported(movement))), WriteID("import-1"), at: now)
                shop.ledger.charge(imported, .cents(1_000), as: "p-old")
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "looked the same")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let listed = try await client.payments().payments.reduce(0) { $0 + $1.amounts.captured.minorUnits }
                let isRaised = [.contradiction, .disputed, .nameTaken, .activeTwice].contains { heard.has($0) }
                #expect(
                    listed == shop.ledger.chargedCents || isRaised,
                    "the list has \(listed) cents, charged \(shop.ledger.chargedCents); heard \(heard.kinds)")
            }
        }
    }

    /// An approval under a name of another payment, while the journal takes no outcome.
    @Test func approvalUnderAnotherPaymentsName_journalFails_isNotReportedAsApproved() throws {
        let shop = Shop()
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in nowApproved(1_000, ["payment": "p-1"]) }
        }
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(driver, over: journal)
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            journal.fail(.notWritten("the disk is full"))
            let told = await client.sell(1_000, "order-2", attempt: try AttemptID("sale-2"))
            journal.fail(nil)
            try await client.recover()
            let standing = try await client.standing(of: try AttemptID("sale-2"))
            #expect(!told.isApproved || standing == .approved, "\(told); in the books \(String(describing: standing))")
        }
    }

    /// Our refund has no name and can't be looked up; the provider says that it failed, under a name that we never heard.
    @Test(arguments: [false, true]) func namelessRefundThatCanNotBeAsked_failsLater_isTakenBackOrRaised(
        _ isSQLite: Bool
    )
        throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            driver.onRefund = { request, context in
                try await context.exchange(.money) { _ in nowApproved(request.amount.minorUnits) }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: refund)
                try await shop.wait(seconds: 86_400)
                shop.say(
                    .attempt(sale), [.refund], nowDeclined(.failedAfterApproval, ["refund": "r-9"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let amounts = try await client.amounts(of: sale)
                let isRaised = [.contradiction, .disputed, .otherAmount].contains { heard.has($0) }
                let isOpen = try await client.openCount(of: sale) > 0
                #expect(
                    amounts.refunded.isZero || isRaised || isOpen,
                    "refunded \(amounts.refunded) although it failed; heard \(heard.kinds)")
            }
        }
    }

    /// The dashboard's refund comes after our nameless one of the same amount: a person says what it is, either way.
    @Test(arguments: [true, false]) func dashboardRefundAfterOurNamelessOne_personDecides(_ isItsOwn: Bool) throws {
        let shop = Shop()
        var driver = Fake(shop.ledger)
        driver.onRefund = { request, context in
            try await context.exchange(.money) { _ in nowApproved(request.amount.minorUnits) }
        }
        let client = try shop.client(driver)
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale)
            shop.say(.reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 3_600)
            let open = try await client.payment(PaymentID(sale)).openAttempts.map(\.intent.attempt)
            #expect(open.count == 1)
            let id = try #require(open.first)
            try await client.resolve(
                id, as: isItsOwn ? .executed(name: "dash-1", nil) : .notExecuted(), by: "Ann", reason: "asked")
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(isItsOwn ? 800 : 400), "\(amounts.refunded)")
            #expect(try await client.openCount(of: sale) == 0)
        }
    }

    /// A refund at the dashboard comes before our own of the same amount begins: both count.
    @Test(arguments: [false, true]) func dashboardRefundBeforeOurNamelessOne_bothCount(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onRefund = { request, context in
                try await context.exchange(.money) { _ in nowApproved(request.amount.minorUnits) }
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.refund(400, of: sale, for: "item 2")
                let amounts = try await client.amounts(of: sale)
                #expect(told.isApproved && amounts.refunded == .cents(800), "\(told) \(amounts.refunded)")
            }
        }
    }

    /// A dispute beside our own refund that was never made.
    @Test(arguments: [false, true]) func disputeWhileOurRefundIsInDoubt_thenReversed_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .notFound(seesBack: nil) }
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 20_000)
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(1_000, of: sale, attempt: refund)
                shop.say(
                    .attempt(sale), [.refund], nowApproved(1_000, ["m": "dis-1"]), of: "p-sale-1", id: "chargeback")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                _ = await client.outcome(of: refund)
                let during = try await client.amounts(of: sale).refundable
                #expect(during.isZero, "\(during)")
                shop.say(
                    .attempt(sale), [.refund], nowDeclined(.failedAfterApproval, ["m": "dis-1"]), of: "p-sale-1",
                    id: "reversed"
                )
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                _ = await client.outcome(of: refund)
                let amounts = try await client.amounts(of: sale)
                let open = try await client.openCount(of: sale)
                #expect(amounts.refunded.isZero && amounts.refundable == .cents(1_000), "\(amounts); \(open) open")
            }
        }
    }

    /// Sixty-four messages about an id that a restore lost, and then one that says that it was charged.
    @Test(arguments: [false, true]) func approvalAfterManyMessagesAboutALostID_stopsTheSale(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                shop.ledger.charge(sale, .cents(1_000))
                for number in 1...64 {
                    shop.say(.attempt(sale), [.sale], nil, id: "m-\(number)")
                    await client.takeWebhook()
                }
                shop.say(.attempt(sale), [.sale], nowApproved(1_000), id: "m-65")
                await client.takeWebhook()
                let told = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                #expect(
                    shop.ledger.charges.count == 1 || heard.has(.messagesDropped),
                    "\(told); \(shop.ledger.charges); heard \(heard.kinds)")
            }
        }
    }

    /// A rehearsal is charged while its order is paid.
    @Test(arguments: [false, true]) func rehearsalChargedUnderAPaidReference_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: try AttemptID("sale-2"))
                var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
                request.isDryRun = true
                let rehearsal = request
                let told = await Told { try await client.sale(rehearsal, attempt: sale) }
                try await shop.wait(seconds: 5)
                #expect(heard.has(.activeTwice), "\(told); heard \(heard.kinds)")
            }
        }
    }

    /// A refund that is pending at the dashboard and refused later leaves nothing behind.
    @Test func pendingDashboardRefund_refusedLater_blocksNothing() throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            shop.say(
                .reference("dash-1", [.refund, .void]), [.refund, .void], .pending(Pending(shouldPoll: false)),
                of: "p-sale-1")
            await client.takeWebhook()
            #expect(!(await client.refund(400, of: sale).isApproved))
            try await shop.wait(seconds: 60)
            shop.say(
                .reference("dash-1", [.refund, .void]), [.refund, .void], nowDeclined(), of: "p-sale-1")
            await client.takeWebhook()
            let told = await client.refund(400, of: sale)
            let amounts = try await client.amounts(of: sale)
            #expect(told.isApproved && amounts.refunded == .cents(400), "\(told) \(amounts.refunded)")
        }
    }
}
