import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// A journal's file, its shop, and a provider whose replies are lost and that can tell nothing while the test says so.
private struct Kept: Sendable {
    let shop = Shop()
    let folder: JournalFolder
    let isLost, canTell: Switch

    init(isLost: Bool = false) throws {
        (folder, self.isLost, canTell) = (try JournalFolder(), Switch(isLost), Switch(false))
    }

    var driver: Fake {
        var made = Fake(shop.ledger)
        let give = made.onRefund
        made.onSale = { [ledger = shop.ledger, isLost] in
            try await isLost.isOn ? Fake.chargeWithoutReply(ledger, $0, $1) : Fake.charge(ledger, $0, $1)
        }
        made.onRefund = { [isLost] request, context in
            if !isLost.isOn { return try await give(request, context) }
            return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
        }
        made.onLookup = { [ledger = shop.ledger, canTell] inquiry, _ in
            (canTell.isOn ? ledger.shown(inquiry.attempt) : nil).map(LookupResult.found) ?? .cannotTell("Not now.")
        }
        return made
    }

    func open(_ owner: String = "till", _ body: @escaping @Sendable (PaymentClient) async throws -> Void) throws {
        let driver = driver
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, owner: owner, over: journal)
            try shop.play { try await body(client) }
        }
    }

    /// Opens the journal as a tool does.
    func tool<Value: Sendable>(_ body: @escaping @Sendable (SQLiteJournal) async throws -> Value) throws -> Value {
        let file = folder.file
        return try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("tool"))
            let value: Result<Value, any Error>
            do { value = .success(try await body(journal)) } catch { value = .failure(error) }
            await journal.close()
            return try value.get()
        }
    }

    /// Prunes what is older than so many days from now.
    @discardableResult func prune(days: Int64) throws -> Int {
        let day = shop.stage.now + days * 86_400_000
        return try tool { try await $0.prune(before: day).payments }
    }
}

/// What a journal keeps survives its care: pruning, imports, copies, and the words of people.
@Suite struct KeptMoneyTests {
    private let sale, next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// A person names a payment by mistake and takes that back; then the payment is pruned. The name is another one's.
    @Test func nameThatAPersonTookBack_afterPruning_takesMessagesOfItsPayment() throws {
        let kept = try Kept(isLost: true)
        try kept.open { [sale, next] client in
            _ = await client.sell(attempt: sale)
            try await kept.shop.wait(seconds: 3_600)
            try await client.resolve(sale, as: .executed(name: "p-sale-2", nil), by: "Ann", reason: "wrong line")
            try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "a mistake")
            try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list")
            kept.isLost.turn(false)
            _ = await client.sell(1_000, "order-2", attempt: next)
        }
        let pruned = try kept.prune(days: 1)
        try #require(pruned == 1)
        try kept.open("later") { [next] client in
            try await kept.shop.wait(seconds: 60)
            kept.shop.ledger.refund(next, .cents(400), as: "dash-1")
            kept.shop.say(
                .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-2")
            await client.takeWebhook()
            let back = await client.refund(1_000, of: next)
            #expect(
                kept.shop.ledger.refundedCents <= 1_000, "\(back): 10.00 taken, given back \(kept.shop.ledger.refunds)")
        }
    }

    /// A label is kept for thirty days; on the third its payment is pruned.
    @Test(arguments: [false, true]) func labelKeptForAMonth_survivesPruning(_ prunes: Bool) throws {
        let kept = try Kept()
        @Sendable func pay(_ client: PaymentClient, _ id: AttemptID) async -> Told {
            let label = OrderReference("locker 5", holdsFor: .seconds(30 * 86_400))
            return await Told {
                try await client.sale(.cents(1_000), from: Cards.good(), reference: label, attempt: id)
            }
        }
        try kept.open { [sale] client in
            _ = await pay(client, sale)
            _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            try await kept.shop.wait(seconds: 3 * 86_400)
        }
        if prunes { try kept.prune(days: -1) }
        try kept.open("later") { [next] client in
            try await kept.shop.wait(seconds: 60)
            let again = await pay(client, next)
            let charged = kept.shop.ledger.charges.count { $0.cents == 1_000 }
            #expect(charged == 1, "the label is kept for 27 more days: \(again); charged \(charged) times")
        }
    }

    /// A message promises news of a sale that a person called not executed, and the provider can't tell at once.
    @Test(arguments: [false, true]) func lookupThatIsOwed_survivesPruning(_ prunes: Bool) throws {
        let kept = try Kept(isLost: true)
        try kept.open { [sale] client in
            _ = await client.sell(attempt: sale)
            try await kept.shop.wait(seconds: 3_600)
            try await client.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list yet")
            kept.isLost.turn(false)
            _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            try await kept.shop.wait(seconds: 3 * 86_400)
            kept.shop.say(.attempt(sale), [.sale], nil)
            await client.takeWebhook()
            try await kept.shop.wait(seconds: 5)
        }
        if prunes { try kept.prune(days: -1) }
        kept.canTell.turn(true)
        try kept.open("later") { [next] client in
            try await kept.shop.recover(client, seconds: 2 * 86_400)
            let again = await client.sell(attempt: next)
            let charged = kept.shop.ledger.charges.count { $0.cents == 1_000 }
            #expect(charged == 1, "the message was about a charge: \(again); charged \(charged) times")
        }
    }

    /// The list shows our sale that was in doubt; the import is repeated.
    @Test func importWithALineAboutOurSale_repeated_changesNothing() throws {
        let kept = try Kept(isLost: true)
        try kept.open { [sale] in _ = await $0.sell(attempt: sale) }
        let now = Attempt.Instant(wall: kept.shop.stage.now + 60_000, uptime: kept.shop.stage.now + 60_000)
        let line = try ImportedShop().line(takenAt: kept.shop.stage.now, attempt: "sale-1", order: "order-1")
        let first = try kept.tool { try await $0.adopt([line], at: now) }
        try #require(first == 1)
        let again = try kept.tool { try await $0.adopt([line], at: now) }
        #expect(again == 0)
    }

    /// A journal was moved and continues elsewhere; its old file is copied once more.
    @Test func movedJournal_copiedOnceMore_isRefusedOrChargesNothingTwice() throws {
        let (old, third, continued) = (try Kept(), try JournalFolder(), try JournalFolder())
        let (shop, driver) = (old.shop, old.driver)
        try old.open { [sale] in _ = await $0.sell(attempt: sale) }
        _ = try JournalCopy(
            from: try SQLiteSource(old.folder.file), to: SQLiteTarget(continued.file), isMove: true
        ).run()
        func sellSecond(_ folder: JournalFolder, _ owner: String) throws -> Told {
            try folder.open(as: shop.owners.process(owner)) { journal in
                let client = try shop.client(driver, owner: owner, over: journal)
                return try shop.play { await client.sell(1_000, "order-2") }
            }
        }
        _ = try sellSecond(continued, "continued")
        do {
            _ = try JournalCopy(from: try SQLiteSource(old.folder.file), to: SQLiteTarget(third.file), isMove: false)
                .run()
            try third.acceptRestored()
        } catch { return }
        let again = try sellSecond(third, "third")
        #expect(shop.ledger.charges.count == 2, "\(again): order-2 is charged twice, \(shop.ledger.charges)")
    }

    /// A sale is in doubt when its journal is moved; then a tool and a service recover in the old file.
    @Test func movedJournal_recoveredInTheOldFile_asksNoProvider() throws {
        let (old, continued, asked) = (try Kept(isLost: true), try JournalFolder(), Locked(0))
        try old.open { [sale] in _ = await $0.sell(attempt: sale) }
        _ = try JournalCopy(
            from: try SQLiteSource(old.folder.file), to: SQLiteTarget(continued.file), isMove: true
        ).run()
        var made = old.driver
        made.onLookup = { _, _ in
            asked.withLock { $0 += 1 }
            return .cannotTell("Not now.")
        }
        let (shop, driver) = (old.shop, made)
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, owner: "later", over: journal)
            try shop.play {
                let refused = await #expect(throws: PaymentError.self) { try await client.recover() }
                #expect(refused?.detail.contains("was moved") == true)
                try await shop.recover(client, seconds: 3_600)
            }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    /// The message about a refund that the backup lost is older than the day before which is pruned; then the gap is closed.
    @Test(arguments: [false, true]) func lostRefundToldUnderItsID_survivesPruningInTheGap(_ prunes: Bool) throws {
        let kept = try Kept()
        let refund = try AttemptID("refund-1")
        @Sendable func give(_ client: PaymentClient) async -> Told {
            await Told {
                try await client.refund(PaymentID(sale), of: .cents(400), reference: "item 1", attempt: refund)
            }
        }
        try kept.open("before") { [sale] in _ = await $0.sell(attempt: sale) }
        try kept.folder.backUp()
        try kept.open("lost") { _ = await give($0) }
        try kept.folder.restore()
        try kept.folder.acceptRestored()
        try kept.open("after") { client in
            kept.shop.say(.attempt(refund), [.refund], nowApproved(400, ["refund": "r-refund-1"]), of: "p-sale-1")
            await client.takeWebhook()
            try await kept.shop.wait(seconds: 3 * 86_400)
        }
        if prunes { try kept.prune(days: -1) }
        let now = Attempt.Instant(wall: kept.shop.stage.now, uptime: kept.shop.stage.now)
        _ = try kept.tool { try await $0.write(JournalEntry(.closeGap(by: "Ann")), WriteID("gap"), at: now) }
        try kept.open("later") { client in
            let again = await give(client)
            #expect(
                kept.shop.ledger.refundedCents == 400, "\(again): given back \(kept.shop.ledger.refunds.map(\.name))")
        }
    }

    /// Our refund failed at the provider; a person says that it was executed, under its own name.
    @Test func personNamesOurFailedRefund_isRefusedOrRaised() throws {
        let kept = try Kept()
        let refund = try AttemptID("refund-1")
        try kept.open { [sale] client in
            let heard = Heard(client, kept.shop.stage)
            _ = await client.sell(attempt: sale)
            _ = await client.refund(400, of: sale, attempt: refund)
            try await kept.shop.wait(seconds: 60)
            kept.shop.say(
                .attempt(refund), [.refund], nowDeclined(.failedAfterApproval, ["refund": "r-refund-1"]), of: "p-sale-1"
            )
            await client.takeWebhook()
            let yes = ManualResolution.executed(name: "r-refund-1", nil)
            let refused = (try? await client.resolve(refund, as: yes, by: "Ann", reason: "seen")) == nil
            try await kept.shop.wait(seconds: 5)
            let refunded = try await client.amounts(of: sale).refunded
            #expect(refused || refunded.isZero || heard.has(.contradiction), "failed, and in the books: \(refunded)")
        }
    }
}
