import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// What a payment is called in the Customer Area, where finance departments search for orders.
@Suite struct AdyenMerchantReferenceTests {
    private static func name(_ order: String, _ way: AdyenConfiguration.MerchantReference) throws -> String {
        var configuration = AdyenTill().configuration
        configuration.merchantReference = way
        return AdyenMapping.merchantReference(order, try AttemptID("a-1"), configuration)
    }

    @Test func reference_ofAPayment_isTheOrderAndTheAttempt() throws {
        #expect(try Self.name("order 7", .orderAndAttempt) == "order 7~a-1")
        #expect(try Self.name("order 7", .attempt) == "a-1")
        #expect(try Self.name("", .orderAndAttempt) == "a-1")
        let long = try Self.name(String(repeating: "é", count: 60), .orderAndAttempt)
        #expect(long.utf8.count <= 80 && long.hasSuffix("~a-1"))
        for text in ["order 7~a-1", "a~b~a-1", "a-1"] { #expect(AdyenMapping.attempt(in: text) == "a-1") }
    }

    @Test(arguments: [false, true])
    func sale_underTheOrdersName_isApproved_alsoAfterALostReply(_ isLost: Bool) throws {
        let till = AdyenTill()
        if isLost {
            var rule = FaultRule(.replyLost)
            rule.text = "PaymentRequest"
            till.plan.arm(rule)
        }
        let client = try till.client { $0.merchantReference = .orderAndAttempt }
        let result = try till.play { try await client.sale(Money("12.00", .eur), from: .reader, reference: "order 7") }
        #expect(result.payment?.approved == Money(minorUnits: 1_200, .eur))
    }

    /// The provider's message carries the whole name; the attempt in it is ours.
    @Test func webhook_underTheOrdersName_isTheAttempts() throws {
        let till = AdyenTill()
        let driver = try till.driver { $0.merchantReference = .orderAndAttempt }
        let item: JSON = [
            "eventCode": "AUTHORISATION", "pspReference": "8515131751004933",
            "merchantAccountCode": .string(till.configuration.merchant), "merchantReference": "order 7~a-1",
            "success": "true", "amount": ["currency": "EUR", "value": 1200], "eventDate": "2026-01-01T00:00:00Z",
            "reason": "",
        ]
        let text = try #require(NotificationItem(item)).signedText
        let proof = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        let signed = item.adding("additionalData", ["hmacSignature": .string(Base64.standard.encode(proof))])
        let body: JSON = ["live": "false", "notificationItems": [.object(["NotificationRequestItem": signed])]]
        let notices = try driver.notices(in: WebhookMessage(body: body.bytes(), at: 1_767_225_600_000))
        let attempt = try AttemptID("a-1")
        #expect(notices.contains { $0.subject == .attempt(attempt) })
    }

    /// The setting was changed between a payment and the message about it: the message is the attempt's all the same.
    @Test func webhook_afterTheSettingWasChanged_isTheAttempts() throws {
        let till = AdyenTill()
        let lost = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            let text = String(decoding: request.body, as: UTF8.self)
            if text.contains("PaymentRequest") || text.contains("TransactionStatusRequest") {
                throw TransportFailure.maybeSent(.connectionReset)
            }
            return try await next(request)
        }
        let before = try till.client(over: lost) { $0.merchantReference = .orderAndAttempt }
        let attempt = try AttemptID("a-1")
        let item: JSON = [
            "eventCode": "AUTHORISATION", "pspReference": "8515131751004933",
            "merchantAccountCode": .string(till.configuration.merchant), "merchantReference": "order 7~a-1",
            "success": "true", "amount": ["currency": "EUR", "value": 1200], "eventDate": "2026-01-01T00:00:00Z",
            "reason": "",
        ]
        let text = try #require(NotificationItem(item)).signedText
        let proof = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        let signed = item.adding("additionalData", ["hmacSignature": .string(Base64.standard.encode(proof))])
        let body: JSON = ["live": "false", "notificationItems": [.object(["NotificationRequestItem": signed])]]
        let after = try till.client(over: lost)
        let states = try till.play {
            _ = try? await before.sale(Money("12.00", .eur), from: .reader, reference: "order 7", attempt: attempt)
            let open = try await after.attempt(attempt)?.state
            try await after.receiveWebhook(body.bytes(), from: "adyen")
            return [open, try await after.attempt(attempt)?.state]
        }
        #expect(states == [.inDoubt, .approved])
    }
}
