import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// Orders that are sold again, accounts that both took one, and imports that break off.
@Suite struct ThirdAttackOrderTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    /// A person captures a captured sale at the dashboard, which is refused; the provider shows that the sale stands.
    @Test(arguments: [false, true]) func refusedCaptureOfASale_theProviderShowsThatItStands_isLookedUp(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                shop.say(
                    .reference("cap-2", [.capture]), [.capture], nowDeclined(.declinedByProvider, ["capture": "cap-2"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 120)
                let captured = try await client.amounts(of: sale).captured
                let again = await client.sell(attempt: next)
                #expect(
                    captured == .cents(1_000) && !again.isApproved,
                    "charged \(shop.ledger.charges), in the books \(captured); heard \(heard.kinds)")
            }
        }
    }

    /// An order is charged at two accounts: each refund names the payment of its own account.
    @Test(arguments: [false, true]) func refundAtTheSecondAccount_namesItsOwnPayment(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let named = Locked([String]())
            func driver(_ name: String) -> Fake {
                var driver = Fake(shop.ledger, name: name)
                driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
                driver.onSale = { request, context in
                    try await context.exchange(.money) { _ in
                        shop.ledger.charge(context.attempt, request.amount, as: "p-\(name)")
                        if name == "a" { throw Lost() }
                        return nowApproved(request.amount.minorUnits, ["payment": "p-\(name)"])
                    }
                }
                driver.onLookup = { _, _ in .notFound(seesBack: nil) }
                driver.onRefund = { request, context in
                    try await context.exchange(.money) { _ in
                        named.withLock { $0.append("\(name) \(request.payment.references["payment"] ?? "")") }
                        shop.ledger.refund(context.attempt, request.amount)
                        return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                    }
                }
                return driver
            }
            let (a, b) = (driver("a"), driver("b"))
            let one = try shop.client(a, b, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(a, b, owner: "two", routing: Routing(active: "b"))
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                _ = await one.outcome(of: sale)
                _ = await two.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
                await two.takeWebhook(from: "a")
                try await two.resolve(sale, as: .acknowledge(.contradiction), by: "Ann", reason: "two charges")
                let first = await two.refund(1_000, of: sale, for: "item 1", at: "a")
                let second = await two.refund(1_000, of: sale, for: "item 2")
                #expect(
                    Set(named.withLock { $0 }) == ["a p-a", "b p-b"],
                    "account and payment: \(named.withLock { $0 }); \(first); \(second)")
            }
        }
    }

    /// The provider undoes a sale, the order is sold again, and then the undoing fails.
    @Test(arguments: [false, true]) func undoingFailsLater_afterTheOrderWasSoldAgain_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                shop.say(.reference("v-1", [.void]), [.void], nowApproved(1_000, ["void": "v-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let again = await client.sell(attempt: next)
                shop.say(
                    .reference("v-1", [.void]), [.void], nowDeclined(.failedAfterApproval, ["void": "v-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                #expect(again.isApproved && captured == .cents(1_000) && heard.has(.activeTwice), "\(heard.kinds)")
            }
        }
    }

    /// A hold lapses, the order is sold, and the provider captures the hold all the same.
    @Test(arguments: [false, true]) func lapsedHoldIsCaptured_afterTheOrderWasSold_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.holdLifetime = 86_400_000
            let client = try shop.client(Whole(driver))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                try await shop.wait(seconds: 2 * 86_400)
                let sold = await client.sell(attempt: next)
                shop.say(
                    .reference("c-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "c-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                #expect(sold.isApproved && heard.has(.activeTwice) && heard.has(.contradiction), "\(heard.kinds)")
            }
        }
    }

    /// An ended hold that the provider captures after the order was sold again.
    @Test(arguments: [false, true]) func endedHoldIsCaptured_afterTheOrderWasSold_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                shop.say(
                    .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let sold = await client.sell(attempt: next)
                shop.say(
                    .reference("c-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "c-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                #expect(sold.isApproved && heard.has(.activeTwice), "\(heard.kinds)")
            }
        }
    }

    /// A process dies between the two entries of an import: the payment is there, and what was refunded of it is not.
    @Test func importThatDiesBetweenItsEntries_isNotRefundedTwice() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        let (account, now) = (driver.identity, shop.stage.now)
        func line(_ more: String) -> String {
            """
            {"attempt":"old-1","provider":"\(account.id)","adapter":"\(account.adapter)",\
            "environment":"\(account.environment)","merchant":"\(account.merchant)","reference":"old-order",\
            "minorUnits":1000,"currency":"EUR","takenAt":\(now - 86_400_000),"holdsUntil":\(now),\
            "references":{"payment":"p-old"}\(more)}
            """
        }
        func adopt(_ text: String) throws {
            let file = folder.file
            try SchedulerJournal.wait {
                let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
                _ = try await journal.adopt([text], at: Attempt.Instant(wall: now, uptime: 0))
                await journal.close()
            }
        }
        // The first entry of the import is the same with and without what was refunded.
        try adopt(line(""))
        shop.ledger.refund(try AttemptID("old-1"), .cents(400), as: "r-old")
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { _ = await client.refund(of: try AttemptID("old-1")) }
        }
        let told: String
        do {
            try adopt(line(#","refunded":400"#))
            told = "taken"
        } catch { told = "\(error)" }
        try folder.open(as: shop.owners.process("later")) { journal in
            let client = try shop.client(driver, owner: "later", over: journal)
            try shop.play {
                let payment = try await client.payment(PaymentID(try AttemptID("old-1")))
                #expect(
                    shop.ledger.refundedCents <= 1_000 || !payment.conflictingAttempts.isEmpty || told != "taken",
                    "given back \(shop.ledger.refundedCents) of 1000, the rest of the import: \(told); in the books \(payment.amounts.refunded), and nothing is raised"
                )
            }
        }
    }

    /// A refund at the dashboard fails; then a person says that our refund in doubt is that one.
    @Test(arguments: [false, true]) func personNamesAFailedRefund_isRefusedOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(Whole(driver))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowDeclined(.failedAfterApproval, ["refund": "dash-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_600)
                var refused = false
                do {
                    try await client.resolve(next, as: .executed(name: "dash-1", nil), by: "Ann", reason: "seen")
                } catch {
                    refused = true
                }
                try await shop.wait(seconds: 5)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(
                    refused || refunded.isZero || heard.has(.contradiction),
                    "dash-1 failed, given back 0.00, in the books \(refunded); heard \(heard.kinds)")
            }
        }
    }

    /// Two sales and a debit under one reference, one of them with blanks around it, at one moment.
    @Test(arguments: [false, true]) func twoDebitsAndASaleAtOnce_oneReference_chargeOnce(_ isSQLite: Bool) throws {
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
                let one = shop.beside { await a.sell() }
                let two = shop.beside { await b.sell(1_000, " order-1 ") }
                let three = shop.beside {
                    await Told {
                        try await b.chargeCardOnFile(
                            CardOnFileRequest(.cents(1_000), of: .init(rawValue: "card-1"), reference: "order-1"))
                    }
                }
                _ = await (one.value, two.value, three.value)
                #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges)")
            }
        }
    }

    /// Three tills capture the whole of one hold at once.
    @Test(arguments: [false, true]) func threeTillsCaptureAll_isCapturedOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: 5)
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["capture": "c-\(context.attempt)"])
                }
            }
            let tills = try ["A", "B", "C"].map { try shop.client(driver, owner: $0) }
            try shop.play { [sale] in
                _ = await tills[0].hold(attempt: sale)
                let work = tills.map { till in
                    shop.beside { await Told { try await till.capture(PaymentID(sale)) } }
                }
                for one in work { _ = await one.value }
                let captured = try await tills[0].amounts(of: sale).captured
                #expect(shop.ledger.chargedCents == 1_000 && captured == .cents(1_000), "\(shop.ledger.charges)")
            }
        }
    }

    /// A refund of 4.00 is in doubt; "everything that is left" is asked for, and a look shows that the 4.00 never moved.
    @Test(arguments: [false, true], [false, true]) func all_afterADoubtWasCleared_isAll(
        _ isSQLite: Bool, _ isCapture: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let (isLost, canTell) = (Switch(true), Switch(false))
            var driver = Fake(shop.ledger)
            driver.capabilities.captureRule = .single
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            driver.onLookup = { _, _ in canTell.isOn ? .notFound(seesBack: nil) : .cannotTell("Not now.") }
            let (refund, capture) = (driver.onRefund, driver.onCapture)
            driver.onRefund = { request, context in
                guard isLost.isOn else { return try await refund(request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
            }
            driver.onCapture = { request, context in
                guard isLost.isOn else { return try await capture(request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
            }
            let client = try shop.client(Whole(driver))
            try shop.play { [sale] in
                if isCapture { _ = await client.hold(attempt: sale) } else { _ = await client.sell(attempt: sale) }
                if isCapture { _ = await client.take(400, of: sale) } else { _ = await client.refund(400, of: sale) }
                try await shop.wait(seconds: 120)
                isLost.turn(false)
                canTell.turn(true)
                let told = await Told {
                    isCapture
                        ? try await client.capture(PaymentID(sale)) : try await client.refund(PaymentID(sale))
                }
                let moved = isCapture ? shop.ledger.chargedCents : shop.ledger.refundedCents
                #expect(
                    !told.isApproved || moved == 1_000,
                    "\(told): everything of 10.00 was asked for, moved \(moved)")
            }
        }
    }

    /// A statement shows the id of our sale in doubt in another currency: the import does not say that it was taken.
    @Test func importOfOurIDInAnotherCurrency_isNotSaidToBeTaken() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        let account = driver.identity
        let used = driver
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(used, over: journal)
            try shop.play { [sale] in _ = await client.sell(attempt: sale) }
        }
        let now = shop.stage.now + 3_600_000
        let line = """
            {"attempt":"sale-1","provider":"\(account.id)","adapter":"\(account.adapter)",\
            "environment":"\(account.environment)","merchant":"\(account.merchant)","reference":"order-1",\
            "minorUnits":1000,"currency":"USD","takenAt":\(now - 3_600_000),"references":{"payment":"p-sale-1"}}
            """
        let file = folder.file
        let told = try SchedulerJournal.wait { () -> String in
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
            let told: String
            do { told = "\(try await journal.adopt([line], at: Attempt.Instant(wall: now, uptime: 0)))" } catch {
                told = "refused"
            }
            await journal.close()
            return told
        }
        try folder.open(as: shop.owners.process("later")) { journal in
            let client = try shop.client(used, owner: "later", over: journal)
            try shop.play { [sale] in
                let standing = try await client.standing(of: sale)
                #expect(
                    told == "refused" || standing == .approved,
                    "new payments by the import: \(told); the sale is \(String(describing: standing))")
            }
        }
    }

    /// A refund that the backup lost is reported under our id after the journal was restored.
    @Test func restored_lostRefundIsReported_isCountedOnce() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        func over(_ body: @escaping @Sendable (PaymentClient) async throws -> Void) throws {
            try folder.open { journal in
                let client = try shop.client(driver, over: journal)
                try shop.play { try await body(client) }
            }
        }
        try over { [sale] in _ = await $0.sell(attempt: sale) }
        try folder.backUp()
        try over { [sale, next] in _ = await $0.refund(400, of: sale, attempt: next) }
        try folder.restore()
        try folder.acceptRestored()
        try over { [sale, next] client in
            shop.say(.attempt(next), [.refund], nowApproved(400, ["refund": "r-next-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let refunded = try await client.amounts(of: sale).refunded
            let again = await client.refund(400, of: sale)
            let rest = await client.refund(of: sale)
            #expect(refunded == .cents(400) && !again.isApproved, "\(refunded); \(again)")
            #expect(shop.ledger.refundedCents <= 1_000, "\(rest); \(shop.ledger.refunds)")
        }
    }
}
