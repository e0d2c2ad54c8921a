// Made by Scripts/stubs of Tests/Contracts/sdk/ni-seed.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file

public class AppleTapToPayManager {
    public init(serverScheme: String, serverHost: String, serverPort: Int, serverBasePath: String, locationTrackingEnabled: Bool = false, logEnabled: Bool = false) { fatalError() }
    public var onError: ((AppleTapToPaySDKError) -> Void)? { get { fatalError() } set {} }
    public func isSoftPOSSupported() -> Int { fatalError() }
    public func prepare(authToken: String, currencyCode: String, onProgress: ((Int) -> Void)?, onSuccess: () -> Void, onError: (AppleTapToPaySDKError) -> Void) async { fatalError() }
    public func isAccountLinked(authToken: String, currencyCode: String, onSuccess: (Bool) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
    public func processPayment(authToken: String, paymentType: PaymentType, amount: String, currencyCode: String, dryRun: Bool, onProgress: ((Int) -> Void)?, onSuccess: (PaymentResponse) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
    public func getTransactions(limit: Int, offset: Int, authToken: String, onSuccess: (GetTransactionsResponse) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
    public func getTransactionDetails(reference: String, authToken: String, onSuccess: (GetTransactionDetailsResponse) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
    public func refundTransaction(authToken: String, transactionId: String, amount: String, currencyCode: String, onSuccess: (RefundTransactionResponse) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
    public func voidTransaction(authToken: String, transactionId: String, onSuccess: (VoidTransactionResponse) -> Void, onError: (AppleTapToPaySDKError) -> Void) { fatalError() }
}

public enum PaymentType {
    case contactless
}

public struct PaymentResponse {
    public let reference: String
    public let orderReference: String
    public let state: String
}

public struct GetTransactionsResponse {
    public let items: [Transaction]
}

public struct Transaction {
    public let reference: String
    public let createdDateTime: String?
    public let action: String?
    public let currencyCode: String?
    public let amount: String?
    public let refundedAmount: String?
    public let status: String?
    public let channel: String?
    public let outletName: String?
    public let cardScheme: String?
    public let cardholderName: String?
    public let cardPan: String?
    public let lastEvent: String?
    public let rrn: String?
    public let authCode: String?
}

public struct GetTransactionDetailsResponse {
    public let refundEnabled: Bool
    public let voidEnabled: Bool
}

public struct RefundTransactionResponse {
    public let refundId: String
    public let status: String
}

public struct VoidTransactionResponse {
    public let voidId: String
    public let status: String
}

public enum AppleTapToPaySDKError: Error {
    case genericError
    case deviceNotSupported
    case initializationError(String)
    case invalidAuthToken
    case networkError
    case networkUnauthorizedError
    case invalidCurrencyCode
    case invalidAmount
    case invalidPaymentProcessResponse
    case dataParsingError
    case readerTokenNotAvailable
    case readerTokenInvalid
    case termsAndConditionsError
    case processPaymentReadError
    case invalidTransactionId
    case undocumented
    public var errorMessage: String { get { fatalError() } }
}
