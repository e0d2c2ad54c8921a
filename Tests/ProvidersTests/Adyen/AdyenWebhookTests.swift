import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

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

    @Test(arguments: [60_000, 200_000, 200_000_000_000])
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
            // It arrives after the failure: a date in the future counts as the arrival.
            try await scheduler.sleep(until: scheduler.now + 30_000)
            let replay = done.adding("eventDate", try date(scheduler.now + later))
            try await client.receiveWebhook(webhook([replay]), from: "adyen")
            return try await client.payment(payment).amounts
        }
        #expect(amounts.refunded.isZero && amounts.refundable == cents(5_000), "\(amounts)")
    }

    /// The machine that takes the failure has a clock that is behind, and the approval that failed comes later.
    @Test func refundFailedLater_takenByAClockThatIsBehind_approvalAfterIt_staysFailed() throws {
        let till = AdyenTill()
        let client = try till.client()
        let amounts = try till.play { [scheduler = till.scheduler] in
            let payment = try await refunded(till, client)
            let done = try #require(try read(till.backend.takeMessages()).first)
            let message = try #require(till.backend.failLater("back"))
            let failed = try #require(try read([message]).first)
            let (approvedAt, failedAt) = (scheduler.now + 600_000, scheduler.now + 1_200_000)
            let late = failed.adding("eventDate", try date(failedAt))
            try await client.receiveWebhook(webhook([late]), from: "adyen")
            try await scheduler.sleep(until: failedAt)
            let early = done.adding("eventDate", try date(approvedAt))
            try await client.receiveWebhook(webhook([early]), from: "adyen")
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

    @Test(arguments: [nil, "", "yesterday"])
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
        let signature = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        let signed = item.adding(
            "additionalData", ["hmacSignature": .string(Base64.standard.encode(signature))])
        #expect(throws: PaymentError(.signatureInvalid, outcome: .notExecuted)) {
            _ = try till.driver().notices(in: WebhookMessage(body: webhook([signed]), at: till.scheduler.now))
        }
    }
}

@Suite struct AdyenSigningTests {
    private static let first = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"
    private static let second = "9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6"

    @Test(arguments: [
        (
            first, "pspReference:originalReference:merchantAccount:reference:1000:EUR:EVENT:true",
            "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc="
        ),
        (
            first, "pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true",
            "ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE="
        ),
        (
            second, "test_REPORT_AVAILABLE::Magento2Rik:testMerchantRef1:0:EUR:REPORT_AVAILABLE:true",
            "NuEkADFmlCC6VgX+wcoPAegIWxVPNBPCuKlM4Hzo5qc="
        ),
        (second, "TestPayload", "YA9/UDjldIO4Gq68X4ATYYoEaPYH4f4k2uzBBzEF1PA="),
        (
            "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
            "7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true",
            "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="
        ),
        (
            "74F490DD33F7327BAECC88B2947C011FC02D014A473AAA33A8EC93E4DC069174",
            "ZVWN7D3WSMK2WN82::AntoniStroinski:\\:/\\/slashes are fun:1000:EUR:AUTHORISATION:true",
            "CZErGCNQaSsxbaQfZaJlakqo7KPP+mIa8a+wx3yNs9A="
        ),
    ])
    func signaturesAreThoseOfTheVectors(_ key: String, _ text: String, _ due: String) throws {
        let crypto = OpenSSLCrypto()
        let signature = try #require(AdyenHMAC.signature(Array(text.utf8), Secret(key), crypto))
        #expect(Base64.standard.encode(signature) == due)
        #expect(AdyenHMAC.isGenuine(Array(text.utf8), due, [Secret("00"), Secret(key)], crypto))
        #expect(!AdyenHMAC.isGenuine(Array((text + " ").utf8), due, [Secret(key)], crypto))
        #expect(!AdyenHMAC.isGenuine(Array(text.utf8), due, [], crypto))
        #expect(!AdyenHMAC.isGenuine(Array(text.utf8), due, [Secret(key)], UnavailableCrypto()))
    }

    @Test func whatIsSignedIsTheSameForTextsAndTruthValues() throws {
        let texts = [
            #"{"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"P","success":"true","amount":{"value":1}}}"#,
            #"{"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"P","success":true,"amount":{"value":"1"},"originalReference":null}}"#,
        ]
        for text in texts {
            let item = try #require(NotificationItem(AdyenTill.json(text)))
            #expect(item.signedText == "P::::1::CAPTURE:true")
        }
    }
}
