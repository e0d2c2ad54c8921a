import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Two tills, of which the first one's provider `a` loses the reply and the second one's provider `b` answers.
struct Fourth {
    let shop: Shop
    let first: PaymentClient
    let second: PaymentClient
    let id: AttemptID

    init(_ shop: Shop, lifetimeAtB: Int64? = nil) throws {
        var a = Fake(shop.ledger, name: "a")
        a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
        a.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        a.onLookup = { _, _ in .notFound(seesBack: nil) }
        var b = Fake(shop.ledger, name: "b")
        b.capabilities.holdLifetime = lifetimeAtB
        var wholeA = Whole(a)
        wholeA.onAuthorize = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let wholeB = Whole(b)
        first = try shop.client(wholeA, wholeB, owner: "one", routing: Routing(active: "a"))
        second = try shop.client(wholeA, wholeB, owner: "two", routing: Routing(active: "b"))
        (self.shop, id) = (shop, try AttemptID("sale-1"))
    }

    /// Only `b` is known to have executed it, as `p-sale-1`.
    func executeAtB(isHold: Bool = false) async throws {
        _ = isHold ? await first.hold(attempt: id) : await first.sell(attempt: id)
        try await shop.wait(seconds: 120)
        let none = await first.outcome(of: id)
        let told = isHold ? await second.hold(attempt: id) : await second.sell(attempt: id)
        try #require(none.saysNothingMoved && told.isApproved, "\(none); \(told)")
    }

    /// Both executed it, `a` as `p-a`, and a person has seen that.
    func executeTwice(isHold: Bool = false) async throws {
        try await executeAtB(isHold: isHold)
        shop.say(.attempt(id), [isHold ? .authorize : .sale], nowApproved(1_000, ["payment": "p-a"]))
        await second.takeWebhook(from: "a")
        let authorized = try await second.amounts(of: id).authorized
        try #require(authorized == .cents(2_000), "\(authorized)")
        try await second.resolve(id, as: .acknowledge(.contradiction), by: "Ann", reason: "two")
        try await shop.wait(seconds: 60)
    }
}

extension Told {
    /// The accounts of which the call has to name one.
    var accounts: [String] { error?.accounts.map(\.id.rawValue) ?? [] }

    /// Which provider executed it; nil if none did.
    var provider: String? {
        guard case .result(.approved(let payment)) = self else { return nil }
        return payment.provider.id.rawValue
    }
}

extension Heard {
    func count(_ kind: PaymentEvent.Kind) -> Int { kinds.count { $0 == kind } }
}

/// Payments that two accounts executed: what happens at the one is not the other's.
@Suite struct FourthAttackAccountTests {
    private let next: AttemptID

    init() throws { next = try AttemptID("sale-2") }

    /// Our void undid the charge at `b`, and `b` says under the sale's name that it was undone, or that it failed: `a`'s charge
    /// stands.
    @Test(arguments: [false, true], [false, true]) func voidAtOneAccount_thenItsSaleEnds_leavesTheOthersCharge(
        _ isSQLite: Bool, _ isUndone: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play { [next] in
                try await tills.executeTwice()
                let void = await tills.second.undo(tills.id, at: "b")
                try await shop.wait(seconds: 60)
                try #require(void.isApproved, "\(void)")
                let before = heard.count(.contradiction)
                shop.say(
                    .attempt(tills.id), [.sale],
                    isUndone
                        ? .cancelled(
                            Cancellation(cause: .provider, references: ["payment": "p-sale-1"], wasReversed: true))
                        : nowDeclined(.failedAfterApproval, ["payment": "p-sale-1"]))
                await tills.second.takeWebhook(from: "b")
                try await shop.wait(seconds: 5)
                let amounts = try await tills.second.amounts(of: tills.id)
                let raised = heard.count(.contradiction) - before
                let again = await tills.second.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(1_000) && !amounts.isVoided,
                    "10.00 stands at a; captured \(amounts.captured), voided \(amounts.isVoided), raised \(raised)")
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges); raised \(raised)")
            }
        }
    }

    /// Both charged: what names no account of the payment goes to none of them, and what names one goes there.
    @Test(arguments: [false, true], ["a", "b"]) func refundOfAPaymentAtTwoAccounts_goesToTheNamedOneAlone(
        _ isSQLite: Bool, _ account: String
    ) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play {
                try await tills.executeTwice()
                let unnamed = [
                    await tills.second.refund(400, of: tills.id), await tills.second.refund(of: tills.id),
                    await tills.second.undo(tills.id), await tills.second.tip(100, of: tills.id),
                    await tills.second.refund(400, of: tills.id, at: "c"),
                ]
                for told in unnamed {
                    #expect(told.saysNothingMoved && Set(told.accounts) == ["a", "b"], "\(told)")
                }
                #expect(shop.ledger.refundedCents == 0, "\(shop.ledger.refunds)")
                let part = await tills.second.refund(400, of: tills.id, at: account)
                let rest = await tills.second.refund(of: tills.id, at: account)
                #expect(part.provider == account && rest.provider == account, "\(part); \(rest)")
                #expect(shop.ledger.refundedCents == 1_000, "\(shop.ledger.refunds)")
                // Only the other one has money now: it need not be named.
                let last = await tills.second.refund(of: tills.id)
                #expect(last.provider != nil && last.provider != account, "\(last)")
                #expect(shop.ledger.refundedCents == 2_000, "\(shop.ledger.refunds)")
            }
        }
    }

    /// Both hold money: neither is captured or adjusted by chance.
    @Test(arguments: [false, true]) func captureOfAHoldAtTwoAccounts_namingNone_isRefused(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play {
                try await tills.executeTwice(isHold: true)
                for told in [
                    await tills.second.take(400, of: tills.id), await tills.second.holdAnew(900, of: tills.id),
                ] {
                    #expect(told.saysNothingMoved && Set(told.accounts) == ["a", "b"], "\(told)")
                }
                let taken = await tills.second.take(1_000, of: tills.id, at: "a")
                #expect(taken.provider == "a", "\(taken)")
                // What `a` held is captured: the next one goes to `b`.
                let other = await tills.second.take(900, of: tills.id)
                #expect(other.provider == "b", "\(other)")
            }
        }
    }

    /// `a` undoes the charge of which it lost the reply, before anything says that it was made: `b`'s charge stands.
    @Test(arguments: [false, true]) func voidOfTheLostCharge_leavesTheOthersCharge(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play { [next] in
                try await tills.executeAtB()
                shop.say(.attempt(tills.id), [.void], nowApproved(1_000, ["void": "v-a"]))
                await tills.second.takeWebhook(from: "a")
                try await shop.wait(seconds: 5)
                let amounts = try await tills.second.amounts(of: tills.id)
                let again = await tills.second.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(1_000) && !amounts.isVoided,
                    "10.00 stands at b; captured \(amounts.captured), voided \(amounts.isVoided); heard \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges); heard \(heard.kinds)")
            }
        }
    }

    /// The same, refunded: what `b` took is not refunded.
    @Test(arguments: [false, true]) func refundOfTheLostCharge_leavesTheOthersCharge(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play { [next] in
                try await tills.executeAtB()
                shop.ledger.refund(tills.id, .cents(1_000), as: "dash-a")
                shop.say(.attempt(tills.id), [.refund], nowApproved(1_000, ["refund": "dash-a"]))
                await tills.second.takeWebhook(from: "a")
                try await shop.wait(seconds: 5)
                let again = await tills.second.sell(attempt: next)
                #expect(
                    !again.isApproved || heard.has(.contradiction) || heard.has(.disputed),
                    "\(again): charged \(shop.ledger.charges), given back \(shop.ledger.refunds); heard \(heard.kinds)")
            }
        }
    }

    /// 10.00 is refunded at `b`, which then takes its sale back: it refunded more than it took.
    @Test(arguments: [false, true]) func saleTakenBackAtOneAccount_afterItsRefund_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play { [next] in
                try await tills.executeTwice()
                let told = await tills.second.refund(1_000, of: tills.id, at: "b")
                try #require(told.isApproved, "\(told)")
                try await shop.wait(seconds: 60)
                let before = heard.count(.contradiction)
                shop.say(
                    .attempt(tills.id), [.sale], nowDeclined(.failedAfterApproval, ["payment": "p-sale-1"]))
                await tills.second.takeWebhook(from: "b")
                try await shop.wait(seconds: 5)
                let raised = heard.count(.contradiction) - before
                let again = await tills.second.sell(attempt: next)
                #expect(raised > 0, "b took 0.00 and gave back 10.00, and nothing is raised; sold again: \(again)")
            }
        }
    }

    /// 10.00 of 10.00 is refunded at `b`, and then 5.00 more at its dashboard.
    @Test(arguments: [false, true]) func moreRefundedAtOneAccountThanItTook_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play {
                try await tills.executeTwice()
                let told = await tills.second.refund(1_000, of: tills.id, at: "b")
                try #require(told.isApproved, "\(told)")
                let before = heard.count(.contradiction)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(500, ["refund": "dash-1"]), of: "p-sale-1")
                await tills.second.takeWebhook(from: "b")
                try await shop.wait(seconds: 5)
                let amounts = try await tills.second.amounts(of: tills.id)
                #expect(
                    heard.count(.contradiction) > before,
                    "b took 10.00 and gave back 15.00; in the books \(amounts.refunded) of \(amounts.captured)")
            }
        }
    }

    /// Both hold 10.00, and one is voided: 10.00 is left.
    @Test(arguments: [false, true]) func holdAtTwoAccounts_voidedAtOne_theOthersIsLeft(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play {
                try await tills.executeTwice(isHold: true)
                let void = await tills.second.undo(tills.id, at: "b")
                let amounts = try await tills.second.amounts(of: tills.id)
                let all = await Told { try await tills.second.capture(PaymentID(tills.id)) }
                #expect(
                    void.isApproved && amounts.capturable == .cents(1_000),
                    "\(void); 10.00 is held, capturable \(amounts.capturable)")
                #expect(all.isApproved, "everything that is held: \(all)")
            }
        }
    }

    /// Both are voided: nothing is held, and the order may be sold again.
    @Test(arguments: [false, true]) func holdAtTwoAccounts_voidedAtBoth_isOver(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play { [next] in
                try await tills.executeTwice(isHold: true)
                let one = await tills.second.undo(tills.id, at: "b")
                let two = await tills.second.undo(tills.id)
                let amounts = try await tills.second.amounts(of: tills.id)
                let again = await tills.second.sell(attempt: next)
                try #require(one.isApproved && two.isApproved, "\(one); \(two)")
                #expect(
                    amounts.capturable.isZero && amounts.isVoided,
                    "nothing is held, capturable \(amounts.capturable), voided \(amounts.isVoided)")
                #expect(again.isApproved, "\(again)")
            }
        }
    }

    /// Both charges are voided, one after the other: nothing of a sale can be captured, and all is voided.
    @Test(arguments: [false, true]) func saleAtTwoAccounts_voidedAtBoth_isVoided(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play {
                try await tills.executeTwice()
                let one = await tills.second.undo(tills.id, at: "b")
                let between = try await tills.second.amounts(of: tills.id)
                let two = await tills.second.undo(tills.id)
                let amounts = try await tills.second.amounts(of: tills.id)
                try #require(one.isApproved && two.isApproved, "\(one); \(two)")
                #expect(between.capturable.isZero, "a sale was voided at one account; capturable \(between.capturable)")
                #expect(
                    amounts.captured.isZero && amounts.isVoided && amounts.capturable.isZero,
                    "captured \(amounts.captured), voided \(amounts.isVoided), capturable \(amounts.capturable)")
            }
        }
    }

    /// 6.00 is captured at `b`; the hold at `a` ends: 4.00 is left at `b`.
    @Test(arguments: [false, true]) func holdEndsAtOneAccount_afterACaptureAtTheOther_leavesItsRest(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            try shop.play {
                try await tills.executeTwice(isHold: true)
                let taken = await tills.second.take(600, of: tills.id, at: "b")
                try #require(taken.isApproved, "\(taken)")
                shop.say(.attempt(tills.id), [.authorize], nowDeclined(.failedAfterApproval, ["payment": "p-a"]))
                await tills.second.takeWebhook(from: "a")
                try await shop.wait(seconds: 5)
                let amounts = try await tills.second.amounts(of: tills.id)
                let rest = await tills.second.take(400, of: tills.id)
                #expect(
                    amounts.capturable == .cents(400),
                    "4.00 is held at b, capturable \(amounts.capturable), released \(amounts.released)")
                #expect(rest.isApproved, "4.00 is held at b: \(rest)")
            }
        }
    }

    /// `b` keeps holds for a day, `a` for ever: the order is not sold while `a` holds 10.00 for it.
    @Test(arguments: [false, true]) func holdAtTwoAccounts_oneLapses_keepsTheReference(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop, lifetimeAtB: 86_400_000)
            try shop.play { [next] in
                try await tills.executeTwice(isHold: true)
                try await shop.wait(seconds: 2 * 86_400)
                let again = await tills.second.sell(attempt: next)
                #expect(!again.isApproved, "a holds 10.00 for the order for ever, and it is sold: \(again)")
            }
        }
    }

    /// The hold at one account is voided, and the one at the other captured: nothing is wrong with that.
    @Test(arguments: [false, true]) func captureAtOneAccount_afterAVoidAtTheOther_isNotRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let tills = try Fourth(shop)
            let heard = Heard(tills.second, shop.stage)
            try shop.play {
                try await tills.executeTwice(isHold: true)
                let void = await tills.second.undo(tills.id, at: "b")
                let before = heard.count(.contradiction)
                let taken = await tills.second.take(1_000, of: tills.id)
                try await shop.wait(seconds: 5)
                try #require(void.isApproved && taken.isApproved, "\(void); \(taken)")
                #expect(heard.count(.contradiction) == before, "\(heard.kinds)")
            }
        }
    }

    /// `a` held it, ended the hold, and captured all the same; the newest run was at `b`, which refused.
    @Test(arguments: [false, true]) func endedHoldAtTheFirstAccount_capturedThere_canBeRefunded(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            var (holdsA, holdsB) = (Whole(a), Whole(Fake(shop.ledger, name: "b")))
            holdsA.onAuthorize = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            holdsB.onAuthorize = { _, context in try await context.exchange(.money) { _ in nowDeclined() } }
            let one = try shop.client(holdsA, holdsB, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(holdsA, holdsB, owner: "two", routing: Routing(active: "b"))
            try shop.play { [next] in
                _ = await one.hold(attempt: next)
                try await shop.wait(seconds: 120)
                _ = await one.outcome(of: next)
                let declined = await two.hold(attempt: next)
                shop.say(.attempt(next), [.authorize], nowApproved(1_000, ["payment": "p-a"]))
                await two.takeWebhook(from: "a")
                let standing = try await two.standing(of: next)
                try #require(declined.isDeclined && standing == .approved, "\(declined)")
                try await shop.wait(seconds: 60)
                shop.say(.attempt(next), [.authorize], nowDeclined(.failedAfterApproval, ["payment": "p-a"]))
                await two.takeWebhook(from: "a")
                try await shop.wait(seconds: 60)
                shop.ledger.charge(next, .cents(1_000), as: "cap-1")
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "cap-1"]), of: "p-a")
                await two.takeWebhook(from: "a")
                let amounts = try await two.amounts(of: next)
                try #require(amounts.captured == .cents(1_000), "\(amounts.captured)")
                let back = await two.refund(1_000, of: next)
                #expect(back.isApproved, "10.00 is charged at a, refundable \(amounts.refundable): \(back)")
            }
        }
    }
}
