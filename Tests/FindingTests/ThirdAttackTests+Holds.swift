import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A journal of which one row can't be read when what is open is listed.
final class HidingJournal: JournalWrapper {
    let inner: any Journal
    private let hidden = Locked(AttemptID?.none)
    init(_ inner: any Journal) { self.inner = inner }
    func hide(_ attempt: AttemptID) { hidden.withLock { $0 = attempt } }
    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        var page = try await inner.attempts(query, after: cursor, limit: limit)
        guard case .open = query, let id = hidden.withLock({ $0 }) else { return page }
        let gone = page.attempts.filter { $0.intent.attempt == id }
        page.attempts.removeAll { $0.intent.attempt == id }
        page.unreadable += gone.map(\.intent.paymentID)
        return page
    }
}

/// Holds that end, captures that the till does not know of yet, and what keeps a reference.
@Suite struct ThirdAttackHoldTests {
    private let hold: AttemptID
    private let next: AttemptID
    private let capture: AttemptID

    init() throws {
        (hold, next, capture) = (try AttemptID("hold-1"), try AttemptID("sale-2"), try AttemptID("cap-1"))
    }

    /// A provider that captures and whose reply is lost, or that only accepts.
    private func lost(_ shop: Shop, _ canTell: Switch, isPending: Bool = false) -> Fake {
        var driver = Fake(shop.ledger)
        driver.onCapture = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                if isPending {
                    return .pending(Pending(references: ["capture": "c-\(context.attempt)"], shouldPoll: false))
                }
                throw Lost()
            }
        }
        driver.onLookup = { [ledger = shop.ledger] inquiry, _ in
            guard canTell.isOn, let charge = ledger.charges(of: inquiry.attempt).first else {
                return .cannotTell("Not now.")
            }
            return .found(nowApproved(charge.cents, ["capture": "c-\(inquiry.attempt)"]))
        }
        return driver
    }

    /// The end of a hold is reported while it is not known whether a part was captured: the order is not sold again.
    @Test(arguments: [false, true], [false, true]) func expiryWhileACaptureIsOpen_keepsTheReference(
        _ isSQLite: Bool, _ isPending: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(lost(shop, Switch(false), isPending: isPending)))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next, capture] in
                _ = await client.hold(attempt: hold)
                let told = await client.take(600, of: hold, attempt: capture)
                shop.say(
                    .attempt(hold), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let again = await client.sell(attempt: next)
                #expect(
                    !again.isApproved,
                    "capture: \(told); charged \(shop.ledger.charges) for one order; heard \(heard.kinds)")
            }
        }
    }

    /// The same; the capture turns out to be executed and can be refunded.
    @Test(arguments: [false, true], [false, true]) func expiryWhileACaptureIsOpen_canBeRefundedLater(
        _ isSQLite: Bool, _ isPending: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            let client = try shop.client(Whole(lost(shop, canTell, isPending: isPending)))
            try shop.play { [hold, capture] in
                _ = await client.hold(attempt: hold)
                _ = await client.take(600, of: hold, attempt: capture)
                shop.say(
                    .attempt(hold), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-hold-1")
                await client.takeWebhook()
                canTell.turn(true)
                try await shop.wait(seconds: 60)
                let found = await client.outcome(of: capture)
                let status = await client.outcome(of: hold)
                let amounts = try await client.amounts(of: hold)
                let back = await client.refund(600, of: hold)
                #expect(found.isApproved && amounts.captured == .cents(600), "\(found); \(amounts.captured)")
                #expect(!status.saysNothingMoved, "the status of a payment of which 6.00 is charged: \(status)")
                #expect(back.isApproved, "6.00 is charged and can't be given back: \(back)")
            }
        }
    }

    /// A hold ends, and the provider captures it all the same: what is charged keeps the reference, and can be refunded.
    @Test(arguments: [false, true]) func endedHoldCapturedByTheProvider_isNotSoldAgain(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                shop.say(
                    .attempt(hold), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-hold-1")
                await client.takeWebhook()
                shop.ledger.charge(hold, .cents(1_000), as: "cap-1")
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "cap-1"]),
                    of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let again = await client.sell(attempt: next)
                #expect(
                    !again.isApproved,
                    "in the books \(amounts.captured), and the order is charged again: \(shop.ledger.charges); heard \(heard.kinds)"
                )
            }
        }
    }

    @Test(arguments: [false, true]) func endedHoldCapturedByTheProvider_canBeRefunded(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [hold] in
                _ = await client.hold(attempt: hold)
                shop.say(
                    .attempt(hold), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-hold-1")
                await client.takeWebhook()
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "cap-1"]),
                    of: "p-hold-1")
                await client.takeWebhook()
                let back = await client.refund(1_000, of: hold)
                #expect(back.isApproved, "10.00 is charged and can't be given back: \(back)")
            }
        }
    }

    /// A hold of seven days is set again on the sixth, which the provider keeps for seven more; on the eighth it is captured.
    @Test(arguments: [false, true]) func holdRenewedBeforeItsEnd_keepsTheReference(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.holdLifetime = 7 * 86_400_000
            let client = try shop.client(Whole(driver))
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                try await shop.wait(seconds: 6 * 86_400)
                let renewed = await client.holdAnew(1_500, of: hold)
                try await shop.wait(seconds: 2 * 86_400)
                let again = await client.sell(attempt: next)
                // What the provider does with the hold that it still has.
                shop.ledger.charge(hold, .cents(1_500), as: "cap-1")
                #expect(renewed.isApproved && !again.isApproved, "charged for one order: \(shop.ledger.charges)")
            }
        }
    }

    /// A hold at one provider that keeps it for ever, beside a run at another one that keeps holds for a day.
    @Test(arguments: [false, true]) func holdOfTheFirstProvider_endsByItsOwnLifetime(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            var (holdsA, b) = (Whole(a), Fake(shop.ledger, name: "b"))
            b.capabilities.holdLifetime = 86_400_000
            holdsA.onAuthorize = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            var holdsB = Whole(b)
            holdsB.onAuthorize = { _, context in try await context.exchange(.money) { _ in nowDeclined() } }
            let one = try shop.client(holdsA, holdsB, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(holdsA, holdsB, owner: "two", routing: Routing(active: "b"))
            try shop.play { [hold, next] in
                _ = await one.hold(attempt: hold)
                try await shop.wait(seconds: 120)
                _ = await one.outcome(of: hold)
                let declined = await two.hold(attempt: hold)
                shop.say(.attempt(hold), [.authorize], nowApproved(1_000, ["payment": "p-a"]))
                await two.takeWebhook(from: "a")
                let standing = try await two.standing(of: hold)
                try #require(
                    declined.isDeclined && standing == .approved, "\(declined) \(String(describing: standing))")
                try await two.resolve(hold, as: .acknowledge(.contradiction), by: "Ann", reason: "it is held at a")
                try await shop.wait(seconds: 2 * 86_400)
                let again = await two.sell(attempt: next)
                #expect(!again.isApproved, "10.00 is held at a for ever, and the order is sold: \(again)")
            }
        }
    }

    /// A refund of a sale in doubt is reported: then the sale was made, whatever a list doesn't show.
    @Test(arguments: [false, true]) func refundToldOfASaleInDoubt_absenceProvesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            driver.onSale = { [ledger = shop.ledger] in
                try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-\($1.attempt)"])
            }
            driver.onLookup = { _, _ in .notFound(seesBack: nil) }
            let client = try shop.client(Whole(driver))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold] in
                _ = await client.sell(attempt: hold)
                shop.ledger.refund(hold, .cents(400), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 120)
                let told = await client.outcome(of: hold)
                try await shop.wait(seconds: 5)
                #expect(
                    !told.saysNothingMoved || heard.has(.contradiction),
                    "charged \(shop.ledger.chargedCents), told: \(told); heard \(heard.kinds)")
            }
        }
    }

    /// A capture of a hold in doubt is reported: then the hold was made.
    @Test(arguments: [false, true]) func captureToldOfAHoldInDoubt_absenceProvesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            driver.onLookup = { _, _ in .notFound(seesBack: nil) }
            var whole = Whole(driver)
            whole.onAuthorize = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(whole)
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                shop.ledger.charge(hold, .cents(1_000), as: "cap-1")
                shop.say(.attempt(hold), [.capture], nowApproved(1_000, ["capture": "cap-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 120)
                let told = await client.outcome(of: hold)
                let again = await client.sell(attempt: next)
                #expect(
                    !told.saysNothingMoved, "charged \(shop.ledger.chargedCents): \(told); heard \(heard.kinds)")
                #expect(!again.isApproved, "charged for one order: \(shop.ledger.charges)")
            }
        }
    }

    /// The row of a sale in doubt without a reference can't be read; it is typed again.
    @Test(arguments: [false, true]) func unnamedSaleInDoubt_whoseRowIsUnreadable_isHeldBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isLost.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await Fake.charge(ledger, request, context)
            }
            let hiding = HidingJournal(shop.journal)
            let client = try shop.client(driver, over: hiding)
            try shop.play { [hold] in
                _ = await client.sellUnnamed(attempt: hold)
                isLost.turn(false)
                hiding.hide(hold)
                let again = await client.sellUnnamed()
                #expect(shop.ledger.charges.count == 1, "charged twice: \(again)")
            }
        }
    }

    /// A person frees the reference of a sale that was refused; the same id sells later, and keeps its reference.
    @Test(arguments: [false, true]) func freedReferenceOfARefusedSale_thatSellsLater_isKept(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isUp = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                guard isUp.isOn else {
                    return try await context.exchange(.money) { _ -> Verdict in
                        throw Refused(.invalidRequest, .refused)
                    }
                }
                return try await Fake.charge(ledger, request, context)
            }
            let client = try shop.client(driver)
            try shop.play { [hold, next] in
                _ = await client.sell(attempt: hold)
                let standing = try await client.standing(of: hold)
                try #require(standing == .notExecuted)
                _ = try? await client.resolve(hold, as: .acknowledge(.reference), by: "Ann", reason: "it failed")
                isUp.turn(true)
                let told = await client.sell(attempt: hold)
                let second = await client.sell(attempt: next)
                #expect(told.isApproved && !second.isApproved, "\(told); charged \(shop.ledger.charges)")
            }
        }
    }

    /// Table 5 is paid and lapses, a second guest pays, and a part of the first payment is refunded: nothing is raised.
    @Test(arguments: [false, true]) func labelPaidAgain_thenARefundOfTheFirst_doesNotBlockTheLabelLonger(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold] in
                let table = OrderReference("table 5", holdsFor: .seconds(1_200))
                func pay(_ id: AttemptID?) async -> Told {
                    await Told {
                        try await client.sale(.cents(1_000), from: Cards.good(), reference: table, attempt: id)
                    }
                }
                _ = await pay(hold)
                try await shop.wait(seconds: 1_260)
                let second = await pay(nil)
                try await shop.wait(seconds: 1_140)
                _ = await client.refund(200, of: hold)
                try await shop.wait(seconds: 120)
                let third = await pay(nil)
                #expect(second.isApproved && third.isApproved, "\(third); heard \(heard.kinds)")
                #expect(!heard.has(.activeTwice), "\(heard.kinds)")
            }
        }
    }
}
