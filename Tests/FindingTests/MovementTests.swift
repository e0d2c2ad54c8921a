import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Movements that the merchant made at the provider's dashboard, or that the provider made on its own.
@Suite struct MovementTests {
    private let shop = Shop()
    private let sale: AttemptID
    private let refund: AttemptID

    init() throws { (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1")) }

    /// The dashboard's refund is reported while a refund of the till is in doubt; then a person says that the till's moved
    /// nothing. The dashboard's is never counted, and the clerk refunds more than is due.
    @Test func refundAtDashboard_whileOursIsInDoubt_isCounted() throws {
        let isBroken = Switch(true)
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                if isBroken.isOn { throw Lost() }
                ledger.refund(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            #expect(await client.refund(500, of: sale, attempt: refund).saysUnknown)
            shop.ledger.refund(sale, .cents(500), as: "dash-1")
            shop.ledger.post(
                shop.notice(
                    "dash-1", .refund, .approved(Approval(.cents(500), references: ["refund": "dash-1"])),
                    of: "p-sale-1"))
            await client.takeWebhook()
            try await shop.wait(seconds: 300)
            try await client.resolve(
                refund, as: .notExecuted(besides: ["dash-1"]), reason: "The dashboard shows no refund of that name.")
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(shop.ledger.refundedCents), "in the books: \(amounts.refunded)")
            #expect(amounts.refundable == .cents(500), "in the books: \(amounts.refundable)")
            isBroken.turn(false)
            // A further 5.00 can be refunded, if it is said what they are for, and nothing after that.
            #expect(await client.refund(500, of: sale).error?.code == .referenceInUse)
            for item in 2...3 {
                _ = await Told { try await client.refund(PaymentID(sale), of: .cents(500), reference: "item \(item)") }
            }
            #expect(shop.ledger.refundedCents == 1_000)
        }
    }

    /// The same, and the till's refund is declined by the provider's own webhook.
    @Test func refundAtDashboard_oursIsDeclinedLater_isCounted() throws {
        var driver = Fake(shop.ledger)
        driver.plan = nil
        driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            #expect(await client.refund(500, of: sale, attempt: refund).saysUnknown)
            shop.ledger.refund(sale, .cents(500), as: "dash-1")
            shop.ledger.post(
                shop.notice(
                    "dash-1", .refund, .approved(Approval(.cents(500), references: ["refund": "dash-1"])),
                    of: "p-sale-1"))
            await client.takeWebhook()
            let decline = Decline(.declinedByProvider, provider: ProviderMessage(code: "REFUND"))
            shop.ledger.post(ProviderNotice(.attempt(refund), .declined(decline), at: shop.stage.now, kind: "REFUND"))
            await client.takeWebhook()
            #expect(try await client.standing(of: refund) == .declined)
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(shop.ledger.refundedCents), "in the books: \(amounts.refunded)")
        }
    }

    /// The dashboard's refund is reported while the sale itself is in doubt; later the sale is found.
    @Test func refundAtDashboard_whileSaleIsInDoubt_isCounted() throws {
        let canTell = Switch(false)
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context, named: ["p-sale-1"])
        }
        let shown = driver.onLookup
        driver.onLookup = { inquiry, context in
            canTell.isOn ? try await shown(inquiry, context) : .cannotTell("It can't be seen now.")
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale] in
            #expect(await client.sell(attempt: sale).saysUnknown)
            shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
            shop.ledger.post(
                shop.notice(
                    "dash-1", .refund, .approved(Approval(.cents(1_000), references: ["refund": "dash-1"])),
                    of: "p-sale-1"))
            await client.takeWebhook()
            canTell.turn(true)
            #expect(await client.outcome(of: sale).isApproved)
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(shop.ledger.refundedCents), "in the books: \(amounts.refunded)")
            #expect(amounts.refundable.isZero, "in the books: \(amounts.refundable)")
        }
    }

    /// The provider captures on its own while the till's capture is under way; the till's is refused for that.
    @Test func captureByProvider_whileOursIsUnderWay_isCounted() throws {
        let capture = try AttemptID("capture-1")
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onCapture = { [shop, sale] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(sale, request.amount, as: "auto-1")
                shop.ledger.post(
                    shop.notice(
                        "auto-1", .capture, .approved(Approval(request.amount, references: ["capture": "auto-1"])),
                        of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return .declined(Decline(.declinedByProvider, provider: ProviderMessage(code: "already captured")))
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            _ = await Told { try await client.capture(PaymentID(sale), attempt: capture) }
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.captured == .cents(shop.ledger.chargedCents), "in the books: \(amounts.captured)")
            #expect(amounts.capturable.isZero, "in the books: \(amounts.capturable)")
            let told = await client.refund(of: sale)
            #expect(told.isApproved, "\(told)")
        }
    }

    /// A webhook says that a sale was captured, as accounts with delayed capture post it.
    @Test func captureOfSale_byWebhook_isNotAddedToTheSale() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            shop.ledger.post(
                shop.notice(
                    "capture-1", .capture, .approved(Approval(.cents(1_000), references: ["capture": "capture-1"])),
                    of: "p-sale-1"))
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.captured == .cents(shop.ledger.chargedCents), "in the books: \(amounts.captured)")
            #expect(amounts.refundable == .cents(shop.ledger.chargedCents), "in the books: \(amounts.refundable)")
            let told = await client.refund(1_500, of: sale)
            #expect(!told.isApproved && shop.ledger.refundedCents == 0, "\(told)")
        }
    }

    /// Of two copies of one request the first is carried out and the second is refused; the provider can't show it.
    @Test func refundRefusedAsDone_lookupCannotTell_isUnknownAndGivenOnce() throws {
        let count = Locked(0)
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(every: 5_000, giveUpAfter: 30_000)
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.refund(context.attempt, request.amount)
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                // The answer to the second copy: a refund is being made.
                if isFirst { throw Refused(.conflict) }
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            let told = await client.refund(400, of: sale, attempt: refund)
            #expect(told.saysUnknown, "\(told)")
            if told.saysNothingMoved { _ = await client.refund(400, of: sale, attempt: refund) }
            #expect(shop.ledger.refundedCents == 400, "\(shop.ledger.refunds)")
        }
    }

    /// The process dies before the caller reads that the refund was approved; it is typed again, also without an original.
    @Test func refundWithoutOriginal_likeOneToTheOriginal_isHeldBack() throws {
        let first = try shop.client(Fake(shop.ledger), owner: "A")
        let second = try shop.client(Fake(shop.ledger), owner: "B")
        try shop.play { [shop, sale] in
            _ = await first.sell(attempt: sale)
            try await first.flush()
            _ = await Told { try await first.refund(PaymentID(sale), of: .cents(500), reference: "item 1") }
            let linked = await Told { try await second.refund(PaymentID(sale), of: .cents(500), reference: "item 1") }
            #expect(linked.error?.code == .referenceInUse, "\(linked)")
            var request = UnlinkedRefundRequest(.cents(500), to: try Cards.good(), reference: "item 1")
            request.payment = PaymentID(sale)
            let unlinked = await Told { [request] in try await second.refundUnlinked(request) }
            #expect(unlinked.error?.code == .referenceInUse, "\(unlinked)")
            #expect(shop.ledger.refundedCents == 500, "\(shop.ledger.refunds)")
        }
    }

    /// The webhook about an old payment's refund comes before the payment is imported.
    @Test func refundHeardBeforeImport_ofThePayment_isCounted() throws {
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        let old = try AttemptID("old-1")
        let takenAt = shop.stage.now - 3_600_000
        try folder.open { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [shop] in
                shop.ledger.charge(old, .cents(1_000), as: "p-old")
                shop.ledger.refund(old, .cents(1_000), as: "dash-1")
                shop.ledger.post(
                    shop.notice(
                        "dash-1", .refund, .approved(Approval(.cents(1_000), references: ["refund": "dash-1"])),
                        of: "p-old"))
                await client.takeWebhook()
            }
        }
        try folder.importPayment("old-1", named: "p-old", of: driver.identity, takenAt: takenAt)
        try folder.open { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [shop] in
                let amounts = try await client.amounts(of: old)
                #expect(amounts.refunded == .cents(shop.ledger.refundedCents), "in the books: \(amounts.refunded)")
                let told = await client.refund(of: old)
                #expect(!told.isApproved && shop.ledger.refundedCents == 1_000, "\(told)")
            }
        }
    }

    /// A sale is in doubt; the provider's export is imported, and then the lookup finds the same payment for the sale.
    @Test func paymentImported_whileOurSaleIsInDoubt_isCountedOnce() throws {
        let folder = try JournalFolder()
        let canTell = Switch(false)
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context)
        }
        let shown = driver.onLookup
        driver.onLookup = { inquiry, context in
            canTell.isOn ? try await shown(inquiry, context) : .cannotTell("It can't be seen now.")
        }
        try folder.open { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [sale] in #expect(await client.sell(attempt: sale).saysUnknown) }
        }
        // It may be the sale that is in doubt.
        #expect(throws: PaymentError.self) {
            try folder.importPayment("export-1", named: "p-sale-1", of: driver.identity, takenAt: shop.stage.now)
        }
        let imported = try AttemptID("export-1")
        try folder.open { [driver] journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [shop, sale] in
                canTell.turn(true)
                try await shop.wait(seconds: 300)
                _ = try? await client.recover()
                _ = await client.outcome(of: sale)
                var cents: Int64 = 0
                for attempt in [sale, imported] {
                    guard let record = try? await client.payment(PaymentID(attempt)) else { continue }
                    if record.state == .approved { cents += record.amounts.captured.minorUnits }
                }
                #expect(cents == shop.ledger.chargedCents, "The books have captured \(cents) cents.")
            }
        }
    }
}
