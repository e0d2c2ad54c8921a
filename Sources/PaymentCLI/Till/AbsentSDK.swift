internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// In place of a vendor's SDK, which runs on a phone alone: it refuses every call, nothing moves. So a phone's configuration
/// can be looked at here, and what the phone took can be listed, compared and refunded by the provider's interface.
struct AbsentSDK: Sendable {
    fileprivate static let reason = "The vendor's SDK runs on a phone, and payctl has none."

    /// One for each provider whose way is by an SDK.
    static func delegates(of configuration: PaymentConfiguration) -> [String: any Sendable] {
        let names = configuration.providers.filter { $0.link?.kind == .sdk }.map(\.id.rawValue)
        return Dictionary(names.map { ($0, AbsentSDK()) }, uniquingKeysWith: { first, _ in first })
    }
}

extension AbsentSDK: AdyenPhoneSDK.PaymentService {
    var installationId: String {
        get async throws(AdyenPhoneSDK.ErrorCode) { throw .paymentInterfaceNotSupported }
    }

    func warmUp() async throws(AdyenPhoneSDK.ErrorCode) { throw .paymentInterfaceNotSupported }

    func getPaymentInterface(with interface: AdyenPhoneSDK.PaymentInterface) async throws(AdyenPhoneSDK.ErrorCode) {
        throw .paymentInterfaceNotSupported
    }

    func resetSession() async throws(AdyenPhoneSDK.ErrorCode) { throw .paymentInterfaceNotSupported }

    func performTransaction(
        with request: AdyenPhoneSDK.Payment.Request, paymentInterface: AdyenPhoneSDK.PaymentInterface,
        presentationMode: AdyenPhoneSDK.TransactionPresentationMode
    ) async -> AdyenPhoneSDK.Payment.Response { .failed(.paymentInterfaceNotSupported) }

    func performReversal(with request: AdyenPhoneSDK.Reversal.Request) async -> AdyenPhoneSDK.Reversal.Response {
        .failed(.paymentInterfaceNotSupported)
    }
}

extension AbsentSDK: HaloPhoneSDK.SDK {
    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        throw .deviceNotSupported(.modelNotSupported)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult { .declined(errorCode: .deviceNotSupported, errorMessage: Self.reason) }

    func cancelPayment() async {}
    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {}
    func deinitialize() async {}
}

extension AbsentSDK: NIPhoneSDK.AppleTapToPayManager {
    private typealias Failure = NIPhoneSDK.AppleTapToPaySDKError

    func onError(_ handler: @escaping @Sendable (NIPhoneSDK.AppleTapToPaySDKError) -> Void) async {}
    func isSoftPOSSupported() async -> NIPhoneSDK.SoftPOSSupport { NIPhoneSDK.SoftPOSSupport(rawValue: -2) }

    func prepare(
        authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) { throw .deviceNotSupported }

    func isAccountLinked(
        authToken: Secret, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> Bool { throw .deviceNotSupported }

    func linkAccount(using token: Secret) async throws(NIPhoneSDK.AppleTapToPaySDKError) { throw .deviceNotSupported }

    func processPayment(
        authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse { throw .deviceNotSupported }

    func getTransactions(
        limit: Int, offset: Int, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionsResponse { throw .deviceNotSupported }

    func getTransactionDetails(
        reference: String, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionDetailsResponse {
        throw .deviceNotSupported
    }

    func refundTransaction(
        authToken: Secret, transactionId: String, amount: String, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.RefundTransactionResponse {
        throw .deviceNotSupported
    }

    func voidTransaction(
        authToken: Secret, transactionId: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.VoidTransactionResponse { throw .deviceNotSupported }
}

extension AbsentSDK: ARISEPhoneSDK.TappingSdk {
    private static var absent: ARISEPhoneSDK.Failure { .ttp(.notCompatible(incompatibilityReasons: [reason])) }

    var ttp: any ARISEPhoneSDK.TTP { get async { Taps() } }

    func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        throw Self.absent
    }

    func getDeviceId() async -> String { "" }
    func getAccessToken() async -> Secret? { nil }
    func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool { throw Self.absent }
    func clearStoredToken() async {}

    func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse { throw Self.absent }

    /// The part that would take cards.
    private struct Taps: ARISEPhoneSDK.TTP {
        func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult {
            ARISEPhoneSDK.TTPCompatibilityResult(
                isCompatible: false, deviceModelCheck: .init(isCompatible: false, modelIdentifier: ""),
                iosVersionCheck: .init(isCompatible: false, version: "", minimumRequiredVersion: ""),
                locationPermission: .init(rawValue: ""), tapToPayEntitlement: .init(rawValue: ""),
                incompatibilityReasons: [AbsentSDK.reason])
        }

        func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus { throw AbsentSDK.absent }
        func activate() async throws(ARISEPhoneSDK.Failure) { throw AbsentSDK.absent }
        func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) { throw AbsentSDK.absent }
        func prepare() async throws(ARISEPhoneSDK.Failure) { throw AbsentSDK.absent }

        func performTransaction(
            amount: SDKDecimal
        ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult { throw AbsentSDK.absent }

        func performTransaction(
            calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
        ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult { throw AbsentSDK.absent }

        func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool { false }

        func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
            throw AbsentSDK.absent
        }
    }
}

extension AbsentSDK: EcommpayPhoneSDK.SDK {
    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        Session()
    }

    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String { "" }

    /// A session that can't be opened.
    private struct Session: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor,
        EcommpayPhoneSDK.PayInteractor, EcommpayPhoneSDK.StringResourceManager,
        EcommpayPhoneSDK.SecureLogoResourceManager
    {
        func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
        func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
        func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { nil }
        func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { nil }
        func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager { self }
        func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager { self }
        func getStringByKey(key: String) async -> String? { nil }
        func getLogoUrl(key: String) async -> String? { nil }

        func execute(
            request: EcommpayPhoneSDK.InitRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
        ) async { callback(.onError(code: .illegalArguments, message: AbsentSDK.reason)) }

        func execute(
            request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
        ) async { callback(.onError(code: .illegalArguments, message: AbsentSDK.reason)) }

        func threeDSecureRedirectHandle(url: String) async {}
        func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {}
        func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {}
    }
}
