import Foundation
import PaymentAbstraction
import PaymentBase
import Testing

@testable import AdyenProvider

@Suite struct AdyenMappingTests {
    private let asked = Money(minorUnits: 1_099, .eur)

    private func reply(_ name: String) throws -> PaymentReply {
        let message = try #require(NexoMessage(JSONReader().read(try AdyenTill.fixture(name))))
        return try #require(PaymentReply(message.body))
    }

    @Test func anApprovalIsReadInFull() throws {
        guard case .approved(let approval) = try AdyenMapping.verdict(reply("payment.approved.json"), asked: asked)
        else { throw PaymentError(.conflict, outcome: .unknown) }
        #expect(approval.amount == asked)
        #expect(approval.references["psp"] == "8515565295894301")
        #expect(approval.references["transaction"] == "4r7i001556529591000.8515565295894301")
        #expect(approval.references["transactionTime"] == "2026-01-05T09:15:09.000Z")
        #expect(approval.card?.last4 == "9999")
        #expect(approval.card?.brand == "mc")
        #expect(approval.card?.holder == PersonalData("A B"))
        #expect(approval.receipt?.authorizationCode == "123456")
        #expect(!approval.isPartial && !approval.isOffline)
    }

    private func failure(_ condition: String, _ said: String = "") throws -> PaymentReply {
        let body: JSON = [
            "Response": [
                "Result": "Failure", "ErrorCondition": .string(condition), "AdditionalResponse": .string(said),
            ]
        ]
        return try #require(PaymentReply(body))
    }

    @Test(arguments: [
        (
            "Refusal", "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE",
            Decline.Reason.insufficientFunds, "210"
        ),
        ("Refusal", "refusalReason=199+Card+blocked&message=BLOCK_CARD", .blockedCard, "199"),
        ("Refusal", "refusalReason=228 Card expired", .expiredCard, "228"),
        ("Refusal", "refusalReason=214%20Declined%20online&message=INVALID_AMOUNT", .invalidAmount, "214"),
        ("InvalidCard", "refusalReason=214%20Declined%20online&message=INVALID_CARD", .invalidCard, "214"),
        ("WrongPIN", "refusalReason=129%20Invalid%20online%20PIN", .incorrectPIN, "129"),
        ("Refusal", "refusalReason=999%20Something%20new&message=NOT_ENOUGH_BALANCE", .unmapped, "999"),
        ("Refusal", "message=CARD_EXPIRED", .expiredCard, "Refusal"), ("Refusal", "", .unmapped, "Refusal"),
        ("PaymentRestriction", "", .notPermitted, "PaymentRestriction"),
    ])
    func refusalsKeepTheirRawCode(_ condition: String, _ said: String, _ reason: Decline.Reason, _ code: String) throws
    {
        guard case .declined(let decline) = try AdyenMapping.verdict(failure(condition, said), asked: asked) else {
            throw PaymentError(.conflict, outcome: .unknown)
        }
        #expect(decline.reason == reason)
        #expect(decline.provider.code == code)
    }

    @Test(arguments: ["Nonsense", "", "UnreachableHost", "UnavailableService", "InProgress"])
    func anUnlistedOrUnclearConditionProvesNothing(_ condition: String) throws {
        do {
            _ = try AdyenMapping.verdict(failure(condition), asked: asked)
            Issue.record("\(condition) was judged")
        } catch let failure as AdyenFailure { #expect(failure.fault.delivery == .maybeSent) }
    }

    @Test(arguments: [
        "Busy", "DeviceOut", "UnavailableDevice", "InsertedCard", "LoggedOut", "NotAllowed", "MessageFormat",
    ])
    func conditionsBeforeThePaymentMoveNothing(_ condition: String) throws {
        do {
            _ = try AdyenMapping.verdict(failure(condition), asked: asked)
            Issue.record("\(condition) was judged")
        } catch let failure as AdyenFailure {
            #expect(failure.fault.delivery == .refused)
            #expect(failure.fault.isRetryable == (condition == "Busy"))
        }
    }

    @Test func whoEndedAPaymentIsToldApart() throws {
        for (condition, said, cause) in [
            ("Cancel", "message=101+Shopper+cancelled+app+selection", Cancellation.Cause.customer),
            ("Aborted", "message=104+Merchant+cancelled", .merchant), ("Cancel", "", .customer),
            ("Cancel", "message=104+Merchant+cancelled", .merchant),
        ] {
            guard case .cancelled(let end) = try AdyenMapping.verdict(failure(condition, said), asked: asked) else {
                throw PaymentError(.conflict, outcome: .unknown)
            }
            #expect(end.cause == cause)
        }
    }

    @Test func aModificationIsNeverMoreThanReceived() throws {
        let attempt = try AttemptID("a-1")
        let good = try AdyenTill.json(
            #"{"pspReference":"M","status":"received","reference":"a-1","amount":{"currency":"EUR","value":5}}"#)
        let due: JSON = ["currency": "EUR", "value": 5]
        guard case .pending = try AdyenMapping.verdict(ModificationReply(good), reference: attempt, asked: due) else {
            throw PaymentError(.conflict, outcome: .unknown)
        }
        for text in [
            #"{"pspReference":"M","status":"captured","reference":"a-1"}"#, #"{"status":"received"}"#, "{}",
            #"{"pspReference":"M","status":"received","reference":"other"}"#,
            #"{"pspReference":"M","status":"received","amount":{"currency":"EUR","value":6}}"#,
            #"{"pspReference":"M","status":"received","amount":{"currency":"USD","value":5}}"#,
        ] {
            let reply = ModificationReply(try AdyenTill.json(text))
            #expect(throws: AdyenFailure.self) { try AdyenMapping.verdict(reply, reference: attempt, asked: due) }
        }
    }

    // MARK: What is written

    @Test func thePaymentRequestIsTheOneOfTheDocuments() throws {
        var request = SaleRequest(asked, from: .reader, reference: "order 1001")
        request.tip = Money(minorUnits: 99, .eur)
        (request.acceptsPartialApproval, request.savesInstrument, request.customer) = (true, true, "S-1")
        request.language = "nl-BE"
        var configuration = AdyenTill().configuration
        (configuration.tenderOptions, configuration.store) = ("AskGratuity", "STORE")
        let body = try AdyenMapping.payment(
            request, AttemptID("a-1"), at: 1_767_604_500_000, configuration, holds: true
        ).json
        let header = NexoHeader(.payment, id: "0207111104", saleID: "TILL-7", poiID: "V400m-324688042")
        try golden("payment.request.json", NexoMessage.request(header, body))
    }

    @Test func thePartialReversalNamesItsCurrency() throws {
        let reversal = ReversalRequest(
            originalID: "4r7i001556529591000.8515565295894301", originalTimestamp: "2026-01-05T09:15:09.000Z",
            transactionID: "refund-1", timestamp: "2026-01-05T10:00:00.000Z",
            amount: JSONNumber(units: 300, places: 2), currency: "EUR")
        let header = NexoHeader(.reversal, id: "22123456", saleID: "TILL-7", poiID: "V400m-324688042")
        try golden("reversal.request.json", NexoMessage.request(header, reversal.json))
    }

    /// Compares with a recorded request; `RECORD_SNAPSHOTS=1` writes it anew.
    private func golden(_ name: String, _ message: JSON) throws {
        let bytes = message.bytes(layout: .pretty) + Array("\n".utf8)
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Fixtures/Adyen")
            try Data(bytes).write(to: folder.appending(path: name))
        }
        #expect(try AdyenTill.fixture(name) == bytes)
    }
}
