import AdyenProvider
import Foundation
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Attacks that the rules withstood.
@Suite struct HeldAttackTests {
    private let shop = Shop()
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    private func post(
        _ subject: ProviderNotice.Subject, _ operations: Set<PaymentOperation>, _ verdict: Verdict?,
        of original: String? = nil, id: String? = nil, at: Int64? = nil, timeless: Bool = false
    ) {
        var notice = ProviderNotice(subject, verdict, at: timeless ? nil : at ?? shop.stage.now, kind: "NEWS")
        (notice.operations, notice.original, notice.id) = (operations, original, id)
        shop.ledger.post(notice)
    }

    @Test func twoTillsOneReference_isChargedOnce() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(seconds: 5)
                shop.ledger.charge(context.attempt, request.amount)
                return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
            }
        }
        let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
        try shop.play { [shop] in
            let one = shop.beside { await a.sell() }
            let two = shop.beside { await b.sell() }
            _ = (await one.value, await two.value)
            #expect(shop.ledger.charges.count == 1)
        }
    }

    @Test func declineAfterAnApprovingMessage_isReportedAsApproved() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount)
                shop.ledger.post(
                    ProviderNotice(
                        .attempt(context.attempt), nowApproved(1_000, ["payment": "p-1"]), at: shop.stage.now, kind: "A"
                    ))
                await open.withLock { $0 }?.takeWebhook()
                return nowDeclined(.insufficientFunds)
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale)
            try await shop.wait(seconds: 5)
            #expect(told.isApproved && heard.has(.contradiction), "\(told) \(heard.kinds)")
        }
    }

    @Test func approvalTwiceByTwoMessages_isCountedOnce() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            for id in ["m-1", "m-2"] {
                post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: id)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
            }
            let found = try await client.amounts(of: sale).captured
            #expect(found == .cents(1_000))
        }
    }

    @Test func otherCurrencyInTheReply_isUnknownAndRaised() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in
                .approved(Approval(Money(minorUnits: 1_000, .usd), references: ["payment": "p-1"]))
            }
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale)
            try await shop.wait(seconds: 5)
            #expect(told.saysUnknown && heard.has(.otherAmount), "\(told) \(heard.kinds)")
        }
    }

    @Test func twoSalesGetOneName_secondIsDisputed() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in nowApproved(1_000, ["payment": "p-1"]) }
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            let told = await client.sell(1_000, "order-2", attempt: try AttemptID("sale-2"))
            try await shop.wait(seconds: 5)
            #expect(told.saysUnknown && heard.has(.disputed), "\(told) \(heard.kinds)")
        }
    }

    @Test func referenceInOtherUnicodeFormAndBlanks_isOne() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop] in
            _ = await client.sell(1_000, "caf\u{e9} 5")
            _ = await client.sell(1_000, " cafe\u{301} 5\u{a0}")
            #expect(shop.ledger.charges.count == 1)
        }
    }

    @Test func wholeAfterAPart_isRefused() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop] in
            let parts: [OrderReference] = [
                OrderReference("order-1", part: "1 of 2"), OrderReference("order-1"),
                OrderReference("order-1", part: " 1  OF 2"),
            ]
            for part in parts {
                _ = await Told { try await client.sale(.cents(500), from: Cards.good(), reference: part) }
            }
            #expect(shop.ledger.charges.count == 1)
        }
    }

    @Test func killedWhileSending_statusBeforeTheQuietTime_isUnknown() throws {
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 60_000)
        driver.onLookup = { _, _ in .notFound(seesBack: nil) }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in
                _ = await Promise<Bool>().value()
                throw Lost()
            }
        }
        let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
        try shop.play { [shop, sale] in
            _ = shop.beside { await a.sell(attempt: sale) }
            try await shop.wait(seconds: 5)
            shop.owners.declareDead("A")
            let told = await b.outcome(of: sale)
            #expect(!told.saysNothingMoved, "\(told)")
            try await shop.wait(seconds: 120)
            let later = await b.outcome(of: sale)
            #expect(later.saysNothingMoved, "\(later)")
            // The message comes all the same.
            shop.ledger.charge(sale, .cents(1_000))
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
            await b.takeWebhook()
            #expect(await b.outcome(of: sale).isApproved)
        }
    }

    @Test func ourRefundsMessageBeforeItsReply_isCountedOnce() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onRefund = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.refund(context.attempt, request.amount, as: "psp-1")
                shop.ledger.post(shop.notice("psp-1", .refund, nowApproved(400, ["refund": "psp-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(400, ["refund": "psp-1"])
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            let found = try await client.amounts(of: sale).refunded
            #expect(found == .cents(shop.ledger.refundedCents))
        }
    }

    @Test func twoTillsRefundAll_isGivenOnce() throws {
        let (a, b) = (try shop.client(Fake(shop.ledger), owner: "A"), try shop.client(Fake(shop.ledger), owner: "B"))
        try shop.play { [shop, sale] in
            _ = await a.sell(attempt: sale)
            let one = shop.beside { await a.refund(700, of: sale, for: "item 1") }
            let two = shop.beside { await b.refund(700, of: sale, for: "item 2") }
            _ = (await one.value, await two.value)
            #expect(shop.ledger.refundedCents == 700)
        }
    }

    @Test func finishOfLostCommits_thenCrash_isNotChargedAgain() throws {
        let losing = FinishlessJournal(shop.journal)
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        let (a, b) = (try shop.client(driver, owner: "A", over: losing), try shop.client(driver, owner: "B"))
        try shop.play { [shop, sale] in
            losing.fail(.writeUnconfirmed("the connection was lost"))
            #expect(await a.sell(attempt: sale).isApproved)
            shop.owners.declareDead("A")
            let same = await b.sell(attempt: sale)
            let other = await b.sell(attempt: try AttemptID("sale-2"))
            #expect(same.saysUnknown && !other.isApproved && shop.ledger.charges.count == 1, "\(same) \(other)")
        }
    }

    @Test func holdThatLapsed_capturedByTheProvider_isCountedAndRaised() throws {
        var driver = Fake(shop.ledger)
        driver.capabilities.holdLifetime = 7 * 86_400_000
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            try await shop.wait(seconds: 8 * 86_400)
            _ = await client.sell(attempt: try AttemptID("sale-2"))
            shop.ledger.charge(sale, .cents(1_000), as: "auto-1")
            post(
                .reference("auto-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "auto-1"]), of: "p-sale-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 5)
            let found = try await client.amounts(of: sale).captured
            #expect(found == .cents(1_000))
            #expect(heard.has(.contradiction), "\(heard.kinds)")
        }
    }

    /// The caller leaves while the opening is being written; nothing may be sent.
    @Test func callerLeavesBeforeTheOpening_nothingIsSent() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await shop.wait(seconds: 20)
            return try await Fake.charge(shop.ledger, request, context)
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale, withinSeconds: 10)
            try await shop.wait(seconds: 60)
            #expect(told.saysNothingMoved == shop.ledger.charges.isEmpty, "\(told) \(shop.ledger.charges)")
        }
    }

    /// A person withdraws a statement after a dashboard refund came.
    @Test func personsExecuted_withdrawn_afterADashboardRefund_isRefused() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            try await shop.wait(seconds: 300)
            try await client.resolve(sale, as: .executed(name: "p-sale-1", nil), reason: "seen")
            post(.reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
            await client.takeWebhook()
            await #expect(throws: PaymentError.self) { try await client.resolve(sale, as: .withdrawn, reason: "wrong") }
            let found = try await client.amounts(of: sale).refunded
            #expect(found == .cents(400))
        }
    }

    /// Our void of a sale is approved, and the provider reports it again as "undone" of the sale and as a refund.
    @Test func ourVoid_toldAgainInOtherWords_isCountedOnce() throws {
        let client = try shop.client(FullFake(Fake(shop.ledger)))
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            let told = await Told { try await client.void(PaymentID(sale), attempt: try AttemptID("void-1")) }
            #expect(told.isApproved, "\(told)")
            post(.attempt(sale), [.sale], .cancelled(Cancellation(cause: .provider, wasReversed: true)))
            post(.reference("v-void-1", [.refund]), [.refund], nowApproved(1_000, ["void": "v-void-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.captured.isZero && amounts.refunded.isZero && amounts.isVoided, "\(amounts)")
        }
    }

    /// A void is in doubt; the same order must not be sold again, and no refund goes out.
    @Test func voidInDoubt_blocksRefundAndSale() throws {
        var driver = FullFake(Fake(shop.ledger))
        driver.base.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onVoid = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            let told = await Told { try await client.void(PaymentID(sale)) }
            #expect(told.saysUnknown, "\(told)")
            _ = await client.refund(of: sale)
            _ = await client.sell(attempt: try AttemptID("sale-2"))
            #expect(shop.ledger.refundedCents == 0 && shop.ledger.charges.count == 1)
        }
    }

    /// A tip is raised twice, the second reply is lost and found.
    @Test func tipsAreTotals() throws {
        let client = try shop.client(FullFake(Fake(shop.ledger)))
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            for cents: Int64 in [100, 250] {
                _ = await Told { try await client.adjustTip(PaymentID(sale), to: .cents(cents)) }
            }
            let found = try await client.amounts(of: sale).captured
            #expect(found == .cents(1_250))
        }
    }

    /// A void of a partly captured hold, whose reply says the whole amount as it was asked for.
    @Test func voidOfPartlyCapturedHold_leavesWhatWasCaptured() throws {
        let client = try shop.client(FullFake.releasingTheRest(Fake(shop.ledger)))
        try shop.play { [sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            _ = await Told { try await client.capture(PaymentID(sale), of: .cents(600)) }
            let told = await Told { try await client.void(PaymentID(sale)) }
            let amounts = try await client.amounts(of: sale)
            #expect(
                amounts.captured == .cents(600), "\(told); captured \(amounts.captured), voided \(amounts.isVoided)")
        }
    }
}

/// Many orders of the same things.
@Suite struct OrderAttackTests {
    private let shop = Shop()
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    private func post(
        _ subject: ProviderNotice.Subject, _ operations: Set<PaymentOperation>, _ verdict: Verdict?,
        of original: String? = nil, id: String? = nil, at: Int64? = nil, timeless: Bool = false
    ) {
        var notice = ProviderNotice(subject, verdict, at: timeless ? nil : at ?? shop.stage.now, kind: "NEWS")
        (notice.operations, notice.original, notice.id) = (operations, original, id)
        shop.ledger.post(notice)
    }

    private static func pick(_ random: inout UInt64, _ count: UInt64) -> Int64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64((random >> 33) % count)
    }

    /// Three tills, one order, lost replies, callers that leave, a process that dies: one charge, and no lie.
    @Test func threeTillsOneOrder_inAnyOrder_chargeOnceAndTellTheTruth() throws {
        for seed in UInt64(1)...200 {
            let shop = Shop(stage: TestScheduler(seed: seed))
            var random = seed
            let (loses, late) = (Self.pick(&random, 3) == 0, 1 + Self.pick(&random, 9))
            var driver = Fake(shop.ledger)
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 4_000, quiet: 20_000)
            driver.onLookup = { inquiry, _ in
                shop.ledger.shown(inquiry.attempt).map(LookupResult.found) ?? .notFound(seesBack: nil)
            }
            driver.onSale = { request, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: late / 2)
                    shop.ledger.charge(context.attempt, request.amount)
                    try await shop.wait(seconds: late / 2)
                    if loses { throw Lost() }
                    return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
                }
            }
            let tills = try ["A", "B", "C"].map { try shop.client(driver, owner: $0) }
            let ids = try ["s-1", "s-2", "s-3"].map { try AttemptID($0) }
            let limits = (0..<3).map { _ in 1 + Self.pick(&random, 10) }
            let gaps = (0..<3).map { _ in Self.pick(&random, 6) }
            try shop.play {
                var calls: [Task<Told, Never>] = []
                for index in 0..<3 {
                    try await shop.wait(seconds: gaps[index])
                    calls.append(
                        shop.beside {
                            await tills[index].sell(1_000, "order-1", attempt: ids[index], withinSeconds: limits[index])
                        })
                }
                var all: [Told] = []
                for call in calls { all.append(await call.value) }
                try await shop.wait(seconds: 60)
                for till in tills { _ = try? await till.recover() }
                #expect(shop.ledger.charges.count <= 1, "seed \(seed): \(all) \(shop.ledger.charges)")
                for (told, id) in zip(all, ids) where told.saysNothingMoved {
                    #expect(shop.ledger.charges(of: id).isEmpty, "seed \(seed): \(told)")
                }
                for id in ids where !shop.ledger.charges(of: id).isEmpty {
                    let state = try await tills[0].standing(of: id)
                    #expect(state == .approved, "seed \(seed): \(String(describing: state))")
                }
            }
        }
    }

    /// Our refund and the dashboard's of the same amount, replies lost or late, messages in any order: the books agree.
    @Test func ourRefundAndTheDashboards_inAnyOrder_areCountedRight() throws {
        for seed in UInt64(1)...200 {
            let shop = Shop(stage: TestScheduler(seed: seed))
            var random = seed
            let (loses, isPending) = (Self.pick(&random, 2) == 0, Self.pick(&random, 2) == 0)
            let (reply, ours, dash, failure) = (
                Self.pick(&random, 20), Self.pick(&random, 40), Self.pick(&random, 40), Self.pick(&random, 80)
            )
            let fails = Self.pick(&random, 3)  // 0: ours, 1: the dashboard's, 2: none
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onRefund = { _, context in
                try await context.exchange(.money) { _ in
                    try await shop.wait(seconds: reply)
                    if loses { throw Lost() }
                    if isPending { return .pending(Pending(references: ["refund": "r-1"], shouldPoll: false)) }
                    return nowApproved(400, ["refund": "r-1"])
                }
            }
            let client = try shop.client(driver)
            let (sale, refund) = (sale, refund)
            try shop.play {
                _ = await client.sell(attempt: sale)
                let start = shop.stage.now
                let call = shop.beside { await client.refund(400, of: sale, attempt: refund) }
                @Sendable func post(_ subject: ProviderNotice.Subject, _ verdict: Verdict, after: Int64, at: Int64)
                    -> Task<Void, Never>
                {
                    shop.beside {
                        try? await shop.wait(seconds: after)
                        var notice = ProviderNotice(subject, verdict, at: start + at * 1_000, kind: "R")
                        (notice.original, notice.operations) = ("p-sale-1", [.refund])
                        shop.ledger.post(notice)
                        _ = try? await client.receiveWebhook([], from: "p")
                    }
                }
                var posts = [
                    post(.attempt(refund), nowApproved(400, ["refund": "r-1"]), after: ours, at: 1),
                    post(.reference("dash-1", [.refund]), nowApproved(400, ["refund": "dash-1"]), after: dash, at: 2),
                ]
                if fails == 0 {
                    posts.append(
                        post(
                            .attempt(refund), nowDeclined(.failedAfterApproval, ["refund": "r-1"]), after: failure,
                            at: 30))
                }
                if fails == 1 {
                    posts.append(
                        post(
                            .reference("dash-1", [.refund]), nowDeclined(.failedAfterApproval, ["refund": "dash-1"]),
                            after: failure, at: 30))
                }
                for post in posts { await post.value }
                _ = await call.value
                try await shop.wait(seconds: 100)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(
                    refunded == .cents(fails == 2 ? 800 : 400),
                    "seed \(seed): \(refunded), fails \(fails), loses \(loses), pending \(isPending)")
            }
        }
    }
}
