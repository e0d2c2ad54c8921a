import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// Sums agree with the provider's, a call takes no longer than it may, and one shop doesn't stand in another's way.
@Suite struct SumsAndDeadlinesTests {
    private let attempt: AttemptID
    private let shop = Shop()
    private var payment: PaymentID { PaymentID(attempt) }

    init() throws { attempt = try AttemptID("a1") }

    /// The customer gave a tip of 5.00 on 20.00 afterwards and paid 25.00, of which I could refund 20.00 (rule 23).
    @Test
    func aTipThatIsGivenLaterIsCounted() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onFollow[.tipAdjustment] = { request, context in
            try await context.exchange(.money) { _ in
                company.charge(context.attempt, .cents(500), as: "tip")
                return .approved(.tipped(.cents(500), total: .cents(2_500)))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt, payment] in
            #expect(await client.sell(2_000, attempt: attempt).isApproved)
            #expect(await Told { try await client.adjustTip(payment, to: .cents(500)) }.isApproved)
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.captured == .cents(company.charged))
            #expect(amounts.refundable == .cents(2_500))
            let refund = await client.giveBack(2_500, of: payment)
            #expect(refund.isApproved, "\(refund)")
            #expect(company.refunded == 2_500)
        }
    }

    /// I raised a hold to 120, which never left; then to 110; then to 120 again: the provider holds 120, and our books
    /// say 110 (rule 23).
    @Test
    func anAdjustmentThatIsBegunAgainCountsWhenItWasMade() throws {
        let company = shop.company
        let network = Locked(false)
        var driver = Fake(company)
        driver.onFollow[.adjust] = { request, context in
            try await context.exchange(.money) { _ in
                guard network.withLock({ $0 }) else { throw Refused(.network, .notSent) }
                company.hear("\(request.amount.minorUnits)")
                return .approved(Approval(request.amount))
            }
        }
        driver.onLookup = { inquiry, _ in .found(.approved(Approval(inquiry.amount))) }
        let client = try shop.client(driver)
        let (high, low) = (try AttemptID("x120"), try AttemptID("y110"))
        try shop.play { [attempt, payment, shop] in
            let card = try Cards.good()
            #expect(
                await Told {
                    try await client.authorize(.cents(10_000), from: card, reference: "order-1", attempt: attempt)
                }.isApproved)
            #expect(await Told { try await client.adjust(payment, to: .cents(12_000), attempt: high) }.saysNothingMoved)
            network.withLock { $0 = true }
            try await shop.wait(.seconds(1))
            #expect(await Told { try await client.adjust(payment, to: .cents(11_000), attempt: low) }.isApproved)
            try await shop.wait(.seconds(1))
            #expect(await Told { try await client.adjust(payment, to: .cents(12_000), attempt: high) }.isApproved)
            #expect(company.heard == ["11000", "12000"])
            #expect(try await client.amounts(of: attempt).authorized == .cents(12_000))
            let capture = await Told { try await client.capture(payment, of: .cents(12_000)) }
            #expect(capture.isApproved, "\(capture)")
        }
    }

    /// My call could take two seconds, and took two minutes, because another refund of the payment was under way
    /// (rule 20).
    @Test
    func aCallThatWaitsForItsTurnKeepsItsDeadline() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onFollow[.refund] = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(.seconds(120))
                company.giveBack(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt, payment] in
            #expect(await client.sell(attempt: attempt).isApproved)
            let first = shop.beside { await client.giveBack(100, of: payment) }
            try await shop.wait(.seconds(1))
            let taken = await shop.time { _ = await client.giveBack(100, of: payment, within: .seconds(2)) }
            #expect(taken <= .seconds(3))
            _ = await first.value
        }
    }

    /// My call could take two seconds, and took a minute, because an earlier attempt had to be looked up first
    /// (rule 20).
    @Test
    func aCallThatAsksAboutAnotherKeepsItsDeadline() throws {
        let client = try shop.client(losingSlowly(lookups: .seconds(60)))
        try shop.play { [shop] in
            #expect(await client.sell(within: .seconds(180)).saysUnknown)
            let taken = await shop.time { _ = await client.sell(within: .seconds(2)) }
            #expect(taken <= .seconds(3))
        }
    }

    /// One request for an access never came back, and until the restart no customer could pay; the one that had been stopped
    /// was said to continue although nothing had moved (rules 20 and 21).
    @Test
    func accessThatNeverComes_delaysNoOtherCall() throws {
        let company = shop.company
        let driver = SignedFake(company) { number in
            if number == 1 { try await Promise<Bool>().forever() }
            return AccessToken(Secret("token-\(number)"), expiresAt: .max)
        }
        let client = try shop.client(driver)
        let second = try AttemptID("a2")
        try shop.play { [shop, attempt] in
            let first = await client.sell(1_000, "order-1", attempt: attempt, within: .seconds(10))
            #expect(first.saysNothingMoved, "\(first)")
            try await shop.wait(.seconds(300))
            let next = await client.sell(1_000, "order-2", attempt: second, within: .seconds(60))
            #expect(next.isApproved, "\(next)")
            let again = await client.sell(1_000, "order-1", attempt: attempt, within: .seconds(60))
            #expect(again.isApproved, "\(again)")
            #expect(company.charges.count == 2)
        }
    }

    /// One of four who asked for a status went away while he waited for his turn, and two were let in at once (rule 32).
    @Test
    func callerThatLeavesTheQueue_letsNoOtherIn() throws {
        let inside = Locked((now: 0, most: 0))
        var driver = losingSlowly(lookups: .seconds(10))
        driver.onLookup = { [shop] _, _ in
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try? await shop.wait(.seconds(10))
            inside.withLock { $0.now -= 1 }
            return .cannotTell("It can't be seen now.")
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            _ = await client.sell(attempt: attempt)
            inside.withLock { $0 = (0, 0) }
            let questions = (0..<4).map { _ in
                Task(executorPreference: shop.stage) { await client.fate(of: attempt) }
            }
            try await shop.wait(.seconds(1))
            questions[1].cancel()
            for question in questions { _ = await question.value }
            #expect(inside.withLock { $0.most } == 1)
        }
    }

    /// I asked in the office about what the till was about to charge, heard that nothing had moved, and a moment later
    /// it was approved (rule 18).
    @Test
    func whatAnotherProcessIsAboutToChargeIsUnknown() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { [shop] request, context in
            try await shop.wait(.seconds(5))
            return try await Fake.charge(company, request, context)
        }
        let till = try shop.client(driver, as: .among("till"))
        let office = try shop.client(driver, as: .among("office"))
        try shop.play { [shop, attempt] in
            let sale = shop.beside { await till.sell(attempt: attempt) }
            try await shop.wait(.seconds(1))
            let fate = await office.fate(of: attempt)
            #expect(fate.saysUnknown, "\(fate)")
            #expect(await sale.value.isApproved)
        }
    }

    /// A message said that 999.00 were captured where we had captured 50.00, and no event was raised (rule 22).
    @Test
    func aMessageOverAnotherAmountIsRaised() throws {
        let company = shop.company
        let client = try shop.client(Fake(company))
        let capture = try AttemptID("c1")
        try shop.play { [shop, attempt, payment] in
            let card = try Cards.good()
            #expect(
                await Told {
                    try await client.authorize(.cents(10_000), from: card, reference: "order-1", attempt: attempt)
                }.isApproved)
            #expect(await Told { try await client.capture(payment, of: .cents(5_000), attempt: capture) }.isApproved)
            let listener = Listener(client, on: shop.stage)
            try await shop.wait(.seconds(60))
            let other = Verdict.approved(Approval(.cents(99_900)))
            company.post(.about(capture, other, at: shop.now, kind: "CAPTURE"))
            try await client.hearWebhook()
            try await shop.wait(.seconds(1))
            #expect(!listener.alarms(about: capture).isEmpty)
        }
    }

    /// I meant "as long as it takes" and gave the longest time that there is; the program crashed (rule 32).
    @Test func aDeadlineBeyondAYearIsAMistake() throws {
        let client = try shop.client(Fake(shop.company))
        try shop.play { [shop, attempt] in
            let told = await client.sell(attempt: attempt, within: .seconds(Int64.max))
            #expect(told.error?.code == .invalidRequest, "\(told)")
            #expect(shop.company.charges.isEmpty)
        }
    }

    /// Two shops keep their books in one file, each has its own order 1001, and the other's open one refused mine
    /// (rule 19).
    @Test
    func anotherShopsOpenOrderBlocksNoOther() throws {
        let company = shop.company
        var lost = losingSlowly(lookups: .seconds(1))
        lost.identity = Fake(company, name: "a", merchant: "m-a").identity
        let one = try shop.client(lost, as: .shop("shop-a"))
        let two = try shop.client(Fake(company, name: "b", merchant: "m-b"), as: .shop("shop-b"))
        try shop.play {
            #expect(await one.sell(1_000, "1001").saysUnknown)
            let told = await two.sell(300, "1001")
            #expect(told.isApproved, "\(told)")
            #expect(company.charges.count == 1)
        }
    }

    /// A driver whose sales are lost before they arrive, and whose lookups take their time and tell nothing.
    private func losingSlowly(lookups duration: Duration) -> Fake {
        var driver = Fake(shop.company)
        driver.plan = LookupPlan(every: 1_000, giveUpAfter: 0)
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        driver.onLookup = { [shop] _, _ in
            try await shop.wait(duration)
            return .cannotTell("It can't be seen now.")
        }
        return driver
    }
}
