import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import Testing

@testable import AdyenProvider

/// What a refund's answer has for its receipt, although nothing is decided by it.
@Suite struct AdyenRefundReceiptTests {
    private static let printed: JSON = [
        "DocumentQualifier": "CustomerReceipt",
        "OutputContent": [
            "OutputFormat": "Text", "OutputText": [["Text": "name=REFUND&key=txtype"]],
        ],
    ]

    private func reply(_ more: JSONObject) throws -> PaymentReply {
        var body = more
        body["Response"] = [
            "Result": "Success", "AdditionalResponse": "acquirerResponseCode=00&authCode=123456&tid=47069832",
        ]
        body["POIData"] = [
            "POITransactionID": ["TransactionID": "4r7i.8515131751004933", "TimeStamp": "2026-01-01T00:00:00.000Z"]
        ]
        body["PaymentReceipt"] = [Self.printed]
        return try #require(PaymentReply(.object(body)))
    }

    private func isWhole(_ verdict: Verdict) throws {
        guard case .pending(let pending) = verdict else {
            Issue.record("it is \(verdict)")
            return
        }
        let receipt = try #require(pending.receipt)
        #expect(receipt.responseCode == "00" && receipt.authorizationCode == "123456")
        #expect(receipt.merchant?.terminalID == "47069832" && receipt.at != nil)
        #expect(receipt.lines.first?.copy == .customer && receipt.lines.first?.label == "REFUND")
        #expect(pending.provider?.code == "00")
    }

    @Test func reversal_received_bringsItsReceipt() throws { try isWhole(try AdyenMapping.reversal(try reply([:]))) }

    @Test func refundToACard_received_bringsItsReceipt() throws {
        try isWhole(try AdyenMapping.verdict(try reply([:]), asked: Money(minorUnits: 500, .eur), isRefund: true))
    }
}
