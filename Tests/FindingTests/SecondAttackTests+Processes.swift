import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// Several processes, scopes and providers on one journal.
@Suite struct SecondAttackProcessTests {
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    private func lost(_ shop: Shop, _ canTell: Switch, name: String = "p") -> Fake {
        var driver = Fake(shop.ledger, name: name)
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        driver.onLookup = { inquiry, _ in
            canTell.isOn
                ? .found(nowApproved(1_000, ["payment": "p-\(inquiry.attempt)"])) : .cannotTell("Not now.")
        }
        return driver
    }

    /// Two shops of two scopes recover in the background on one journal.
    @Test(arguments: [false, true]) func recoveryOfOneScope_leavesTheOtherScopesLooks(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let driver = lost(shop, canTell)
            let a = try shop.client(driver, owner: "A", scope: "north")
            let b = try shop.client(driver, owner: "B", scope: "south")
            try shop.play { [sale] in
                _ = await b.sell(attempt: sale)
                canTell.turn(true)
                let other = shop.beside { await a.runRecovery() }
                try await shop.wait(seconds: 1)
                let own = shop.beside { await b.runRecovery() }
                try await shop.wait(seconds: 7 * 86_400)
                for work in [other, own] {
                    work.cancel()
                    await work.value
                }
                let standing = try await b.standing(of: sale)
                #expect(standing == .approved, "after a week: \(String(describing: standing))")
            }
        }
    }

    /// A till without the provider recovers beside one that has it.
    @Test(arguments: [false, true]) func recoveryOfATillWithoutTheProvider_leavesTheLooks(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let a = try shop.client(Fake(shop.ledger, name: "q"), owner: "A")
            let b = try shop.client(lost(shop, canTell), owner: "B")
            try shop.play { [sale] in
                _ = await b.sell(attempt: sale)
                canTell.turn(true)
                let other = shop.beside { await a.runRecovery() }
                try await shop.wait(seconds: 1)
                let own = shop.beside { await b.runRecovery() }
                try await shop.wait(seconds: 7 * 86_400)
                for work in [other, own] {
                    work.cancel()
                    await work.value
                }
                let standing = try await b.standing(of: sale)
                #expect(standing == .approved, "after a week: \(String(describing: standing))")
            }
        }
    }

    /// The server that takes webhooks has a scope of its own; a hint about a shop's refund reaches that shop.
    @Test(arguments: [false, true]) func hintAboutAnotherScopesRefund_isLookedUpThere(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let hasFailed = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in
                hasFailed.isOn
                    ? .found(nowDeclined(.failedAfterApproval, ["refund": "r-refund-1"]))
                    : .found(nowApproved(400, ["refund": "r-refund-1"]))
            }
            let server = try shop.client(driver, owner: "S", scope: "server")
            let till = try shop.client(driver, owner: "T", scope: "shop")
            try shop.play { [sale, refund] in
                _ = await till.sell(attempt: sale)
                _ = await till.refund(400, of: sale, attempt: refund)
                hasFailed.turn(true)
                let work = [
                    shop.beside { await server.runRecovery() },
                    shop.beside { await till.runRecovery() },
                ]
                try await shop.wait(seconds: 90)
                shop.say(.attempt(refund), [.refund], nil)
                await server.takeWebhook()
                try await shop.wait(seconds: 7 * 86_400)
                for one in work {
                    one.cancel()
                    await one.value
                }
                let amounts = try await till.amounts(of: sale)
                #expect(amounts.refunded.isZero, "a week after the hint: refunded \(amounts.refunded)")
            }
        }
    }

    /// The provider declines a sale, or a person sees nothing of it, and it was executed all the same; only an unsigned
    /// message says so.
    @Test(arguments: [false, true], [false, true]) func hintAboutAFailedSale_thatTheProviderExecuted_isCounted(
        _ isSQLite: Bool, _ isDeclined: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onSale = { [shop] request, context in
                try await context.exchange(.money) { _ in
                    shop.ledger.charge(context.attempt, request.amount)
                    if isDeclined { return nowDeclined(.insufficientFunds) }
                    throw Lost()
                }
            }
            driver.onLookup = { _, _ in
                isShown.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .notFound(seesBack: nil)
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                try await shop.recover(client, seconds: 600)
                if !isDeclined { _ = try await client.resolve(sale, as: .notExecuted(), reason: "Nothing is shown.") }
                let before = try await client.attempt(sale)?.state
                #expect(before == (isDeclined ? .declined : .notExecuted))
                isShown.turn(true)
                shop.say(.attempt(sale), [.sale], nil)
                await client.takeWebhook()
                try await shop.wait(seconds: 20)
                let captured = try await client.amounts(of: sale).captured
                #expect(!told.isApproved && captured == .cents(1_000) && heard.has(.contradiction), "\(heard.kinds)")
            }
        }
    }

    /// A card is refused by the reader, so that nothing is sent; another system of the merchant sells under the same id.
    @Test(arguments: [false, true]) func hintAboutASaleThatSentNothing_booksNoOtherPayment(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { _, _ in nowDeclined(.declinedOffline) }
            driver.onLookup = { _, _ in .found(nowApproved(1_000, ["payment": "p-of-another-system"])) }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                #expect(try await client.attempt(sale)?.requests.isEmpty == true)
                shop.say(.attempt(sale), [.sale], nil)
                await client.takeWebhook()
                try await shop.wait(seconds: 20)
                #expect(try await client.amounts(of: sale).captured.isZero)
            }
        }
    }

    /// Anyone can send hints where they are not signed: each would cost a request.
    @Test(arguments: [false, true]) func twentyHintsAtOnce_areTwoLookups(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let looks = Locked(0)
            var driver = Fake(shop.ledger)
            driver.onSale = { _, context in
                try await context.exchange(.money) { _ in nowDeclined(.insufficientFunds) }
            }
            driver.onLookup = { _, _ in
                looks.withLock { $0 += 1 }
                return .notFound(seesBack: nil)
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                for _ in 0..<20 {
                    shop.say(.attempt(sale), [.sale], nil)
                    await client.takeWebhook()
                }
                try await shop.wait(seconds: 30)
                #expect(looks.withLock { $0 } == 2)
            }
        }
    }

    /// A hint says that the refund failed. For two minutes the provider can't tell; then it can, and no further message comes.
    @Test(arguments: [false, true]) func hintOfAFailedRefund_whileTheProviderCannotTell_isLookedUpAgain(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let (hasFailed, canTell) = (Switch(false), Switch(true))
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in
                guard canTell.isOn else { return .cannotTell("Not now.") }
                return hasFailed.isOn
                    ? .found(nowDeclined(.failedAfterApproval, ["refund": "r-refund-1"]))
                    : .found(nowApproved(400, ["refund": "r-refund-1"]))
            }
            let client = try shop.client(driver)
            try shop.play { [sale, refund] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: refund)
                hasFailed.turn(true)
                canTell.turn(false)
                shop.say(.attempt(refund), [.refund], nil)
                await client.takeWebhook()
                try await shop.recover(client, seconds: 120)
                canTell.turn(true)
                try await shop.recover(client, seconds: 7 * 86_400)
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded.isZero, "a week after the hint: refunded \(amounts.refunded)")
            }
        }
    }

    /// The caller of a sale without a reference leaves, and the cashier goes to another till.
    @Test(arguments: [false, true]) func unnamedSale_callerLeft_typedAgainAtAnotherTill_isHeldBack(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { [shop] request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: 20)
                    shop.ledger.charge(context.attempt, request.amount)
                    return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
                }
            }
            let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
            try shop.play { [sale] in
                let first = await a.sellUnnamed(attempt: sale, withinSeconds: 5)
                #expect(first.saysUnknown, "\(first)")
                let second = await b.sellUnnamed()
                try await shop.wait(seconds: 60)
                #expect(shop.ledger.charges.count == 1, "\(second); \(shop.ledger.charges)")
            }
        }
    }

    /// A paid order is settled and pruned; it is typed again.
    @Test func prunedPaidOrder_isNotChargedAgain() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        let second = try AttemptID("sale-2")
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [sale] in
                #expect(await client.sell(attempt: sale).isApproved)
                // The newest payment is never pruned.
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
            try shop.play {
                try await shop.wait(seconds: 2 * 86_400)
                let told = await client.sell(attempt: second)
                #expect(
                    shop.ledger.charges.count { $0.cents == 1_000 } == 1,
                    "pruned \(pruned); the same order again: \(told); \(shop.ledger.charges)")
            }
        }
    }

    /// A process can't write its outcome and sleeps; another takes the attempt over and finds out; then the first writes.
    @Test(arguments: [false, true]) func outcomeWrittenLateByASleeper_isCountedOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let journal = FinishlessJournal(shop.journal)
            let driver = Fake(shop.ledger)
            let a = try shop.client(driver, owner: "A", over: journal)
            let b = try shop.client(driver, owner: "B")
            let heard = Heard(b, shop.stage)
            try shop.play { [sale, refund] in
                journal.fail(.notWritten("the disk is full"))
                let told = await a.sell(attempt: sale)
                #expect(told.isApproved, "\(told)")
                shop.owners.declareDead("A")
                let status = await b.outcome(of: sale)
                #expect(status.isApproved, "\(status)")
                _ = await b.refund(400, of: sale, attempt: refund)
                journal.fail(nil)
                try await a.recover()
                let amounts = try await b.amounts(of: sale)
                #expect(
                    amounts.captured == .cents(1_000) && amounts.refunded == .cents(400),
                    "\(amounts.captured) \(amounts.refunded); heard \(heard.kinds)")
            }
        }
    }

    /// The first provider was not reached, so the second took the payment; then both turn out to have charged.
    @Test(arguments: [false, true]) func paymentChargedAtTwoProviders_canBeRefundedAtBoth(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let paidBack = Locked([String]())
            func fake(_ name: String) -> Fake {
                var driver = Fake(shop.ledger, name: name)
                driver.onRefund = { request, context in
                    try await context.exchange(.money) { _ in
                        paidBack.withLock { $0.append(name) }
                        return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                    }
                }
                return driver
            }
            var a = fake("a")
            a.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount, as: "p-a")
                    throw Refused(.network, .notSent)
                }
            }
            var routing = Routing(active: "a")
            routing.rules = [Routing.Rule(["a", "b"])]
            let client = try shop.client(a, fake("b"), routing: routing)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
                await client.takeWebhook(from: "a")
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.captured == .cents(2_000) && heard.has(.contradiction), "\(told) \(amounts.captured)")
                let all = await client.refund(of: sale)
                let one = await client.refund(1_000, of: sale, for: "item 1", at: "a")
                let two = await client.refund(1_000, of: sale, for: "item 2")
                #expect(
                    Set(paidBack.withLock { $0 }) == ["a", "b"],
                    "given back at \(paidBack.withLock { $0 }); all: \(all); one: \(one); two: \(two)")
            }
        }
    }

    /// After the fallback, messages of the first provider about its own run change nothing of the second's.
    @Test(arguments: [false, true]) func firstProvidersDeclineAndFailure_leaveTheSecondsApproval(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.onSale = { _, context in
                try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            var routing = Routing(active: "a")
            routing.rules = [Routing.Rule(["a", "b"])]
            let client = try shop.client(a, Fake(shop.ledger, name: "b"), routing: routing)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                #expect(told.isApproved, "\(told)")
                shop.say(.attempt(sale), [.sale], nowDeclined(.insufficientFunds, ["payment": "p-a"]))
                await client.takeWebhook(from: "a")
                shop.say(.attempt(sale), [.sale], nowDeclined(.failedAfterApproval, ["payment": "p-a"]))
                await client.takeWebhook(from: "a")
                shop.say(
                    .attempt(sale), [.sale], .cancelled(Cancellation(cause: .provider, wasReversed: true)), id: "undone"
                )
                await client.takeWebhook(from: "a")
                let amounts = try await client.amounts(of: sale)
                let standing = try await client.standing(of: sale)
                #expect(standing == .approved && amounts.captured == .cents(1_000), "\(String(describing: standing))")
            }
        }
    }

    /// A label's time runs out while a refund of its payment is in doubt.
    @Test(arguments: [false, true]) func holdsForWhileARefundIsInDoubt_keepsTheLabel(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                let label = OrderReference("table 5", holdsFor: .seconds(600))
                _ = await Told {
                    try await client.sale(.cents(1_000), from: Cards.good(), reference: label, attempt: sale)
                }
                _ = await client.refund(400, of: sale)
                try await shop.wait(seconds: 86_400)
                let told = await Told { try await client.sale(.cents(1_000), from: Cards.good(), reference: label) }
                #expect(!told.isApproved && shop.ledger.charges.count == 1, "\(told)")
            }
        }
    }

    /// A label's time runs out; then the first payment is revived by a late message: an event names both.
    @Test(arguments: [false, true]) func lateApprovalUnderALabelThatWasPaidAgain_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isFirst = Switch(true)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isFirst.isOn { return try await context.exchange(.money) { _ in nowDeclined(.insufficientFunds) } }
                return try await Fake.charge(ledger, request, context)
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let label = OrderReference("table 5", holdsFor: .seconds(600))
                _ = await Told {
                    try await client.sale(.cents(1_000), from: Cards.good(), reference: label, attempt: sale)
                }
                isFirst.turn(false)
                _ = await Told { try await client.sale(.cents(1_000), from: Cards.good(), reference: label) }
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                #expect(heard.has(.activeTwice) && heard.has(.contradiction), "heard \(heard.kinds)")
            }
        }
    }

    /// One attempt id in two scopes.
    @Test(arguments: [false, true]) func oneIDInTwoScopes_isChargedOnceAndSaysNothingFalse(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let driver = Fake(shop.ledger)
            let a = try shop.client(driver, owner: "A", scope: "north")
            let b = try shop.client(driver, owner: "B", scope: "south")
            try shop.play { [sale] in
                _ = await a.sell(attempt: sale)
                let told = await b.sell(attempt: sale)
                let status = await b.outcome(of: sale)
                #expect(shop.ledger.charges.count == 1, "\(told)")
                #expect(!told.isApproved && !told.saysNothingMoved && !status.saysNothingMoved, "\(told); \(status)")
            }
        }
    }

    /// A pending payment that can't be looked up is decided by a person; then the provider says otherwise.
    @Test(arguments: [false, true]) func pendingDecidedByAPerson_thenApproved_countsAndIsRaised(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return .pending(Pending(shouldPoll: false))
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "the bank said so")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(1_000) && heard.has(.contradiction), "\(captured) \(heard.kinds)")
            }
        }
    }

    /// The result of a refund holds what the provider did on its own while it was out.
    @Test(arguments: [false, true]) func resultOfARefund_holdsTheDashboardsRefundBesideIt(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Fake(shop.ledger)
            driver.onRefund = { request, context in
                try await context.exchange(.money) { _ in
                    shop.say(
                        .reference("dash-1", [.refund]), [.refund], nowApproved(300, ["refund": "dash-1"]),
                        of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(request.amount.minorUnits, ["refund": "r-1"])
                }
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                guard case .result(.approved(let payment)) = await client.refund(400, of: sale) else {
                    return #expect(Bool(false))
                }
                let amounts = try await client.amounts(of: sale)
                #expect(
                    payment.amounts == amounts && amounts.refunded == .cents(700),
                    "\(payment.amounts.refunded) \(amounts.refunded)")
            }
        }
    }

    /// Both tills refund and void one sale at the same moment.
    @Test(arguments: [false, true]) func refundAndVoidAtOnce_moveTheMoneyOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let voids = Locked(0)
            var driver = FullFake(Fake(shop.ledger))
            driver.onVoid = { request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: 3)
                    voids.withLock { $0 += 1 }
                    return nowApproved(request.amount.minorUnits, ["void": "v-1"])
                }
            }
            let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
            try shop.play { [sale] in
                _ = await a.sell(attempt: sale)
                let one = shop.beside { await a.undo(sale) }
                let two = shop.beside { await b.refund(of: sale) }
                let told = (await one.value, await two.value)
                #expect(voids.withLock { $0 } + shop.ledger.refunds.count == 1, "\(told)")
            }
        }
    }

    /// A refund's outcome is in doubt at a process that dies; the other one refunds the same after a person said no.
    @Test(arguments: [false, true]) func refundDecidedByAPerson_thenMadeAgain_lateReplyIsCounted(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let isSlow = Switch(true)
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { request, context in
                try await context.exchange(.money) { _ in
                    if isSlow.isOn { try await shop.wait(seconds: 7_200) }
                    shop.ledger.refund(context.attempt, request.amount)
                    return nowApproved(400, ["refund": "r-\(context.attempt)"])
                }
            }
            let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
            let heard = Heard(a, shop.stage)
            try shop.play { [sale, refund] in
                _ = await a.sell(attempt: sale)
                let first = shop.beside { await a.refund(400, of: sale, attempt: refund) }
                try await shop.wait(seconds: 60)
                shop.owners.declareDead("A")
                isSlow.turn(false)
                _ = await b.outcome(of: refund)
                try await shop.wait(seconds: 3_600)
                try await b.resolve(refund, as: .notExecuted(), by: "Ann", reason: "not in the list")
                let second = await b.refund(400, of: sale)
                let told = await first.value
                try await shop.wait(seconds: 7_200)
                let refunded = try await b.amounts(of: sale).refunded
                #expect(
                    refunded == .cents(shop.ledger.refundedCents) && heard.has(.contradiction),
                    "\(told); \(second); \(refunded) of \(shop.ledger.refunds)")
            }
        }
    }
}
