import PaymentCore
import PaymentProviderKit
import PaymentSimulator
import Testing

@testable import HaloProvider

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

    /// A token is signed again in each run and has no place in a fixture.
    private static func withoutToken(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        if request.headers["Authorization"] != nil { request.headers["Authorization"] = "Bearer …" }
        return request
    }
}

@Suite struct HaloCodeTests {
    @Test func everyCodeOfTheDocumentsIsInTheTable() throws {
        let numbers = try Golden.table("Halo/codes.numbers.tsv").map { $0[0] }
        let words = try Golden.table("Halo/codes.words.tsv").map { $0[0] }
        let statuses = try Golden.table("Halo/codes.http.tsv").map { "http.\($0[0])" }
        let rows = ProviderDefinition.halo.errors.rows.map(\.code)
        #expect(Set(rows).symmetricDifference(numbers + words + statuses).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("halo: \(numbers.count) numbers, \(words.count) words, \(statuses.count) statuses")
        #expect(numbers.count == 122 && words.count == 80 && statuses.count == 12)
    }

    /// What the provider's one error type says about itself: retryable, a person must act, fatal, a fresh token helps.
    @Test(arguments: [
        ("notInitialized", true, true, false, false), ("NOT_INITIALIZED", true, true, false, false),
        ("deviceNotSupported", false, true, true, false), ("DEVICE_NOT_SUPPORTED", false, true, true, false),
        ("deviceNotCompliant", false, true, true, false), ("paymentInProgress", true, false, false, false),
        ("authTokenUnauthorized", false, false, false, true), ("AUTH_TOKEN_UNAUTHORIZED", false, false, false, true),
        ("accountLinkingError", true, true, false, false), ("readerError", true, false, false, false),
        ("userCancelled", true, false, false, false), ("USER_CANCELLED", true, false, false, false),
        ("locationError", true, true, false, false), ("screenCaptureDetected", true, true, true, false),
        ("PPS-4003", true, true, false, false), ("117", false, false, false, true), ("139", false, true, true, false),
    ])
    func errorsHaveTheirFourProperties(
        _ code: String, _ isRetryable: Bool, _ needsPerson: Bool, _ isFatal: Bool, _ needsToken: Bool
    ) {
        let fault = ProviderDefinition.halo.errors.failure(code: code)
        let error = PaymentError(
            fault.code, outcome: .notExecuted, provider: fault.provider, retry: fault.retry,
            requiresUserAction: fault.requiresUserAction)
        #expect(error.isRetryable == isRetryable && error.requiresUserAction == needsPerson, "\(code)")
        #expect(error.isFatal == isFatal && error.requiresTokenRefresh == needsToken, "\(code)")
        #expect(error.provider?.code == code)
    }

    @Test func bothSpellingsMeanTheSame() throws {
        let pairs = [
            ("USER_CANCELLED", "userCancelled"), ("CARD_DECLINED", "cardDeclined"), ("NETWORK_ERROR", "networkError"),
            ("PAYMENT_IN_PROGRESS", "paymentInProgress"), ("DEVICE_NOT_SUPPORTED", "deviceNotSupported"),
            ("SCREEN_CAPTURE_DETECTED", "screenCaptureDetected"), ("NOT_INITIALIZED", "notInitialized"),
            ("TIMEOUT", "timeout"), ("AUTH_TOKEN_UNAUTHORIZED", "authTokenUnauthorized"),
            ("APP_IN_BACKGROUND", "backgroundRequestNotAllowed"), ("LOCATION_ERROR", "locationError"),
            ("ACCOUNT_LINKING_ERROR", "accountLinkingError"), ("TOKEN_ERROR", "tokenError"),
            ("READER_ERROR", "readerError"), ("DEVICE_BANNED", "deviceBanned"), ("SYSTEM_ERROR", "systemError"),
            ("INVALID_AMOUNT", "invalidAmount"), ("OFFLINE_DECLINED", "offlineDeclined"),
            ("CARD_NOT_SUPPORTED", "cardNotSupported"),
        ]
        for (old, new) in pairs {
            let (one, two) = (ProviderDefinition.halo.errors[old], ProviderDefinition.halo.errors[new])
            #expect(one?.category == two?.category && one?.delivery == two?.delivery && one != nil, "\(old)")
            #expect(one?.retry == two?.retry && one?.requiresUserAction == two?.requiresUserAction, "\(old)")
        }
    }

    @Test func whatMayHaveBeenSubmittedProvesNothing() {
        for code in ["110", "124", "129", "200", "201", "203", "210", "213", "305", "NETWORK_ERROR", "timeout"] {
            #expect(ProviderDefinition.halo.errors[code]?.delivery == .maybeSent, "\(code)")
        }
        for code in ["100", "104", "118", "122", "212", "PPS-4003", "userCancelled"] {
            #expect(ProviderDefinition.halo.errors[code]?.delivery == .refused, "\(code)")
        }
    }
}

/// Answers that are refusals, or that lack what would make them more.
@Suite struct HaloRefusalTests {
    /// Answers submissions in the provider's place.
    private struct Answering: HTTPTransport {
        let inner: any HTTPTransport
        let ending: String
        let status: Int
        let body: JSON

        var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            guard request.target.hasSuffix(ending) else { return try await inner.send(request) }
            return HTTPResponse(status, headers: ["Content-Type": "application/json"], body: body.bytes())
        }
    }

    private func till(_ ending: String, _ status: Int, _ body: JSON) -> HaloTill {
        var till = HaloTill()
        till.tools.transport = Answering(inner: till.tools.transport, ending: ending, status: status, body: body)
        return till
    }

    @Test(arguments: [
        (Int64(209), Decline.Reason.declinedByProvider), (1, .declinedByProvider), (2, .declinedOffline),
        (211, .incorrectPIN),
    ])
    func aRefusalOfTheCardIsADeclineWhereverItStands(_ code: Int64, _ reason: Decline.Reason) throws {
        let body: JSON = ["httpStatusCode": 400, "errorCode": .number(JSONNumber(code)), "message": "E: declined"]
        let result = try till("/transactions/apple", 400, body).play { try await HaloTill.sale($0) }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == reason && decline.provider.code == String(code))
        let failed = till("/transactions/apple", 500, body).failure { _ = try await HaloTill.sale($0) }
        #expect(failed?.outcome == .unknown)
    }

    @Test func aRefundThatTheProviderRefusesIsDeclined() throws {
        let till = till("/refund", 400, ["httpStatusCode": 400, "errorCode": 209, "message": "declined"])
        let result = try till.play { client in
            let payment = try #require(try await HaloTill.sale(client).payment)
            return try await client.refund(payment.id)
        }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .declinedByProvider)
    }

    @Test func anEmptyNameIsNoName() throws {
        let approved: JSON = [
            "type": "Approved", "errorCode": 0, "haloReference": "", "amount": 1_500, "currency": "ZAR",
        ]
        let answer = try #require(HaloAnswer(flat: approved))
        #expect(answer.name == nil)
        #expect(throws: PaymentError.self) { try HaloMapping.verdict(answer, Money(minorUnits: 1_500, .zar), .minor) }
    }

    @Test func withoutItsTokenNoPINIsAskedFor() throws {
        let asked: JSON = [
            "type": "Declined", "errorCode": 65, "isoResponseCode": "65", "isSingleTapAndPin": true, "pinToken": "",
            "haloReference": "h-1", "merchantReference": "a-1",
        ]
        let till = till("/transactions/apple", 201, ["onlineAuthorizationResponse": asked])
        let result = try till.play { try await HaloTill.sale($0) }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .pinRequired)
    }
}
