import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// The same thing asked for again by a caller that doesn't know what became of it: no money moves again before the caller has
/// heard (rule 19).
@Suite struct RepeatedSaleTests {
    private let shop = Shop()

    /// A driver whose replies are lost until the network is back.
    private func driver(_ network: Locked<Bool>, executing: Bool = true, name: String = "p") -> Fake {
        let company = shop.company
        var driver = Fake(company, name: name)
        driver.plan = .provingAbsence(after: .seconds(60), givingUpAfter: .seconds(3))
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                let isUp = network.withLock { $0 }
                if executing || isUp { company.charge(context.attempt, request.amount) }
                if !isUp { throw Lost() }
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        driver.onFollow[.refund] = { request, context in
            try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount)
                if !network.withLock({ $0 }) { throw Lost() }
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        driver.onLookup = { inquiry, _ in
            guard network.withLock({ $0 }) else { throw Lost() }
            guard let shown = company.shown(inquiry.attempt) ?? company.shownRefund(inquiry.attempt) else {
                return .notFound(seesBack: nil)
            }
            return .found(shown)
        }
        return driver
    }

    /// The reply was lost and the answer said not to charge again; when the network was back I entered the same line, and the
    /// customer paid twice (rule 19).
    @Test
    func repeatingASaleUnderItsReferenceChargesOnce() throws {
        let network = Locked(false)
        let company = shop.company
        let client = try shop.client(driver(network))
        try shop.play {
            let first = await client.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(first.saysUnknown, "\(first)")
            network.withLock { $0 = true }
            let again = await client.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(company.charges.count == 1, "\(again)")
            // The refused caller reads of the sale that there is.
            #expect((again.payment?.attempt ?? again.error?.attempt) == first.error?.attempt, "\(again)")
        }
    }

    /// The same by another process, a second terminal of the shop, long after the first one has found out (rule 19).
    @Test
    func theSameSaleAtAnotherTillChargesOnce() throws {
        let network = Locked(false)
        let company = shop.company
        let one = try shop.client(driver(network), as: .among("one"))
        let two = try shop.client(driver(network), as: .among("two"))
        try shop.play { [shop] in
            let first = await one.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(first.saysUnknown, "\(first)")
            network.withLock { $0 = true }
            try await one.recoverAll()
            try await shop.wait(.seconds(3_600))
            let again = await two.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(company.charges.count == 1, "\(again)")
        }
    }

    /// We had moved to another provider between the two lines, and the reference was the same (rule 19).
    @Test
    func theSameSaleAtAnotherProviderChargesOnce() throws {
        let network = Locked(false)
        let company = shop.company
        let (old, new) = (driver(network, name: "old"), driver(network, name: "new"))
        let (before, after) = (try shop.client(old), try shop.client(new, draining: [old]))
        try shop.play {
            let first = await before.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(first.saysUnknown, "\(first)")
            network.withLock { $0 = true }
            let again = await after.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(company.charges.count == 1, "\(again)")
        }
    }

    /// The reply to a refund of a part was lost, I entered it again, and the customer got it twice (rule 19).
    @Test
    func refund_replyLost_repeated_refundsOnce() throws {
        let network = Locked(true)
        let company = shop.company
        let client = try shop.client(driver(network))
        try shop.play {
            let sale = await client.sell(1_500)
            let payment = try #require(sale.payment?.id)
            network.withLock { $0 = false }
            let first = await client.giveBack(500, of: payment, within: .seconds(5))
            #expect(first.saysUnknown, "\(first)")
            network.withLock { $0 = true }
            let again = await client.giveBack(500, of: payment, within: .seconds(5))
            #expect(company.refunded == 500, "\(again)")
        }
    }

    /// The terminal took long to accept a refund, I entered it again, and the customer got it twice. Another refund of the
    /// same amount says what it is for.
    @Test(arguments: [true, false]) func aPendingRefundHoldsUpTheSameAmount(leaves: Bool) throws {
        let company = shop.company
        var driver = driver(Locked(true))
        driver.onFollow[.refund] = { [shop] request, context in
            try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount)
                try await shop.wait(.seconds(8))
                return .pending(Pending(references: ["refund": "r-\(context.attempt)"], shouldPoll: false))
            }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [shop] in
            let sale = await client.sell(1_500)
            let payment = try #require(sale.payment?.id)
            let first = await client.giveBack(500, of: payment, within: .seconds(leaves ? 2 : 60))
            #expect(first.saysUnknown == leaves, "\(first)")
            try await shop.wait(.seconds(60))
            let again = await client.giveBack(500, of: payment, within: .seconds(60))
            #expect(again.error?.code == .referenceInUse && company.refunded == 500, "\(again)")
            #expect(again.error?.attempt != nil && again.error?.outcome == .notExecuted)
            _ = await Told { try await client.refund(payment, of: .cents(500), reference: "item 2") }
            #expect(company.refunded == 1_000)
        }
    }

    /// What was proven never to have arrived blocks no order: the line that I enter again charges (rule 19).
    @Test func whatNeverArrivedIsChargedWhenItIsRepeated() throws {
        let network = Locked(false)
        let company = shop.company
        let client = try shop.client(driver(network, executing: false))
        try shop.play { [shop] in
            let first = await client.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(first.saysUnknown, "\(first)")
            network.withLock { $0 = true }
            try await shop.wait(.seconds(300))
            let again = await client.sell(1_500, "dbl-1", within: .seconds(5))
            #expect(again.isApproved, "\(again)")
            #expect(company.charges.count == 1)
        }
    }

    /// A reference pays once, whichever till knows of its payment and whatever the amount is (rule 19).
    @Test func sale_referenceIsPaid_namesThePaymentAndChargesNothing() throws {
        let company = shop.company
        let client = try shop.client(driver(Locked(true)))
        try shop.play {
            let first = await client.sell(1_500, "table-7")
            let again = await client.sell(2_500, "table-7")
            #expect(again.error?.code == .referenceInUse && again.error?.outcome == .notExecuted, "\(again)")
            #expect(again.error?.attempt == first.payment?.attempt && company.charges.count == 1)
        }
    }
}

/// Who may move money while others ask or wait; most of it was found by the simulation.
@Suite struct HeardTests {
    private let shop = Shop()

    /// A driver whose sale and refund are done and then wait for a door before they answer.
    private func driver(_ door: Promise<Bool>, slow: Set<PaymentOperation>) -> Fake {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                company.charge(context.attempt, request.amount)
                if slow.contains(.sale) { _ = await door.value() }
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        driver.onFollow[.refund] = { request, context in
            try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount)
                if slow.contains(.refund) { _ = await door.value() }
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        return driver
    }

    /// The cashier left, another caller asked for the status and got the approval; the cashier's second sale went through
    /// (rule 19).
    @Test func saleTypedAgain_afterAStatusQuestion_isRefused() throws {
        let door = Promise<Bool>()
        let client = try shop.client(driver(door, slow: [.sale]))
        let attempt = try AttemptID("a1")
        let company = shop.company
        try shop.play { [shop] in
            let sale = shop.beside { await client.sell(1_000, "order-1", attempt: attempt, within: .seconds(5)) }
            try await shop.wait(.seconds(2))
            let asked = shop.beside { await client.fate(of: attempt) }
            #expect(await sale.value.saysUnknown)
            door.fulfill(true)
            #expect(await asked.value.isApproved)
            let again = await client.sell(1_000, "order-1")
            #expect(again.error?.code == .referenceInUse && again.error?.attempt == attempt, "\(again)")
            #expect(company.charges.count == 1)
        }
    }

    /// Only a caller that had asked for the status still waited, and the next exchange was sent for it (rule 1).
    @Test func statusQuery_keepsNoAbandonedSaleRunning() throws {
        let company = shop.company
        let door = Promise<Bool>()
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.readOnly) { _ in _ = await door.value() }
            return try await Fake.charge(company, request, context)
        }
        let client = try shop.client(driver)
        let attempt = try AttemptID("a1")
        try shop.play { [shop] in
            let sale = shop.beside { await client.sell(1_000, "order-1", attempt: attempt, within: .seconds(5)) }
            try await shop.wait(.seconds(2))
            let asked = shop.beside { await client.fate(of: attempt) }
            try await shop.wait(.seconds(5))
            door.fulfill(true)
            _ = (await sale.value, await asked.value)
            #expect(company.charges.isEmpty)
        }
    }

    /// A part was refunded by another till while the first one's part was on its way; both fitted, and both were done
    /// (rule 19).
    @Test func aSecondPartWaitsForTheFirst() throws {
        let door = Promise<Bool>()
        let driver = driver(door, slow: [.refund])
        let one = try shop.client(driver, as: .among("one"))
        let two = try shop.client(driver, as: .among("two"))
        let company = shop.company
        try shop.play { [shop] in
            let sold = await one.sell(5_000, "order-1")
            let payment = try #require(sold.payment).id
            let first = shop.beside { await one.giveBack(1_000, of: payment) }
            try await shop.wait(.seconds(1))
            let second = await two.giveBack(1_000, of: payment, within: .seconds(2))
            #expect(second.error?.outcome == .notExecuted && company.refunds.count == 1, "\(second)")
            door.fulfill(true)
            #expect(await first.value.isApproved)
        }
    }

    /// The second one's process could not write, and its cashier read that nothing had moved under an id under which
    /// the first one had charged (rule 18).
    @Test func anErrorAboutACallThatNeverReachedTheJournalNamesNoAttempt() throws {
        let door = Promise<Bool>()
        let driver = driver(door, slow: [])
        let one = try shop.client(driver, as: .among("one"))
        var broken = shop
        broken.journal = RefusingJournal(shop.journal)
        let two = try broken.client(driver, as: .among("two"))
        let attempt = try AttemptID("a1")
        try shop.play {
            let failed = await two.sell(1_000, "order-2", attempt: attempt)
            #expect(failed.error?.code == .journal && failed.error?.outcome == .notExecuted, "\(failed)")
            #expect(failed.error?.attempt == nil)
            #expect(await one.sell(1_000, "order-1", attempt: attempt).isApproved)
        }
    }

    /// What the customer sees on a screen came a second time on its own.
    @Test func whatIsShownIsNeverRepeatedUnasked() throws {
        let company = shop.company
        for effect in [RequestEffect.visible, .money] {
            let tries = Locked(0)
            var driver = Fake(company)
            driver.onSale = { request, context in
                try await context.exchange(effect) { _ -> Verdict in
                    tries.withLock { $0 += 1 }
                    throw Refused(.providerUnavailable, .refused, mayRepeat: true)
                }
            }
            let client = try shop.client(driver)
            let told = try shop.play { await client.sell(1_000, "order-\(effect)") }
            #expect(told.error?.outcome == .notExecuted, "\(told)")
            #expect(tries.withLock { $0 } == (effect == .visible ? 1 : 3))
        }
    }
}

/// Reads and never writes.
private struct RefusingJournal: JournalWrapper {
    let inner: any Journal

    init(_ inner: any Journal) { self.inner = inner }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer { throw .notWritten("the disk is full") }
}
