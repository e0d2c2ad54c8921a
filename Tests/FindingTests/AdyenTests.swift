import AdyenProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The Adyen adapter in front of the simulated Adyen.
@Suite struct AdyenTests {
    private static let origin = Origin(.http, "adyen.test")

    private let stage = TestScheduler()
    private let backend: AdyenSimulator
    private let attempt: AttemptID

    init() throws {
        backend = AdyenSimulator(clock: stage, crypto: OpenSSLCrypto())
        attempt = try AttemptID("sale-1")
    }

    private func client(over transport: (any HTTPTransport)? = nil) throws -> PaymentClient {
        var configuration = AdyenConfiguration(
            endpoint: Self.origin, checkout: WebURL(Self.origin, "/v72"), merchant: backend.merchant,
            apiKey: backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        configuration.passphrase = backend.passphrase
        configuration.treatsNotFoundAsProof = true
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        return try PaymentClient(
            try configuration.driver(transport ?? self.transport, OpenSSLCrypto()), given)
    }

    private var transport: any HTTPTransport { InProcessTransport([Self.origin: backend], clock: stage) }

    /// A webhook as Adyen signs it.
    private func webhook(
        _ code: String, _ psp: String, of original: String = "", for reference: String, _ cents: Int64, success: Bool,
        tender: String? = nil
    ) throws -> [UInt8] {
        let text =
            "\(psp):\(original):\(backend.merchant):\(reference):\(cents):EUR:\(code):\(success)"
        let key = try #require(Hex.decode(backend.webhookKey.expose()))
        let signature = try OpenSSLCrypto().authenticate(.sha256, key: Secret(bytes: key), Array(text.utf8))
        var additional: JSONObject = ["hmacSignature": .string(Base64.standard.encode(signature))]
        if let tender { additional["tenderReference"] = .string(tender) }
        var item: JSONObject = [
            "additionalData": .object(additional),
            "amount": ["currency": "EUR", "value": .number(JSONNumber(cents))],
            "eventCode": .string(code), "eventDate": "2026-01-01T01:00:00+00:00",
            "merchantAccountCode": .string(backend.merchant), "merchantReference": .string(reference),
            "paymentMethod": "mc", "pspReference": .string(psp), "success": .string("\(success)"),
            "reason": "51 : Insufficient funds/over credit limit",
        ]
        if !original.isEmpty { item["originalReference"] = .string(original) }
        let body: JSON = [
            "live": "false", "notificationItems": .array([["NotificationRequestItem": .object(item)]]),
        ]
        return body.bytes()
    }

    private func sell(_ client: PaymentClient, _ cents: Int64, withinSeconds limit: Int64? = nil) async -> Told {
        await Told { [attempt] in
            try await client.sale(
                SaleRequest(.cents(cents), from: .reader, reference: "order-1"), attempt: attempt,
                timeout: limit.map { .seconds($0) })
        }
    }

    /// The card is charged, the reply is lost and the network is away; three days later the terminal has forgotten the
    /// message and answers NotFound.
    @Test func notFoundFromTerminal_threeDaysLater_provesNothing() throws {
        let isAway = Switch(false)
        let line = HookTransport(transport) { request, next async throws(TransportFailure) in
            if isAway.isOn { throw .maybeSent(.connectionReset) }
            do throws(TransportFailure) { return try await next(request) } catch {
                isAway.turn(true)
                throw error
            }
        }
        let client = try client(over: line)
        try stage.run { [stage, backend, attempt] in
            // The simulated terminal charges this amount and cuts the connection before it answers.
            let friday = await sell(client, 2_901, withinSeconds: 12)
            #expect(friday.saysUnknown, "\(friday)")
            #expect(backend.ledger.movements.count == 1)
            try await stage.sleep(until: stage.now + 72 * 3_600_000)
            isAway.turn(false)
            let monday = await client.outcome(of: attempt)
            #expect(!monday.saysNothingMoved, "\(monday)")
            if monday.saysNothingMoved { _ = await sell(client, 2_901, withinSeconds: 60) }
            #expect(backend.ledger.movements.count == 1, "The card was charged more than once.")
        }
    }

    /// The terminal approves without a network; when the payment is forwarded, the issuer refuses it.
    @Test func offlineApprovalAtTerminal_refusedWhenForwarded_isNoLongerApproved() throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            let told = await sell(client, 909)
            #expect(told.isApproved, "\(told)")
            let tender = try #require(try await client.payment(PaymentID(attempt)).references["tender"])
            let refused = try webhook(
                "AUTHORISATION", "8815000000009999", for: "sale-1", 909, success: false, tender: tender)
            await client.takeWebhook(refused, from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            let later = await client.outcome(of: attempt)
            #expect(!later.isApproved, "\(later)")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.captured.isZero, "in the books: \(amounts.captured)")
        }
    }

    /// A refusal without the terminal's name may be of another card: what was approved offline stays, and can't be refunded.
    @Test func offlineApprovalAtTerminal_refusalWithoutItsName_staysOffline() throws {
        let client = try client()
        let refused = try webhook("AUTHORISATION", "8815000000009999", for: "sale-1", 909, success: false)
        try stage.run { [stage, attempt] in
            #expect(await sell(client, 909).isApproved)
            await client.takeWebhook(refused, from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            #expect(await client.outcome(of: attempt).isApproved)
            #expect(try await client.payment(PaymentID(attempt)).attempts.first?.isOfflineStill == true)
            #expect(try await client.amounts(of: attempt).refundable.isZero)
        }
    }

    /// The issuer approves what the terminal forwards: it is the same payment, not a second one.
    @Test func offlineApprovalAtTerminal_approvedWhenForwarded_countsOnce() throws {
        let client = try client()
        try stage.run { [attempt] in
            #expect(await sell(client, 909).isApproved)
            let tender = try #require(try await client.payment(PaymentID(attempt)).references["tender"])
            let approved = try webhook(
                "AUTHORISATION", "8815000000009999", for: "sale-1", 909, success: true, tender: tender)
            await client.takeWebhook(approved, from: "adyen")
            #expect(try await client.amounts(of: attempt).captured == .cents(909))
            #expect(try await client.payment(PaymentID(attempt)).attempts.first?.isOfflineStill == false)
        }
    }

    /// Adyen posts that it has captured the sale, as under delayed capture.
    @Test func captureOfSaleAtTerminal_byWebhook_isNotAddedToTheSale() throws {
        let client = try client()
        try stage.run { [attempt] in
            #expect(await sell(client, 1_000).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            let captured = try webhook("CAPTURE", "CAP0000000000001", of: psp, for: "sale-1", 1_000, success: true)
            await client.takeWebhook(captured, from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.captured == .cents(1_000), "in the books: \(amounts.captured)")
        }
    }
}
