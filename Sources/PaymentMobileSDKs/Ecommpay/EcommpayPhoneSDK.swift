/// ecommpay's SDK Core for iOS (MsdkCore), which makes payments without a screen of its own, as values and protocols.
///
/// One session makes one payment. The SDK answers by two delegates; here each is a function that takes an event whose
/// case has the delegate call's name. It may be called on any thread, in the order in which the SDK calls.
public enum EcommpayPhoneSDK {
    /// The SDK itself, which opens sessions for payments; an application makes the SDK conform.
    public protocol SDK: Sendable {
        /// Makes a session for one payment.
        func makeSession(config: MSDKCoreSessionConfig) async -> any MSDKCoreSession

        /// The text that the merchant's server signs for a payment.
        func getParamsForSignature(_ paymentInfo: PaymentInfo) async -> String
    }

    /// A session for one payment.
    public protocol MSDKCoreSession: Sendable {
        /// What opens the session at the platform, before any payment.
        func getInitInteractor() async -> any InitInteractor
        /// What makes the session's payment.
        func getPayInteractor() async -> any PayInteractor
        /// The payment methods of the opened session.
        func getPaymentMethods() async -> [PaymentMethod]?
        /// The customer's saved payment instruments, if the session has any.
        func getSavedAccounts() async -> [SavedAccount]?
        /// The texts to show around a payment.
        func getStringResourceManager() async -> any StringResourceManager
        /// Where the logos of payment methods are.
        func getSecureLogoResourceManager() async -> any SecureLogoResourceManager
    }

    /// Opens a session at the platform; nothing is paid by it.
    public protocol InitInteractor: Sendable {
        /// Opens the payment's session; the answer comes by `callback`.
        func execute(request: InitRequest, callback: @escaping @Sendable (InitDelegate) -> Void) async
    }

    /// Makes a session's payment and carries on with it.
    public protocol PayInteractor: Sendable {
        /// Begins the payment, or takes up one that waits; what becomes of it comes by `callback`.
        func execute(request: PayRequest, callback: @escaping @Sendable (PayDelegate) -> Void) async
        /// Says which address the payment's authentication page went to at its end; from 0.12 on.
        func threeDSecureRedirectHandle(url: String) async
        /// Sends what the provider wants to know besides, before the payment continues.
        func sendClarificationFields(fields: [ClarificationFieldValue]) async
        /// Sends what the merchant wants to know of the customer, before the payment continues.
        func sendCustomerFields(fields: [CustomerFieldValue]) async
    }

    /// The texts to show around a payment.
    public protocol StringResourceManager: Sendable {
        /// A text around a payment, such as that of `title_payment_methods`.
        func getStringByKey(key: String) async -> String?
    }

    /// Where the logos of payment methods are.
    public protocol SecureLogoResourceManager: Sendable {
        /// The address of a payment method's logo, such as that of `visa`.
        func getLogoUrl(key: String) async -> String?
    }

    /// The server leg: signs a payment's parameters and may add to them; no secret key is on the phone.
    ///
    /// The document also lets a test project's key stand in the application's `Info.plist`; here is no place for it.
    public typealias Signer = @Sendable (_ parameters: String, _ paymentInfo: PaymentInfo) async throws -> PaymentInfo

    /// What the SDK tells while a session is opened; no payment was asked for yet.
    public enum InitDelegate: Hashable, Sendable {
        /// The session is open, with the payment methods and saved instruments of its customer.
        case onInitReceived(paymentMethods: [PaymentMethod], savedAccounts: [SavedAccount])
        /// The session is open for a payment whose identifier was used before.
        case onPaymentRestored(payment: Payment)
        /// The session could not be opened.
        case onError(code: ErrorCode, message: String)
    }

    /// What the SDK tells of a payment.
    public enum PayDelegate: Hashable, Sendable {
        /// The payment exists at the platform.
        case onPaymentCreated
        /// The payment's status changed.
        case onStatusChanged(status: PaymentStatus, payment: Payment)
        /// The merchant's own questions to the customer come before the payment goes on.
        case onCustomerFields(customerFields: [CustomerField])
        /// The customer has to authenticate the payment on a page.
        case onThreeDSecure(threeDSecurePage: ThreeDSecurePage, isCascading: Bool, payment: Payment)
        /// The platform has taken the end of the payment's authentication page.
        case onThreeDSecureRedirectComplete
        /// The provider's further questions come before the payment goes on.
        case onClarificationFields(clarificationFields: [ClarificationField], payment: Payment)
        /// The payment was made.
        case onCompleteWithSuccess(payment: Payment)
        /// The payment was declined; with `isTryAgain` it isn't over, and may still be paid.
        case onCompleteWithDecline(isTryAgain: Bool, paymentMessage: String?, payment: Payment)
        /// Something went wrong, with or without an end of the payment.
        case onError(code: ErrorCode, message: String)
    }
}

extension SDKEvidence {
    /// Takes in what the SDK told of a payment; from the first event that has a payment on, it exists.
    public mutating func see(_ event: EcommpayPhoneSDK.PayDelegate) {
        switch event {
        case .onPaymentCreated, .onStatusChanged, .onThreeDSecure, .onThreeDSecureRedirectComplete,
            .onClarificationFields, .onCompleteWithDecline:
            raise(to: .submitted)
        case .onCompleteWithSuccess: self = .approved
        case .onCustomerFields, .onError: break
        }
    }
}
