import Foundation
import PaymentBase
import PaymentDriverKit
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

    @Test func whoEndedAPaymentIsDistinguished() throws {
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

    @Test(arguments: ["de", "de-DE", "de_DE"]) func language_withARegion_isSentInTwoLetters(_ language: String) throws {
        var request = SaleRequest(asked, from: .reader, reference: "order 1001")
        request.language = language
        let payment = try AdyenMapping.payment(
            request, AttemptID("a-1"), at: 1_767_604_500_000, AdyenTill().configuration)
        #expect(payment.language == "de")
    }

    @Test func thePartialReversalNamesItsCurrency() throws {
        let reversal = ReversalRequest(
            originalID: "4r7i001556529591000.8515565295894301", originalTimestamp: "2026-01-05T09:15:09.000Z",
            transactionID: "refund-1", timestamp: "2026-01-05T10:00:00.000Z",
            amount: JSONNumber(units: 300, places: 2), currency: "EUR")
        let header = NexoHeader(.reversal, id: "22123456", saleID: "TILL-7", poiID: "V400m-324688042")
        try golden("reversal.request.json", NexoMessage.request(header, reversal.json))
    }

    /// Compares with a recorded request; `RECORD_SNAPSHOTS=1` records it again.
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

@Suite struct AdyenWireTests {
    @Test func additionalResponsesAreReadInBothForms() throws {
        let pairs = AdditionalResponse("a=1&b=x%20y+z&c=%2Fp%3D&d=k=v=&e&a=2&f=100%")
        #expect(pairs["a"] == "2")
        #expect(pairs.pairs.filter { $0.name == "a" }.map(\.value) == ["1", "2"])
        #expect(pairs["b"] == "x y z")
        #expect(pairs["c"] == "/p=")
        #expect(pairs["d"] == "k=v=")
        #expect(pairs["e"] == "")
        #expect(pairs["f"] == "100%")
        #expect(pairs["g"] == nil)
        let json = #"{"additionalData":{"refusalReason":"210 Not enough","n":5},"message":"NO","store":"S"}"#
        let packed = AdditionalResponse(Base64.standard.encode(Array(json.utf8)))
        #expect(packed["refusalReason"] == "210 Not enough")
        #expect([packed["n"], packed["message"], packed["store"]] == ["5", "NO", "S"])
    }

    @Test func acquirerDataIsWrittenStrictlyAndReadInBothForms() {
        var data = SaleToAcquirerData()
        data.add("tenderOption", "AskGratuity,ReceiptHandler")
        data.add("metadata.reference", "a&b=c é")
        data.add("store", nil)
        #expect(data.text == "tenderOption=AskGratuity%2CReceiptHandler&metadata.reference=a%26b%3Dc%20%C3%A9")
        #expect(SaleToAcquirerData(data.text ?? "")["metadata.reference"] == "a&b=c é")
        #expect(SaleToAcquirerData(Base64.standard.encode(Array(#"{"currency":"EUR"}"#.utf8)))["currency"] == "EUR")
        #expect(SaleToAcquirerData().text == nil)
    }

    @Test(arguments: [
        (Money(minorUnits: 1_099, .eur), "10.99", Int64(1_099)), (Money(minorUnits: 100, .jpy), "100", 100),
        (Money(minorUnits: 1_000, .kwd), "1.000", 1_000), (Money(minorUnits: 2_500, .clp), "2500", 250_000),
        (Money(minorUnits: 300, .isk), "300", 30_000), (Money(minorUnits: 150_000, .idr), "1500.00", 1_500),
        (Money(minorUnits: 700, .cve), "7.00", 7), (Money(minorUnits: 2_500, .clf), "0.2500", 25),
    ])
    func amountsAreExactBothWays(_ money: Money, _ decimal: String, _ units: Int64) throws {
        #expect(try AdyenAmounts.decimal(money).text == decimal)
        #expect(try AdyenAmounts.json(money)["value"]?.int64 == units)
        #expect(try AdyenAmounts.money(units, money.currency.code) == money)
        for written in [decimal, decimal.contains(".") ? decimal + "0" : decimal + ".0"] {
            #expect(try AdyenAmounts.money(JSONNumber(written), money.currency.code, asked: .eur) == money)
        }
    }

    @Test func amountsThatTheProviderCanNotHoldAreRefusedBeforeAnythingIsSent() {
        for money in [Money(minorUnits: 150_050, .idr), Money(minorUnits: 2_501, .clf)] {
            #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) { try AdyenAmounts.decimal(money) }
        }
        let large = Money(minorUnits: 10_000_000_000, .eur)
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) { try AdyenAmounts.decimal(large) }
    }

    @Test func sumsOfTenthsStayExact() throws {
        let sum = try Money(minorUnits: 10, .eur).adding(Money(minorUnits: 20, .eur))
        #expect(try AdyenAmounts.decimal(sum).text == "0.30")
        #expect(throws: PaymentError(.unreadableReply, outcome: .unknown)) {
            try AdyenAmounts.money(JSONNumber("0.30000000000000004"), "EUR", asked: .eur)
        }
    }

    @Test func onlyTheProvidersOwnExponentsDifferFromTheStandard() {
        let differing = AdyenAmounts.exponents.differences.map { "\($0.key.code)\($0.value)" }.sorted()
        #expect(differing == ["BIF2", "CLF2", "CLP2", "CVE0", "IDR0", "ISK2", "UYI2", "UYW2"])
    }

    @Test func namesOfMessagesAreShortAndDifferWhateverTheTime() {
        var seen: Set<String> = []
        for number in Int64(0)..<50_000 {
            let name = ServiceID.text(number, at: 1_767_225_600_000)
            #expect(name.utf8.count <= NexoHeader.idCharactersMax)
            #expect(name.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) })
            seen.insert(String(name.suffix(ServiceID.numberCharacters)))
        }
        #expect(seen.count == 50_000, "the number alone tells two names apart")
    }

    @Test func aReplyBelongsToItsRequestByAllThreeNames() {
        let asked = NexoHeader(.payment, id: "A1", saleID: "S", poiID: "P")
        var reply = asked
        reply.type = "Response"
        #expect(asked.isAnswered(by: reply))
        for other in [
            NexoHeader(.payment, id: "A2", saleID: "S", poiID: "P"),
            NexoHeader(.payment, id: "A1", saleID: "T", poiID: "P"),
            NexoHeader(.payment, id: "A1", saleID: "S", poiID: "Q"),
            NexoHeader(.reversal, id: "A1", saleID: "S", poiID: "P"),
        ] {
            var stranger = other
            stranger.type = "Response"
            #expect(!asked.isAnswered(by: stranger))
        }
    }

    @Test(arguments: [
        ("message=Did+not+receive+a+response+from+the+POI.", "unknown"),
        (
            "message=Failed+to+send+message+to+POI.+There+may+be+a+network+issue+or+it+may+not+have+the+websocket+connected.",
            "notDelivered"
        ),
        ("message=Input+is+not+a+JSONObject", "malformed"),
        ("message=Empty+input+which+would+have+resulted+in+a+null+result.", "malformed"),
        ("Maintenance window started", "unknown"), ("", "unknown"),
    ])
    func rejectionsAreSortedByTheirText(_ details: String, _ family: String) {
        let name =
            switch NexoMessage.Rejection(details) {
            case .notDelivered: "notDelivered"
            case .malformed: "malformed"
            case .unknown: "unknown"
            }
        #expect(name == family)
    }

    @Test func messagesWithOtherShapesAreReadable() throws {
        let text = """
            {"SaleToPOIResponse":{"MessageHeader":{"messagecategory":"Payment","MessageType":"Response","ServiceID":12,
            "SaleID":"S","POIID":"P","Strange":[1]},"PaymentResponse":{"Response":{"Result":"Success","Odd":null},
            "POIData":{"POITransactionID":{"TransactionID":"t.p","TimeStamp":"2026-01-05T09:15:09+00:00"}},
            "PaymentResult":{"OnlineFlag":"true","AmountsResp":{"AuthorizedAmount":"10.99","Currency":"EUR"},
            "PaymentInstrumentData":{"CardData":{"EntryMode":"Contactless","PaymentBrand":"new-brand"}},
            "AuthenticationMethod":"OnlinePIN"}}}}
            """
        let message = try #require(NexoMessage(AdyenTill.json(text)))
        #expect(message.header.id == "12")
        let reply = try #require(PaymentReply(message.body))
        let verdict = try AdyenMapping.verdict(reply, asked: Money(minorUnits: 1_099, .eur))
        guard case .approved(let approval) = verdict else { throw PaymentError(.conflict, outcome: .unknown) }
        #expect(approval.amount == Money(minorUnits: 1_099, .eur))
        #expect(approval.card?.brand == "new-brand")
        #expect(approval.card?.entry == "contactless")
        #expect(approval.receipt?.verification == "pin")
    }
}

/// The codes of the documents, written down beside the adapter, against the adapter's tables: nothing is missing and
/// nothing is there that no document has.
@Suite struct AdyenCodesTests {
    private func rows(_ name: String) throws -> [[String]] {
        String(decoding: try AdyenTill.fixture("codes.\(name).tsv"), as: UTF8.self)
            .split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
    }

    @Test(arguments: ["condition", "http", "checkout", "kit", "attestation"])
    func theErrorTableIsThatOfTheDocuments(_ family: String) throws {
        var due: Set<[String]> = []
        for row in try rows(family) where row[1] != "declined" && row[1] != "cancelled" {
            due.insert(Array(row.prefix(3)))
        }
        let ours = Set(
            ErrorTable.adyen.rows.filter { $0.family == family }.map { row in
                [row.code, row.category.rawValue, row.delivery == .maybeSent ? "unknown" : "notExecuted"]
            })
        #expect(ours.symmetricDifference(due) == [])
        print("\(family): \(due.count) codes")
    }

    @Test func refusalsAndEndsAreThoseOfTheDocuments() throws {
        let rows = try rows("condition")
        #expect(Set(rows.filter { $0[1] == "declined" }.map { $0[0] }) == Set(AdyenDeclineCodes.declines.keys))
        #expect(Set(rows.filter { $0[1] == "cancelled" }.map { $0[0] }) == Set(AdyenDeclineCodes.cancellations.keys))
        #expect(rows.count == 17)
    }

    @Test func refusalReasonsAreThoseOfTheDocuments() throws {
        let ours = Set(
            AdyenDeclineCodes.codes.map { [$0.key, $0.value.rawValue] }
                + AdyenDeclineCodes.words.map { [$0.key, $0.value.rawValue] })
        #expect(ours.symmetricDifference(try rows("refusal")) == [])
    }

    @Test func whatCanBePutRightWithoutANetworkIsThatOfTheDocuments() throws {
        let due = Set(try rows("attestation").filter { $0[3] == "yes" }.map { $0[0] })
        #expect(AdyenPhoneFailureTable.resolvedOffline == due)
    }

    @Test func everyCodeIsThereOnce() {
        let codes = ErrorTable.adyen.rows.map(\.code)
        #expect(Set(codes).count == codes.count)
        print("\(codes.count) error codes")
    }
}

/// The adapter's own list.
private enum AdyenPhoneFailureTable {
    static var resolvedOffline: Set<String> { ErrorTable.resolvedOffline }
}
