import PaymentAbstraction
import PaymentBase
import Testing

@testable import AdyenProvider

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
