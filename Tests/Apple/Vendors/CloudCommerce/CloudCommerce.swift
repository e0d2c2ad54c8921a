// Made by Scripts/stubs of Tests/Contracts/sdk/arise-cloudcommerce-1.0.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
public import ProximityReader
public import UIKit
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public protocol StoreAndForwardStatusProtocol {
    var readCount: Int { get }
    var expiration: Date { get }
}

extension StoreAndForwardStatus: StoreAndForwardStatusProtocol {
}

open class FetchISO3CountryCode {
    open class func find(key: String) -> IsoCountryInfo? { fatalError() }
    init() { fatalError() }
}

public struct IsoCountryInfo {
    public let name: String
    public let numeric: String
    public let alpha2: String
    public let alpha3: String
    public let calling: String
    public let currency: String
    public let dataCentre: String
}

public class IsoCountryList {
    public static let allCountries: [IsoCountryInfo] = { fatalError() }()
    init() { fatalError() }
}

public struct DataCenterValidation {
    public static func getBaseUrl(environment: TargetEnvironment, additionalURL: String? = nil, geoCountryCode: String?) throws -> String { fatalError() }
}

public protocol CaseInsensitiveRawValue: CaseIterable, Decodable, Encodable, RawRepresentable {
}

public enum LoginType: String, Codable, Sendable {
    case obo
    case partnerOrDelegated
}

public enum CloudCommerceEvents: Sendable, Equatable {
    case updateReaderProgress(Int)
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
    case accountLinking
    case accountLinked
    case unknownEvent(String)
}

public enum EventStream: Sendable {
    case readerEvent(PaymentCardReader.Event)
    case customEvent(CloudCommerceEvents)
}

public class CloudCommerceEventManager {
    public func eventsStream() -> AsyncStream<EventStream> { fatalError() }
    init() { fatalError() }
}

extension JSONDecoder {
    public static var ccDefaultDecoder: JSONDecoder { get { fatalError() } }
}

extension JSONEncoder {
    public static var ccDefaultEncoder: JSONEncoder { get { fatalError() } }
}

extension String {
    public func toDoubleWithoutRounding() -> Double { fatalError() }
}

extension DispatchQueue {
    public static var currentQueueLabel: String? { get { fatalError() } }
}

public enum SeverityLevel: String {
    case error
    case warning
    case info
    case debug
}

public struct AccessTokenQuery: Codable, Sendable {
    public let grantTypeKey: String
    public let codeKey: String
    public let codeVerifierKey: String?
    public let principleTypeKey: String
    public let redirectURIKey: String
    public enum CodingKeys: String, CodingKey {
        case grantTypeKey
        case codeKey
        case codeVerifierKey
        case principleTypeKey
        case redirectURIKey
        public init?(stringValue: String) { fatalError() }
        public init?(intValue: Int) { fatalError() }
        public var intValue: Int? { get { fatalError() } }
        public var stringValue: String { get { fatalError() } }
    }
}

public struct AccessTokenResponse: Codable {
    public let accessToken: String
    public let tokenType: String
    public let accessTokenExpiresIn: Int64
    public let scope: String
    public let idToken: String
    public let refreshToken: String
    public let refreshTokenExpiresIn: Int64
    public enum CodingKeys: String, CodingKey {
        case accessToken
        case tokenType
        case accessTokenExpiresIn
        case scope
        case idToken
        case refreshToken
        case refreshTokenExpiresIn
        public init?(stringValue: String) { fatalError() }
        public init?(intValue: Int) { fatalError() }
        public var intValue: Int? { get { fatalError() } }
        public var stringValue: String { get { fatalError() } }
    }
}

public struct ResponseWrapper<T>: Codable where T: Decodable, T: Encodable {
    public let data: T?
    public let message: T?
}

public struct Attestation {
    public init(keyId: String, attestation: String, hashedNonce: String, teamIdentifier: String, bundleIdentifier: String) { fatalError() }
}

public struct AttestationDetails: Codable {
    public let posInstanceId: String
    public let deviceProfile: DeviceProfileEntity
    public let appProfile: AppProfileEntity
    public let safetyNetPayload: String?
    public let keyAttestationPayload: [String]?
    public let deviceLockStatus: String?
    public let emulator: String?
    public let debuggable: String?
    public let rootStatus: String?
    public let hooked: String?
    public let virtualEnvironment: String?
    public let temperDetected: String?
    public let newCertUsed: String?
    public let dexChanged: String?
    public let isKnoxSupported: Bool
    public let playIntegrityVerdict: String?
    public let nonceAttestation: String?
    public let externalDevice: String?
    public let appAttestKeyId: String?
    public let attestation: String?
    public let iOSNonceAttestation: String?
    public let appTeamIdentifier: String
    public let appBundleIdentifier: String?
    public init(posInstanceId: String, deviceProfile: DeviceProfileEntity, appProfile: AppProfileEntity, safetyNetPayload: String?, keyAttestationPayload: [String]?, deviceLockStatus: String?, emulator: String?, debuggable: String?, rootStatus: String?, hooked: String?, virtualEnvironment: String?, temperDetected: String?, newCertUsed: String?, dexChanged: String?, isKnoxSupported: Bool, playIntegrityVerdict: String?, nonceAttestation: String?, externalDevice: String?, appAttestKeyId: String?, attestation: String?, iOSNonceAttestation: String?, appTeamIdentifier: String, appBundleIdentifier: String?) { fatalError() }
}

public struct MerchantProfile: Codable {
    public init(subMerchantId: String, legalName: String? = nil, displayName: String, phoneNumber: String? = nil, disputContactPhone: String? = nil, bankIndustryCode: String? = nil, marketplaceId: String? = nil, governmentCountryCode: String? = nil, brandLogo: String? = nil, address: Address? = nil) { fatalError() }
}

public struct Address: Codable {
    public init(addressLine1: String? = nil, addressLine2: String? = nil, city: String? = nil, province: String? = nil, postalCode: String? = nil, country: String? = nil) { fatalError() }
}

public struct Receipt: Codable {
}

public struct ReceiptResponse: Codable {
    public let success: Bool
    public let message: String?
    public let error: ServerErrorResponse?
}

public struct AuthorizationData: Codable {
    public let transactionID: String?
    public let authorisationResponseCode: String?
    public let authorisationCode: String?
    public let transactionOutcome: String
    public let errors: [ServerErrorResponse]?
    public let isSuccess: Bool
    public let authorisedAmount: String?
    public let cardBrandName: String?
    public let cardExpiryDate: String?
    public let cardPan: String?
    public let externalReferenceID: String
    public let message: String?
}

public struct MerchantDetailsRequest: Codable {
    public init(androidId: String?, configFilter: [String], posInstanceId: String?) { fatalError() }
}

public struct MerchantDetails: Codable, Sendable {
    public let merchantConfig: MerchantConfig
    public let supportContacts: SupportContacts?
    public var currencyData: [CurrencyData] { get { fatalError() } }
    public var merchantDisplayName: String? { get { fatalError() } }
    public var merchantCategoryCode: String? { get { fatalError() } }
    public var terminalProfileId: String? { get { fatalError() } }
    public var currencyCode: String? { get { fatalError() } }
    public var countryCode: String? { get { fatalError() } }
}

public struct CurrencyDataClass: Codable, Sendable {
    public init(currency: [CurrencyData], merchantDisplayName: String?, merchantCategoryCode: String?) { fatalError() }
}

public struct CurrencyData: Codable, Sendable {
    public let countryName: String, countryCode: String, currencyCodeISO: String, countryCurrencySymbol: String, currencyCode: String
    public let isCurrencyAfter: Bool
    public init(countryName: String, countryCode: String, currencyCodeISO: String, countryCurrencySymbol: String, currencyCode: String, isCurrencyAfter: Bool) { fatalError() }
}

public struct SupportContacts: Codable, Sendable {
    public let emails: [String]?, phones: [String]?
    public init(emails: [String], phones: [String]) { fatalError() }
}

public struct MerchantConfig: Codable, Sendable {
    public let isPayByLinkEnabled: Bool
    public init(isPayByLinkEnabled: Bool, paymentNetworks: [String], osSupported: [String], terminalProfileId: String?) { fatalError() }
}

public struct CloudCommerceExceptionalErrorResponse: Codable {
}

public struct CloudCommerceInternalServerErrorResponse: Codable {
}

public struct CloudCommerceSuccesFailResponse: Codable {
}

public struct ServerErrorResponse: Codable {
}

public struct CloudCommerceErrorResponse: Codable {
}

public enum PaymentType: String, Codable, Sendable {
    case pos
    case ecom
}

public struct POSEntity: Codable {
    public init(posId: String?, deviceProfile: DeviceProfileEntity, appProfile: AppProfileEntity, keyProfile: KeyProfileEntity) { fatalError() }
    public var posId: String?
}

public struct DeviceProfileEntity: Codable {
    public let deviceId: String
}

public struct AppProfileEntity: Codable {
}

public struct KeyProfileEntity: Codable {
}

public struct TransactionList: Codable {
    public let data: [TransactionDetails]
}

public struct TaxDetail: Hashable, Codable {
    public let amount: String
    public let type: String
}

public struct TransactionDetails: Hashable, Codable {
    public var transactionId: String?
    public let transactionAuthDate: String
    public let transactionSettleDate: String?
    public var transactionAmount: String
    public let transactionStatus: TransactionStatuses?
    public let externalReferenceId: String?
    public let maskedCardNumber: String?
    public let currency: String
    public let cardBrandName: String?
    public var tip: String?
    public let terminalId: String?
    public let authorizationResponseDescription: String?
    public let paymentMethod: String?
    public let taxDetails: [TaxDetail]?
    public let subtotal: String?
    public let userId: String?
    public let orderId: String?
    public let authorizationResponseCode: String?
    public var transactionType: TransactionTypes?
    public let discount: String?
    public var allowedAction: [AllowedActions]?
}

public struct TransationRequest: Codable {
}

public struct Field: Codable, Sendable {
}

public struct TransactionQueryRequest: Codable {
    public let startDate: String, endDate: String
    public var recordSize: Int?
    public var page: Int?
    public var transactionId: String?
    public var externalReferenceId: String?
    public let transactionStatuses: [TransactionStatuses]
    public let transactionTypes: [TransactionTypes]
    public init(startDate: String, endDate: String, recordSize: Int? = nil, page: Int? = nil, transactionId: String? = nil, externalReferenceId: String? = nil, paymentTypes: [PaymentType]? = nil, transactionStatuses: [TransactionStatuses], transactionTypes: [TransactionTypes], paymentMethod: [PaymentMethod]? = nil, transactionSearchNew: Bool = true, subMerchantId: String? = nil) { fatalError() }
}

public enum TransactionStatuses: String, Codable, CaseInsensitiveRawValue, Equatable {
    case approved
    case declined
    case unknown
    case pending
}

public enum TransactionTypes: String, Codable, CaseInsensitiveRawValue, Equatable {
    case sale
    case refund
    case void
}

public struct SdkUpgradeResponse: Codable {
    public let forceUpgrade: Bool, recommendedUpgrade: Bool
    public let sessionExpiryTime: String?
}

public enum AllowedActions: String, Codable, CaseInsensitiveRawValue {
    case void
    case refund
    case receipt
}

public struct Merchant: Codable {
    public init(bannerName: String? = nil, categoryCode: String? = nil, terminalProfileId: String? = nil, currencyCode: String? = nil, countryCode: String? = nil, gwTerminalId: String? = nil, merchantProfile: MerchantProfile? = nil) { fatalError() }
}

public struct CardRequest: Codable {
    public let amount: Decimal?
    public let currencyCode: String?
    public let paymentType: TransactionTypes
    public let preferredAIDList: String?
    public let userInterfaceLanguage: String?
}

public struct CardResponse: Codable {
    public let generalCardData: String?
    public let paymentCardData: String?
}

public struct Transaction: Codable, Equatable {
    public let transactionId: String?
    public let transactionOutcome: String?
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
    public let cvmTags: [CVMData]?
    public let cvmAction: String?
}

public struct CVMData: Codable, Equatable {
    public let tag: String?
    public let value: String?
}

public protocol NetworkUrlSession {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
}

public enum HTTPMethod: String, Sendable {
    case GET
    case POST
    case PATCH
    case DELETE
    case PUT
}

public enum ErrorCode: String {
    case JOSE_INVALID_KEY
    case ATTESTATION_TTL_EXPIRED
}

public class TargetEnvironment: NSObject {
    public final let id: String
    public final let name: String
    public final let baseURL: String
    public static var prod: TargetEnvironment { get { fatalError() } }
    public static var sandbox: TargetEnvironment { get { fatalError() } }
    public static var available: [TargetEnvironment] { get { fatalError() } }
    public static func matching(id: String) -> TargetEnvironment? { fatalError() }
    public func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) { fatalError() }
    init(stub: Void) { fatalError() }
}

public class CloudCommerceSDK {
    public var environment: TargetEnvironment { get { fatalError() } }
    public var sessionId: String? { get { fatalError() } }
    public var merchantDetails: MerchantDetails? { get { fatalError() } }
    public init(environment: TargetEnvironment) throws { fatalError() }
    public var posIdentifier: String? { get { fatalError() } }
    public var deviceIdentifier: String { get { fatalError() } }
    public var sessionExpiryTime: String? { get { fatalError() } }
    public var eventManager: CloudCommerceEventManager
    public var version: String { get { fatalError() } }
    public var information: String { get { fatalError() } }
    public var isAccountLinked: Bool { get async throws { fatalError() } }
    public func setLoginType(type: LoginType) { fatalError() }
    public func configure(with authToken: String, merchant: Merchant? = nil) async throws -> SdkUpgradeResponse { fatalError() }
    public func prepare(with authToken: String, merchant: Merchant? = nil) async throws -> SdkUpgradeResponse { fatalError() }
    public func resume(with authToken: String) async throws { fatalError() }
    public func performTransaction(for amount: Decimal, currencyCode: String, tip: String?, discount: String?, salesTaxAmount: String?, federalTaxAmount: String?, subTotal: String?, orderId: String?, customData: [String: String]? = nil) async throws -> Transaction { fatalError() }
    public func abortTransaction() async throws -> Bool { fatalError() }
    public func enablePerformanceLogging(_ isEnabled: Bool = false) { fatalError() }
    public func clear() { fatalError() }
    public func fetchTransactions(with transactionQuery: TransactionQueryRequest) async throws -> TransactionList { fatalError() }
    public func voidTransaction(with transactionId: String, orderId: String = "", externalReferenceId: String = "", currency: String = "") async throws -> AuthorizationData { fatalError() }
    public func refundTransaction(with transactionId: String, orderId: String = "", externalReferenceId: String = "", amount: String = "", currency: String = "") async throws -> AuthorizationData { fatalError() }
    public func sendReceipt(to email: String, withTransactionId txId: String?, andOrderId orderId: String?) async throws -> ReceiptResponse { fatalError() }
    public func enablePerformanceLogging(isEnabled: Bool = false) { fatalError() }
    public func enableTapToPay() async throws { fatalError() }
    public func activateReader() async throws { fatalError() }
    public func linkAccountForPayment(token: PaymentCardReader.Token) async throws { fatalError() }
    public func isCardReaderSupported() -> Bool { fatalError() }
}

public struct CloudCommerceSDKError: Error, Equatable, LocalizedError {
    public static let allErrors: [CloudCommerceSDKError] = { fatalError() }()
    public let errorCode: String
    public let localizedDescription: String
    public init(errorCode: String, localizedDescription: String) { fatalError() }
    public var errorDescription: String? { get { fatalError() } }
}

public enum PaymentMethod: String, Codable, Sendable, Equatable {
    case contactless
    case paybylink
}
