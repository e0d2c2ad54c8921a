import AdyenProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// A stranger has seen a genuine webhook and sends a copy of it first, with another date, which Adyen does not sign.
@Suite struct ReplayedDateTests {
    private static let origin = Origin(.http, "adyen.test")

    private let stage = TestScheduler()
    private let backend: AdyenSimulator

    init() { backend = AdyenSimulator(clock: stage, crypto: OpenSSLCrypto()) }

    private func client() throws -> PaymentClient {
        var configuration = AdyenConfiguration(
            endpoint: Self.origin, checkout: WebURL(Self.origin, "/v72"), merchant: backend.merchant,
            apiKey: backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        configuration.passphrase = backend.passphrase
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        let transport = InProcessTransport([Self.origin: backend], clock: stage)
        return try PaymentClient(try configuration.driver(transport, OpenSSLCrypto()), given)
    }

    /// The signed content is the same: the copy decides nothing, and the date of the genuine message is the one that counts.
    @Test func refundThatFailed_copyWithAnEarlierDateCameFirst_isNotRefunded() throws {
        let client = try client()
        let refunded = try stage.run { [stage, backend] in
            let paid = try await client.sale(
                Money(minorUnits: 5_000, .eur), from: .reader, reference: "o", attempt: try AttemptID("sale")
            ).payment
            let payment = try #require(paid)
            _ = try await client.refund(payment.id, of: Money(minorUnits: 2_000, .eur), attempt: try AttemptID("back"))
            try await stage.sleep(until: stage.now + 60_000)
            for message in backend.takeMessages() {
                try await client.receiveWebhook(message.body, headers: message.headers, from: "adyen")
            }
            let failed = try #require(backend.failLater("back"))
            let text = String(decoding: failed.body, as: UTF8.self)
            let copy = text.replacing(/"eventDate":"[^"]*"/, with: #""eventDate":"2025-12-31T00:00:00Z""#)
            #expect(copy != text)
            try await client.receiveWebhook(Array(copy.utf8), headers: failed.headers, from: "adyen")
            try await client.receiveWebhook(failed.body, headers: failed.headers, from: "adyen")
            return try await client.payment(payment.id).amounts.refunded
        }
        #expect(refunded == .zero(.eur))
    }
}
