// Made by Scripts/stubs of Tests/Contracts/sdk/arise-0.0.6.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
public import ProximityReader
public import UIKit
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public struct DeviceInfo: Sendable {
    public let deviceId: String
    public let deviceName: String?
    public let lastLoginAt: Date?
    public let tapToPayStatus: String?
    public let tapToPayStatusId: Int?
    public let tapToPayEnabled: Bool
    public let userProfiles: [DeviceUser]
    public init(deviceId: String, deviceName: String?, lastLoginAt: Date?, tapToPayStatus: String?, tapToPayStatusId: Int?, tapToPayEnabled: Bool, userProfiles: [DeviceUser]) { fatalError() }
}

public struct DevicesResponse: Sendable {
    public let devices: [DeviceInfo]
    public init(devices: [DeviceInfo]) { fatalError() }
}

public enum LogLevel: Int, CaseIterable {
    case none
    case error
    case warning
    case info
    case debug
    case verbose
    public var description: String { get { fatalError() } }
}

public final class AriseLogger: Sendable {
    public static let shared: AriseLogger = { fatalError() }()
    public final func setLogLevel(_ level: LogLevel) { fatalError() }
    public final func getLogLevel() -> LogLevel { fatalError() }
    public final func error(_ message: String, file: String = #file, function: String = #function, line: Int = #line) { fatalError() }
    public final func warning(_ message: String, file: String = #file, function: String = #function, line: Int = #line) { fatalError() }
    public final func info(_ message: String, file: String = #file, function: String = #function, line: Int = #line) { fatalError() }
    public final func debug(_ message: String, file: String = #file, function: String = #function, line: Int = #line) { fatalError() }
    public final func verbose(_ message: String, file: String = #file, function: String = #function, line: Int = #line) { fatalError() }
}

public class AriseMobileTTP {
    public func checkCompatibility() -> TTPCompatibilityResult { fatalError() }
    public func getStatus() async throws -> TTPStatus { fatalError() }
    public func prepare() async throws { fatalError() }
    @MainActor public func showEducationalInfo(from viewController: UIViewController) async throws { fatalError() }
    public func activate() async throws { fatalError() }
    @MainActor public func performTransaction(amount: Decimal) async throws -> TTPTransactionResult { fatalError() }
    @MainActor public func performTransaction(calculationResult: CalculateAmountResponse, isDebitCard: Bool) async throws -> TTPTransactionResult { fatalError() }
    @MainActor public func abortTransaction() async throws -> Bool { fatalError() }
    public func eventsStream() throws -> AsyncStream<TTPEvent> { fatalError() }
    init() { fatalError() }
}

public struct DeviceUser: Sendable {
    public let id: String?
    public let firstName: String?
    public let lastName: String?
    public let email: String?
    public init(id: String?, firstName: String?, lastName: String?, email: String?) { fatalError() }
}

public enum TTPError: Error, LocalizedError {
    case notCompatible([String])
    case notActive(String)
    case sdkNotInitialized
    case configurationFailed(String, String?)
    case activationFailed(String, String?)
    case transactionFailed(String, String?)
    case failedToAbortTransaction(String, String?)
    case unknown(String, String?)
    public var errorDescription: String? { get { fatalError() } }
    public var errorCode: String? { get { fatalError() } }
}

public enum CreateMethodId: Int, CaseIterable {
    case portal
    case apiToken
    case terminal
    case invoice
    case quickPayment
    case webComponent
    case subscription
    case mobileApp
    case tapToPay
    public var displayName: String { get { fatalError() } }
}

public class AriseMobileSdk {
    public final let ttp: AriseMobileTTP
    public convenience init(environment: Environment, countryCode: String? = "USA") throws { fatalError() }
    public func setLogLevel(_ level: LogLevel) { fatalError() }
    public func getLogLevel() -> LogLevel { fatalError() }
    @discardableResult public func authenticate(clientId: String, clientSecret: String) async throws -> Bool { fatalError() }
    public func getPermissions() async throws -> ApiPermissionsResponse { fatalError() }
    public func getCloudCommerceVersion() throws -> String { fatalError() }
    public func getVersion() -> String { fatalError() }
    public func getDeviceId() -> String { fatalError() }
    public func getAccessToken() async -> String? { fatalError() }
    public func clearStoredToken() { fatalError() }
    @discardableResult public func refreshAccessToken() async throws -> Bool { fatalError() }
    public func getTransactions(filters: TransactionFilters? = nil) async throws -> TransactionsResponse { fatalError() }
    public func getTransactionDetails(id: String) async throws -> TransactionDetails { fatalError() }
    public func submitAuthTransaction(input: CardTransactionRequest) async throws -> CardTransactionResponse { fatalError() }
    public func submitSaleTransaction(input: CardTransactionRequest) async throws -> CardTransactionResponse { fatalError() }
    public func calculateAmount(request: CalculateAmountRequest) async throws -> CalculateAmountResponse { fatalError() }
    public func voidTransaction(transactionId: String) async throws -> TransactionResponse { fatalError() }
    public func captureTransaction(transactionId: String, amount: Double) async throws -> TransactionResponse { fatalError() }
    public func refundTransaction(transactionId: String, amount: Double? = nil) async throws -> TransactionResponse { fatalError() }
    public func getPaymentSettings() async throws -> PaymentSettingsResponse { fatalError() }
    public func getDevices() async throws -> DevicesResponse { fatalError() }
    public func getDeviceInfo(deviceId: String) async throws -> DeviceInfo { fatalError() }
    init(stub: Void) { fatalError() }
}

public enum ZeroCostProcessingOption: Int, Codable, Equatable, CaseIterable {
    case noZeroCost
    case cashDiscount
    case dualPricing
    case surcharge
    public var displayName: String { get { fatalError() } }
}

public enum Environment {
    case production
    case uat
}

public enum TTPTransactionStatus: String {
    case approved
    case declined
    case cancelled
    case failed
}

public struct TTPTransactionResult {
    public let transactionId: String?
    public let transactionOutcome: String?
    public let status: TTPTransactionStatus
    public let orderId: String?
    public let authorizedAmount: String?
    public let authorizationCode: String?
    public let authorisationResponseCode: String?
    public let authorizedDate: String?
    public let authorizedDateFormat: String?
    public let cardBrandName: String?
    public let maskedCardNumber: String?
    public let externalReferenceID: String?
    public let applicationIdentifier: String?
    public let applicationPreferredName: String?
    public let applicationCryptogram: String?
    public let applicationTransactionCounter: String?
    public let terminalVerificationResults: String?
    public let issuerApplicationData: String?
    public let applicationPANSequenceNumber: String?
    public let partnerDataMap: [String: String]?
    public let cvmTags: [TTPCVMData]?
    public let cvmAction: String?
    public init(transactionId: String?, transactionOutcome: String?, status: TTPTransactionStatus, orderId: String?, authorizedAmount: String?, authorizationCode: String?, authorisationResponseCode: String?, authorizedDate: String?, authorizedDateFormat: String?, cardBrandName: String?, maskedCardNumber: String?, externalReferenceID: String?, applicationIdentifier: String?, applicationPreferredName: String?, applicationCryptogram: String?, applicationTransactionCounter: String?, terminalVerificationResults: String?, issuerApplicationData: String?, applicationPANSequenceNumber: String?, partnerDataMap: [String: String]?, cvmTags: [TTPCVMData]?, cvmAction: String?) { fatalError() }
}

public struct TTPTransactionRequest {
    public let amount: Decimal
    public let tip: String?
    public let discount: String?
    public let subTotal: String
    public let orderId: String?
    public let surchargeRate: String?
    public init(amount: Decimal, currencyCode: String, tip: String? = nil, discount: String? = nil, salesTaxAmount: String? = nil, federalTaxAmount: String? = nil, subTotal: String, orderId: String? = nil, surchargeRate: String? = nil) { fatalError() }
}

public enum TTPEvent {
    case readerEvent(TTPReaderEvent)
    case customEvent(TTPCustomEvent)
}

public enum TTPReaderEvent {
    case updateProgress(Int)
    case notReady
    case readyForTap
    case cardDetected
    case removeCard
    case readCompleted
    case readRetry
    case readCancelled
    case pinEntryRequested
    case pinEntryCompleted
    case userInterfaceDismissed
    case readNotCompleted
}

public enum TTPCustomEvent {
    case preparing
    case ready
    case readerNotReady(String)
    case cardDetected
    case cardReadSuccess
    case cardReadFailure
    case authorizing
    case approved
    case declined
    case errorOccurred
    case inProgress
    case updateReaderProgress(Int)
    case unknownEvent(String)
}

public struct ErrorInfo {
    public let details: String?
    public let statusCode: Int
    public let correlationId: String?
    public let errorCode: String?
    public let source: String?
    public let exceptionType: String?
}

public struct AvsOptions {
    public let isEnabled: Bool?
    public let profileId: Int32?
    public let profile: String?
    public init(isEnabled: Bool?, profileId: Int32?, profile: String?) { fatalError() }
}

public struct NamedOption: Identifiable {
    public let id: Int32
    public let name: String?
    public init(id: Int32, name: String?) { fatalError() }
}

public struct SettlementBatchTimeSlot {
    public let hours: Int32?
    public let minutes: Int32?
    public let timezoneName: String?
    public init(hours: Int32?, minutes: Int32?, timezoneName: String?) { fatalError() }
}

public struct PaymentProcessor {
    public let id: String?
    public let name: String?
    public let isDefault: Bool?
    public let typeId: Int32?
    public let type: String?
    public let settlementBatchTimeSlots: [SettlementBatchTimeSlot]?
    public init(id: String?, name: String?, isDefault: Bool?, typeId: Int32?, type: String?, settlementBatchTimeSlots: [SettlementBatchTimeSlot]?) { fatalError() }
}

public enum AriseApiError: Error, LocalizedError {
    case badRequest(String, ErrorInfo?)
    case unauthorized(String)
    case forbidden(String, ErrorInfo?)
    case notFound(String, ErrorInfo?)
    case serverError(String, ErrorInfo?)
    case unknown(String, ErrorInfo?)
    case invalidResponse(String)
    case networkError(String)
    public var errorDescription: String? { get { fatalError() } }
    public var errorInfo: ErrorInfo? { get { fatalError() } }
    public var recoverySuggestion: String? { get { fatalError() } }
}

public enum AuthenticationError: Error, LocalizedError {
    case invalidCredentials
    case networkError(String)
    case invalidResponse
    case tokenExpired
    case unknown(String)
    public var errorDescription: String? { get { fatalError() } }
}

public struct AchDetailsDto: Equatable {
    public let customerAccountNumber: String?
    public let customerRoutingNumber: String?
    public let accountHolderType: AccountHolderType?
    public let accountType: AccountType?
    public let taxId: String?
    public init(customerAccountNumber: String? = nil, customerRoutingNumber: String? = nil, accountHolderType: AccountHolderType? = nil, accountType: AccountType? = nil, taxId: String? = nil) { fatalError() }
}

public enum AccountHolderType: Int, Codable, Equatable, CaseIterable {
    case business
    case personal
    public var displayName: String { get { fatalError() } }
}

public enum AccountType: Int, Codable, Equatable, CaseIterable {
    case checking
    case savings
    public var displayName: String { get { fatalError() } }
}

public enum Currency: Int, Codable, Equatable, CaseIterable {
    case usd
    public var displayName: String { get { fatalError() } }
    public var isoCode: String { get { fatalError() } }
}

public enum PaymentMethodType: Int, Codable, Equatable, CaseIterable {
    case card
    case electronicCheck
    case cash
    public var displayName: String { get { fatalError() } }
}

public enum OperationType: Int, Codable, Equatable, CaseIterable {
    case authorization
    case sale
    case capture
    case void
    case refund
    public var displayName: String { get { fatalError() } }
}

public struct PaymentSettingsResponse {
    public let availableCurrencies: [NamedOption]
    public let zeroCostProcessingOption: ZeroCostProcessingOption?
    public let defaultSurchargeRate: Double?
    public let defaultCashDiscountRate: Double?
    public let defaultDualPricingRate: Double?
    public let isTipsEnabled: Bool
    public let defaultTipsOptions: [Double]?
    public let availableCardTypes: [NamedOption]
    public let availableTransactionTypes: [NamedOption]
    public let availablePaymentProcessors: [PaymentProcessor]
    public let avs: AvsOptions?
    public let companyName: String?
    public let mccCode: String?
    public let currency: Currency?
    public let countryCode: String?
    public let ttpIosTerminalProfileId: String?
    public init(availableCurrencies: [NamedOption], zeroCostProcessingOption: ZeroCostProcessingOption?, defaultSurchargeRate: Double?, defaultCashDiscountRate: Double?, defaultDualPricingRate: Double?, isTipsEnabled: Bool, defaultTipsOptions: [Double]?, availableCardTypes: [NamedOption], availableTransactionTypes: [NamedOption], availablePaymentProcessors: [PaymentProcessor], avs: AvsOptions?, companyName: String? = nil, mccCode: String? = nil, currency: Currency? = nil, countryCode: String? = nil, ttpIosTerminalProfileId: String? = nil) { fatalError() }
}

public struct ApiPermissionsResponse: Codable, Hashable, Sendable {
    public let permissions: [ApiPermission]
    public init(permissions: [ApiPermission]) { fatalError() }
}

public struct AddressDto {
    public let line1: String?
    public let line2: String?
    public let city: String?
    public let postalCode: String?
    public let stateName: String?
    public let stateId: Int32?
    public let countryId: Int32?
    public init(line1: String? = nil, line2: String? = nil, city: String? = nil, postalCode: String? = nil, stateName: String? = nil, stateId: Int32? = nil, countryId: Int32? = nil) { fatalError() }
}

public struct AmountDto {
    public var baseAmount: Double
    public var percentageOffAmount: Double
    public var percentageOffRate: Double
    public var cashDiscountAmount: Double
    public var cashDiscountRate: Double
    public var surchargeAmount: Double
    public var surchargeRate: Double
    public var tipAmount: Double
    public var tipRate: Double
    public var taxAmount: Double
    public var taxRate: Double
    public var totalAmount: Double
    public init(baseAmount: Double, percentageOffAmount: Double, percentageOffRate: Double, cashDiscountAmount: Double, cashDiscountRate: Double, surchargeAmount: Double, surchargeRate: Double, tipAmount: Double, tipRate: Double, taxAmount: Double, taxRate: Double, totalAmount: Double) { fatalError() }
}

public struct CardTransactionRequest {
    public let paymentProcessorId: String
    public let amount: Double
    public let currency: Currency
    public let cardDataSource: CardDataSource
    public let paymentMethodId: String?
    public let accountNumber: String?
    public let expirationMonth: Int32?
    public let expirationYear: Int32?
    public let securityCode: String?
    public let track1: String?
    public let track2: String?
    public let emvTags: [String]?
    public let emvPaymentAppVersion: String?
    public let customerId: String?
    public let tipAmount: Double?
    public let tipRate: Double?
    public let percentageOffRate: Double?
    public let surchargeRate: Double?
    public let billingAddress: AddressDto?
    public let shippingAddress: AddressDto?
    public let contactInfo: ContactInfoDto?
    public let pin: String?
    public let pinKsn: String?
    public let emvFallbackCondition: EMVFallbackCondition?
    public let emvFallbackLastChipRead: EMVFallbackLastChipRead?
    public let referenceId: String?
    public let customerInitiatedTransaction: Bool?
    public let l2: L2Data?
    public let l3: L3Data?
    public init(paymentProcessorId: String, amount: Double, currency: Currency, cardDataSource: CardDataSource, paymentMethodId: String? = nil, accountNumber: String? = nil, expirationMonth: Int32? = nil, expirationYear: Int32? = nil, securityCode: String? = nil, track1: String? = nil, track2: String? = nil, emvTags: [String]? = nil, emvPaymentAppVersion: String? = nil, customerId: String? = nil, tipAmount: Double? = nil, tipRate: Double? = nil, percentageOffRate: Double? = nil, surchargeRate: Double? = nil, billingAddress: AddressDto? = nil, shippingAddress: AddressDto? = nil, contactInfo: ContactInfoDto? = nil, pin: String? = nil, pinKsn: String? = nil, emvFallbackCondition: EMVFallbackCondition? = nil, emvFallbackLastChipRead: EMVFallbackLastChipRead? = nil, referenceId: String? = nil, customerInitiatedTransaction: Bool? = nil, l2: L2Data? = nil, l3: L3Data? = nil) throws { fatalError() }
}

public struct SourceResponseDto {
    public let typeId: Int?
    public let type: String?
    public let id: String?
    public let name: String
}

public struct SuggestedTipsDto {
    public let tipPercent: Double
    public let tipAmount: Double
}

public struct CardTransactionResponse {
    public let transactionId: String?
    public let transactionDateTime: Date?
    public let transactionType: TransactionType?
    public let status: TransactionStatus?
    public let processedAmount: Double?
    public let details: TransactionResponseDetailsDto?
    public let transactionReceipt: TransactionReceiptDto?
    public let avsResponse: AvsResponseDto?
    public var authCode: String? { get { fatalError() } }
    public init(transactionId: String?, transactionDateTime: Date?, transactionType: TransactionType?, status: TransactionStatus?, processedAmount: Double?, details: TransactionResponseDetailsDto?, transactionReceipt: TransactionReceiptDto?, avsResponse: AvsResponseDto?) { fatalError() }
}

public struct AvailableOperation {
    public let operationType: OperationType?
    public let availableAmount: Double?
    public let suggestedTips: Array<SuggestedTipsDto>?
}

public struct AvsResponseDto: Equatable {
    public let actionId: AvsAction?
    public let action: String?
    public let responseCode: String?
    public let groupId: AvsCodeGroupType?
    public let group: String?
    public let resultId: AvsResponseResult?
    public let result: String?
    public let codeDescription: String?
    public init(actionId: AvsAction? = nil, action: String? = nil, responseCode: String? = nil, groupId: AvsCodeGroupType? = nil, group: String? = nil, resultId: AvsResponseResult? = nil, result: String? = nil, codeDescription: String? = nil) { fatalError() }
}

public enum AvsAction: Int, Equatable {
    case noMatch
    case partialMatch
}

public enum AvsCodeGroupType: Int, Equatable {
    case noMatch
    case partialMatch
    case incompatible
    case unavailable
    case validGroup
}

public enum AvsResponseResult: Int, Equatable {
    case passed
    case failed
}

public struct CalculateAmountRequest {
    public let amount: Double
    public let currency: Currency
    public let percentageOffRate: Double?
    public let surchargeRate: Double?
    public let tipAmount: Double?
    public let tipRate: Double?
    public let useCardPrice: Bool?
    public init(amount: Double, currency: Currency = .usd, percentageOffRate: Double? = nil, surchargeRate: Double? = nil, tipAmount: Double? = nil, tipRate: Double? = nil, useCardPrice: Bool? = nil) { fatalError() }
}

public struct CalculateAmountResponse {
    public let currency: Currency?
    public let zeroCostProcessingOption: ZeroCostProcessingOption?
    public let useCardPrice: Bool?
    public let cash: AmountDto?
    public let creditCard: AmountDto?
    public let debitCard: AmountDto?
    public let ach: AmountDto?
    public init(currency: Currency?, zeroCostProcessingOption: ZeroCostProcessingOption?, useCardPrice: Bool?, cash: AmountDto?, creditCard: AmountDto?, debitCard: AmountDto?, ach: AmountDto?) { fatalError() }
}

public enum CardDataSource: Int, Equatable, CaseIterable {
    case internet
    case swipe
    case nfc
    case emv
    case emvContactless
    case fallbackSwipe
    case manual
}

public struct TTPCompatibilityResult: Sendable {
    public let isCompatible: Bool
    public let deviceModelCheck: DeviceModelCheck
    public let iosVersionCheck: IOSVersionCheck
    public let locationPermission: LocationPermissionStatus
    public let tapToPayEntitlement: TapToPayEntitlementStatus
    public let incompatibilityReasons: [String]
    public init(isCompatible: Bool, deviceModelCheck: DeviceModelCheck, iosVersionCheck: IOSVersionCheck, locationPermission: LocationPermissionStatus, tapToPayEntitlement: TapToPayEntitlementStatus, incompatibilityReasons: [String]) { fatalError() }
}

public struct DeviceModelCheck: Sendable {
    public let isCompatible: Bool
    public let modelIdentifier: String
    public init(isCompatible: Bool, modelIdentifier: String) { fatalError() }
}

public struct IOSVersionCheck: Sendable {
    public let isCompatible: Bool
    public let version: String
    public let minimumRequiredVersion: String
    public init(isCompatible: Bool, version: String, minimumRequiredVersion: String) { fatalError() }
}

public enum LocationPermissionStatus: String, Sendable {
    case granted
    case denied
    case undetermined
}

public enum TapToPayEntitlementStatus: String, Sendable {
    case available
    case unavailable
}

public enum TTPStatus: String, Sendable {
    case active
    case inactive
}

public struct CardDetailsDto: Equatable {
    public let authCode: String?
    public let mid: String?
    public let tid: String?
    public let cardCreditDebitTypeId: Int32?
    public let cardCreditDebitType: String?
    public let processCreditDebitTypeId: Int32?
    public let processCreditDebitType: String?
    public let rrn: String?
    public let cardTypeId: Int32?
    public let cardType: String?
    public init(authCode: String? = nil, mid: String? = nil, tid: String? = nil, cardCreditDebitTypeId: Int32? = nil, cardCreditDebitType: String? = nil, processCreditDebitTypeId: Int32? = nil, processCreditDebitType: String? = nil, rrn: String? = nil, cardTypeId: Int32? = nil, cardType: String? = nil) { fatalError() }
}

public enum CardholderAuthenticationMethod: Int, Equatable, CaseIterable {
    case notAuthenticated
    case pin
    case electronicSignatureAnalysis
    case manualSignature
    case manualOther
    case unknown
    case systematicOther
    case eTicketEnvAmex
    case offlinePin
}

public enum CardTokenType: Int {
    case local
    case network
}

public struct ContactInfoDto {
    public let firstName: String?
    public let lastName: String?
    public let companyName: String?
    public let email: String?
    public let mobileNumber: String?
    public let smsNotification: Bool?
    public init(firstName: String? = nil, lastName: String? = nil, companyName: String? = nil, email: String? = nil, mobileNumber: String? = nil, smsNotification: Bool? = nil) { fatalError() }
}

public struct ElectronicCheckDetails: Equatable {
    public let customerAccountNumber: String?
    public let customerRoutingNumber: String?
    public let accountHolderType: String?
    public let accountHolderTypeId: Int32?
    public let accountType: String?
    public let accountTypeId: Int32?
    public let taxId: String?
    public init(customerAccountNumber: String? = nil, customerRoutingNumber: String? = nil, accountHolderType: String? = nil, accountHolderTypeId: Int32? = nil, accountType: String? = nil, accountTypeId: Int32? = nil, taxId: String? = nil) { fatalError() }
}

public enum EMVFallbackCondition: Int, Equatable {
    case iccTerminalError
    case noCandidateList
}

public struct L2Data {
    public let salesTaxRate: Double?
    public init(salesTaxRate: Double? = nil) { fatalError() }
}

public struct TransactionProduct {
    public let name: String?
    public let code: String?
    public let unitPrice: Double?
    public let measurementUnit: String?
    public let quantity: Double?
    public let taxAmount: Double?
    public let discountRate: Double?
    public let description: String?
    public let measurementUnitId: Int32?
    public init(name: String? = nil, code: String? = nil, unitPrice: Double? = nil, measurementUnit: String? = nil, quantity: Double? = nil, taxAmount: Double? = nil, discountRate: Double? = nil, description: String? = nil, measurementUnitId: Int32? = nil) { fatalError() }
}

public struct L3Data {
    public let invoiceNumber: String?
    public let purchaseOrder: String?
    public let shippingCharges: Double?
    public let dutyCharges: Double?
    public let products: [TransactionProduct]?
    public init(invoiceNumber: String? = nil, purchaseOrder: String? = nil, shippingCharges: Double? = nil, dutyCharges: Double? = nil, products: [TransactionProduct]? = nil) { fatalError() }
}

public enum EMVFallbackLastChipRead: Int, Equatable {
    case successful
    case failed
    case notAChipTransaction
    case unknown
}

public struct EmvTagsDto: Equatable {
    public let ac: String?
    public let tvr: String?
    public let tsi: String?
    public let aid: String?
    public let applicationLabel: String?
    public let rawTags: [EmvTagsDto.RawTag]?
    public init(ac: String? = nil, tvr: String? = nil, tsi: String? = nil, aid: String? = nil, applicationLabel: String? = nil, rawTags: [EmvTagsDto.RawTag]? = nil) { fatalError() }
    public var rawTagDictionary: [String: String] { get { fatalError() } }
    public struct RawTag: Equatable {
        public let tag: String
        public let value: String?
        public init(tag: String, value: String?) { fatalError() }
    }
}
