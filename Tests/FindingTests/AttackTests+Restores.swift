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

/// Journals that were restored from a backup.
@Suite struct RestoreAttackTests {
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

    /// An order is sold after the backup; the backup is restored and accepted; the order is typed again without an id.
    @Test func restored_referencePaidSinceTheBackup_isNotChargedAgain() throws {
        let folder = try JournalFolder()
        func sell(_ reference: String, _ till: String) throws -> Told {
            try folder.open { journal in
                let client = try shop.client(Fake(shop.ledger), owner: till, over: journal)
                return try shop.play { await client.sell(1_000, reference) }
            }
        }
        #expect(try sell("morning", "one").isApproved)
        try folder.backUp()
        #expect(try sell("afternoon", "two").isApproved)
        try folder.restore()
        try folder.acceptRestored()
        let again = try sell("afternoon", "three")
        #expect(shop.ledger.charges.count == 2, "\(again); \(shop.ledger.charges)")
    }

    /// A part was refunded after the backup; the backup is restored and accepted; the same is typed again without an id.
    @Test func restored_refundMadeSinceTheBackup_isNotMadeAgain() throws {
        let folder = try JournalFolder()
        func play(_ body: @escaping @Sendable (PaymentClient) async -> Told) throws -> Told {
            try folder.open { journal in
                let client = try shop.client(Fake(shop.ledger), over: journal)
                return try shop.play { await body(client) }
            }
        }
        let sale = sale
        #expect(try play { await $0.sell(attempt: sale) }.isApproved)
        try folder.backUp()
        #expect(try play { await $0.refund(400, of: sale, for: "item 1") }.isApproved)
        try folder.restore()
        try folder.acceptRestored()
        let again = try play { await $0.refund(400, of: sale, for: "item 1") }
        #expect(shop.ledger.refundedCents == 400, "\(again); \(shop.ledger.refunds)")
    }

    /// The journal of a process that is killed while its outcome waits: the provider can't be asked; a webhook decides later.
    @Test func pendingOutcome_processDies_webhookDecides() throws {
        let journal = FinishlessJournal(shop.journal)
        var driver = Fake(shop.ledger)
        driver.plan = nil
        let (a, b) = (try shop.client(driver, owner: "A", over: journal), try shop.client(driver, owner: "B"))
        try shop.play { [shop, sale] in
            journal.fail(.notWritten("the disk is full"))
            #expect(await a.sell(attempt: sale).isApproved)
            shop.owners.declareDead("A")
            #expect(await b.outcome(of: sale).saysUnknown)
            post(.attempt(sale), [.sale], nowDeclined(.insufficientFunds))
            await b.takeWebhook()
            let told = await b.outcome(of: sale)
            // The decline is about the only request, and the reply approved it.
            journal.fail(nil)
            try await a.flush()
            let later = await b.outcome(of: sale)
            #expect(later.isApproved, "\(told), then \(later)")
        }
    }

    /// A late process writes the end of a request although it was taken over, and the new owner's request is open.
    @Test func takenOver_lateReply_countsAndIsRaised() throws {
        var slow = Fake(shop.ledger)
        slow.plan = LookupPlan(every: 1_000, giveUpAfter: 60_000, quiet: 20_000)
        slow.onLookup = { _, _ in .notFound(seesBack: nil) }
        var quick = slow
        slow.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(seconds: 300)
                shop.ledger.charge(context.attempt, request.amount, as: "p-A")
                return nowApproved(1_000, ["payment": "p-A"])
            }
        }
        quick.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount, as: "p-B")
                return nowApproved(1_000, ["payment": "p-B"])
            }
        }
        let (a, b) = (try shop.client(slow, owner: "A"), try shop.client(quick, owner: "B"))
        let heard = Heard(a, shop.stage)
        try shop.play { [shop, sale] in
            let first = shop.beside { await a.sell(attempt: sale, withinSeconds: 1_000) }
            try await shop.wait(seconds: 5)
            shop.owners.declareDead("A")
            _ = await b.outcome(of: sale)
            try await shop.wait(seconds: 60)
            let second = await b.sell(attempt: sale, withinSeconds: 100)
            #expect(second.isApproved, "\(second)")
            _ = await first.value
            try await shop.wait(seconds: 5)
            let captured = try await b.amounts(of: sale).captured
            #expect(
                captured == .cents(shop.ledger.chargedCents) && heard.has(.contradiction), "\(captured) \(heard.kinds)")
        }
    }
}

/// More is refunded than was taken.
@Suite struct OverRefundAttackTests {
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

    /// The message about a capture comes before its reply, which has no name: both are counted, and 20.00 are refunded of 10.00.
    @Test func ourCaptureReportedBeforeItsNamelessReply_noMoreIsRefundedThanTaken() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onCapture = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount, as: "cap-1")
                shop.ledger.post(
                    shop.notice("cap-1", .capture, nowApproved(1_000, ["capture": "cap-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(1_000)
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            _ = await Told { try await client.capture(PaymentID(sale)) }
            let captured = try await client.amounts(of: sale).captured
            let told = await client.refund(of: sale)
            #expect(
                shop.ledger.refundedCents <= shop.ledger.chargedCents,
                "captured in the books \(captured); \(told); refunded \(shop.ledger.refundedCents)")
        }
    }

    /// The provider captures on its own; the message has two names, and a second message only the second one.
    @Test func ownCaptureWithTwoNames_noMoreIsRefundedThanTaken() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            shop.ledger.charge(sale, .cents(1_000), as: "cap-1")
            post(
                .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["a": "cap-1", "b": "acq-1"]),
                of: "p-sale-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            post(.reference("acq-1", [.capture]), [.capture], nowApproved(1_000, ["b": "acq-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let captured = try await client.amounts(of: sale).captured
            let told = await client.refund(of: sale)
            #expect(
                shop.ledger.refundedCents <= shop.ledger.chargedCents,
                "captured in the books \(captured); \(told); refunded \(shop.ledger.refundedCents)")
        }
    }

    /// A hint comes while the refund's request is out; the refund fails at once after its approval.
    @Test func hintDuringTheRun_isLookedAtAfterwards() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onRefund = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.post(ProviderNotice(.attempt(context.attempt), nil, at: shop.stage.now, kind: "HINT"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(400, ["refund": "r-1"])
            }
        }
        driver.onLookup = { inquiry, _ in
            inquiry.record.intent.operation == .refund
                ? .found(nowDeclined(.failedAfterApproval, ["refund": "r-1"])) : .cannotTell("Not now.")
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            try await shop.recover(client, seconds: 600)
            let found = try await client.amounts(of: sale).refunded
            #expect(found.isZero, "\(found)")
        }
    }

    /// Two processes refund all under one id at once.
    @Test func refundAllUnderOneIdAtTwoTills_isGivenOnce() throws {
        var driver = Fake(shop.ledger)
        driver.onRefund = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(seconds: 3)
                shop.ledger.refund(context.attempt, request.amount)
                return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
            }
        }
        let (a, b) = (try shop.client(driver, owner: "A"), try shop.client(driver, owner: "B"))
        try shop.play { [shop, sale, refund] in
            _ = await a.sell(attempt: sale)
            let one = shop.beside { await a.refund(of: sale, attempt: refund) }
            let two = shop.beside { await b.refund(of: sale, attempt: refund) }
            let told = (await one.value, await two.value)
            #expect(
                shop.ledger.refundedCents == 1_000 && !told.0.saysNothingMoved && !told.1.saysNothingMoved, "\(told)")
        }
    }

    /// A stale "declined" of a lookup undoes a capture that was approved since.
    @Test func staleDeclineOfALookup_doesNotUndoACapture() throws {
        var driver = Fake(shop.ledger)
        driver.onCapture = { _, context in
            try await context.exchange(.money) { _ in
                .pending(Pending(references: ["capture": "c-1"], shouldPoll: false))
            }
        }
        driver.onLookup = { [shop] inquiry, _ in
            guard inquiry.record.intent.operation == .capture else { return .cannotTell("Not now.") }
            try await shop.wait(seconds: 20)
            return .found(nowDeclined(.declinedByProvider, ["capture": "c-1"]))
        }
        let client = try shop.client(driver)
        let capture = try AttemptID("capture-1")
        try shop.play { [shop, sale] in
            _ = await Told {
                try await client.authorize(.cents(1_000), from: Cards.good(), reference: "order-1", attempt: sale)
            }
            _ = await Told { try await client.capture(PaymentID(sale), attempt: capture) }
            let asking = shop.beside { await client.outcome(of: capture) }
            try await shop.wait(seconds: 5)
            shop.ledger.charge(sale, .cents(1_000), as: "c-1")
            post(.attempt(capture), [.capture], nowApproved(1_000, ["capture": "c-1"]))
            await client.takeWebhook()
            let told = await asking.value
            let captured = try await client.amounts(of: sale).captured
            #expect(captured == .cents(1_000), "\(told); captured in the books \(captured)")
        }
    }

    /// A capture is lost, a person says "not executed", and it comes under its own name all the same.
    @Test func personSaysNotExecuted_thenTheApprovalComes_counts() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            try await shop.wait(seconds: 300)
            try await client.resolve(sale, as: .notExecuted(), reason: "nothing is shown")
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
            await client.takeWebhook()
            try await shop.wait(seconds: 5)
            let captured = try await client.amounts(of: sale).captured
            #expect(captured == .cents(1_000) && heard.has(.contradiction), "\(captured) \(heard.kinds)")
        }
    }

    /// Over SQLite: a message that fits two attempts, and one over ten times the amount, leave an alert.
    @Test func alertsOfHintsAndKeptMessages_inSQLite_areRaised() throws {
        try JournalFolder().open { journal in
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] in
                try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-sale-1"])
            }
            driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
            let client = try shop.client(driver, over: journal)
            let heard = Heard(client, shop.stage)
            try shop.play { [shop, sale] in
                _ = await client.sell(attempt: sale)
                post(.attempt(sale), [.sale], nowApproved(10_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let timeline = try await client.timeline(of: PaymentID(sale)).map(\.kind)
                #expect(
                    heard.has(.otherAmount) || timeline.contains(.otherAmount),
                    "heard \(heard.kinds), timeline \(timeline)")
            }
        }
    }

    /// After an unlinked refund that was refused for its reference, the linked one, and the other way round.
    @Test func unlinkedRefundWithoutAPayment_typedTwice_isGivenOnce() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop] in
            let request = UnlinkedRefundRequest(.cents(500), to: try Cards.good(), reference: "item 1")
            _ = await Told { try await client.refundUnlinked(request) }
            _ = await Told { try await client.refundUnlinked(request) }
            #expect(shop.ledger.refundedCents == 500)
        }
    }

    /// A keyed refund: the first request is lost, the second is declined under the key, and the journal fails at the end.
    @Test func keyedRefund_lostThenRefusedAsDone_isUnknown() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.idempotent) { exchange -> Verdict in
                if exchange.number == 1 {
                    ledger.refund(context.attempt, request.amount)
                    throw Lost()
                }
                throw Refused(.amountTooHigh)
            }
        }
        let client = try shop.client(driver)
        try shop.play { [sale, refund] in
            _ = await client.sell(attempt: sale)
            let told = await client.refund(1_000, of: sale, attempt: refund)
            #expect(told.saysUnknown, "\(told)")
        }
    }
}

/// Imports, hints, persons, and what waits to be written.
@Suite struct ImportAttackTests {
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

    /// Our sale is paid under the name of the reply; the export calls it otherwise and is imported under the same order.
    @Test func importOfAPaymentThatWeHave_underAnotherName_isRefusedOrCountedOnce() throws {
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        try folder.open { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [sale] in #expect(await client.sell(1_000, "old-1", attempt: sale).isApproved) }
        }
        let isImported: Bool
        do {
            try folder.importPayment("export-1", named: "psp-1", of: driver.identity, takenAt: shop.stage.now)
            isImported = true
        } catch { isImported = false }
        try folder.open { journal in
            let client = try shop.client(driver, owner: "later", over: journal)
            try shop.play { [shop] in
                var cents: Int64 = 0
                for record in try await client.payments(reference: "old-1") {
                    cents += record.amounts.captured.minorUnits
                }
                #expect(
                    cents == shop.ledger.chargedCents,
                    "imported \(isImported); the books have \(cents) cents under the order")
            }
        }
    }

    /// A dashboard's refund that is only hinted at by its own name, as Halo, NI and ARISE post it.
    @Test func dashboardRefundThatIsOnlyHintedAt_isCountedOrBlocks() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            shop.ledger.refund(sale, .cents(400), as: "dash-1")
            post(.reference("p-sale-1", [.sale, .authorize]), [.sale, .authorize], nil, timeless: true)
            post(.reference("dash-1", [.refund]), [.refund], nil, timeless: true)
            await client.takeWebhook()
            try await shop.recover(client, seconds: 86_400)
            let amounts = try await client.amounts(of: sale)
            #expect(
                amounts.refunded == .cents(400) || amounts.refundable == .cents(600),
                "refunded \(amounts.refunded), refundable \(amounts.refundable)")
        }
    }

    /// A person says that ten times as much as the payment took was refunded.
    @Test func personsAmountAboveWhatIsLeft_isRefused() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            try await shop.wait(seconds: 300)
            _ = try? await client.resolve(refund, as: .executed(name: "r-1", .cents(10_000)), reason: "seen")
            let refunded = try await client.amounts(of: sale).refunded
            #expect(refunded.minorUnits <= 1_000, "refunded in the books \(refunded) of 10.00")
        }
    }

    /// The outcome waits, and its names can't be written when the journal is back.
    @Test func waitingOutcomeWithUnwritableNames_isWrittenWithoutThem() throws {
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(Fake(shop.ledger), over: journal)
        try shop.play { [shop, sale] in
            journal.fail(.notWritten("the disk is full"))
            #expect(await client.sell(attempt: sale).isApproved)
            journal.failNamed(.unwritable("a text that can't be stored"))
            try await client.flush()
            try await shop.wait(seconds: 5)
            let state = try await client.standing(of: sale)
            #expect(state == .approved, "\(String(describing: state))")
        }
    }

    /// The control: they can't be written at once.
    @Test func outcomeWithUnwritableNames_isWrittenWithoutThem() throws {
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(Fake(shop.ledger), over: journal)
        try shop.play { [sale] in
            journal.failNamed(.unwritable("a text that can't be stored"))
            #expect(await client.sell(attempt: sale).isApproved)
            let state = try await client.standing(of: sale)
            #expect(state == .approved, "\(String(describing: state))")
        }
    }

    /// The sale's result beside a capture and a refund that were reported before the reply.
    @Test func holdCapturedByTheProviderBeforeItsReply_resultSaysSo() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount)
                shop.ledger.post(shop.notice("void-1", .void, nowApproved(1_000, ["void": "void-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [sale] in
            let told = await client.sell(attempt: sale)
            let captured = try await client.amounts(of: sale).captured
            guard case .result(.approved(let payment)) = told else { return }
            #expect(
                payment.amounts.captured == captured,
                "the result says \(payment.amounts.captured), the books \(captured)")
        }
    }

    /// A sale in doubt without a reference, and then a hold of the same amount without one.
    @Test func unnamedSaleInDoubt_thenAnUnnamedHold_isHeldBack() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [sale] in
            _ = await client.sellUnnamed(attempt: sale)
            let request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: .unreferenced)
            let told = await Told { try await client.authorize(request) }
            #expect(!told.isApproved, "\(told)")
        }
    }

    /// One process, restarted: what it left running is under its old name; the same unnamed sale is typed after recovery.
    @Test func unnamedSale_restartedProcessThatRecoversFirst_isHeldBack() throws {
        var dying = Fake(shop.ledger)
        dying.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        dying.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount)
                _ = await Promise<Bool>().value()
                throw Lost()
            }
        }
        let (a, b) = (try shop.client(dying, owner: "A"), try shop.client(dying, owner: "B"))
        try shop.play { [shop] in
            _ = shop.beside { await a.sellUnnamed() }
            try await shop.wait(seconds: 5)
            shop.owners.declareDead("A")
            _ = try await b.recover()
            _ = await b.sellUnnamed(withinSeconds: 10)
            #expect(shop.ledger.charges.count == 1)
        }
    }
}
