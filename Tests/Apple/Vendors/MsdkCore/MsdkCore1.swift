// Made by Scripts/stubs of Tests/Contracts/sdk/ecommpay-msdkcore-0.14.2.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

open class KotlinBase: NSObject {
    init(stub: Void) { fatalError() }
}

open class KotlinNumber: NSObject {
    init(stub: Void) { fatalError() }
}

open class KotlinByte: KotlinNumber {
}

open class KotlinUByte: KotlinNumber {
}

open class KotlinShort: KotlinNumber {
}

open class KotlinUShort: KotlinNumber {
}

open class KotlinInt: KotlinNumber {
    public init(int value: Int32) { fatalError() }
}

open class KotlinUInt: KotlinNumber {
}

open class KotlinLong: KotlinNumber {
    public init(longLong value: Int64) { fatalError() }
}

open class KotlinULong: KotlinNumber {
}

open class KotlinFloat: KotlinNumber {
}

open class KotlinDouble: KotlinNumber {
}

open class KotlinBoolean: KotlinNumber {
    public init(bool value: Bool) { fatalError() }
}

public class ApplicationInfo: KotlinBase {
    public init(version: String?, bundleId: String?, appName: String?) { fatalError() }
    public var appName: String? { get { fatalError() } }
    public var bundleId: String? { get { fatalError() } }
    public var version: String? { get { fatalError() } }
}

public class DeviceScreenResolutionInfo: KotlinBase {
    public init(width: Int32, height: Int32) { fatalError() }
    public var height: Int32 { get { fatalError() } }
    public var width: Int32 { get { fatalError() } }
}

public class MSDKCoreMetadata: KotlinBase {
    public init(version: String) { fatalError() }
    public var version: String { get { fatalError() } }
}

public protocol Cancellable: AnyObject {
    func cancel()
}

public class MSDKCoreSession: KotlinBase, Cancellable {
    public init(config: MSDKCoreSessionConfig) { fatalError() }
    public class var companion: MSDKCoreSession.Companion { get { fatalError() } }
    public func cancel() { fatalError() }
    public func getCardRemoveInteractor() -> CardRemoveInteractor { fatalError() }
    public func getCurrentPayment() -> Payment? { fatalError() }
    public func getErrorEventInteractor() -> ErrorEventInteractor { fatalError() }
    public func getInitInteractor() -> InitInteractor { fatalError() }
    public func getPayInteractor() -> PayInteractor { fatalError() }
    public func getPaymentInfo() -> PaymentInfo? { fatalError() }
    public func getPaymentMethods() -> [PaymentMethod]? { fatalError() }
    public func getSavedAccounts() -> [SavedAccount]? { fatalError() }
    public func getSecureLogoResourceManager() -> any SecureLogoResourceManager { fatalError() }
    public func getStringResourceManager() -> any StringResourceManager { fatalError() }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: MSDKCoreSession.Companion { get { fatalError() } }
        public var metadata: MSDKCoreMetadata { get { fatalError() } }
    }
}

public class MSDKCoreSessionConfig: KotlinBase {
    public init(apiHost: String, wsApiHost: String, isDebug: Bool, mockConfig: MSDKCoreMockConfig?) { fatalError() }
    public class var companion: MSDKCoreSessionConfig.Companion { get { fatalError() } }
    public var apiHost: String { get { fatalError() } }
    public var isDebug: Bool { get { fatalError() } }
    public var mockConfig: MSDKCoreMockConfig? { get { fatalError() } }
    public var userAgentData: UserAgentData? { get { fatalError() } set {} }
    public var wsApiHost: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: MSDKCoreSessionConfig.Companion { get { fatalError() } }
        public func debug(apiHost: String, wsApiHost: String) -> MSDKCoreSessionConfig { fatalError() }
        public func mock(mockConfig: MSDKCoreMockConfig) -> MSDKCoreSessionConfig { fatalError() }
        public func mockFullDeclineFlow(duration: Duration) -> MSDKCoreSessionConfig { fatalError() }
        public func mockFullSuccessFlow(duration: Duration) -> MSDKCoreSessionConfig { fatalError() }
        public func release(apiHost: String, wsApiHost: String) -> MSDKCoreSessionConfig { fatalError() }
    }
}

public class UserAgentData: KotlinBase {
    public init(screenInfo: DeviceScreenResolutionInfo?, applicationInfo: ApplicationInfo?) { fatalError() }
    public var applicationInfo: ApplicationInfo? { get { fatalError() } }
    public var screenInfo: DeviceScreenResolutionInfo? { get { fatalError() } }
}

public protocol KotlinComparable: AnyObject {
    func compareTo(other: Any?) -> Int32
}

open class KotlinEnum<E>: KotlinBase {
    public init(name: String, ordinal: Int32) { fatalError() }
    public func compareTo(other: E) -> Int32 { fatalError() }
    public var name: String { get { fatalError() } }
    public var ordinal: Int32 { get { fatalError() } }
}

public class ErrorCode: KotlinEnum<ErrorCode> {
    public class var companion: ErrorCode.Companion { get { fatalError() } }
    public class var serverUnauthorized: ErrorCode { get { fatalError() } }
    public class var serverMethodNotFound: ErrorCode { get { fatalError() } }
    public class var serverApiError: ErrorCode { get { fatalError() } }
    public class var serverContentParsingError: ErrorCode { get { fatalError() } }
    public class var networkError: ErrorCode { get { fatalError() } }
    public class var networkIsNotAvailable: ErrorCode { get { fatalError() } }
    public class var networkTimeout: ErrorCode { get { fatalError() } }
    public class var paymentRequestTypeNotExist: ErrorCode { get { fatalError() } }
    public class var paymentMethodNotAvailable: ErrorCode { get { fatalError() } }
    public class var paymentAlreadyExist: ErrorCode { get { fatalError() } }
    public class var paymentHasFinalStatus: ErrorCode { get { fatalError() } }
    public class var paymentNotFound: ErrorCode { get { fatalError() } }
    public class var paymentTokenNotExist: ErrorCode { get { fatalError() } }
    public class var customerIdNotExist: ErrorCode { get { fatalError() } }
    public class var clarificationFieldsError: ErrorCode { get { fatalError() } }
    public class var sessionNotInitialized: ErrorCode { get { fatalError() } }
    public class var illegalArguments: ErrorCode { get { fatalError() } }
    public class var illegalState: ErrorCode { get { fatalError() } }
    public class var unknown: ErrorCode { get { fatalError() } }
    public class func values() -> KotlinArray<ErrorCode> { fatalError() }
    public class var entries: [ErrorCode] { get { fatalError() } }
    public var exceptionName: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ErrorCode.Companion { get { fatalError() } }
        public func from(exceptionName: String) -> ErrorCode { fatalError() }
        public func from(exception: KotlinThrowable) -> ErrorCode { fatalError() }
    }
}

open class Request: KotlinBase {
    public init() { fatalError() }
}

public class ApiLinkMessage: KotlinBase {
    public init(message: String?, links: [ApiLinkMessageLink]?) { fatalError() }
    public class var companion: ApiLinkMessage.Companion { get { fatalError() } }
    public func doCopy(message: String?, links: [ApiLinkMessageLink]?) -> ApiLinkMessage { fatalError() }
    public var links: [ApiLinkMessageLink]? { get { fatalError() } }
    public var message: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ApiLinkMessage.Companion { get { fatalError() } }
    }
}

public class ApiLinkMessageLink: KotlinBase {
    public init(url: String?, messageLink: String?) { fatalError() }
    public class var companion: ApiLinkMessageLink.Companion { get { fatalError() } }
    public func doCopy(url: String?, messageLink: String?) -> ApiLinkMessageLink { fatalError() }
    public var messageLink: String? { get { fatalError() } }
    public var url: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ApiLinkMessageLink.Companion { get { fatalError() } }
    }
}

public class CardDate: KotlinBase {
    public init(month: Int32, year: Int32) { fatalError() }
    public var month: Int32 { get { fatalError() } }
    public var year: Int32 { get { fatalError() } }
}

open class PaymentInfo: KotlinBase {
    public init(projectId: Int32, paymentId: String, paymentAmount: Int64, paymentCurrency: String, paymentDescription: String?, customerId: String?, regionCode: String?, token: String?, languageCode: String?, receiptData: String?, threeDSecureInfo: ThreeDSecureInfo?, hideSavedWallets: KotlinBoolean?, forcePaymentMethod: String?, signature: String?) { fatalError() }
    public init(seen0: Int32, projectId: Int32, paymentId: String?, paymentAmount: Int64, paymentCurrency: String?, paymentDescription: String?, customerId: String?, regionCode: String?, token: String?, languageCode: String?, receiptData: String?, threeDSecureInfo: ThreeDSecureInfo?, hideSavedWallets: KotlinBoolean?, forcePaymentMethod: String?, signature: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: PaymentInfo.Companion { get { fatalError() } }
    public func getParamsForSignature(params: Set<SignatureParam>) -> String { fatalError() }
    public var customerId: String? { get { fatalError() } set {} }
    public var forcePaymentMethod: String? { get { fatalError() } set {} }
    public var hideSavedWallets: KotlinBoolean? { get { fatalError() } set {} }
    public var languageCode: String? { get { fatalError() } set {} }
    public var paymentAmount: Int64 { get { fatalError() } }
    public var paymentCurrency: String { get { fatalError() } }
    public var paymentDescription: String? { get { fatalError() } set {} }
    public var paymentId: String { get { fatalError() } }
    public var projectId: Int32 { get { fatalError() } }
    public var receiptData: String? { get { fatalError() } set {} }
    public var regionCode: String? { get { fatalError() } set {} }
    public var signature: String? { get { fatalError() } set {} }
    public var threeDSecureInfo: ThreeDSecureInfo? { get { fatalError() } set {} }
    public var token: String? { get { fatalError() } set {} }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: PaymentInfo.Companion { get { fatalError() } }
        public func create(projectId: Int32, paymentId: String, paymentAmount: Int64, paymentCurrency: String) -> PaymentInfo { fatalError() }
    }
}

public class RecipientInfo: KotlinBase {
    public init(walletOwner: String?, walletId: String?, country: String?, pan: String?, cardHolder: String?, dayOfBirth: String?, address: String?, city: String?, stateCode: String?, firstName: String?, lastName: String?) { fatalError() }
    public class var companion: RecipientInfo.Companion { get { fatalError() } }
    public var address: String? { get { fatalError() } }
    public var cardHolder: String? { get { fatalError() } }
    public var city: String? { get { fatalError() } }
    public var country: String? { get { fatalError() } }
    public var dayOfBirth: String? { get { fatalError() } }
    public var firstName: String? { get { fatalError() } }
    public var lastName: String? { get { fatalError() } }
    public var pan: String? { get { fatalError() } }
    public var stateCode: String? { get { fatalError() } }
    public var walletId: String? { get { fatalError() } }
    public var walletOwner: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: RecipientInfo.Companion { get { fatalError() } }
    }
}

open class RecurrentInfo: KotlinBase {
    public init(register register_: Bool, type: String?, expiryDay: String?, expiryMonth: String?, expiryYear: String?, period: String?, interval: KotlinInt?, time: String?, startDate: String?, scheduledPaymentID: String?, amount: KotlinLong?, schedule: [RecurrentInfoSchedule]?) { fatalError() }
    public init(seen0: Int32, register register_: Bool, type: String?, expiryDay: String?, expiryMonth: String?, expiryYear: String?, period: String?, interval: KotlinInt?, time: String?, startDate: String?, scheduledPaymentID: String?, amount: KotlinLong?, schedule: [RecurrentInfoSchedule]?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: RecurrentInfo.Companion { get { fatalError() } }
    public var amount: KotlinLong? { get { fatalError() } }
    public var expiryDay: String? { get { fatalError() } }
    public var expiryMonth: String? { get { fatalError() } }
    public var expiryYear: String? { get { fatalError() } }
    public var interval: KotlinInt? { get { fatalError() } }
    public var period: String? { get { fatalError() } }
    public var register_: Bool { get { fatalError() } }
    public var schedule: [RecurrentInfoSchedule]? { get { fatalError() } }
    public var scheduledPaymentID: String? { get { fatalError() } }
    public var startDate: String? { get { fatalError() } }
    public var time: String? { get { fatalError() } }
    public var type: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: RecurrentInfo.Companion { get { fatalError() } }
    }
}

open class RecurrentInfoSchedule: KotlinBase {
    public init(date: String?, amount: KotlinLong?) { fatalError() }
    public init(seen0: Int32, date: String?, amount: KotlinLong?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: RecurrentInfoSchedule.Companion { get { fatalError() } }
    public var amount: KotlinLong? { get { fatalError() } }
    public var date: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: RecurrentInfoSchedule.Companion { get { fatalError() } }
    }
}

public class SdkDate: KotlinBase {
    public init(text: String) { fatalError() }
    public func isValid() -> Bool { fatalError() }
    public var date: KotlinInt? { get { fatalError() } }
    public var month: KotlinInt? { get { fatalError() } }
    public var stringValue: String { get { fatalError() } }
    public var year: KotlinInt? { get { fatalError() } }
}

public class SdkExpiry: KotlinBase {
    public init(text: String) { fatalError() }
    public func isMoreThanNow() -> Bool { fatalError() }
    public func isValid() -> Bool { fatalError() }
    public var month: KotlinInt? { get { fatalError() } }
    public var stringValue: String { get { fatalError() } }
    public var year: KotlinInt? { get { fatalError() } }
}

public class SignatureParam: KotlinEnum<SignatureParam> {
    public class var companion: SignatureParam.Companion { get { fatalError() } }
    public class var projectId: SignatureParam { get { fatalError() } }
    public class var paymentId: SignatureParam { get { fatalError() } }
    public class var paymentAmount: SignatureParam { get { fatalError() } }
    public class var paymentDescription: SignatureParam { get { fatalError() } }
    public class var paymentCurrency: SignatureParam { get { fatalError() } }
    public class var customerId: SignatureParam { get { fatalError() } }
    public class var regionCode: SignatureParam { get { fatalError() } }
    public class var token: SignatureParam { get { fatalError() } }
    public class var languageCode: SignatureParam { get { fatalError() } }
    public class var forcePaymentMethod: SignatureParam { get { fatalError() } }
    public class var hideSavedWallets: SignatureParam { get { fatalError() } }
    public class func values() -> KotlinArray<SignatureParam> { fatalError() }
    public class var entries: [SignatureParam] { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: SignatureParam.Companion { get { fatalError() } }
        public var DEFAULT: Set<SignatureParam> { get { fatalError() } }
        public var MINIMAL: Set<SignatureParam> { get { fatalError() } }
        public var WITHOUT_HIDE_SAVED_WALLETS: Set<SignatureParam> { get { fatalError() } }
    }
}

public class SignatureParamsBuilder: KotlinBase {
    public init() { fatalError() }
    public func add(param: SignatureParam) { fatalError() }
    public func exclude(params: KotlinArray<SignatureParam>) { fatalError() }
    public func include(params: KotlinArray<SignatureParam>) { fatalError() }
    public func includeAll(params: Set<SignatureParam>) { fatalError() }
    public func remove(param: SignatureParam) { fatalError() }
}

open class ClarificationField: KotlinBase {
    public init(name: String, validatorName: String?, validator: (any Validator)?, defaultLabel: String?, defaultHint: String?, defaultPlaceholder: String?, defaultErrorMessage: String?) { fatalError() }
    public init(seen0: Int32, name: String?, validatorName: String?, defaultLabel: String?, defaultHint: String?, defaultPlaceholder: String?, defaultErrorMessage: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ClarificationField.Companion { get { fatalError() } }
    public var defaultErrorMessage: String? { get { fatalError() } }
    public var defaultHint: String? { get { fatalError() } }
    public var defaultLabel: String? { get { fatalError() } }
    public var defaultPlaceholder: String? { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var validator: (any Validator)? { get { fatalError() } }
    public var validatorName: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ClarificationField.Companion { get { fatalError() } }
        public func fromName(name: String) -> ClarificationField { fatalError() }
    }
}

open class ClarificationFieldValue: KotlinBase {
    public init(name: String, value: String) { fatalError() }
    public class var companion: ClarificationFieldValue.Companion { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ClarificationFieldValue.Companion { get { fatalError() } }
        public func fromNameWithValue(name: String, value: String) -> ClarificationFieldValue { fatalError() }
    }
}

open class CompleteField: KotlinBase {
    public init(name: String?, defaultLabel: String?, value: String?) { fatalError() }
    public init(seen0: Int32, name: String?, defaultLabel: String?, value: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: CompleteField.Companion { get { fatalError() } }
    public var defaultLabel: String? { get { fatalError() } }
    public var name: String? { get { fatalError() } }
    public var value: String? { get { fatalError() } set {} }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: CompleteField.Companion { get { fatalError() } }
        public func `default`() -> CompleteField { fatalError() }
    }
}

public class CustomerField: KotlinBase {
    public init(name: String, isRequired: Bool, isHidden: Bool, isTokenize: Bool, serverType: FieldServerType, hint: String?, label: String, placeholder: String?, validatorName: String?, validator: (any Validator)?, errorMessage: String?, errorMessageKey: String, options: [CustomerFieldOption]?) { fatalError() }
    public func doCopy(name: String, isRequired: Bool, isHidden: Bool, isTokenize: Bool, serverType: FieldServerType, hint: String?, label: String, placeholder: String?, validatorName: String?, validator: (any Validator)?, errorMessage: String?, errorMessageKey: String, options: [CustomerFieldOption]?) -> CustomerField { fatalError() }
    public var errorMessage: String? { get { fatalError() } }
    public var errorMessageKey: String { get { fatalError() } }
    public var hint: String? { get { fatalError() } }
    public var isHidden: Bool { get { fatalError() } }
    public var isRequired: Bool { get { fatalError() } }
    public var isTokenize: Bool { get { fatalError() } }
    public var label: String { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var options: [CustomerFieldOption]? { get { fatalError() } }
    public var placeholder: String? { get { fatalError() } }
    public var serverType: FieldServerType { get { fatalError() } }
    public var validator: (any Validator)? { get { fatalError() } }
    public var validatorName: String? { get { fatalError() } }
}

public class CustomerFieldOption: KotlinBase {
    public init(name: String?, value: String?) { fatalError() }
    public class var companion: CustomerFieldOption.Companion { get { fatalError() } }
    public var name: String? { get { fatalError() } }
    public var value: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: CustomerFieldOption.Companion { get { fatalError() } }
        public func fromNameWithValue(name: String, value: String) -> CustomerFieldOption { fatalError() }
    }
}

public class CustomerFieldValue: KotlinBase {
    public init(name: String, value: String) { fatalError() }
    public class var companion: CustomerFieldValue.Companion { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: CustomerFieldValue.Companion { get { fatalError() } }
        public func fromNameWithValue(name: String, value: String) -> CustomerFieldValue { fatalError() }
    }
}

public class FieldServerType: KotlinEnum<FieldServerType> {
    public class var companion: FieldServerType.Companion { get { fatalError() } }
    public class var text: FieldServerType { get { fatalError() } }
    public class var tel: FieldServerType { get { fatalError() } }
    public class var password: FieldServerType { get { fatalError() } }
    public class var file: FieldServerType { get { fatalError() } }
    public class var textarea: FieldServerType { get { fatalError() } }
    public class var number: FieldServerType { get { fatalError() } }
    public class var search: FieldServerType { get { fatalError() } }
    public class var url: FieldServerType { get { fatalError() } }
    public class var email: FieldServerType { get { fatalError() } }
    public class var date: FieldServerType { get { fatalError() } }
    public class func values() -> KotlinArray<FieldServerType> { fatalError() }
    public class var entries: [FieldServerType] { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: FieldServerType.Companion { get { fatalError() } }
        public func from(type: String) -> FieldServerType { fatalError() }
    }
}

public class PaymentFieldValue: KotlinBase {
    public init(name: String, value: String) { fatalError() }
    public class var companion: PaymentFieldValue.Companion { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: PaymentFieldValue.Companion { get { fatalError() } }
        public func fromNameWithValue(name: String, value: String) -> PaymentFieldValue { fatalError() }
    }
}

public class SenderFieldValue: KotlinBase {
    public init(name: String, value: String) { fatalError() }
    public class var companion: SenderFieldValue.Companion { get { fatalError() } }
    public var name: String { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: SenderFieldValue.Companion { get { fatalError() } }
        public func fromNameWithValue(name: String, value: String) -> SenderFieldValue { fatalError() }
    }
}

open class Account: KotlinBase {
    public init(id: Int64, number: String?, type: String?, cardHolder: String?, expiryMonth: String?, expiryYear: String?) { fatalError() }
    public init(seen0: Int32, id: Int64, number: String?, type: String?, cardHolder: String?, expiryMonth: String?, expiryYear: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: Account.Factory { get { fatalError() } }
    public var cardHolder: String? { get { fatalError() } }
    public var expiryMonth: String? { get { fatalError() } }
    public var expiryYear: String? { get { fatalError() } }
    public var id: Int64 { get { fatalError() } }
    public var number: String? { get { fatalError() } }
    public var type: String? { get { fatalError() } }
    public class Factory: KotlinBase {
        public init() { fatalError() }
        public class var shared: Account.Factory { get { fatalError() } }
        public func `default`() -> Account { fatalError() }
    }
}

public class PaymentMethod: KotlinBase {
    public init(walletModeAsk: Bool, walletSaveMode: WalletSaveMode, code: String, name: String?, translations: [String: String], isVatInfo: Bool, paymentUrl: String?, iconUrl: String?, customerFields: [CustomerField], cardTypesManager: CardTypesManager?, availableCardTypes: [String], paymentMethodType: PaymentMethodType) { fatalError() }
    public func doCopy(walletModeAsk: Bool, walletSaveMode: WalletSaveMode, code: String, name: String?, translations: [String: String], isVatInfo: Bool, paymentUrl: String?, iconUrl: String?, customerFields: [CustomerField], cardTypesManager: CardTypesManager?, availableCardTypes: [String], paymentMethodType: PaymentMethodType) -> PaymentMethod { fatalError() }
    public var availableCardTypes: [String] { get { fatalError() } }
    public var cardTypesManager: CardTypesManager? { get { fatalError() } }
    public var code: String { get { fatalError() } }
    public var customerFields: [CustomerField] { get { fatalError() } }
    public var iconUrl: String? { get { fatalError() } }
    public var isVatInfo: Bool { get { fatalError() } }
    public var name: String? { get { fatalError() } }
    public var paymentMethodType: PaymentMethodType { get { fatalError() } }
    public var paymentUrl: String? { get { fatalError() } }
    public var translations: [String: String] { get { fatalError() } }
    public var walletModeAsk: Bool { get { fatalError() } }
    public var walletSaveMode: WalletSaveMode { get { fatalError() } }
}

public class PaymentMethodBanks: KotlinBase {
    public init(id: KotlinInt?, name: String?, logo: String?, nativeName: String?) { fatalError() }
    public var id: KotlinInt? { get { fatalError() } }
    public var logo: String? { get { fatalError() } }
    public var name: String? { get { fatalError() } }
    public var nativeName: String? { get { fatalError() } }
}

public class PaymentMethodCard: KotlinBase {
    public init(code: String?, regExp: String?, minLength: KotlinInt?, maxLength: KotlinInt?) { fatalError() }
    public var code: String? { get { fatalError() } }
    public var maxLength: KotlinInt? { get { fatalError() } }
    public var minLength: KotlinInt? { get { fatalError() } }
    public var regExp: String? { get { fatalError() } }
}

public class PaymentMethodType: KotlinEnum<PaymentMethodType> {
    public class var companion: PaymentMethodType.Companion { get { fatalError() } }
    public class var card: PaymentMethodType { get { fatalError() } }
    public class var googlePay: PaymentMethodType { get { fatalError() } }
    public class var applePay: PaymentMethodType { get { fatalError() } }
    public class var aps: PaymentMethodType { get { fatalError() } }
    public class func values() -> KotlinArray<PaymentMethodType> { fatalError() }
    public class var entries: [PaymentMethodType] { get { fatalError() } }
    public var value: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: PaymentMethodType.Companion { get { fatalError() } }
        public func from(code: String?) -> PaymentMethodType { fatalError() }
    }
}

public class SavedAccount: KotlinBase {
    public init(id: Int64, number: String?, type: String?, token: String?, cardExpiry: SdkExpiry?, cardType: String?) { fatalError() }
    public class var companion: SavedAccount.Companion { get { fatalError() } }
    public var cardExpiry: SdkExpiry? { get { fatalError() } }
    public var cardType: String? { get { fatalError() } }
    public var id: Int64 { get { fatalError() } }
    public var number: String? { get { fatalError() } }
    public var token: String? { get { fatalError() } }
    public var type: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: SavedAccount.Companion { get { fatalError() } }
        public func `default`() -> SavedAccount { fatalError() }
    }
}

public class WalletSaveMode: KotlinEnum<WalletSaveMode> {
    public class var companion: WalletSaveMode.Companion { get { fatalError() } }
    public class var neverSaveCustomerPaymentData: WalletSaveMode { get { fatalError() } }
    public class var askCustomerBeforeSave: WalletSaveMode { get { fatalError() } }
    public class var alwaysSaveCustomerPaymentData: WalletSaveMode { get { fatalError() } }
    public class func values() -> KotlinArray<WalletSaveMode> { fatalError() }
    public class var entries: [WalletSaveMode] { get { fatalError() } }
    public var value: Int32 { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: WalletSaveMode.Companion { get { fatalError() } }
        public func from(value: KotlinInt?) -> WalletSaveMode { fatalError() }
    }
}

public class Link: KotlinBase {
    public init(url: String?, message: String?) { fatalError() }
    public var message: String? { get { fatalError() } }
    public var url: String? { get { fatalError() } }
}

public class LinkMessage: KotlinBase {
    public init(message: String?, links: [Link]?) { fatalError() }
    public var links: [Link]? { get { fatalError() } }
    public var message: String? { get { fatalError() } }
}

open class Payment: KotlinBase {
    public init(id: String?, serverStatusName: String?, status: PaymentStatus?, purchase: String?, date: String?, method: String?, paymentMethodType: PaymentMethodType, methodName: String?, description: String?, account: Account?, sum: Int64, acs: Acs?, threeds2: Threeds2?, type: String?, token: String?, clarificationFields: [ClarificationField]?, completeFields: [CompleteField]?, currency: String?, cascadingWithRedirect: KotlinBoolean?, projectName: String?, recurringId: KotlinInt?, redirectInfo: String?, consentData: [ConsentData]?, redirectInfoObject: RedirectInfo?, paymentMassage: String?, paymentFlow: PaymentFlow?) { fatalError() }
    public init(seen0: Int32, id: String?, serverStatusName: String?, status: PaymentStatus?, purchase: String?, date: String?, method: String?, paymentMethodType: PaymentMethodType?, methodName: String?, description: String?, account: Account?, sum: Int64, acs: Acs?, threeds2: Threeds2?, type: String?, token: String?, clarificationFields: [ClarificationField]?, completeFields: [CompleteField]?, currency: String?, cascadingWithRedirect: KotlinBoolean?, projectName: String?, recurringId: KotlinInt?, redirectInfo: String?, consentData: [ConsentData]?, redirectInfoObject: RedirectInfo?, paymentMassage: String?, paymentFlow: PaymentFlow?, json: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: Payment.Companion { get { fatalError() } }
    public var account: Account? { get { fatalError() } }
    public var acs: Acs? { get { fatalError() } }
    public var cascadingWithRedirect: KotlinBoolean? { get { fatalError() } }
    public var clarificationFields: [ClarificationField]? { get { fatalError() } }
    public var completeFields: [CompleteField]? { get { fatalError() } }
    public var consentData: [ConsentData]? { get { fatalError() } }
    public var currency: String? { get { fatalError() } }
    public var date: String? { get { fatalError() } }
    public var description_: String? { get { fatalError() } }
    public var id: String? { get { fatalError() } }
    public var json: String? { get { fatalError() } set {} }
    public var method: String? { get { fatalError() } }
    public var methodName: String? { get { fatalError() } }
    public var paymentFlow: PaymentFlow? { get { fatalError() } }
    public var paymentMassage: String? { get { fatalError() } }
    public var paymentMethodType: PaymentMethodType { get { fatalError() } }
    public var projectName: String? { get { fatalError() } }
    public var purchase: String? { get { fatalError() } }
    public var recurringId: KotlinInt? { get { fatalError() } }
    public var redirectInfo: String? { get { fatalError() } }
    public var redirectInfoObject: RedirectInfo? { get { fatalError() } }
    public var serverStatusName: String? { get { fatalError() } }
    public var status: PaymentStatus? { get { fatalError() } }
    public var sum: Int64 { get { fatalError() } }
    public var threeds2: Threeds2? { get { fatalError() } }
    public var token: String? { get { fatalError() } }
    public var type: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Payment.Companion { get { fatalError() } }
    }
}

public class PaymentFlow: KotlinEnum<PaymentFlow> {
    public class var success: PaymentFlow { get { fatalError() } }
    public class var fail: PaymentFlow { get { fatalError() } }
    public class var d3s: PaymentFlow { get { fatalError() } }
    public class var processing: PaymentFlow { get { fatalError() } }
    public class var tryAgain: PaymentFlow { get { fatalError() } }
    public class var decline: PaymentFlow { get { fatalError() } }
    public class var clarification: PaymentFlow { get { fatalError() } }
    public class func values() -> KotlinArray<PaymentFlow> { fatalError() }
    public class var entries: [PaymentFlow] { get { fatalError() } }
    public var isFinal: Bool { get { fatalError() } }
}
