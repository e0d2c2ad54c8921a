import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// A terminal is played by one device at a time.
@Suite struct NIUnbindTests {
    private let provider = NISimulator(clock: TestScheduler())

    private func send(
        _ method: String, _ target: String, _ body: JSON?, _ bearer: String, type: String = "identity"
    ) async -> (status: Int, body: JSON?) {
        let type = "application/vnd.ni-\(type).v1+json"
        var request = HTTPRequest(
            method, Origin(.http, "ni.test"), target,
            headers: ["Content-Type": type, "Accept": type, "Authorization": "Bearer \(bearer)"])
        if let body { request.body = body.bytes() }
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    private func grant(_ device: String) async -> String {
        let service = await send("POST", "/identity/auth/access-token", [:], "ni-simulated-api-key")
        let body: JSON = [
            "deviceCode": "c", "userCode": "u", "tid": "434334344299", "deviceIdentifier": .string(device),
        ]
        let target = "/identity/outlets/\(provider.rules.outlet)/devices/auth"
        let reply = await send("POST", target, body, service.body?["access_token"]?.string ?? "")
        return reply.body?["access_token"]?.string ?? ""
    }

    @Test func anUnboundDeviceHasNoTokenAnyMore() async {
        let old = await grant("d-1")
        let report = "/softpos/reporting/payments"
        #expect(await send("GET", report, nil, old, type: "softpos").status == 200)
        let unbind = "/softpos/outlets/\(provider.rules.outlet)/devices/tids/434334344299/unbind"
        _ = await send("DELETE", unbind, nil, old, type: "softpos")
        #expect(await send("GET", report, nil, old, type: "softpos").status == 401)
        let new = await grant("d-2")
        #expect(await send("GET", report, nil, new, type: "softpos").status == 200)
        #expect(await send("GET", report, nil, old, type: "softpos").status == 401)
    }
}
