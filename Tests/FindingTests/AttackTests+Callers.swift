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

/// Sales without a reference that are typed again.
@Suite struct UnnamedSaleAttackTests {
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

    /// The caller left after 10 s and got "unknown"; the request still runs; the same is typed again.
    @Test func unnamedSale_callerLeft_typedAgain_isHeldBack() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount)
                try await shop.wait(seconds: 60)
                return nowApproved(request.amount.minorUnits, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop] in
            let first = await client.sellUnnamed(withinSeconds: 10)
            #expect(first.saysUnknown, "\(first)")
            let second = await client.sellUnnamed(withinSeconds: 100)
            #expect(shop.ledger.charges.count == 1, "first: \(first); second: \(second); \(shop.ledger.charges)")
        }
    }

    /// The process is killed while the request is out; the next process gets the same sale typed.
    @Test func unnamedSale_processDied_typedAgain_isHeldBack() throws {
        var dying = Fake(shop.ledger)
        dying.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount)
                _ = await Promise<Bool>().value()
                throw Lost()
            }
        }
        let (a, b) = (try shop.client(dying, owner: "A"), try shop.client(Fake(shop.ledger), owner: "B"))
        try shop.play { [shop] in
            _ = shop.beside { await a.sellUnnamed() }
            try await shop.wait(seconds: 5)
            shop.owners.declareDead("A")
            try await shop.wait(seconds: 2)
            let again = await b.sellUnnamed()
            #expect(shop.ledger.charges.count == 1, "\(again); \(shop.ledger.charges)")
        }
    }

    /// The sale is pending; the same is typed again.
    @Test func unnamedSale_pending_typedAgain_isHeldBack() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                return .pending(Pending(references: ["payment": "p-\(context.attempt)"], shouldPoll: false))
            }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [shop] in
            let first = await client.sellUnnamed()
            let second = await client.sellUnnamed()
            #expect(shop.ledger.charges.count == 1, "\(first); \(second)")
        }
    }

    /// The control: in doubt.
    @Test func unnamedSale_inDoubt_typedAgain_isHeldBack() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [shop] in
            _ = await client.sellUnnamed()
            let second = await client.sellUnnamed()
            #expect(shop.ledger.charges.count == 1, "\(second)")
        }
    }
}

/// What a person has to learn, and from which event.
@Suite struct AlertAttackTests {
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

    /// A refund frees the reference, it is paid again, and the refund fails later: two payments are active.
    private func activeTwice(over journal: any Journal) throws -> (
        heard: Heard, timeline: [PaymentEvent.Kind], states: [Attempt.State?]
    ) {
        let client = try shop.client(Fake(shop.ledger), over: journal)
        let heard = Heard(client, shop.stage)
        let second = try AttemptID("sale-2")
        let (timeline, states) = try shop.play { [shop, sale, refund] in
            #expect(await client.sell(attempt: sale).isApproved)
            #expect(await client.refund(of: sale, attempt: refund).isApproved)
            try await shop.wait(seconds: 10)
            #expect(await client.sell(attempt: second).isApproved)
            try await shop.wait(seconds: 10)
            var notice = ProviderNotice(
                .attempt(refund), nowDeclined(.failedAfterApproval), at: shop.stage.now, kind: "REFUND_FAILED")
            notice.operations = [.refund]
            shop.ledger.post(notice)
            await client.takeWebhook()
            try await shop.wait(seconds: 10)
            let one = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            let two = try await client.timeline(of: PaymentID(second)).map(\.kind)
            let states = [try await client.standing(of: refund), try await client.standing(of: second)]
            return (one + two, states)
        }
        return (heard, timeline, states)
    }

    @Test func twoActiveUnderOneReference_inMemory_isRaised() throws {
        let told = try activeTwice(over: shop.journal)
        #expect(told.states == [.reversed, .approved])
        #expect(
            told.heard.has(.activeTwice) || told.timeline.contains(.activeTwice), "\(told.heard.kinds) \(told.timeline)"
        )
    }

    @Test func twoActiveUnderOneReference_inSQLite_isRaised() throws {
        try JournalFolder().open { journal in
            let told = try activeTwice(over: journal)
            #expect(told.states == [.reversed, .approved])
            #expect(
                told.heard.has(.activeTwice) || told.timeline.contains(.activeTwice),
                "\(told.heard.kinds) \(told.timeline)")
        }
    }

    /// A message approves ten times the amount of a sale in doubt.
    @Test func messageOverTenfoldAmount_isRaised() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in
            try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-sale-1"])
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(.attempt(sale), [.sale], nowApproved(10_000, ["payment": "p-sale-1"]))
            await client.takeWebhook()
            try await shop.wait(seconds: 5)
            let timeline = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(
                heard.has(.otherAmount) || timeline.contains(.otherAmount), "heard \(heard.kinds), timeline \(timeline)"
            )
            #expect(heard.has(.otherAmount), "subscribers heard \(heard.kinds)")
        }
    }

    /// A lookup shows ten times the amount of a sale in doubt, under the name that the request gave itself.
    @Test func lookupOverTenfoldAmount_isRaised() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] in
            try await Fake.chargeWithoutReply(ledger, $0, $1, named: ["p-sale-1"])
        }
        driver.onLookup = { _, _ in .found(nowApproved(10_000, ["payment": "p-sale-1"])) }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale)
            #expect(told.saysUnknown, "\(told)")
            try await shop.wait(seconds: 5)
            let timeline = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(
                heard.has(.otherAmount) || timeline.contains(.otherAmount), "heard \(heard.kinds), timeline \(timeline)"
            )
        }
    }

    /// A message has the names of two refunds.
    @Test func messageThatFitsTwoAttempts_isRaised() throws {
        let client = try shop.client(Fake(shop.ledger))
        let heard = Heard(client, shop.stage)
        let second = try AttemptID("refund-2")
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            _ = await client.refund(300, of: sale, for: "item 1", attempt: refund)
            _ = await client.refund(300, of: sale, for: "item 2", attempt: second)
            post(
                .reference("r-refund-1", [.refund]), [.refund],
                nowDeclined(.failedAfterApproval, ["refund": "r-refund-2"]))
            let answer = try? await client.receiveWebhook([], from: "p")
            try await shop.wait(seconds: 5)
            let timeline = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(
                heard.has(.disputed) || timeline.contains(.disputed),
                "effect \(String(describing: answer?.items.map(\.effect))), heard \(heard.kinds), timeline \(timeline)")
        }
    }

    /// The outcome is over another amount, and is written only when the journal can be written again.
    @Test func otherAmount_writtenLater_isRaised() throws {
        let journal = FinishlessJournal(shop.journal)
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] _, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, .cents(1_200))
                return nowApproved(1_200, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver, over: journal)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            journal.fail(.notWritten("the disk is full"))
            let told = await client.sell(attempt: sale)
            journal.fail(nil)
            try await client.flush()
            try await shop.wait(seconds: 5)
            #expect(try await client.standing(of: sale) == .approved)
            #expect(heard.has(.otherAmount), "told \(told); subscribers heard \(heard.kinds)")
        }
    }

    /// An approved sale; a message hints, and the lookup shows that it was declined.
    @Test func lookupDeclinesAnApprovedSale_isRaised() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .found(nowDeclined(.declinedByProvider, ["payment": "p-sale-1"])) }
        let client = try shop.client(driver)
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            _ = await client.sell(attempt: sale)
            post(.attempt(sale), [.sale], nil)
            await client.takeWebhook()
            try await shop.wait(seconds: 20)
            let timeline = try await client.timeline(of: PaymentID(sale)).map(\.kind)
            #expect(
                heard.has(.contradiction) || timeline.contains(.contradiction),
                "heard \(heard.kinds), timeline \(timeline)")
        }
    }
}

/// What a caller learns while the journal fails.
@Suite struct JournalFailureAttackTests {
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

    private func toldWhileJournalFails(_ driver: Fake) throws -> (told: Told, later: Told) {
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(driver, over: journal)
        return try shop.play { [shop, sale] in
            journal.fail(.notWritten("the disk is full"))
            let told = await client.sell(attempt: sale)
            journal.fail(nil)
            try await client.flush()
            try await shop.wait(seconds: 5)
            return (told, await client.outcome(of: sale))
        }
    }

    /// A sale is declined as a duplicate, which proves nothing.
    @Test func declineAsDuplicate_journalFails_isNotReportedAsDecline() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                return nowDeclined(.duplicate)
            }
        }
        let (told, later) = try toldWhileJournalFails(driver)
        #expect(later.saysUnknown, "\(later)")
        #expect(!told.saysNothingMoved, "told: \(told), and later: \(later); charged \(shop.ledger.charges)")
    }

    @Test func declineAsDuplicate_journalWorks_isNotReportedAsDecline() throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                return nowDeclined(.duplicate)
            }
        }
        let client = try shop.client(driver)
        try shop.play { [sale] in
            let told = await client.sell(attempt: sale)
            #expect(told.saysUnknown, "\(told)")
        }
    }

    /// The reply is over ten times the amount, or in another currency, which is not believed.
    @Test(arguments: [Money(minorUnits: 10_000, .eur), Money(minorUnits: 1_000, .usd)])
    func unbelievableAmount_journalFails_isNotReportedAsApproved(_ said: Money) throws {
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in
                .approved(Approval(said, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let (told, later) = try toldWhileJournalFails(driver)
        #expect(later.saysUnknown, "\(later)")
        #expect(!told.isApproved, "told: \(told), and later: \(later)")
    }

    /// Of two copies of a refund the first is carried out and the second is refused; the journal fails.
    @Test func refundRefusedAsDone_journalFails_isUnknown() throws {
        let journal = FinishlessJournal(shop.journal)
        var driver = Fake(shop.ledger)
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.refund(context.attempt, request.amount)
                throw Refused(.conflict)
            }
        }
        let client = try shop.client(driver, over: journal)
        try shop.play { [shop, sale, refund] in
            _ = await client.sell(attempt: sale)
            journal.fail(.notWritten("the disk is full"))
            let told = await client.refund(400, of: sale, attempt: refund)
            journal.fail(nil)
            try await client.flush()
            let later = await client.outcome(of: refund)
            #expect(later.saysUnknown, "\(later)")
            #expect(!told.saysNothingMoved, "told: \(told), and later: \(later); \(shop.ledger.refunds)")
        }
    }

    /// A refund was approved and could not be written: what does the result say was refunded?
    @Test func refundNotRecorded_resultSaysWhatWasRefunded() throws {
        let journal = FinishlessJournal(shop.journal)
        let client = try shop.client(Fake(shop.ledger), over: journal)
        try shop.play { [sale, refund] in
            _ = await client.sell(attempt: sale)
            journal.fail(.notWritten("the disk is full"))
            let told = await client.refund(400, of: sale, attempt: refund)
            guard case .result(.approved(let payment)) = told else { return #expect(Bool(false), "\(told)") }
            #expect(!payment.isRecorded)
            #expect(payment.amounts.captured == .cents(1_000), "captured \(payment.amounts.captured)")
            #expect(payment.amounts.refunded == .cents(400), "refunded \(payment.amounts.refunded)")
        }
    }

    /// The database is set back to before the opening while the request is out.
    @Test func openingLostByARestore_replyApproved_isNotReportedAsNothingMoved() throws {
        let journal = SwappedJournal(shop.journal)
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.ledger.charge(context.attempt, request.amount)
                journal.swap(InMemoryJournal(processes: shop.owners.process("shop")))
                return nowApproved(request.amount.minorUnits, ["payment": "p-\(context.attempt)"])
            }
        }
        let client = try shop.client(driver, over: journal)
        try shop.play { [shop, sale] in
            let told = await client.sell(attempt: sale)
            #expect(!told.saysNothingMoved, "told: \(told); \(shop.ledger.charges)")
        }
    }
}

/// One attempt at two providers.
@Suite struct TwoProvidersAttackTests {
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

    /// Two exchanges at A, the second lost and proven absent; the routing goes to B, which declines; A's approval comes late.
    /// Then the merchant refunds at A's dashboard.
    private func lateApproval(twoExchanges: Bool) throws -> (status: Told, refund: Told, amounts: PaymentAmounts) {
        var a = Fake(shop.ledger, name: "a")
        a.plan = LookupPlan(every: 1_000, giveUpAfter: 60_000, quiet: 20_000)
        a.onLookup = { _, _ in .notFound(seesBack: nil) }
        a.onSale = { [ledger = shop.ledger] request, context in
            if twoExchanges {
                _ = try await context.exchange(.money) { _ in "created" }
                return try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount, as: "p-1")
                    throw Lost()
                }
            }
            return try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount, as: "p-1")
                throw Refused(.network, .notSent)
            }
        }
        var b = Fake(shop.ledger, name: "b")
        b.onSale = { _, context in
            try await context.exchange(.money) { _ in nowDeclined(.insufficientFunds, ["payment": "x-1"]) }
        }
        let first = try shop.client(a, b, owner: "A", routing: Routing(active: "a"))
        let second = try shop.client(a, b, owner: "B", routing: Routing(active: "b"))
        return try shop.play { [shop, sale] in
            _ = await first.sell(attempt: sale, withinSeconds: 300)
            _ = await second.sell(attempt: sale)
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-1"]))
            await second.takeWebhook(from: "a")
            try await shop.wait(seconds: 5)
            let status = await second.outcome(of: sale)
            shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
            post(.reference("dash-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-1")
            await second.takeWebhook(from: "a")
            let amounts = try await second.amounts(of: sale)
            return (status, await second.refund(of: sale), amounts)
        }
    }

    @Test(arguments: [true, false]) func lateApprovalOfFirstProvider_itsDashboardRefund_isCounted(_ two: Bool) throws {
        let told = try lateApproval(twoExchanges: two)
        #expect(told.status.isApproved, "\(told.status)")
        #expect(told.amounts.refunded == .cents(1_000), "refunded in the books: \(told.amounts.refunded)")
        #expect(shop.ledger.refundedCents == 1_000, "refunded \(shop.ledger.refunds); \(told.refund)")
    }

    @Test(arguments: [true, false]) func lateApprovalOfFirstProvider_resultNamesWhoHasTheMoney(_ two: Bool) throws {
        let told = try lateApproval(twoExchanges: two)
        guard case .result(.approved(let payment)) = told.status else { return #expect(Bool(false), "\(told.status)") }
        #expect(payment.provider.id == "a", "the result says that \(payment.provider.id) took it")
    }

    /// A's approval of an id is kept (its attempt was lost); then the id is sold at B.
    @Test func keptApprovalOfOneProvider_idIsSoldAtAnother_isNotChargedSilently() throws {
        let (a, b) = (Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"))
        let client = try shop.client(a, b, routing: Routing(active: "b"))
        let heard = Heard(client, shop.stage)
        try shop.play { [shop, sale] in
            shop.ledger.charge(sale, .cents(1_000), as: "p-a")
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
            await client.takeWebhook(from: "a")
            let told = await client.sell(attempt: sale)
            try await shop.wait(seconds: 5)
            let captured = try? await client.amounts(of: sale).captured
            let isRaised = heard.has(.contradiction) || heard.has(.disputed)
            #expect(
                shop.ledger.charges.count == 1 || isRaised || captured == .cents(2_000),
                "\(told); charged \(shop.ledger.charges); in the books \(String(describing: captured)); heard \(heard.kinds)"
            )
        }
    }

    /// The same provider: the kept approval stops the sale.
    @Test func keptApprovalOfTheSameProvider_stopsTheSale() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, sale] in
            shop.ledger.charge(sale, .cents(1_000), as: "p-a")
            post(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-a"]))
            await client.takeWebhook()
            let told = await client.sell(attempt: sale)
            #expect(shop.ledger.charges.count == 1 && told.isApproved, "\(told)")
        }
    }
}
