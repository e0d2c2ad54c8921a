import EcommpayProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// The ecommpay adapter in front of the simulated ecommpay.
@Suite struct EcommpayTests {
    /// A refund that the merchant made at ecommpay's dashboard has no merchant_refund_id.
    @Test func refundAtEcommpaysDashboard_byCallback_isCounted() throws {
        let stage = TestScheduler()
        let rules = EcommpaySimulator.Rules()
        let backend = EcommpaySimulator(clock: stage, crypto: OpenSSLCrypto(), rules: rules)
        let origin = Origin(.http, "ecommpay.test")
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        (configuration.secret, configuration.isSoleUser) = (rules.secret, true)
        configuration.customerIPAddress = "198.51.100.47"
        var tools = ProviderDependencies(transport: InProcessTransport([origin: backend]))
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
        try stage.run {
            let card = try KeyedCard(
                number: "5555555555554444", expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            var request = SaleRequest(Money(minorUnits: 1_000, .eur), from: .card(card), reference: "order-1")
            request.contact = CustomerContact()
            request.contact?.email = "john@example.org"
            let (sale, asked) = (try AttemptID("sale-1"), request)
            let told = await Told { try await client.sale(asked, attempt: sale) }
            #expect(told.isApproved, "\(told)")
            await client.takeWebhook(callback, from: "ecommpay")
            let refunded = try await client.payment(PaymentID(sale)).amounts.refunded
            #expect(refunded == Money(minorUnits: 1_000, .eur), "in the books: \(refunded)")
        }
    }
}
