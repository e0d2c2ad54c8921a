import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import Testing

/// A kit that tells each of its payment's events as another one.
private struct BentKit: EcommpayPhoneSDK.SDK {
    let kit: any EcommpayPhoneSDK.SDK
    let bend: @Sendable (EcommpayPhoneSDK.PayDelegate) -> EcommpayPhoneSDK.PayDelegate

    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        BentSession(session: await kit.makeSession(config: config), bend: bend)
    }
    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        await kit.getParamsForSignature(paymentInfo)
    }
}

private struct BentSession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.PayInteractor {
    let session: any EcommpayPhoneSDK.MSDKCoreSession
    let bend: @Sendable (EcommpayPhoneSDK.PayDelegate) -> EcommpayPhoneSDK.PayDelegate

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { await session.getInitInteractor() }
    func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
    func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { await session.getPaymentMethods() }
    func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { await session.getSavedAccounts() }
    func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager {
        await session.getStringResourceManager()
    }
    func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager {
        await session.getSecureLogoResourceManager()
    }
    func execute(
        request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    ) async {
        await session.getPayInteractor().execute(request: request) { [bend] in callback(bend($0)) }
    }
    func threeDSecureRedirectHandle(url: String) async {
        await session.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }
    func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        await session.getPayInteractor().sendClarificationFields(fields: fields)
    }
    func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        await session.getPayInteractor().sendCustomerFields(fields: fields)
    }
}

/// The kit's end against the status that stands in it.
@Suite struct EcommpayKitContradictionTests {
    /// The kit ends as declined, and its payment says that it was paid.
    @Test(arguments: [false, true]) func decline_ofAPaymentThatSaysSuccess_isNeverToldAsDeclined(isShown: Bool) throws {
        var till = EcommpayKitTill(showsStatus: isShown)
        till.bend = { kit in
            BentKit(kit: kit) { event in
                guard case .onCompleteWithSuccess(let payment) = event else { return event }
                return .onCompleteWithDecline(isTryAgain: false, paymentMessage: nil, payment: payment)
            }
        }
        let told = try till.told()
        #expect(till.charged == [5_000] && (told == "approved" || told.hasSuffix(" unknown")), "\(told)")
    }
}
