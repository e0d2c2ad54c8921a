import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A till's clock: the stage's, set off by what a person or a time server did to it.
struct SetClock: PaymentClock {
    let stage: TestScheduler
    private let off = Locked(Int64(0))

    init(_ stage: TestScheduler) { self.stage = stage }

    var now: Int64 { stage.now + off.withLock { $0 } }
    var uptime: Int64 { stage.now }
    func sleep(until instant: Int64) async throws { try await stage.sleep(until: instant - off.withLock { $0 }) }

    /// Sets the time of day that much ahead of the right one.
    func set(aheadBy milliseconds: Int64) { off.withLock { $0 = milliseconds } }
}

extension Shop {
    /// A client whose time of day can be set.
    func client(
        _ drivers: any PaymentDriver..., by clock: any PaymentClock, owner: String = "till",
        over journal: (any Journal)? = nil
    ) throws -> PaymentClient {
        var given = ClientOptions(journal: ProcessJournal(journal ?? self.journal, owners.process(owner)))
        let seed = owner.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        (given.clock, given.random, given.executor) = (clock, SeededRandom(seed: seed), stage)
        return try PaymentClient(drivers: drivers, routing: Routing(active: drivers[0].identity.id), given)
    }
}

extension PaymentClient {
    /// Gives money to a card of the customer's, for a payment.
    func giveUnlinked(_ cents: Int64, for payment: AttemptID, _ reference: String, attempt: AttemptID? = nil) async
        -> Told
    {
        await Told {
            var request = UnlinkedRefundRequest(.cents(cents), to: try Cards.good(), reference: reference)
            request.payment = PaymentID(payment)
            return try await refundUnlinked(request, attempt: attempt)
        }
    }
}

/// Payments of which one account took the money and another gives it back, and clocks that are set.
@Suite struct FifthAttackAccountTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// `a` took 10.00, the merchant switched to `b`, and `b` gave 10.00 to the customer's card for that payment.
    private func switched(
        _ shop: Shop, giving cents: Int64 = 1_000
    ) async throws -> (PaymentClient, Heard) {
        let (a, b) = (Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"))
        let before = try shop.client(a, b, owner: "before", routing: Routing(active: "a"))
        let after = try shop.client(a, b, owner: "after", routing: Routing(active: "b"))
        let heard = Heard(after, shop.stage)
        let sold = await before.sell(attempt: sale)
        let given = await after.giveUnlinked(cents, for: sale, "return-1")
        try #require(sold.isApproved && given.isApproved, "\(sold); \(given)")
        return (after, heard)
    }

    /// What the other account refunded counts against what is left of the payment: it is not refunded once more.
    @Test(arguments: [false, true]) func unlinkedRefundAtAnotherAccount_thenARefund_isGivenOnce(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            try shop.play { [sale] in
                let (client, heard) = try await switched(shop)
                let told = await client.refund(1_000, of: sale, for: "return-1 again")
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(told): charged \(shop.ledger.chargedCents), given back \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// The same in two parts: 4.00 by the other account, then the whole 10.00 by the first.
    @Test(arguments: [false, true]) func refund_afterPartialRefundAtOtherAccount_neverExceedsSale(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            try shop.play { [sale] in
                let (client, heard) = try await switched(shop, giving: 400)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(told): charged \(shop.ledger.chargedCents), given back \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// The other account gives no more than was taken, however many reasons the clerk has.
    @Test(arguments: [false, true]) func unlinkedRefundsAtAnotherAccount_giveNoMoreThanWasTaken(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            try shop.play { [sale] in
                let (client, heard) = try await switched(shop)
                let told = await client.giveUnlinked(1_000, for: sale, "return-2")
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(told): charged \(shop.ledger.chargedCents), given back \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// One refund at the other account, and all is right: nothing is raised, and the order may be paid again.
    @Test(arguments: [false, true]) func unlinkedRefundAtAnotherAccount_raisesNothing_andFreesTheOrder(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            try shop.play { [next] in
                let (client, heard) = try await switched(shop)
                try await shop.wait(seconds: 5)
                let again = await client.sell(attempt: next)
                #expect(!heard.has(.contradiction), "10.00 taken, 10.00 given back; heard \(heard.kinds)")
                #expect(again.isApproved, "the payment was given back in full: \(again)")
            }
        }
    }

    /// The same at one account: it counts there.
    @Test(arguments: [false, true]) func unlinkedRefundAtTheSameAccount_countsAgainstThePayment(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let given = await client.giveUnlinked(600, for: sale, "return-1")
                let told = await client.refund(1_000, of: sale)
                let other = await client.giveUnlinked(500, for: sale, "return-2")
                let rest = await client.refund(of: sale)
                #expect(given.isApproved && !told.isApproved && !other.isApproved && rest.isApproved)
                #expect(shop.ledger.refundedCents == 1_000, "\(shop.ledger.refunds)")
            }
        }
    }

    // MARK: - Clocks

    /// The clock runs ten days ahead: the hold is taken for over, the order is sold again. The clock is set right, and the
    /// hold is captured: the order is charged once, or that is raised.
    @Test(arguments: [false, true]) func clockSetForward_holdTakenForOver_isNotChargedBesideTheNextSale(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.holdLifetime = 7 * 86_400_000
            let clock = SetClock(shop.stage)
            let client = try shop.client(driver, by: clock)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                clock.set(aheadBy: 10 * 86_400_000)
                let again = await client.sell(attempt: next)
                clock.set(aheadBy: 0)
                try await shop.wait(seconds: 60)
                let captured = await client.take(1_000, of: sale)
                try await shop.wait(seconds: 5)
                #expect(
                    shop.ledger.chargedCents <= 1_000 || heard.has(.activeTwice) || heard.has(.contradiction),
                    "sold again: \(again), captured: \(captured); charged \(shop.ledger.charges), heard \(heard.kinds)")
            }
        }
    }

    /// A label is kept for 20 minutes. The clock jumps an hour ahead within the minute: the same bill, typed again, is not
    /// charged again.
    @Test(arguments: [false, true]) func clockSetForward_labelIsKeptForItsTime(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let clock = SetClock(shop.stage)
            let client = try shop.client(Fake(shop.ledger), by: clock)
            try shop.play {
                let table = OrderReference("table 5", holdsFor: .seconds(1_200))
                let first = await Told {
                    try await client.sale(.cents(1_000), from: Cards.good(), reference: table)
                }
                try await shop.wait(seconds: 30)
                clock.set(aheadBy: 3_600_000)
                let again = await Told {
                    try await client.sale(.cents(1_000), from: Cards.good(), reference: table)
                }
                #expect(
                    shop.ledger.chargedCents <= 1_000,
                    "\(first), half a minute later \(again): charged \(shop.ledger.charges)")
            }
        }
    }
}
