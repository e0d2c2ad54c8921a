import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A journal in which one payment can't be read.
final class UnreadableJournal: JournalWrapper {
    let inner: any Journal
    private let damaged = Locked(AttemptID?.none)
    init(_ inner: any Journal) { self.inner = inner }
    func damage(_ attempt: AttemptID) { damaged.withLock { $0 = attempt } }
    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        if damaged.withLock({ $0 }) == id.attempt { throw .unreadable(id) }
        return try await inner.payment(id)
    }
}

/// Lists, what is left, and words that can't be taken back.
@Suite struct ThirdAttackMoreTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    /// A label comes again and again: its list holds every payment.
    @Test(arguments: [false, true]) func paymentsOfALabel_moreThanAPage_areAllTold(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play {
                let table = OrderReference("table 5", holdsFor: .seconds(600))
                for _ in 1...103 {
                    _ = await Told { try await client.sale(.cents(100), from: Cards.good(), reference: table) }
                    try await shop.wait(seconds: 660)
                }
                let told = try await client.payments(reference: "table 5")
                let cents = told.reduce(0) { $0 + $1.amounts.captured.minorUnits }
                #expect(cents == shop.ledger.chargedCents, "charged \(shop.ledger.chargedCents), listed \(cents)")
            }
        }
    }

    /// One of two payments under a reference can't be read: the list does not pass it over in silence.
    @Test(arguments: [false, true]) func paymentsOfAReference_oneUnreadable_isNamed(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let journal = UnreadableJournal(shop.journal)
            let client = try shop.client(Fake(shop.ledger), over: journal)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                journal.damage(sale)
                var listed: Int?
                do { listed = try await client.payments(reference: "order-1").count } catch {}
                #expect(listed != 0, "10.00 is charged under the reference, and the list says that there is none")
            }
        }
    }

    /// The same with the list of every payment.
    @Test(arguments: [false, true]) func everyPayment_oneUnreadable_isNamed(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let journal = UnreadableJournal(shop.journal)
            let client = try shop.client(Fake(shop.ledger), over: journal)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(500, "order-2", attempt: next)
                journal.damage(sale)
                var cents: Int64? = 0
                do {
                    for try await payment in client.allPayments() {
                        cents = cents.map { $0 + payment.amounts.captured.minorUnits }
                    }
                } catch { cents = nil }
                #expect(
                    cents == nil || cents == shop.ledger.chargedCents,
                    "charged \(shop.ledger.chargedCents), every payment: \(cents ?? 0)")
            }
        }
    }

    /// A person's no was typed for the wrong sale, and is taken back: the order is not sold again.
    @Test(arguments: [false, true]) func personsNo_canBeTakenBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isLost.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await Fake.charge(ledger, request, context)
            }
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                isLost.turn(false)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "the wrong line")
                var told = "taken back"
                do { try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "it was another") } catch {
                    told = (error as? PaymentError)?.debugDescription ?? "\(error)"
                }
                let again = await client.sell(attempt: next)
                #expect(!again.isApproved, "\(told); charged \(shop.ledger.charges)")
            }
        }
    }

    /// A person freed the wrong order, and takes that back.
    @Test(arguments: [false, true]) func freedReference_canBeTakenBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "the wrong order")
                var told = "taken back"
                do { try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "it was another") } catch {
                    told = (error as? PaymentError)?.debugDescription ?? "\(error)"
                }
                let again = await client.sell(attempt: next)
                #expect(!again.isApproved, "\(told); charged \(shop.ledger.charges)")
            }
        }
    }

    /// A person says that a sale was executed; the provider, which can't be asked, says that it was refused.
    @Test(arguments: [false, true]) func personsYes_thenTheProvidersNo_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "p-9", nil), by: "Ann", reason: "seen")
                shop.say(.attempt(sale), [.sale], nowDeclined())
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                #expect(
                    captured.isZero || heard.has(.contradiction),
                    "charged \(shop.ledger.chargedCents), in the books \(captured); heard \(heard.kinds)")
            }
        }
    }

    /// The provider lets a hold go while it is not known whether a part was captured.
    @Test(arguments: [false, true]) func voidToldWhileACaptureIsInDoubt_keepsTheReference(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount)
                    throw Lost()
                }
            }
            driver.onLookup = { inquiry, _ in
                canTell.isOn ? .found(nowApproved(600, ["capture": "c-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(Whole(driver))
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale, attempt: next)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(1_000, ["void": "rel-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                canTell.turn(true)
                _ = await client.outcome(of: next)
                let back = await client.refund(600, of: sale)
                #expect(!again.isApproved && back.isApproved, "\(again); \(back); \(shop.ledger.charges)")
            }
        }
    }

    /// A refund at the dashboard over an unknown amount: nothing is said to be refundable that can't be refunded.
    @Test(arguments: [false, true]) func dashboardRefundOfUnknownAmount_refundableSaysWhatTheJournalAllows(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund],
                    .pending(Pending(references: ["refund": "dash-1"], shouldPoll: false)), of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                let told = await client.refund(of: sale)
                #expect(
                    told.isApproved || amounts.refundable.isZero,
                    "refundable \(amounts.refundable), and refunded can nothing be: \(told)")
            }
        }
    }

    /// The provider reports an undone refund under the refund's own name, twice, with other amounts.
    @Test(arguments: [false, true]) func refundPartlyTakenBack_isNotTakenBackAsAWhole(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                var notice = ProviderNotice(
                    .attempt(next), nowDeclined(.failedAfterApproval, ["refund": "r-next-1"]),
                    at: shop.stage.now + 60_000,
                    kind: "NEWS")
                (notice.operations, notice.original, notice.amount) = ([.refund], "p-sale-1", .cents(100))
                shop.ledger.post(notice)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.refunded == .cents(300) || heard.has(.otherAmount) || heard.has(.contradiction),
                    "1.00 of 4.00 came back, in the books refunded \(amounts.refunded); heard \(heard.kinds)")
            }
        }
    }

    /// A dispute takes 10.00 and is won over 4.00 of it only.
    @Test(arguments: [false, true]) func disputeWonInPart_isNotTakenBackAsAWhole(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(600), as: "dis-1")
                shop.say(.reference("dis-1", [.refund]), [.refund], nowApproved(1_000, ["m": "dis-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                var notice = ProviderNotice(
                    .reference("dis-1", [.refund]), nowDeclined(.failedAfterApproval, ["m": "dis-1"]),
                    at: shop.stage.now,
                    kind: "NEWS")
                (notice.original, notice.amount) = ("p-sale-1", .cents(400))
                shop.ledger.post(notice)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000 || heard.has(.otherAmount) || heard.has(.contradiction),
                    "\(told); given back \(shop.ledger.refundedCents) of 1000; heard \(heard.kinds)")
            }
        }
    }

    /// A tip is given, and the provider voids the sale with its first amount.
    @Test(arguments: [false, true]) func voidOfTheSaleWithoutItsTip_isRaisedOrLeavesTheTip(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.tip(200, of: sale)
                shop.say(
                    .attempt(sale), [.sale],
                    .cancelled(Cancellation(cause: .provider, references: ["undo": "undo-9"], wasReversed: true)))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refundable.isZero, "undone as a whole, and refundable \(amounts.refundable)")
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                #expect(again.isApproved, "\(again)")
            }
        }
    }

    /// Three refunds at once, of which the second's reply is lost; all is asked for again.
    @Test(arguments: [false, true]) func refundsInARow_oneLost_thenAgain_addUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.refund(context.attempt, request.amount)
                    if isLost.isOn { throw Lost() }
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            driver.onLookup = { [ledger = shop.ledger] inquiry, _ in
                guard let refund = ledger.refunds.first(where: { $0.attempt == inquiry.attempt }) else {
                    return .notFound(seesBack: nil)
                }
                return .found(nowApproved(refund.cents, ["refund": refund.name]))
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let ids = try (1...3).map { try AttemptID("refund-\($0)") }
                for (number, id) in ids.enumerated() {
                    isLost.turn(number == 1)
                    _ = await client.refund(300, of: sale, for: "item \(number)", attempt: id)
                }
                isLost.turn(false)
                for (number, id) in ids.enumerated() {
                    _ = await client.refund(300, of: sale, for: "item \(number)", attempt: id)
                }
                _ = await client.refund(of: sale)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000 && amounts.refunded == .cents(1_000), "\(shop.ledger.refunds)")
            }
        }
    }
}
