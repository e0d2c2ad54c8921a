import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A service answers a request for ever as it answered it first: the id of what it cancelled is spent.
@Suite struct SpentIDTests {
    private let sale: AttemptID

    init() throws { sale = try AttemptID("sale-1") }

    /// A cancel comes before its request, and the service is started again.
    @Test(arguments: [false, true]) func spentBeforeItsRequest_executesNothing(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (first, second) = (
                try shop.client(Fake(shop.ledger), owner: "one"), try shop.client(Fake(shop.ledger), owner: "two")
            )
            try shop.play { [sale] in
                let spent = try await first.spend(sale)
                #expect(spent.state == .declined && spent.isSpentUnasked)
                let told = await second.sell(attempt: sale)
                #expect(!told.isApproved && shop.ledger.charges.isEmpty, "\(told)")
                let (listed, again) = (try await second.payments().payments, try await second.spend(sale))
                #expect(listed.isEmpty && again == spent)
            }
        }
    }

    /// The provider is not reached, the till gives up, and a copy of its request comes later.
    @Test(arguments: [false, true]) func spentAfterItWasNotSent_isAnsweredCancelled(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let isAway = Switch(true)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    if isAway.isOn { throw Refused(.network, .notSent) }
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["payment": "p-1"])
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                let first = await client.sell(attempt: sale)
                try #require(first.saysNothingMoved, "\(first)")
                let intent = try #require(try await client.attempt(sale)).intent
                let spent = try await client.spend(sale, for: intent)
                #expect(spent.state == .declined)
                isAway.turn(false)
                let again = await client.sell(attempt: sale)
                #expect(!again.isApproved && shop.ledger.charges.isEmpty, "\(again)")
            }
        }
    }

    /// The sale was faster than the cancel.
    @Test(arguments: [false, true]) func spentAfterItWasExecuted_staysExecuted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let held = try await client.spend(sale)
                let captured = try await client.amounts(of: sale).captured
                #expect(held.state == .approved && captured == .cents(1_000))
            }
        }
    }
}
