import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// Callbacks that a stranger sends once more in another form: the signature covers paths and values as one text, so that
/// some forms of a message have the signature of another.
@Suite struct EcommpayReplayTests {
    /// The forms that keep the signature.
    enum Form: String, CaseIterable, Sendable {
        case same, dateAsObject, listBesideOperation, emptyRefundName, amountAsText

        func applied(to callback: JSON) throws -> JSON {
            let operation = try #require(callback["operation"])
            switch self {
            case .same: return callback
            case .dateAsObject:
                let date = try #require(operation["date"]?.string)
                let mark = try #require(date.firstIndex(of: ":"))
                let split: JSON = .object([String(date[..<mark]): .string(String(date[date.index(after: mark)...]))])
                return callback.adding("operation", operation.adding("date", split))
            case .listBesideOperation: return callback.adding("operations", [])
            case .emptyRefundName: return callback.adding("operation", operation.adding("merchant_id", [:]))
            case .amountAsText:
                let sum = try #require(operation["sum_initial"])
                let text = try #require(sum["amount"]?.number?.text)
                return callback.adding(
                    "operation", operation.adding("sum_initial", sum.adding("amount", .string(text))))
            }
        }
    }

    @Test(arguments: Form.allCases)
    func refundThatCameBack_approvalSentAgainInAnotherForm_staysDeclined(_ form: Form) throws {
        let till = EcommpayTill()
        let (scheduler, provider, client) = (till.scheduler, till.backend, try till.client())
        let (request, sale, refund) = (
            try EcommpayTill.request(5_015), try AttemptID("sale-1"), try AttemptID("refund-1")
        )
        try scheduler.run {
            _ = try await client.sale(request, attempt: sale)
            let sold = try #require(provider.decide("sale-1", succeeds: true))
            try await client.receiveWebhook(sold.body, from: "ecommpay")
            let payment = try #require(try await client.status(sale).payment)
            scheduler.advance(by: 5_000)
            _ = try await client.refund(payment.id, of: Money(minorUnits: 1_015, .eur), attempt: refund)
            scheduler.advance(by: 5_000)
            let done = try #require(provider.decide("refund-1", succeeds: true))
            try await client.receiveWebhook(done.body, from: "ecommpay")
            #expect(try await client.payment(payment.id).amounts.refunded.minorUnits == 1_015)
            scheduler.advance(by: 5_000)
            let back = try #require(provider.failLater("refund-1"))
            try await client.receiveWebhook(back.body, from: "ecommpay")
            #expect(try await client.payment(payment.id).amounts.refunded.isZero)
            scheduler.advance(by: 5_000)
            let replay = try form.applied(to: try JSONReader().read(done.body))
            let effects = try await client.receiveWebhook(replay.bytes(), from: "ecommpay").items
            #expect(!effects.isEmpty)
            let reports = try await till.journal.record(refund)?.reports.count
            let amounts = try await client.payment(payment.id).amounts
            #expect(amounts.refunded.isZero, "\(form): \(amounts.refunded), \(reports ?? 0) reports")
        }
    }

    /// A genuine message in another form decides nothing by itself, also if it comes first.
    @Test(arguments: Form.allCases.filter { $0 != .same && $0 != .emptyRefundName })
    func callback_inAnotherFormThanDocumented_isAHint(_ form: Form) throws {
        let till = EcommpayTill()
        let client = try till.client()
        let request = try EcommpayTill.request(5_015)
        let driver = try EcommpayDriver(till.configuration, till.tools)
        try till.scheduler.run {
            _ = try await client.sale(request, attempt: try AttemptID("sale-1"))
            let sold = try #require(till.backend.decide("sale-1", succeeds: true))
            let body = try form.applied(to: try JSONReader().read(sold.body)).bytes()
            let notices = try driver.notices(in: WebhookMessage(body: body, at: till.scheduler.now))
            #expect(notices.count == 1 && notices.allSatisfy { $0.verdict == nil }, "\(form): \(notices)")
        }
    }

    @Test func callback_withoutADate_isAHintAndNotOfNow() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "project_id": .number(JSONNumber(Int64(till.backend.rules.project))),
            "payment": ["id": "sale-1", "status": "success", "sum": ["amount": 100, "currency": "EUR"]],
            "operation": [
                "id": 1, "type": "sale", "status": "success", "sum_initial": ["amount": 100, "currency": "EUR"],
            ],
        ]
        let proof = try EcommpaySigning.signature(
            EcommpaySigning.text(body), till.backend.rules.secret, OpenSSLCrypto())
        let signed = body.adding("signature", .string(proof)).bytes()
        let notices = try driver.notices(in: WebhookMessage(body: signed, at: till.scheduler.now))
        #expect(notices.count == 1 && notices.first?.verdict == nil && notices.first?.at == nil, "\(notices)")
    }
}
