import NetworkInternationalProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The link `kit`: what is kept of a success before its order is read.
@Suite struct NIKitReferenceTests {
    /// The kit says success, and the order can't be read for ten minutes: it is found by the kit's own name of it.
    @Test func success_whoseOrderComesLate_isFoundByItsName() throws {
        var till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(.isTerse)
        till.inner.tools.transport = LateOrders(
            inner: till.inner.tools.transport, clock: till.scheduler, until: till.scheduler.now + 600_000)
        let client = try till.client()
        let (error, late) = try till.scheduler.run { [scheduler = till.scheduler] in
            var early: PaymentError?
            do { _ = try await NIKitTill.sale(client) } catch { early = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return (early, try await client.status(AttemptID("a-1")))
        }
        #expect(error?.outcome == .unknown && late.payment?.approved == .aed(1_500) && till.charged == [1_500])
    }
}

/// A line on which no order can be read until an instant.
private struct LateOrders: HTTPTransport {
    let inner: any HTTPTransport
    let clock: TestScheduler
    let until: Int64
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.contains("/reporting/orders"), clock.now < until { throw .notSent(.init(rawValue: "late")) }
        return try await inner.send(request)
    }
}
