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

    /// A sale fell back to a second provider; the first one executed it after all, and only an unsigned message says so.
    @Test(arguments: [false, true], [false, true]) func hintOfTheFirstProvider_afterTheFallback_isLookedUpThere(
        _ isSQLite: Bool, _ isPaidAtSecond: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var (a, b) = (Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"))
            a.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.charge(context.attempt, request.amount, as: "p-a")
                    throw Refused(.network, .notSent)
                }
            }
            a.onLookup = { _, _ in .found(nowApproved(1_000, ["payment": "p-a"])) }
            let atB = isPaidAtSecond ? nowApproved(1_000, ["payment": "p-b"]) : nowDeclined(.insufficientFunds)
            b.onSale = { _, context in try await context.exchange(.money) { _ in atB } }
            b.onLookup = { _, _ in .found(atB) }
            var routing = Routing(active: "a")
            routing.rules = [Routing.Rule(["a", "b"])]
            let client = try shop.client(a, b, routing: routing)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.sale], nil)
                await client.takeWebhook(from: "a")
                try await shop.recover(client, seconds: 86_400)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(isPaidAtSecond ? 2_000 : 1_000), "\(captured)")
            }
        }
    }

    /// A person said that a part was paid, and the provider shows more; or it shows a second execution.
    @Test(arguments: [false, true], [false, true]) func hintAboutAnApprovedSale_thatMovedMore_isCounted(
        _ isSQLite: Bool, _ isOfPerson: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let isShown = Switch(false)
            var driver = Fake(shop.ledger)
            if isOfPerson {
                driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            }
            let name = isOfPerson ? "p-sale-1" : "p-2"
            driver.onLookup = { _, _ in
                isShown.isOn ? .found(nowApproved(1_000, ["payment": name])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                if isOfPerson {
                    try await client.resolve(
                        sale, as: .executed(name: name, .cents(600)), by: "Ann", reason: "The slip says so.")
                }
                isShown.turn(true)
                shop.say(.attempt(sale), [.sale], nil)
                await client.takeWebhook()
                try await shop.wait(seconds: 20)
                let captured = try await client.amounts(of: sale).captured
                #expect(captured == .cents(isOfPerson ? 1_000 : 2_000), "\(captured)")
            }
        }
    }
}
