import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What a terminal says about a refusal, as the vendor's page has it.
@Suite struct AdyenRefusalTests {
    private func failed(_ condition: String, _ said: String) throws -> Verdict {
        let reply = try #require(
            PaymentReply([
                "Response": [
                    "Result": "Failure", "ErrorCondition": .string(condition), "AdditionalResponse": .string(said),
                ]
            ]))
        return try AdyenMapping.verdict(reply, asked: Money(minorUnits: 1_000, .eur))
    }

    @Test(arguments: [
        (
            "WrongPIN", "refusalReason=Invalid%20online%20PIN&message=INVALID_PIN", Decline.Reason.incorrectPIN,
            "WrongPIN"
        ),
        ("InvalidCard", "refusalReason=205%20Invalid%20card&message=INVALID_CARD", .invalidCard, "205"),
        ("InvalidCard", "refusalReason=205%20Invalid%20card", .invalidCard, "205"),
        ("Refusal", "refusalReason=Card%20expired&message=CARD_EXPIRED", .expiredCard, "Refusal"),
        ("PaymentRestriction", "refusalReason=Card%20removed", .notPermitted, "PaymentRestriction"),
        ("Refusal", "refusalReason=999%20Something%20new", .unmapped, "999"),
    ]) func decline_withoutAListedNumber_goesByItsWordOrCondition(
        condition: String, said: String, reason: Decline.Reason, code: String
    ) throws {
        guard case .declined(let decline) = try failed(condition, said) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.reason == reason && decline.provider.code == code, "\(decline.reason) \(decline.provider)")
    }

    @Test func abort_afterAContactlessFallback_isTheShoppers() throws {
        guard case .cancelled(let end) = try failed("Aborted", "refusalReason=Contactless%20fallback") else {
            Issue.record("it is not cancelled")
            return
        }
        #expect(end.cause == .customer)
    }

    @Test func messageFormat_namesTheMembersThatAreWrong() throws {
        do {
            _ = try failed(
                "MessageFormat", "message=Did+not+parse&errors=%2FSaleToPOIRequest%2FPaymentRequest%2FSaleData")
            Issue.record("it was judged")
        } catch let failure as AdyenFailure {
            #expect(failure.fault.provider?.message.contains("/SaleToPOIRequest/PaymentRequest/SaleData") == true)
        }
    }

    /// The terminal's last word, asked for when nothing of the payment can be under way any more.
    @Test func sale_whoseTerminalCouldNotReachTheHost_movedNothingInTheEnd() throws {
        let till = AdyenTill()
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let message = NexoMessage(try? JSONReader().read(request.body))
            guard let header = message?.header, [.payment, .status].contains(header.category) else {
                return try await next(request)
            }
            let failure: JSON = [
                "Response": [
                    "Result": "Failure", "ErrorCondition": "UnreachableHost",
                    "AdditionalResponse": "message=Host+unreachable",
                ]
            ]
            let about = message?.body.member("MessageReference")
            var head = NexoHeader(
                .payment, id: about?.member("ServiceID")?.text ?? header.id, saleID: header.saleID, poiID: header.poiID)
            head.type = "Response"
            var own = header
            own.type = "Response"
            let body: JSON =
                header.category == .payment
                ? failure
                : [
                    "Response": ["Result": "Success"], "MessageReference": about ?? .null,
                    "RepeatedMessageResponse": [
                        "MessageHeader": head.json, "RepeatedResponseMessageBody": ["PaymentResponse": failure],
                    ],
                ]
            let answer = NexoMessage.request(own, body).object?.members.first?.value.object?.members ?? []
            var root = JSONObject()
            for member in answer {
                root[member.key == "MessageHeader" ? member.key : header.category.rawValue + "Response"] = member.value
            }
            return HTTPResponse(200, body: JSON.object(["SaleToPOIResponse": .object(root)]).bytes())
        }
        let client = try till.client(over: line)
        let id = try AttemptID("offline-1")
        do {
            _ = try till.play {
                try await client.sale(Money(minorUnits: 1_000, .eur), from: .reader, reference: "o", attempt: id)
            }
            Issue.record("it has a result")
        } catch let error as PaymentError { #expect(error.outcome == .notExecuted, "\(error)") }
        till.scheduler.advance(by: 600_000)
        let state = try till.play { try await client.attempt(id)?.state }
        #expect(state == .notExecuted, "\(String(describing: state))")
    }

    @Test func tipWithASavedCard_isRefusedBeforeItIsSent() throws {
        let till = AdyenTill()
        let client = try till.client()
        var request = SaleRequest(
            Money(minorUnits: 1_200, .eur),
            from: .saved(.init(rawValue: "\(AdyenSimulator.savedInstrument)/\(AdyenSimulator.savedCustomer)")),
            reference: "o")
        request.tip = Money(minorUnits: 200, .eur)
        let asked = request
        #expect(throws: PaymentError(.unsupported, outcome: .notExecuted)) {
            try till.play { try await client.sale(asked) }
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// As long as the page about idempotency says at least: no request goes out under a key that may be forgotten.
    @Test func keyOfTheBackOffice_countsForSevenDays() throws {
        let takes = try AdyenTill().driver().capabilities
        let week: Int64 = 604_800_000
        #expect(takes.keyLifetime == week)
        #expect(takes.transit != nil && takes.sendLimit != nil, "without the former no key counts at all")
    }
}
