import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// A PIN belongs to the tap that asked for it.
@Suite struct HaloPINTests {
    private let scheduler = TestScheduler()
    private let provider: HaloSimulator

    init() { provider = HaloSimulator(clock: scheduler) }

    private func submit(_ target: String, _ tap: [(String, JSON)]) async -> (status: Int, body: JSON?) {
        var request = HTTPRequest(
            "POST", Origin(.http, "halo.test"), target, headers: ["Content-Type": "application/json"])
        request.headers["X-Device-Installation-Id"] = "d-1"
        request.headers["Authorization"] = "Bearer \(provider.merchant.token(now: scheduler.now, number: 1).expose())"
        var payload: JSONObject = [
            "amount": 1_065, "currency": "ZAR", "purpose": "purchase", "pan": "4111111111111111",
            "expectedPIN": "1234", "at": .number(JSONNumber(scheduler.now)),
        ]
        for (name, value) in tap { payload[name] = value }
        let blob = Base64.standard.encode(JSON.object(payload).bytes())
        let body: JSON = [
            "merchantReference": "r-1", "generalCardData": "9F02", "paymentCardData": .string(blob),
        ]
        request.body = body.bytes()
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    @Test func aPINOfAnotherCardOrForAnotherPurposeIsRefused() async throws {
        let first = await submit("/transactions/apple", [])
        let answer = try #require(first.body?["onlineAuthorizationResponse"])
        #expect(answer["errorCode"]?.int64 == 65)
        let target = "/transactions/\(answer["haloReference"]?.string ?? "")/submitPinApple"
        let other = await submit(target, [("pin", "1234"), ("pan", "5555555555554444")])
        #expect(other.status == 400)
        #expect(await submit(target, [("pin", "1234"), ("purpose", "refund")]).status == 400)
        #expect(provider.ledger.movements.isEmpty)
        #expect(await submit(target, [("pin", "1234")]).status == 201)
        #expect(provider.ledger.movements.count == 1)
    }
}
