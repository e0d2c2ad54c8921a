import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSQLite
import PaymentTestTill
import Testing

/// What reviewers suspected and no test had seen happen.
@Suite struct SuspicionTests {
    private let attempt: AttemptID
    private var shop = Shop()

    init() throws { attempt = try AttemptID("a1") }

    /// The file of last night was put back after a crash, and the provider got numbers that it had seen before
    /// (rule 31).
    @Test
    func aRestoredBackupGivesNoNumberTwice() throws {
        let folder = try Folder()
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            let number = try await context.number()
            company.hear("\(number)")
            return try await Fake.charge(company, request, context)
        }
        func day(_ references: [String]) throws {
            let file = try FileJournal(at: folder.file())
            var shop = shop
            shop.journal = file.staged
            let client = try shop.client(driver)
            try shop.play { for reference in references { _ = await client.sell(1_000, reference) } }
            try file.close()
        }
        try day(["monday-1"])
        try folder.copy("journal.sqlite", to: "backup.sqlite")
        try day(["tuesday-1", "tuesday-2"])
        #expect(company.heard.count == 3)
        try folder.copy("backup.sqlite", to: "journal.sqlite")
        try day(["wednesday-1", "wednesday-2"])
        #expect(Set(company.heard).count == company.heard.count, "\(company.heard)")
    }

    /// After the file of last night was put back, a sale of this afternoon was asked for again under its old name: the
    /// journal didn't know it, and it was charged twice (rule 31).
    @Test
    func whatWasNamedBeforeTheRestorationIsNotBegunAgain() async throws {
        let folder = try Folder()
        let company = shop.company
        let old = AttemptID(now: shop.now, random: shop.random)
        func day(_ asked: [(String, AttemptID?)]) throws -> [Told] {
            let file = try FileJournal(at: folder.file())
            var shop = shop
            shop.journal = file.staged
            let client = try shop.client(Fake(company))
            let told = try shop.play {
                var told: [Told] = []
                for (reference, attempt) in asked { told.append(await client.sell(1_000, reference, attempt: attempt)) }
                return told
            }
            try file.close()
            return told
        }
        _ = try day([("morning", nil)])
        try folder.copy("journal.sqlite", to: "backup.sqlite")
        let charged = try day([("afternoon", old)])
        #expect(charged.first?.isApproved == true)
        try folder.copy("backup.sqlite", to: "journal.sqlite")
        let refused = try day([("afternoon", old)])
        #expect(refused.first?.error?.code == .journal)
        let path = folder.file()
        #expect(try await SQLiteJournal.acceptRestored(path: path))
        let told = try day([("afternoon", old), ("evening", nil)])
        #expect(told[0].saysUnknown && told[0].error?.attempt == old, "\(told[0])")
        #expect(told[1].isApproved && company.charges.count == 3)
    }

    /// Two tills with a journal each sell on one account: both sold for 10.00, one sale arrived, and both tills took it
    /// for theirs (rule 12).
    @Test
    func oneChargeIsClaimedByOneJournalOnly() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                if company.charges.isEmpty { company.charge(context.attempt, request.amount) }
                throw Lost()
            }
        }
        driver.onLookup = { _, _ in
            .candidates(
                company.charges.map { charge in
                    .init(charge.name, .approved(Approval(.cents(charge.cents), references: ["payment": charge.name])))
                })
        }
        var neighbour = shop
        neighbour.journal = memoryJournal()
        let (one, two) = (try shop.client(driver), try neighbour.client(driver))
        let second = try AttemptID("a2")
        try shop.play { [attempt] in
            let told = [
                await one.sell(1_000, "order-1", attempt: attempt), await two.sell(1_000, "order-2", attempt: second),
            ]
            #expect(told.filter(\.isApproved).count <= company.charges.count, "\(told)")
        }
    }

    /// Two programs share a provider that keeps one access alive at a time: each took the other's away, and a payment
    /// failed that needn't have (no rule says how often).
    @Test
    func twoProcessesWithOneAccessBothGetThrough() throws {
        let company = shop.company
        let valid = Locked("")
        func driver(_ name: String) -> SignedFake {
            var driver = SignedFake(company) { number in
                let token = "\(name)-\(number)"
                valid.withLock { $0 = token }
                return AccessToken(Secret(token), expiresAt: .max)
            }
            driver.take = { [shop] access in
                try await shop.wait(.seconds(1))
                if access.value.expose() != valid.withLock({ $0 }) { throw Refused(.authentication) }
            }
            return driver
        }
        let one = try shop.client(driver("one"), as: .among("one"))
        let two = try shop.client(driver("two"), as: .among("two"))
        try shop.play { [shop] in
            _ = await one.sell(1_000, "warm-1")
            _ = await two.sell(1_000, "warm-2")
            // The provider forgets every access at midnight.
            valid.withLock { $0 = "" }
            let first = shop.beside { await one.sell(1_000, "order-1") }
            try await shop.wait(.milliseconds(500))
            let second = shop.beside { await two.sell(1_000, "order-2") }
            for told in [await first.value, await second.value] { #expect(told.isApproved, "\(told)") }
            #expect(company.charges.count == 4)
        }
    }

    /// A newer program had written a word that the older one doesn't know, and the older one settled nothing any more
    /// (rules 24 and 28).
    @Test
    func aWordFromALaterVersionHarmsNoOtherAttempt() throws {
        let folder = try Folder()
        let network = Locked(false)
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
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
        let second = try AttemptID("a2")
        var shop = shop
        let file = try FileJournal(at: folder.file())
        shop.journal = file.staged
        let before = try shop.client(driver)
        try shop.play { [attempt] in
            #expect(await before.sell(700, "order-1", attempt: attempt).saysUnknown)
            #expect(await before.sell(700, "order-2", attempt: second).saysUnknown)
        }
        try file.close()
        try FileJournal.writeLaterWord(about: attempt, at: folder.file())
        let again = try FileJournal(at: folder.file())
        shop.journal = again.staged
        let after = try shop.client(driver)
        try shop.play { [shop] in
            try await shop.wait(.seconds(2 * 86_400))
            network.withLock { $0 = true }
            let work = shop.beside { await after.recoverAlways() }
            try await shop.wait(.seconds(600))
            work.cancel()
            network.withLock { $0 = false }
            let fate = await after.fate(of: second)
            #expect(fate.isApproved, "\(fate)")
        }
        try again.close()
    }

    /// The disk failed twice when something was to be made durable and then worked again; after the restart a journal
    /// that had lost nothing was refused (no rule names it).
    @Test
    func aLogAfterTwoFailedCommitsIsTaken() throws {
        var shop = shop
        let disk = try FaultyDisk()
        defer { disk.end() }
        let file = try FileJournal(at: disk.folder.file())
        shop.journal = file.staged
        let client = try shop.client(Fake(shop.company))
        try shop.play { [attempt] in
            #expect(await client.sell(attempt: attempt).isApproved)
            func add(_ word: String, _ length: Int) async -> Bool {
                let attributes = ["words": String(repeating: "x", count: length)]
                return
                    (try? await client.addEvent(.init(rawValue: word), to: PaymentID(attempt), attributes: attributes))
                    != nil
            }
            // Each writes less than the one before, so that the ends of both stand behind what comes after them.
            disk.refuseSyncs(1_000)
            #expect(!(await add("first", 80_000)))
            #expect(!(await add("second", 40_000)))
            disk.refuseSyncs(0)
            #expect(await add("third", 1))
        }
        // What a process leaves that is killed: the file and its log as they are.
        try disk.folder.copyWithLog("journal.sqlite", to: "found.sqlite")
        try file.close()
        let found = try FileJournal(at: disk.folder.file("found.sqlite"))
        shop.journal = found.staged
        let after = try shop.client(Fake(shop.company))
        try shop.play { [attempt] in
            #expect(await after.fate(of: attempt).isApproved)
            let last = try await after.timeline(of: PaymentID(attempt)).last
            #expect(last?.kind.rawValue == "third")
        }
        try found.close()
    }

    /// We took over a payment of which half had been refunded before, and could refund the whole (rule 27).
    @Test
    func importedPayment_knowsWhatWasRefunded() throws {
        let folder = try Folder()
        let company = shop.company
        let driver = Fake(company)
        var shop = shop
        let file = try FileJournal(at: folder.file())
        try file.adopt("old-1", of: driver.identity, refunded: .cents(400))
        shop.journal = file.staged
        let client = try shop.client(driver)
        let old = PaymentID(try AttemptID("old-1"))
        try shop.play {
            let whole = await client.giveBack(1_000, of: old)
            #expect(company.refunds.isEmpty, "\(whole)")
            let rest = await client.giveBack(600, of: old)
            #expect(rest.isApproved, "\(rest)")
        }
        try file.close()
    }

    /// A driver noted the terminal's number, another payment had the same number for its name, and the message about it
    /// was dropped (facts: a note is no name).
    @Test
    func aNoteTakesNoOthersName() throws {
        let company = shop.company
        let client = try shop.client(pending(noting: "77"))
        let second = try AttemptID("a2")
        try shop.play { [shop, attempt] in
            _ = await client.sell(1_000, "order-1", attempt: attempt)
            _ = await client.sell(1_000, "order-2", attempt: second)
            let paid = Verdict.approved(Approval(.cents(1_000), references: ["payment": "77"]))
            company.post(.about(name: "77", of: .sale, paid, at: shop.now, kind: "PAID"))
            try await client.hearWebhook()
            let fate = await client.fate(of: second)
            #expect(fate.isApproved, "\(fate)")
        }
    }

    /// I gave another payment's number as the reason of my decision, and the message about that payment was dropped
    /// (facts: a note is no name).
    @Test
    func aReasonTakesNoOthersName() throws {
        let company = shop.company
        let client = try shop.client(pending(noting: nil))
        let second = try AttemptID("a2")
        try shop.play { [shop, attempt] in
            #expect(await client.sell(1_000, "order-1", attempt: attempt).saysUnknown)
            _ = await client.sell(1_000, "order-2", attempt: second)
            try await client.decide(attempt, moved: "78", because: "77")
            let paid = Verdict.approved(Approval(.cents(1_000), references: ["payment": "77"]))
            company.post(.about(name: "77", of: .sale, paid, at: shop.now, kind: "PAID"))
            try await client.hearWebhook()
            let fate = await client.fate(of: second)
            #expect(fate.isApproved, "\(fate)")
        }
    }

    /// My request came twice on its way: the first was charged, the second was answered "declined, a duplicate", and I
    /// told the customer that he had not paid (rule 14).
    @Test
    func aDeclineOfADuplicateIsNoProofThatNothingWasDone() throws {
        let company = shop.company
        var driver = Fake(company)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                company.charge(context.attempt, request.amount)
                return try .refusedAsDuplicate()
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            let told = await client.sell(attempt: attempt)
            #expect(!told.saysNothingMoved, "\(told)")
        }
    }

    /// The provider refused to show us anything, for want of a right; all that I read was that it is unknown
    /// (rule 20).
    @Test
    func whyALookupCouldNotTellIsShown() throws {
        var driver = Fake(shop.company)
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        driver.onLookup = { _, _ in
            throw Refused(.permission, saying: ProviderMessage(code: "403", message: "the role is missing"))
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            _ = await client.sell(attempt: attempt)
            let fate = await client.fate(of: attempt)
            #expect(fate.saysUnknown)
            #expect(fate.description.contains("403"), "\(fate)")
        }
    }

    /// A driver whose first sale is lost or noted, and whose second one is accepted under the name 77.
    private func pending(noting note: String?) -> Fake {
        var driver = Fake(shop.company)
        driver.onSale = { request, context in
            let isFirst = context.attempt.text == "a1"
            if isFirst, let note { try context.note("terminal", note) }
            return try await context.exchange(.money) { _ in
                guard isFirst else { return .pending(Pending(references: ["payment": "77"], shouldPoll: false)) }
                if note == nil { throw Lost() }
                return .approved(Approval(request.amount, references: ["payment": "76"]))
            }
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        return driver
    }
}
