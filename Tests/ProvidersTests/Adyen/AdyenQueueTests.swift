import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// Webhooks that are proven and about something else: Adyen sends nothing more until each is acknowledged.
@Suite struct AdyenQueueTests {
    private func item(_ code: String, account: String, _ till: AdyenTill, isForged: Bool = false) throws -> JSON {
        let item: JSON = [
            "eventCode": .string(code), "pspReference": "8515131751004933", "merchantAccountCode": .string(account),
            "merchantReference": "report.csv", "success": "true", "amount": ["currency": "EUR", "value": 0],
            "eventDate": "2026-01-01T00:00:00Z", "reason": "https://example.com/report.csv",
        ]
        let text = try #require(NotificationItem(item)).signedText + (isForged ? "x" : "")
        let proof = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        return item.adding("additionalData", ["hmacSignature": .string(Base64.standard.encode(proof))])
    }

    private func webhook(_ items: [JSON]) -> [UInt8] {
        let wrapped = items.map { JSON.object(["NotificationRequestItem": $0]) }
        return JSON.object(["live": "false", "notificationItems": .array(wrapped)]).bytes()
    }

    @Test(arguments: ["REPORT_AVAILABLE", "AUTHORISATION", "CAPTURE", "REFUND"])
    func provenWebhook_ofAnotherAccount_isAcknowledgedAndIgnored(code: String) throws {
        let till = AdyenTill()
        let client = try till.client()
        let message = webhook([try item(code, account: "TestCompany", till)])
        let (answer, told) = try till.play {
            let events = client.events()
            let answer = try await client.receiveWebhook(message, from: "adyen")
            var told: PaymentEvent?
            for await event in events {
                told = event
                break
            }
            return (answer, told)
        }
        #expect(answer.status == 200 && answer.items.count == 1)
        guard case .ignored(let why)? = answer.items.first?.effect else {
            Issue.record("it is \(answer.items)")
            return
        }
        #expect(why.contains("TestCompany") && why.contains("TestMerchant"), "\(why)")
        #expect(told?.kind == .otherAccount && told?.attributes == ["kind": code, "account": "TestCompany"])
    }

    @Test func webhook_withoutAProofThatFits_isRefused() throws {
        let till = AdyenTill()
        let driver = try till.driver()
        for account in ["TestCompany", "TestMerchant"] {
            let message = webhook([try item("REPORT_AVAILABLE", account: account, till, isForged: true)])
            #expect(throws: PaymentError(.signatureInvalid, outcome: .notExecuted)) {
                _ = try driver.notices(in: WebhookMessage(body: message, at: 0))
            }
        }
        #expect(throws: PaymentError.self) {
            _ = try driver.notices(in: WebhookMessage(body: Array("{}".utf8), at: 0))
        }
    }

    /// What a terminal shows and reports on its own goes to the same address.
    @Test(arguments: ["Display", "Event"]) func terminalsOwnNotification_isAcknowledged(category: String) throws {
        let till = AdyenTill()
        let client = try till.client()
        let body: JSON = [
            "SaleToPOIRequest": .object([
                "MessageHeader": [
                    "ProtocolVersion": "3.0", "MessageClass": category == "Event" ? "Event" : "Device",
                    "MessageCategory": .string(category), "MessageType": "Notification", "DeviceID": "1",
                    "SaleID": "TILL", "POIID": .string(AdyenSimulator.terminal),
                ],
                category == "Event" ? "EventNotification" : "DisplayRequest": ["EventToNotify": "SaleWakeUp"],
            ])
        ]
        let answer = try till.play { try await client.receiveWebhook(body.bytes(), from: "adyen") }
        #expect(answer.status == 200 && answer.items.isEmpty)
    }
}
