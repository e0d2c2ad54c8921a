#if canImport(AppleTapToPaySDK)
import AppleTapToPaySDK
import PaymentBase
import PaymentModel
import PaymentMobileSDKs

/// Network International's SDK as the kit that our driver pays with.
///
/// The SDK answers by two closures, on whatever thread it likes: no document says which, so that each closure is `@Sendable`
/// and belongs to no actor. A promise takes the first answer of a call, so that a second one ends nothing.
@MainActor final class NIPhoneKit: NIPhoneSDK.AppleTapToPayManager {
    private typealias Failure = NIPhoneSDK.AppleTapToPaySDKError
    private let manager: Confined<AppleTapToPayManager>
    /// Links the merchant's account, which the SDK leaves to the application.
    private let reader: any AccountLinkingReader

    init(_ setup: NIPhoneSDK.Setup, reader: any AccountLinkingReader) {
        manager = Confined(
            AppleTapToPayManager(
                serverScheme: setup.serverScheme, serverHost: setup.serverHost, serverPort: setup.serverPort,
                serverBasePath: setup.serverBasePath, locationTrackingEnabled: setup.locationTrackingEnabled,
                logEnabled: setup.logEnabled))
        self.reader = reader
    }

    @MainActor func onError(_ handler: @escaping @Sendable (NIPhoneSDK.AppleTapToPaySDKError) -> Void) async {
        manager.object.onError = { @Sendable error in handler(Failure(error)) }
    }

    @MainActor func isSoftPOSSupported() async -> NIPhoneSDK.SoftPOSSupport {
        NIPhoneSDK.SoftPOSSupport(rawValue: manager.object.isSoftPOSSupported())
    }

    @MainActor func prepare(
        authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        let answer = Promise<Result<Bool, Failure>>()
        await unsafe manager.leaving().prepare(
            authToken: authToken.expose(), currencyCode: currencyCode, onProgress: onProgress,
            onSuccess: { @Sendable in answer.fulfill(.success(true)) },
            onError: { @Sendable error in answer.fulfill(.failure(Failure(error))) })
        _ = try await answer.value().get()
    }

    @MainActor func isAccountLinked(authToken: Secret, currencyCode: String) async throws(NIPhoneSDK
        .AppleTapToPaySDKError)
        -> Bool
    {
        let answer = Promise<Result<Bool, Failure>>()
        manager.object.isAccountLinked(
            authToken: authToken.expose(), currencyCode: currencyCode,
            onSuccess: { @Sendable said in answer.fulfill(.success(said)) },
            onError: { @Sendable error in answer.fulfill(.failure(Failure(error))) })
        return try await answer.value().get()
    }

    @MainActor func linkAccount(using token: Secret) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        do { try await reader.link(token: token, again: false) } catch {
            throw .termsAndConditionsError.saying(String(describing: error))
        }
    }

    @MainActor func processPayment(
        authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        guard paymentType == .contactless else { throw Failure(201, "invalidTransactionType") }
        let answer = Promise<Result<NIPhoneSDK.PaymentResponse, Failure>>()
        manager.object.processPayment(
            authToken: authToken.expose(), paymentType: .contactless, amount: amount, currencyCode: currencyCode,
            dryRun: dryRun, onProgress: onProgress,
            onSuccess: { @Sendable said in
                answer.fulfill(
                    .success(.init(reference: said.reference, orderReference: said.orderReference, state: said.state)))
            }, onError: { @Sendable error in answer.fulfill(.failure(Failure(error))) })
        return try await answer.value().get()
    }
}

// After a payment.
extension NIPhoneKit {
    @MainActor func getTransactions(
        limit: Int, offset: Int, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionsResponse {
        let answer = Promise<Result<NIPhoneSDK.GetTransactionsResponse, Failure>>()
        manager.object.getTransactions(
            limit: limit, offset: offset, authToken: authToken.expose(),
            onSuccess: { @Sendable said in
                answer.fulfill(.success(.init(items: said.items.map { NIPhoneSDK.Transaction($0) })))
            },
            onError: { @Sendable error in answer.fulfill(.failure(Failure(error, unreadable: 310))) })
        return try await answer.value().get()
    }

    @MainActor func getTransactionDetails(
        reference: String, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionDetailsResponse {
        let answer = Promise<Result<NIPhoneSDK.GetTransactionDetailsResponse, Failure>>()
        manager.object.getTransactionDetails(
            reference: reference, authToken: authToken.expose(),
            onSuccess: { @Sendable said in
                answer.fulfill(.success(.init(refundEnabled: said.refundEnabled, voidEnabled: said.voidEnabled)))
            }, onError: { @Sendable error in answer.fulfill(.failure(Failure(error, unreadable: 310))) })
        return try await answer.value().get()
    }

    @MainActor func refundTransaction(
        authToken: Secret, transactionId: String, amount: String, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.RefundTransactionResponse {
        let answer = Promise<Result<NIPhoneSDK.RefundTransactionResponse, Failure>>()
        manager.object.refundTransaction(
            authToken: authToken.expose(), transactionId: transactionId, amount: amount, currencyCode: currencyCode,
            onSuccess: { @Sendable said in
                answer.fulfill(.success(.init(refundId: said.refundId, status: said.status)))
            },
            onError: { @Sendable error in answer.fulfill(.failure(Failure(error, unreadable: 610))) })
        return try await answer.value().get()
    }

    @MainActor func voidTransaction(
        authToken: Secret, transactionId: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.VoidTransactionResponse {
        let answer = Promise<Result<NIPhoneSDK.VoidTransactionResponse, Failure>>()
        manager.object.voidTransaction(
            authToken: authToken.expose(), transactionId: transactionId,
            onSuccess: { @Sendable said in answer.fulfill(.success(.init(voidId: said.voidId, status: said.status))) },
            onError: { @Sendable error in answer.fulfill(.failure(Failure(error, unreadable: 710))) })
        return try await answer.value().get()
    }
}

nonisolated extension NIPhoneSDK.Transaction {
    fileprivate init(_ said: AppleTapToPaySDK.Transaction) {
        self.init(reference: said.reference)
        (createdDateTime, action, currencyCode) = (said.createdDateTime, said.action, said.currencyCode)
        (amount, refundedAmount) = (
            said.amount.flatMap { SDKDecimal($0) }, said.refundedAmount.flatMap { SDKDecimal($0) }
        )
        (status, channel, outletName, cardScheme) = (said.status, said.channel, said.outletName, said.cardScheme)
        (cardholderName, cardPan) = (said.cardholderName.map { PersonalData($0) }, said.cardPan)
        (lastEvent, rrn, authCode) = (said.lastEvent, said.rrn, said.authCode)
    }
}

nonisolated extension NIPhoneSDK.AppleTapToPaySDKError {
    /// The SDK's error by the document's number for its name; one without a name there proves nothing.
    ///
    /// - Parameters:
    ///   - error: What the SDK gave.
    ///   - unreadable: The number of an unreadable answer to this call.
    fileprivate init(_ error: AppleTapToPaySDK.AppleTapToPaySDKError, unreadable: Int = 210) {
        let known: Self
        switch error {
        case .genericError: known = .genericError
        case .deviceNotSupported: known = .deviceNotSupported
        case .initializationError: known = .initializationError
        case .invalidAuthToken: known = .invalidAuthToken
        case .networkError: known = .networkError
        case .networkUnauthorizedError: known = .networkUnauthorizedError
        case .invalidCurrencyCode: known = .invalidCurrencyCode
        case .invalidAmount: known = .invalidAmount
        case .invalidPaymentProcessResponse: known = .invalidPaymentProcessResponse
        case .readerTokenNotAvailable: known = .readerTokenNotAvailable
        case .readerTokenInvalid: known = .readerTokenInvalid
        case .termsAndConditionsError: known = .termsAndConditionsError
        case .processPaymentReadError: known = .processPaymentReadError
        case .invalidTransactionId: known = .invalidTransactionId
        case .dataParsingError: known = .dataParsingError(unreadable)
        default: known = Self(nil, String(describing: error))
        }
        self = known.saying(error.errorMessage)
    }
}
#else
#error("No module AppleTapToPaySDK: add AppleTapToPaySDK.xcframework, or leave this file out.")
#endif
