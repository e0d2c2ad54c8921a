import AllProviders
import PaymentMobileSDKs
import PaymentProviderKit
import Payments
import PhoneTill

/// What `On-an-iPhone` shows; it needs a phone.
enum PhoneSnippet {
    /// An application's server.
    struct Server {
        func phoneToken() async throws -> Secret { Secret("phone-token") }
    }

    static func open(
        _ configuration: PaymentConfiguration, _ kit: any HaloPhoneSDK.SDK, _ server: Server, _ tokens: any TokenStore,
        _ installations: any InstallationStore, _ journal: JournalStore
    ) async throws -> Till {
        let payments = try await PaymentClient.open(configuration: configuration) {
            $0.delegates["till"] = kit
            $0.tokenProviders["till"] = { try await server.phoneToken() }
            $0.tokens = tokens
            $0.installations = installations
            $0.journal = journal
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
