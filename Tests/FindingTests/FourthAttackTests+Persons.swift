import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Labels with a time, and what persons say and take back.
@Suite struct FourthAttackPersonTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    private static let table = OrderReference("table 5", holdsFor: .seconds(1_200))

    private func pay(_ client: PaymentClient, _ id: AttemptID? = nil) async -> Told {
        await Told { try await client.sale(.cents(1_000), from: Cards.good(), reference: Self.table, attempt: id) }
    }

    /// A provider whose replies are lost and which can't be asked now.
    private func lost(_ shop: Shop, _ isLost: Switch, _ canTell: Switch = Switch(false)) -> Whole {
        var driver = Fake(shop.ledger)
        driver.onLookup = { [ledger = shop.ledger] inquiry, _ in
            guard canTell.isOn, let shown = ledger.shown(inquiry.attempt) else { return .cannotTell("Not now.") }
            return .found(shown)
        }
        driver.onSale = { [ledger = shop.ledger] request, context in
            guard isLost.isOn else { return try await Fake.charge(ledger, request, context) }
            return try await Fake.chargeWithoutReply(ledger, request, context, named: ["p-\(context.attempt)"])
        }
        driver.onRefund = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.refund(context.attempt, request.amount)
                if isLost.isOn { throw Lost() }
                return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
            }
        }
        return Whole(driver)
    }

    /// The time is over, a second guest pays, and in the same moment a part of the first payment is refunded.
    @Test(arguments: [false, true]) func refundAtTheMomentOfTheLapse_keepsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await pay(client, sale)
                try await shop.wait(seconds: 1_200)
                let second = await pay(client)
                let back = await client.refund(200, of: sale)
                try await shop.wait(seconds: 5)
                try #require(second.isApproved && back.isApproved, "\(second); \(back)")
                #expect(!heard.has(.activeTwice), "\(heard.kinds)")
            }
        }
    }

    /// A payment of the table is in doubt for an hour; a refund of a part of it is reported early. The time counts from when its
    /// outcome is known.
    @Test(arguments: [false, true]) func labelInDoubt_refundToldBefore_countsFromTheOutcome(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isLost, canTell) = (Switch(true), Switch(false))
            let client = try shop.client(lost(shop, isLost, canTell))
            try shop.play { [sale, next] in
                _ = await pay(client, sale)
                try await shop.wait(seconds: 300)
                shop.ledger.refund(sale, .cents(200), as: "dash-1")
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(200, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3_300)
                let blocked = await pay(client, next)
                canTell.turn(true)
                isLost.turn(false)
                try await shop.wait(seconds: 60)
                let found = await client.outcome(of: sale)
                try #require(found.isApproved && !blocked.isApproved, "\(found); \(blocked)")
                let again = await pay(client, try AttemptID("sale-2"))
                #expect(!again.isApproved, "known just now, and paid again at once: charged \(shop.ledger.charges)")
            }
        }
    }

    /// The time is over, a second guest pays, and the provider reports that it is about to void the first payment.
    @Test(arguments: [false, true]) func pendingVoidAfterTheLapse_keepsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await pay(client, sale)
                try await shop.wait(seconds: 1_260)
                let second = await pay(client)
                shop.say(
                    .reference("void-1", [.void]), [.void],
                    .pending(Pending(references: ["void": "void-1"], shouldPoll: false)), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 1_260)
                let third = await pay(client)
                #expect(second.isApproved && third.isApproved, "\(second); \(third)")
                #expect(!heard.has(.activeTwice), "\(heard.kinds)")
            }
        }
    }

    /// A refund of all is said not to be executed, another one gives all back, and the no is taken back.
    @Test(arguments: [false, true]) func personsNo_onWhichAnotherRefundRests_isRefusedOrRaised(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(false)
            let client = try shop.client(lost(shop, isLost))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                isLost.turn(true)
                _ = await client.refund(1_000, of: sale, attempt: next)
                isLost.turn(false)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(next, as: .notExecuted(), by: "Ann", reason: "not in the list")
                let back = await client.refund(1_000, of: sale)
                try #require(back.isApproved, "\(back)")
                var refused = false
                do { try await client.resolve(next, as: .withdrawn, by: "Ann", reason: "it was another") } catch {
                    refused = true
                }
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    refused || heard.has(.contradiction),
                    "refunded \(amounts.refunded), in doubt \(amounts.inDoubt) of 10.00; heard \(heard.kinds)")
            }
        }
    }

    /// A sale failed later; a person says by mistake that it was executed, under its own name, and takes that back.
    @Test(arguments: [false, true]) func personsYesToAFailedSale_canBeTakenBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                shop.say(.attempt(sale), [.sale], nowDeclined(.failedAfterApproval, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                try await client.resolve(
                    sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "the wrong line")
                let mistaken = try await client.amounts(of: sale)
                var told = "taken back"
                do { try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "a mistake") } catch {
                    told = (error as? PaymentError)?.debugDescription ?? "\(error)"
                }
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.captured.isZero, "said \(mistaken.captured), now \(amounts.captured): \(told)")
            }
        }
    }

    /// A person names a refund, takes that back, and says the same again; then the provider says that it failed.
    @Test(arguments: [false, true]) func personsRefund_withdrawn_saidAgain_countsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(false)
            let client = try shop.client(lost(shop, isLost))
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                isLost.turn(true)
                _ = await client.refund(400, of: sale, attempt: next)
                try await shop.wait(seconds: 3_600)
                let yes = ManualResolution.executed(name: "r-1", nil)
                try await client.resolve(next, as: yes, by: "Ann", reason: "seen")
                try await client.resolve(next, as: .withdrawn, by: "Ann", reason: "a mistake")
                let between = try await client.amounts(of: sale)
                try await client.resolve(next, as: .notExecuted(), by: "Ann", reason: "not seen")
                try await client.resolve(next, as: .withdrawn, by: "Ann", reason: "a mistake")
                try await client.resolve(next, as: yes, by: "Ann", reason: "seen")
                let amounts = try await client.amounts(of: sale)
                shop.say(
                    .attempt(next), [.refund], nowDeclined(.failedAfterApproval, ["payment": "r-1"]), of: "p-sale-1")
                await client.takeWebhook()
                let failed = try await client.amounts(of: sale)
                #expect(between.refunded.isZero && between.inDoubt == .cents(400), "\(between)")
                #expect(amounts.refunded == .cents(400), "\(amounts.refunded)")
                #expect(failed.refunded.isZero, "\(failed.refunded)")
            }
        }
    }

    /// A person frees a reference, takes that back, and frees it again.
    @Test(arguments: [false, true]) func freedReference_withdrawn_freedAgain_isFree(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Whole(Fake(shop.ledger)))
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "one")
                try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "two")
                let kept = await client.sell(attempt: next)
                try await client.resolve(sale, as: .acknowledge(.reference), by: "Ann", reason: "three")
                let free = await client.sell(attempt: next)
                #expect(!kept.isApproved && free.isApproved, "\(kept); \(free)")
            }
        }
    }

    /// A sale is an import, is not, and is again: its id never charges, and no other order is the same import.
    @Test(arguments: [false, true]) func sameAsAnImport_takenBack_andAgain_isOnePayment(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isLost = Switch(true)
            let driver = lost(shop, isLost)
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                let imported = try AttemptID("import-1")
                try await shop.importOld("import-1", .cents(1_000), driver.identity)
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: next)
                try await shop.wait(seconds: 3_600)
                let same = ManualResolution.isTheSame(as: imported)
                try await client.resolve(sale, as: same, by: "Ann", reason: "seen")
                try await client.resolve(sale, as: .withdrawn, by: "Ann", reason: "a mistake")
                try await client.resolve(sale, as: same, by: "Ann", reason: "seen")
                var refused = false
                do { try await client.resolve(next, as: same, by: "Ann", reason: "seen") } catch { refused = true }
                isLost.turn(false)
                let told = await client.sell(attempt: sale)
                let third = await client.sell(attempt: try AttemptID("sale-3"))
                #expect(refused && told.isApproved && !third.isApproved, "\(refused); \(told); \(third)")
                #expect(shop.ledger.charges.count == 2, "\(shop.ledger.charges)")
            }
        }
    }
}
