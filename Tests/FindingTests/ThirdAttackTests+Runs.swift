import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Runs that another server took over, and what their owners write later.
@Suite struct ThirdAttackRunTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    /// A provider that answers server A late with a refusal, and server B at once.
    private func driver(_ shop: Shop, isSlow: Bool, late: Verdict) -> Whole {
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
        let ledger = shop.ledger
        driver.onRefund = { request, context in
            try await context.exchange(.money) { _ in
                if isSlow {
                    try await shop.wait(seconds: 600)
                    return late
                }
                ledger.refund(context.attempt, request.amount)
                return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
            }
        }
        driver.onCapture = { request, context in
            try await context.exchange(.money) { _ in
                if isSlow {
                    try await shop.wait(seconds: 600)
                    return late
                }
                ledger.charge(context.attempt, request.amount)
                return nowApproved(request.amount.minorUnits, ["capture": "c-\(context.attempt)"])
            }
        }
        driver.onLookup = { inquiry, _ in
            if let charge = ledger.charges(of: inquiry.attempt).first {
                return .found(nowApproved(charge.cents, ["capture": charge.name]))
            }
            if let refund = ledger.refunds.first(where: { $0.attempt == inquiry.attempt }) {
                return .found(nowApproved(refund.cents, ["refund": refund.name]))
            }
            return .notFound(seesBack: nil)
        }
        var whole = Whole(driver)
        whole.onVoid = { request, context in
            try await context.exchange(.money) { _ in
                if isSlow {
                    try await shop.wait(seconds: 600)
                    return late
                }
                return nowApproved(request.amount.minorUnits, ["void": "v-\(context.attempt)"])
            }
        }
        return whole
    }

    /// Server A is taken for dead while its refund waits; B makes it; then A's request is refused.
    @Test(arguments: [false, true]) func refusalOfTheFirstRun_leavesTheSecondRunsRefund(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let late = nowDeclined()
            let a = try shop.client(driver(shop, isSlow: true, late: late), owner: "A")
            let b = try shop.client(driver(shop, isSlow: false, late: late), owner: "B")
            let heard = Heard(a, shop.stage)
            try shop.play { [sale, next] in
                _ = await b.sell(attempt: sale)
                let first = shop.beside { await a.refund(400, of: sale, attempt: next) }
                try await shop.wait(seconds: 5)
                shop.owners.declareDead("A")
                _ = await b.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 60)
                let told = await b.refund(400, of: sale, attempt: next)
                let between = try await b.amounts(of: sale).refunded
                try #require(told.isApproved && between == .cents(400), "\(told) \(between)")
                try await shop.wait(seconds: 900)
                let other = await first.value
                let amounts = try await b.amounts(of: sale)
                #expect(
                    amounts.refunded == .cents(400),
                    "given back \(shop.ledger.refundedCents), in the books \(amounts.refunded); A: \(other); heard \(heard.kinds)"
                )
                _ = await b.refund(of: sale)
                #expect(shop.ledger.refundedCents == 1_000, "given back \(shop.ledger.refundedCents) of 1000")
            }
        }
    }

    /// The first request is refused while the second one is under way.
    @Test(arguments: [false, true]) func refusalOfTheFirstRun_beforeTheSecondsReply_leavesTheRefund(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let late = nowDeclined()
            let a = try shop.client(driver(shop, isSlow: true, late: late), owner: "A")
            var quick = driver(shop, isSlow: false, late: late)
            quick.base.onRefund = { request, context in
                try await context.exchange(.money) { _ in
                    shop.ledger.refund(context.attempt, request.amount)
                    try await shop.wait(seconds: 900)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            let b = try shop.client(quick, owner: "B")
            try shop.play { [sale, next] in
                _ = await b.sell(attempt: sale)
                let first = shop.beside { await a.refund(400, of: sale, attempt: next) }
                try await shop.wait(seconds: 5)
                shop.owners.declareDead("A")
                _ = await b.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 60)
                let second = shop.beside { await b.refund(400, of: sale, attempt: next) }
                try await shop.wait(seconds: 1_200)
                _ = await (first.value, second.value)
                let amounts = try await b.amounts(of: sale)
                #expect(
                    amounts.refunded.minorUnits == shop.ledger.refundedCents,
                    "given back \(shop.ledger.refundedCents), in the books \(amounts.refunded)")
            }
        }
    }

    /// The same with a capture: the hold is not captured a second time.
    @Test(arguments: [false, true]) func refusalOfTheFirstRun_leavesTheSecondRunsCapture(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let late = nowDeclined()
            let a = try shop.client(driver(shop, isSlow: true, late: late), owner: "A")
            let b = try shop.client(driver(shop, isSlow: false, late: late), owner: "B")
            try shop.play { [sale, next] in
                _ = await b.hold(attempt: sale)
                let first = shop.beside { await a.take(600, of: sale, attempt: next) }
                try await shop.wait(seconds: 5)
                shop.owners.declareDead("A")
                _ = await b.take(600, of: sale, attempt: next)
                try await shop.wait(seconds: 60)
                let told = await b.take(600, of: sale, attempt: next)
                try #require(told.isApproved, "\(told)")
                try await shop.wait(seconds: 900)
                _ = await first.value
                let amounts = try await b.amounts(of: sale)
                #expect(amounts.captured == .cents(600), "charged \(shop.ledger.chargedCents): \(amounts.captured)")
                let all = await b.take(1_000, of: sale)
                #expect(!all.isApproved, "charged \(shop.ledger.chargedCents) of a hold of 1000")
            }
        }
    }

    /// The same with a void: what is undone is not refunded as well.
    @Test(arguments: [false, true]) func refusalOfTheFirstRun_leavesTheSecondRunsVoid(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let late = nowDeclined()
            let a = try shop.client(driver(shop, isSlow: true, late: late), owner: "A")
            let b = try shop.client(driver(shop, isSlow: false, late: late), owner: "B")
            try shop.play { [sale, next] in
                _ = await b.sell(attempt: sale)
                let first = shop.beside { await a.undo(sale, attempt: next) }
                try await shop.wait(seconds: 5)
                shop.owners.declareDead("A")
                _ = await b.undo(sale, attempt: next)
                try await shop.wait(seconds: 60)
                let told = await b.undo(sale, attempt: next)
                try #require(told.isApproved, "\(told)")
                try await shop.wait(seconds: 900)
                _ = await first.value
                let amounts = try await b.amounts(of: sale)
                let back = await b.refund(of: sale)
                #expect(amounts.isVoided && !back.isApproved, "undone, and given back as well: \(back)")
            }
        }
    }

    /// The first run's request turns out to be accepted only; the second run's refund stays.
    @Test(arguments: [false, true]) func pendingOfTheFirstRun_isNotLost(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let late = Verdict.pending(Pending(references: ["refund": "r-late"], shouldPoll: false))
            let a = try shop.client(driver(shop, isSlow: true, late: late), owner: "A")
            let b = try shop.client(driver(shop, isSlow: false, late: late), owner: "B")
            let heard = Heard(a, shop.stage)
            try shop.play { [sale, next] in
                _ = await b.sell(attempt: sale)
                let first = shop.beside { await a.refund(400, of: sale, attempt: next) }
                try await shop.wait(seconds: 5)
                shop.owners.declareDead("A")
                _ = await b.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 60)
                let told = await b.refund(400, of: sale, attempt: next)
                try #require(told.isApproved, "\(told)")
                try await shop.wait(seconds: 900)
                _ = await first.value
                // The provider carries out A's request as well.
                shop.ledger.refund(next, .cents(400), as: "r-late")
                let back = await b.refund(600, of: sale)
                let amounts = try await b.amounts(of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000 || heard.has(.contradiction),
                    "\(back); given back \(shop.ledger.refundedCents) of 1000; in the books \(amounts.refunded), pending \(amounts.refundPending); heard \(heard.kinds)"
                )
            }
        }
    }

    /// Another till decides about a sale whose request is under way at a living one.
    @Test(arguments: [false, true]) func resolveFromAnotherTill_whileTheOwnerSends_isRefused(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var slow = Fake(shop.ledger)
            slow.onSale = { request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: 20)
                    shop.ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["payment": "p-\(context.attempt)"])
                }
            }
            let (a, b) = (try shop.client(slow, owner: "A"), try shop.client(slow, owner: "B"))
            try shop.play { [sale] in
                let first = shop.beside { await a.sell(attempt: sale) }
                try await shop.wait(seconds: 5)
                let said: [ManualResolution] = [
                    .notExecuted(), .executed(name: "p-x", nil), .withdrawn, .isTheSame(as: try AttemptID("other")),
                    .acknowledge(.reference),
                ]
                for one in said {
                    await #expect(throws: PaymentError.self) {
                        try await b.resolve(sale, as: one, by: "Ann", reason: "it hangs")
                    }
                }
                let told = await first.value
                let captured = try await b.amounts(of: sale).captured
                #expect(told.isApproved && captured == .cents(1_000), "\(told) \(captured)")
            }
        }
    }

    /// Two servers take one webhook, and two others the next about the same refund.
    @Test(arguments: [false, true]) func oneWebhookAtTwoServers_countsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (one, two) = (Fake(shop.ledger), Fake(shop.ledger))
            let (a, b) = (try shop.client(one, owner: "A"), try shop.client(two, owner: "B"))
            try shop.play { [sale] in
                _ = await a.sell(attempt: sale)
                let at = shop.stage.now
                for round in 1...2 {
                    for client in [a, b] {
                        shop.say(
                            .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]),
                            of: "p-sale-1", id: "m-\(round)", at: at)
                        let work = shop.beside { await client.takeWebhook() }
                        await work.value
                    }
                }
                let refunded = try await b.amounts(of: sale).refunded
                #expect(refunded == .cents(400), "\(refunded)")
            }
        }
    }

    /// An id that was absorbed by an import is used for another amount.
    @Test(arguments: [false, true]) func otherAmountUnderAnAbsorbedID_isAConflict(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let (client, account) = (try shop.client(driver), driver.identity)
            try shop.play { [sale] in
                try await shop.importOld("import-1", .cents(1_000), account)
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                let imported = try AttemptID("import-1")
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "the same")
                let other = await client.sell(5_000, "order-1", attempt: sale)
                #expect(!other.isApproved, "50.00 was asked for, 10.00 was paid, and it is reported as \(other)")
            }
        }
    }

    /// The last proof was asked for before the caller's second request went out.
    @Test(arguments: [false, true]) func refundAbsent_thenExecuted_thenAskedAgain_isGivenOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = driver(shop, isSlow: false, late: nowDeclined())
            let refund = driver.base.onRefund
            driver.base.onRefund = { request, context in
                guard isLost.isOn else { return try await refund(request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 120)
                let none = await client.outcome(of: next)
                isLost.turn(false)
                // The lost request is carried out after all, and told.
                shop.ledger.refund(next, .cents(400), as: "r-lost")
                shop.say(.attempt(next), [.refund], nowApproved(400, ["refund": "r-lost"]), of: "p-sale-1")
                await client.takeWebhook()
                let again = await client.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 5)
                #expect(
                    shop.ledger.refundedCents == 400 && again.isApproved, "\(none); \(again); \(shop.ledger.refunds)")
                #expect(heard.has(.contradiction), "\(heard.kinds)")
            }
        }
    }

    /// The office imports another payment under an id that a till has drawn and not used yet: the till's sale is not answered
    /// by that payment, and the till is sent to no other id either.
    @Test func saleUnderAnIDThatAnImportTook_isAConflict() throws {
        let shop = Shop()
        let driver = Fake(shop.ledger)
        let (client, account) = (try shop.client(driver), driver.identity)
        try shop.play {
            try await shop.importOld("sale-1", .cents(1_000), account)
            let told = await client.sell(1_000, "old-sale-1", attempt: try AttemptID("sale-1"))
            #expect(told.error?.code == .conflict && told.error?.retry == .never, "\(told)")
            #expect(told.error?.detail.contains("before a person has compared both") == true, "\(told)")
            #expect(shop.ledger.chargedCents == 0)
        }
    }
}

extension Shop {
    /// Imports a payment of another program's, taken a day ago.
    func importOld(_ attempt: String, _ amount: Money, _ account: ProviderIdentity) async throws {
        let id = try AttemptID(attempt)
        let name = "p-old-\(attempt)"
        var movement = ImportedMovement(
            Begin(.init(id, .sale, amount, reference: "old-\(attempt)"), account),
            .approved(Approval(amount, references: ["payment": name])), saidAt: stage.now)
        movement.names = [name]
        (movement.paidAt, movement.terms) = (stage.now - 86_400_000, LookupTerms(quietPeriod: 60_000))
        _ = try await journal.write(
            JournalEntry(.report(id, .imported(movement))), WriteID(attempt),
            at: Attempt.Instant(wall: stage.now, uptime: 0))
    }
}
