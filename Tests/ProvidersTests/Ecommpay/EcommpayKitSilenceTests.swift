import EcommpayProvider
import PaymentBase
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// A kit that never answers the opening of a session.
@Suite struct EcommpayKitSilenceTests {
    @Test func secondSession_thatNeverOpens_leavesItToTheGate() throws {
        var till = EcommpayKitTill()
        till.bend = { MuteKit(inner: $0) }
        till.kit.play(.loses(.networkTimeout))
        let (client, request) = (try till.client(), try EcommpayTill.request())
        let told: String = try till.scheduler.run { [scheduler = till.scheduler] in
            _ = try? await client.sale(request, attempt: AttemptID("a-1"))
            try await scheduler.sleep(until: scheduler.now + 30 * 60_000)
            do {
                return try await client.status(AttemptID("a-1")).payment == nil ? "open" : "approved"
            } catch let error as PaymentError { return "\(error.outcome)" }
        }
        #expect(told == "approved" && till.charged == [5_000])
    }
}

/// A kit of which only the first session answers.
private struct MuteKit: EcommpayPhoneSDK.SDK {
    let inner: any EcommpayPhoneSDK.SDK
    private let count = Locked(0)

    init(inner: any EcommpayPhoneSDK.SDK) { self.inner = inner }

    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let session = await inner.makeSession(config: config)
        return number == 1 ? session : MuteSession(inner: session)
    }

    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        await inner.getParamsForSignature(paymentInfo)
    }
}

private struct MuteSession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor {
    let inner: any EcommpayPhoneSDK.MSDKCoreSession

    func execute(
        request: EcommpayPhoneSDK.InitRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    ) async {}

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
    func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { await inner.getPayInteractor() }
    func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { await inner.getPaymentMethods() }
    func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { await inner.getSavedAccounts() }
    func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager {
        await inner.getStringResourceManager()
    }
    func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager {
        await inner.getSecureLogoResourceManager()
    }
}
