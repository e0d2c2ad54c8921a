import NetworkInternationalProvider
import PaymentCore
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// A part was approved: what no answer names is not reported as the whole.
@Suite struct NIPartTests {
    @Test func tap_approvedInPartWithoutAnAmountOfIt_isUnknown() throws {
        var till = NITill()
        till.configuration.isSoleUser = false
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard request.path.hasSuffix("/payment/card/purchase"), let said = try? JSONReader().read(response.body)
            else { return nil }
            let bent = said.adding("state", "PARTIALLY_AUTHORISED")
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        let shop = till
        let error = shop.failure { client in
            _ = try await client.sale(SaleRequest(.aed(1_500), from: .reader, reference: "o"))
        }
        #expect(error?.outcome == .unknown, "\(error.debugDescription)")
    }
}
