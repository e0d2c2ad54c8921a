import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// What is said about money is so, for every caller, and from every source.
@Suite struct MisreportedTests {
    private let attempt: AttemptID
    private let shop = Shop()

    init() throws { attempt = try AttemptID("a1") }

    /// We took a provider out of the configuration, and its paid orders were said never to have moved (rule 17).
    @Test
    func aPaidAttemptIsShownAlthoughItsProviderIsGone() throws {
        let company = shop.company
        let before = try shop.client(Fake(company, name: "old"))
        let after = try shop.client(Fake(company, name: "new"))
        try shop.play { [attempt] in
            #expect(await before.sell(attempt: attempt).isApproved)
            let fate = await after.fate(of: attempt)
            #expect(fate.payment?.attempt == attempt, "\(fate)")
        }
    }

    /// I used an id again by mistake, for 12.00 after a paid 10.00, and read of that id that nothing had moved
    /// (rules 17 and 18).
    @Test
    func aConflictDoesNotSayThatAPaidAttemptMovedNothing() throws {
        let company = shop.company
        let client = try shop.client(Fake(company))
        try shop.play { [attempt] in
            #expect(await client.sell(1_000, attempt: attempt).isApproved)
            let told = await client.sell(1_200, attempt: attempt)
            #expect(told.error?.code == .conflict && told.error?.attempt == attempt, "\(told)")
            #expect(!told.saysNothingMoved, "\(told)")
            #expect(company.charges.count == 1)
        }
    }

    /// The bank told me that nothing was charged, and I could not enter it because the provider was gone (rules 16, 17).
    @Test
    func aPersonDecidesAlthoughTheProviderIsGone() throws {
        let company = shop.company
        var old = Fake(company, name: "old")
        old.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let before = try shop.client(old)
        let after = try shop.client(Fake(company, name: "new"))
        try shop.play { [shop, attempt] in
            #expect(await before.sell(attempt: attempt).saysUnknown)
            // The request may still arrive for a while.
            await #expect(throws: PaymentError.self) {
                try await after.decide(attempt, moved: nil, because: "the bank says no")
            }
            try await shop.wait(.seconds(240))
            try await after.decide(attempt, moved: nil, because: "the bank says no")
            let fate = await after.fate(of: attempt)
            #expect(fate.saysNothingMoved && fate.error?.code != .configuration, "\(fate)")
        }
    }

    /// One open attempt of a provider that is gone, and after the restart nothing behind it was asked about (rule 25).
    @Test
    func recoveryPassesOverWhatCanNotBeAsked() throws {
        let company = shop.company
        let network = Locked(false)
        var old = Fake(company, name: "old")
        old.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                company.charge(context.attempt, request.amount)
                throw Lost()
            }
        }
        old.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        var new = Fake(company, name: "new")
        new.onSale = old.onSale
        new.onLookup = { inquiry, _ in
            guard network.withLock({ $0 }), let shown = company.shown(inquiry.attempt) else {
                return .cannotTell("It can't be seen now.")
            }
            return .found(shown)
        }
        let (before, after) = (try shop.client(old), try shop.client(new))
        let second = try AttemptID("a2")
        try shop.play { [attempt, shop] in
            #expect(await before.sell(700, "order-1", attempt: attempt).saysUnknown)
            #expect(await after.sell(700, "order-2", attempt: second).saysUnknown)
            try await shop.wait(.seconds(2 * 86_400))
            network.withLock { $0 = true }
            try await after.recoverAll()
            // From now on only the record can tell.
            network.withLock { $0 = false }
            let fate = await after.fate(of: second)
            #expect(fate.isApproved, "\(fate)")
        }
    }

    /// Another process took mine for dead and believed that nothing had arrived; then my approval came, and was thrown
    /// away (rules 8 and 9).
    @Test
    func anApprovedReplyCountsWhateverWasBelievedBefore() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.plan = .provingAbsence(after: .seconds(10), givingUpAfter: .seconds(0))
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(.seconds(30))
                company.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["payment": "p-1"]))
            }
        }
        driver.onLookup = { _, _ in .notFound(seesBack: nil) }
        let one = try shop.client(driver, as: .believingToBeAlone("one"))
        let two = try shop.client(driver, as: .believingToBeAlone("two"))
        try shop.play { [shop, attempt] in
            let sale = shop.beside { await one.sell(attempt: attempt) }
            try await shop.wait(.seconds(15))
            try await two.recoverAll()
            let told = await sale.value
            #expect(told.isApproved, "\(told)")
            for client in [one, two] {
                let fate = await client.fate(of: attempt)
                #expect(fate.isApproved, "\(fate)")
            }
            #expect(company.charges.count == 1)
        }
    }

    /// The customer's bank sent a refund back, by a clock two minutes behind ours, and the books say "refunded" for ever
    /// (rules 9 and 10).
    @Test
    func aRefundThatFailedCountsWhateverItsClockSays() throws {
        let company = shop.company
        let failure = Verdict.declined(.failedLater)
        var driver = Fake(company)
        driver.onFollow[.refund] = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                company.giveBack(context.attempt, request.amount)
                throw Lost()
            }
        }
        driver.onLookup = { inquiry, _ in .found(company.shownRefund(inquiry.attempt) ?? failure) }
        let client = try shop.client(driver)
        let refund = try AttemptID("r1")
        try shop.play { [shop, attempt] in
            #expect(await client.sell(attempt: attempt).isApproved)
            #expect(await client.giveBack(of: PaymentID(attempt), attempt: refund).isApproved)
            try await shop.wait(.seconds(60))
            company.takeBack(refund)
            company.post(.about(refund, failure, at: shop.now - 120_000, kind: "REFUND_FAILED"))
            try await client.hearWebhook()
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded == .cents(company.refunded))
            #expect(amounts.refundable == .cents(1_000))
        }
    }

    /// The provider's message was faster than its reply; we answered that all is well, and the refund stays pending
    /// (rule 15).
    @Test
    func aMessageThatComesBeforeItsReplyIsNotLost() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onFollow[.refund] = { [shop] request, context in
            try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount, as: "psp-1")
                try await shop.wait(.seconds(2))
                return .pending(Pending(references: ["refund": "psp-1"], shouldPoll: false))
            }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        let refund = try AttemptID("r1")
        try shop.play { [shop, attempt] in
            #expect(await client.sell(attempt: attempt).isApproved)
            let call = shop.beside { await client.giveBack(of: PaymentID(attempt), attempt: refund) }
            try await shop.wait(.seconds(1))
            let done = Verdict.approved(Approval(.cents(1_000), references: ["refund": "psp-1"]))
            company.post(.about(name: "psp-1", of: .refund, done, at: shop.now, kind: "REFUND"))
            try await client.hearWebhook()
            _ = await call.value
            try await shop.wait(.seconds(86_400))
            let fate = await client.fate(of: refund)
            #expect(fate.isApproved, "\(fate)")
            #expect(try await client.amounts(of: attempt).refunded == .cents(company.refunded))
        }
    }

    /// The first provider was not to be reached, and the second one refused the copy of a request that it had executed. I read that
    /// nothing had moved and took cash, and the card was charged (rules 8 and 17).
    @Test
    func doubtAtTheSecondProvider_afterTheFirstWasNotReached_isUnknown() throws {
        let company = shop.company
        var (one, two) = (Fake(company, name: "one", merchant: "m-1"), Fake(company, name: "two", merchant: "m-2"))
        one.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
        }
        two.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                company.charge(context.attempt, request.amount)
                throw Refused(.conflict)
            }
        }
        two.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client([one, two], Self.falling)
        try shop.play { [attempt] in
            let told = await client.sell(attempt: attempt)
            #expect(company.charges.count == 1)
            #expect(told.saysUnknown, "\(told)")
            #expect(told.error?.attempt == attempt, "\(told)")
            let fate = await client.fate(of: attempt)
            #expect(fate.saysUnknown, "\(fate)")
        }
    }

    /// One provider had the card and refused what it can't do; the next one got it, too (rule 29).
    @Test
    func noOtherProviderIsTriedAfterAMessageWithMoneyHasLeft() throws {
        let company = shop.company
        var one = Fake(company, name: "one")
        one.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in throw Refused(.unsupported) }
        }
        let client = try shop.client([one, Fake(company, name: "two")], Self.falling)
        try shop.play { [attempt] in
            let told = await client.sell(attempt: attempt)
            #expect(company.charges.isEmpty, "\(told)")
        }
    }

    /// A token that one provider gave out was sent to another when the first was not to be reached (rule 29).
    @Test
    func aTokenGoesToNoOtherProviderThanItsOwn() throws {
        let company = shop.company
        var one = Fake(company, name: "one")
        one.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
        }
        var two = Fake(company, name: "two")
        two.onSale = { request, context in
            company.hear("two was shown a \(request.source.kind)")
            return try await Fake.charge(company, request, context)
        }
        let client = try shop.client([one, two], Self.falling)
        try shop.play { [attempt] in
            let told = await client.sell(from: .token("tok-1", of: "one"), attempt: attempt)
            #expect(company.heard.isEmpty, "\(told)")
            #expect(company.charges.isEmpty)
        }
    }

    /// After the move the new provider was asked to charge the old one's instrument 4711, which may be a stranger's
    /// (rule 29).
    @Test
    func savedInstrument_isChargedOnlyByTheProviderThatKeepsIt() throws {
        let company = shop.company
        var new = Fake(company, name: "new")
        new.onDebit = { request, context in
            company.hear("new was asked to charge \(request.instrument.rawValue)")
            return try await context.exchange(.money) { _ in .approved(Approval(request.amount)) }
        }
        let client = try shop.client(new, draining: [Fake(company, name: "old")])
        try shop.play { [attempt] in
            let request = CardOnFileRequest(.cents(1_000), of: .kept("4711", by: "old"), reference: "order-1")
            let told = await Told { try await client.chargeCardOnFile(request, attempt: attempt) }
            #expect(company.heard.isEmpty, "\(told)")
        }
    }

    /// A real sale was asked for during its rehearsal, under the same id: it was approved, and nothing was charged
    /// (rule 17).
    @Test
    func aRealSaleIsNotAnsweredByItsRehearsal() throws {
        let company = shop.company
        let client = try shop.client(rehearsing())
        try shop.play { [shop, attempt] in
            var request = SaleRequest(.cents(2_000), from: try Cards.good(), reference: "order-1")
            request.isDryRun = true
            let rehearsal = request
            let dry = shop.beside { await Told { try await client.sale(rehearsal, attempt: attempt) } }
            try await shop.wait(.milliseconds(500))
            let real = await client.sell(2_000, attempt: attempt)
            #expect(real.isApproved == (company.charges.count == 1), "\(real)")
            _ = await dry.value
        }
    }

    /// The provider took no notice of the dry run and charged, and no book holds it (rule 9).
    @Test
    func aRehearsalThatWasChargedStandsInTheBooks() throws {
        let company = shop.company
        let client = try shop.client(rehearsing(ignoring: true))
        try shop.play { [attempt] in
            var request = SaleRequest(.cents(2_000), from: try Cards.good(), reference: "order-1")
            request.isDryRun = true
            let rehearsal = request
            _ = await Told { try await client.sale(rehearsal, attempt: attempt) }
            #expect(company.charged == 2_000)
            let fate = await client.fate(of: attempt)
            #expect(fate.isApproved, "\(fate)")
            #expect(try await client.amounts(of: attempt).captured == .cents(company.charged))
        }
    }

    /// Two providers, the second for what the first can't take.
    private static var falling: Routing {
        var routing = Routing(active: "one")
        routing.rules = [.init(["one", "two"])]
        return routing
    }

    /// A driver that takes a second, and charges unless it is a dry run.
    private func rehearsing(ignoring: Bool = false) -> Fake {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { [shop] request, context in
            try await shop.wait(.seconds(1))
            return try await context.exchange(.money) { _ in
                let isDry = request.isDryRun && !ignoring
                var approval = Approval(request.amount, references: ["payment": "p-\(context.attempt)"])
                approval.isDryRun = isDry
                if !isDry { company.charge(context.attempt, request.amount) }
                return .approved(approval)
            }
        }
        return driver
    }
}
