import AllProviders
import PaymentMobileSDKs
import PaymentProviderKit
import Payments
import PhoneTill

/// What `On-an-iPhone` shows; `Scripts/phone` type-checks it as for iOS.
enum PhoneSnippet {
    /// An application's server.
    struct Server {
        func phoneToken() async throws -> Secret { Secret("phone-token") }
    }

    static func open(
        _ path: String, _ kit: any HaloPhoneSDK.SDK, _ server: Server
    ) async throws -> Till {
        let payments = try await PaymentClient.open(configuration: path) {
            $0.delegates["till"] = kit
            $0.tokenProviders["till"] = { try await server.phoneToken() }
        }
        let till = Till(payments)
        await till.start()
        return till
    }

    /// The application's coming and going.
    struct Scene {
        let till: Till

        func scene(isActive: Bool) async {
            if isActive { await till.cameToTheFront() } else { await till.leftTheFront() }
        }
    }

    static func ask(_ till: Till) async {
        if case .unknown(let attempt) = await till.screen {
            print("Do not charge again. Asked once more:", attempt)
            await till.askAgain()
        }
    }
}
