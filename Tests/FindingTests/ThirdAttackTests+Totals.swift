import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// The fake provider with everything that can follow a payment.
struct Whole: SaleDriver, AuthorizationDriver, RefundDriver, VoidDriver, TipAdjustmentDriver, AdjustmentDriver,
    WebhookDriver
{
    var base: Fake
    var onAuthorize: Fake.Sale
    var onVoid: Fake.FollowUp
    var onTip: Fake.FollowUp
    var onAdjust: Fake.FollowUp

    init(_ base: Fake) {
        self.base = base
        onAuthorize = { request, context in
            try await context.exchange(.money) { _ in
                nowApproved(request.amount.minorUnits, ["payment": "p-\(context.attempt)"])
            }
        }
        onVoid = Self.answer("void", "v")
        onTip = Self.answer("tip", "t")
        onAdjust = Self.answer("adjust", "a")
    }

    private static func answer(_ kind: String, _ letter: String) -> Fake.FollowUp {
        { request, context in
            try await context.exchange(.money) { _ in
                nowApproved(request.amount.minorUnits, [kind: "\(letter)-\(context.attempt)"])
            }
        }
    }

    var identity: ProviderIdentity { base.identity }
    var capabilities: Capabilities { base.capabilities }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { base.plan }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await base.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { base.classify(error) }
    func notices(in message: WebhookMessage) throws -> [ProviderNotice] { try base.notices(in: message) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.sale(request, context)
    }
    func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onAuthorize(request, context)
    }
    func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.capture(request, context)
    }
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await base.refund(request, context)
    }
    func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onVoid(request, context)
    }
    func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onTip(request, context)
    }
    func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await onAdjust(request, context)
    }
}

extension PaymentClient {
    func holdAnew(_ cents: Int64, of payment: AttemptID, attempt: AttemptID? = nil) async -> Told {
        await Told { try await adjust(PaymentID(payment), to: .cents(cents), attempt: attempt) }
    }

    func tip(_ cents: Int64, of payment: AttemptID, attempt: AttemptID? = nil) async -> Told {
        await Told { try await adjustTip(PaymentID(payment), to: .cents(cents), attempt: attempt) }
    }
}

/// What the sums of a payment say beside what the provider did.
@Suite struct ThirdAttackTotalTests {
    private let sale: AttemptID

    init() throws { sale = try AttemptID("sale-1") }

    /// 6.00 of 10.00 is captured, and the provider lets go 1.00 of the rest: 3.00 is still held.
    @Test(arguments: [false, true]) func partialVoidAfterAPartialCapture_leavesTheRestHeld(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(100, ["void": "rel-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                let rest = await client.take(300, of: sale)
                #expect(
                    amounts.capturable == .cents(300) && amounts.captured == .cents(600),
                    "capturable \(amounts.capturable), released \(amounts.released)")
                #expect(rest.isApproved, "\(rest)")
            }
        }
    }

    /// The same; what was captured is refunded, and the order is sold again while 3.00 is still held at the provider.
    @Test(arguments: [false, true]) func partialVoidAfterAPartialCapture_keepsTheReference(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                shop.say(.reference("rel-1", [.void]), [.void], nowApproved(100, ["void": "rel-1"]), of: "p-sale-1")
                await client.takeWebhook()
                _ = await client.refund(600, of: sale)
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                #expect(!again.isApproved, "sold again while 3.00 is held: \(again)")
            }
        }
    }

    /// A hold is raised to 20.00, then lowered to 15.00; then the message about the first of both comes.
    @Test(arguments: [false, true]) func adjustmentConfirmedLate_theNewerTotalStays(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                let (one, two) = (try AttemptID("adj-1"), try AttemptID("adj-2"))
                _ = await client.hold(attempt: sale)
                let at = shop.stage.now
                _ = await client.holdAnew(2_000, of: sale, attempt: one)
                try await shop.wait(seconds: 60)
                _ = await client.holdAnew(1_500, of: sale, attempt: two)
                try await shop.wait(seconds: 60)
                shop.say(.attempt(one), [.adjust], nowApproved(2_000, ["adjust": "a-adj-1"]), of: "p-sale-1", at: at)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.authorized == .cents(1_500), "held 15.00, in the books \(amounts.authorized)")
                let over = await client.take(2_000, of: sale)
                #expect(!over.isApproved, "captured more than is held: \(over)")
            }
        }
    }

    /// A tip is set to 5.00, then to 1.00; then the message about the first of both comes.
    @Test(arguments: [false, true]) func tipConfirmedLate_theNewerTotalStays(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                let (one, two) = (try AttemptID("tip-1"), try AttemptID("tip-2"))
                _ = await client.sell(attempt: sale)
                let at = shop.stage.now
                _ = await client.tip(500, of: sale, attempt: one)
                try await shop.wait(seconds: 60)
                _ = await client.tip(100, of: sale, attempt: two)
                try await shop.wait(seconds: 60)
                shop.say(
                    .attempt(one), [.tipAdjustment], nowApproved(500, ["tip": "t-tip-1"]), of: "p-sale-1", at: at)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.captured == .cents(1_100), "charged 11.00, in the books \(amounts.captured)")
                _ = await client.refund(of: sale)
                #expect(shop.ledger.refundedCents <= 1_100, "given back \(shop.ledger.refundedCents) of 1100")
            }
        }
    }

    /// The provider lets go 3.00 of a hold, the hold is set to 12.00, and the release is reported once more.
    @Test(arguments: [false, true]) func partialVoidToldAgainAfterAnAdjustment_leavesTheNewTotal(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                func told(_ id: String) async {
                    shop.say(
                        .reference("rel-1", [.void]), [.void], nowApproved(300, ["void": "rel-1"]), of: "p-sale-1",
                        id: id, at: shop.stage.now)
                    await client.takeWebhook()
                }
                await told("m-1")
                try await shop.wait(seconds: 60)
                _ = await client.holdAnew(1_200, of: sale)
                try await shop.wait(seconds: 60)
                await told("m-2")
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.authorized == .cents(1_200), "held 12.00, in the books \(amounts.authorized)")
            }
        }
    }

    /// The customer adds 2.00 at the terminal; later the tip is set to 3.00.
    @Test(arguments: [false, true]) func tipAddedAtTheTerminal_thenChanged_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, .cents(1_200))
                    var approval = Approval(.cents(1_200), references: ["payment": "p-\(context.attempt)"])
                    approval.isPartial = true
                    var receipt = Receipt()
                    var breakdown = Quote.Breakdown(base: .cents(1_000), total: .cents(1_200))
                    breakdown.tip = .cents(200)
                    receipt.breakdown = breakdown
                    approval.receipt = receipt
                    return .approved(approval)
                }
            }
            var whole = Whole(driver)
            whole.onTip = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    // The tip of 2.00 becomes one of 3.00.
                    ledger.charge(context.attempt, .cents(request.amount.minorUnits - 200))
                    return nowApproved(request.amount.minorUnits, ["tip": "t-\(context.attempt)"])
                }
            }
            let client = try shop.client(whole)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                let tip = await client.tip(300, of: sale)
                let amounts = try await client.amounts(of: sale)
                #expect(told.isApproved)
                #expect(
                    !tip.isApproved || amounts.captured.minorUnits == shop.ledger.chargedCents,
                    "charged \(shop.ledger.chargedCents), in the books \(amounts.captured); heard \(heard.kinds)")
                _ = await client.refund(of: sale)
                #expect(shop.ledger.refundedCents <= shop.ledger.chargedCents, "\(shop.ledger.refundedCents)")
            }
        }
    }

    /// The provider took back 3.00 of a sale; a void of the rest asks for the rest, and the books say what is left.
    @Test(arguments: [false, true]) func voidAfterAPartialVoid_asksForTheRest(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var whole = Whole(Fake(shop.ledger))
            whole.onVoid = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    // It takes back what it is asked for.
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["void": "v-\(context.attempt)"])
                }
            }
            let client = try shop.client(whole)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(300), as: "void-1")
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.undo(sale)
                let amounts = try await client.amounts(of: sale)
                let left = shop.ledger.chargedCents - shop.ledger.refundedCents
                #expect(
                    amounts.captured.minorUnits == left,
                    "\(told); charged still \(left), in the books \(amounts.captured), voided \(amounts.isVoided)")
            }
        }
    }

    /// One capture took 6.00 of 10.00 and released the rest; a void undoes the capture.
    @Test(arguments: [false, true]) func voidAfterTheLastCapture_takesBackWhatWasCaptured(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.captureRule = .single
            var whole = Whole(driver)
            whole.onVoid = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    // Nothing is held any more: the payment of 6.00 is undone.
                    ledger.refund(context.attempt, .cents(600))
                    return nowApproved(request.amount.minorUnits, ["void": "v-\(context.attempt)"])
                }
            }
            let client = try shop.client(whole)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                let told = await client.undo(sale)
                let amounts = try await client.amounts(of: sale)
                if told.isApproved {
                    #expect(amounts.refundable.isZero, "undone, and refundable \(amounts.refundable)")
                }
                _ = await client.refund(600, of: sale)
                #expect(shop.ledger.refundedCents <= 600, "\(told); given back \(shop.ledger.refundedCents) of 600")
            }
        }
    }

    /// An order is sold at two accounts; the void of the one leaves what the other took.
    @Test(arguments: [false, true]) func voidOfAPaymentThatTwoAccountsTook_leavesTheOthers(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var a = Fake(shop.ledger, name: "a")
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            let b = Fake(shop.ledger, name: "b")
            let first = try shop.client(Whole(a), Whole(b), owner: "one", routing: Routing(active: "a"))
            let second = try shop.client(Whole(a), Whole(b), owner: "two", routing: Routing(active: "b"))
            try shop.play { [sale] in
                _ = await first.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                let none = await first.outcome(of: sale)
                let told = await second.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
                await second.takeWebhook(from: "a")
                let before = try await second.amounts(of: sale)
                try #require(none.saysNothingMoved && told.isApproved && before.captured == .cents(2_000), "\(before)")
                try await second.resolve(sale, as: .acknowledge(.contradiction), by: "Ann", reason: "two charges")
                let void = await second.undo(sale, at: "b")
                let amounts = try await second.amounts(of: sale)
                let again = await second.sell(attempt: try AttemptID("sale-2"))
                #expect(
                    !void.isApproved || amounts.captured == .cents(1_000) && !amounts.isVoided,
                    "\(void); one of two charges is undone, in the books \(amounts.captured), voided \(amounts.isVoided)"
                )
                #expect(!again.isApproved, "the order is charged once more: \(again)")
            }
        }
    }

    /// A part is captured at the dashboard where one capture releases the rest: nothing is left to capture.
    @Test(arguments: [false, true]) func dashboardCapture_whereOneReleasesTheRest_leavesNothing(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.captureRule = .single
            let client = try shop.client(Whole(driver))
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(600, ["capture": "cap-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured == .cents(600) && amounts.capturable.isZero,
                    "the rest is released, and \(amounts.capturable) is said to be capturable")
            }
        }
    }

    /// The provider takes back a partly captured hold as a whole: what was captured is refunded, the rest is let go.
    @Test(arguments: [false, true]) func takenBackAsAWhole_afterAPartialCapture_leavesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(600, of: sale)
                shop.say(
                    .reference("cor-1", [.void, .refund]), [.void, .refund], nowApproved(1_000, ["m": "cor-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.refunded.minorUnits <= 600 && amounts.capturable.isZero || heard.has(.contradiction),
                    "refunded \(amounts.refunded) of 6.00, capturable \(amounts.capturable); heard \(heard.kinds)")
            }
        }
    }

    /// A refund at the dashboard whose message gives no usable amount.
    @Test(arguments: [false, true]) func dashboardRefundOverNothing_blocksOrIsRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(0, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(told); given back \(shop.ledger.refundedCents) of 1000; heard \(heard.kinds)")
            }
        }
    }

    /// "Everything that is held" is captured again after the hold was raised.
    @Test(arguments: [false, true]) func captureOfAll_thatRunsAgainAfterAnAdjustment_takesAll(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isUp = Switch(false)
            var driver = Fake(shop.ledger)
            driver.capabilities.captureRule = .single
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    guard isUp.isOn else { throw Refused(.invalidRequest, .refused) }
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["capture": "c-\(context.attempt)"])
                }
            }
            driver.plan = LookupPlan(every: 1_000, giveUpAfter: 90_000, quiet: 30_000)
            driver.onLookup = { _, _ in .notFound(seesBack: nil) }
            let client = try shop.client(Whole(driver))
            try shop.play { [sale] in
                let capture = try AttemptID("cap-1")
                func all() async -> Told { await Told { try await client.capture(PaymentID(sale), attempt: capture) } }
                _ = await client.hold(attempt: sale)
                let refused = await all()
                try await shop.wait(seconds: 120)
                _ = await client.outcome(of: capture)
                isUp.turn(true)
                let raised = await client.holdAnew(1_500, of: sale)
                try #require(raised.isApproved, "\(refused); \(raised)")
                let told = await all()
                #expect(
                    !told.isApproved || shop.ledger.chargedCents == 1_500,
                    "\(told): everything of 15.00 was asked for, captured \(shop.ledger.chargedCents)")
            }
        }
    }

    /// A sale is captured once, and a second capture of it fails.
    @Test(arguments: [false, true], [false, true]) func secondCaptureOfASaleFailsLater_leavesItCharged(
        _ isSQLite: Bool, _ wasAccepted: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                func capture(_ name: String, _ verdict: Verdict) async throws {
                    shop.say(.reference(name, [.capture]), [.capture], verdict, of: "p-sale-1")
                    await client.takeWebhook()
                    try await shop.wait(seconds: 60)
                }
                try await capture("cap-1", nowApproved(1_000, ["capture": "cap-1"]))
                if wasAccepted { try await capture("cap-2", nowApproved(1_000, ["capture": "cap-2"])) }
                try await capture("cap-2", nowDeclined(.failedAfterApproval, ["capture": "cap-2"]))
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: try AttemptID("sale-2"))
                #expect(
                    amounts.captured == .cents(1_000),
                    "charged \(shop.ledger.charges(of: sale)), in the books \(amounts.captured); heard \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
            }
        }
    }

    /// 4.00 is refunded, and the provider voids the rest.
    @Test(arguments: [false, true]) func voidOfTheRestByTheProvider_afterOurRefund_leavesNothing(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale)
                shop.ledger.refund(sale, .cents(600), as: "void-1")
                shop.say(.reference("void-1", [.void]), [.void], nowApproved(600, ["void": "void-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let told = await client.refund(of: sale)
                #expect(!told.isApproved && shop.ledger.refundedCents == 1_000, "\(told); \(shop.ledger.refunds)")
            }
        }
    }
}
