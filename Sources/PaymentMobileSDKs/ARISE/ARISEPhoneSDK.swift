public import PaymentBase

/// Aurora Payments' ARISE Mobile SDK for iOS, which takes and manages payments, as plain values and protocols.
///
/// Where the document of 1.0.0 and the published interface of 0.0.6 differ, this follows the interface, apart from four
/// members that may be newer than it. The name space is not called `ARISE`, which is the name of the SDK's framework. Amounts and rates, which the SDK has
/// as binary or decimal numbers, are exact text here; moments are milliseconds since 1970.
public enum ARISEPhoneSDK {
    /// The whole SDK for a merchant's payments.
    public protocol AriseMobileSdk: TappingSdk, Reports, Payments, Settings, Devices {}

    /// As much of the SDK as tapped payments need; an application makes the SDK conform.
    public protocol TappingSdk: Sessions, Pricing {
        /// The part that takes cards by tapping.
        var ttp: any TTP { get async }
        /// This phone's identifier, by which the platform's list of phones has it.
        func getDeviceId() async -> String
    }

    /// The part of the SDK that takes cards by tapping.
    public protocol TTP: Activation, Taps {}

    /// The session behind a merchant's payments, which the SDK renews on its own.
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
        /// Reads one transaction; throws `notFound` if there is none.
        func getTransactionDetails(id: String) async throws(Failure) -> TransactionDetails
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
        /// The version of the SDK that makes the payments.
        func getVersion() async -> String
    }

    /// What comes before the first tapped payment.
    public protocol Activation: Sendable {
        /// Says whether the phone can take cards, and what is in the way.
        func checkCompatibility() async -> TTPCompatibilityResult
        /// Says whether the phone is activated for taking cards.
        func getStatus() async throws(Failure) -> TTPStatus
        /// Activates the phone for taking cards, with Apple's terms; only a person who may do that for the merchant.
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

extension ARISEPhoneSDK {
    /// How the merchant's payments are set up.
    public struct PaymentSettingsResponse: Hashable, Sendable {
        /// The currencies that payments can be made in.
        public var availableCurrencies: [NamedOption]
        /// How the merchant passes the cost of card payments on.
        public var zeroCostProcessingOption: ZeroCostProcessingOption?
        /// The usual surcharge on card payments, in hundredths.
        public var defaultSurchargeRate: SDKDecimal?
        /// The usual discount on cash payments, in hundredths.
        public var defaultCashDiscountRate: SDKDecimal?
        /// How far the card's price is above the cash price, in hundredths.
        public var defaultDualPricingRate: SDKDecimal?
        /// Whether payments may have a tip.
        public var isTipsEnabled: Bool
        /// The tips that customers may choose, in hundredths.
        public var defaultTipsOptions: [SDKDecimal]?
        /// The card schemes that the merchant takes.
        public var availableCardTypes: [NamedOption]
        /// The kinds of transactions that the merchant may make.
        public var availableTransactionTypes: [NamedOption]
        /// The processors that payments can go to.
        public var availablePaymentProcessors: [PaymentProcessor]
        /// How customers' addresses are compared.
        public var avs: AvsOptions?
        /// The merchant's company.
        public var companyName: String?
        /// The code of the merchant's trade.
        public var mccCode: String?
        /// The merchant's currency.
        public var currency: Currency?
        /// The merchant's country.
        public var countryCode: String?
        /// The profile for taking cards on a phone.
        public var ttpIosTerminalProfileId: String?

        /// Makes a merchant's settings.
        public init(
            availableCurrencies: [NamedOption], isTipsEnabled: Bool, availableCardTypes: [NamedOption],
            availableTransactionTypes: [NamedOption], availablePaymentProcessors: [PaymentProcessor]
        ) {
            self.availableCurrencies = availableCurrencies
            self.isTipsEnabled = isTipsEnabled
            self.availableCardTypes = availableCardTypes
            self.availableTransactionTypes = availableTransactionTypes
            self.availablePaymentProcessors = availablePaymentProcessors
        }
    }

    /// How customers' addresses are compared.
    public struct AvsOptions: Hashable, Sendable {
        /// Whether addresses are compared at all.
        public var isEnabled: Bool?
        /// How strictly customers' addresses are compared, as a number.
        public var profileId: Int32?
        /// How strictly customers' addresses are compared.
        public var profile: String?

        /// Begins a comparison of addresses with nothing known.
        public init() {}
    }

    /// A currency, card scheme or kind of transaction that a merchant may use.
    public struct NamedOption: Hashable, Sendable {
        /// The number of the merchant's choice.
        public var id: Int32
        /// The name of the merchant's choice.
        public var name: String?

        /// Makes a choice of a merchant.
        public init(id: Int32) { self.id = id }
    }

    /// A processor that the merchant's payments can go to.
    public struct PaymentProcessor: Hashable, Sendable {
        /// The processor's identifier.
        public var id: String?
        /// The processor's name.
        public var name: String?
        /// Whether payments go there if nothing is said.
        public var isDefault: Bool?
        /// What kind of processor it is, as a number.
        public var typeId: Int32?
        /// What kind of processor it is.
        public var type: String?
        /// When the processor settles the day's payments.
        public var settlementBatchTimeSlots: [SettlementBatchTimeSlot]?

        /// Begins a processor of which nothing is known.
        public init() {}
    }

    /// A time of day at which payments are settled.
    public struct SettlementBatchTimeSlot: Hashable, Sendable {
        /// The hour at which payments are settled.
        public var hours: Int32?
        /// The minutes after that hour of the settlement.
        public var minutes: Int32?
        /// The time zone of the settlement's hour.
        public var timezoneName: String?

        /// Begins a time of settlement with nothing known.
        public init() {}
    }

    /// The merchant's phones.
    public struct DevicesResponse: Hashable, Sendable {
        /// Every phone that payments were set up on.
        public var devices: [DeviceInfo]

        /// Makes the list of a merchant's phones.
        public init(devices: [DeviceInfo]) { self.devices = devices }
    }

    /// A phone of the merchant.
    public struct DeviceInfo: Hashable, Sendable {
        /// The phone's identifier.
        public var deviceId: String
        /// The phone's name.
        public var deviceName: String?
        /// When a merchant last signed in on the phone, in milliseconds since 1970.
        public var lastLoginAt: Int64?
        /// How far the phone is set up for taking cards.
        public var tapToPayStatus: String?
        /// How far the phone is set up for taking cards, as a number from 0 to 4.
        public var tapToPayStatusId: Int?
        /// Whether the phone may take cards.
        public var tapToPayEnabled: Bool
        /// Who uses the phone.
        public var userProfiles: [DeviceUser]

        /// Makes a phone of a merchant.
        public init(deviceId: String, tapToPayEnabled: Bool, userProfiles: [DeviceUser]) {
            (self.deviceId, self.tapToPayEnabled, self.userProfiles) = (deviceId, tapToPayEnabled, userProfiles)
        }
    }

    /// A person who uses a phone of the merchant.
    public struct DeviceUser: Hashable, Sendable {
        /// The person's identifier.
        public var id: String?
        /// The person's first name.
        public var firstName: PersonalData?
        /// The person's family name.
        public var lastName: PersonalData?
        /// The person's e-mail address; the document's table has lost the member's name.
        public var email: PersonalData?

        /// Begins a person of whom nothing is known.
        public init() {}
    }
}

extension ARISEPhoneSDK {
    /// Something that the merchant's credentials may do at the platform.
    public struct ApiPermission: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Begin a payment at a card terminal.
        public static let posStartTransaction = Self(rawValue: "posStartTransaction")
        /// List the transactions of card terminals.
        public static let posGetTransactions = Self(rawValue: "posGetTransactions")
        /// Read a transaction of a card terminal.
        public static let posGetTransactionDetails = Self(rawValue: "posGetTransactionDetails")
        /// Cancel a transaction of a card terminal.
        public static let posCancelTransaction = Self(rawValue: "posCancelTransaction")
        /// Print a receipt at a card terminal.
        public static let posPrintReceipt = Self(rawValue: "posPrintReceipt")
        /// List the card terminals.
        public static let getTerminalList = Self(rawValue: "getTerminalList")
        /// Read a card terminal's data.
        public static let getTerminalInformation = Self(rawValue: "getTerminalInformation")
        /// Authorize a card in a shop of the web.
        public static let ecommerceAuth = Self(rawValue: "ecommerceAuth")
        /// Make a sale in a shop of the web.
        public static let ecommerceSale = Self(rawValue: "ecommerceSale")
        /// Capture an authorization of a shop of the web.
        public static let ecommerceCapture = Self(rawValue: "ecommerceCapture")
        /// Void a transaction of a shop of the web.
        public static let ecommerceVoid = Self(rawValue: "ecommerceVoid")
        /// Refund a transaction of a shop of the web.
        public static let ecommerceRefund = Self(rawValue: "ecommerceRefund")
        /// Refund a card without an earlier transaction.
        public static let ecommerceRefundWithoutReference = Self(rawValue: "ecommerceRefundWithoutReference")
        /// Debit a bank account.
        public static let achDebit = Self(rawValue: "achDebit")
        /// Credit a bank account.
        public static let achCredit = Self(rawValue: "achCredit")
        /// Cancel a bank debit.
        public static let achVoid = Self(rawValue: "achVoid")
        /// Hold a bank debit back.
        public static let achHold = Self(rawValue: "achHold")
        /// Let a held bank debit go.
        public static let achUnhold = Self(rawValue: "achUnhold")
        /// List transactions.
        public static let listTransactions = Self(rawValue: "listTransactions")
        /// Read a transaction's details.
        public static let getTransactionDetails = Self(rawValue: "getTransactionDetails")
        /// Work out a transaction's amount.
        public static let calculateTransactionAmount = Self(rawValue: "calculateTransactionAmount")
        /// Change a transaction's tip.
        public static let submitTipAdjustment = Self(rawValue: "submitTipAdjustment")
        /// List the batches for the settlement.
        public static let getSettlementBatches = Self(rawValue: "getSettlementBatches")
        /// Send a batch to the settlement.
        public static let submitBatchForSettlement = Self(rawValue: "submitBatchForSettlement")
        /// Send a receipt to a customer's telephone.
        public static let sendReceiptBySms = Self(rawValue: "sendReceiptBySms")
        /// List the customers.
        public static let listCustomers = Self(rawValue: "listCustomers")
        /// Read a customer's data.
        public static let getCustomerDetails = Self(rawValue: "getCustomerDetails")
        /// Change the customers' data.
        public static let manageCustomers = Self(rawValue: "manageCustomers")
        /// Make invoices.
        public static let hostedInvoices = Self(rawValue: "hostedInvoices")
        /// Make quick payments.
        public static let hostedQuickPayment = Self(rawValue: "hostedQuickPayment")
        /// Make subscriptions, which pay again and again.
        public static let hostedSubscriptions = Self(rawValue: "hostedSubscriptions")
        /// Use payment forms in web pages.
        public static let hostedWebComponents = Self(rawValue: "hostedWebComponents")
        /// Take payments in a WooCommerce shop.
        public static let hostedWooCommerce = Self(rawValue: "hostedWooCommerce")
        /// Take cards on a phone, which this SDK's payments need.
        public static let featureTapToPayOnMobile = Self(rawValue: "featureTapToPayOnMobile")
        /// Ask whether the platform is there.
        public static let generalPing = Self(rawValue: "generalPing")
        /// Ask for the platform's status.
        public static let generalStatus = Self(rawValue: "generalStatus")
        /// Read the merchant's configuration.
        public static let generalConfigurations = Self(rawValue: "generalConfigurations")
    }

    /// What the merchant's credentials may do.
    public struct ApiPermissionsResponse: Hashable, Sendable {
        /// The permissions that are switched on for the merchant.
        public var permissions: [ApiPermission]

        /// Makes the answer about a merchant's permissions.
        public init(permissions: [ApiPermission]) { self.permissions = permissions }
    }
}

extension ARISEPhoneSDK {
    /// Which transactions a list is to have.
    public struct TransactionFilters: Hashable, Sendable {
        /// The list's page.
        public var page: Int?
        /// How many transactions a page has, from 1 to 100.
        public var pageSize: Int?
        /// Whether the list rises; it falls otherwise.
        public var asc: Bool?
        /// What the transactions are sorted by; by their date if nothing is said.
        public var orderBy: String?
        /// How the transactions were made.
        public var createMethodId: CreateMethodId?
        /// Which terminal, invoice or payment made the transactions.
        public var createdById: String?
        /// Which batch the transactions were settled in.
        public var batchId: String?
        /// Whether only transactions that wait for the settlement are wanted.
        public var noBatch: Bool?

        /// Asks for all transactions.
        public init() {}
    }

    /// A page of the merchant's transactions.
    public struct TransactionsResponse: Hashable, Sendable {
        /// The page's transactions.
        public var items: [TransactionSummary]
        /// How many transactions there are on all pages.
        public var total: Int

        /// Makes a page of transactions.
        public init(items: [TransactionSummary], total: Int) { (self.items, self.total) = (items, total) }
    }

    /// A transaction in the merchant's list.
    public struct TransactionSummary: Hashable, Sendable {
        /// The transaction's identifier.
        public var id: String
        /// The identifier of the transaction's processor.
        public var paymentProcessorId: String
        /// When the transaction was made, in milliseconds since 1970.
        public var date: Int64?
        /// The transaction's amount before surcharge, tip and tax.
        public var baseAmount: SDKDecimal
        /// The transaction's amount with everything.
        public var totalAmount: SDKDecimal
        /// The transaction's surcharge.
        public var surchargeAmount: SDKDecimal?
        /// The rate of the transaction's surcharge.
        public var surchargePercentage: SDKDecimal?
        /// The transaction's currency.
        public var currency: Currency?
        /// The merchant's name.
        public var merchant: String?
        /// The merchant's identifier.
        public var merchantId: String
        /// The mode that the transaction was made in.
        public var operationMode: String?
        /// What the transaction was paid with.
        public var paymentMethodType: PaymentMethodType?
        /// What the transaction was paid with, in words.
        public var paymentMethodName: String?
        /// The customer's name.
        public var customerName: PersonalData?
        /// The customer's company.
        public var customerCompany: String?
        /// The customer's card number, masked.
        public var customerPan: String?
        /// Where the transaction's card is kept.
        public var cardTokenType: CardTokenType?
        /// The customer's e-mail address.
        public var customerEmail: PersonalData?
        /// The customer's telephone number.
        public var customerPhone: PersonalData?
        /// The state of the transaction.
        public var status: TransactionStatus?
        /// What was done in the transaction; of the document alone, and maybe newer than the interface.
        public var operationType: OperationType?
        /// What was done in the transaction, as a word.
        public var transactionType: TransactionType?
        /// The batch that the transaction was settled in.
        public var batchId: String?
        /// Where the transaction came from.
        public var source: SourceResponseDto
        /// What can still be done with the transaction.
        public var availableOperations: [AvailableOperation]?
        /// The transaction's amount in all of its parts.
        public var amount: AmountDto

        /// Makes an item of the merchant's list of transactions.
        public init(
            id: String, paymentProcessorId: String, baseAmount: SDKDecimal, totalAmount: SDKDecimal,
            currency: Currency?, merchantId: String, source: SourceResponseDto, amount: AmountDto
        ) {
            (self.id, self.paymentProcessorId, self.baseAmount) = (id, paymentProcessorId, baseAmount)
            (self.totalAmount, self.currency, self.merchantId) = (totalAmount, currency, merchantId)
            (self.source, self.amount) = (source, amount)
        }
    }

    /// Where a transaction came from.
    public struct SourceResponseDto: Hashable, Sendable {
        /// What kind of source it is, as a number.
        public var typeId: Int?
        /// What kind of source it is.
        public var type: String?
        /// The identifier of the transaction's source.
        public var id: String?
        /// The name of the transaction's source.
        public var name: String

        /// Names where a transaction came from.
        public init(name: String) { self.name = name }
    }

    /// Something that can still be done with a transaction.
    public struct AvailableOperation: Hashable, Sendable {
        /// What can be done with the transaction.
        public var operationType: OperationType?
        /// Up to which amount of the transaction.
        public var availableAmount: SDKDecimal?
        /// The tips that the customer may choose.
        public var suggestedTips: [SuggestedTipsDto]?

        /// Begins an operation of a transaction with nothing known.
        public init() {}
    }

    /// Something that can still be done with a transaction, as its receipt lists it.
    public struct TransactionOperation: Hashable, Sendable {
        /// What can be done with the transaction; of the document alone, and maybe newer than the interface.
        public var operationType: OperationType?
        /// What can be done with the transaction, as a number.
        public var typeId: Int?
        /// What can be done with the transaction, in words.
        public var type: String?
        /// Up to which amount of the transaction.
        public var availableAmount: SDKDecimal?
        /// The tips that the customer may choose.
        public var suggestedTips: [SuggestedTipsDto]?

        /// Begins an operation of a receipt with nothing known.
        public init() {}
    }
}
