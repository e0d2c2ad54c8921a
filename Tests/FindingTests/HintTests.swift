import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

/// What an unsigned message makes the client look up, and what comes of it.
@Suite struct HintTests {
    private let sale: AttemptID
    init() throws { sale = try AttemptID("sale-1") }

    private static let (paidAtA, paidAtB) = (
        nowApproved(1_000, ["payment": "p-a"]), nowApproved(1_000, ["payment": "p-b"])
    )

    /// A first provider that seems not to be reached, and a second one that approves, or answers as it is scripted. Of one
    /// merchant they are one account under two names.
    private static func fallback(_ shop: Shop, merchant: String? = nil) -> (a: Fake, b: Fake, routing: Routing) {
        var (a, b) = (
            Fake(shop.ledger, name: "a", merchant: merchant), Fake(shop.ledger, name: "b", merchant: merchant)
        )
        a.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
        }
        b.onSale = { _, context in try await context.exchange(.money) { _ in paidAtB } }
        b.onLookup = { _, _ in .found(paidAtB) }
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        return (a, b, routing)
    }

    /// Sells, and takes a message about the sale that says nothing.
    private static func sellAndHint(_ client: PaymentClient, _ shop: Shop, _ sale: AttemptID, from provider: ProviderID)
        async
    {
        _ = await client.sell(attempt: sale)
        await hint(client, shop, sale, from: provider)
    }

    private static func hint(_ client: PaymentClient, _ shop: Shop, _ sale: AttemptID, from provider: ProviderID) async
    {
        shop.say(.attempt(sale), [.sale], nil)
        await client.takeWebhook(from: provider)
    }

    // MARK: - After a fallback

    /// The first provider executed it after all, and can't be reached at once.
    @Test(arguments: [false, true], [false, true]) func hintOfTheFirstProvider_afterTheFallback_isLookedUpThere(
        _ isSQLite: Bool, _ isPaidAtSecond: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let lookups = Locked(0)
            a.onLookup = { _, _ in
                if lookups.withLock({ $0.increase() }) == 1 { throw Refused(.network, .notSent) }
                return .found(Self.paidAtA)
            }
            if !isPaidAtSecond {
                b.onSale = { _, context in try await context.exchange(.money) { _ in nowDeclined(.insufficientFunds) } }
                b.onLookup = { _, _ in .found(nowDeclined(.insufficientFunds)) }
            }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "a")
                try await shop.recover(client, seconds: 86_400)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(isPaidAtSecond ? 2_000 : 1_000), "\(captured)")
            }
        }
    }

    /// The second provider's reply was lost, it can't tell, and the first one can't be reached when the message comes.
    @Test(arguments: [false, true]) func hintOfTheFirstProvider_whileTheSecondIsInDoubt_isLookedUpAgain(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let isReachable = Switch(false)
            a.onLookup = { _, _ in
                if !isReachable.isOn { throw Refused(.network, .notSent) }
                return .found(Self.paidAtA)
            }
            b.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            b.onLookup = { _, _ in .cannotTell("Not now.") }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "a")
                try await shop.wait(seconds: 20)
                isReachable.turn(true)
                try await shop.recover(client, seconds: 86_400)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
            }
        }
    }

    /// The first provider works on what it had received after all.
    @Test(arguments: [false, true]) func hintOfTheFirstProvider_whereTheSaleIsPending_isLookedUpToItsEnd(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let isExecuted = Switch(false)
            a.onLookup = { _, _ in
                .found(isExecuted.isOn ? Self.paidAtA : .pending(Pending(shouldPoll: true)))
            }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "a")
                try await shop.wait(seconds: 20)
                isExecuted.turn(true)
                try await shop.recover(client, seconds: 86_400)
                #expect(try await client.amounts(of: sale).captured == .cents(2_000))
            }
        }
    }

    /// A second message comes while the first one's lookup is under way, and the money moves in between.
    @Test(arguments: [false, true]) func hintDuringALookup_isNotAnsweredByIt(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let (lookups, later) = (Locked(0), Locked<PaymentClient?>(nil))
            a.onLookup = { [sale] _, _ in
                switch lookups.withLock({ $0.increase() }) {
                case 1:
                    try await shop.wait(seconds: 1)
                    if let client = later.withLock({ $0 }) { await Self.hint(client, shop, sale, from: "a") }
                    try await shop.wait(seconds: 1)
                    return .found(nowDeclined(.insufficientFunds))
                case 2: throw Refused(.network, .notSent)
                default: return .found(Self.paidAtA)
                }
            }
            let client = try shop.client(a, b, routing: routing)
            later.withLock { $0 = client }
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "a")
                try await shop.recover(client, seconds: 86_400)
                #expect(try await client.amounts(of: sale).captured == .cents(2_000))
            }
            later.withLock { $0 = nil }
        }
    }

    /// The first provider refused what arrived at last; messages about either change nothing and raise nothing.
    @Test(arguments: [false, true]) func hintsAboutBothRuns_thatSayWhatIsKnown_changeNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            a.onLookup = { _, _ in .found(nowDeclined(.insufficientFunds)) }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let before = try await client.attempt(sale)
                #expect(before?.state == .approved)
                for provider: ProviderID in ["a", "b"] {
                    await Self.hint(client, shop, sale, from: provider)
                    try await shop.wait(seconds: 20)
                }
                let after = try await client.attempt(sale)
                #expect(after?.version == before?.version && after?.isContradicted == false)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
            }
        }
    }

    /// One merchant's account has two names: what the first one shows under the attempt's id is the second one's payment.
    @Test(arguments: [false, true]) func hint_whereTwoNamesAreOneAccount_countsThePaymentOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop, merchant: "m")
            a.onLookup = { _, _ in .found(Self.paidAtB) }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "b")
                try await shop.wait(seconds: 20)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
                #expect(try await client.attempt(sale)?.isContradicted == false)
            }
        }
    }

    /// The first provider can't be asked at all.
    @Test(arguments: [false, true]) func hint_whereTheFirstProviderCantBeAsked_isLookedUpAndThatIsTheEnd(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            a.plan = nil
            let lookups = Locked(0)
            b.onLookup = { _, _ in
                _ = lookups.withLock { $0.increase() }
                return .found(Self.paidAtB)
            }
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "b")
                try await shop.recover(client, seconds: 30 * 86_400)
                #expect(lookups.withLock { $0 } <= 3)
            }
        }
    }

    // MARK: - At one provider

    /// A person said that a part was paid, and the provider shows more; or it shows a second execution.
    @Test(arguments: [false, true], ["person", "person, told as a reply", "second"])
    func hintAboutAnApprovedSale_thatMovedMore_isCounted(_ isSQLite: Bool, _ kind: String) throws {
        try Second.over(isSQLite) { shop in
            let (isShown, isSecond) = (Switch(false), kind == "second")
            var driver = Fake(shop.ledger)
            if !isSecond {
                driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            }
            let name = isSecond ? "p-2" : "p-sale-1"
            driver.onLookup = { _, _ in
                guard isShown.isOn else { return .cannotTell("Not now.") }
                let told = Approval(.cents(1_000), references: ["payment": name])
                return kind == "person, told as a reply" ? .repeated(told) : .found(.approved(told))
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                if !isSecond {
                    try await client.resolve(
                        sale, as: .executed(name: name, .cents(600)), by: "Ann", reason: "The slip says so.")
                }
                isShown.turn(true)
                await Self.hint(client, shop, sale, from: "p")
                try await shop.wait(seconds: 20)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(isSecond ? 2_000 : 1_000), "\(captured)")
            }
        }
    }

    /// A sale was not sent, then sent again without a reply. A person said 6.00, and the provider shows 10.00.
    @Test(arguments: [false, true]) func hintAboutTwoRunsAtOneProvider_contradictsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isSent, isShown) = (Switch(false), Switch(false))
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isSent.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            driver.onLookup = { _, _ in
                isShown.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                isSent.turn(true)
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(
                    sale, as: .executed(name: "p-sale-1", .cents(600)), by: "Ann", reason: "The slip says so.")
                isShown.turn(true)
                await Self.hint(client, shop, sale, from: "p")
                try await shop.wait(seconds: 20)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
                #expect(try await client.attempt(sale)?.isContradicted == false)
            }
        }
    }

    /// A person gives a name without its kind: the refund and the next lookup go by the kind that the account has.
    @Test(arguments: [false, true]) func saleThatAPersonNamed_isFoundByTheAccountsKindOfName(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isDecided = Switch(false)
            var driver = Fake(shop.ledger)
            driver.capabilities.manualName = "order"
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            driver.onLookup = { inquiry, _ in
                guard isDecided.isOn else { return .cannotTell("Not now.") }
                #expect(inquiry.verdict?.references == ["order": "o-1"])
                return .found(nowApproved(1_000, ["order": "o-1", "payment": "p-sale-1"]))
            }
            let refunded = Locked<[PaymentReferences]>([])
            driver.onRefund = { request, context in
                refunded.withLock { $0.append(request.payment.references) }
                return try await context.exchange(.money) { _ in
                    .approved(Approval(request.amount, references: ["refund": "r-\(context.attempt)"]))
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .executed(name: "o-1", nil), by: "Ann", reason: "The slip says so.")
                _ = await client.refund(100, of: sale)
                isDecided.turn(true)
                await Self.hint(client, shop, sale, from: "p")
                try await shop.wait(seconds: 20)
                _ = await client.refund(200, of: sale)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
            }
            #expect(refunded.withLock { $0.map { $0["order"] } } == ["o-1", "o-1"])
            #expect(refunded.withLock { $0.map { $0["payment"] } }.first == .some(nil))
        }
    }

    /// Each lookup finds that one more message has come.
    @Test(arguments: [false, true]) func hintsThatComeDuringRecovery_areNoLookupEach(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (lookups, later) = (Locked(0), Locked<PaymentClient?>(nil))
            var driver = Fake(shop.ledger)
            driver.onLookup = { [sale] _, _ in
                if lookups.withLock({ $0.increase() }) < 100, let client = later.withLock({ $0 }) {
                    await Self.hint(client, shop, sale, from: "p")
                }
                return .found(nowApproved(1_000, ["payment": "p-sale-1"]))
            }
            let client = try shop.client(driver)
            later.withLock { $0 = client }
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "p")
                _ = try await client.recover()
                #expect(lookups.withLock { $0 } <= 4)
            }
            later.withLock { $0 = nil }
        }
    }

    // MARK: - What a person said, and floods

    /// A person said that a sale which had failed later stands, and the provider says the same, or repeats its first answer.
    @Test(arguments: [false, true], [(600, false), (600, true), (1_000, false), (1_000, true)] as [(Int64, Bool)])
    func hintAboutASaleThatAPersonRestored_leavesIt(_ isSQLite: Bool, _ kind: (cents: Int64, isRepeated: Bool)) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            let told = Approval(.cents(1_000), references: ["payment": "p-sale-1"])
            driver.onLookup = { _, _ in kind.isRepeated ? .repeated(told) : .found(.approved(told)) }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nowDeclined(.failedAfterApproval, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                try await client.resolve(
                    sale, as: .executed(name: "p-sale-1", .cents(kind.cents)), by: "Ann",
                    reason: "The bank paid it out.")
                await Self.hint(client, shop, sale, from: "p")
                try await shop.wait(seconds: 20)
                #expect(try await client.standing(of: sale) == .approved)
                #expect(try await client.amounts(of: sale).captured == .cents(kind.cents))
            }
        }
    }

    /// A statement of the second provider shows that nothing was paid there; the first one, which sent a message, is not asked by that.
    @Test(arguments: [false, true]) func statementOfTheSecondProvider_leavesTheFirstOnesHintOwed(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let isReachable = Switch(false)
            a.onLookup = { _, _ in
                if !isReachable.isOn { throw Refused(.network, .notSent) }
                return .found(Self.paidAtA)
            }
            b.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            b.onLookup = { _, _ in .cannotTell("Not now.") }
            let (client, account) = (try shop.client(a, b, routing: routing), b.identity)
            try shop.play { [sale] in
                await Self.sellAndHint(client, shop, sale, from: "a")
                try await shop.wait(seconds: 3_600)
                let held = try #require(try await client.attempt(sale))
                let stored = try #require(try await shop.journal.payment(PaymentID(sale)))
                let now = Attempt.Instant(wall: shop.stage.now, uptime: shop.stage.uptime, boot: shop.stage.boot)
                let basis = Finding.Basis(held, known: stored.entry, account: account, askedAt: now)
                let finding = Finding.lookup(
                    .notFound(seesBack: nil), basis, LookupTerms(quietPeriod: 60_000), names: [])
                _ = try await shop.journal.write(JournalEntry(.report(sale, finding)), WriteID("statement-1"), at: now)
                #expect(try await client.standing(of: sale) == .notExecuted)
                isReachable.turn(true)
                try await shop.recover(client, seconds: 2 * 86_400)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
            }
        }
    }

    /// A sale was not sent, then sent again without a reply; when the line is back, recovery finds it. No message comes.
    @Test(arguments: [false, true]) func recoveryOfASaleThatWasTriedTwice_contradictsNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isSent, isShown) = (Switch(false), Switch(false))
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                if isSent.isOn { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
            }
            driver.onLookup = { _, _ in
                isShown.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                isSent.turn(true)
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 60)
                isShown.turn(true)
                try await shop.recover(client, seconds: 7_200)
                #expect(try await client.amounts(of: sale).captured == .cents(1_000))
                #expect(try await client.attempt(sale)?.isContradicted == false)
            }
        }
    }

    /// One merchant's account has two names; the messages about the second one's payment come to the first one's address.
    @Test(arguments: [false, true], ["late failure", "refund", "refund by name"])
    func messagesUnderTheOtherName_takeThePaymentBack(_ isSQLite: Bool, _ kind: String) throws {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop, merchant: "m")
            a.onLookup = { _, _ in .found(Self.paidAtB) }
            let (client, isRefund) = (try shop.client(a, b, routing: routing), kind != "late failure")
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                switch kind {
                case "late failure":
                    shop.say(.attempt(sale), [.sale], nowDeclined(.failedAfterApproval, ["payment": "p-b"]))
                case "refund":
                    shop.say(.attempt(sale), [.sale], Self.paidAtB)
                    await client.takeWebhook(from: "a")
                    shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-b")
                default:
                    shop.say(
                        .reference("dash-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-b")
                }
                await client.takeWebhook(from: "a")
                try await shop.wait(seconds: 20)
                // Now the first name shows the payment as well.
                await Self.hint(client, shop, sale, from: "a")
                try await shop.wait(seconds: 20)
                let amounts = try await client.amounts(of: sale)
                #expect(isRefund ? amounts.refunded == .cents(1_000) : amounts.captured.isZero, "\(amounts)")
                #expect(try await client.payment(PaymentID(sale)).conflictingAttempts.isEmpty)
                #expect(await client.refund(1_000, of: sale).isApproved == false)
            }
        }
    }

    /// The second provider was removed; the first one can't be reached when its message comes.
    @Test(arguments: [false, true]) func hintOfTheFirstProvider_whereTheSecondIsGone_isLookedUpAgain(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            var (a, b, routing) = Self.fallback(shop)
            let isReachable = Switch(false)
            a.onLookup = { _, _ in
                if !isReachable.isOn { throw Refused(.network, .notSent) }
                return .found(Self.paidAtA)
            }
            let (before, after) = (try shop.client(a, b, routing: routing), try shop.client(a, owner: "new"))
            try shop.play { [sale] in
                _ = await before.sell(attempt: sale)
                await Self.hint(after, shop, sale, from: "a")
                try await shop.wait(seconds: 20)
                isReachable.turn(true)
                try await shop.recover(after, seconds: 2 * 86_400)
                #expect(try await after.amounts(of: sale).captured == .cents(2_000))
            }
        }
    }

    /// Each lookup of 64 decided sales brings one more message; a sale in doubt has its turn all the same.
    @Test(arguments: [false, true]) func floodAboutManyAttempts_leavesTheOthersTheirRecovery(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isFlood, isShown, later) = (Switch(false), Switch(false), Locked<PaymentClient?>(nil))
            var driver = Fake(shop.ledger)
            driver.onSale = { [sale, ledger = shop.ledger] request, context in
                if context.attempt == sale { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await Fake.charge(ledger, request, context)
            }
            driver.onLookup = { [sale] inquiry, _ in
                if inquiry.attempt == sale {
                    return isShown.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .cannotTell("Not now.")
                }
                if isFlood.isOn, let client = later.withLock({ $0 }) {
                    await Self.hint(client, shop, inquiry.attempt, from: "p")
                }
                return .found(nowApproved(1_000, ["payment": "p-\(inquiry.attempt)"]))
            }
            let client = try shop.client(driver)
            later.withLock { $0 = client }
            try shop.play { [sale] in
                let others = try (1...64).map { try AttemptID("other-\($0)") }
                for id in others { _ = await client.sell(1_000, "order of \(id)", attempt: id) }
                _ = await client.sell(attempt: sale)
                isFlood.turn(true)
                isShown.turn(true)
                for id in others { await Self.hint(client, shop, id, from: "p") }
                try await shop.recover(client, seconds: 130)
                #expect(try await client.standing(of: sale) == .approved)
                isFlood.turn(false)
            }
            later.withLock { $0 = nil }
        }
    }
}

extension Int {
    /// One more; returns it.
    fileprivate mutating func increase() -> Int {
        self += 1
        return self
    }
}
