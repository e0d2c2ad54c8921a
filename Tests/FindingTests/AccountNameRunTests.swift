import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// One merchant's account under two names: which driver, which run, which key.
@Suite struct AccountNameRunTests {
    private let (sale, next): (AttemptID, AttemptID)
    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    private static func names(_ shop: Shop, _ one: String = "a", _ two: String = "b") -> (Fake, Fake) {
        (Fake(shop.ledger, name: one, merchant: "m"), Fake(shop.ledger, name: two, merchant: "m"))
    }

    private static func clients(_ shop: Shop, _ a: Fake, _ b: Fake) throws -> (one: PaymentClient, two: PaymentClient) {
        (
            try shop.client(a, b, owner: "one", routing: Routing(active: "a")),
            try shop.client(a, b, owner: "two", routing: Routing(active: "b"))
        )
    }

    /// Charges under a name, and answers, or loses the reply.
    private static func charging(_ ledger: Ledger, _ name: String, _ answer: Verdict? = nil) -> Fake.Sale {
        { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount, as: name)
                guard let answer else { throw Lost() }
                return answer
            }
        }
    }

    private static let losing: Fake.Sale = { _, context in
        try await context.exchange(.money) { _ -> Verdict in throw Lost() }
    }

    private static func refusing(_ code: PaymentError.Code, _ delivery: Delivery) -> Fake.Sale {
        { _, context in try await context.exchange(.money) { _ -> Verdict in throw Refused(code, delivery) } }
    }

    /// Notes which name a refund went to.
    private static func noting(_ fake: inout Fake, _ names: Locked<[String]>) {
        let (name, before) = (fake.identity.id.rawValue, fake.onRefund)
        fake.onRefund = { request, context in
            names.withLock { $0.append(name) }
            return try await before(request, context)
        }
    }

    @Test(arguments: [false, true]) func overtakenCall_asksNoOtherNamesRun(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b) = Self.names(shop)
            // It knows only what it sent itself.
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 10_000)
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            a.onSale = { [ledger = shop.ledger] request, context in
                try await shop.wait(seconds: 40)
                return try await Fake.charge(ledger, request, context)
            }
            b.onSale = Self.charging(shop.ledger, "p-b")
            b.onLookup = { _, _ in .cannotTell("Not now.") }
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale] in
                let first = shop.beside { await one.sell(attempt: sale) }
                try await shop.wait(seconds: 1)
                _ = await two.sell(attempt: sale)
                _ = await first.value
                let standing = try await one.standing(of: sale)
                #expect(standing == .inDoubt)
                _ = await one.sell(attempt: sale)
                #expect(shop.ledger.chargedCents == 1_000, "\(shop.ledger.charges.map(\.name))")
            }
        }
    }

    @Test func names_ofOneAccount_areOneKey() {
        let (phone, till) = (
            ProviderIdentity("phone", adapter: "fake", environment: "sandbox", merchant: "m"),
            ProviderIdentity("till", adapter: "fake", environment: "sandbox", merchant: "m")
        )
        for index in 0..<64 {
            let (one, other) = (ProviderName(phone, "p-\(index)"), ProviderName(till, "p-\(index)"))
            #expect(one == other && one.hashValue == other.hashValue)
            #expect(Set([one]).contains(other))
        }
    }

    @Test(arguments: [false, true]) func refundsKeptUnderTheOtherName_beforeTheSalesName_areCounted(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let (phone, till) = Self.names(shop, "phone", "till")
            let client = try shop.client(phone, till)
            try shop.play {
                for index in 0..<16 {
                    let id = try AttemptID("sale-\(index)")
                    shop.ledger.post(
                        shop.notice(
                            "dash-\(index)", .refund, nowApproved(1_000, ["refund": "dash-\(index)"]),
                            of: "p-sale-\(index)"))
                    await client.takeWebhook(from: "till")
                    _ = await client.sell(1_000, "order-\(index)", attempt: id)
                    let amounts = try await client.amounts(of: id)
                    #expect(amounts.refunded == .cents(1_000), "\(index): \(amounts)")
                }
            }
        }
    }

    @Test(arguments: [false, true]) func refusedCaptureOfASale_whoseOtherNameCanBeAsked_takesItBack(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var (a, b) = Self.names(shop)
            a.onSale = { _, context in
                try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            a.onLookup = { _, _ in .cannotTell("It knows nothing of it.") }
            b.onSale = Self.charging(shop.ledger, "p-b", nowApproved(1_000, ["payment": "p-b"]))
            b.plan = nil
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                let sold = await two.sell(attempt: sale)
                try #require(sold.isApproved, "\(sold)")
                shop.say(.attempt(sale), [.capture], nowDeclined(.declinedByProvider, ["capture": "c-1"]), of: "p-b")
                await two.takeWebhook(from: "b")
                try await shop.recover(two, seconds: 86_400)
                let captured = try await two.amounts(of: sale).captured
                #expect(captured.isZero, "\(captured)")
            }
        }
    }

    @Test(arguments: [false, true]) func refund_goesToTheNameThatExecuted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isOver, refunded, paid) = (
                Switch(false), Locked<[String]>([]), nowApproved(1_000, ["payment": "p-b"])
            )
            var (a, b) = Self.names(shop)
            a.onSale = { _, context in
                try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            a.onLookup = { _, _ in isOver.isOn ? .found(paid) : .cannotTell("Not now.") }
            b.onSale = Self.charging(shop.ledger, "p-b")
            b.onLookup = { _, _ in isOver.isOn ? .found(paid) : .cannotTell("Not now.") }
            Self.noting(&a, refunded)
            Self.noting(&b, refunded)
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                _ = await two.sell(attempt: sale)
                isOver.turn(true)
                shop.say(.attempt(sale), [.sale], nil)
                await two.takeWebhook(from: "b")
                try await shop.recover(two, seconds: 3_600)
                let captured = try await two.amounts(of: sale).captured
                try #require(captured == .cents(1_000))
                let back = await two.refund(1_000, of: sale)
                #expect(back.isApproved, "\(back)")
            }
            #expect(refunded.withLock { $0 } == ["b"])
        }
    }

    @Test(arguments: [false, true]) func endedHoldCapturedUnderTheOtherName_isRefundedByItsOwn(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            let refunded = Locked<[String]>([])
            var (phone, till) = Self.names(shop, "phone", "till")
            Self.noting(&phone, refunded)
            Self.noting(&till, refunded)
            let client = try shop.client(phone, till)
            try shop.play { [sale] in
                _ = await client.hold(attempt: sale)
                shop.say(
                    .attempt(sale), [.authorize], nowDeclined(.failedAfterApproval, ["event": "exp-1"]), of: "p-sale-1")
                await client.takeWebhook(from: "phone")
                shop.say(
                    .reference("cap-1", [.capture]), [.capture], nowApproved(1_000, ["capture": "cap-1"]),
                    of: "p-sale-1")
                await client.takeWebhook(from: "till")
                let back = await client.refund(1_000, of: sale)
                #expect(back.isApproved, "\(back)")
            }
            #expect(refunded.withLock { $0 } == ["phone"])
        }
    }

    @Test func accounts_areEqual_whereTheirKeysAre() {
        let (one, other) = (
            ProviderIdentity("phone", adapter: "fake", environment: "sandbox", merchant: "Caf\u{e9}"),
            ProviderIdentity("till", adapter: "fake", environment: "sandbox", merchant: "Cafe\u{301}")
        )
        #expect((one == other) == EventCodec.key(one).utf8.elementsEqual(EventCodec.key(other).utf8))
    }

    /// A message would not show which of two names' requests was executed: no second name sends what one has sent.
    @Test(arguments: [false, true], ["a person's no", "absence", "refusal"])
    func secondName_ofWhatTheFirstHasSent_isRefused(_ isSQLite: Bool, _ kind: String) throws {
        try Second.over(isSQLite) { shop in
            var (a, b) = Self.names(shop)
            let isAbsence = kind == "absence"
            if isAbsence { a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000) }
            a.onSale = isAbsence ? Self.losing : Self.charging(shop.ledger, "p-1")
            if kind == "refusal" { a.onSale = Self.refusing(.providerUnavailable, .refused) }
            a.onLookup = { _, _ in isAbsence ? .notFound(seesBack: nil) : .cannotTell("Not now.") }
            b.onSale = Self.charging(shop.ledger, "p-2", nowApproved(1_000, ["payment": "p-2"]))
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale, next] in
                _ = await one.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                if isAbsence {
                    let none = await one.outcome(of: sale)
                    try #require(none.saysNothingMoved, "\(none)")
                } else if kind != "refusal" {
                    try await one.resolve(sale, as: .notExecuted(), by: "Ann", reason: "not in the list")
                }
                let again = await two.sell(attempt: sale)
                #expect("\(again)".contains("a has sent it to the same account"), "\(again)")
                #expect(shop.ledger.charges.allSatisfy { $0.name != "p-2" })
                // The reference is free, and another attempt is sold at once.
                let sold = await two.sell(attempt: next)
                #expect(sold.isApproved, "\(sold)")
            }
        }
    }

    @Test(arguments: [false, true]) func dashboardRefundPendingUnderTheOtherName_isAskedOfThePaymentsOwn(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (phone, till) = Self.names(shop, "phone", "till")
            phone.onLookup = { [sale] inquiry, _ in
                inquiry.attempt == sale
                    ? .cannotTell("Not now.") : .found(nowApproved(1_000, ["refund": "dash-1"]))
            }
            till.onLookup = { _, _ in .cannotTell("It knows nothing of it.") }
            let client = try shop.client(phone, till)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let pending = Verdict.pending(Pending(references: ["refund": "dash-1"], shouldPoll: false))
                var notice = shop.notice("dash-1", .refund, pending, of: "p-sale-1")
                notice.amount = .cents(1_000)
                shop.ledger.post(notice)
                await client.takeWebhook(from: "till")
                try await shop.recover(client, seconds: 3_600)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(refunded == .cents(1_000), "\(refunded)")
            }
        }
    }

    @Test(arguments: [false, true]) func refusedCaptureAtAnotherMerchant_takesNoSaleBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (y, x) = (Fake(shop.ledger, name: "y", merchant: "y"), Fake(shop.ledger, name: "x", merchant: "x"))
            y.onSale = { _, context in
                try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            y.onLookup = { _, _ in .cannotTell("Not now.") }
            x.onSale = Self.charging(shop.ledger, "p-x", nowApproved(1_000, ["payment": "p-x"]))
            x.plan = nil
            let one = try shop.client(y, x, owner: "one", routing: Routing(active: "y"))
            let two = try shop.client(y, x, owner: "two", routing: Routing(active: "x"))
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                let sold = await two.sell(attempt: sale)
                try #require(sold.isApproved, "\(sold)")
                shop.say(.attempt(sale), [.capture], nowDeclined(.declinedByProvider, ["capture": "c-y"]))
                await two.takeWebhook(from: "y")
                let captured = try await two.amounts(of: sale).captured
                #expect(captured == .cents(1_000), "\(captured)")
            }
        }
    }

    @Test(arguments: [false, true]) func paymentThatTheUnsentNameShowsFirst_isTheSenders(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let refunded = Locked<[String]>([])
            var (a, b) = Self.names(shop)
            a.onSale = Self.refusing(.network, .notSent)
            a.onLookup = { _, _ in .found(nowApproved(1_000, ["payment": "p-b"])) }
            b.onSale = Self.charging(shop.ledger, "p-b")
            b.plan = nil
            Self.noting(&a, refunded)
            Self.noting(&b, refunded)
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                _ = await two.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nil)
                await two.takeWebhook(from: "b")
                try await shop.wait(seconds: 60)
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-b"]))
                await two.takeWebhook(from: "b")
                try await shop.wait(seconds: 20)
                let held = try #require(try await two.attempt(sale))
                #expect(held.state == .approved && !held.isUnsettled && !held.isContradicted)
                let back = await two.refund(1_000, of: sale)
                #expect(back.isApproved, "\(back)")
            }
            #expect(refunded.withLock { $0 } == ["b"])
        }
    }

    @Test(arguments: [false, true]) func declineOfWhatTheUnsentNameShowedPending_decides(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isOver = Switch(false)
            let names: PaymentReferences = ["payment": "p-b"]
            var (a, b) = Self.names(shop)
            a.onSale = Self.refusing(.network, .notSent)
            a.onLookup = { _, _ in
                isOver.isOn
                    ? .found(nowDeclined(.insufficientFunds, names))
                    : .found(.pending(Pending(references: names, shouldPoll: false)))
            }
            b.onSale = Self.losing
            b.plan = nil
            let (one, two) = try Self.clients(shop, a, b)
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                _ = await two.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nil)
                await two.takeWebhook(from: "b")
                try await shop.wait(seconds: 60)
                isOver.turn(true)
                shop.say(.attempt(sale), [.sale], nowDeclined(.insufficientFunds, names))
                await two.takeWebhook(from: "b")
                try await shop.recover(two, seconds: 86_400)
                let held = try #require(try await two.attempt(sale))
                #expect(held.state == .declined, "\(held.state)")
            }
        }
    }

    @Test(arguments: [false, true]) func repeatOfAnAbsentSale_overARoute_saysWhyItsNameFailed(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isDown = Switch(false)
            var (a, b) = Self.names(shop)
            a.plan = LookupPlan(every: 1_000, giveUpAfter: 3_000, quiet: 30_000)
            a.onSale = { _, context in
                try await context.exchange(.money) { _ -> Verdict in
                    if isDown.isOn { throw Refused(.network, .notSent) }
                    throw Lost()
                }
            }
            a.onLookup = { _, _ in .notFound(seesBack: nil) }
            b.onSale = Self.charging(shop.ledger, "p-b", nowApproved(1_000, ["payment": "p-b"]))
            var routing = Routing(active: "a")
            routing.rules = [.init(["a", "b"])]
            let one = try shop.client(a, b, owner: "one", routing: Routing(active: "a"))
            let two = try shop.client(a, b, owner: "two", routing: routing)
            try shop.play { [sale] in
                _ = await one.sell(attempt: sale)
                try await shop.wait(seconds: 120)
                let none = await one.outcome(of: sale)
                try #require(none.saysNothingMoved, "\(none)")
                isDown.turn(true)
                let again = await two.sell(attempt: sale)
                #expect(!"\(again)".contains("has sent it to the same account"), "\(again)")
                #expect(shop.ledger.chargedCents == 0)
            }
        }
    }
}
