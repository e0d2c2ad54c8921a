import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// What the provider does while our own request is under way, and things that look alike.
@Suite struct ThirdAttackLaterTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    /// A driver that reports something while its request is under way.
    private func telling(_ shop: Shop, _ open: Locked<PaymentClient?>, _ news: @escaping @Sendable () -> Void) -> Whole
    {
        var driver = Fake(shop.ledger)
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                news()
                await open.withLock { $0 }?.takeWebhook()
                ledger.refund(context.attempt, request.amount)
                return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
            }
        }
        driver.onCapture = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                news()
                await open.withLock { $0 }?.takeWebhook()
                ledger.charge(context.attempt, request.amount)
                return nowApproved(request.amount.minorUnits, ["capture": "c-\(context.attempt)"])
            }
        }
        return Whole(driver)
    }

    /// The bank takes all back while our refund of all is under way; both are executed.
    @Test(arguments: [false, true]) func refundsReplyAfterAChargeback_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) { [sale] in
                shop.ledger.refund(sale, .cents(1_000), as: "dis-1")
                shop.say(.reference("dis-1", [.refund]), [.refund], nowApproved(1_000, ["m": "dis-1"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let told = await client.refund(of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    heard.has(.contradiction),
                    "\(told); given back \(shop.ledger.refundedCents) of 1000, in the books \(amounts.refunded); heard \(heard.kinds)"
                )
            }
        }
    }

    /// The provider lets a hold go as a whole while our capture is under way, which is executed.
    @Test(arguments: [false, true]) func capturesReplyAfterAVoid_isCountedAndRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) {
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(1_000, ["void": "rel-1"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                let told = await client.take(600, of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured == .cents(600) && heard.has(.contradiction),
                    "\(told); captured \(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// The hold's end is reported while our capture is under way, which is executed: it can be refunded, and is not sold again.
    @Test(arguments: [false, true]) func capturesReplyAfterTheHoldsEnd_keepsTheReference(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) { [sale] in
                shop.say(
                    .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                let told = await client.take(600, of: sale)
                let again = await client.sell(attempt: next)
                #expect(
                    !told.isApproved || !again.isApproved,
                    "\(told); the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// 4.00 of a sale is refunded; then the provider says that the sale failed, or was undone, as a whole.
    @Test(arguments: [false, true], [false, true]) func saleTakenBackAfterOurRefund_isRaised(
        _ isSQLite: Bool, _ isUndone: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale)
                try await shop.wait(seconds: 60)
                let verdict: Verdict =
                    isUndone
                    ? .cancelled(Cancellation(cause: .provider, references: ["undo": "undo-9"], wasReversed: true))
                    : nowDeclined(.failedAfterApproval)
                shop.say(.attempt(sale), [.sale], verdict)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.refunded.minorUnits <= amounts.captured.minorUnits || heard.has(.contradiction),
                    "captured \(amounts.captured), refunded \(amounts.refunded), and nothing is raised; heard \(heard.kinds)"
                )
            }
        }
    }

    /// A refund of a sale in doubt is reported; a lookup then shows a refusal.
    @Test(arguments: [false, true]) func refundToldOfASaleInDoubt_refusalIsRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] in
                try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-\($1.attempt)"])
            }
            driver.onLookup = { _, _ in isShown.isOn ? .found(nowDeclined()) : .cannotTell("Not now.") }
            let client = try shop.client(Whole(driver))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(400), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                isShown.turn(true)
                try await shop.wait(seconds: 120)
                let told = await client.outcome(of: sale)
                try await shop.wait(seconds: 5)
                #expect(
                    !told.saysNothingMoved || heard.has(.contradiction),
                    "4.00 of it was given back, and it is reported as \(told); heard \(heard.kinds)")
            }
        }
    }

    /// Ids that look alike are several payments.
    @Test(arguments: [false, true]) func idsThatLookAlike_areSeveralPayments(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play {
                for (number, text) in ["sale-1", "SALE-1", "sale-01", "sale-10", "sale-l"].enumerated() {
                    let id = try AttemptID(text)
                    let told = await client.sell(Int64(100 * (number + 1)), "order-\(text)", attempt: id)
                    let captured = try await client.amounts(of: id).captured
                    #expect(told.isApproved && captured == .cents(Int64(100 * (number + 1))), "\(text) \(captured)")
                }
                #expect(shop.ledger.chargedCents == 1_500)
            }
        }
    }

    /// Two tills pay a share and the whole of one bill at one moment.
    @Test(arguments: [false, true]) func shareAndWholeAtOnce_onlyOneIsCharged(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: 5)
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["payment": "p-\(context.attempt)"])
                }
            }
            let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
            try shop.play {
                let one = shop.beside {
                    await Told {
                        try await a.sale(
                            .cents(500), from: Cards.good(), reference: OrderReference("order-1", part: "1 of 2"))
                    }
                }
                let two = shop.beside { await b.sell() }
                _ = await (one.value, two.value)
                #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges)")
            }
        }
    }

    /// A hold is set again, captured in two parts, and undone.
    @Test(arguments: [false, true]) func holdAdjustTwoCapturesVoid_addUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.holdAnew(1_500, of: sale)
                _ = await client.take(600, of: sale)
                _ = await client.take(900, of: sale)
                let before = try await client.amounts(of: sale)
                let void = await client.undo(sale)
                let after = try await client.amounts(of: sale)
                #expect(before.captured == .cents(1_500) && before.capturable.isZero, "\(before)")
                #expect(!void.isApproved || after.isVoided && after.captured.isZero, "\(void) \(after)")
            }
        }
    }

    /// A message in another currency about our refund in doubt decides nothing and is raised.
    @Test(arguments: [false, true]) func refundToldInAnotherCurrency_decidesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                let usd = Approval(Money(minorUnits: 400, .usd), references: ["refund": "r-1"])
                shop.say(.attempt(next), [.refund], .approved(usd), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let standing = try await client.standing(of: next)
                #expect(standing == .inDoubt && heard.has(.otherAmount), "\(String(describing: standing))")
            }
        }
    }

    /// Amounts at the end of the range neither wrap nor free anything.
    @Test(arguments: [false, true]) func dashboardRefundOfAllThereIs_leavesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                for name in ["dash-1", "dash-2"] {
                    shop.say(
                        .reference(name, [.refund]), [.refund], nowApproved(.max, ["refund": name]), of: "p-sale-1")
                    await client.takeWebhook()
                }
                let amounts = try await client.amounts(of: sale)
                let told = await client.refund(1, of: sale)
                #expect(amounts.refundable.isZero && !told.isApproved, "\(amounts.refunded); \(told)")
            }
        }
    }

    /// A hold is captured at the dashboard while our void is under way, which is answered as done.
    @Test(arguments: [false, true]) func voidsReplyAfterADashboardCapture_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Whole(Fake(shop.ledger))
            driver.onVoid = { [sale] request, context in
                try await context.exchange(.money) { _ in
                    shop.ledger.charge(sale, .cents(1_000), as: "cap-1")
                    shop.say(
                        .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "cap-1"]),
                        of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(request.amount.minorUnits, ["void": "v-1"])
                }
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                let told = await client.undo(sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(1_000) || heard.has(.contradiction),
                    "\(told); the provider told of a capture of 10.00, in the books \(amounts.captured), voided \(amounts.isVoided); sold again: \(again.isApproved); heard \(heard.kinds)"
                )
            }
        }
    }

    /// 6.00 of 10.00 is captured, the rest ends or is let go, and then the capture fails: nothing is held any more.
    @Test(arguments: [false, true], [false, true]) func captureFailsAfterTheRestIsGone_nothingIsHeld(
        _ isSQLite: Bool, _ isExpiry: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale, attempt: next)
                if isExpiry {
                    shop.say(
                        .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]),
                        of: "p-sale-1")
                } else {
                    shop.say(
                        .reference("rel-1", [.void]), [.void], nowApproved(400, ["void": "rel-1"]), of: "p-sale-1")
                }
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(next), [.capture], nowDeclined(.failedAfterApproval, ["capture": "c-next-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.isZero && (amounts.capturable.isZero || !isExpiry),
                    "the hold has ended, and \(amounts.capturable) is said to be capturable")
            }
        }
    }

    /// The hold's end is reported while our adjustment is under way, which is answered as done: the hold lives.
    @Test(arguments: [false, true]) func adjustmentsReplyAfterTheHoldsEnd_keepsTheReferenceOrIsRaised(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Whole(Fake(shop.ledger))
            driver.onAdjust = { [sale] request, context in
                try await context.exchange(.money) { _ in
                    shop.say(
                        .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]),
                        of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(request.amount.minorUnits, ["adjust": "a-1"])
                }
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                let told = await client.holdAnew(1_500, of: sale)
                try await shop.wait(seconds: 5)
                let again = await client.sell(attempt: next)
                #expect(
                    !told.isApproved || !again.isApproved || heard.has(.contradiction),
                    "told that 15.00 is held, and the order is sold: \(again); heard \(heard.kinds)")
            }
        }
    }
}
