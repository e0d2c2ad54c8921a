import PaymentBase
import PaymentDriverKit
import PaymentTestTill
import Testing

/// A customer pays once, whatever breaks on the way. The numbers are those of the rules of the attempt protocol.
@Suite struct ChargedTwiceTests {
    private let attempt: AttemptID
    private let shop = Shop()

    init() throws { attempt = try AttemptID("a1") }

    /// The first try was busy after two minutes, the second one broke off, the terminal charged half a minute later;
    /// I read ten seconds after the second try that nothing had arrived, and so I charged again (rule 11).
    @Test
    func aSecondTryThatBreaksOffIsNotSilentSinceTheFirst() throws {
        let company = shop.company
        var driver = Fake(company, name: "terminal")
        driver.plan = .provingAbsence(after: .seconds(150), givingUpAfter: .seconds(160))
        let isRepaired = Locked(false)
        driver.onSale = { [shop] request, context in
            if isRepaired.withLock({ $0 }) { return try await Fake.charge(company, request, context) }
            return try await context.exchange(.money) { exchange -> Verdict in
                guard exchange.number > 1 else {
                    try await shop.wait(.seconds(140))
                    throw Refused(.providerUnavailable, mayRepeat: true)
                }
                shop.after(.seconds(35)) { company.charge(context.attempt, request.amount) }
                try await shop.wait(.seconds(5))
                throw Lost()
            }
        }
        driver.onLookup = { inquiry, _ in
            company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            let first = await client.sell(attempt: attempt, within: .seconds(600))
            #expect(!first.saysNothingMoved, "\(first)")
            isRepaired.withLock { $0 = true }
            _ = await client.sell(attempt: attempt, within: .seconds(600))
            try await shop.wait(.seconds(100))
            #expect(company.charges.count == 1)
        }
    }

    /// The machine got its time from the network while the card was charged, and at once everything was long ago; I
    /// read that nothing had arrived (rule 11).
    @Test
    func aClockThatIsSetForwardMakesNothingSilent() throws {
        var shop = Shop()
        let company = shop.company
        let clock = WallClock(shop.stage)
        shop.clock = clock
        var driver = Fake(company)
        driver.plan = .provingAbsence(after: .seconds(150), givingUpAfter: .seconds(20))
        driver.onSale = { [shop] request, context in
            if company.heard.contains("a message") { return try await Fake.charge(company, request, context) }
            return try await context.exchange(.money) { _ in
                company.hear("a message")
                shop.after(.seconds(35)) { company.charge(context.attempt, request.amount) }
                clock.set(forwardBy: .seconds(30 * 86_400))
                throw Lost()
            }
        }
        driver.onLookup = { inquiry, _ in
            company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        }
        let client = try shop.client(driver)
        try shop.play { [attempt, shop] in
            let first = await client.sell(attempt: attempt, within: .seconds(30))
            #expect(!first.saysNothingMoved, "\(first)")
            _ = await client.sell(attempt: attempt, within: .seconds(30))
            try await shop.wait(.seconds(100))
            #expect(company.charges.count == 1)
        }
    }

    /// I repeated a sale after we had moved to another provider, and heard that nothing had moved; the old provider had
    /// charged it (rule 17).
    @Test
    func aSaleThatIsRepeatedAfterASwitchIsAnsweredFromItsRecord() throws {
        let company = shop.company
        let old = Fake(company, name: "old")
        let new = Fake(company, name: "new", sources: [.reader])
        let (before, after) = (try shop.client(old), try shop.client(new, draining: [old]))
        try shop.play { [attempt] in
            #expect(await before.sell(attempt: attempt).isApproved)
            let again = await after.sell(attempt: attempt)
            #expect(again.payment?.attempt == attempt, "\(again)")
            #expect(company.charges.count == 1)
        }
    }

    /// Two tills took one sale at one moment, one of them at another provider already; that one didn't know the sale, I
    /// read that nothing had moved, and the card was charged (rules 12 and 17).
    @Test
    func whatAnotherProviderDoesNotKnowOfProvesNothing() throws {
        let (company, stranger) = (shop.company, Company())
        var old = Fake(company, name: "old")
        old.plan = .provingAbsence(after: .seconds(150), givingUpAfter: .seconds(20))
        old.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                shop.after(.seconds(60)) { company.charge(context.attempt, request.amount) }
                throw Lost()
            }
        }
        old.onLookup = { inquiry, _ in
            company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        }
        var new = Fake(stranger, name: "new", merchant: "other")
        new.plan = .provingAbsence(after: .seconds(2), givingUpAfter: .seconds(20))
        new.onSale = { [shop] request, context in
            // The other till begins during it.
            try await shop.wait(.seconds(5))
            return try await Fake.charge(stranger, request, context)
        }
        new.onLookup = { _, _ in .notFound(seesBack: nil) }
        let (before, after) = (
            try shop.client(old, as: .among("before")), try shop.client(new, as: .among("after"))
        )
        try shop.play { [attempt, shop] in
            let second = shop.beside { await after.sell(attempt: attempt, within: .seconds(40)) }
            try await shop.wait(.seconds(1))
            let first = await before.sell(attempt: attempt, within: .seconds(30))
            #expect(first.saysUnknown, "\(first)")
            let told = await second.value
            #expect(told.saysUnknown, "\(told)")
            #expect(stranger.charges.isEmpty)
        }
    }

    /// The reply of the old provider was lost, the outcome was unknown, and after the move the same sale said that nothing had moved
    /// (rules 17 and 18).
    @Test
    func aSaleInDoubtStaysInDoubtAfterASwitch() throws {
        let company = shop.company
        var old = Fake(company, name: "old")
        old.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let new = Fake(company, name: "new", sources: [.reader])
        let (before, after) = (try shop.client(old), try shop.client(new, draining: [old]))
        try shop.play { [attempt] in
            #expect(await before.sell(attempt: attempt).saysUnknown)
            let again = await after.sell(attempt: attempt)
            #expect(again.saysUnknown, "\(again)")
            #expect(again.error?.attempt == attempt)
        }
    }

    /// I repeated a refund of a part, which had been made, after the provider had stopped to take parts, and heard that
    /// nothing had moved (rule 17).
    @Test
    func aRefundThatIsRepeatedIsAnsweredFromItsRecordBeforeAnythingIsChecked() throws {
        let company = shop.company
        var narrow = Fake(company)
        narrow.capabilities.partialRefund = false
        let (before, after) = (try shop.client(Fake(company)), try shop.client(narrow))
        let refund = try AttemptID("r1")
        try shop.play { [attempt] in
            #expect(await before.sell(attempt: attempt).isApproved)
            #expect(await before.giveBack(400, of: PaymentID(attempt), attempt: refund).isApproved)
            let again = await after.giveBack(400, of: PaymentID(attempt), attempt: refund)
            #expect(again.payment?.attempt == refund, "\(again)")
            #expect(company.refunded == 400)
        }
    }

    /// The same, when the provider is not even configured any more (rule 17).
    @Test
    func aRefundThatIsRepeatedIsAnsweredFromItsRecordAlthoughItsProviderIsGone() throws {
        let company = shop.company
        let before = try shop.client(Fake(company, name: "old"))
        let after = try shop.client(Fake(company, name: "new"))
        let refund = try AttemptID("r1")
        try shop.play { [attempt] in
            #expect(await before.sell(attempt: attempt).isApproved)
            #expect(await before.giveBack(400, of: PaymentID(attempt), attempt: refund).isApproved)
            let again = await after.giveBack(400, of: PaymentID(attempt), attempt: refund)
            #expect(again.payment?.attempt == refund, "\(again)")
            #expect(company.refunded == 400)
        }
    }

    /// While the customer typed the PIN, a message said that the first step was declined; the till told him so, the card
    /// was charged all the same, and he paid again (rules 1 and 13).
    @Test(arguments: ["the till", "the office"])
    func aDeclineInTheMiddleEndsTheSaleOrIsNoDecline(_ hearer: String) throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { [shop] request, context in
            if context.attempt.text != "a1" { return try await Fake.charge(company, request, context) }
            _ = try await context.exchange(.money) { _ in true }
            try await shop.wait(.seconds(5))
            return try await Fake.charge(company, request, context)
        }
        let till = try shop.client(driver, as: .among("till"))
        let office = hearer == "the till" ? till : try shop.client(driver, as: .among("office"))
        let next = try AttemptID("a2")
        try shop.play { [shop, attempt] in
            let sale = shop.beside { await till.sell(attempt: attempt) }
            try await shop.wait(.seconds(1))
            company.post(.about(attempt, .declined(.plain), at: shop.now, kind: "AUTHORISATION"))
            try await office.hearWebhook()
            let told = await sale.value
            try await shop.wait(.seconds(60))
            #expect(told.isApproved == (company.charges.count == 1), "\(told), charged \(company.charges.count) times")
            let fate = await till.fate(of: attempt)
            #expect(fate.isApproved == told.isApproved, "\(fate)")
            if told.isDeclined { _ = await till.sell(attempt: next) }
            #expect(company.charges.count == 1)
        }
    }

    /// A decline of the first round arrived during the second: the second was reported as declined, and was charged
    /// (rules 10 and 13).
    @Test
    func anOldDeclineDecidesNoNewRound() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.plan = .provingAbsence(after: .seconds(5), givingUpAfter: .seconds(20))
        driver.onSale = { [shop] request, context in
            let isFirst = company.heard.isEmpty
            company.hear("a round")
            return try await context.exchange(.money) { _ in
                if isFirst { throw Lost() }
                try await shop.wait(.seconds(10))
                company.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["payment": "p-2"]))
            }
        }
        driver.onLookup = { inquiry, _ in
            company.shown(inquiry.attempt).map { LookupResult.found($0) } ?? .notFound(seesBack: nil)
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            let declinedAt = shop.now + 1_000
            _ = await client.sell(attempt: attempt)
            try await shop.wait(.seconds(60))
            #expect(await client.fate(of: attempt).error?.code == .notReceived)
            let second = shop.beside { await client.sell(attempt: attempt) }
            try await shop.wait(.seconds(2))
            company.post(.about(attempt, .declined(.plain), at: declinedAt, kind: "AUTHORISATION"))
            try await client.hearWebhook()
            let told = await second.value
            try await shop.wait(.seconds(20))
            #expect(company.charges.count == 1)
            #expect(told.isApproved, "\(told)")
            #expect(await client.fate(of: attempt).isApproved)
        }
    }

    /// The first round was charged after all, under a name that was no longer known: the message left no
    /// event, and the customer's second charge stood in no book (rules 9, 13 and 23).
    @Test
    func aLateReportAboutAnEarlierRunIsRecordedAndCounted() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.plan = .provingAbsence(after: .seconds(5), givingUpAfter: .seconds(20))
        driver.onSale = { request, context in
            let number = company.charges.count + 1
            return try await context.exchange(named: "order-\(number)") { _ in
                company.charge(context.attempt, request.amount, as: "p-\(number)")
                if number == 1 { throw Lost() }
                return .approved(Approval(request.amount, references: ["payment": "p-\(number)"]))
            }
        }
        driver.onLookup = { _, _ in .notFound(seesBack: nil) }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            _ = await client.sell(attempt: attempt)
            try await shop.wait(.seconds(60))
            #expect(await client.fate(of: attempt).error?.code == .notReceived)
            #expect(await client.sell(attempt: attempt).isApproved)
            let listener = Listener(client, on: shop.stage)
            let paid = Verdict.approved(Approval(.cents(1_000), references: ["payment": "p-1"]))
            company.post(.about(name: "order-1", of: .sale, paid, at: shop.now, kind: "PAID"))
            try await client.hearWebhook()
            try await shop.wait(.seconds(1))
            #expect(!listener.alarms(about: attempt).isEmpty, "somebody is told that it was charged twice")
            #expect(try await client.amounts(of: attempt).captured == .cents(company.charged))
        }
    }

    /// The provider wanted us to wait, I gave up and went, and ten minutes later the card was charged with no customer there
    /// (rule 1).
    @Test
    func sale_allCallersLeftBeforeSend_sendsNothing() throws {
        let company = shop.company
        let client = try shop.client(busyForTenMinutes())
        try shop.play { [shop, attempt] in
            let sale = Task(executorPreference: shop.stage) { await client.sell(attempt: attempt) }
            try await shop.wait(.seconds(10))
            sale.cancel()
            let told = await sale.value
            try await shop.wait(.seconds(3_600))
            #expect(company.charges.isEmpty, "\(told)")
            #expect(!(await client.fate(of: attempt)).isApproved)
        }
    }

    /// The provider wanted us to wait longer than my call may take; the call ended, and the card was charged later
    /// (rules 1 and 5).
    @Test
    func aWaitBeyondTheDeadlineEndsTheSale() throws {
        let company = shop.company
        let client = try shop.client(busyForTenMinutes())
        try shop.play { [shop, attempt] in
            let told = await client.sell(attempt: attempt, within: .seconds(60))
            try await shop.wait(.seconds(3_600))
            #expect(company.charges.isEmpty, "\(told)")
        }
    }

    private func busyForTenMinutes() -> Fake {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { exchange in
                if exchange.number == 1 { throw Refused(.rateLimited, mayRepeat: true, wait: 600_000) }
                company.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount))
            }
        }
        return driver
    }
}
