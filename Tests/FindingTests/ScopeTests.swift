import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// Two applications with a scope each on one journal and one account at the provider.
@Suite struct ScopeTests {
    /// Both call their attempt by the order's number. The till's request never arrives; its lookup finds the web shop's
    /// payment of that name.
    @Test func lookupInOneScope_paymentOfAnotherScope_isNotTakenForOurs() throws {
        let (till, owners) = (Till(), Owners())
        let attempt = try AttemptID("order-1001")
        func client(_ scope: String, _ transport: any HTTPTransport) throws -> PaymentClient {
            var till = till
            till.process = owners.process(scope)
            var given = till.dependencies
            given.scope = scope
            return try PaymentClient(till.driver(transport), given)
        }
        let losing = HookTransport(till.transport) { request, next async throws(TransportFailure) in
            if request.method == "POST", request.target == "/payments" { throw .maybeSent(.connectionReset) }
            return try await next(request)
        }
        let (web, pos) = (try client("web", till.transport), try client("pos", losing))
        try till.play {
            #expect(await web.sell(1_000, "order-1001", attempt: attempt).isApproved)
            let told = await pos.sell(1_000, "order-1001", attempt: attempt)
            let charges = till.backend.standing.movementCount
            #expect(charges == 1)
            #expect(!told.isApproved, "two sales are approved, and the provider has \(charges) charge: \(told)")
            if told.isApproved { _ = await pos.refund(of: attempt) }
            // Ann has paid in the web shop, and nothing of it was refunded.
            #expect(till.backend.standing.movementCount == 1, "the till refunded the web shop's payment")
        }
    }

    /// What a provider is asked about the customer `c-1` of the shop `berlin`: by a sale, by its repeat by a client that puts no
    /// shop's name in front, and by a debit.
    private func asked(namesCustomers: Bool) throws -> [String?] {
        let (shop, asked) = (Shop(), Locked([String?]()))
        var driver = Fake(shop.ledger)
        driver.capabilities.namesCustomers = namesCustomers
        driver.onSale = { [ledger = shop.ledger] request, context in
            asked.withLock { $0.append(request.customer) }
            return try await Fake.charge(ledger, request, context)
        }
        driver.onDebit = { request in asked.withLock { $0.append(request.customer) } }
        var given = ClientOptions(journal: shop.journal)
        (given.clock, given.executor, given.scope) = (shop.stage, shop.stage, "berlin")
        let former = try PaymentClient(driver, given)
        given.customersOf = "berlin"
        let client = try PaymentClient(driver, given)
        try shop.play {
            var sale = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
            sale.customer = "c-1"
            let attempt = try AttemptID("sale-1")
            for client in [client, former] { _ = try await client.sale(sale, attempt: attempt) }
            var debit = CardOnFileRequest(.cents(500), of: SavedInstrument.ID("card-1", of: "p"), reference: "order-2")
            debit.customer = "c-1"
            _ = try await client.chargeCardOnFile(debit)
        }
        return asked.withLock { $0 }
    }

    @Test func customerOfAShop_isNamedAfterTheShop_whereTheProviderNamesNone() throws {
        #expect(try asked(namesCustomers: false) == ["berlin.c-1", "berlin.c-1"])
        #expect(try asked(namesCustomers: true) == ["c-1", "c-1"])
    }

    /// Two shops at one account, and a customer of one name at each.
    @Test func customersOfTwoShops_ofOneName_haveTheirOwnCards() throws {
        let till = Till()
        func client(_ shop: String?) throws -> PaymentClient {
            var given = till.dependencies
            (given.scope, given.customersOf) = (shop ?? "", shop)
            return try PaymentClient(till.driver(), given)
        }
        let (berlin, paris, office) = (try client("berlin"), try client("paris"), try client(nil))
        @Sendable func cards(_ client: PaymentClient) throws -> ProviderClient.SavedInstruments {
            try #require(try client.provider(client.activeProvider).savedInstruments)
        }
        try till.play {
            var saving = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "order-1")
            (saving.customer, saving.savesInstrument) = ("c-1", true)
            let sold = try await berlin.sale(saving).payment
            let kept = try #require(sold?.saved?.id)
            var check = VerificationRequest(try Cards.good(), in: .eur, reference: "check")
            check.customer = "c-1"
            _ = try await paris.tokenize(check)
            let all = try cards(office)
            #expect(try await all.list(of: "berlin.c-1").map(\.id) == [kept])
            #expect(try await all.list(of: "paris.c-1").count == 1)
            #expect(try await all.list(of: "c-1").isEmpty)
            let own = try await cards(berlin).list(of: "c-1")
            #expect(own.map(\.id) == [kept] && own.first?.customer == "c-1")
            // The card's name alone may be another shop's.
            let count = till.backend.standing.movementCount
            await #expect(throws: PaymentError.self) {
                _ = try await paris.sale(.cents(500), from: .saved(kept), reference: "order-2")
            }
            await #expect(throws: PaymentError.self) {
                _ = try await paris.chargeCardOnFile(CardOnFileRequest(.cents(500), of: kept, reference: "order-3"))
            }
            #expect(till.backend.standing.movementCount == count)
            try await cards(berlin).remove(kept, of: "c-1")
            #expect(try await all.list(of: "berlin.c-1").isEmpty)
            #expect(try await all.list(of: "paris.c-1").count == 1)
        }
    }
}
