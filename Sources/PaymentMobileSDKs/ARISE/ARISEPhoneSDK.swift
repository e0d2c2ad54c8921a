public import PaymentBase

/// Aurora Payments' ARISE Mobile SDK for iOS 1.0.0, which takes and manages payments, as plain values and protocols.
///
/// The name space is not called `ARISE`, which is the name of the SDK's framework. Amounts and rates, which the SDK has
/// as binary or decimal numbers, are exact text here; moments are milliseconds since 1970.
public enum ARISEPhoneSDK {
    /// The whole SDK for a merchant's payments.
    public protocol AriseMobileSdk: TappingSdk, Reports, Payments, Settings, Devices {}

    /// As much of the SDK as tapped payments need; an application makes the SDK conform.
    public protocol TappingSdk: Sessions, Pricing {
        /// The part that takes cards by tapping.
        var ttp: any TTP { get async }
    }

    /// The part of the SDK that takes cards by tapping.
    public protocol TTP: Activation, Taps {}

    /// The session behind a merchant's payments, which the SDK renews by itself.
    public protocol Sessions: Sendable {
        /// Signs the merchant in; false is not explained.
        func authenticate(clientId: String, clientSecret: Secret) async throws(Failure) -> Bool
        /// The token for calling the platform about payments without the SDK; nil when there is none that is valid.
        func getAccessToken() async -> Secret?
        /// Renews the session's token for payments.
        func refreshAccessToken() async throws(Failure) -> Bool
        /// Forgets the session's tokens.
        func clearStoredToken() async
    }

    /// What can be read of the merchant's transactions.
    public protocol Reports: Sendable {
        /// Lists transactions.
        func getTransactions(filters: TransactionFilters?) async throws(Failure) -> TransactionsResponse
        /// Reads one transaction; nil when it isn't found.
        func getTransactionDetails(id: String) async throws(Failure) -> TransactionDetails?
    }

    /// Payments with a card that the caller has, and what follows on any payment.
    public protocol Payments: Sendable {
        /// Holds an amount on a card, for seven days at most.
        func submitAuthTransaction(input: CardTransactionRequest) async throws(Failure) -> CardTransactionResponse
        /// Makes a sale by card.
        func submitSaleTransaction(input: CardTransactionRequest) async throws(Failure) -> CardTransactionResponse
        /// Voids a payment before its settlement.
        func voidTransaction(transactionId: String) async throws(Failure) -> TransactionResponse
        /// Captures an authorization, or a part of it, which lets go of the rest.
        func captureTransaction(transactionId: String, amount: SDKDecimal) async throws(Failure) -> TransactionResponse
        /// Refunds an amount of a settled payment; without an amount, what is left of it.
        func refundTransaction(transactionId: String, amount: SDKDecimal?) async throws(Failure) -> TransactionResponse
    }

    /// What a payment comes to under the merchant's prices for cards and cash.
    public protocol Pricing: Sendable {
        /// Works out a payment's amounts, by what it is paid with.
        func calculateAmount(request: CalculateAmountRequest) async throws(Failure) -> CalculateAmountResponse
    }

    /// What the merchant's payments are set to.
    public protocol Settings: Sendable {
        /// Reads how payments are set up.
        func getPaymentSettings() async throws(Failure) -> PaymentSettingsResponse
        /// Reads what the merchant's credentials may do.
        func getPermissions() async throws(Failure) -> ApiPermissionsResponse
    }

    /// The merchant's phones, and the SDK on this one.
    public protocol Devices: Sendable {
        /// Lists the phones that payments were set up on.
        func getDevices() async throws(Failure) -> DevicesResponse
        /// Reads one phone.
        func getDeviceInfo(deviceId: String) async throws(Failure) -> DeviceInfo
        /// This phone's identifier.
        func getDeviceId() async -> String
        /// The version of the SDK that makes the payments.
        func getVersion() async -> String
    }

    /// What comes before the first tapped payment.
    public protocol Activation: Sendable {
        /// Says whether the phone can take cards, and what is in the way.
        func checkCompatibility() async -> TTPCompatibilityResult
        /// Says whether the phone is activated for taking cards.
        func getStatus() async throws(Failure) -> TTPStatus
        /// Activates the phone for taking cards, with Apple's terms; only somebody who may do that for the merchant.
        func activate() async throws(Failure)
        /// Shows Apple's lesson on taking cards; the view controller stays with the application.
        func showEducationalInfo() async throws(Failure)
        /// Makes the card reader ready, once at the application's start; doesn't activate the phone.
        func prepare() async throws(Failure)
    }

    /// Payments by tapping a card.
    public protocol Taps: Sendable {
        /// Takes a payment; neither a reference of the merchant's, nor a currency, nor a tip goes in.
        func performTransaction(amount: SDKDecimal) async throws(Failure) -> TTPTransactionResult
        /// Takes a payment of a merchant that adds a surcharge for credit cards.
        func performTransaction(
            calculationResult: CalculateAmountResponse, isDebitCard: Bool
        ) async throws(Failure) -> TTPTransactionResult
        /// Stops a payment while its card is waited for; throws once a card is being read, false if there was none.
        func abortTransaction() async throws(Failure) -> Bool
        /// What happens in the reader and in payments, as it happens.
        func eventsStream() async throws(Failure) -> AsyncStream<TTPEvent>
    }

    /// Makes the SDK for an environment of payments; the SDK wants that on the main thread.
    public typealias Maker = @Sendable (Environment) async throws -> any AriseMobileSdk

    /// The server leg: gives the merchant's credentials for payments.
    ///
    /// The SDK's only way in is a client's secret. It comes from the application's server when the merchant signs in,
    /// and is never built into the application.
    public typealias Credentials = @Sendable () async throws -> (clientId: String, clientSecret: Secret)

    /// Where the SDK's payments go.
    public struct Environment: SDKTextCode {
        /// The spelling of the payments' environment.
        public let rawValue: String
        /// Takes the spelling of the payments' environment.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Simulated payments.
        public static let uat = Self(rawValue: "uat")
        /// Real payments.
        public static let production = Self(rawValue: "production")
    }

    /// How a payment's cardholder was authenticated, as a number from 0 to 8 that the document doesn't explain.
    public struct CardholderAuthenticationMethod: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// How a payment's card was read, as a number from 1 to 7.
    public struct CardDataSource: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The card was keyed in; the document has the name, the platform's public interface the number.
        public static let manual = Self(rawValue: 7)
    }
}
