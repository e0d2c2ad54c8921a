import PaymentBase
import PaymentTransport
import Testing

@Suite struct JSONClientTests {
    private let origin = Origin(.https, "acme.example")

    @Test func anExchangeThatTakesLongNamesItsOwnLimit() async throws {
        let stub = StubTransport([])
        let client = JSONClient(stub, origin)
        _ = try? await client.send("POST", "/payments", body: [:], stallMilliseconds: 155_000)
        _ = try? await client.send("GET", "/payments/1")
        #expect(stub.sent.withLock { $0 }.map(\.idleTimeoutMilliseconds) == [155_000, nil])
    }
}
