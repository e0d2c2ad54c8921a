internal import AdyenProvider
internal import PaymentBase
internal import PaymentTransport

/// A phone's kit as the harness plays it: everything that it would do goes over the line to the simulated phone.
struct SimulatedPhone: AdyenPhone {
    let transport: any HTTPTransport
    let origin: Origin
    static let token = "setup-token-of-the-phone-1"

    func setupToken() async throws -> Secret { Secret(Self.token) }
    func installationID() async throws -> String { "INST-" + Self.token.suffix(12) }
    func begin(_ sdkData: Secret) async throws {}
    func warmUp() async throws { _ = try await send("warmup") }

    func perform(
        _ request: [UInt8], on interface: AdyenInterface, successMilliseconds: Int64?, logo: [UInt8]?
    ) async throws -> [UInt8] { try await send("perform", request) }

    func stored() async throws -> (count: Int, openUntil: Int64?) {
        let said = try JSONReader().read(try await send("stored"))
        return (Int(said["count"]?.int64 ?? 0), said["openUntil"]?.int64)
    }

    func forward() async throws -> Int { Int(try JSONReader().read(try await send("forward"))["count"]?.int64 ?? 0) }

    private func send(_ what: String, _ body: [UInt8] = []) async throws -> [UInt8] {
        let request = HTTPRequest("POST", origin, "/phone/" + what, headers: ["Phone": Self.token], body: body)
        let response = try await transport.send(request)
        if (200..<300).contains(response.status) { return response.body }
        let said = try? JSONReader().read(response.body)
        if let code = said?["kit"]?.string { throw AdyenPhoneFailure(code) }
        throw HTTPRefusal(response, said)
    }
}
