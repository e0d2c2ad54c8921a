import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// How the older run's charge ended that turned up late.
enum LateCharge: String, CaseIterable, Sendable { case stands, weRefundIt, providerVoidsIt, providerReversesIt }

/// One attempt that ran at `a` and then at `b`, which lost the reply: what becomes known of the older run says nothing of the
/// newer one.
@Suite struct FifthAttackDoubtTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// Two tills whose providers both lose the reply; `a` says that it has nothing, `b` has charged and can't tell yet.
    private func tills(_ shop: Shop, _ canTell: Switch) throws -> (a: PaymentClient, b: PaymentClient) {
        var a = Fake(shop.ledger, name: "a")
        a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
        a.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        a.onLookup = { _, _ in .notFound(seesBack: nil) }
        var b = Fake(shop.ledger, name: "b")
        b.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
        b.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount, as: "p-b-\(context.attempt)")
                throw Lost()
            }
        }
        b.onLookup = { inquiry, _ in
            canTell.isOn
                ? .found(nowApproved(1_000, ["payment": "p-b-\(inquiry.attempt)"])) : .cannotTell("Not now.")
        }
        return (
            try shop.client(a, b, owner: "one", routing: Routing(active: "a")),
            try shop.client(a, b, owner: "two", routing: Routing(active: "b"))
        )
    }

    /// `b`'s charge is found although `a`'s turned up before, or the attempt stays open; and the order is not sold again.
    @Test(arguments: [false, true], LateCharge.allCases) func doubtOfTheNewestRun_isNotHiddenByAnOlderRunsCharge(
        _ isSQLite: Bool, _ ending: LateCharge
    ) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let (a, b) = try tills(shop, canTell)
            let heard = Heard(b, shop.stage)
            try shop.play { [sale, next] in
                _ = await a.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                let none = await a.outcome(of: sale)
                let lost = await b.sell(attempt: sale)
                try #require(none.saysNothingMoved && lost.saysUnknown, "\(none); \(lost)")
                // What `a` had not executed was executed late.
                shop.ledger.charge(sale, .cents(1_000), as: "p-a")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
                await b.takeWebhook(from: "a")
                try await shop.wait(seconds: 60)
                switch ending {
                case .stands: break
                case .weRefundIt: _ = await b.refund(1_000, of: sale)
                case .providerVoidsIt:
                    shop.ledger.refund(sale, .cents(1_000), as: "v-a")
                    shop.say(.reference("v-a", [.void]), [.void], nowApproved(1_000, ["void": "v-a"]), of: "p-a")
                    await b.takeWebhook(from: "a")
                case .providerReversesIt:
                    shop.ledger.refund(sale, .cents(1_000), as: "v-a")
                    shop.say(
                        .attempt(sale), [.sale],
                        .cancelled(
                            Cancellation(cause: .provider, references: ["payment": "p-a"], wasReversed: true)))
                    await b.takeWebhook(from: "a")
                }
                try await shop.wait(seconds: 60)
                let again = await b.sell(attempt: next)
                canTell.turn(true)
                try await shop.recover(b, seconds: 86_400)
                let amounts = try await b.amounts(of: sale)
                let state = try await b.standing(of: sale)
                // What `a` reversed is in no sum any more.
                let all = Money.cents(ending == .providerReversesIt ? 1_000 : 2_000)
                let isThere = [.inDoubt, .running, .pending].contains(state) || amounts.authorized == all
                #expect(
                    isThere,
                    "b charged 10.00 and shows it; state \(String(describing: state)), authorized \(amounts.authorized); heard \(heard.kinds)"
                )
                #expect(
                    again.saysNothingMoved && !shop.ledger.charges.contains { $0.attempt == next },
                    "sold again: \(again); charged \(shop.ledger.charges.map(\.name)), given back \(shop.ledger.refunds.map(\.name))"
                )
            }
        }
    }

    /// The same with a refund: a person says by mistake that the first run gave nothing back, the second run loses its reply,
    /// and the first one's message comes.
    @Test(arguments: [false, true]) func doubtOfARefundsNewestRun_isNotHiddenByAnOlderRunsRefund(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let count = Locked(0)
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    let number = count.withLock {
                        $0 += 1; return $0
                    }
                    if number <= 2 {
                        ledger.refund(context.attempt, request.amount, as: "r-\(number)")
                        throw Lost()
                    }
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            driver.onLookup = { _, _ in
                canTell.isOn ? .found(nowApproved(400, ["refund": "r-2"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let refund = try AttemptID("refund-1")
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: refund)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(refund, as: .notExecuted(), by: "Ann", reason: "not in the list")
                let lost = await client.refund(400, of: sale, attempt: refund)
                try #require(lost.saysUnknown, "\(lost)")
                shop.say(.attempt(refund), [.refund], nowApproved(400, ["refund": "r-1"]))
                await client.takeWebhook()
                let shown = try await client.payment(PaymentID(sale))
                let sums = shown.amounts
                #expect(sums.inDoubt == .cents(400) && sums.refundable == .cents(200), "\(sums)")
                #expect(shown.openAttempts.map(\.intent.attempt) == [refund])
                try await shop.wait(seconds: 60)
                let other = await client.refund(600, of: sale, for: "item 2")
                canTell.turn(true)
                try await shop.recover(client, seconds: 86_400)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(other): charged 10.00, given back \(shop.ledger.refunds.map(\.name)); in the books \(amounts.refunded); heard \(heard.kinds)"
                )
            }
        }
    }

    /// A person says by mistake that the first run charged nothing, the second one loses its reply, and the message about the
    /// first charge comes: the second charge is found, or a person learns that it is not known.
    @Test(arguments: [false, true]) func doubtOfASalesNewestRun_atOneAccount_isFoundOrRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let count = Locked(0)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    let number = count.withLock {
                        $0 += 1; return $0
                    }
                    ledger.charge(context.attempt, request.amount, as: "p-\(number)")
                    throw Lost()
                }
            }
            driver.onLookup = { _, _ in
                canTell.isOn ? .found(nowApproved(1_000, ["payment": "p-2"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list")
                let lost = await client.sell(attempt: sale)
                try #require(lost.saysUnknown, "\(lost)")
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-1"]))
                await client.takeWebhook()
                canTell.turn(true)
                try await shop.recover(client, seconds: 86_400)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured == .cents(2_000) || heard.has(.contradiction) || heard.has(.disputed),
                    "charged \(shop.ledger.charges.map(\.name)); in the books \(amounts.captured); heard \(heard.kinds)"
                )
            }
        }
    }

    /// `a` says that the older run is pending after all; `b`'s charge is refunded: the order is not sold again in between.
    @Test(arguments: [false, true]) func olderRunPending_afterTheNewestIsRefunded_keepsTheOrder(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            let b = Fake(shop.ledger, name: "b")
            let one = try shop.client(a, b, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(a, b, owner: "two", routing: Routing(active: "b"))
            let heard = Heard(two, shop.stage)
            try shop.play { [sale, next] in
                _ = await one.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                _ = await one.outcome(of: sale)
                let sold = await two.sell(attempt: sale)
                try #require(sold.isApproved, "\(sold)")
                shop.say(.attempt(sale), [.sale], .pending(Pending(references: ["payment": "p-a"], shouldPoll: false)))
                await two.takeWebhook(from: "a")
                let refund = await two.refund(1_000, of: sale)
                try await shop.wait(seconds: 60)
                let again = await two.sell(attempt: next)
                #expect(
                    !again.isApproved,
                    "refund \(refund), sold again \(again), while a's is pending; heard \(heard.kinds)")
            }
        }
    }

    /// The newest run is only accepted by `b` when the older run's charge turns up at `a` and is refunded: the order waits for
    /// `b`.
    @Test(arguments: [false, true]) func newestRunPending_whenTheOldersChargeIsRefunded_keepsTheOrder(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            var b = Fake(shop.ledger, name: "b")
            b.onSale = { _, context in
                try await context.exchange(.money) { _ in
                    .pending(Pending(references: ["payment": "p-b-\(context.attempt)"], shouldPoll: false))
                }
            }
            b.onLookup = { _, _ in .cannotTell("Not now.") }
            let one = try shop.client(a, b, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(a, b, owner: "two", routing: Routing(active: "b"))
            let heard = Heard(two, shop.stage)
            try shop.play { [sale, next] in
                _ = await one.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                _ = await one.outcome(of: sale)
                let pending = await two.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
                await two.takeWebhook(from: "a")
                let refund = await two.refund(1_000, of: sale)
                try await shop.wait(seconds: 60)
                let again = await two.sell(attempt: next)
                var isBegun = false
                if case .result(.pending) = again { isBegun = true }
                #expect(
                    again.saysNothingMoved && !isBegun,
                    "\(pending), refund \(refund), sold again \(again) while b's first is pending; heard \(heard.kinds)"
                )
            }
        }
    }
}
