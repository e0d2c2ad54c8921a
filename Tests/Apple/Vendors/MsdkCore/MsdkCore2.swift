// Made by Scripts/stubs of Tests/Contracts/sdk/ecommpay-msdkcore-0.14.2.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public class PaymentStatus: KotlinEnum<PaymentStatus> {
    public class var companion: PaymentStatus.Companion { get { fatalError() } }
    public class var processing: PaymentStatus { get { fatalError() } }
    public class var awaitingRedirectResult: PaymentStatus { get { fatalError() } }
    public class var awaiting3dsResult: PaymentStatus { get { fatalError() } }
    public class var awaitingCapture: PaymentStatus { get { fatalError() } }
    public class var canceled: PaymentStatus { get { fatalError() } }
    public class var success: PaymentStatus { get { fatalError() } }
    public class var decline: PaymentStatus { get { fatalError() } }
    public class var awaitingCustomer: PaymentStatus { get { fatalError() } }
    public class var awaitingClarification: PaymentStatus { get { fatalError() } }
    public class var refundProcessing: PaymentStatus { get { fatalError() } }
    public class var reversalProcessing: PaymentStatus { get { fatalError() } }
    public class var refundReversalProcessing: PaymentStatus { get { fatalError() } }
    public class var refunded: PaymentStatus { get { fatalError() } }
    public class var reversed: PaymentStatus { get { fatalError() } }
    public class var partiallyRefunded: PaymentStatus { get { fatalError() } }
    public class var awaitingConfirmation: PaymentStatus { get { fatalError() } }
    public class var unknown: PaymentStatus { get { fatalError() } }
    public class func values() -> KotlinArray<PaymentStatus> { fatalError() }
    public class var entries: [PaymentStatus] { get { fatalError() } }
    public func groupStatus() -> PaymentFlow { fatalError() }
    public var isFinal: Bool { get { fatalError() } }
    public var values: [String] { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: PaymentStatus.Companion { get { fatalError() } }
        public func from(status: String) -> PaymentStatus? { fatalError() }
    }
}

open class ConsentData: KotlinBase {
    public init(name: String?, message: String?, list: [String]?) { fatalError() }
    public init(seen0: Int32, name: String?, message: String?, list: [String]?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ConsentData.Companion { get { fatalError() } }
    public var list: [String]? { get { fatalError() } }
    public var message: String? { get { fatalError() } }
    public var name: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ConsentData.Companion { get { fatalError() } }
    }
}

open class RedirectInfo: KotlinBase {
    public init(url: String?, method: String?) { fatalError() }
    public init(seen0: Int32, url: String?, method: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: RedirectInfo.Companion { get { fatalError() } }
    public var method: String? { get { fatalError() } }
    public var url: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: RedirectInfo.Companion { get { fatalError() } }
    }
}

public class StatusResponse: KotlinBase {
    public init(status: String?, payment: Payment) { fatalError() }
    public var payment: Payment { get { fatalError() } }
    public var status: String? { get { fatalError() } }
}

public class Acs: KotlinBase {
    public init(paReq: String?, acsUrl: String?, md: String?, termUrl: String?) { fatalError() }
    public class var companion: Acs.Companion { get { fatalError() } }
    public var acsUrl: String? { get { fatalError() } }
    public var md: String? { get { fatalError() } }
    public var paReq: String? { get { fatalError() } }
    public var termUrl: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Acs.Companion { get { fatalError() } }
    }
}

public class AcsPage: KotlinBase {
    public init(content: String?, error: KotlinThrowable?, errorMessage: String?, acs: Acs?, returnUrl: String?) { fatalError() }
    public class var companion: AcsPage.Companion { get { fatalError() } }
    public var acs: Acs? { get { fatalError() } }
    public var content: String? { get { fatalError() } }
    public var error: KotlinThrowable? { get { fatalError() } }
    public var errorMessage: String? { get { fatalError() } }
    public var returnUrl: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: AcsPage.Companion { get { fatalError() } }
    }
}

public class AcsReturnUrl: KotlinBase {
    public init(returnUrl: String?) { fatalError() }
    public class var companion: AcsReturnUrl.Companion { get { fatalError() } }
    public var returnUrl: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: AcsReturnUrl.Companion { get { fatalError() } }
    }
}

open class ThreeDSecureAccountInfo: KotlinBase {
    public init(additional: String?, ageIndicator: String?, date: String?, changeIndicator: String?, changeDate: String?, passChangeIndicator: String?, passChangeDate: String?, purchaseNumber: KotlinInt?, provisionAttempts: KotlinInt?, activityDay: KotlinInt?, activityYear: KotlinInt?, paymentAgeIndicator: String?, paymentAge: String?, suspiciousActivity: String?, authMethod: String?, authTime: String?, authData: String?) { fatalError() }
    public init(seen0: Int32, additional: String?, ageIndicator: String?, date: String?, changeIndicator: String?, changeDate: String?, passChangeIndicator: String?, passChangeDate: String?, purchaseNumber: KotlinInt?, provisionAttempts: KotlinInt?, activityDay: KotlinInt?, activityYear: KotlinInt?, paymentAgeIndicator: String?, paymentAge: String?, suspiciousActivity: String?, authMethod: String?, authTime: String?, authData: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureAccountInfo.Companion { get { fatalError() } }
    public var activityDay: KotlinInt? { get { fatalError() } }
    public var activityYear: KotlinInt? { get { fatalError() } }
    public var additional: String? { get { fatalError() } }
    public var ageIndicator: String? { get { fatalError() } }
    public var authData: String? { get { fatalError() } }
    public var authMethod: String? { get { fatalError() } }
    public var authTime: String? { get { fatalError() } }
    public var changeDate: String? { get { fatalError() } }
    public var changeIndicator: String? { get { fatalError() } }
    public var date: String? { get { fatalError() } }
    public var passChangeDate: String? { get { fatalError() } }
    public var passChangeIndicator: String? { get { fatalError() } }
    public var paymentAge: String? { get { fatalError() } }
    public var paymentAgeIndicator: String? { get { fatalError() } }
    public var provisionAttempts: KotlinInt? { get { fatalError() } }
    public var purchaseNumber: KotlinInt? { get { fatalError() } }
    public var suspiciousActivity: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureAccountInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecureAccountInfo { fatalError() }
    }
}

open class ThreeDSecureCustomerInfo: KotlinBase {
    public init(addressMatch: String?, homePhone: String?, workPhone: String?, billingRegionCode: String?, accountInfo: ThreeDSecureAccountInfo?, shippingInfo: ThreeDSecureShippingInfo?, mpiResultInfo: ThreeDSecureMpiResultInfo?) { fatalError() }
    public init(seen0: Int32, addressMatch: String?, homePhone: String?, workPhone: String?, billingRegionCode: String?, accountInfo: ThreeDSecureAccountInfo?, shippingInfo: ThreeDSecureShippingInfo?, mpiResultInfo: ThreeDSecureMpiResultInfo?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureCustomerInfo.Companion { get { fatalError() } }
    public var accountInfo: ThreeDSecureAccountInfo? { get { fatalError() } }
    public var addressMatch: String? { get { fatalError() } }
    public var billingRegionCode: String? { get { fatalError() } }
    public var homePhone: String? { get { fatalError() } }
    public var mpiResultInfo: ThreeDSecureMpiResultInfo? { get { fatalError() } }
    public var shippingInfo: ThreeDSecureShippingInfo? { get { fatalError() } }
    public var workPhone: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureCustomerInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecureCustomerInfo { fatalError() }
    }
}

open class ThreeDSecureGiftCardInfo: KotlinBase {
    public init(amount: KotlinInt?, currency: String?, count: KotlinInt?) { fatalError() }
    public init(seen0: Int32, amount: KotlinInt?, currency: String?, count: KotlinInt?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureGiftCardInfo.Companion { get { fatalError() } }
    public func getParamsForSignature() -> [String] { fatalError() }
    public var amount: KotlinInt? { get { fatalError() } }
    public var count: KotlinInt? { get { fatalError() } }
    public var currency: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureGiftCardInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecureGiftCardInfo { fatalError() }
    }
}

open class ThreeDSecureInfo: KotlinBase {
    public init(threeDSecureCustomerInfo: ThreeDSecureCustomerInfo?, threeDSecurePaymentInfo: ThreeDSecurePaymentInfo?) { fatalError() }
    public init(seen0: Int32, threeDSecureCustomerInfo: ThreeDSecureCustomerInfo?, threeDSecurePaymentInfo: ThreeDSecurePaymentInfo?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureInfo.Factory { get { fatalError() } }
    public var threeDSecureCustomerInfo: ThreeDSecureCustomerInfo? { get { fatalError() } }
    public var threeDSecurePaymentInfo: ThreeDSecurePaymentInfo? { get { fatalError() } }
    public class Factory: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureInfo.Factory { get { fatalError() } }
        public func `default`() -> ThreeDSecureInfo { fatalError() }
    }
}

open class ThreeDSecureMpiResultInfo: KotlinBase {
    public init(acsOperationId: String?, authenticationFlow: String?, authenticationTimestamp: String?) { fatalError() }
    public init(seen0: Int32, acsOperationId: String?, authenticationFlow: String?, authenticationTimestamp: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureMpiResultInfo.Companion { get { fatalError() } }
    public var acsOperationId: String? { get { fatalError() } }
    public var authenticationFlow: String? { get { fatalError() } }
    public var authenticationTimestamp: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureMpiResultInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecureMpiResultInfo { fatalError() }
    }
}

public class ThreeDSecurePage: KotlinBase {
    public init(content: String?, loadUrl: String?, returnUrl: String?, type: ThreeDSecurePageType) { fatalError() }
    public class var companion: ThreeDSecurePage.Companion { get { fatalError() } }
    public var content: String? { get { fatalError() } }
    public var loadUrl: String? { get { fatalError() } }
    public var returnUrl: String? { get { fatalError() } }
    public var type: ThreeDSecurePageType { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecurePage.Companion { get { fatalError() } }
    }
}

public class ThreeDSecurePageType: KotlinEnum<ThreeDSecurePageType> {
    public class var companion: ThreeDSecurePageType.Companion { get { fatalError() } }
    public class var threeDs1: ThreeDSecurePageType { get { fatalError() } }
    public class var threeDs2Frictionless: ThreeDSecurePageType { get { fatalError() } }
    public class var threeDs2Challenge: ThreeDSecurePageType { get { fatalError() } }
    public class func values() -> KotlinArray<ThreeDSecurePageType> { fatalError() }
    public class var entries: [ThreeDSecurePageType] { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecurePageType.Companion { get { fatalError() } }
    }
}

open class ThreeDSecurePaymentInfo: KotlinBase {
    public init(reorder: String?, preorderPurchase: String?, preorderDate: String?, challengeIndicator: String?, challengeWindow: String?, giftCard: ThreeDSecureGiftCardInfo?) { fatalError() }
    public init(seen0: Int32, reorder: String?, preorderPurchase: String?, preorderDate: String?, challengeIndicator: String?, challengeWindow: String?, giftCard: ThreeDSecureGiftCardInfo?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecurePaymentInfo.Companion { get { fatalError() } }
    public func getParamsForPaymentRiskSignature() -> [String] { fatalError() }
    public var challengeIndicator: String? { get { fatalError() } }
    public var challengeWindow: String? { get { fatalError() } }
    public var giftCard: ThreeDSecureGiftCardInfo? { get { fatalError() } }
    public var preorderDate: String? { get { fatalError() } }
    public var preorderPurchase: String? { get { fatalError() } }
    public var reorder: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecurePaymentInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecurePaymentInfo { fatalError() }
    }
}

open class ThreeDSecureShippingInfo: KotlinBase {
    public init(type: String?, deliveryTime: String?, deliveryEmail: String?, addressUsageIndicator: String?, addressUsage: String?, city: String?, country: String?, address: String?, postal: String?, regionCode: String?, nameIndicator: String?) { fatalError() }
    public init(seen0: Int32, type: String?, deliveryTime: String?, deliveryEmail: String?, addressUsageIndicator: String?, addressUsage: String?, city: String?, country: String?, address: String?, postal: String?, regionCode: String?, nameIndicator: String?, serializationConstructorMarker: Any?) { fatalError() }
    public class var companion: ThreeDSecureShippingInfo.Companion { get { fatalError() } }
    public var address: String? { get { fatalError() } }
    public var addressUsage: String? { get { fatalError() } }
    public var addressUsageIndicator: String? { get { fatalError() } }
    public var city: String? { get { fatalError() } }
    public var country: String? { get { fatalError() } }
    public var deliveryEmail: String? { get { fatalError() } }
    public var deliveryTime: String? { get { fatalError() } }
    public var nameIndicator: String? { get { fatalError() } }
    public var postal: String? { get { fatalError() } }
    public var regionCode: String? { get { fatalError() } }
    public var type: String? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: ThreeDSecureShippingInfo.Companion { get { fatalError() } }
        public func `default`() -> ThreeDSecureShippingInfo { fatalError() }
    }
}

public class Threeds2: KotlinBase {
    public init(iframe: Threeds2Iframe?, redirect: Threeds2Redirect?) { fatalError() }
    public class var companion: Threeds2.Companion { get { fatalError() } }
    public var iframe: Threeds2Iframe? { get { fatalError() } }
    public var redirect: Threeds2Redirect? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Threeds2.Companion { get { fatalError() } }
    }
}

public class Threeds2Iframe: KotlinBase {
    public init(url: String, params: [String: String]?) { fatalError() }
    public class var companion: Threeds2Iframe.Companion { get { fatalError() } }
    public var params: [String: String]? { get { fatalError() } }
    public var url: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Threeds2Iframe.Companion { get { fatalError() } }
    }
}

public class Threeds2Redirect: KotlinBase {
    public init(url: String, params: [String: String]?, returnUrl: String?) { fatalError() }
    public class var companion: Threeds2Redirect.Companion { get { fatalError() } }
    public func doCopy(url: String, params: [String: String]?, returnUrl: String?) -> Threeds2Redirect { fatalError() }
    public var params: [String: String]? { get { fatalError() } }
    public var returnUrl: String? { get { fatalError() } }
    public var url: String { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: Threeds2Redirect.Companion { get { fatalError() } }
    }
}

public protocol ErrorEventDelegate: AnyObject {
    func onError(code: ErrorCode, message: String)
    func onSuccess()
}

public class ErrorEventInteractor: KotlinBase {
    public func execute(request: ErrorEventRequest, callback: (any ErrorEventDelegate)?) { fatalError() }
}

public class ErrorEventRequest: Request {
    public init(version: String?, device: String?, model: String?, manufacturer: String?, versionCode: String?, exceptionName: String?, exceptionDescription: String?, projectId: KotlinLong?, paymentId: String?, customerId: String?, signature: String?) { fatalError() }
    public var customerId: String? { get { fatalError() } }
    public var device: String? { get { fatalError() } }
    public var exceptionDescription: String? { get { fatalError() } }
    public var exceptionName: String? { get { fatalError() } }
    public var manufacturer: String? { get { fatalError() } }
    public var model: String? { get { fatalError() } }
    public var paymentId: String? { get { fatalError() } }
    public var projectId: KotlinLong? { get { fatalError() } }
    public var signature: String? { get { fatalError() } }
    public var version: String? { get { fatalError() } }
    public var versionCode: String? { get { fatalError() } }
}

open class BaseInteractor<R, T>: KotlinBase, Cancellable {
    public func cancel() { fatalError() }
    public func clear() { fatalError() }
    public func execute(request: R, callback: T?) { fatalError() }
}

public protocol CardRemoveDelegate: AnyObject {
    func onError(code: ErrorCode, message: String)
    func onStartingRemove()
    func onSuccess(result: Bool)
}

public class CardRemoveInteractor: BaseInteractor<CardRemoveRequest, any CardRemoveDelegate> {
}

public class CardRemoveRequest: Request {
    public init(id: Int64) { fatalError() }
    public var id: Int64 { get { fatalError() } }
}

public protocol InitDelegate: AnyObject {
    func onError(code: ErrorCode, message: String)
    func onInitReceived(paymentMethods: [PaymentMethod], savedAccounts: [SavedAccount])
    func onPaymentRestored(payment: Payment)
}

public class InitInteractor: BaseInteractor<InitRequest, any InitDelegate> {
}

public class InitRequest: Request {
    public init(paymentInfo: PaymentInfo, recurrentInfo: RecurrentInfo?, additionalFields: [CustomerFieldValue]) { fatalError() }
    public var additionalFields: [CustomerFieldValue] { get { fatalError() } }
    public var paymentInfo: PaymentInfo { get { fatalError() } }
    public var recurrentInfo: RecurrentInfo? { get { fatalError() } }
}

public protocol PaymentStatusDelegate: AnyObject {
    func onClarificationFields(clarificationFields: [ClarificationField], payment: Payment)
    func onCompleteWithDecline(isTryAgain: Bool, paymentMessage: String?, payment: Payment)
    func onCompleteWithSuccess(payment: Payment)
    func onError(code: ErrorCode, message: String)
    func onStatusChanged(status: PaymentStatus, payment: Payment)
    func onThreeDSecure(threeDSecurePage: ThreeDSecurePage, isCascading: Bool, payment: Payment)
    func onThreeDSecureRedirectComplete()
}

public protocol PayDelegate: PaymentStatusDelegate {
    func onCustomerFields(customerFields: [CustomerField])
    func onPaymentCreated()
}

public class PayInteractor: BaseInteractor<PayRequest, any PayDelegate> {
    public override func cancel() { fatalError() }
    public func continueCheckStatus() { fatalError() }
    public func sendClarificationFields(fields: [ClarificationFieldValue]) { fatalError() }
    public func sendCustomerFields(fields: [CustomerFieldValue]) { fatalError() }
    public func threeDSecureRedirectHandle(url: String) { fatalError() }
}

open class PayRequest: Request {
    public override init() { fatalError() }
    public var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
}

open class ApplePayRequest: PayRequest {
    public override init() { fatalError() }
    public var token: String { get { fatalError() } }
}

public class ApplePayAuthRequest: ApplePayRequest {
    public init(token: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public override var token: String { get { fatalError() } }
}

public class ApplePaySaleRequest: ApplePayRequest {
    public init(token: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public override var token: String { get { fatalError() } }
}

public class ApplePayVerifyRequest: ApplePayRequest {
    public init(token: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public override var token: String { get { fatalError() } }
}

public class ApsSaleRequest: PayRequest {
    public init(methodCode: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var methodCode: String { get { fatalError() } }
}

open class CardPayRequest: PayRequest {
    public override init() { fatalError() }
}

public class StoredCardType: KotlinEnum<StoredCardType> {
    public class var companion: StoredCardType.Companion { get { fatalError() } }
    public class var none: StoredCardType { get { fatalError() } }
    public class var type0: StoredCardType { get { fatalError() } }
    public class var type1: StoredCardType { get { fatalError() } }
    public class var type2: StoredCardType { get { fatalError() } }
    public class var type3: StoredCardType { get { fatalError() } }
    public class var type4: StoredCardType { get { fatalError() } }
    public class var type5: StoredCardType { get { fatalError() } }
    public class var type6: StoredCardType { get { fatalError() } }
    public class func values() -> KotlinArray<StoredCardType> { fatalError() }
    public class var entries: [StoredCardType] { get { fatalError() } }
    public var value: KotlinInt? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: StoredCardType.Companion { get { fatalError() } }
        public func from(value: KotlinInt?) -> StoredCardType { fatalError() }
    }
}

public class CardAuthRequest: CardPayRequest {
    public init(cvv: String, pan: String, expiryDate: CardDate, cardHolder: String, saveCard: Bool, storedCardType: StoredCardType?) { fatalError() }
    public var cardHolder: String { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var expiryDate: CardDate { get { fatalError() } }
    public var pan: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public var saveCard: Bool { get { fatalError() } }
    public var storedCardType: StoredCardType? { get { fatalError() } }
}

public class CardAuthTokenizeRequest: CardPayRequest {
    public init(cvv: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
}

public class SavedCardAuthRequest: CardPayRequest {
    public init(cvv: String, accountId: Int64) { fatalError() }
    public var accountId: Int64 { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
}

public class CardSaleTokenizeRequest: CardPayRequest {
    public init(cvv: String) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
}

public class NewCardSaleRequest: CardPayRequest {
    public init(cvv: String, pan: String, expiryDate: CardDate, cardHolder: String, saveCard: Bool, storedCardType: StoredCardType?, recipientInfo: RecipientInfo?) { fatalError() }
    public func doCopy(cvv: String, pan: String, expiryDate: CardDate, cardHolder: String, saveCard: Bool, storedCardType: StoredCardType?, recipientInfo: RecipientInfo?) -> NewCardSaleRequest { fatalError() }
    public var cardHolder: String { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var expiryDate: CardDate { get { fatalError() } }
    public var pan: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public var saveCard: Bool { get { fatalError() } }
    public var storedCardType: StoredCardType? { get { fatalError() } }
}

public class SavedCardSaleRequest: CardPayRequest {
    public init(cvv: String, accountId: Int64) { fatalError() }
    public var accountId: Int64 { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
}

public class CardTokenizeRequest: CardPayRequest {
    public init(pan: String, expiryDate: CardDate, cardHolder: String) { fatalError() }
    public var cardHolder: String { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var expiryDate: CardDate { get { fatalError() } }
    public var pan: String { get { fatalError() } }
}

public class CardVerifyRequest: CardPayRequest {
    public init(cvv: String, pan: String, expiryDate: CardDate, cardHolder: String, storedCardType: StoredCardType?) { fatalError() }
    public var cardHolder: String { get { fatalError() } }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public var cvv: String { get { fatalError() } }
    public var expiryDate: CardDate { get { fatalError() } }
    public var pan: String { get { fatalError() } }
    public var storedCardType: StoredCardType? { get { fatalError() } }
}

open class GooglePayRequest: PayRequest {
    public override init() { fatalError() }
    public var environment: GooglePayEnvironment { get { fatalError() } }
    public var merchantId: String { get { fatalError() } }
    public var token: String { get { fatalError() } }
}

public class GooglePayAuthRequest: GooglePayRequest {
    public init(merchantId: String, token: String, environment: GooglePayEnvironment) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public override var environment: GooglePayEnvironment { get { fatalError() } }
    public override var merchantId: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public override var token: String { get { fatalError() } }
}

public class GooglePayEnvironment: KotlinEnum<GooglePayEnvironment> {
    public class var test: GooglePayEnvironment { get { fatalError() } }
    public class var prod: GooglePayEnvironment { get { fatalError() } }
    public class func values() -> KotlinArray<GooglePayEnvironment> { fatalError() }
    public class var entries: [GooglePayEnvironment] { get { fatalError() } }
}

public class GooglePaySaleRequest: GooglePayRequest {
    public init(merchantId: String, token: String, environment: GooglePayEnvironment) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public override var environment: GooglePayEnvironment { get { fatalError() } }
    public override var merchantId: String { get { fatalError() } }
    public var recipientInfo: RecipientInfo? { get { fatalError() } set {} }
    public override var token: String { get { fatalError() } }
}

public class GooglePayVerifyRequest: GooglePayRequest {
    public init(merchantId: String, token: String, environment: GooglePayEnvironment) { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
    public override var environment: GooglePayEnvironment { get { fatalError() } }
    public override var merchantId: String { get { fatalError() } }
    public override var token: String { get { fatalError() } }
}

public class PaymentRestoreRequest: PayRequest {
    public override init() { fatalError() }
    public override var customerFields: [CustomerFieldValue]? { get { fatalError() } set {} }
}

public class CardTypesManager: KotlinBase {
    public class var companion: CardTypesManager.Companion { get { fatalError() } }
    public func search(pan: String) -> PaymentMethodCard? { fatalError() }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: CardTypesManager.Companion { get { fatalError() } }
        public func `default`() -> CardTypesManager { fatalError() }
    }
}

public protocol SecureLogoResourceManager: AnyObject {
    func getLogoUrl(key: String) -> String?
    var allKeys: [String] { get }
}

public class SecureLogoResourceManagerImpl: KotlinBase, SecureLogoResourceManager {
    public func getLogoUrl(key: String) -> String? { fatalError() }
    public var allKeys: [String] { get { fatalError() } }
}

public protocol StringResourceManager: AnyObject {
    func getLinkMessageByKey(key: String) -> LinkMessage?
    func getStringByKey(key: String) -> String?
}

public class StringResourceManagerImpl: KotlinBase, StringResourceManager {
    public func getLinkMessageByKey(key: String) -> LinkMessage? { fatalError() }
    public func getStringByKey(key: String) -> String? { fatalError() }
}

public class MSDKCoreMockConfig: KotlinBase {
    public init(initConfig: MockInitConfig?, paymentStatusesConfig: MockPaymentStatusesConfig?) { fatalError() }
    public class var companion: MSDKCoreMockConfig.Companion { get { fatalError() } }
    public var initConfig: MockInitConfig? { get { fatalError() } }
    public var paymentStatusesConfig: MockPaymentStatusesConfig? { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: MSDKCoreMockConfig.Companion { get { fatalError() } }
        public func fullDeclineFlow(duration: Duration) -> MSDKCoreMockConfig { fatalError() }
        public func fullSuccessFlow(duration: Duration) -> MSDKCoreMockConfig { fatalError() }
    }
}

public class MockInitConfig: KotlinBase {
    public init(timeout: Duration, returnPayment: Bool, customerFieldsConfig: MockInitCustomerFieldsConfig) { fatalError() }
    public var customerFieldsConfig: MockInitCustomerFieldsConfig { get { fatalError() } }
    public var returnPayment: Bool { get { fatalError() } }
    public var timeout: Duration { get { fatalError() } }
}

public class MockInitCustomerFieldsConfig: KotlinEnum<MockInitCustomerFieldsConfig> {
    public class var none: MockInitCustomerFieldsConfig { get { fatalError() } }
    public class var all: MockInitCustomerFieldsConfig { get { fatalError() } }
    public class func values() -> KotlinArray<MockInitCustomerFieldsConfig> { fatalError() }
    public class var entries: [MockInitCustomerFieldsConfig] { get { fatalError() } }
}

public class MockPaymentStatusesConfig: KotlinBase {
    public init(statuses: [MockBaseStatus]) { fatalError() }
    public class var companion: MockPaymentStatusesConfig.Companion { get { fatalError() } }
    public var statuses: [MockBaseStatus] { get { fatalError() } }
    public class Companion: KotlinBase {
        public init() { fatalError() }
        public class var shared: MockPaymentStatusesConfig.Companion { get { fatalError() } }
        public func declineWithClarificationAndThreeDSecure(duration: Duration) -> MockPaymentStatusesConfig { fatalError() }
        public func successWithClarificationAndThreeDSecure(duration: Duration) -> MockPaymentStatusesConfig { fatalError() }
    }
}

open class MockBaseStatus: KotlinBase {
    public init(duration: Duration?) { fatalError() }
    public var duration: Duration? { get { fatalError() } }
}

public class MockAwaiting3dsResultStatus: MockBaseStatus {
    public init(cascading: Bool) { fatalError() }
    public var cascading: Bool { get { fatalError() } }
}

public class MockAwaitingCaptureStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}

public class MockAwaitingClarificationStatus: MockBaseStatus {
    public init() { fatalError() }
}

public class MockAwaitingConfirmationStatus: MockBaseStatus {
    public override init(duration: Duration?) { fatalError() }
}
