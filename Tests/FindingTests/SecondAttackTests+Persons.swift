import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// What a person says, takes back and can't say; and what was not tried in the first round.
@Suite struct SecondAttackPersonTests {
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    private func lost(_ shop: Shop) -> Fake {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        return driver
    }

    /// A person types a wrong name for a payment; then the provider reports the right one. The statement can be taken back.
    @Test(arguments: [false, true]) func personsWrongName_thenTheRightOne_canBeCorrected(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(lost(shop))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "p-typo", nil), by: "Ann", reason: "seen")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let before = try await client.amounts(of: sale).captured
                var refused = ""
                do { try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "a typing error") } catch {
                    refused = "\(error)"
                }
                let after = try await client.amounts(of: sale).captured
                #expect(before == .cents(1_000) || heard.has(.contradiction), "\(before)")
                #expect(
                    after == .cents(1_000),
                    "in the books \(after), charged \(shop.ledger.chargedCents); taking it back: \(refused)")
            }
        }
    }

    /// Our refund is in doubt, a person takes the dashboard's for it, takes that back, and ours turns out to be executed.
    @Test(arguments: [false, true]) func dashboardRefundTakenForOurs_withdrawn_thenOurs_bothCount(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: refund)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                try await client.resolve(refund, as: .executed(name: "dash-1", nil), by: "Ann", reason: "seen")
                let one = try await client.amounts(of: sale).refunded
                try await client.resolve(refund, as: .withdrawn, by: "Ann", reason: "it was another")
                shop.say(.attempt(refund), [.refund], nowApproved(400, ["refund": "r-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let both = try await client.amounts(of: sale).refunded
                #expect(one == .cents(400) && both == .cents(800), "\(one) \(both)")
            }
        }
    }

    /// The same without taking it back: the provider's two names say that there were two.
    @Test(arguments: [false, true]) func dashboardRefundTakenForOurs_thenOurs_bothCount(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: refund)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                try await client.resolve(refund, as: .executed(name: "dash-1", nil), by: "Ann", reason: "seen")
                shop.say(.attempt(refund), [.refund], nowApproved(400, ["refund": "r-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(refunded == .cents(800) && heard.has(.contradiction), "\(refunded) \(heard.kinds)")
            }
        }
    }

    /// Our nameless refund and the dashboard's were two: a person can say so.
    @Test(arguments: [false, true]) func namelessRefundBesideTheDashboards_personSaysTwo_bothCount(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Fake(shop.ledger)
            driver.onRefund = { request, context in
                try await context.exchange(.money) { _ in
                    shop.say(
                        .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]),
                        of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(request.amount.minorUnits)
                }
            }
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                let told = await client.refund(400, of: sale, attempt: refund)
                #expect(told.saysUnknown, "\(told)")
                try await shop.wait(seconds: 3_600)
                try await client.resolve(refund, as: .executed(name: "ours", nil), by: "Ann", reason: "two in the list")
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded == .cents(800), "\(amounts.refunded)")
                #expect(try await client.openCount(of: sale) == 0)
            }
        }
    }

    /// 3.00 was taken back by the provider; later the sale is undone as a whole.
    @Test(arguments: [false, true]) func saleUndoneAsAWhole_afterAPartialVoid_isTakenBackOrRaised(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                shop.say(
                    .attempt(sale), [.sale],
                    .cancelled(Cancellation(cause: .provider, references: ["undo": "undo-9"], wasReversed: true)))
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                let amounts = try await client.amounts(of: sale)
                let isOpen = try await client.openCount(of: sale) > 0
                #expect(
                    amounts.captured.isZero || isOpen || heard.has(.contradiction),
                    "captured \(amounts.captured), refundable \(amounts.refundable); heard \(heard.kinds)")
            }
        }
    }

    /// A pending sale is reversed at the provider; that message comes before the one that says that it was paid.
    @Test(arguments: [false, true]) func reversalOfAPendingSale_beforeItsApproval_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return .pending(Pending(references: ["payment": "p-sale-1"], shouldPoll: false))
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let paid = shop.stage.now
                try await shop.wait(seconds: 60)
                shop.ledger.refund(sale, .cents(1_000), as: "rev-1")
                shop.say(
                    .reference("rev-1", [.void, .refund]), [.void, .refund], nowApproved(1_000, ["refund": "rev-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), at: paid)
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                let amounts = try await client.amounts(of: sale)
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "captured \(amounts.captured), refunded \(amounts.refunded); a refund: \(told); paid out \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// A rehearsal that was charged can be refunded, and frees its order then.
    @Test(arguments: [false, true]) func rehearsalThatWasCharged_canBeRefunded(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
                request.isDryRun = true
                let rehearsal = request
                _ = await Told { try await client.sale(rehearsal, attempt: sale) }
                let blocked = await client.sell(attempt: try AttemptID("sale-2"))
                let back = await client.refund(of: sale)
                let free = await client.sell(attempt: try AttemptID("sale-3"))
                #expect(!blocked.isApproved && back.isApproved && free.isApproved, "\(blocked); \(back); \(free)")
            }
        }
    }

    /// A real sale that the adapter answers as a rehearsal moved nothing.
    @Test(arguments: [false, true]) func realSaleAnsweredAsARehearsal_isNotReportedAsPaid(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { request, context in
                try await context.exchange(.money) { _ in
                    var approval = Approval(request.amount, references: ["payment": "p-1"])
                    approval.isDryRun = true
                    return .approved(approval)
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                try await shop.wait(seconds: 5)
                let captured = try? await client.amounts(of: sale).captured
                #expect(
                    !told.isApproved || heard.has(.contradiction),
                    "\(told); captured \(String(describing: captured)); heard \(heard.kinds)")
            }
        }
    }

    /// A person frees an order's reference; the first payment's refund comes back; an event names both.
    @Test(arguments: [false, true]) func freedReference_soldAgain_bothStandInTheBooks(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "a second box")
                let second = await client.sell(attempt: try AttemptID("sale-2"))
                let third = await client.sell(attempt: try AttemptID("sale-3"))
                let cents = try await client.payments(reference: "order-1").reduce(0) {
                    $0 + $1.amounts.captured.minorUnits
                }
                #expect(second.isApproved && !third.isApproved && cents == 2_000, "\(second); \(third); \(cents)")
            }
        }
    }

    /// A sale of parts: the second part waits while the first is in doubt, and is charged once when that is decided.
    @Test(arguments: [false, true]) func secondPartAfterAPersonsNo_thenTheFirstComes_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = lost(shop)
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isLost.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await Fake.charge(ledger, request, context)
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                func part(_ name: String, _ id: AttemptID?) async -> Told {
                    await Told {
                        try await client.sale(
                            .cents(500), from: Cards.good(), reference: OrderReference("order-1", part: name),
                            attempt: id)
                    }
                }
                _ = await part("1 of 2", sale)
                isLost.turn(false)
                let waits = await part("2 of 2", nil)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list")
                let again = await part("1 of 2", nil)
                shop.say(.attempt(sale), [.sale], nowApproved(500, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                #expect(!waits.isApproved && again.isApproved, "\(waits); \(again)")
                #expect(heard.has(.activeTwice) && heard.has(.contradiction), "heard \(heard.kinds)")
            }
        }
    }

    /// A message with the names of two payments: neither is lost, and a person hears of it once the books are right.
    @Test(arguments: [false, true]) func refundMessageWithTwoPaymentsNames_isCountedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: try AttemptID("sale-2"))
                shop.say(
                    .reference("dash-1", [.refund]), [.refund],
                    nowApproved(400, ["refund": "dash-1", "payment": "p-sale-2"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let one = try await client.amounts(of: sale).refunded.minorUnits
                let two = try await client.amounts(of: try AttemptID("sale-2")).refunded.minorUnits
                #expect(one + two == 400 || heard.has(.disputed), "\(one) \(two) \(heard.kinds)")
            }
        }
    }

    /// Two captures fail and are made again in another order than they were reported; a void of the rest stays one.
    @Test(arguments: [false, true]) func voidThatFailedAndIsMadeAgain_afterACapture_leavesWhatWasCaptured(
        _ isSQLite: Bool
    )
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake.releasingTheRest(Fake(shop.ledger)))
            try shop.play { [sale] in
                let void = try AttemptID("void-1")
                _ = await client.hold(attempt: sale)
                _ = await client.undo(sale, attempt: void)
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(void), [.void], nowDeclined(.failedAfterApproval, ["void": "v-void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let capture = await client.take(600, of: sale)
                try await shop.wait(seconds: 60)
                shop.say(.attempt(void), [.void], nowApproved(1_000, ["void": "v-void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(
                    capture.isApproved && amounts.captured == .cents(600) && !amounts.isVoided,
                    "\(capture); captured \(amounts.captured)")
            }
        }
    }

    /// 6.00 of a hold is captured and the rest expires: a status says the truth, and a person can correct the books.
    @Test(arguments: [false, true]) func expiredHoldOfWhichAPartIsCaptured_canBeCorrected(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                shop.say(
                    .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                let status = await client.outcome(of: sale)
                var mended = "mended"
                do {
                    try await client.resolve(
                        sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "6.00 is captured")
                } catch { mended = (error as? PaymentError)?.debugDescription ?? "\(error)" }
                let refund = await client.refund(600, of: sale)
                #expect(!status.saysNothingMoved, "asked for its status: \(status)")
                #expect(refund.isApproved, "a person: \(mended); a refund: \(refund)")
            }
        }
    }

    /// A sale that a message has reversed by mistake can be corrected by a person.
    @Test(arguments: [false, true]) func saleReversedByAMessage_canBeCorrected(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("cap-2", [.capture]), [.capture], nowDeclined(.declinedByProvider, ["m": "cap-2"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                let standing = try await client.standing(of: sale)
                var mended = "mended"
                do {
                    try await client.resolve(sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "the list")
                } catch { mended = (error as? PaymentError)?.debugDescription ?? "\(error)" }
                let refund = await client.refund(of: sale)
                #expect(
                    refund.isApproved, "\(String(describing: standing)); a person: \(mended); a refund: \(refund)")
            }
        }
    }

    /// One attempt was executed twice at one provider; both are refunded.
    @Test(arguments: [false, true]) func twiceExecutedSale_bothAreRefunded(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let named = Locked([String]())
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    let name = request.payment.references["payment"] ?? ""
                    named.withLock { $0.append(name) }
                    ledger.refund(context.attempt, request.amount, as: name)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.charge(sale, .cents(1_000), as: "p-two")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-two"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(2_000) && heard.has(.contradiction), "\(captured)")
                let one = await client.refund(1_000, of: sale, for: "item 1")
                let two = await client.refund(1_000, of: sale, for: "item 2")
                #expect(
                    Set(named.withLock { $0 }) == ["p-sale-1", "p-two"],
                    "the refunds named \(named.withLock { $0 }); \(one); \(two)")
            }
        }
    }
}
