import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A shop over the journal in memory or over SQLite.
enum Second {
    static func over(_ isSQLite: Bool, _ body: (Shop) throws -> Void) throws {
        var shop = Shop()
        guard isSQLite else { return try body(shop) }
        try JournalFolder().open(as: shop.owners.process("shop")) { journal in
            shop.journal = journal
            try body(shop)
        }
    }
}

extension Shop {
    /// Puts news of the provider into the next webhook.
    func say(
        _ subject: ProviderNotice.Subject, _ operations: Set<PaymentOperation>, _ verdict: Verdict?,
        of original: String? = nil, id: String? = nil, at: Int64? = nil
    ) {
        var notice = ProviderNotice(subject, verdict, at: at ?? stage.now, kind: "NEWS")
        (notice.operations, notice.original, notice.id) = (operations, original, id)
        ledger.post(notice)
    }
}

extension PaymentClient {
    func hold(_ cents: Int64 = 1_000, _ reference: String = "order-1", attempt: AttemptID) async -> Told {
        await Told {
            try await authorize(.cents(cents), from: Cards.good(), reference: reference, attempt: attempt)
        }
    }

    func take(
        _ cents: Int64, of payment: AttemptID, at account: String? = nil, attempt: AttemptID? = nil
    ) async -> Told {
        await Told { try await capture(PaymentID(payment), of: .cents(cents), account: account, attempt: attempt) }
    }

    func undo(_ payment: AttemptID, at account: String? = nil, attempt: AttemptID? = nil) async -> Told {
        await Told { try await void(PaymentID(payment), account: account, attempt: attempt) }
    }

    /// How many of a payment's attempts are open.
    func openCount(of payment: AttemptID) async throws -> Int {
        try await self.payment(PaymentID(payment)).openAttempts.count
    }
}

/// Voids, releases and expiries beside captures and refunds.
@Suite struct SecondAttackVoidTests {
    private let hold: AttemptID
    private let next: AttemptID

    init() throws { (hold, next) = (try AttemptID("hold-1"), try AttemptID("hold-2")) }

    /// The provider lets go 3.00 of a hold of 10.00.
    @Test(arguments: [false, true]) func partialVoidOfAHoldByTheProvider_leavesTheRestHeld(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake(Fake(shop.ledger)))
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-hold-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: hold)
                let again = await client.hold(attempt: next)
                #expect(
                    amounts.capturable == .cents(700) && !amounts.isVoided,
                    "held \(amounts.authorized), capturable \(amounts.capturable), voided \(amounts.isVoided)")
                #expect(!again.isApproved, "the order is held a second time: \(again)")
            }
        }
    }

    /// 6.00 of 10.00 is captured, we void the rest, and the provider reports that it let the rest go under a name of its own.
    @Test(arguments: [false, true]) func secondReleaseOfThePartlyCapturedHold_leavesWhatWasCaptured(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake.releasingTheRest(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                _ = await client.take(600, of: hold)
                let void = await client.undo(hold)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(400, ["void": "rel-1"]), of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let again = await client.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(600) && !amounts.isVoided,
                    "\(void); captured \(amounts.captured), voided \(amounts.isVoided); heard \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// The journal can't be read for a moment when the rest of a partly captured hold is voided.
    @Test(arguments: [false, true]) func voidOfThePartlyCapturedHold_whoseReadFails_endsAsThatError(
        _ isGiven: Bool
    ) throws {
        let shop = Shop()
        let journal = ReadlessJournal(shop.journal)
        let client = try shop.client(FullFake.releasingTheRest(Fake(shop.ledger)), over: journal)
        let void = try AttemptID("void-1")
        try shop.play { [hold] in
            _ = await client.hold(attempt: hold)
            _ = await client.take(600, of: hold)
            journal.failReads(1)
            let told = await client.undo(hold, attempt: isGiven ? void : nil)
            #expect(told.error?.code == .journal && told.saysNothingMoved == !isGiven, "\(told)")
            let count = try await client.payment(PaymentID(hold)).attempts.count
            #expect(count == 2)
            let again = await client.undo(hold, attempt: void)
            let asked = try await client.attempt(void)?.intent.amount
            #expect(again.isApproved && asked == .cents(400), "\(again); \(String(describing: asked))")
        }
    }

    /// The provider releases the rest after one capture, and reports that in a message.
    @Test(arguments: [false, true]) func releaseAfterTheLastCapture_leavesWhatWasCaptured(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.captureRule = .single
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                let told = await client.take(600, of: hold)
                #expect(told.isApproved)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(400, ["void": "rel-1"]), of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let refund = await client.refund(600, of: hold)
                let again = await client.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(600) && !amounts.isVoided,
                    "captured \(amounts.captured), voided \(amounts.isVoided); heard \(heard.kinds); refund: \(refund)")
                #expect(!again.isApproved || refund.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// 6.00 of 10.00 is captured, and the rest of the hold expires.
    @Test(arguments: [false, true]) func expiryOfThePartlyCapturedHold_leavesWhatWasCaptured(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.hold(attempt: hold)
                _ = await client.take(600, of: hold)
                shop.say(
                    .attempt(hold), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-hold-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let again = await client.sell(attempt: next)
                let refund = await client.refund(600, of: hold)
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges); heard \(heard.kinds)")
                #expect(
                    refund.isApproved, "captured \(amounts.captured), refundable \(amounts.refundable): \(refund)")
            }
        }
    }

    /// Our capture is executed and in doubt, and a person takes back 4.00 of it by what is a void or a refund.
    @Test(arguments: [false, true]) func reversalWhileOurCaptureIsInDoubt_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount, as: "c-1")
                    throw Lost()
                }
            }
            driver.onLookup = { inquiry, _ in
                canTell.isOn && inquiry.attempt.text == "cap-1"
                    ? .found(nowApproved(1_000, ["capture": "c-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [hold] in
                let capture = try AttemptID("cap-1")
                _ = await client.hold(attempt: hold)
                _ = await client.take(1_000, of: hold, attempt: capture)
                shop.ledger.refund(hold, .cents(400), as: "rev-1")
                shop.say(
                    .reference("rev-1", [.void, .refund]), [.void, .refund], nowApproved(400, ["refund": "rev-1"]),
                    of: "p-hold-1")
                await client.takeWebhook()
                canTell.turn(true)
                _ = await client.outcome(of: capture)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let net = amounts.captured.minorUnits - amounts.refunded.minorUnits
                let isRaised = [.contradiction, .disputed].contains { heard.has($0) }
                let isOpen = try await client.openCount(of: hold) > 0
                #expect(
                    net == 600 || isRaised || isOpen,
                    "captured \(amounts.captured), refunded \(amounts.refunded), refundable \(amounts.refundable)")
            }
        }
    }

    /// Our void takes back a part and says so.
    @Test(arguments: [false, true]) func ourVoidThatTookBackAPart_leavesTheRest(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = FullFake(Fake(shop.ledger))
            driver.onVoid = { _, context in
                try await context.exchange(.money) { _ in
                    var part = Approval(.cents(400), references: ["void": "v-1"])
                    part.isPartial = true
                    return .approved(part)
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [hold, next] in
                _ = await client.sell(attempt: hold)
                let told = await client.undo(hold)
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: hold)
                let again = await client.sell(attempt: next)
                #expect(
                    amounts.captured == .cents(600),
                    "\(told); captured \(amounts.captured), voided \(amounts.isVoided); heard \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// 9.00 of 10.00 is captured; the void of the rest answers with what it let go.
    @Test(arguments: [false, true]) func voidOfTheRest_thatAnswersWithTheRest_isApproved(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = FullFake.releasingTheRest(Fake(shop.ledger))
            driver.onVoid = { _, context in
                try await context.exchange(.money) { _ in nowApproved(100, ["void": "v-1"]) }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [hold] in
                _ = await client.hold(attempt: hold)
                _ = await client.take(900, of: hold)
                let told = await client.undo(hold)
                let isOpen = try await client.openCount(of: hold)
                let refund = await client.refund(100, of: hold)
                #expect(told.isApproved, "\(told); \(isOpen) open; heard \(heard.kinds)")
                #expect(refund.isApproved, "a refund after it: \(refund)")
            }
        }
    }

    /// A part of a sale was refunded by us; the provider undoes the sale as a whole.
    @Test func voidOfTheWholeAfterOurRefund_isRaisedOrAddsUp() throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger))
        let heard = Heard(client, shop.stage)
        try shop.play { [hold] in
            _ = await client.sell(attempt: hold)
            _ = await client.refund(400, of: hold)
            shop.say(.reference("void-1", [.void]), [.void], nowApproved(1_000, ["void": "void-1"]), of: "p-hold-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 5)
            let amounts = try await client.amounts(of: hold)
            #expect(
                heard.has(.contradiction) || amounts.captured.minorUnits >= amounts.refunded.minorUnits,
                "captured \(amounts.captured), refunded \(amounts.refunded); heard \(heard.kinds)")
        }
    }

    /// The provider takes back 3.00 of a sale of 10.00 twice, and we refund the rest.
    @Test(arguments: [false, true]) func twoPartialVoids_thenRefundOfTheRest_addUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(FullFake(Fake(shop.ledger)))
            try shop.play { [hold] in
                _ = await client.sell(attempt: hold)
                for name in ["void-1", "void-2"] {
                    shop.say(.reference(name, [.void]), [.void], nowApproved(300, ["void": name]), of: "p-hold-1")
                    await client.takeWebhook()
                }
                let amounts = try await client.amounts(of: hold)
                #expect(amounts.refundable == .cents(400), "\(amounts.refundable)")
                let refund = await client.refund(of: hold)
                #expect(refund.isApproved && shop.ledger.refundedCents == 400, "\(refund)")
            }
        }
    }

    /// A void of a part by the provider fails later.
    @Test func partialVoidThatFailsLater_isTakenBack() throws {
        let shop = Shop()
        let client = try shop.client(FullFake(Fake(shop.ledger)))
        try shop.play { [hold] in
            _ = await client.sell(attempt: hold)
            shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-hold-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            shop.say(
                .reference("void-1", [.void]), [.void], nowDeclined(.failedAfterApproval, ["void": "void-1"]),
                of: "p-hold-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: hold)
            #expect(amounts.captured == .cents(1_000) && amounts.refundable == .cents(1_000), "\(amounts)")
        }
    }

    /// The rest is voided; then the capture fails.
    @Test func captureFailsAfterTheRestWasVoided_nothingIsLeft() throws {
        let shop = Shop()
        let client = try shop.client(FullFake.releasingTheRest(Fake(shop.ledger)))
        try shop.play { [hold, next] in
            let capture = try AttemptID("cap-1")
            _ = await client.hold(attempt: hold)
            _ = await client.take(600, of: hold, attempt: capture)
            _ = await client.undo(hold)
            try await shop.wait(seconds: 60)
            shop.say(
                .attempt(capture), [.capture], nowDeclined(.failedAfterApproval, ["capture": "c-cap-1"]), of: "p-hold-1"
            )
            await client.takeWebhook()
            let amounts = try await client.amounts(of: hold)
            #expect(amounts.captured.isZero && amounts.capturable.isZero, "\(amounts)")
            #expect(await client.sell(attempt: next).isApproved)
        }
    }

    /// A tip is changed after the capture; a part is refunded; then the tip's change fails.
    @Test func tipAfterCapture_thatFailsLater_isTakenBack() throws {
        let shop = Shop()
        let client = try shop.client(FullFake(Fake(shop.ledger)))
        try shop.play { [hold] in
            let tip = try AttemptID("tip-1")
            _ = await client.hold(attempt: hold)
            _ = await client.take(1_000, of: hold)
            let told = await Told { try await client.adjustTip(PaymentID(hold), to: .cents(200), attempt: tip) }
            let charged = try await client.amounts(of: hold).captured
            #expect(told.isApproved && charged == .cents(1_200), "\(told) \(charged)")
            try await shop.wait(seconds: 60)
            shop.say(.attempt(tip), [.tipAdjustment], nowDeclined(.failedAfterApproval, ["tip": "t-tip-1"]))
            await client.takeWebhook()
            let amounts = try await client.amounts(of: hold)
            #expect(amounts.captured == .cents(1_000), "\(amounts.captured)")
        }
    }

    /// The provider captures 4.00 of a hold while our own capture of 6.00 is in doubt; then both are known.
    @Test(arguments: [false, true]) func providersCaptureWhileOursIsInDoubt_bothCount(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount, as: "c-1")
                    throw Lost()
                }
            }
            driver.onLookup = { _, _ in
                canTell.isOn ? .found(nowApproved(600, ["capture": "c-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            try shop.play { [hold] in
                let capture = try AttemptID("cap-1")
                _ = await client.hold(attempt: hold)
                _ = await client.take(600, of: hold, attempt: capture)
                shop.say(
                    .reference("dash-1", [.capture]), [.capture], nowApproved(400, ["capture": "dash-1"]),
                    of: "p-hold-1")
                await client.takeWebhook()
                canTell.turn(true)
                let told = await client.outcome(of: capture)
                let amounts = try await client.amounts(of: hold)
                #expect(amounts.captured == .cents(1_000), "\(told) \(amounts.captured)")
            }
        }
    }
}
