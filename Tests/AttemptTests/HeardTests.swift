import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTesting
import Testing

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

    /// Nobody waited any more but somebody who had asked for the status, and the next exchange was sent for him (rule 1).
    @Test func whoeverAsksForTheStatusKeepsNothingGoing() throws {
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

    /// A part was given back by another till while the first one's part was on its way; both fitted, and both were done
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

    /// The second one's process could not write, and its cashier was told that nothing had moved under an id under which
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

    /// What the customer sees on a screen came a second time by itself.
    @Test func whatIsShownIsNeverMadeAgainByItself() throws {
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
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer { throw .notWritten("the disk is full") }
}
