import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Voids beside captures, tips and new totals, and ends that say over how much.
@Suite struct FourthAttackVoidTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    /// A provider that reports something while our capture is under way, which is executed.
    private func telling(_ shop: Shop, _ open: Locked<PaymentClient?>, _ news: @escaping @Sendable () -> Void) -> Whole
    {
        var driver = Fake(shop.ledger)
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

    /// Says that a hold or a sale ended, and over how much.
    private func end(_ shop: Shop, _ operation: PaymentOperation, over cents: Int64) {
        var notice = ProviderNotice(
            .attempt(sale), nowDeclined(.failedAfterApproval, ["event": "exp-1"]), at: shop.stage.now, kind: "NEWS")
        (notice.operations, notice.original, notice.amount) = ([operation], "p-sale-1", .cents(cents))
        shop.ledger.post(notice)
    }

    /// 10.00 is captured and a tip of 2.00 is charged on top; a void undoes all 12.00.
    @Test(arguments: [false, true]) func voidAfterACaptureAndATip_leavesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var whole = Whole(Fake(shop.ledger))
            whole.onTip = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["tip": "t-\(context.attempt)"])
                }
            }
            whole.onVoid = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["void": "v-\(context.attempt)"])
                }
            }
            let client = try shop.client(whole)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(1_000, of: sale)
                _ = await client.tip(200, of: sale)
                let void = await client.undo(sale)
                let amounts = try await client.amounts(of: sale)
                let back = await client.refund(of: sale)
                try #require(void.isApproved, "\(void)")
                #expect(
                    amounts.captured.isZero && amounts.isVoided,
                    "all 12.00 is undone; captured \(amounts.captured), voided \(amounts.isVoided)")
                #expect(
                    shop.ledger.refundedCents <= shop.ledger.chargedCents,
                    "\(back); charged \(shop.ledger.chargedCents), given back \(shop.ledger.refundedCents)")
            }
        }
    }

    /// A capture fails, the hold is voided, and then the capture is executed after all.
    @Test(arguments: [false, true]) func captureThatFailed_voided_thenExecuted_isCountedOrRaised(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                func capture(_ verdict: Verdict) async throws {
                    shop.say(.attempt(next), [.capture], verdict, of: "p-sale-1")
                    await client.takeWebhook()
                    try await shop.wait(seconds: 60)
                }
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale, attempt: next)
                try await shop.wait(seconds: 60)
                try await capture(nowDeclined(.failedAfterApproval, ["capture": "c-next-1"]))
                let failed = try await client.amounts(of: sale)
                let void = await client.undo(sale)
                try #require(failed.captured.isZero && void.isApproved, "\(failed.captured); \(void)")
                try await shop.wait(seconds: 60)
                let before = heard.count(.contradiction)
                try await capture(nowApproved(600, ["capture": "c-next-1"]))
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                #expect(
                    amounts.captured == .cents(600),
                    "6.00 is charged; captured \(amounts.captured), voided \(amounts.isVoided)")
                #expect(heard.count(.contradiction) > before, "it was voided before: \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again")
            }
        }
    }

    /// A void fails, 6.00 is captured, and then the void is executed after all, which undoes the capture.
    @Test(arguments: [false, true]) func voidThatFailed_thenExecuted_afterACapture_isCountedOrRaised(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                func void(_ verdict: Verdict) async throws {
                    shop.say(.attempt(next), [.void], verdict, of: "p-sale-1")
                    await client.takeWebhook()
                    try await shop.wait(seconds: 60)
                }
                _ = await client.hold(attempt: sale)
                _ = await client.undo(sale, attempt: next)
                try await shop.wait(seconds: 60)
                try await void(nowDeclined(.failedAfterApproval, ["void": "v-next-1"]))
                let taken = await client.take(600, of: sale)
                try #require(taken.isApproved, "\(taken)")
                try await shop.wait(seconds: 60)
                try await void(nowApproved(1_000, ["void": "v-next-1"]))
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.isZero || heard.has(.contradiction),
                    "captured \(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// A hold of 10.00 is raised to 15.00, 12.00 of it is let go, and the 3.00 that is left is captured: all is well.
    @Test(arguments: [false, true]) func raisedHold_partlyReleased_isCapturedWithoutAnAlarm(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                let raised = await client.holdAnew(1_500, of: sale)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(1_200, ["void": "rel-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let taken = await client.take(300, of: sale)
                try await shop.wait(seconds: 5)
                try #require(raised.isApproved && taken.isApproved, "\(raised); \(taken)")
                #expect(!heard.has(.contradiction), "3.00 of 15.00 - 12.00 is captured; heard \(heard.kinds)")
            }
        }
    }

    /// A hold of 10.00 is lowered to 6.00; all 6.00 is let go while our capture is under way, which is executed.
    @Test(arguments: [false, true]) func loweredHold_voidedAsAWhole_capturesReplyIsRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) {
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(600, ["void": "rel-1"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                let lowered = await client.holdAnew(600, of: sale)
                let told = await client.take(600, of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                try #require(lowered.isApproved)
                #expect(
                    amounts.captured == .cents(600) && heard.has(.contradiction),
                    "\(told); captured \(amounts.captured), released \(amounts.released); heard \(heard.kinds)")
            }
        }
    }

    /// 3.00 of 10.00 is let go, and the other 7.00 while our capture is under way, which is executed.
    @Test(arguments: [false, true]) func voidedInTwoParts_capturesReplyIsRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) {
                shop.say(.reference("rel-2", [.void]), [.void], nowApproved(700, ["void": "rel-2"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(300, ["void": "rel-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.take(500, of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured == .cents(500) && heard.has(.contradiction),
                    "\(told); captured \(amounts.captured), authorized \(amounts.authorized); heard \(heard.kinds)")
            }
        }
    }

    /// 5.00 of 10.00 is let go while 8.00 is captured, which is executed: 13.00 of 10.00.
    @Test(arguments: [false, true]) func captureCrossedByAPartialRelease_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            let driver = telling(shop, open) {
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(500, ["void": "rel-1"]), of: "p-sale-1")
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                let told = await client.take(800, of: sale)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    heard.has(.contradiction),
                    "\(told); captured \(amounts.captured) of \(amounts.authorized); heard \(heard.kinds)")
            }
        }
    }

    /// 6.00 of 10.00 is captured by us, and 6.00 at the dashboard.
    @Test(arguments: [false, true]) func moreCapturedThanHeld_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                shop.ledger.charge(sale, .cents(600), as: "cap-1")
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(600, ["capture": "cap-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    heard.has(.contradiction) || heard.has(.otherAmount),
                    "captured \(amounts.captured) of \(amounts.authorized), and nothing is raised; heard \(heard.kinds)"
                )
            }
        }
    }

    /// A hold of 10.00 is lowered to 6.00, and ends over 6.00: nothing is held.
    @Test(arguments: [false, true]) func endOfALoweredHold_overAllThereIs_endsIt(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                let lowered = await client.holdAnew(600, of: sale)
                try await shop.wait(seconds: 60)
                end(shop, .authorize, over: 600)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: next)
                try #require(lowered.isApproved)
                #expect(
                    amounts.capturable.isZero && !heard.has(.contradiction),
                    "nothing is held, capturable \(amounts.capturable); heard \(heard.kinds)")
                #expect(again.isApproved, "\(again)")
            }
        }
    }

    /// 6.00 of 10.00 is captured, and the hold ends over the other 4.00.
    @Test(arguments: [false, true]) func endOfAPartlyCapturedHold_overItsRest_releasesIt(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                try await shop.wait(seconds: 60)
                end(shop, .authorize, over: 400)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.capturable.isZero && amounts.captured == .cents(600) && !heard.has(.contradiction),
                    "capturable \(amounts.capturable), captured \(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// 3.00 of a sale is taken back, and then the other 7.00: nothing is charged.
    @Test(arguments: [false, true]) func saleTakenBackOverItsRest_afterAPartialVoid_leavesNothing(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(300), as: "void-1")
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                shop.ledger.refund(sale, .cents(700), as: "rest")
                end(shop, .sale, over: 700)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                let back = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "captured \(amounts.captured); \(back); given back \(shop.ledger.refundedCents) of 1000")
            }
        }
    }
}
