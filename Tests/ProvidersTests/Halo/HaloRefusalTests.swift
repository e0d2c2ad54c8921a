import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

@testable import HaloProvider

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
