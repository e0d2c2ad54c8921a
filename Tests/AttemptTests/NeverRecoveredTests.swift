import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// What is unknown is asked about until it is known, whatever else lies in the journal.
@Suite struct NeverRecoveredTests {
    private let attempt: AttemptID
    private var shop = Shop()

    init() throws { attempt = try AttemptID("a1") }

    /// A driver that charges and never hears the answer; its lookups work as long as the network does.
    private func losing(_ network: Locked<Bool>) -> Fake {
        let company = shop.company
        var driver = Fake(company)
        driver.plan = LookupPlan(every: 1_000, giveUpAfter: 0)
        driver.onSale = { request, context in
            try await context.exchange(named: "order-of-\(context.attempt)") { _ -> Verdict in
                company.charge(context.attempt, request.amount)
                throw Lost()
            }
        }
        driver.onLookup = { inquiry, _ in
            guard network.withLock({ $0 }), let shown = company.shown(inquiry.attempt) else {
                return .cannotTell("It can't be seen now.")
            }
            return .found(shown)
        }
        return driver
    }

    /// Every program that shared our journal asked the provider about every open payment, all of them at once
    /// (rule 25).
    @Test
    func severalProcessesAskAboutAnOpenAttemptAsOftenAsOne() throws {
        func lookups(_ names: [String]) throws -> Int {
            let shop = Shop()
            let company = shop.company
            var driver = Fake(company)
            driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let clients = try names.map { try shop.client(driver, as: .among($0)) }
            return try shop.play { [attempt] in
                #expect(await clients[0].sell(attempt: attempt).saysUnknown)
                let before = company.lookupCount
                let works = clients.map { client in shop.beside { await client.recoverAlways() } }
                try await shop.wait(.seconds(3 * 86_400))
                for work in works { work.cancel() }
                return company.lookupCount - before
            }
        }
        let (one, three) = (try lookups(["one"]), try lookups(["one", "two", "three"]))
        #expect(one > 0)
        #expect(three <= one + 1, "one asks \(one) times, three ask \(three) times")
    }

    /// A provider that can't be reached costs a pass of recovery three time-outs, however many of its attempts are open.
    @Test func recovery_ofAnAccountThatIsSilent_asksThreeTimes() throws {
        let (company, asked) = (shop.company, Locked(0))
        var driver = Fake(company)
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        driver.onLookup = { _, _ in
            asked.withLock { $0 += 1 }
            throw Lost()
        }
        let client = try shop.client(driver)
        try shop.play {
            for number in 1...8 {
                _ = await client.sell(1_000, "order-\(number)", attempt: try AttemptID("b\(number)"))
            }
            asked.withLock { $0 = 0 }
            #expect(try await client.recover().count == 8)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    /// One row of the file was damaged, and from then on nothing was settled any more, without any report
    /// (rule 24).
    @Test
    func oneDamagedRowHarmsNoOtherAttempt() throws {
        let folder = try Folder()
        let network = Locked(false)
        let second = try AttemptID("a2")
        var shop = shop
        let file = try FileJournal(at: folder.file())
        shop.journal = file.staged
        let before = try shop.client(losing(network))
        try shop.play { [attempt] in
            #expect(await before.sell(700, "order-1", attempt: attempt).saysUnknown)
            #expect(await before.sell(700, "order-2", attempt: second).saysUnknown)
        }
        try file.close()
        #expect(try folder.damage("order-of-a1") > 0)
        let again = try FileJournal(at: folder.file())
        shop.journal = again.staged
        let after = try shop.client(losing(network))
        try shop.play { [shop] in
            try await shop.wait(.seconds(2 * 86_400))
            network.withLock { $0 = true }
            let work = shop.beside { await after.recoverAlways() }
            try await shop.wait(.seconds(600))
            work.cancel()
            // From now on only the record can tell.
            network.withLock { $0 = false }
            let fate = await after.fate(of: second)
            #expect(fate.isApproved, "\(fate)")
        }
        try again.close()
    }

    /// A thousand old payments about which the provider can not tell lay before it, and so mine was never asked about (rule 25).
    @Test
    func anOpenAttemptIsAskedAboutHoweverManyAreOlder() async throws {
        let folder = try Folder()
        let count = 1_000
        let file = try FileJournal(at: folder.file())
        var waiting = Fake(shop.company)
        waiting.onSale = { _, context in
            try await context.exchange(.money) { _ in .pending(Pending(shouldPoll: false)) }
        }
        waiting.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        try file.fill(pending: count, of: waiting.identity, at: shop.now)
        _ = try await Shop.plainClient(waiting, file.plain).sell(100, "order-last", attempt: attempt)
        try file.close()
        let again = try FileJournal(at: folder.file())
        var shop = shop
        shop.journal = again.staged
        let isAsked = Locked(false)
        waiting.onLookup = { [attempt] inquiry, _ in
            if inquiry.attempt == attempt { isAsked.withLock { $0 = true } }
            return .cannotTell("It can't be seen now.")
        }
        let client = try shop.client(waiting)
        try shop.play { [shop] in
            try await shop.wait(.seconds(2 * 86_400))
            let work = shop.beside { await client.recoverAlways() }
            try await shop.wait(.seconds(90))
            work.cancel()
        }
        #expect(isAsked.withLock { $0 })
        try again.close()
    }

    /// The disk was full for a moment when a sale ended in doubt; it was repaired, and in three days no lookup asked the
    /// provider, who knew (rule 21).
    @Test
    func doubtThatCouldNotBeWrittenIsAskedAboutAllTheSame() throws {
        var shop = shop
        let company = shop.company
        let journal = BreakableJournal()
        shop.journal = journal
        let network = Locked(false)
        var driver = losing(network)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                company.charge(context.attempt, request.amount)
                journal.setBroken(true)
                throw Lost()
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            #expect(await client.sell(attempt: attempt).saysUnknown)
            journal.setBroken(false)
            network.withLock { $0 = true }
            let work = shop.beside { await client.recoverAlways() }
            try await shop.wait(.seconds(3 * 86_400))
            work.cancel()
            network.withLock { $0 = false }
            let fate = await client.fate(of: attempt)
            #expect(fate.isApproved, "\(fate)")
        }
    }

    /// The message about a refund never came; a year later the bank said no, and I could not enter it, so that the amount
    /// stays reserved for ever (rule 16).
    @Test
    func aPersonDecidesWhatIsPending() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onFollow[.refund] = { _, context in
            try await context.exchange(.money) { _ in .pending(Pending(shouldPoll: false)) }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        let refund = try AttemptID("r1")
        try shop.play { [shop, attempt] in
            #expect(await client.sell(attempt: attempt).isApproved)
            _ = await client.giveBack(of: PaymentID(attempt), attempt: refund)
            #expect(try await client.amounts(of: attempt).refundable == .cents(0))
            try await shop.wait(.seconds(365 * 86_400))
            try await client.decide(refund, moved: nil, because: "the bank says no")
            #expect(try await client.amounts(of: attempt).refundable == .cents(1_000))
        }
    }

    /// I found a lost sale in the provider's own list and entered its number; the refund then had no number to send
    /// (rule 16).
    @Test
    func aSaleThatAPersonHasFoundCanBeRefunded() throws {
        let company = shop.company
        var driver = losing(Locked(false))
        driver.onFollow[.refund] = { request, context in
            guard let name = request.payment.references[Fake.nameForFollowUps] else {
                throw PaymentError.notExecuted(.notFound, "the payment has no reference of the provider's")
            }
            return try await context.exchange(.money) { _ in
                company.giveBack(context.attempt, request.amount, as: name)
                return .approved(Approval(request.amount))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            #expect(await client.sell(attempt: attempt).saysUnknown)
            try await client.decide(attempt, moved: "psp-77", because: "it stands in the provider's list")
            let told = await client.giveBack(of: PaymentID(attempt))
            #expect(told.isApproved, "\(told)")
            #expect(company.refunds.map(\.name) == ["psp-77"])
        }
    }

    /// I mixed up two numbers in the provider's list: the name of another of our payments is refused, and so is what can be
    /// no name; else one payment counts twice, and the wrong one is refunded.
    @Test
    func aNameThatAnotherPaymentHasIsNotTakenFromAPerson() throws {
        let client = try shop.client(losing(Locked(false)))
        try shop.play { [attempt] in
            let (lost, other) = (attempt, try AttemptID("other"))
            #expect(await client.sell(attempt: lost).saysUnknown)
            #expect(await client.sell(1_000, "order-2", attempt: other).saysUnknown)
            try await client.decide(other, moved: "psp-77", because: "it stands in the provider's list")
            for name in ["psp-77", "", "psp\u{1b}[31m", String(repeating: "7", count: 201)] {
                await #expect(throws: PaymentError.self, "\(name.debugDescription)") {
                    try await client.decide(lost, moved: name, because: "it stands in the provider's list, too")
                }
            }
            #expect(try await client.amounts(of: lost).captured == .cents(0))
            try await client.decide(lost, moved: "psp-78", because: "it stands in the provider's list, too")
        }
    }

    /// A payment was taken without a network and refused by the bank at night; for us it stays paid, since no lookup asked
    /// again (rule 25).
    @Test
    func anOfflineApprovalIsAskedAboutUntilItWasForwarded() throws {
        let client = try shop.client(offline())
        try shop.play { [shop, attempt] in
            let told = await client.sell(attempt: attempt)
            #expect(told.error == nil, "\(told)")
            let work = shop.beside { await client.recoverAlways() }
            try await shop.wait(.seconds(7 * 86_400))
            work.cancel()
            #expect(shop.company.lookupCount > 0)
            let fate = await client.fate(of: attempt)
            #expect(!fate.isApproved, "\(fate)")
        }
    }

    /// A payment was taken without a network, and I could refund money that was not taken yet (rule 25).
    @Test
    func anOfflineApprovalIsNotRefundedBeforeItWasForwarded() throws {
        let company = shop.company
        let client = try shop.client(offline())
        try shop.play { [attempt] in
            _ = await client.sell(attempt: attempt)
            let told = await client.giveBack(of: PaymentID(attempt))
            #expect(company.refunds.isEmpty, "\(told)")
        }
    }

    /// A driver that approves without the issuer, whose bank refuses when it is forwarded.
    private func offline() -> Fake {
        var driver = Fake(shop.company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                var approval = Approval(request.amount, references: ["payment": "p-1"])
                approval.isOffline = true
                return .approved(approval)
            }
        }
        driver.onLookup = { _, _ in .found(.declined(.failedLater)) }
        return driver
    }
}
