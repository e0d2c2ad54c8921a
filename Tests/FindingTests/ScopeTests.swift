import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// Two applications with a scope each on one journal and one account at the provider.
@Suite struct ScopeTests {
    /// Both call their attempt by the order's number. The till's request never arrives; its lookup finds the web shop's
    /// payment of that name.
    @Test func lookupInOneScope_paymentOfAnotherScope_isNotTakenForOurs() throws {
        let (till, owners) = (Till(), Owners())
        let attempt = try AttemptID("order-1001")
        func client(_ scope: String, _ transport: any HTTPTransport) throws -> PaymentClient {
            var till = till
            till.process = owners.process(scope)
            var given = till.dependencies
            given.scope = scope
            return try PaymentClient(till.driver(transport), given)
        }
        let losing = HookTransport(till.transport) { request, next async throws(TransportFailure) in
            if request.method == "POST", request.target == "/payments" { throw .maybeSent(.connectionReset) }
            return try await next(request)
        }
        let (web, pos) = (try client("web", till.transport), try client("pos", losing))
        try till.play {
            #expect(await web.sell(1_000, "order-1001", attempt: attempt).isApproved)
            let told = await pos.sell(1_000, "order-1001", attempt: attempt)
            let charges = till.backend.standing.movementCount
            #expect(charges == 1)
            #expect(!told.isApproved, "two sales are approved, and the provider has \(charges) charge: \(told)")
            if told.isApproved { _ = await pos.refund(of: attempt) }
            // Ann has paid in the web shop, and nothing of it was refunded.
            #expect(till.backend.standing.movementCount == 1, "the till refunded the web shop's payment")
        }
    }
}
