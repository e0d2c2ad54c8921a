import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentKits
import PaymentSandbox
import PaymentTesting
import Testing

/// A kit that tells each of its payment's events as another one.
private struct BentKit: EcommpayKit.SDK {
    let kit: any EcommpayKit.SDK
    let bend: @Sendable (EcommpayKit.PayDelegate) -> EcommpayKit.PayDelegate

    func makeSession(config: EcommpayKit.MSDKCoreSessionConfig) async -> any EcommpayKit.MSDKCoreSession {
        BentSession(session: await kit.makeSession(config: config), bend: bend)
    }
    func getParamsForSignature(_ paymentInfo: EcommpayKit.PaymentInfo) async -> String {
        await kit.getParamsForSignature(paymentInfo)
    }
}

private struct BentSession: EcommpayKit.MSDKCoreSession, EcommpayKit.PayInteractor {
    let session: any EcommpayKit.MSDKCoreSession
    let bend: @Sendable (EcommpayKit.PayDelegate) -> EcommpayKit.PayDelegate

    func getInitInteractor() async -> any EcommpayKit.InitInteractor { await session.getInitInteractor() }
    func getPayInteractor() async -> any EcommpayKit.PayInteractor { self }
    func getPaymentMethods() async -> [EcommpayKit.PaymentMethod]? { await session.getPaymentMethods() }
    func getSavedAccounts() async -> [EcommpayKit.SavedAccount]? { await session.getSavedAccounts() }
    func getStringResourceManager() async -> any EcommpayKit.StringResourceManager {
        await session.getStringResourceManager()
    }
    func getSecureLogoResourceManager() async -> any EcommpayKit.SecureLogoResourceManager {
        await session.getSecureLogoResourceManager()
    }
    func execute(
        request: EcommpayKit.PayRequest, callback: @escaping @Sendable (EcommpayKit.PayDelegate) -> Void
    ) async {
        await session.getPayInteractor().execute(request: request) { [bend] in callback(bend($0)) }
    }
    func threeDSecureRedirectHandle(url: String) async {
        await session.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }
    func sendClarificationFields(fields: [EcommpayKit.ClarificationFieldValue]) async {
        await session.getPayInteractor().sendClarificationFields(fields: fields)
    }
    func sendCustomerFields(fields: [EcommpayKit.CustomerFieldValue]) async {
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
