import AllProviders
import Foundation
import PaymentBase
import PaymentCLI
import PaymentCore
import Payments
import Testing

/// A merchant account in the configuration that the provider's webhooks are not about.
@Suite struct OtherAccountCommandTests {
    private static let key = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"

    private static func webhook(_ signature: String) -> String {
        """
        {"live": "false", "notificationItems": [{"NotificationRequestItem": {
          "additionalData": {"hmacSignature": "\(signature)"},
          "amount": {"value": 1099, "currency": "EUR"}, "eventCode": "AUTHORISATION",
          "eventDate": "2026-01-05T09:15:00+01:00", "merchantAccountCode": "AnotherMerchant",
          "merchantReference": "a-1", "originalReference": "",
          "pspReference": "993617894906488A", "reason": "", "success": "true"}}]}
        """
    }

    @Test func webhooksOfAnotherAccount_areNamedByDoctor() async throws {
        let shop = try CommandShop(
            configuration: """
                {"active": "adyen", "journal": {"kind": "sqlite", "path": "journal.sqlite"},
                 "providers": {"adyen": {"adapter": "adyen", "environment": "simulated", "merchant": "TestMerchant",
                  "credentials": {"webhookKey": "file:hmac"}}}}
                """)
        let key = URL(fileURLWithPath: "\(shop.folder)/hmac")
        try Data(Self.key.utf8).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let signed = await CommandRun.of(
            ["sign", "adyen", "-", "--secret", "file:\(key.path)"], input: Self.webhook(""))
        let body = Array(Self.webhook(signed.text).utf8)
        let quiet = await shop.run("doctor")
        #expect(!quiet.text.contains("AnotherMerchant"), "\(quiet.text)")
        let client = try await PaymentClient.open(configuration: shop.path)
        let answer = try await client.receiveWebhook(body, from: "adyen")
        #expect(answer.status == 200)
        let told = await shop.run("doctor")
        #expect(told.text.contains("AnotherMerchant") && told.text.contains("TestMerchant"), "\(told.text)")
        let shown = await CommandRun.of(
            ["webhook", "adyen", "-", "--key", "file:\(key.path)"], input: Self.webhook(signed.text))
        #expect(shown.status == 0 && shown.errors.joined().contains("AnotherMerchant"), "\(shown.errors)")
    }
}
