import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// Ways to lose money or a key that nothing else looks for.
@Suite struct AdyenTrapTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    private static func reply(_ request: HTTPRequest, _ body: (NexoMessage) -> JSON) -> HTTPResponse {
        guard let message = NexoMessage(try? JSONReader().read(request.body)) else { return HTTPResponse(500) }
        return HTTPResponse(200, body: answer(message, body(message)).bytes())
    }

    /// A terminal's answer with the head of the request.
    private static func answer(_ message: NexoMessage, _ body: JSON) -> JSON {
        var header = message.header
        header.type = "Response"
        return [
            "SaleToPOIResponse": .object([
                "MessageHeader": header.json, header.category.rawValue + "Response": body,
            ])
        ]
    }

    private static let notFound: JSON = ["Response": ["Result": "Failure", "ErrorCondition": "NotFound"]]

    /// What becomes of a sale that was sent, and of which only notes are left, when it is asked for later.
    private func fate(
        _ notes: [String: String], over transport: (any HTTPTransport)? = nil,
        _ change: (inout AdyenConfiguration) -> Void = { _ in }
    ) throws -> Attempt.State? {
        let till = AdyenTill()
        let client = try till.client(over: transport, change)
        let identity = try till.driver(change).identity
        return try till.play { [scheduler = till.scheduler, journal = till.journal] in
            let attempt = try AttemptID("a-1")
            var intent = Attempt.Intent(attempt, .sale, Money(minorUnits: 5_000, .eur), reference: "o")
            intent.source = .reader
            var open = OpenRequest(Begin(intent, identity), owner: "gone", sendLimit: 0)
            (open.cards, open.notes) = (.several, notes)
            let entry = JournalEntry(.request(open))
            let now = Attempt.Instant(wall: scheduler.now, uptime: scheduler.now)
            _ = try await journal.write(entry, WriteID("gone-1"), at: now)
            // The first one takes it over, and silence counts from then on.
            for _ in 1...2 {
                try await scheduler.sleep(until: scheduler.now + 400_000)
                _ = try? await client.status(attempt)
            }
            return try await journal.record(attempt)?.state
        }
    }

    // MARK: What is configured otherwise by the time of the question

    @Test func aMessageThatTheTerminalHasNotSeenNeverArrived() throws {
        #expect(try fate(["message": "Payment AB12345678 \(AdyenSimulator.terminal) TILL"]) == .notExecuted)
    }

    /// It may have forgotten: a restart, another terminal in its place, a queue that was cleared.
    @Test func aTerminalIsBelievedOnlyIfConfiguredToRemember() throws {
        let note = "Payment AB12345678 \(AdyenSimulator.terminal) TILL"
        #expect(try fate(["message": note]) { $0.treatsNotFoundAsProof = false } == .inDoubt)
    }

    @Test func aPaymentOnAPhoneIsNotAskedAtATerminal() throws {
        let note = "Payment AB12345678 \(AdyenSimulator.terminal) TILL"
        #expect(try fate(["phone": "INST-1", "message": note]) == .inDoubt)
    }

    /// A wrong address is found by reading what was asked there.
    @Test func anAddressWithNothingUnderItIsNamed() throws {
        let nothing = HookTransport(SilentTransport()) { _, _ in HTTPResponse(404) }
        let till = AdyenTill()
        let client = try till.client(over: nothing)
        let error = try till.play {
            await #expect(throws: PaymentError.self) { try await client.reader?.prepare() }
        }
        #expect(error?.code == .notFound && error?.outcome == .notExecuted)
        #expect(error?.detail.contains("/devices/\(AdyenSimulator.terminal)/sync") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("`endpoint`") == true)
    }

    /// One of the vendor's own libraries derives other keys of letters that are not ASCII.
    @Test func thePassphraseSaysWhichLettersItTakes() throws {
        let key = try #require(ProviderDefinition.adyen.credentials.first { $0.key == "passphrase" })
        #expect(key.summary.contains("ASCII"))
    }

    @Test func anotherTerminalOnTheNetworkIsNotAsked() throws {
        let crypto = OpenSSLCrypto()
        let keys = try NexoCrypto.Keys(Secret("adyen-sandbox-passphrase"), crypto)
        let nexo = NexoCrypto(keys: keys, crypto: crypto, identifier: "till", version: 1)
        let terminal = HookTransport(SilentTransport()) { request, _ in
            guard let sealed = try? JSONReader().read(request.body), let message = NexoMessage(try? nexo.open(sealed)),
                let answer = try? nexo.seal(Self.answer(message, Self.notFound))
            else { return HTTPResponse(500) }
            return HTTPResponse(200, body: answer.bytes())
        }
        func state(_ name: String) throws -> Attempt.State? {
            try fate(["message": "Payment AB12345678 \(name) TILL"], over: terminal) { $0.link = .local }
        }
        #expect(try state("P400Plus-123456789") == .inDoubt)
        #expect(try state(AdyenSimulator.terminal) == .notExecuted)
    }

    @Test func aRefundOfTheBackOfficeIsNotForgottenWhenRefundsGoToTerminals() throws {
        let till = AdyenTill()
        let (before, after) = (try till.client { $0.refunds = .backOffice }, try till.client())
        let state = try till.play { [scheduler = till.scheduler] in
            let payment = try await before.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = till.plan.arm(FaultRule(.replyLost, times: 60))
            _ = try? await before.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            till.plan.clear()
            try await scheduler.sleep(until: scheduler.now + 400_000)
            _ = try? await after.status(try AttemptID("back"))
            return try await till.journal.record(try AttemptID("back"))?.state
        }
        #expect(state == .inDoubt)
        #expect(till.backend.ledger.movements.count == 2)
    }

    // MARK: Answers about something else

    /// Two tills with journals of their own may give two messages one name; the payment's own name distinguishes them.
    @Test func anotherTillsPaymentUnderTheSameNameIsNotOurs() throws {
        let terminal = HookTransport(SilentTransport()) { request, _ in
            Self.reply(request) { message in
                let about = NexoHeader(.payment, id: "AB12345678", saleID: "TILL", poiID: message.header.poiID)
                var header = about
                header.type = "Response"
                return [
                    "Response": ["Result": "Success"],
                    "RepeatedMessageResponse": [
                        "MessageHeader": header.json,
                        "RepeatedResponseMessageBody": [
                            "PaymentResponse": [
                                "Response": ["Result": "Success"],
                                "SaleData": ["SaleTransactionID": ["TransactionID": "another"]],
                                "POIData": ["POITransactionID": ["TransactionID": "T.P", "TimeStamp": "2026"]],
                                "PaymentResult": ["AmountsResp": ["Currency": "EUR", "AuthorizedAmount": 50]],
                            ]
                        ],
                    ],
                ]
            }
        }
        let note = "Payment AB12345678 \(AdyenSimulator.terminal) TILL"
        #expect(try fate(["message": note], over: terminal) == .inDoubt)
    }

    @Test func aRejectionOfAnotherMessageProvesNothing() throws {
        let ours = NexoHeader(.payment, id: "AB12345678", saleID: "TILL", poiID: "P")
        let other = NexoHeader(.payment, id: "AB12345679", saleID: "TILL", poiID: "P")
        for (rejected, isOurs) in [(ours, true), (other, false)] {
            let packed = Base64.standard.encode(NexoMessage.request(rejected, [:]).bytes())
            let json: JSON = [
                "SaleToPOIRequest": [
                    "MessageHeader": ["MessageCategory": "Event", "MessageType": "Notification"],
                    "EventNotification": [
                        "EventToNotify": "Reject", "EventDetails": "message=Failed+to+send+message+to+POI.",
                        "RejectedMessage": .string(packed),
                    ],
                ]
            ]
            let error = #expect(throws: AdyenFailure.self) { try AdyenRequestSender.answer(json, to: ours) }
            #expect(error?.fault.delivery == (isOurs ? .refused : .maybeSent))
        }
    }

    @Test func aTerminalOnTheNetworkThatAnswersWasReached() async throws {
        let crypto = OpenSSLCrypto()
        let keys = try NexoCrypto.Keys(Secret("adyen-sandbox-passphrase"), crypto)
        let nexo = NexoCrypto(keys: keys, crypto: crypto, identifier: "till", version: 1)
        let old: JSON = [
            "SaleToPOIRequest": [
                "MessageHeader": ["MessageCategory": "Event", "MessageType": "Notification"],
                "EventNotification": [
                    "EventToNotify": "Reject", "EventDetails": "message=Failed+to+send+message+to+POI.",
                ],
            ]
        ]
        let body = try nexo.seal(old).bytes()
        let replayed = HookTransport(SilentTransport()) { _, _ in HTTPResponse(200, body: body) }
        let link = LocalLink(post: AdyenRequestSender(transport: replayed, origin: AdyenTill.origin), nexo: nexo)
        let header = NexoHeader(.payment, id: "AB12345678", saleID: "TILL", poiID: "P")
        let error = await #expect(throws: AdyenFailure.self) {
            try await link.send(header, JSON.object([:]), Secret("key"))
        }
        #expect(error?.fault.delivery == .maybeSent)
        #expect(error?.fault.isRetryable == false)
    }

    /// "Do not use this request for payments that involve multiple partial captures."
    @Test func void_afterOneOfSeveralCaptures_isNoReversal() throws {
        let till = AdyenTill()
        let asked = Locked([String]())
        let office = HookTransport(till.transport) { request, next throws(TransportFailure) in
            asked.withLock { $0.append(request.target) }
            return try await next(request)
        }
        let client = try till.client(over: office) { $0.allowsMultipleCaptures = true }
        let captured = try till.play { [scheduler = till.scheduler] in
            let hold = try await client.authorize(cents(10_000), from: .reader, reference: "room-7").payment
            guard let hold else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try await client.capture(hold.id, of: cents(6_000))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let captured = try await client.payment(hold.id).amounts.captured
            do throws(PaymentError) { _ = try await client.void(hold.id) } catch {
                #expect(error.code == .unsupported && error.outcome == .notExecuted, "\(error)")
            }
            return captured
        }
        #expect(captured == cents(6_000))
        let reversals = asked.withLock { $0.filter { $0.hasSuffix("/reversals") } }
        #expect(reversals.isEmpty, "\(reversals)")
    }

    @Test func aModificationOfAnotherPaymentIsNotOurs() throws {
        let till = AdyenTill()
        let office = HookTransport(till.transport) { request, next throws(TransportFailure) in
            var response = try await next(request)
            if request.target.hasPrefix("/v72"), var body = (try? JSONReader().read(response.body))?.object {
                body["paymentPspReference"] = "8815999999999999"
                response.body = JSON.object(body).bytes()
            }
            return response
        }
        let client = try till.client(over: office) { $0.refunds = .backOffice }
        let state = try till.play {
            let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try? await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            return try await till.journal.record(try AttemptID("back"))?.state
        }
        #expect(state == .inDoubt)
    }

    @Test func aFailureOfTheServerProvesNothingWhateverItsCode() throws {
        let driver = try AdyenTill().driver()
        func delivery(_ status: Int) -> Delivery {
            driver.classify(HTTPErrorResponse(HTTPResponse(status), ["errorCode": "167", "status": 500])).delivery
        }
        #expect(delivery(500) == .maybeSent)
        #expect(delivery(422) == .refused)
    }

    // MARK: While a payment is under way

    /// The shopper's first card is refused, the provider says so at once, and the second card pays.
    @Test func aRefusedCardIsNoRefusedPayment() throws {
        let till = AdyenTill()
        till.backend.present(nil)
        let client = try till.client()
        var item: JSONObject = [
            "eventCode": "AUTHORISATION", "pspReference": "8815000000009999", "merchantAccountCode": "TestMerchant",
            "merchantReference": "a-1", "success": "false", "reason": "Refused",
            "amount": ["currency": "EUR", "value": 5_000], "eventDate": "2026-01-01T00:00:00Z",
        ]
        let text = try #require(NotificationItem(.object(item))).signedText
        let signature = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
        item["additionalData"] = ["hmacSignature": .string(Base64.standard.encode(signature))]
        let webhook: JSON = ["notificationItems": [["NotificationRequestItem": .object(item)]]]
        let result = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            try await till.deliver([OutgoingWebhook(body: webhook.bytes(), at: scheduler.now)], to: client)
            till.backend.present(AdyenSimulator.Card())
            return try await sale.value
        }
        #expect(result.payment?.approved == cents(5_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aRefundDoesNotTakeThePlaceOfThePaymentThatCanBeEnded() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (answer, result) = try till.play { [scheduler = till.scheduler] in
            let paid = try await client.sale(cents(5_000), from: .reader, reference: "paid").payment
            guard let paid else { throw PaymentError(.conflict, outcome: .unknown) }
            till.backend.present(nil)
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(6_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            _ = try await client.refund(paid.id, of: cents(1_000))
            let asked = scheduler.now
            let answer = try await client.reader?.cancel()
            #expect(scheduler.now - asked < 2_000, "it ended on its own")
            return (answer, try await sale.value)
        }
        #expect(answer == .cancelled)
        #expect(result.payment == nil)
    }

    // MARK: What must not be configured, and where the key must not go

    @Test func onlyTheCloudListsTerminals() throws {
        let till = AdyenTill()
        #expect(try till.driver() is any DeviceDriver)
        #expect(try !(till.driver { $0.link = .local } is any DeviceDriver))
    }
}

/// A line without an answer.
private struct SilentTransport: HTTPTransport {
    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        throw .notSent(.connectionRefused)
    }
}
