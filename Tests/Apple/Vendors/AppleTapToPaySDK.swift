// The names of Network International's Apple Tap to Pay SDK as its document has them, as far as Examples/Phone uses them, for
// Scripts/apple alone. Assumed: the module's name, that the manager belongs to the main actor, that it may call back on any
// thread, and which of the named errors hold a text. Nothing of it ever runs.

@MainActor public final class AppleTapToPayManager {
    public var onError: (@Sendable (AppleTapToPaySDKError) -> Void)?

    public init(
        serverScheme: String, serverHost: String, serverPort: Int, serverBasePath: String,
        locationTrackingEnabled: Bool = false, logEnabled: Bool = false
    ) {}

    public func isSoftPOSSupported() -> Int { 0 }
    public func prepare(
        authToken: String, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?,
        onSuccess: @escaping @Sendable () -> Void, onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) async {}
    public func isAccountLinked(
        authToken: String, currencyCode: String, onSuccess: @escaping @Sendable (Bool) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
    public func processPayment(
        authToken: String, paymentType: PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?, onSuccess: @escaping @Sendable (PaymentResponse) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
    public func getTransactions(
        limit: Int, offset: Int, authToken: String, onSuccess: @escaping @Sendable (GetTransactionsResponse) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
    public func getTransactionDetails(
        reference: String, authToken: String,
        onSuccess: @escaping @Sendable (GetTransactionDetailsResponse) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
    public func refundTransaction(
        authToken: String, transactionId: String, amount: String, currencyCode: String,
        onSuccess: @escaping @Sendable (RefundTransactionResponse) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
    public func voidTransaction(
        authToken: String, transactionId: String, onSuccess: @escaping @Sendable (VoidTransactionResponse) -> Void,
        onError: @escaping @Sendable (AppleTapToPaySDKError) -> Void
    ) {}
}

public enum PaymentType: Sendable {
    case contactless
}

public enum AppleTapToPaySDKError: Error, Sendable {
    case genericError, deviceNotSupported, invalidAuthToken, networkError, networkUnauthorizedError
    case invalidCurrencyCode, invalidAmount, invalidPaymentProcessResponse, readerTokenNotAvailable
    case readerTokenInvalid, termsAndConditionsError, processPaymentReadError, invalidTransactionId, dataParsingError
    case initializationError(String)
    // Of the document's numbers many have no name, so there are more.
    case undocumented
    public var errorMessage: String { "" }
}

public struct PaymentResponse: Sendable {
    public let reference = ""
    public let orderReference = ""
    public let state = ""
}

public struct GetTransactionsResponse: Sendable {
    public let items: [Transaction] = []
}

public struct Transaction: Sendable {
    public let reference = ""
    public let createdDateTime: String? = nil
    public let action: String? = nil
    public let currencyCode: String? = nil
    public let amount: Double? = nil
    public let refundedAmount: Double? = nil
    public let status: String? = nil
}

public struct GetTransactionDetailsResponse: Sendable {
    public let refundEnabled = false
    public let voidEnabled = false
}

public struct RefundTransactionResponse: Sendable {
    public let refundId = ""
    public let status = ""
}

public struct VoidTransactionResponse: Sendable {
    public let voidId = ""
    public let status = ""
}
