import PaymentBase
import PaymentCore
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

/// Requests that the merchant's back end has made, handed over as bytes.
@Suite struct AdyenPreparedRequestTests {
    private static func payment(
        _ amount: String = "50.00", id: String = "BACK000001", terminal: String = AdyenSimulator.terminal,
        data: String = "store=S1", type: String? = nil
    ) -> [UInt8] {
        let kind = type.map { #","PaymentData":{"PaymentType":"\#($0)"}"# } ?? ""
        return Array(
            """
            {"SaleToPOIRequest": {"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\
            "MessageCategory":"Payment","MessageType":"Request","ServiceID":"\(id)","SaleID":"BACK","POIID":"\(terminal)"},
            "PaymentRequest":{"SaleData":{"SaleTransactionID":{"TransactionID":"order 1001","TimeStamp":\
            "2026-01-05T09:15:00.000Z"},"SaleToAcquirerData":"\(data)"},"PaymentTransaction":{"AmountsReq":\
            {"Currency":"EUR","RequestedAmount":\(amount)}}\(kind)}}}
            """.utf8)
    }

    private static func reversal(of name: String, _ time: String, amount: String?, data: String) -> [UInt8] {
        let part = amount.map { #","ReversedAmount":\#($0)"# } ?? ""
        return Array(
            """
            {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\
            "MessageCategory":"Reversal","MessageType":"Request","ServiceID":"BACK000002","SaleID":"BACK",\
            "POIID":"\(AdyenSimulator.terminal)"},"ReversalRequest":{"OriginalPOITransaction":{"POITransactionID":\
            {"TransactionID":"\(name)","TimeStamp":"\(time)"}},"ReversalReason":"MerchantCancel",\
            "SaleData":{"SaleTransactionID":{"TransactionID":"refund-1","TimeStamp":"2026-01-05T10:00:00.000Z"},\
            "SaleToAcquirerData":"\(data)"}\(part)}}}
            """.utf8)
    }

    /// Plays a fault on the payment, after the terminal was asked how it is.
    private func arm(_ fault: WireFault, _ till: AdyenTill, times: Int = 1) {
        var rule = FaultRule(fault, times: times)
        rule.skip = 1
        till.plan.arm(rule)
    }

    /// A client over a line that keeps what goes to the terminal.
    private func wired(_ till: AdyenTill, _ log: Locked<[[UInt8]]>) throws -> PaymentClient {
        try till.client(
            over: HookTransport(till.transport) { request, next throws(TransportFailure) in
                if NexoMessage(try? JSONReader().read(request.body))?.header.category == .payment {
                    log.withLock { $0.append(request.body) }
                }
                return try await next(request)
            })
    }

    @Test func aPaymentGoesOutAsItIsAndItsAnswerComesBack() throws {
        let (till, log) = (AdyenTill(), Locked([[UInt8]]()))
        let client = try wired(till, log)
        let finished = try AdyenPreparedRequest(Self.payment())
        #expect(finished.operation == .sale && finished.amount == Money(minorUnits: 5_000, .eur))
        let (first, again) = try till.play {
            (try await client.perform(finished), try await client.perform(try AdyenPreparedRequest(Self.payment())))
        }
        #expect(first.payment?.approved == Money(minorUnits: 5_000, .eur))
        #expect(again.payment?.id == first.payment?.id)
        #expect(log.withLock { $0 } == [Self.payment()])
        #expect(till.backend.ledger.movements.map(\.attempt) == ["order 1001"])
        let reply = try JSONReader().read(try #require(finished.prepared.reply))
        #expect(reply["SaleToPOIResponse"]?["MessageHeader"]?["ServiceID"] == "BACK000001")
        #expect(AdyenInspector().inspect(InspectedMessage(reply.bytes())).map(\.money) == [.executed])
        #expect(first.payment?.id.attempt.text.hasPrefix("BACK000001-") == true)
    }

    @Test func onTheNetworkItIsEncryptedByteForByte() throws {
        let till = AdyenTill()
        let client = try till.client { $0.link = .local }
        let finished = try AdyenPreparedRequest(Self.payment())
        let result = try till.play { try await client.perform(finished) }
        #expect(result.payment?.approved == Money(minorUnits: 5_000, .eur))
        #expect(finished.prepared.reply != nil)
    }

    @Test func aLostReplyIsAskedForUnderTheBackEndsName() throws {
        let till = AdyenTill()
        arm(.replyLost, till)
        let client = try till.client()
        let finished = try AdyenPreparedRequest(Self.payment())
        let result = try till.play { try await client.perform(finished) }
        #expect(result.payment?.approved == Money(minorUnits: 5_000, .eur))
        #expect(finished.prepared.reply == nil)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aRequestThatNeverArrivedMovedNothing() throws {
        let till = AdyenTill()
        arm(.requestLost, till)
        let client = try till.client()
        #expect(throws: PaymentError(.notReceived, outcome: .notExecuted)) {
            try till.play { try await client.perform(try AdyenPreparedRequest(Self.payment())) }
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// What a webhook says under the back end's name makes us ask the terminal, since it may be about another try; once the
    /// terminal has repeated by which name it took it, the webhook is about this one and later than that answer.
    @Test func aWebhookInsteadOfEveryReplyMakesUsAsk() throws {
        let till = AdyenTill()
        arm(.replyLost, till, times: 60)
        let client = try till.client()
        let finished = try AdyenPreparedRequest(Self.payment())
        let (before, after) = try till.play { [scheduler = till.scheduler] in
            _ = try? await client.perform(finished)
            let before = try await till.journal.record(finished.attempt)?.state
            till.plan.clear()
            try await till.deliver(till.backend.takeMessages(), to: client)
            try await scheduler.sleep(until: scheduler.now + 10_000)
            return (before, try await till.journal.record(finished.attempt))
        }
        #expect(before == .inDoubt)
        #expect(after?.approval?.amount == Money(minorUnits: 5_000, .eur))
        #expect(after?.evidence?.kind == .webhook && after?.reports.contains { $0.evidence == .reply } == true)
    }

    /// The same bytes can't have a fresh name, so nothing sends them again.
    @Test(arguments: ["59.05", "59.07"]) func whatWouldBeRepeatedIsNot(_ amount: String) throws {
        let (till, log) = (AdyenTill(), Locked([[UInt8]]()))
        let client = try wired(till, log)
        let finished = try AdyenPreparedRequest(Self.payment(amount))
        let outcome = Result { try till.play { try await client.perform(finished) } }
        guard case .failure(let error as PaymentError) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.outcome == .notExecuted && error.detail.contains("have a new one made"))
        #expect(log.withLock { $0.count } == 1)
    }

    @Test func aReversalReversesThePaymentThatItNames() throws {
        let till = AdyenTill()
        let client = try till.client()
        let refunded = try till.play { [scheduler = till.scheduler] in
            let payment = try await client.perform(try AdyenPreparedRequest(Self.payment())).payment
            guard let payment, let name = payment.references["transaction"],
                let time = payment.references["transactionTime"]
            else { throw PaymentError(.conflict, outcome: .unknown) }
            let bytes = Self.reversal(of: name, time, amount: "12.50", data: "currency=EUR")
            let result = try await client.perform(try AdyenPreparedRequest(bytes), of: payment.id)
            guard case .pending = result else { throw PaymentError(.conflict, outcome: .unknown) }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let other = Self.reversal(of: "4r7i001.9999", time, amount: "1.00", data: "currency=EUR")
            do throws(PaymentError) {
                _ = try await client.perform(try AdyenPreparedRequest(other), of: payment.id)
                Issue.record("it was over another payment")
            } catch { #expect(error.outcome != .unknown) }
            return try await client.payment(payment.id).amounts.refunded
        }
        #expect(refunded == Money(minorUnits: 1_250, .eur))
        #expect(till.backend.ledger.movements.count == 2)
    }

    @Test func whatCanNotBeReadOrTrustedIsRefusedBeforeAnythingIsSent() throws {
        let bad: [[UInt8]] = [
            Array("".utf8), Array("{}".utf8), Self.payment("\"x\""), Self.payment(id: "TWELVELETTERS"),
            Self.payment(type: "CashAdvance"), Self.payment("10.999"),
            Self.reversal(of: "T.P", "2026", amount: "3.0", data: "store=S"),
        ]
        for bytes in bad {
            #expect(throws: PaymentError.self) { _ = try AdyenPreparedRequest(bytes) }
        }
        let (till, log) = (AdyenTill(), Locked([[UInt8]]()))
        let client = try wired(till, log)
        let elsewhere = try AdyenPreparedRequest(Self.payment(terminal: "P400Plus-123456789"))
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try till.play { try await client.perform(elsewhere) }
        }
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try till.play {
                var request = SaleRequest(Money(minorUnits: 4_999, .eur), from: .reader, reference: "o")
                request.prepared = PreparedRequest(Self.payment())
                return try await client.sale(request)
            }
        }
        #expect(log.withLock { $0.isEmpty })
    }

    @Test func preAuthorisationsAndRefundsAreReported() throws {
        #expect(try AdyenPreparedRequest(Self.payment(data: "authorisationType=PreAuth")).operation == .authorize)
        #expect(try AdyenPreparedRequest(Self.payment(data: "manualCapture=true")).operation == .authorize)
        let packed = Base64.standard.encode(Array(#"{"manualCapture":true}"#.utf8))
        #expect(try AdyenPreparedRequest(Self.payment(data: packed)).operation == .authorize)
        #expect(try AdyenPreparedRequest(Self.payment(data: "store=S1&manualCapture=false")).operation == .sale)
        #expect(try AdyenPreparedRequest(Self.payment(type: "Refund")).operation == .unlinkedRefund)
        #expect(
            try AdyenPreparedRequest(Self.payment(data: "tenderOption=AllowPartialAuthorisation"))
                .acceptsPartialApproval)
        var printed = ""
        dump(try AdyenPreparedRequest(Self.payment()).prepared, to: &printed)
        #expect(!printed.contains("order"))
    }

    /// What is captured by hand is only held, in whichever form the request says so.
    @Test(arguments: ["manualCapture=true", Base64.standard.encode(Array(#"{"manualCapture":true}"#.utf8))])
    func finishedRequest_capturedByHand_isHeldAndCaptured(_ data: String) throws {
        let till = AdyenTill()
        let client = try till.client()
        let captured: [Money] = try till.play { [scheduler = till.scheduler] in
            let finished = try AdyenPreparedRequest(Self.payment(data: data))
            let held = try #require(try await client.perform(finished).payment)
            _ = try await client.capture(held.id, attempt: try AttemptID("capture-1"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return [held.amounts.captured, try await client.payment(held.id).amounts.captured]
        }
        #expect(captured == [.zero(.eur), Money(minorUnits: 5_000, .eur)])
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    /// A finished request goes out once under its name, also where the cloud refuses it with a page.
    @Test func finishedRequest_refusedByTheCloud_goesOutOnce() throws {
        let (till, sent) = (AdyenTill(), Locked(0))
        let client = try till.client(
            over: HookTransport(till.transport) { request, next throws(TransportFailure) in
                guard NexoMessage(try? JSONReader().read(request.body))?.header.category == .payment else {
                    return try await next(request)
                }
                let number = sent.withLock { sent in
                    sent += 1
                    return sent
                }
                if number > 1 { return try await next(request) }
                return HTTPResponse(429, headers: ["Content-Type": "text/html"], body: Array("<h1>429</h1>".utf8))
            })
        let finished = try AdyenPreparedRequest(Self.payment())
        _ = try till.play { try? await client.perform(finished) }
        #expect(sent.withLock { $0 } == 1)
    }
}

/// Charges of instruments that a payment at a terminal saved.
@Suite struct AdyenSavedTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    @Test func anInstrumentOutOfAPaymentIsChargedInTheBackOffice() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (saved, again, refunded) = try till.play { [scheduler = till.scheduler] in
            var request = SaleRequest(cents(5_000), from: .reader, reference: "first")
            (request.savesInstrument, request.customer) = (true, "S 1/2")
            guard let saved = try await client.sale(request).payment?.saved else {
                throw PaymentError(.conflict, outcome: .unknown)
            }
            till.backend.present(nil)
            let result = try await client.sale(cents(1_234), from: .saved(saved.id), reference: "second")
            guard let again = result.payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try await client.refund(again.id, of: cents(234))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (saved, again, try await client.payment(again.id).amounts.refunded)
        }
        #expect(saved.customer == "S 1/2")
        #expect(again.approved == cents(1_234))
        #expect(refunded == cents(234), "the back office gives it back, whatever terminals do")
    }

    @Test(arguments: [
        (Int64(124), Decline.Reason.insufficientFunds, "12"), (125, .blockedCard, "5"), (126, .expiredCard, "6"),
        (127, .doNotHonor, "2"),
    ])
    func aRefusalHasItsReasonAndItsRawCode(_ digits: Int64, _ reason: Decline.Reason, _ code: String) throws {
        let till = AdyenTill()
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let result = try till.play { try await client.sale(cents(5_000 + digits), from: .saved(id), reference: "o") }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == reason && decline.provider.code == code)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aLostReplyIsAskedForAgainUnderTheSameKey() throws {
        let till = AdyenTill()
        _ = till.plan.arm(FaultRule(.replyLost))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let result = try till.play { try await client.sale(cents(5_000), from: .saved(id), reference: "o") }
        #expect(result.payment?.approved == cents(5_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func withoutEveryReplyAWebhookSettles() throws {
        let till = AdyenTill()
        _ = till.plan.arm(FaultRule(.replyLost, times: 60))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let (before, after) = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            _ = try? await client.sale(cents(5_000), from: .saved(id), reference: "o", attempt: attempt)
            till.plan.clear()
            try await scheduler.sleep(until: scheduler.now + 400_000)
            _ = try? await client.status(attempt)
            let before = try await till.journal.record(attempt)?.state
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (before, try await till.journal.record(attempt))
        }
        #expect(before == .inDoubt, "no terminal is asked about it")
        #expect(after?.approval?.amount == cents(5_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anInstrumentWithoutItsCustomerIsRefusedBeforeAnythingIsSent() throws {
        let till = AdyenTill()
        let client = try till.client()
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try till.play {
                try await client.sale(cents(5_000), from: .saved(.init(rawValue: "M1")), reference: "o")
            }
        }
    }

    @Test(arguments: ["RedirectShopper", "IdentifyShopper", "Error", "Teleported"])
    func aResultThatAsksForTheCustomerProvesNothing(_ result: String) throws {
        let reply = SavedPaymentReply(["resultCode": .string(result), "pspReference": "P"])
        #expect(throws: AdyenFailure.self) { try AdyenMapping.verdict(reply, "a-1") }
    }

    @Test func anAnswerToAnotherChargeIsNotOurs() throws {
        let reply = SavedPaymentReply([
            "resultCode": "Authorised", "pspReference": "P", "merchantReference": "other",
            "amount": ["currency": "EUR", "value": 5_000],
        ])
        #expect(throws: AdyenFailure.self) { try AdyenMapping.verdict(reply, "a-1") }
    }
}
