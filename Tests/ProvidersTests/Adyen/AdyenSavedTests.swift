import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

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
