import AdyenProvider
import EcommpayProvider
import Foundation
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Adyen in front of the simulated Adyen, whose ledger judges.
@Suite struct ThirdAttackAdyenTests {
    private static let origin = Origin(.http, "adyen.test")
    private let stage = TestScheduler()
    private let backend: AdyenSimulator
    private let attempt: AttemptID

    init() throws {
        backend = AdyenSimulator(clock: stage, crypto: OpenSSLCrypto())
        attempt = try AttemptID("sale-1")
    }

    private func client() throws -> PaymentClient {
        var configuration = AdyenConfiguration(
            endpoint: Self.origin, checkout: WebURL(Self.origin, "/v72"), merchant: backend.merchant,
            apiKey: backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        configuration.passphrase = backend.passphrase
        configuration.treatsNotFoundAsProof = true
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        let transport = InProcessTransport([Self.origin: backend], clock: stage)
        return try PaymentClient(try configuration.driver(transport, OpenSSLCrypto()), given)
    }

    private func webhook(
        _ code: String, _ psp: String, of original: String, for reference: String = "sale-1", _ cents: Int64,
        hour: Int, success: String = "true"
    ) throws -> [UInt8] {
        let text = "\(psp):\(original):\(backend.merchant):\(reference):\(cents):EUR:\(code):\(success)"
        let key = try #require(Hex.decode(backend.webhookKey.expose()))
        let signature = try OpenSSLCrypto().authenticate(.sha256, key: Secret(bytes: key), Array(text.utf8))
        let item: JSONObject = [
            "additionalData": ["hmacSignature": .string(Base64.standard.encode(signature))],
            "amount": ["currency": "EUR", "value": .number(JSONNumber(cents))],
            "eventCode": .string(code), "eventDate": .string("2026-01-01T0\(hour):00:00+00:00"),
            "merchantAccountCode": .string(backend.merchant), "merchantReference": .string(reference),
            "originalReference": .string(original), "paymentMethod": "mc", "pspReference": .string(psp),
            "success": .string(success), "reason": "",
        ]
        let body: JSON = ["live": "false", "notificationItems": .array([["NotificationRequestItem": .object(item)]])]
        return body.bytes()
    }

    /// What the merchant has of the payment in the provider's own ledger.
    private var merchantCents: Int64 {
        backend.ledger.movements.reduce(0) { sum, movement in
            sum + (movement.to == .merchant ? movement.amount.minorUnits : 0)
                - (movement.from == .merchant ? movement.amount.minorUnits : 0)
        }
    }

    /// 6.00 of 10.00 is captured, and the payment is voided: Adyen reverses what was captured.
    @Test func voidAfterACaptureAtAdyen_isNotChargedInTheBooks() throws {
        let client = try client()
        try stage.run { [attempt, backend, stage] in
            let told = await Told {
                try await client.authorize(.cents(1_000), from: .reader, reference: "order-1", attempt: attempt)
            }
            try #require(told.isApproved, "\(told)")
            _ = await client.take(600, of: attempt, attempt: try AttemptID("cap-1"))
            let captured = try #require(backend.decide("cap-1", succeeds: true))
            await client.takeWebhook(captured.body, from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            let before = try await client.amounts(of: attempt).captured
            try #require(before == .cents(600) && merchantCents == 600, "\(before) \(merchantCents)")
            let void = await client.undo(attempt, attempt: try AttemptID("void-1"))
            let voided = try #require(backend.decide("void-1", succeeds: true))
            await client.takeWebhook(voided.body, from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            let amounts = try await client.amounts(of: attempt)
            let isOpen = try await client.openCount(of: attempt) > 0
            #expect(!isOpen)
            #expect(
                amounts.captured.minorUnits - amounts.refunded.minorUnits == merchantCents,
                "\(void): at Adyen \(merchantCents) is left, in the books captured \(amounts.captured), refunded \(amounts.refunded), refundable \(amounts.refundable)"
            )
        }
    }

    /// A second capture of a captured sale fails at the Customer Area after it was accepted.
    @Test func secondCaptureAtAdyen_failsLater_leavesTheSaleCharged() throws {
        let client = try client()
        try stage.run { [attempt, stage] in
            func sell(_ id: AttemptID) async -> Told {
                await Told {
                    try await client.sale(SaleRequest(.cents(1_000), from: .reader, reference: "order-1"), attempt: id)
                }
            }
            try #require(await sell(attempt).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(try webhook("CAPTURE", "CAP0000000000001", of: psp, 1_000, hour: 1), from: "adyen")
            await client.takeWebhook(
                try webhook("CAPTURE_FAILED", "CAP0000000000002", of: psp, 1_000, hour: 2), from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            let amounts = try await client.amounts(of: attempt)
            let again = await sell(try AttemptID("sale-2"))
            #expect(amounts.captured == .cents(1_000), "in the books \(amounts.captured)")
            #expect(!again.isApproved, "at Adyen \(merchantCents) for one order: \(again)")
        }
    }

    /// The hold expires while Adyen has accepted a capture of a part, which it then carries out.
    @Test func expiryWhileACaptureIsPendingAtAdyen_isNotSoldAgain() throws {
        let client = try client()
        try stage.run { [attempt, backend, stage] in
            let told = await Told {
                try await client.authorize(.cents(1_000), from: .reader, reference: "order-1", attempt: attempt)
            }
            try #require(told.isApproved, "\(told)")
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            _ = await client.take(600, of: attempt, attempt: try AttemptID("cap-1"))
            await client.takeWebhook(try webhook("EXPIRE", "EXP0000000000001", of: psp, 400, hour: 1), from: "adyen")
            // Adyen carries the capture out now, and its message takes a minute.
            let captured = try #require(backend.decide("cap-1", succeeds: true))
            let again = await Told {
                try await client.sale(
                    SaleRequest(.cents(1_000), from: .reader, reference: "order-1"), attempt: try AttemptID("sale-2"))
            }
            try await stage.sleep(until: stage.now + 60_000)
            await client.takeWebhook(captured.body, from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            let back = await Told { try await client.refund(PaymentID(attempt), of: .cents(600)) }
            #expect(!again.isApproved, "at Adyen \(merchantCents) for one order of 10.00")
            #expect(try await client.amounts(of: attempt).captured == .cents(600))
            #expect(!back.saysNothingMoved, "6.00 is captured and can't be given back: \(back)")
        }
    }

    /// A refund at the Customer Area whose message is over nothing.
    @Test func refundAtAdyenOverNothing_blocksOrIsRaised() throws {
        let client = try client()
        let heard = Heard(client, stage)
        try stage.run { [attempt, stage] in
            let told = await Told {
                try await client.sale(SaleRequest(.cents(1_000), from: .reader, reference: "order-1"), attempt: attempt)
            }
            try #require(told.isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(try webhook("REFUND", "REF0000000000001", of: psp, 0, hour: 1), from: "adyen")
            try await stage.sleep(until: stage.now + 5_000)
            let amounts = try await client.amounts(of: attempt)
            let isOpen = try await client.openCount(of: attempt) > 0
            let isRaised = [.contradiction, .disputed, .otherAmount].contains { heard.has($0) }
            #expect(
                isOpen || isRaised || amounts.refundable.isZero,
                "refunded \(amounts.refunded), refundable \(amounts.refundable); heard \(heard.kinds)")
        }
    }
}

/// ecommpay in front of the simulated ecommpay.
@Suite struct ThirdAttackEcommpayTests {
    private let stage = TestScheduler()
    private let rules = EcommpaySimulator.Rules()
    private let backend: EcommpaySimulator
    private let sale: AttemptID

    init() throws {
        backend = EcommpaySimulator(clock: stage, crypto: OpenSSLCrypto(), rules: rules)
        sale = try AttemptID("sale-1")
    }

    private func client() throws -> PaymentClient {
        let origin = Origin(.http, "ecommpay.test")
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        (configuration.secret, configuration.isSoleUser) = (rules.secret, true)
        configuration.customerIPAddress = "198.51.100.47"
        var tools = ProviderDependencies(transport: InProcessTransport([origin: backend]))
        tools.crypto = OpenSSLCrypto()
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        return try PaymentClient(try EcommpayDriver(configuration, tools), given)
    }

    private var request: SaleRequest {
        get throws {
            let card = try KeyedCard(
                number: "5555555555554444", expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            var request = SaleRequest(Money(minorUnits: 1_000, .eur), from: .card(card), reference: "order-1")
            request.contact = CustomerContact()
            request.contact?.email = "john@example.org"
            return request
        }
    }

    private func callback(_ type: String, _ id: Int64, _ status: String, hour: Int) throws -> [UInt8] {
        let time = JSON.string("2026-01-01T0\(hour):00:00+0000")
        let body: JSON = [
            "project_id": .number(JSONNumber(Int64(rules.project))),
            "payment": [
                "id": "sale-1", "type": "purchase", "status": .string(status), "date": time, "method": "card",
                "sum": ["amount": 600, "currency": "EUR"], "description": "",
            ],
            "operation": [
                "id": .number(JSONNumber(id)), "type": .string(type), "status": "success", "date": time,
                "created_date": time, "request_id": .string("dash-req-\(id)"),
                "sum_initial": ["amount": 400, "currency": "EUR"],
                "sum_converted": ["amount": 400, "currency": "EUR"], "code": "0", "message": "Success",
            ],
        ]
        let text = Array(try EcommpaySigningRequest(body).text.utf8)
        let proof = Base64.standard.encode(try OpenSSLCrypto().authenticate(.sha512, key: rules.secret, text))
        var signed = try #require(body.object)
        signed["signature"] = .string(proof)
        return JSON.object(signed).bytes()
    }

    /// A refund of 4.00 at the dashboard comes back.
    @Test func dashboardRefundAtEcommpay_thatComesBack_isTakenBackOrRaised() throws {
        let client = try client()
        let heard = Heard(client, stage)
        try stage.run { [sale, stage] in
            let asked = try request
            try #require(await Told { try await client.sale(asked, attempt: sale) }.isApproved)
            await client.takeWebhook(
                try callback("refund", 77_777, "partially refunded", hour: 1), from: "ecommpay")
            let before = try await client.amounts(of: sale).refunded
            try #require(before == .cents(400), "\(before)")
            await client.takeWebhook(try callback("refund reverse", 77_778, "success", hour: 2), from: "ecommpay")
            try await stage.sleep(until: stage.now + 3_600_000)
            let amounts = try await client.amounts(of: sale)
            let isOpen = try await client.openCount(of: sale) > 0
            let isRaised = [.contradiction, .disputed, .otherAmount].contains { heard.has($0) }
            #expect(
                amounts.refunded.isZero || isOpen || isRaised,
                "4.00 came back, in the books refunded \(amounts.refunded), refundable \(amounts.refundable); heard \(heard.kinds)"
            )
        }
    }

    /// 6.00 of 10.00 is captured, which releases the rest; a void gives the 6.00 back.
    @Test func voidAfterACaptureAtEcommpay_isNotChargedInTheBooks() throws {
        let client = try client()
        try stage.run { [sale, stage, backend] in
            let asked = try request
            let held = await Told { try await client.authorize(asked, attempt: sale) }
            try #require(held.isApproved, "\(held)")
            let taken = await client.take(600, of: sale)
            try await stage.sleep(until: stage.now + 120_000)
            let before = try await client.amounts(of: sale).captured
            try #require(before == .cents(600), "\(taken); \(before)")
            let void = await client.undo(sale)
            try await stage.sleep(until: stage.now + 120_000)
            _ = try await client.recover()
            let amounts = try await client.amounts(of: sale)
            let left = backend.ledger.movements.reduce(Int64(0)) { sum, movement in
                sum + (movement.to == .merchant ? movement.amount.minorUnits : 0)
                    - (movement.from == .merchant ? movement.amount.minorUnits : 0)
            }
            #expect(
                amounts.captured.minorUnits - amounts.refunded.minorUnits == left,
                "\(void): at ecommpay \(left) is left, in the books captured \(amounts.captured), refunded \(amounts.refunded), refundable \(amounts.refundable)"
            )
        }
    }
}
