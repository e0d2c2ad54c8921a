import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentTestTill
import Testing

/// What an unsigned message makes the client look up, and what comes of it.
@Suite struct HintTests {
    private let sale: AttemptID
    init() throws { sale = try AttemptID("sale-1") }

    private static let (paidAtA, paidAtB) = (
        nowApproved(1_000, ["payment": "p-a"]), nowApproved(1_000, ["payment": "p-b"])
    )

    /// A first provider that seems not to be reached, and a second one that approves, or answers as it is scripted.
    private static func fallback(_ shop: Shop) -> (a: Fake, b: Fake, routing: Routing) {
        var (a, b) = (Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"))
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
            var (a, b, routing) = Self.fallback(shop)
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
}

extension Int {
    /// One more; returns it.
    fileprivate mutating func increase() -> Int {
        self += 1
        return self
    }
}
