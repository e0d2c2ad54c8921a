import HaloProvider
import PaymentCore
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What the published pages say and no simulated provider plays.
@Suite struct HaloPublishedTests {
    /// The answer says that a part was approved and repeats what was asked for: the record says how much it is.
    @Test func tap_approvedForAPart_besideTheAmountAskedFor_isNotReportedAsTheWhole() throws {
        var till = HaloTill()
        #expect(till.backend.play("halo.partial-approval/2"))
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard request.path == "/transactions/apple", let said = try? JSONReader().read(response.body),
                let answer = said["onlineAuthorizationResponse"]
            else { return nil }
            let bent = said.adding("onlineAuthorizationResponse", answer.adding("amount", 1_500))
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        let shop = till
        let approved = (try? shop.play { try await HaloTill.sale($0) })?.payment?.approved
        #expect(approved == nil || approved == Money(minorUnits: 750, .zar), "\(approved.debugDescription)")
        #expect(shop.backend.ledger.balance(.merchant) == ["ZAR": 750])
    }

    /// The list of issuer's codes has two that are about a part; the published answers name no amount.
    @Test(arguments: ["10", "32"])
    func tap_approvedForAPartThatIsNotNamed_isNotReportedAsTheWhole(_ code: String) throws {
        var till = HaloTill()
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard request.path == "/transactions/apple", let said = try? JSONReader().read(response.body),
                let answer = said["onlineAuthorizationResponse"]
            else { return nil }
            var members = answer.object ?? [:]
            (members["amount"], members["currency"]) = (nil, nil)
            members["isoResponseCode"] = .string(code)
            let bent = said.adding("onlineAuthorizationResponse", .object(members))
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        #expect(till.backend.play("halo.search.silently-empty/4"))
        #expect(till.failure { _ = try await HaloTill.sale($0) }?.outcome == .unknown)
    }

    /// The record neither repeats the issuer's code nor names the part.
    @Test(arguments: ["10", "32"]) func tap_approvedForAPart_whoseRecordDoesNotSaySo_isUnknown(_ code: String) throws {
        var till = HaloTill()
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard request.path == "/transactions/apple", let said = try? JSONReader().read(response.body),
                let answer = said["onlineAuthorizationResponse"]
            else { return nil }
            let bent = said.adding("onlineAuthorizationResponse", answer.adding("isoResponseCode", .string(code)))
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        #expect(till.failure { _ = try await HaloTill.sale($0) }?.outcome == .unknown)
    }

    /// What was refunded already is looked up, in whichever shape the provider says it.
    @Test func refund_whoseCopyIsAnswered_isNotDeclined() throws {
        var till = HaloTill()
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, _ in
            guard request.path.hasSuffix("/refund") else { return nil }
            let said = #"{"type":"Declined","errorCode":213,"errorMessage":"Already processed","tags":[]}"#
            return HTTPResponse(201, headers: ["Content-Type": "application/json"], body: Array(said.utf8))
        }
        let shop = till
        let result = try? shop.play { client in
            let payment = try #require(try await HaloTill.sale(client).payment)
            return try await client.refund(payment.id, of: Money(minorUnits: 500, .zar))
        }
        if case .declined? = result { Issue.record("it was refunded") }
        #expect(shop.backend.ledger.balance(.refunded) == ["ZAR": 500])
    }

    /// "Refund request exceeds allowed time limit": nothing was refunded, and a copy of one that was done gets 213.
    @Test func refund_thatComesTooLate_isDeclined() throws {
        var till = HaloTill()
        till.tools.transport = AnsweringTransport(
            inner: till.tools.transport,
            answer: { request, _ in
                guard request.path.hasSuffix("/refund") else { return nil }
                return HTTPResponse(
                    400, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"httpStatusCode":400,"errorCode":212,"message":"E212: Refund too late"}"#.utf8))
            }, arrives: { !$0.path.hasSuffix("/refund") })
        let shop = till
        let result = try shop.play { client in
            let payment = try #require(try await HaloTill.sale(client).payment)
            return try await client.refund(payment.id, of: Money(minorUnits: 500, .zar))
        }
        guard case .declined(let decline) = result else {
            Issue.record("it is \(result)")
            return
        }
        #expect(decline.provider.code == "212" && shop.backend.ledger.balance(.merchant) == ["ZAR": 1_500])
    }
}
