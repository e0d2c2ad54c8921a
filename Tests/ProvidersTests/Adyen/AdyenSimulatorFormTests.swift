import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// The simulated provider, as official clients speak to it.
@Suite struct AdyenSimulatorFormTests {
    private let till = AdyenTill()

    private func post(_ target: String, _ body: JSON, key: String? = nil) throws -> (status: Int, body: JSON) {
        var request = HTTPRequest("POST", AdyenTill.origin, target, body: body.bytes())
        request.headers["Content-Type"] = "application/json"
        request.headers["X-API-Key"] = key ?? till.backend.apiKey.expose()
        let asked = request
        let answer = try till.scheduler.run { [backend = till.backend] in await backend.answer(asked) }
        let response = try #require(answer.response)
        return (response.status, (try? JSONReader().read(response.body)) ?? .null)
    }

    private func message(_ category: String, _ body: JSON, named member: String) -> JSON {
        [
            "SaleToPOIRequest": .object([
                "MessageHeader": [
                    "ProtocolVersion": "3.0", "MessageClass": member == "ServiceID" ? "Service" : "Device",
                    "MessageCategory": .string(category), "MessageType": "Request", "SaleID": "S",
                    "POIID": .string(AdyenSimulator.terminal),
                ],
                category + "Request": body,
            ])
        ]
    }

    private var sync: String { "/v1/merchants/TestMerchant/devices/\(AdyenSimulator.terminal)/sync" }

    /// Another library writes the members of a head in another order.
    @Test func sealedMessage_withItsHeadInAnotherOrder_isRead() throws {
        let crypto = OpenSSLCrypto()
        let keys = try NexoCrypto.Keys(till.backend.passphrase, crypto)
        let nexo = NexoCrypto(keys: keys, crypto: crypto, identifier: "till", version: 1)
        let header = NexoHeader(.diagnosis, id: "D1", saleID: "S", poiID: AdyenSimulator.terminal)
        let sealed = try nexo.seal(NexoMessage.request(header, ServiceRequests.diagnosis(host: false)))
        let root = try #require(sealed["SaleToPOIRequest"]?.object)
        var turned = JSONObject()
        for member in (root["MessageHeader"]?.object?.members ?? []).reversed() { turned[member.key] = member.value }
        let other = sealed.adding("SaleToPOIRequest", JSON.object(root).adding("MessageHeader", .object(turned)))
        #expect(try post("/nexo", other).status == 200)
        let foreign = JSON.object(root).adding("MessageHeader", JSON.object(turned).adding("SaleID", "T"))
        #expect(try post("/nexo", sealed.adding("SaleToPOIRequest", foreign)).status == 400)
    }

    /// The vendor's page shows both names of a device's exchange.
    @Test(arguments: ["DeviceID", "ServiceID"])
    func displayOfTheDevice_underEitherName_isAnswered(member: String) throws {
        let output: JSON = [
            "DisplayOutput": [
                ["Device": "CustomerDisplay", "InfoQualify": "Display", "OutputContent": ["OutputFormat": "Text"]]
            ]
        ]
        var asked = message("Display", output, named: "DeviceID")
        let root = try #require(asked["SaleToPOIRequest"])
        let header = try #require(root["MessageHeader"]).adding(member, "1")
        asked = ["SaleToPOIRequest": root.adding("MessageHeader", header)]
        let answer = try post(sync, asked).body
        let result = answer["SaleToPOIResponse"]?["DisplayResponse"]?["OutputResult"]?[0]
        #expect(result?["Device"] == "CustomerDisplay" && result?["InfoQualify"] == "Display")
        #expect(result?["Response"]?["Result"] == "Success")
    }

    @Test(arguments: [
        ("Input", "InputResult"), ("Print", "DocumentQualifier"), ("CardAcquisition", "POIData"),
        ("StoredValue", "POIData"), ("GetTotals", "POIReconciliationID"), ("Reconciliation", "ReconciliationType"),
    ]) func serviceBesidePayments_isAnsweredWithWhatIsRequired(category: String, required: String) throws {
        let device = ["Input", "Print"].contains(category)
        let body: JSON = [
            "SaleData": ["SaleTransactionID": ["TransactionID": "t", "TimeStamp": "2026-01-01T00:00:00Z"]],
            "InputData": ["Device": "CustomerInput", "InfoQualify": "Input", "InputCommand": "GetConfirmation"],
            "PrintOutput": ["DocumentQualifier": "Document", "ResponseMode": "PrintEnd"],
            "ReconciliationType": "SaleReconciliation",
        ]
        var asked = message(category, body, named: device ? "DeviceID" : "ServiceID")
        let root = try #require(asked["SaleToPOIRequest"])
        let header = try #require(root["MessageHeader"]).adding(device ? "DeviceID" : "ServiceID", "1")
        asked = ["SaleToPOIRequest": root.adding("MessageHeader", header)]
        let answer = try post(sync, asked).body["SaleToPOIResponse"]?[category + "Response"]
        #expect(answer?[required] != nil, "\(String(describing: answer))")
        if required == "POIData" { #expect(answer?["SaleData"]?["SaleTransactionID"]?["TransactionID"] == "t") }
    }

    @Test func checkoutErrors_areServiceErrors() throws {
        let wrongKey = try post("/v72/payments/P/refunds", [:], key: "wrong")
        #expect(wrongKey.status == 401 && wrongKey.body["errorCode"]?.string != nil && wrongKey.body["title"] == nil)
        let other = try post("/v71/payments/P/refunds", [:])
        #expect(other.status == 404 && other.body["errorCode"]?.string != nil)
        #expect(other.body["message"]?.string?.contains("v72") == true)
    }

    @Test func refundInTheBackOffice_echoesStoreAndReason() throws {
        let client = try till.client { $0.refunds = .backOffice }
        let payment = try till.play {
            try await client.sale(Money(minorUnits: 5_000, .eur), from: .reader, reference: "o").payment
        }
        let psp = try #require(payment?.references["psp"])
        let body: JSON = [
            "merchantAccount": "TestMerchant", "amount": ["currency": "EUR", "value": 1_000], "reference": "r-1",
            "store": "STORE", "merchantRefundReason": "RETURN",
        ]
        let answer = try post("/v72/payments/\(psp)/refunds", body).body
        #expect(answer["store"] == "STORE" && answer["merchantRefundReason"] == "RETURN")
    }
}
