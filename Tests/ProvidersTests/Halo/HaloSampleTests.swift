import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

/// Sample answers are read, and what goes out stays as it was recorded.
@Suite struct HaloSampleTests {
    private static func till(_ submit: HTTPResponse) throws -> HaloTill {
        // The records say what the answers say, as far as those name an amount.
        let body = try JSONReader().read(submit.body)
        let answered = body["onlineAuthorizationResponse"]?["amount"]?.int64
        func record(_ name: String, _ units: Int64) -> HTTPResponse {
            let record: JSON = [
                "id": .string(name), "merchantTransactionReference": "INV-12345",
                "transactionDispositionId": "Approved",
                "receiptData": ["amount": .string("ZAR " + JSONNumber(units: units, places: 2).text)],
            ]
            return HTTPResponse(200, body: record.bytes())
        }
        var till = HaloTill()
        till.tools.transport = ScriptedTransport([
            "POST /apple/proximity-token": HTTPResponse(200, body: Array(#"{"token":"r"}"#.utf8)),
            "POST /transactions/apple": submit,
            "POST /transactions/62e557d5-fdf3-4f07-a4cb-0c67e128f17e/refund": try Golden.reply(
                "Halo/refund.reply.json"),
            "GET /transactions": HTTPResponse(200, body: Array("[]".utf8)),
            "GET /transactions/62e557d5-fdf3-4f07-a4cb-0c67e128f17e": record(
                "62e557d5-fdf3-4f07-a4cb-0c67e128f17e", answered ?? 0),
            "GET /transactions/r-1": record("r-1", 500),
        ])
        return till
    }

    /// The answer of the documents with one text replaced.
    private static func answer(_ old: String = "", _ new: String = "", status: Int = 200) throws -> HTTPResponse {
        var response = try Golden.reply("Halo/submit.reply.json", status: status)
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array((old.isEmpty ? text : text.replacing(old, with: new)).utf8)
        return response
    }

    @Test func theApprovalOfTheDocumentsIsRead() throws {
        let till = try Self.till(Self.answer())
        let payment = try #require(try till.play { try await HaloTill.sale($0, 1_500, "INV-12345") }.payment)
        #expect(payment.references == ["transaction": "62e557d5-fdf3-4f07-a4cb-0c67e128f17e"])
        #expect(payment.receipt?.authorizationCode == "543312" && payment.receipt?.retrievalReference == "03974615")
        #expect(
            payment.card?.last4 == "0027" && payment.card?.brand == "Visa" && payment.card?.funding == "Credit Card")
    }

    @Test func theFlatAnswerOfTheBackOfficeIsReadWithItsNumbers() throws {
        let till = try Self.till(Self.answer())
        let back = try till.play { client in
            guard let payment = try await HaloTill.sale(client, 1_500, "INV-12345").payment else {
                return PaymentResult?.none
            }
            return try await client.refund(payment.id, of: Money(minorUnits: 500, .zar))
        }
        #expect(back?.payment?.amounts.refunded.minorUnits == 500)
        #expect(back?.payment?.receipt?.responseCode == "0")
    }

    /// The body decides and not the status; what no table lists proves nothing.
    @Test(arguments: [
        ("Approved", "Declined", 201, "declined"), ("Approved", "DeclinedOffline", 201, "declined"),
        ("Approved", "Voided", 201, "cancelled"), ("Approved", "Indeterminate", 201, "pending"),
        ("Approved", "UnableToGoOnline", 200, "pending"), ("Approved", "Teleported", 200, "unknown"),
        (#""errorCode":0"#, #""errorCode":203"#, 200, "unknown"),
        (#""amount":1500"#, #""amount":1501"#, 200, "another amount"),
        (#""amount":1500"#, #""amount":15000"#, 200, "unknown"),
        (#""currency":"ZAR""#, #""currency":"USD""#, 200, "unknown"), ("INV-12345", "INV-12346", 200, "unknown"),
        ("onlineAuthorizationResponse", "anotherResponse", 200, "unknown"),
    ])
    func theBodyDecides(_ old: String, _ new: String, _ status: Int, _ word: String) throws {
        let till = try Self.till(Self.answer(old, new, status: status))
        let result: PaymentResult
        do { result = try till.play { try await HaloTill.sale($0, 1_500, "INV-12345") } } catch let error
            as PaymentError
        {
            #expect(word == "unknown" && error.outcome == .unknown, "\(new): \(error)")
            return
        }
        switch result {
        case .approved(let payment):
            #expect(word == "another amount" && payment.approved != payment.requested, "\(new)")
        case .declined: #expect(word == "declined")
        case .cancelled: #expect(word == "cancelled")
        case .pending: #expect(word == "pending")
        }
    }

    @Test func whatGoesOutIsAsRecorded() throws {
        var till = HaloTill()
        let seen = Locked([HTTPRequest]())
        till.tools.transport = Remembering(till.tools.transport, seen)
        try till.play { client in
            guard let payment = try await HaloTill.sale(client, 1_065).payment else { return }
            try await client.refund(payment.id, of: Money(minorUnits: 500, .zar), attempt: try AttemptID("r-1"))
            _ = try await client.provider("halo").transactions?.details(payment.references)
            _ = try await client.provider("halo").transactions?.list(ListQuery(limit: 5))
        }
        for name in ["proximity-token", "apple", "submitPinApple", "refund", "transactions"] {
            let request = try #require(
                seen.withLock { $0.first { $0.target.prefix { $0 != "?" }.hasSuffix("/\(name)") } }, "\(name)")
            let (given, recorded) = try Golden.compare(Self.withoutToken(request), "Halo/\(name).request.txt")
            #expect(given == recorded)
        }
    }

    /// A token is signed anew in each run and has no place in a fixture.
    private static func withoutToken(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        if request.headers["Authorization"] != nil { request.headers["Authorization"] = "Bearer …" }
        return request
    }
}
