import AdyenProvider
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

/// The Adyen adapter: what its webhooks say about what was done at the dashboard.
@Suite struct AdyenAttackTests {
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
        _ code: String, _ psp: String, of original: String, for reference: String, _ cents: Int64,
        at time: String = "2026-01-01T01:00:00+00:00"
    ) throws -> [UInt8] {
        let text = "\(psp):\(original):\(backend.merchant):\(reference):\(cents):EUR:\(code):true"
        let key = try #require(Hex.decode(backend.webhookKey.expose()))
        let signature = try OpenSSLCrypto().authenticate(.sha256, key: Secret(bytes: key), Array(text.utf8))
        let item: JSONObject = [
            "additionalData": ["hmacSignature": .string(Base64.standard.encode(signature))],
            "amount": ["currency": "EUR", "value": .number(JSONNumber(cents))],
            "eventCode": .string(code), "eventDate": .string(time),
            "merchantAccountCode": .string(backend.merchant), "merchantReference": .string(reference),
            "originalReference": .string(original), "paymentMethod": "mc", "pspReference": .string(psp),
            "success": "true", "reason": "",
        ]
        let body: JSON = ["live": "false", "notificationItems": .array([["NotificationRequestItem": .object(item)]])]
        return body.bytes()
    }

    private func sell(_ client: PaymentClient) async -> Told {
        await Told { [attempt] in
            try await client.sale(SaleRequest(.cents(1_000), from: .reader, reference: "order-1"), attempt: attempt)
        }
    }

    /// A refund at Adyen's dashboard carries the payment's merchant reference; it fails two days later.
    @Test func dashboardRefundAtAdyen_failsLater_isTakenBack() throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            #expect(await sell(client).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("REFUND", "REF0000000000001", of: psp, for: "sale-1", 400), from: "adyen")
            #expect(try await client.amounts(of: attempt).refunded == .cents(400))
            try await stage.sleep(until: stage.now + 3_600_000)
            await client.takeWebhook(
                try webhook(
                    "REFUND_FAILED", "REF0000000000001", of: psp, for: "sale-1", 400, at: "2026-01-01T02:00:00+00:00"),
                from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            let amounts = try await client.amounts(of: attempt)
            #expect(
                amounts.refunded.isZero, "in the books: refunded \(amounts.refunded), refundable \(amounts.refundable)")
        }
    }

    /// The bank takes the money back; the merchant refunds it beside.
    @Test func chargebackAtAdyen_countsOrStopsTheRefund() throws {
        let client = try client()
        try stage.run { [stage, attempt, backend] in
            #expect(await sell(client).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("CHARGEBACK", "DIS0000000000001", of: psp, for: "sale-1", 1_000), from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            let amounts = try await client.amounts(of: attempt)
            let attempts = try await client.payment(PaymentID(attempt)).attempts.count
            let timeline = try await client.timeline(of: PaymentID(attempt)).map(\.kind.rawValue)
            let told = await Told { try await client.refund(PaymentID(attempt)) }
            #expect(
                amounts.refundable.isZero,
                "refundable \(amounts.refundable), \(attempts) attempts; a refund of all: \(told); \(timeline); \(backend.ledger.movements.count)"
            )
        }
    }

    /// A terminal's reversal of a part, told under the sale's reference.
    @Test func partialReversalAtAdyen_leavesTheRestCharged() throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            #expect(await sell(client).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("CANCEL_OR_REFUND", "REV0000000000001", of: psp, for: "sale-1", 300), from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            let amounts = try await client.amounts(of: attempt)
            let standing = try await client.standing(of: attempt)
            let isOpen = try await client.payment(PaymentID(attempt)).openAttempts.count
            #expect(
                isOpen > 0 || amounts.captured.minorUnits - amounts.refunded.minorUnits == 700,
                "\(String(describing: standing)), captured \(amounts.captured), refunded \(amounts.refunded)")
        }
    }

    /// A payment is reversed as a whole by another till of the account, or in the Customer Area, under a reference of its own.
    @Test func reversalByAnotherTillAtAdyen_isCounted() throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            #expect(await sell(client).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("CANCEL_OR_REFUND", "REV0000000000001", of: psp, for: "till-7", 1_000), from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            let amounts = try await client.amounts(of: attempt)
            let isOpen = try await client.payment(PaymentID(attempt)).openAttempts.count
            let timeline = try await client.timeline(of: PaymentID(attempt)).map(\.kind.rawValue)
            #expect(
                isOpen > 0 || amounts.captured.minorUnits - amounts.refunded.minorUnits == 0,
                "captured \(amounts.captured), refunded \(amounts.refunded), refundable \(amounts.refundable); \(timeline)"
            )
        }
    }

    /// The control of h01: the refund has a reference of its own.
    @Test func dashboardRefundAtAdyenUnderItsOwnReference_failsLater_isTakenBack() throws {
        let client = try client()
        try stage.run { [attempt] in
            #expect(await sell(client).isApproved)
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("REFUND", "REF0000000000001", of: psp, for: "till-7", 400), from: "adyen")
            let refunded = try await client.amounts(of: attempt).refunded
            #expect(refunded == .cents(400))
            await client.takeWebhook(
                try webhook(
                    "REFUND_FAILED", "REF0000000000001", of: psp, for: "till-7", 400, at: "2026-01-01T02:00:00+00:00"),
                from: "adyen")
            let later = try await client.amounts(of: attempt).refunded
            #expect(later.isZero, "\(later)")
        }
    }

    /// A hold is captured at the dashboard, and that capture fails later.
    @Test func dashboardCaptureAtAdyen_failsLater_isTakenBack() throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            let told = await Told {
                try await client.authorize(.cents(1_000), from: .reader, reference: "order-1", attempt: attempt)
            }
            #expect(told.isApproved, "\(told)")
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            await client.takeWebhook(
                try webhook("CAPTURE", "CAP0000000000001", of: psp, for: "sale-1", 1_000), from: "adyen")
            let captured = try await client.amounts(of: attempt).captured
            #expect(captured == .cents(1_000), "\(captured)")
            try await stage.sleep(until: stage.now + 3_600_000)
            await client.takeWebhook(
                try webhook(
                    "CAPTURE_FAILED", "CAP0000000000001", of: psp, for: "sale-1", 1_000, at: "2026-01-01T02:00:00+00:00"
                ),
                from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            let state = try await client.standing(of: attempt)
            #expect(
                amounts.captured.isZero && state == .approved,
                "the hold is \(String(describing: state)), captured \(amounts.captured), refundable \(amounts.refundable)"
            )
        }
    }
}
