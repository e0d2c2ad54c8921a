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

/// What the provider does without us, beside what we do.
@Suite struct MovementAttackTests {
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

    /// The message of the provider's own refund has two names; its failure has the second one alone.
    @Test func ownRefundWithTwoNames_failsUnderTheSecond_isTakenBack() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(
                .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["a": "dash-1", "b": "acquirer-1"]),
                of: "p-sale-1")
            await client.takeWebhook()
            let found = try await client.amounts(of: sale).refunded
            #expect(found == .cents(400))
            try await shop.wait(seconds: 60)
            post(
                .reference("acquirer-1", [.refund]), [.refund], nowDeclined(.failedAfterApproval, ["b": "acquirer-1"]),
                of: "p-sale-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded.isZero, "in the books: \(amounts.refunded)")
        }
    }

    /// The same, approved twice under either name.
    @Test func ownRefundWithTwoNames_confirmedUnderTheSecond_isCountedOnce() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(
                .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["a": "dash-1", "b": "acquirer-1"]),
                of: "p-sale-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            post(.reference("acquirer-1", [.refund]), [.refund], nowApproved(400, ["b": "acquirer-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(400), "in the books: \(amounts.refunded)")
        }
    }

    /// The webhook about our refund comes before its reply, under a name that the reply does not have.
    @Test func ourRefundHeardBeforeItsNamelessReply_isCountedOnce() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onRefund = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.refund(context.attempt, request.amount, as: "psp-1")
                shop.ledger.post(
                    shop.notice(
                        "psp-1", .refund, nowApproved(request.amount.minorUnits, ["refund": "psp-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(request.amount.minorUnits)
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            let told = await client.refund(400, of: sale, attempt: refund)
            let amounts = try await client.amounts(of: sale)
            let isOpen = try await client.payment(PaymentID(sale)).openAttempts.count
            #expect(
                amounts.refunded == .cents(shop.ledger.refundedCents) || isOpen > 0,
                "\(told); in the books: \(amounts.refunded); at the provider \(shop.ledger.refundedCents)")
        }
    }

    /// Our refund is in doubt, its webhook came under the provider's name, and a lookup finds it without a name.
    @Test func ourRefundHeard_lookupFindsItWithoutName_isCountedOnce() throws {
        let canTell = Switch(false)
        var driver = Fake(shop.ledger)
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.refund(context.attempt, request.amount, as: "psp-1")
                throw Lost()
            }
        }
        driver.onLookup = { inquiry, _ in
            canTell.isOn ? .found(nowApproved(inquiry.amount.minorUnits)) : .cannotTell("Not now.")
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            shop.ledger.post(shop.notice("psp-1", .refund, nowApproved(400, ["refund": "psp-1"]), of: "p-sale-1"))
            await client.takeWebhook()
            canTell.turn(true)
            let told = await client.outcome(of: refund)
            let amounts = try await client.amounts(of: sale)
            let isOpen = try await client.payment(PaymentID(sale)).openAttempts.count
            #expect(
                amounts.refunded == .cents(shop.ledger.refundedCents) || isOpen > 0,
                "\(told); in the books: \(amounts.refunded); at the provider \(shop.ledger.refundedCents)")
        }
    }

    /// The provider takes back 3.00 of a sale of 10.00 as a void.
    @Test func partialVoidOfASaleByTheProvider_leavesTheRestCharged() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(.reference("void-1", [.void]), [.void], nowApproved(300, ["void": "void-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            let isOpen = try await client.payment(PaymentID(sale)).openAttempts.count
            let again = await client.sell(attempt: try AttemptID("sale-2"))
            #expect(
                isOpen > 0 || amounts.captured.minorUnits - amounts.refunded.minorUnits == 700,
                "captured \(amounts.captured), refunded \(amounts.refunded), voided \(amounts.isVoided)")
            #expect(!again.isApproved, "the order is charged again: \(shop.ledger.charges)")
        }
    }

    /// A message under the sale's own id says that a refund at the dashboard failed, as Adyen says it.
    @Test func ownRefundUnderTheSalesId_failsLater_isTakenBack() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(.attempt(sale), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let found = try await client.amounts(of: sale).refunded
            #expect(found == .cents(400))
            try await shop.wait(seconds: 60)
            post(.attempt(sale), [.refund], nowDeclined(.failedAfterApproval, ["refund": "dash-1"]), of: "p-sale-1")
            await client.takeWebhook()
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded.isZero, "in the books: \(amounts.refunded)")
        }
    }

    /// The same refund is said twice under the sale's own id, by two messages.
    @Test func ownRefundUnderTheSalesId_saidTwice_isCountedOnce() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            for id in ["m-1", "m-2"] {
                post(.attempt(sale), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1", id: id)
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
            }
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded == .cents(400) && amounts.refundable == .cents(600), "\(amounts)")
        }
    }

    /// A capture fails and is made again by the provider; its messages have no times.
    @Test func captureOfASaleFailsAndIsMadeAgain_counts() throws {
        let client = try shop.client(Fake(shop.ledger))
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(
                .reference("c-1", [.capture]), [.capture], nowDeclined(.declinedByProvider, ["capture": "c-1"]),
                of: "p-sale-1", timeless: true)
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            post(
                .reference("c-2", [.capture]), [.capture], nowApproved(1_000, ["capture": "c-2"]), of: "p-sale-1",
                timeless: true)
            await client.takeWebhook()
            let told = await client.outcome(of: sale)
            let amounts = try await client.amounts(of: sale)
            #expect(
                amounts.captured == .cents(1_000) || heard.has(.contradiction) || told.saysUnknown,
                "\(told); captured \(amounts.captured); heard \(heard.kinds)")
        }
    }

    /// Our own id, as the sale's: the dashboard's refund of the same amount as ours that runs.
    @Test func dashboardRefundWhileOursRuns_bothCount() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onRefund = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.refund(context.attempt, request.amount, as: "dash-1")
                shop.ledger.post(
                    shop.notice("dash-1", .refund, nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                shop.ledger.refund(context.attempt, request.amount)
                return nowApproved(400, ["refund": "r-\(context.attempt)"])
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

    /// The message about the dashboard's refund comes before the sale's reply.
    @Test func dashboardRefundBeforeTheSalesReply_counts() throws {
        let open = Locked(PaymentClient?.none)
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount)
                shop.ledger.post(
                    shop.notice("dash-1", .refund, nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1"))
                await open.withLock { $0 }?.takeWebhook()
                return nowApproved(1_000, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver)
        open.withLock { $0 = client }
        try shop.play { [sale] in
            let told = await client.sell(attempt: sale)
            let found = try await client.amounts(of: sale).refunded
            #expect(found == .cents(400))
            if case .result(.approved(let payment)) = told {
                #expect(payment.amounts.refunded == .cents(400), "the result says \(payment.amounts.refunded)")
            }
        }
    }
}

/// Answers that are late, stale or untrue.
@Suite struct LateAnswerAttackTests {
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

    /// A lookup is asked, a message approves the refund, and the old answer "declined" arrives after it.
    @Test func staleDeclineOfALookup_afterANewerApproval_doesNotUndoTheRefund() throws {
        var driver = Fake(shop.ledger)
        driver.onRefund = { _, context in
            try await context.exchange(.money) { _ in
                .pending(Pending(references: ["refund": "r-1"], shouldPoll: false))
            }
        }
        driver.onLookup = { [shop] inquiry, _ in
            guard inquiry.record.intent.operation == .refund else { return .cannotTell("Not now.") }
            try await shop.wait(seconds: 20)
            return .found(nowDeclined(.declinedByProvider, ["refund": "r-1"]))
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(1_000, of: sale, attempt: refund)
            let asking = shop.beside { await client.outcome(of: refund) }
            try await shop.wait(seconds: 5)
            shop.ledger.refund(refund, .cents(1_000), as: "r-1")
            post(.attempt(refund), [.refund], nowApproved(1_000, ["refund": "r-1"]))
            await client.takeWebhook()
            #expect(try await client.standing(of: refund) == .approved)
            let told = await asking.value
            let state = try await client.standing(of: refund)
            let amounts = try await client.amounts(of: sale)
            #expect(
                state == .approved,
                "\(told); \(String(describing: state)); refunded \(amounts.refunded); heard \(heard.kinds)")
        }
    }

    /// The same with the times that the provider says: the approval is later than the question.
    @Test func staleDeclineOfALookup_anotherProcess_customerIsPaidTwice() throws {
        func driver(_ slow: Bool) -> Fake {
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                if context.attempt.text == "refund-1" {
                    return try await context.exchange(.money) { _ in
                        .pending(Pending(references: ["refund": "r-1"], shouldPoll: false))
                    }
                }
                return try await context.exchange(.money) { _ in
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            driver.onLookup = { [shop] inquiry, _ in
                guard slow, inquiry.record.intent.operation == .refund else { return .cannotTell("Not now.") }
                try await shop.wait(seconds: 20)
                return .found(nowDeclined(.declinedByProvider, ["refund": "r-1"]))
            }
            return driver
        }
        let (a, b) = (try shop.client(driver(true), owner: "A"), try shop.client(driver(false), owner: "B"))
        try shop.play { [shop, sale, refund] in
            _ = await b.sell(attempt: sale)
            _ = await b.refund(1_000, of: sale, attempt: refund)
            let asking = shop.beside { await a.outcome(of: refund) }
            try await shop.wait(seconds: 5)
            shop.ledger.refund(refund, .cents(1_000), as: "r-1")
            post(.attempt(refund), [.refund], nowApproved(1_000, ["refund": "r-1"], at: shop.stage.now))
            await b.takeWebhook()
            _ = await asking.value
            let again = await b.refund(1_000, of: sale, attempt: try AttemptID("refund-2"))
            #expect(shop.ledger.refundedCents == 1_000, "\(again); \(shop.ledger.refunds)")
        }
    }

    /// Two equal hints; the look that the second one causes fails, and no look follows.
    @Test(arguments: [false, true]) func secondEqualHint_whoseLookFails_isStillOwed(_ isSQLite: Bool) throws {
        if isSQLite {
            try JournalFolder().open { try secondEqualHint(over: $0) }
        } else {
            try secondEqualHint(over: shop.journal)
        }
    }

    private func secondEqualHint(over journal: any Journal) throws {
        let (isDown, hasFailed) = (Switch(false), Switch(false))
        var driver = Fake(shop.ledger)
        driver.onLookup = { inquiry, _ in
            if isDown.isOn { throw Lost() }
            guard inquiry.record.intent.operation == .refund else { return .cannotTell("Not now.") }
            let references = ["refund": "r-refund-1"]
            return .found(hasFailed.isOn ? nowDeclined(.failedAfterApproval, references) : nowApproved(400, references))
        }
        let client = try shop.client(driver, over: journal)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            post(.attempt(refund), [.refund], nil, timeless: true)
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            isDown.turn(true)
            hasFailed.turn(true)
            post(.attempt(refund), [.refund], nil, timeless: true)
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            isDown.turn(false)
            try await shop.recover(client, seconds: 2 * 86_400)
            let amounts = try await client.amounts(of: sale)
            #expect(amounts.refunded.isZero, "in the books: \(amounts.refunded)")
        }
    }

    /// The control: the hints differ.
    @Test func secondOtherHint_whoseLookFails_isStillOwed() throws {
        let (isDown, hasFailed) = (Switch(false), Switch(false))
        var driver = Fake(shop.ledger)
        driver.onLookup = { inquiry, _ in
            if isDown.isOn { throw Lost() }
            guard inquiry.record.intent.operation == .refund else { return .cannotTell("Not now.") }
            let references = ["refund": "r-refund-1"]
            return .found(hasFailed.isOn ? nowDeclined(.failedAfterApproval, references) : nowApproved(400, references))
        }
        let client = try shop.client(driver)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            post(.attempt(refund), [.refund], nil, id: "m-1")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            isDown.turn(true)
            hasFailed.turn(true)
            post(.attempt(refund), [.refund], nil, id: "m-2")
            await client.takeWebhook()
            try await shop.wait(seconds: 60)
            isDown.turn(false)
            try await shop.recover(client, seconds: 2 * 86_400)
            #expect(try await client.amounts(of: sale).refunded.isZero)
        }
    }

    /// A partial approval is over more than was asked for.
    @Test func partialApprovalOverTenfold_isNotBelieved() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in
                var approval = Approval(.cents(10_000), references: ["payment": "p-1"])
                approval.isPartial = true
                return .approved(approval)
            }
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            let told = await client.sell(1_000, attempt: sale)
            try await shop.wait(seconds: 5)
            #expect(!told.isApproved || heard.has(.otherAmount), "\(told); heard \(heard.kinds)")
        }
    }

    /// A device approved offline without a request of the till.
    @Test func approvalWithoutARequest_isNotReportedAsNothingMoved() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            ledger.charge(context.attempt, request.amount)
            var approval = Approval(request.amount, references: ["payment": "p-1"])
            approval.isOffline = true
            return .approved(approval)
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale)
            #expect(!told.saysNothingMoved, "\(told); \(shop.ledger.charges)")
            // No rule can stop a device that does not ask: what it took is counted, and raised.
            let again = await client.sell(attempt: try AttemptID("sale-2"))
            try await shop.wait(seconds: 5)
            let listed = try await client.payments().payments.map(\.amounts.captured.minorUnits).reduce(0, +)
            #expect(listed == shop.ledger.chargedCents && heard.has(.activeTwice), "\(again); \(heard.kinds)")
        }
    }

    /// A rehearsal was charged; then the real sale comes.
    @Test func rehearsalThatWasCharged_thenTheRealSale_raisesAnEvent() throws {
        let client = try shop.client(Fake(shop.ledger))
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
            request.isDryRun = true
            let rehearsal = request
            _ = await Told { try await client.sale(rehearsal, attempt: sale) }
            let told = await client.sell(attempt: try AttemptID("sale-2"))
            try await shop.wait(seconds: 5)
            let isRaised = [.contradiction, .activeTwice, .otherAmount, .disputed].contains { heard.has($0) }
            #expect(shop.ledger.charges.count == 1 || isRaised, "\(told); \(shop.ledger.charges); heard \(heard.kinds)")
        }
    }

    @Test func rehearsalThatWasCharged_standsInTheListOfPayments() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
            request.isDryRun = true
            let rehearsal = request
            _ = await Told { try await client.sale(rehearsal, attempt: sale) }
            let listed = try await client.payments().payments.map(\.amounts.captured.minorUnits).reduce(0, +)
            #expect(listed == shop.ledger.chargedCents, "the list has \(listed) cents")
        }
    }

    /// Two executions whose names have more than 200 bytes.
    @Test func secondExecutionUnderALongName_isCountedOrRaised() throws {
        let (one, two) = (String(repeating: "x", count: 201), String(repeating: "y", count: 201))
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount, as: one)
                ledger.charge(context.attempt, request.amount, as: two)
                return nowApproved(1_000, ["payment": one])
            }
        }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": two]))
            await client.takeWebhook()
            try await shop.wait(seconds: 5)
            let amounts = try await client.amounts(of: sale)
            #expect(
                amounts.captured == .cents(2_000) || heard.has(.contradiction),
                "captured \(amounts.captured); heard \(heard.kinds)")
        }
    }

    /// A shop gives money back on a payment of another scope.
    @Test func unlinkedRefundOnAnotherScopesPayment_isRefused() throws {
        let one = try shop.client(Fake(shop.ledger), owner: "A", scope: "one")
        let two = try shop.client(Fake(shop.ledger), owner: "B", scope: "two")
        try shop.play { [shop, sale] in
            _ = await one.sell(attempt: sale)
            var request = UnlinkedRefundRequest(.cents(1_000), to: try Cards.good(), reference: "item 1")
            request.payment = PaymentID(sale)
            let told = await Told { [request] in try await two.refundUnlinked(request) }
            #expect(shop.ledger.refundedCents == 0, "\(told)")
        }
    }
}
