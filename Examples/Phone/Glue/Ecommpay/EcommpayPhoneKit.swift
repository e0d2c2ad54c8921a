#if canImport(MsdkCore)
import MsdkCore
import PaymentBase
import PaymentMobileSDKs

/// ecommpay's SDK Core as the kit that our driver pays with.
///
/// Its classes are Kotlin's: none is `Sendable`, none is on an actor, and no document names a thread. Sessions stay on the
/// main actor; what a delegate is given becomes a plain value on the thread on which it comes.
@MainActor final class EcommpayPhoneKit: EcommpayPhoneSDK.SDK {
    @MainActor func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK
        .MSDKCoreSession
    {
        let (host, events) = (config.apiHost, config.wsApiHost)
        let maker = MSDKCoreSessionConfig.companion
        return EcommpayPhoneSession(
            config.companion == .release
                ? maker.release(apiHost: host, wsApiHost: events) : maker.debug(apiHost: host, wsApiHost: events))
    }

    @MainActor func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        paymentInfo.kotlin.getParamsForSignature(params: SignatureParam.companion.DEFAULT)
    }
}

/// One session of the SDK, for one payment.
@MainActor private final class EcommpayPhoneSession: EcommpayPhoneSDK.MSDKCoreSession {
    private let session: MSDKCoreSession
    /// Kept, since no document says whether the SDK holds them.
    private var listeners: [AnyObject] = []

    init(_ config: MSDKCoreSessionConfig) { session = MSDKCoreSession(config: config) }

    @MainActor func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
    @MainActor func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
    @MainActor func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? {
        session.getPaymentMethods()?.map(EcommpayPhoneSDK.PaymentMethod.init)
    }
    @MainActor func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? {
        session.getSavedAccounts()?.map(EcommpayPhoneSDK.SavedAccount.init)
    }
    @MainActor func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager { self }
    @MainActor func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager { self }
}

extension EcommpayPhoneSession: EcommpayPhoneSDK.StringResourceManager, EcommpayPhoneSDK.SecureLogoResourceManager {
    @MainActor func getStringByKey(key: String) async -> String? {
        session.getStringResourceManager().getStringByKey(key: key)
    }
    @MainActor func getLogoUrl(key: String) async -> String? {
        session.getSecureLogoResourceManager().getLogoUrl(key: key)
    }
}

extension EcommpayPhoneSession: EcommpayPhoneSDK.InitInteractor {
    @MainActor func execute(
        request: EcommpayPhoneSDK.InitRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    ) async {
        // What the SDK would not get must not be agreed on with the customer.
        if request.recurrentInfo?.isCut == true {
            return callback(.onError(code: .illegalArguments, message: "The SDK has no place for one of the terms."))
        }
        let listener = EcommpayInitListener(callback)
        listeners.append(listener)
        session.getInitInteractor().execute(
            request: InitRequest(
                paymentInfo: request.paymentInfo.kotlin, recurrentInfo: request.recurrentInfo?.kotlin,
                additionalFields: request.additionalFields.map(\.kotlin)),
            callback: listener)
    }
}

extension EcommpayPhoneSession: EcommpayPhoneSDK.PayInteractor {
    @MainActor func execute(
        request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    ) async {
        if request.isCut {
            return callback(.onError(code: .illegalArguments, message: "The SDK has no such member of a recipient."))
        }
        let listener = EcommpayPayListener(callback)
        listeners.append(listener)
        session.getPayInteractor().execute(request: request.kotlin, callback: listener)
    }

    @MainActor func threeDSecureRedirectHandle(url: String) async {
        session.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }

    @MainActor func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        session.getPayInteractor().sendClarificationFields(
            fields: fields.map(\.kotlin))
    }

    @MainActor func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        session.getPayInteractor().sendCustomerFields(fields: fields.map(\.kotlin))
    }
}

/// Hands on what comes of opening a session, on whatever thread it comes.
private nonisolated final class EcommpayInitListener: InitDelegate {
    private let tell: @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    init(_ tell: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void) { self.tell = tell }

    func onInitReceived(paymentMethods: [PaymentMethod], savedAccounts: [SavedAccount]) {
        tell(
            .onInitReceived(
                paymentMethods: paymentMethods.map { .init($0) }, savedAccounts: savedAccounts.map { .init($0) }))
    }
    func onPaymentRestored(payment: Payment) { tell(.onPaymentRestored(payment: .init(payment))) }
    func onError(code: ErrorCode, message: String) { tell(.onError(code: .init(code), message: message)) }
}

/// Hands on what becomes of a payment, on whatever thread it comes.
private nonisolated final class EcommpayPayListener: PayDelegate {
    private let tell: @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    init(_ tell: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void) { self.tell = tell }

    func onPaymentCreated() { tell(.onPaymentCreated) }
    func onStatusChanged(status: PaymentStatus, payment: Payment) {
        tell(.onStatusChanged(status: .init(status), payment: .init(payment)))
    }
    func onCustomerFields(customerFields: [CustomerField]) {
        tell(.onCustomerFields(customerFields: customerFields.map { .init($0) }))
    }
    func onThreeDSecure(threeDSecurePage: ThreeDSecurePage, isCascading: Bool, payment: Payment) {
        tell(
            .onThreeDSecure(
                threeDSecurePage: .init(threeDSecurePage), isCascading: isCascading, payment: .init(payment)))
    }
    func onThreeDSecureRedirectComplete() { tell(.onThreeDSecureRedirectComplete) }
    func onClarificationFields(clarificationFields: [ClarificationField], payment: Payment) {
        tell(
            .onClarificationFields(
                clarificationFields: clarificationFields.map { .init($0) }, payment: .init(payment)))
    }
    func onCompleteWithSuccess(payment: Payment) { tell(.onCompleteWithSuccess(payment: .init(payment))) }
    func onCompleteWithDecline(isTryAgain: Bool, paymentMessage: String?, payment: Payment) {
        tell(
            .onCompleteWithDecline(isTryAgain: isTryAgain, paymentMessage: paymentMessage, payment: .init(payment)))
    }
    func onError(code: ErrorCode, message: String) { tell(.onError(code: .init(code), message: message)) }
}
#else
#error("No module MsdkCore: add the pod MsdkCore or its package, or leave this file out.")
#endif
