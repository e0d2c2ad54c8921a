import EcommpayProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Messages that are kept until a name is known.
@Suite struct SecondAttackKeptTests {
    private let sale: AttemptID

    init() throws { sale = try AttemptID("sale-1") }

    /// What takes a sale back as a whole comes before the sale's own reply, as a void or a refund.
    @Test(arguments: [false, true]) func reversalBeforeTheSalesReply_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let open = Locked(PaymentClient?.none)
            var driver = Fake(shop.ledger)
            driver.onSale = { request, context in
                try await context.exchange(.money) { _ in
                    shop.ledger.charge(context.attempt, request.amount)
                    shop.ledger.refund(context.attempt, request.amount, as: "rev-1")
                    shop.say(
                        .reference("rev-1", [.void, .refund]), [.void, .refund],
                        nowApproved(1_000, ["refund": "rev-1"]), of: "p-sale-1")
                    await open.withLock { $0 }?.takeWebhook()
                    return nowApproved(1_000, ["payment": "p-sale-1"])
                }
            }
            let client = try shop.client(driver)
            open.withLock { $0 = client }
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let told = await client.sell(attempt: sale)
                try await shop.wait(seconds: 86_400)
                let amounts = try await client.amounts(of: sale)
                let back = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "\(told); captured \(amounts.captured), refunded \(amounts.refunded); a refund: \(back); paid out \(shop.ledger.refunds); heard \(heard.kinds)"
                )
            }
        }
    }

    /// A partial reversal that comes before the sale's own message.
    @Test(arguments: [false, true]) func partialReversalBeforeTheSalesMessage_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("rev-1", [.void, .refund]), [.void, .refund], nowApproved(300, ["refund": "rev-1"]),
                    of: "p-sale-1")
                await client.takeWebhook()
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                try await shop.wait(seconds: 86_400)
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.minorUnits - amounts.refunded.minorUnits == 700,
                    "captured \(amounts.captured), refunded \(amounts.refunded); heard \(heard.kinds)")
            }
        }
    }

    /// The control: a plain refund in the same order.
    @Test(arguments: [false, true]) func refundBeforeTheSalesMessage_isCounted(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onLookup = { _, _ in .cannotTell("Not now.") }
            driver.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(300, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]))
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded == .cents(300), "\(amounts.refunded)")
            }
        }
    }

    /// The reply of a sale at ecommpay is lost, it is refunded at the dashboard, and found later.
    @Test func refundAtEcommpaysDashboard_whileTheSaleIsInDoubt_isCounted() throws {
        let stage = TestScheduler()
        let rules = EcommpaySimulator.Rules()
        let backend = EcommpaySimulator(clock: stage, crypto: OpenSSLCrypto(), rules: rules)
        let origin = Origin(.http, "ecommpay.test")
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        (configuration.secret, configuration.isSoleUser) = (rules.secret, true)
        configuration.customerIPAddress = "198.51.100.47"
        let (isCut, hasLeft) = (Switch(true), Switch(false))
        let line = HookTransport(InProcessTransport([origin: backend])) {
            request, next throws(TransportFailure) in
            let reply = try await next(request)
            let text = String(decoding: request.body, as: UTF8.self)
            if text.contains("5555555555554444") { hasLeft.turn(true) }
            if isCut.isOn, hasLeft.isOn { throw .maybeSent(.connectionReset) }
            return reply
        }
        var tools = ProviderDependencies(transport: line)
        tools.crypto = OpenSSLCrypto()
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        let client = try PaymentClient(try EcommpayDriver(configuration, tools), given)
        let body: JSON = [
            "project_id": .number(JSONNumber(Int64(rules.project))),
            "payment": [
                "id": "sale-1", "type": "purchase", "status": "refunded", "date": "2026-01-01T01:00:00+0000",
                "method": "card", "sum": ["amount": 0, "currency": "EUR"], "description": "",
            ],
            "operation": [
                "id": 77_777, "type": "refund", "status": "success", "date": "2026-01-01T01:00:00+0000",
                "created_date": "2026-01-01T01:00:00+0000", "request_id": "dash-req-1",
                "sum_initial": ["amount": 1_000, "currency": "EUR"],
                "sum_converted": ["amount": 1_000, "currency": "EUR"], "code": "0", "message": "Success",
            ],
        ]
        let text = Array(try EcommpaySigningRequest(body).text.utf8)
        let proof = Base64.standard.encode(try OpenSSLCrypto().authenticate(.sha512, key: rules.secret, text))
        var signed = try #require(body.object)
        signed["signature"] = .string(proof)
        let callback = JSON.object(signed).bytes()
        try stage.run { [sale] in
            let card = try KeyedCard(
                number: "5555555555554444", expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            var request = SaleRequest(Money(minorUnits: 1_000, .eur), from: .card(card), reference: "order-1")
            request.contact = CustomerContact()
            request.contact?.email = "john@example.org"
            let asked = request
            let told = await Told { try await client.sale(asked, attempt: sale) }
            #expect(told.saysUnknown, "\(told)")
            await client.takeWebhook(callback, from: "ecommpay")
            isCut.turn(false)
            try await stage.sleep(until: stage.now + 600_000)
            let status = await client.outcome(of: sale)
            let amounts = try await client.payment(PaymentID(sale)).amounts
            let isOpen = try await client.openCount(of: sale) > 0
            #expect(
                isOpen || amounts.refunded == Money(minorUnits: 1_000, .eur),
                "\(status); captured \(amounts.captured), in the books refunded \(amounts.refunded)")
        }
    }

    /// A refund at the dashboard of a sale in doubt waits for the sale's name while old payments are pruned.
    @Test(arguments: [false, true]) func refundOfASaleInDoubt_survivesPruning(_ prunes: Bool) throws {
        let shop = Shop()
        let folder = try JournalFolder()
        let canTell = Switch(false)
        var made = Fake(shop.ledger)
        made.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        made.onLookup = { _, _ in
            canTell.isOn ? .found(nowApproved(1_000, ["payment": "p-sale-1"])) : .cannotTell("Not now.")
        }
        let driver = made
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
                shop.say(.attempt(sale), [.refund], nowApproved(1_000, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 3 * 86_400)
            }
        }
        let (file, day) = (folder.file, shop.stage.now - 86_400_000)
        let pruned = try SchedulerJournal.wait {
            guard prunes else { return "nothing" }
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
            let pruned = try await journal.prune(before: day)
            await journal.close()
            return "\(pruned)"
        }
        canTell.turn(true)
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, owner: "later", over: journal)
            try shop.play { [sale] in
                let status = await client.outcome(of: sale)
                let amounts = try await client.amounts(of: sale)
                let back = await client.refund(of: sale)
                #expect(
                    shop.ledger.refundedCents == 1_000,
                    "pruned \(pruned); \(status); refunded \(amounts.refunded); a refund: \(back); paid out \(shop.ledger.refunds)"
                )
            }
        }
    }
}
