import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// A third round: what the provider does beside what is known, other accounts, what was pruned, and deadlines.
@Suite struct SecondAttackLaterTests {
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    /// A person took our sale for an import by mistake, and takes that back.
    @Test(arguments: [false, true]) func sameAsAnImport_canBeTakenBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let (client, account) = (try shop.client(driver), driver.identity)
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
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "looked the same")
                var told = "taken back"
                do { try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "it was not") } catch {
                    told = (error as? PaymentError)?.debugDescription ?? "\(error)"
                }
                let stored = try await shop.journal.payment(PaymentID(sale))
                let state = stored?.attempts.first?.state
                #expect(state == .inDoubt, "\(told); the sale is \(String(describing: state))")
            }
        }
    }

    /// A person says that our sale is an imported payment: then it is paid, whichever way it is asked for.
    @Test(arguments: [false, true]) func sameAsAnImport_isPaidByEveryView(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let (client, account) = (try shop.client(driver), driver.identity)
            try shop.play { [sale] in
                let imported = try AttemptID("import-1")
                try await shop.importOld("import-1", .cents(1_000), account)
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "looked the same")
                let byAttempt = try await client.attempt(sale)?.outcome
                let shown = try await client.payment(PaymentID(sale))
                #expect(byAttempt == .executed && shown.state == .approved && shown.amounts.captured == .cents(1_000))
                let under = try await client.payments(reference: "order-1")
                #expect(under.map(\.id) == [PaymentID(imported)])
                let listed = try await client.payments().payments
                #expect(listed.map(\.id) == [PaymentID(imported)])
            }
        }
    }

    /// A tip is changed at the provider's dashboard.
    @Test(arguments: [false, true]) func tipChangedByTheProvider_isCountedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("tip-9", [.tipAdjustment]), [.tipAdjustment], nowApproved(200, ["tip": "tip-9"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 86_400)
                let captured = try await client.amounts(of: sale).captured
                let isRaised = [.contradiction, .otherAmount, .disputed].contains { heard.has($0) }
                #expect(captured == .cents(1_200) || isRaised, "captured \(captured); heard \(heard.kinds)")
            }
        }
    }

    /// A hold is raised at the provider's dashboard and captured there.
    @Test(arguments: [false, true]) func holdRaisedAndCapturedByTheProvider_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                shop.say(
                    .reference("adj-1", [.adjust]), [.adjust], nowApproved(1_500, ["adj": "adj-1"]), of: "p-sale-1")
                await client.takeWebhook()
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_500, ["cap": "cap-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let back = await client.refund(1_500, of: sale)
                let amounts = try await client.amounts(of: sale)
                #expect(back.isApproved && amounts.captured == .cents(1_500), "\(back); \(amounts.captured)")
            }
        }
    }

    /// A refund at the dashboard names our sale by our id, and the provider's name of the sale not at all.
    @Test(arguments: [false, true]) func dashboardRefundUnderOurIDAlone_isCountedOrBlocks(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
                shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 86_400)
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "\(told); paid out \(shop.ledger.refunds); heard \(heard.kinds)")
            }
        }
    }

    /// 3.00 of 10.00 was taken back by the provider; a person voids the payment.
    @Test(arguments: [false, true]) func voidAfterAPartialVoid_doesNotSayThatAllIsVoided(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.undo(sale)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    told.isApproved || !"\(told)".contains("voided already"),
                    "\(told), and captured is \(amounts.captured)")
            }
        }
    }

    /// Another account says that it charged an id which is paid here.
    @Test(arguments: [false, true]) func otherAccountsApprovalOfAPaidID_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (a, b) = (Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"))
            let client = try shop.client(a, b, routing: Routing(active: "a"))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.charge(sale, .cents(1_000), as: "p-b")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-b"]))
                await client.takeWebhook(from: "b")
                try await shop.wait(seconds: 86_400)
                let captured = try await client.amounts(of: sale).captured
                let isRaised = [.contradiction, .disputed, .nameTaken, .activeTwice].contains { heard.has($0) }
                #expect(
                    captured == .cents(2_000) || isRaised,
                    "charged \(shop.ledger.chargedCents), in the books \(captured); heard \(heard.kinds)")
            }
        }
    }

    /// A refund in another currency, whose amount a person has said, fails later.
    @Test(arguments: [false, true]) func foreignRefundWithAnAmountFromAPerson_failsLater_isTakenBack(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund],
                    .approved(Approval(Money(minorUnits: 400, .usd), references: ["refund": "dash-1"])), of: "p-sale-1")
                await client.takeWebhook()
                let blocked = await client.refund(100, of: sale)
                let own = try #require(try await client.payment(PaymentID(sale)).attempts.first { $0.isByProvider })
                try await client.resolve(
                    own.intent.attempt, as: .acknowledge(.amount(.cents(350))), by: "Ann", reason: "the statement")
                let said = try await client.amounts(of: sale).refunded
                try await shop.wait(seconds: 60)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowDeclined(.failedAfterApproval, ["refund": "dash-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                let after = try await client.amounts(of: sale)
                #expect(!blocked.isApproved && said == .cents(350), "\(blocked) \(said)")
                #expect(after.refunded.isZero && after.refundable == .cents(1_000), "\(after)")
            }
        }
    }

    /// The reply comes exactly when the caller's time is over; the caller then does what the answer says.
    @Test(arguments: [4_999, 5_000, 5_001] as [Int64]) func deadlineAtTheReply_isChargedOnce(_ milliseconds: Int64)
        throws
    {
        let shop = Shop()
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.stage.sleep(until: shop.stage.now + milliseconds)
                shop.ledger.charge(context.attempt, request.amount)
                return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver)
        try shop.play { [sale] in
            let told = await client.sell(attempt: sale, withinSeconds: 5)
            if told.saysNothingMoved { _ = await client.sell(1_000, "order-2") }
            let again = await client.sell(attempt: sale)
            try await shop.wait(seconds: 60)
            let captured = try await client.amounts(of: sale).captured
            #expect(shop.ledger.charges.count == 1 && again.isApproved && captured == .cents(1_000), "\(told) \(again)")
        }
    }

    /// A pruned sale is charged back.
    @Test(arguments: [false, true]) func chargebackOfAPrunedSale_isTakenAndTold(_ isUnderOurID: Bool) throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [sale] in
                #expect(await client.sell(attempt: sale).isApproved)
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        let (file, day) = (folder.file, shop.stage.now + 86_400_000)
        let pruned = try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
            let pruned = try await journal.prune(before: day)
            await journal.close()
            return pruned.payments
        }
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, owner: "later", over: journal)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                shop.say(
                    isUnderOurID ? .attempt(sale) : .reference("dis-1", [.refund]), [.refund],
                    nowApproved(1_000, ["m": "dis-1"]), of: "p-sale-1")
                var answer = ""
                do { answer = "\(try await client.receiveWebhook([], from: "p").items.map(\.effect))" } catch {
                    answer = (error as? PaymentError)?.debugDescription ?? "\(error)"
                }
                try await shop.wait(seconds: 60)
                let isRaised = heard.kinds.contains { $0 != .webhook }
                #expect(isRaised, "pruned \(pruned); the message: \(answer); heard \(heard.kinds)")
            }
        }
    }

    /// Our capture has no name, and a message names one before its reply; a person decides; a refund of all adds up.
    @Test(arguments: [false, true]) func namelessCaptureToldBefore_personDecides_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Fake(shop.ledger)
            driver.onCapture = { request, context in
                try await context.exchange(.money) { _ in
                    shop.say(
                        .reference("c-1", [.capture]), [.capture], nowApproved(600, ["capture": "c-1"]), of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(request.amount.minorUnits)
                }
            }
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            try shop.play { [sale] in
                let capture = try AttemptID("cap-1")
                _ = await client.hold(attempt: sale)
                let told = await client.take(600, of: sale, attempt: capture)
                #expect(told.saysUnknown, "\(told)")
                try await shop.wait(seconds: 3_600)
                try await client.resolve(capture, as: .executed(name: "c-1", nil), by: "Ann", reason: "it is that one")
                let amounts = try await client.amounts(of: sale)
                let back = await client.refund(of: sale)
                #expect(amounts.captured == .cents(600) && back.isApproved, "\(amounts.captured) \(back)")
                #expect(shop.ledger.refundedCents == 600)
            }
        }
    }

    /// A second capture is refused because our first was executed twice; then the first fails.
    @Test(arguments: [false, true]) func captureThatFailsLater_isCapturedAgain_countsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                let capture = try AttemptID("cap-1")
                _ = await client.hold(attempt: sale)
                _ = await client.take(1_000, of: sale, attempt: capture)
                let over = await client.take(1, of: sale)
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(capture), [.capture], nowDeclined(.failedAfterApproval, ["capture": "c-cap-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                let again = await client.take(1_000, of: sale)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    !over.isApproved && again.isApproved && amounts.captured == .cents(1_000),
                    "\(over); \(again); \(amounts.captured)")
            }
        }
    }
}
