import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// One merchant's account under two names.
@Suite struct AccountNameTests {
    private let (sale, next): (AttemptID, AttemptID)
    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    private static let paid = nowApproved(1_000, ["payment": "p-b"])

    /// `a` seems not to be reached, and `b` charges.
    private static func fallback(_ shop: Shop, _ isShown: Switch? = nil) -> (a: Fake, b: Fake, routing: Routing) {
        var (a, b) = (Fake(shop.ledger, name: "a", merchant: "m"), Fake(shop.ledger, name: "b", merchant: "m"))
        a.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
        }
        a.onLookup = { _, _ in .cannotTell("Not now.") }
        b.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in
                if isShown != nil { throw Lost() }
                return paid
            }
        }
        b.onLookup = { _, _ in isShown?.isOn == false ? .cannotTell("Not now.") : .found(paid) }
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        return (a, b, routing)
    }

    private static func nothingLeft(_ client: PaymentClient, _ sale: AttemptID) async throws {
        let amounts = try await client.amounts(of: sale)
        #expect(amounts.captured == .cents(1_000) && amounts.refunded == .cents(1_000), "\(amounts)")
        #expect(try await client.payment(PaymentID(sale)).conflictingAttempts.isEmpty)
        #expect(await client.refund(900, of: sale).isApproved == false)
    }

    @Test(arguments: [false, true], [[.refund], [.refund, .void]] as [Set<PaymentOperation>])
    func refundUnderTheOtherName_beforeTheOutcome_isCountedOnce(_ isSQLite: Bool, _ kinds: Set<PaymentOperation>) throws
    {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            let (a, b, routing) = Self.fallback(shop, isShown)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), kinds, nowApproved(1_000, ["refund": "dash-1"]), of: "p-b")
                await client.takeWebhook(from: "a")
                isShown.turn(true)
                try await shop.recover(client, seconds: 86_400)
                try await Self.nothingLeft(client, sale)
            }
        }
    }

    @Test(arguments: [false, true]) func approvalUnderTheOtherName_beforeTheReply_counts(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            phone.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            (phone.plan, till.plan) = (nil, nil)
            let client = try shop.client(phone, till)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook(from: "till")
                try await shop.wait(seconds: 20)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
                #expect(!heard.has(.disputed), "\(heard.kinds)")
            }
        }
    }

    @Test(arguments: [false, true]) func refundUnderTheSalesID_beforeTheReply_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            var (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            phone.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            phone.onLookup = { [ledger = shop.ledger] inquiry, _ in
                guard isShown.isOn, let shown = ledger.shown(inquiry.attempt) else { return .cannotTell("Not now.") }
                return .found(shown)
            }
            let client = try shop.client(phone, till)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook(from: "till")
                isShown.turn(true)
                try await shop.recover(client, seconds: 86_400)
                try await Self.nothingLeft(client, sale)
            }
        }
    }

    @Test(arguments: [false, true]) func failureOfARefundThatTheOtherNameTook_takesItOff(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            let (a, b, routing) = Self.fallback(shop, isShown)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-b")
                await client.takeWebhook(from: "a")
                isShown.turn(true)
                try await shop.recover(client, seconds: 86_400)
                shop.say(
                    .attempt(sale), [.refund], nowDeclined(.failedAfterApproval, ["refund": "dash-1"]), of: "p-b")
                await client.takeWebhook(from: "a")
                #expect(try await client.amounts(of: sale).refunded.isZero)
            }
        }
    }

    @Test(arguments: [false, true]) func declineUnderBothNames_counts(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop, Switch(false))
            (a.plan, b.plan) = (nil, nil)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let at = shop.stage.now
                for name: ProviderID in ["a", "b"] {
                    shop.say(
                        .attempt(sale), [.sale], nowDeclined(.insufficientFunds, ["payment": "p-b"]), id: "m-1", at: at)
                    await client.takeWebhook(from: name)
                }
                let standing = try await client.standing(of: sale)
                #expect(standing == .declined)
            }
        }
    }

    @Test(arguments: [false, true]) func approvalUnderBothNames_settlesItsRun(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop, Switch(false))
            (a.plan, b.plan) = (nil, nil)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let at = shop.stage.now
                for name: ProviderID in ["a", "b"] {
                    shop.say(.attempt(sale), [.sale], Self.paid, id: "m-1", at: at)
                    await client.takeWebhook(from: name)
                }
                let held = try #require(try await client.attempt(sale))
                #expect(held.state == .approved && !held.isUnsettled)
            }
        }
    }

    @Test(arguments: [false, true], [false, true]) func namelessReply_thenItsNameUnderTheOtherName_isOnePayment(
        _ isSQLite: Bool, _ isLookup: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            b.onSale = { _, context in try await context.exchange(.money) { _ in nowApproved(1_000) } }
            a.onLookup = { _, _ in .found(Self.paid) }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], isLookup ? nil : Self.paid)
                await client.takeWebhook(from: "a")
                try await shop.wait(seconds: 20)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
                #expect(try await client.attempt(sale)?.isContradicted == false)
            }
        }
    }

    @Test(arguments: [false, true], ["message", "lookup"]) func openSaleShownByTheOtherName_isNoContradiction(
        _ isSQLite: Bool, _ kind: String
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop, Switch(true))
            let later = Locked<PaymentClient?>(nil)
            if kind == "message" {
                b.onSale = { [sale] _, context in
                    try await context.exchange(.money) { _ in
                        shop.say(.attempt(sale), [.sale], Self.paid)
                        await later.withLock { $0 }?.takeWebhook(from: "a")
                        return Self.paid
                    }
                }
            } else {
                // Its own lookup comes too late for the call, and after the first name's.
                let isOver = Switch(false)
                b.onLookup = { _, _ in isOver.isOn ? .found(Self.paid) : .cannotTell("Not now.") }
                a.onLookup = { _, _ in
                    isOver.turn(true)
                    return .found(Self.paid)
                }
            }
            let client = try shop.client(a, b, routing: routing)
            later.withLock { $0 = client }
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                if kind == "lookup" {
                    shop.say(.attempt(sale), [.sale], nil)
                    await client.takeWebhook(from: "b")
                }
                try await shop.wait(seconds: 20)
                #expect(try await client.attempt(sale)?.isContradicted == false)
                // The refund comes under the name that executed it.
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(1_000, ["refund": "dash-1"]), of: "p-b"))
                await client.takeWebhook(from: "b")
                try await Self.nothingLeft(client, sale)
            }
            later.withLock { $0 = nil }
        }
    }

    @Test(arguments: [false, true]) func pendingMessageUnderTheOtherName_contradictsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let pending = Verdict.pending(Pending(references: ["payment": "p-b"], shouldPoll: false))
            b.onSale = { _, context in try await context.exchange(.money) { _ in pending } }
            (a.plan, b.plan) = (nil, nil)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], pending)
                await client.takeWebhook(from: "a")
                #expect(try await client.attempt(sale)?.isContradicted == false)
                shop.say(.attempt(sale), [.sale], nowDeclined(.insufficientFunds, ["payment": "p-b"]))
                await client.takeWebhook(from: "b")
                let standing = try await client.standing(of: sale)
                #expect(standing == .declined)
            }
        }
    }

    @Test(arguments: [false, true], ["refund", "late failure"]) func newsThatNameTheIDAlone_underTheOtherName_count(
        _ isSQLite: Bool, _ kind: String
    ) throws {
        try Second.over(isSQLite) { shop in
            let (a, b, routing) = Self.fallback(shop)
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                if kind == "refund" {
                    shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]))
                } else {
                    shop.say(.attempt(sale), [.sale], nowDeclined(.failedAfterApproval))
                }
                await client.takeWebhook(from: "a")
                if kind == "refund" { return try await Self.nothingLeft(client, sale) }
                #expect(try await client.amounts(of: sale).captured.isZero)
                #expect(try await client.payment(PaymentID(sale)).conflictingAttempts.isEmpty)
            }
        }
    }

    @Test(arguments: [false, true]) func ourPendingRefundConfirmedUnderTheOtherName_isDone(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            (phone.plan, till.plan) = (nil, nil)
            phone.onRefund = { _, context in
                try await context.exchange(.money) { _ in
                    .pending(Pending(references: ["refund": "r-1"], shouldPoll: false))
                }
            }
            let client = try shop.client(phone, till)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(1_000, of: sale, attempt: next)
                shop.say(.attempt(next), [.refund, .void], nowApproved(1_000, ["refund": "r-1"]))
                await client.takeWebhook(from: "till")
                try await shop.wait(seconds: 5)
                #expect(try await client.standing(of: next) == .approved)
                #expect(!heard.has(.disputed), "\(heard.kinds)")
            }
        }
    }

    @Test(arguments: [false, true]) func matchByAmount_atTwoNamesOfOneAccount_takesNoPaymentTwice(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            (phone.capabilities.isExclusive, till.capabilities.isExclusive) = (true, true)
            till.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            till.onLookup = { _, _ in
                .candidates([.init("p-sale-1", nowApproved(1_000, ["payment": "p-sale-1"]))])
            }
            let one = try shop.client(phone, till, owner: "one", routing: Routing(active: "phone"))
            let two = try shop.client(phone, till, owner: "two", routing: Routing(active: "till"))
            try shop.play { [sale, next] in
                _ = await one.sell(attempt: sale)
                _ = await two.sell(1_000, "order-2", attempt: next)
                try await shop.recover(two, seconds: 86_400)
                #expect(try await two.standing(of: next) == .inDoubt)
                #expect(shop.ledger.chargedCents == 1_000)
            }
        }
    }

    @Test(arguments: [false, true]) func saleThatARestoreLost_heardUnderTheOtherName_isNotChargedAgain(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m"))
            try shop.play { [sale, next] in
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook(from: "till")
                let told = await client.sell(attempt: sale)
                #expect(told.isApproved && shop.ledger.charges.isEmpty, "\(told)")
                let again = await client.sell(attempt: next)
                #expect(!again.isApproved && shop.ledger.charges.isEmpty, "\(again)")
            }
        }
    }

    @Test(arguments: [false, true]) func importUnderTheOtherName_ofAKnownPayment_isRefused(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            let client = try shop.client(phone, till)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                var movement = ImportedMovement(
                    Begin(.init(next, .sale, .cents(1_000), reference: "old-1"), till.identity),
                    nowApproved(1_000, ["payment": "p-sale-1"]), saidAt: shop.stage.now)
                movement.names = ["p-sale-1"]
                let answer = try await shop.journal.write(
                    JournalEntry(.report(next, .imported(movement))), WriteID("import-1"),
                    at: Attempt.Instant(wall: shop.stage.now, uptime: 0))
                guard case .refused = answer else {
                    Issue.record("10.00 charged, twice in the books: \(answer)")
                    return
                }
            }
        }
    }
}
