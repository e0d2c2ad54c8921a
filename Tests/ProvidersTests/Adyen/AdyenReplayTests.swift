import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// Webhooks that a stranger sends once more: the signature covers eight members, and not the date, the reason and what
/// stands under `additionalData`.
@Suite struct AdyenReplayTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    /// A till with a refund that was accepted, and the client that did it.
    private func refunded(
        _ till: AdyenTill, _ client: PaymentClient, attempt: String = "back"
    ) async throws -> PaymentID {
        let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
        guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
        _ = till.backend.takeMessages()
        _ = try await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID(attempt))
        try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
        return payment.id
    }

    private func read(_ messages: [OutgoingWebhook]) throws -> [JSON] {
        try messages.flatMap { try JSONReader().read($0.body)["notificationItems"]?.array ?? [] }
            .compactMap { $0["NotificationRequestItem"] }
    }

    private func webhook(_ items: [JSON]) -> [UInt8] {
        let wrapped = items.map { JSON.object(["NotificationRequestItem": $0]) }
        return JSON.object(["live": "false", "notificationItems": .array(wrapped)]).bytes()
    }

    private func date(_ instant: Int64) throws -> JSON {
        .string(try #require(Timestamp(milliseconds: instant)).text(.seconds))
    }

    @Test(arguments: [60_000, 200_000])
    func refundFailedLater_approvalSentAgainWithALaterDate_staysFailed(_ later: Int64) throws {
        let till = AdyenTill()
        let client = try till.client()
        let amounts = try till.play { [scheduler = till.scheduler] in
            let payment = try await refunded(till, client)
            let done = try #require(try read(till.backend.takeMessages()).first)
            try await client.receiveWebhook(webhook([done]), from: "adyen")
            #expect(try await client.payment(payment).amounts.refunded == cents(2_000))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let failed = try #require(till.backend.failLater("back"))
            try await till.deliver([failed], to: client)
            #expect(try await client.payment(payment).amounts.refunded.isZero)
            let replay = done.adding("eventDate", try date(scheduler.now + later))
            try await client.receiveWebhook(webhook([replay]), from: "adyen")
            return try await client.payment(payment).amounts
        }
        #expect(amounts.refunded.isZero && amounts.refundable == cents(5_000), "\(amounts)")
    }

    /// The same, while the provider's name for the refund is not known yet, and the messages are kept.
    @Test func copiesWithOtherDates_ofAMessageThatIsKept_areOneMessage() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (effects, reports) = try till.play { [scheduler = till.scheduler] in
            _ = try await refunded(till, client)
            let done = try #require(try read(till.backend.takeMessages()).first)
            let other = try AdyenTill().client()
            var effects: [WebhookResponse.Effect] = []
            for day in 1...20 as ClosedRange<Int64> {
                let copy = done.adding("eventDate", try date(scheduler.now - day * 60_000))
                _ = try await other.receiveWebhook(webhook([copy]), from: "adyen")
                effects += try await client.receiveWebhook(webhook([copy]), from: "adyen").items.map(\.effect)
            }
            return (effects, try await till.journal.record(try AttemptID("back"))?.reports ?? [])
        }
        #expect(effects.count == 40)
        #expect(reports.filter { $0.evidence.kind == .webhook }.count <= 1, "\(reports.count) reports")
        let times = reports.compactMap { report -> Int64? in
            if case .webhook(_, let time) = report.evidence { time } else { nil }
        }
        #expect(Set(times).count <= 1)
    }

    @Test func copiesInOneMessage_withOtherDatesAndReasons_areReadOnce() throws {
        let till = AdyenTill()
        let client = try till.client()
        let items = try till.play { [scheduler = till.scheduler] in
            _ = try await refunded(till, client)
            let done = try #require(try read(till.backend.takeMessages()).first)
            let copies = try (0..<90 as Range<Int64>).map { number in
                done.adding("eventDate", try date(scheduler.now - number * 1_000)).adding(
                    "reason", .string("r\(number)"))
            }
            return try await client.receiveWebhook(webhook(copies), from: "adyen").items
        }
        // Each of its two meanings.
        #expect(items.count == 2, "\(items.count)")
    }

    @Test func webhook_withMoreItemsThanAreRead_isRefused() throws {
        let till = AdyenTill()
        let driver = try till.driver()
        let item: JSON = ["NotificationRequestItem": ["eventCode": "REFUND", "pspReference": "P"]]
        let body: JSON = ["notificationItems": .array(Array(repeating: item, count: 101))]
        let error = #expect(throws: PaymentError.self) {
            _ = try driver.notices(in: WebhookMessage(body: body.bytes(), at: 0))
        }
        #expect(error?.code == .unreadableReply)
        #expect(error?.detail.contains("101 items") == true, "\(error?.detail ?? "")")
    }

    @Test(arguments: [nil, "", "yesterday", "9999-12-31T23:59:59Z"])
    func item_withoutAPossibleDate_isAHint(_ date: String?) throws {
        let till = AdyenTill()
        let client = try till.client()
        let notices = try till.play {
            _ = try await refunded(till, client)
            var item = try #require(try read(till.backend.takeMessages()).first?.object)
            item["eventDate"] = date.map { .string($0) }
            return try await client.receiveWebhook(webhook([.object(item)]), from: "adyen").notices
        }
        #expect(!notices.isEmpty && notices.allSatisfy { $0.verdict == nil }, "\(notices)")
    }

    // MARK: Whose it is

    /// Two shops on one account give one name to refunds of two payments; each gets the webhooks of both.
    @Test func refundOfAnotherPayment_underOurName_isNotTakenForOurs() throws {
        let till = AdyenTill()
        let other = AdyenTill(sharing: till)
        let (client, stranger) = (try till.client { $0.refunds = .backOffice }, try other.client())
        let (before, after) = try till.play {
            let ours = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let ours else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try await refunded(other, stranger)
            let done = try read(till.backend.takeMessages())
            till.plan.arm(FaultRule(.requestLost, times: 60))
            _ = try? await client.refund(ours.id, of: cents(2_000), attempt: try AttemptID("back"))
            till.plan.clear()
            let before = try await till.journal.record(try AttemptID("back"))?.state
            for item in done { _ = try? await client.receiveWebhook(webhook([item]), from: "adyen") }
            return (before, try await till.journal.record(try AttemptID("back"))?.state)
        }
        #expect(before == .inDoubt)
        #expect(after == before, "it was given back on another payment: \(String(describing: after))")
    }

    @Test func item_withTheMarkInAValue_isNotBelieved() throws {
        // Signed for the reference "x:TestMerchant:a-1", and read as the attempt a-1 of another payment.
        let item: JSON = [
            "eventCode": "REFUND", "pspReference": "P", "originalReference": "O:TestMerchant:x",
            "merchantAccountCode": "TestMerchant", "merchantReference": "a-1", "success": "true",
            "amount": ["currency": "EUR", "value": 100], "eventDate": "2026-01-01T00:00:00Z",
        ]
        let till = AdyenTill()
        let text = try #require(NotificationItem(item)).signedText
        let signature = try #require(AdyenSigning.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        let signed = item.adding(
            "additionalData", ["hmacSignature": .string(Base64.standard.encode(signature))])
        #expect(throws: PaymentError(.signatureInvalid, outcome: .notExecuted)) {
            _ = try till.driver().notices(in: WebhookMessage(body: webhook([signed]), at: till.scheduler.now))
        }
    }
}
