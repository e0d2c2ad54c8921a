import NetworkInternationalProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The kit gets the device token before its screen shows, and uses it when the card was read.
@Suite struct NITapAccessTests {
    @Test func access_thatLapsesWhileTheKitWaitsForACard_isRenewedBefore() throws {
        let till = NIKitTill()
        var slow = SimulatedReader.Card()
        slow.tapMilliseconds = 90_000
        till.inner.reader.present(slow)
        let client = try till.client()
        _ = try till.scheduler.run { try await client.session?.open() }
        _ = try till.scheduler.run { try await client.reader?.prepare() }
        // More than the client's margin of a minute is left, and less than the customer takes.
        till.scheduler.advance(by: NISimulator.tokenMilliseconds - 75_000)
        let told: String = try till.scheduler.run {
            do {
                return try await NIKitTill.sale(client).payment == nil ? "no payment" : "approved"
            } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
        }
        #expect(told == "approved" && till.charged == [1_500], "\(told)")
    }
}
