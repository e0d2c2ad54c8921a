import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

/// What persons say, and what is known besides.
@Suite struct ThirdAttackPersonTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    private func lost(_ shop: Shop) -> Whole {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        driver.onCapture = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        return Whole(driver)
    }

    private func loses(_ shop: Shop, sale isLost: Switch) -> Whole {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { [ledger = shop.ledger] request, context in
            if isLost.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
            return try await Fake.charge(ledger, request, context)
        }
        return Whole(driver)
    }

    /// Our refund of 4.00 is in doubt; the provider reports one of 7.00, and a person says that this is it.
    @Test(arguments: [false, true], [false, true]) func personNamesARefundOfAnotherAmount_providersAmountCounts(
        _ isSQLite: Bool, _ isToldFirst: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = lost(shop)
            let lose = driver.base.onRefund
            driver.base.onRefund = { [ledger = shop.ledger] request, context in
                if isLost.isOn { return try await lose(request, context) }
                return try await context.exchange(.money) { _ in
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                func told() async {
                    shop.say(
                        .reference("dash-1", [.refund]), [.refund], nowApproved(700, ["refund": "dash-1"]),
                        of: "p-sale-1")
                    await client.takeWebhook()
                }
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                isLost.turn(false)
                shop.ledger.refund(sale, .cents(700), as: "dash-1")
                if isToldFirst { await told() }
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .executed(name: "dash-1", nil), by: "Ann", reason: "seen")
                if !isToldFirst { await told() }
                let refunded = try await client.amounts(of: sale).refunded
                _ = await client.refund(600, of: sale)
                #expect(
                    refunded == .cents(700),
                    "given back 7.00, in the books \(refunded); in all \(shop.ledger.refundedCents) of 1000; heard \(heard.kinds)"
                )
                #expect(shop.ledger.refundedCents <= 1_000, "\(shop.ledger.refunds)")
            }
        }
    }

    /// A person's capture, of which something was refunded, can't be withdrawn.
    @Test(arguments: [false, true]) func personsCapture_refundedSince_isNotWithdrawn(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = lost(shop)
            driver.base.onRefund = Fake(shop.ledger).onRefund
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale, attempt: next)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .executed(name: "c-9", nil), by: "Ann", reason: "seen")
                let back = await client.refund(600, of: sale)
                try #require(back.isApproved, "\(back)")
                _ = try? await client.resolve(next, as: .withdrawn, by: "Ann", reason: "a mistake")
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.minorUnits >= amounts.refunded.minorUnits,
                    "captured \(amounts.captured), refunded \(amounts.refunded)")
            }
        }
    }

    /// A person's adjustment, on which a capture was based, can't be withdrawn.
    @Test(arguments: [false, true]) func personsAdjustment_capturedSince_isNotWithdrawn(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = lost(shop)
            driver.base.onCapture = Fake(shop.ledger).onCapture
            driver.onAdjust = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                _ = await client.holdAnew(1_500, of: sale, attempt: next)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .executed(name: "a-9", nil), by: "Ann", reason: "seen")
                let taken = await client.take(1_500, of: sale)
                try #require(taken.isApproved, "\(taken)")
                _ = try? await client.resolve(next, as: .withdrawn, by: "Ann", reason: "a mistake")
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.minorUnits <= amounts.authorized.minorUnits,
                    "captured \(amounts.captured) of a hold of \(amounts.authorized)")
            }
        }
    }

    /// A person types 0.35 in place of 3.50 for a refund in another currency, and says the right amount later.
    @Test(arguments: [false, true]) func amountSaidByMistake_canBeCorrected(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(350), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund],
                    .approved(Approval(Money(minorUnits: 400, .usd), references: ["refund": "dash-1"])), of: "p-sale-1")
                await client.takeWebhook()
                let own = try #require(try await client.payment(PaymentID(sale)).attempts.first { $0.isByProvider })
                let id = own.intent.attempt
                try await client.resolve(id, as: .acknowledge(.amount(.cents(35))), by: "Ann", reason: "typed")
                try await client.resolve(id, as: .acknowledge(.amount(.cents(350))), by: "Ann", reason: "the statement")
                let refunded = try await client.amounts(of: sale).refunded
                _ = await client.refund(of: sale)
                #expect(refunded == .cents(350), "in the books \(refunded)")
                #expect(shop.ledger.refundedCents <= 1_000, "given back \(shop.ledger.refundedCents) of 1000")
            }
        }
    }

    /// One imported payment can't be two sales.
    @Test(arguments: [false, true]) func oneImport_isNotTwoSales(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let driver = loses(shop, sale: Switch(true))
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                try await shop.importOld("import-1", .cents(1_000), driver.identity)
                _ = await client.sell(1_000, "order-1", attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: next)
                try await shop.wait(seconds: 3_600)
                let imported = try AttemptID("import-1")
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "seen")
                var refused = false
                do { try await client.resolve(next, as: .isTheSame(as: imported), by: "Ann", reason: "seen") } catch {
                    refused = true
                }
                let told = await client.sell(1_000, "order-2", attempt: next)
                #expect(refused, "one payment of 10.00 stands for two orders of 10.00 each; order-2: \(told)")
            }
        }
    }

    /// An imported payment in another currency, or over another amount, is not our sale.
    @Test(arguments: [false, true]) func importInAnotherCurrency_isNotOurSale(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let driver = loses(shop, sale: Switch(true))
            let client = try shop.client(driver)
            try shop.play { [sale] in
                try await shop.importOld("import-1", Money(minorUnits: 1_000, .usd), driver.identity)
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                let imported = try AttemptID("import-1")
                var refused = false
                do { try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "seen") } catch {
                    refused = true
                }
                let told = await client.sell(attempt: sale)
                #expect(refused, "10.00 EUR was asked for, 10.00 USD is reported as its result: \(told)")
            }
        }
    }

    /// A refund of a sale in doubt is reported; a person says that nothing was executed.
    @Test(arguments: [false, true]) func personsNo_besideARefundOfIt_isRefusedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = loses(shop, sale: isLost)
            driver.base.onSale = { [ledger = shop.ledger] request, context in
                guard isLost.isOn else { return try await Fake.charge(ledger, request, context) }
                return try await Fake.chargeWithoutReply(ledger, request, context, named: ["p-\(context.attempt)"])
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                isLost.turn(false)
                shop.ledger.refund(sale, .cents(400), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                var refused = false
                do { try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list") } catch {
                    refused = true
                }
                let again = await client.sell(attempt: next)
                try await shop.wait(seconds: 5)
                #expect(
                    refused || heard.has(.contradiction),
                    "4.00 of it was given back; \(again); charged \(shop.ledger.chargedCents); heard \(heard.kinds)")
            }
        }
    }

    /// A person says that 6.00 of 10.00 was executed, and the provider reports all.
    @Test(arguments: [false, true]) func personsYesOverAPart_thenTheProvidersWhole_countsTheWhole(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(loses(shop, sale: Switch(true)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "p-sale-1", .cents(600)), by: "Ann", reason: "seen")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(1_000), "charged 10.00, in the books \(captured); heard \(heard.kinds)")
            }
        }
    }

    /// The other way round: a person says 10.00, the provider 6.00, which is a part of it.
    @Test(arguments: [false, true]) func personsYesOverTheWhole_thenTheProvidersPart_countsThePart(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = loses(shop, sale: isLost)
            driver.base.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, .cents(600))
                    throw Lost()
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "seen")
                var approval = Approval(.cents(600), references: ["payment": "p-sale-1"])
                approval.isPartial = true
                shop.say(.attempt(sale), [.sale], .approved(approval))
                await client.takeWebhook()
                _ = await client.refund(of: sale)
                #expect(shop.ledger.refundedCents <= 600, "given back \(shop.ledger.refundedCents); \(heard.kinds)")
            }
        }
    }

    /// A person's name for our refund is the sale's; the refund is reported under its own name later.
    @Test(arguments: [false, true]) func personNamesTheRefundAsTheSale_thenItsName_countsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(lost(shop))
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "seen")
                shop.ledger.refund(next, .cents(400), as: "r-1")
                shop.say(.attempt(next), [.refund], nowApproved(400, ["refund": "r-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let refunded = try await client.amounts(of: sale).refunded
                #expect(refunded == .cents(400), "given back 4.00, in the books \(refunded)")
            }
        }
    }

    /// A person's refund, confirmed under no name, is withdrawn, and then its failure is reported.
    @Test(arguments: [false, true]) func personsRefund_withdrawn_thenFailed_leavesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(lost(shop))
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .executed(name: "r-1", nil), by: "Ann", reason: "seen")
                try await client.resolve(next, as: .withdrawn, by: "Ann", reason: "wrong")
                shop.say(
                    .attempt(next), [.refund], nowDeclined(.failedAfterApproval, ["refund": "r-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded.isZero, "\(amounts.refunded)")
            }
        }
    }

    /// The provider has told 7.00 of its own refund; a person types another amount for it.
    @Test(arguments: [false, true]) func amountThatTheProviderHasTold_isNotReplacedByAPersons(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(700), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(700, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let own = try #require(try await client.payment(PaymentID(sale)).attempts.first { $0.isByProvider })
                _ = try? await client.resolve(
                    own.intent.attempt, as: .acknowledge(.amount(.cents(70))), by: "Ann", reason: "typed")
                _ = await client.refund(930, of: sale)
                #expect(shop.ledger.refundedCents <= 1_000, "given back \(shop.ledger.refundedCents) of 1000")
            }
        }
    }

    /// A person says that a sale of 10.00 took 50.00.
    @Test(arguments: [false, true]) func personsSaleOverMoreThanWasAsked_isRefused(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(loses(shop, sale: Switch(true)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                _ = try? await client.resolve(
                    sale, as: .executed(name: "p-sale-1", .cents(5_000)), by: "Ann", reason: "typed")
                _ = await client.refund(5_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "charged \(shop.ledger.chargedCents), given back \(shop.ledger.refundedCents)")
            }
        }
    }

    /// All was refunded at the dashboard, and a person says that our refund of all was executed as well.
    @Test(arguments: [false, true]) func personsRefundBesideAFullOne_isRefusedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(lost(shop))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(1_000, of: sale, attempt: next)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dash-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                var refused = false
                do { try await client.resolve(next, as: .executed(name: "r-9", nil), by: "Ann", reason: "seen") } catch
                {
                    refused = true
                }
                try await shop.wait(seconds: 5)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(
                    refused || heard.has(.contradiction),
                    "refunded \(refunded) of 10.00, and nothing is raised; heard \(heard.kinds)")
            }
        }
    }
}
