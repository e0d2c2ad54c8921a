import AllProviders
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import Payments

/// What `Taps-with-a-vendors-kit` shows; it needs a phone.
enum KitSnippet {
    /// An application's server.
    struct Server {
        func deviceToken() async throws -> Secret { Secret("device-token") }
    }

    static func open(_ kit: any NIPhoneSDK.AppleTapToPayManager, _ server: Server) async throws -> PaymentClient {
        let payments = try await PaymentClient.open(configuration: "providers.json") {
            $0.delegates["till"] = kit
            $0.tokenProviders["till"] = { try await server.deviceToken() }
        }
        return payments
    }
}
