import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// A backup that was put back, which no person has accepted.
@Suite struct FifthAttackRestoreTests {
    private let sale: AttemptID
    private let lost: AttemptID

    init() throws { (sale, lost) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// The restored journal takes messages in that time, more than the backup lost entries: it still begins nothing.
    @Test(arguments: [false, true]) func restoredJournal_thatTookManyMessages_stillBeginsNothing(_ isReopened: Bool)
        throws
    {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        func open(_ name: String, _ body: @escaping @Sendable (PaymentClient) async throws -> Void) throws {
            try folder.open(as: shop.owners.process(name)) { journal in
                let client = try shop.client(driver, owner: name, over: journal)
                try shop.play { try await body(client) }
            }
        }
        @Sendable func messages(_ client: PaymentClient) async throws {
            for number in 1...40 {
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: "m-\(number)")
                await client.takeWebhook()
                try await shop.wait(seconds: 1)
            }
        }
        try open("before") { [sale] in _ = await $0.sell(attempt: sale) }
        try folder.backUp()
        try open("lost") { [lost] in _ = await $0.sell(1_000, "order-2", attempt: lost) }
        try folder.restore()
        try open("after") { [isReopened] client in
            let refused = await client.sell(1_000, "order-3", attempt: try AttemptID("sale-3"))
            try #require(!refused.isApproved, "\(refused)")
            try await messages(client)
            if isReopened { return }
            let again = await client.sell(1_000, "order-2", attempt: try AttemptID("sale-4"))
            #expect(
                !again.isApproved, "\(again): charged \(shop.ledger.charges.map(\.name)), and no person accepted it")
        }
        guard isReopened else { return }
        try open("later") { client in
            let again = await client.sell(1_000, "order-2", attempt: try AttemptID("sale-4"))
            #expect(
                !again.isApproved, "\(again): charged \(shop.ledger.charges.map(\.name)), and no person accepted it")
        }
    }

    /// The same sale under its own id, which the backup lost.
    @Test func restoredJournal_thatTookManyMessages_doesNotRepeatTheLostSale() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        try folder.open(as: shop.owners.process("before")) { journal in
            let client = try shop.client(driver, owner: "before", over: journal)
            try shop.play { [sale] in _ = await client.sell(attempt: sale) }
        }
        try folder.backUp()
        try folder.open(as: shop.owners.process("lost")) { journal in
            let client = try shop.client(driver, owner: "lost", over: journal)
            try shop.play { [lost] in _ = await client.sell(1_000, "order-2", attempt: lost) }
        }
        try folder.restore()
        try folder.open(as: shop.owners.process("after")) { journal in
            let client = try shop.client(driver, owner: "after", over: journal)
            try shop.play { [sale, lost] in
                for number in 1...40 {
                    shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: "m-\(number)")
                    await client.takeWebhook()
                }
                let again = await client.sell(1_000, "order-2", attempt: lost)
                #expect(
                    shop.ledger.charges(of: lost).count == 1,
                    "\(again): charged \(shop.ledger.charges.map(\.name)), and no person accepted it")
            }
        }
    }

    /// No message comes: the recovery in the background looks at one sale that is in doubt, which the provider can't tell.
    @Test func restoredJournal_inWhichRecoveryLooks_stillBeginsNothing() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let isLost = Switch(true)
        var fake = Fake(shop.ledger)
        fake.onLookup = { _, _ in .cannotTell("Not now.") }
        fake.onSale = { [ledger = shop.ledger] request, context in
            if isLost.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
            return try await Fake.charge(ledger, request, context)
        }
        let driver = fake
        func open(_ name: String, _ body: @escaping @Sendable (PaymentClient) async throws -> Void) throws {
            try folder.open(as: shop.owners.process(name)) { journal in
                let client = try shop.client(driver, owner: name, over: journal)
                try shop.play { try await body(client) }
            }
        }
        try open("before") { [sale] in _ = await $0.sell(attempt: sale) }
        isLost.turn(false)
        try folder.backUp()
        try open("lost") { [lost] in _ = await $0.sell(1_000, "order-2", attempt: lost) }
        try folder.restore()
        try open("after") { [lost] client in
            let refused = await client.sell(1_000, "order-2", attempt: lost)
            try #require(!refused.isApproved, "\(refused)")
            try await shop.recover(client, seconds: 7 * 86_400)
            let again = await client.sell(1_000, "order-2", attempt: lost)
            #expect(
                shop.ledger.charges(of: lost).count == 1,
                "\(again): charged \(shop.ledger.charges.map(\.name)), and no person accepted it")
        }
    }

    /// A backup is put in the file's place while a till still works on the file that was there, and a person accepts it: the
    /// two do not both charge one order.
    @Test func fileReplacedUnderALivingTill_andAccepted_ordersAreChargedOnce() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        try folder.open(as: shop.owners.process("before")) { journal in
            let client = try shop.client(driver, owner: "before", over: journal)
            try shop.play { [sale] in _ = await client.sell(attempt: sale) }
        }
        try folder.backUp()
        try folder.open(as: shop.owners.process("one")) { journal in
            let one = try shop.client(driver, owner: "one", over: journal)
            try folder.restore()
            try folder.acceptRestored()
            let first = try shop.play { await one.sell(1_000, "order-2", attempt: try AttemptID("sale-2")) }
            try folder.open(as: shop.owners.process("two")) { journal in
                let two = try shop.client(driver, owner: "two", over: journal)
                let second = try shop.play { await two.sell(1_000, "order-2") }
                #expect(
                    shop.ledger.charges.count <= 2,
                    "\(first); \(second): charged \(shop.ledger.charges.map(\.name)) for two orders")
            }
        }
    }

    /// The backup lost a refund that had a reference. Its message comes under the refund's own id, a person accepts the backup
    /// and closes the gap, and the program repeats the refund under that id.
    @Test(arguments: ["item 1", nil]) func lostRefundToldUnderItsID_thenRepeated_isGivenOnce(_ item: String?) throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        let refund = try AttemptID("refund-1")
        func open(_ name: String, _ body: @escaping @Sendable (PaymentClient, any Journal) async throws -> Void) throws
        {
            try folder.open(as: shop.owners.process(name)) { journal in
                let client = try shop.client(driver, owner: name, over: journal)
                try shop.play { try await body(client, journal) }
            }
        }
        @Sendable func give(_ client: PaymentClient) async -> Told {
            await Told {
                try await client.refund(PaymentID(sale), of: .cents(400), reference: item, attempt: refund)
            }
        }
        try open("before") { [sale] client, _ in _ = await client.sell(attempt: sale) }
        try folder.backUp()
        try open("lost") { client, _ in _ = await give(client) }
        try folder.restore()
        try folder.acceptRestored()
        try open("after") { client, journal in
            shop.say(.attempt(refund), [.refund], nowApproved(400, ["refund": "r-refund-1"]), of: "p-sale-1")
            await client.takeWebhook()
            _ = try await journal.write(
                JournalEntry(.closeGap(by: "Ann")), WriteID("gap"),
                at: Attempt.Instant(wall: shop.stage.now, uptime: shop.stage.now))
            let again = await give(client)
            #expect(shop.ledger.refundedCents == 400, "\(again): given back \(shop.ledger.refunds.map(\.name))")
        }
    }

    /// A person accepts the restored journal a day late, after it took many messages: it is accepted as restored, so that what
    /// the backup lost is not begun again before the gap is closed.
    @Test func restoredJournal_acceptedAfterManyMessages_hasItsGap() throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let driver = Fake(shop.ledger)
        func open(_ name: String, _ body: @escaping @Sendable (PaymentClient) async throws -> Void) throws {
            try folder.open(as: shop.owners.process(name)) { journal in
                let client = try shop.client(driver, owner: name, over: journal)
                try shop.play { try await body(client) }
            }
        }
        try open("before") { [sale] in _ = await $0.sell(attempt: sale) }
        try folder.backUp()
        try open("lost") { [lost] in _ = await $0.sell(1_000, "order-2", attempt: lost) }
        try folder.restore()
        try open("after") { [sale] client in
            for number in 1...40 {
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: "m-\(number)")
                await client.takeWebhook()
            }
        }
        try folder.acceptRestored()
        try open("later") { [lost] client in
            let again = await client.sell(1_000, "order-2", attempt: lost)
            #expect(
                shop.ledger.charges(of: lost).count == 1,
                "\(again): charged \(shop.ledger.charges.map(\.name)) although a person accepted the backup")
        }
    }
}
