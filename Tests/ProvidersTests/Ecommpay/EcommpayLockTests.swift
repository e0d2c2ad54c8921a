import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The provider says that it is locked for a moment, which is also what a second copy of a request hears while the first
/// one is carried out.
@Suite struct EcommpayLockTests {
    @Test(arguments: [1, 3]) func increment_answeredWithALockAfterItWasCarriedOut_isNotMadeAgain(times: Int) throws {
        var till = EcommpayTill()
        let (client, hold) = (try till.client(), try EcommpayTill.request(6_000))
        let held = try #require(try till.scheduler.run { try await client.authorize(hold) }.payment)
        let count = Locked(0)
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            let response = try await next(request)
            guard request.target.hasSuffix("/incremental") else { return response }
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= times else { return response }
            let said: JSON = ["status": "error", "code": "2147", "message": "Lock Error"]
            return HTTPResponse(429, headers: ["Content-Type": "application/json"], body: said.bytes())
        }
        let (more, id) = (Money(minorUnits: 7_000, .eur), try AttemptID("adjust-1"))
        let error = till.failure { _ = try await $0.adjust(held.id, to: more, attempt: id) }
        #expect(count.withLock { $0 } == 1)
        #expect(error?.outcome != .notExecuted, "\(String(describing: error))")
        #expect(till.backend.ledger.balance(.held)["EUR"] == 7_000)
    }
}
