import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// What the simulated provider refuses, and when.
@Suite struct NIProviderTests {
    private let scheduler = TestScheduler()
    private let provider: NISimulator

    init() { provider = NISimulator(clock: scheduler) }

    private func send(
        _ method: String, _ target: String, _ body: JSON?, _ headers: HTTPHeaders = [:]
    ) async -> (status: Int, body: JSON?) {
        var request = HTTPRequest(method, Origin(.http, "ni.test"), target, headers: headers)
        if let body { request.body = body.bytes() }
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    private let identity = "application/vnd.ni-identity.v1+json"
    private let softpos = "application/vnd.ni-softpos.v1+json"

    private func grant(terminal: String = "434334344299", device: String = "d-1") async -> (status: Int, token: String)
    {
        let key: HTTPHeaders = ["Content-Type": identity, "Authorization": "Bearer ni-simulated-api-key"]
        let service = await send("POST", "/identity/auth/access-token", [:], key)
        let body: JSON = [
            "deviceCode": "c", "userCode": "u", "tid": .string(terminal), "deviceIdentifier": .string(device),
        ]
        let bearer = "Bearer \(service.body?["access_token"]?.string ?? "")"
        let reply = await send(
            "POST", "/identity/outlets/\(provider.rules.outlet)/devices/auth", body,
            ["Content-Type": identity, "Authorization": bearer])
        return (reply.status, reply.body?["access_token"]?.string ?? "")
    }

    private func headers(_ token: String, _ type: String? = nil) -> HTTPHeaders {
        let type = type ?? softpos
        return ["Content-Type": type, "Accept": type, "Authorization": "Bearer \(token)"]
    }

    @Test func tokensAreForOneOutletOneTerminalAndOneDevice() async {
        #expect(await grant().status == 200)
        #expect(await grant(terminal: "1").status == 400)
        #expect(await grant(device: "d-2").status == 409)
        let wrong = await send(
            "POST", "/identity/auth/access-token", [:], ["Content-Type": identity, "Authorization": "Bearer no"])
        #expect(wrong.status == 401 && wrong.body?["errors"]?[0]?["errorCode"]?.string == "111")
        let token = await grant().token
        let other = await send("DELETE", "/softpos/outlets/other/devices/tids/434334344299/unbind", nil, headers(token))
        #expect(other.status == 403)
    }

    @Test func aTokenLapsesAfterEightHours() async {
        let token = await grant().token
        #expect(await send("GET", "/softpos/reporting/payments", nil, headers(token)).status == 200)
        scheduler.advance(by: NISimulator.tokenMilliseconds)
        let late = await send("GET", "/softpos/reporting/payments", nil, headers(token))
        #expect(late.status == 401 && late.body?["errors"]?[0]?["errorCode"]?.string == "102")
    }

    @Test func anotherMediaTypeIsRefused() async {
        let token = await grant().token
        let json = headers(token, "application/json")
        #expect(await send("POST", "/softpos/payment-card-reader-token", ["currency": "AED"], json).status == 415)
        #expect(await send("GET", "/softpos/reporting/payments", nil, json).status == 406)
        let key: HTTPHeaders = ["Content-Type": "application/json", "Authorization": "Bearer ni-simulated-api-key"]
        #expect(await send("POST", "/identity/auth/access-token", [:], key).status == 415)
    }

    @Test func cardDataThatCannotBeReadAndForeignTerminalsAreRefused() async {
        let token = await grant().token
        let unreadable: JSON = ["tid": "434334344299", "payment": "???"]
        let reply = await send("POST", "/softpos/payment/card/purchase", unreadable, headers(token))
        #expect(reply.status == 400 && reply.body?["errors"]?[0]?["errorCode"]?.string == "510")
        let foreign: JSON = ["tid": "434334344300", "payment": "???"]
        let other = await send("POST", "/softpos/payment/card/purchase", foreign, headers(token))
        #expect(other.body?["errors"]?[0]?["errorCode"]?.string == "115")
        #expect(await send("GET", "/softpos/reporting/orders/nothing", nil, headers(token)).status == 404)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func everythingIsKeptInASnapshot() async throws {
        let token = await grant().token
        let reader = SimulatedReader(clock: InstantClock(scheduler: scheduler))
        try await reader.prepare(token: Secret("r"))
        reader.present(instant)
        let read = try await reader.read(CardReadRequest(.purchase, Money(minorUnits: 5_000, .aed)))
        let body: JSON = ["tid": "434334344299", "payment": .string(read.paymentCardData.expose())]
        let sale = await send("POST", "/softpos/payment/card/purchase", body, headers(token))
        #expect(sale.body?["state"]?.string == "PURCHASED")
        let order = sale.body?["orderReference"]?.string ?? ""
        #expect(
            await send("POST", "/softpos/payment/card/orders/\(order)/actions/cancel", [:], headers(token)).status
                == 200)
        let other = NISimulator(clock: scheduler)
        #expect(other.restore(provider.snapshot()))
        #expect(other.snapshot() == provider.snapshot() && other.ledger == provider.ledger)
        #expect(other.ledger.balance(.merchant) == ["AED": 0])
        #expect(!other.restore(["ledger": []]))
    }

    private var instant: SimulatedReader.Card {
        var card = SimulatedReader.Card()
        card.tapMilliseconds = 0
        return card
    }
}
