public import PaymentBase

/// Network International's Apple Tap to Pay SDK, which takes contactless payments, as values and protocols.
///
/// The SDK answers every call by `onSuccess` or `onError`; here the one is the function's value, the other its throw.
public enum NIPhoneSDK {
    /// The SDK's manager, one for the whole application: payments, and what follows on them.
    public protocol AppleTapToPayManager: TapToPay, TransactionManagement {}

    /// The SDK's calls around the card reader and its payments; an application makes the SDK conform.
    public protocol TapToPay: Sendable {
        /// Hears of errors that belong to no call for a payment.
        func onError(_ handler: @escaping @Sendable (AppleTapToPaySDKError) -> Void) async

        /// Says whether the device can take payments.
        func isSoftPOSSupported() async -> SoftPOSSupport

        /// Makes the card reader ready for payments, with the terms of the merchant's account where they are due.
        func prepare(
            authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
        ) async throws(AppleTapToPaySDKError)

        /// Says whether the merchant's account is linked, which the first payment needs.
        func isAccountLinked(authToken: Secret, currencyCode: String) async throws(AppleTapToPaySDKError) -> Bool

        /// Links the merchant's account by the card reader itself, which the SDK leaves to the application.
        func linkAccount(using token: Secret) async throws(AppleTapToPaySDKError)

        /// Takes a payment; neither a reference of the merchant's nor an idempotency key goes in.
        ///
        /// `amount` is the payment's minor units in digits, without a point.
        func processPayment(
            authToken: Secret, paymentType: PaymentType, amount: String, currencyCode: String, dryRun: Bool,
            onProgress: (@Sendable (Int) -> Void)?
        ) async throws(AppleTapToPaySDKError) -> PaymentResponse
    }

    /// The SDK's calls after a payment: lists, refunds, voids.
    public protocol TransactionManagement: Sendable {
        /// Lists the merchant's transactions; `offset` counts from 0.
        func getTransactions(
            limit: Int, offset: Int, authToken: Secret
        ) async throws(AppleTapToPaySDKError) -> GetTransactionsResponse

        /// Says whether a payment can be refunded or voided.
        func getTransactionDetails(
            reference: String, authToken: Secret
        ) async throws(AppleTapToPaySDKError) -> GetTransactionDetailsResponse

        /// Refunds a payment; `amount` is the refund's minor units in digits, without a point.
        func refundTransaction(
            authToken: Secret, transactionId: String, amount: String, currencyCode: String
        ) async throws(AppleTapToPaySDKError) -> RefundTransactionResponse

        /// Voids a payment.
        func voidTransaction(
            authToken: Secret, transactionId: String
        ) async throws(AppleTapToPaySDKError) -> VoidTransactionResponse
    }

    /// The server leg: gives the device token for payments, with its end in milliseconds since 1970.
    ///
    /// It lasts eight hours. The application's server makes it, with an API key that is never on the phone.
    public typealias DeviceToken = @Sendable () async throws -> (token: Secret, expiresAt: Int64)

    /// What the SDK's manager is made with, before any payment.
    public struct Setup: Hashable, Sendable {
        /// The platform's scheme, `https`.
        public var serverScheme: String
        /// The platform's host.
        public var serverHost: String
        /// The platform's port, usually 443.
        public var serverPort: Int
        /// The path that the platform's calls begin with.
        public var serverBasePath: String
        /// Whether payments tell the phone's place.
        public var locationTrackingEnabled = false
        /// Whether the SDK writes a log of its payments.
        public var logEnabled = false

        /// Says where the platform for payments is.
        public init(serverScheme: String, serverHost: String, serverPort: Int, serverBasePath: String) {
            (self.serverScheme, self.serverHost) = (serverScheme, serverHost)
            (self.serverPort, self.serverBasePath) = (serverPort, serverBasePath)
        }
    }

    /// Whether a device can take payments, as a number.
    public struct SoftPOSSupport: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The device can take payments.
        public static let supported = Self(rawValue: 0)
        /// The device is too old to take payments.
        public static let tooOld = Self(rawValue: -2)
    }

    /// How a payment's card is read.
    public struct PaymentType: SDKTextCode {
        /// The spelling of the payment's type.
        public let rawValue: String
        /// Takes the spelling of a payment's type.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// By tapping; the only payment type that the document names.
        public static let contactless = Self(rawValue: "contactless")
    }
}
