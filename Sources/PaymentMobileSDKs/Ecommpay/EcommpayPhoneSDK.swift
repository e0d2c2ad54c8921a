public import PaymentBase

/// ecommpay's SDK Core for iOS (MsdkCore), which makes payments without a screen of its own, as values and protocols.
///
/// One session makes one payment. The SDK answers by two delegates; here each is a function that takes an event whose
/// case has the delegate call's name. It may be called on any thread, in the order in which the SDK calls.
public enum EcommpayPhoneSDK {
    /// The SDK itself, which opens sessions for payments; an application makes the SDK conform.
    public protocol SDK: Sendable {
        /// Makes a session for one payment.
        func makeSession(config: MSDKCoreSessionConfig) async -> any MSDKCoreSession

        /// The text that the merchant's server signs for a payment.
        func getParamsForSignature(_ paymentInfo: PaymentInfo) async -> String
    }

    /// A session for one payment.
    public protocol MSDKCoreSession: Sendable {
        /// What opens the session at the platform, before any payment.
        func getInitInteractor() async -> any InitInteractor
        /// What makes the session's payment.
        func getPayInteractor() async -> any PayInteractor
        /// The payment methods of the opened session.
        func getPaymentMethods() async -> [PaymentMethod]?
        /// The customer's saved payment instruments, if the session has any.
        func getSavedAccounts() async -> [SavedAccount]?
        /// The texts to show around a payment.
        func getStringResourceManager() async -> any StringResourceManager
        /// Where the logos of payment methods are.
        func getSecureLogoResourceManager() async -> any SecureLogoResourceManager
    }

    /// Opens a session at the platform; nothing is paid by it.
    public protocol InitInteractor: Sendable {
        /// Opens the payment's session; the answer comes by `callback`.
        func execute(request: InitRequest, callback: @escaping @Sendable (InitDelegate) -> Void) async
    }

    /// Makes a session's payment and carries on with it.
    public protocol PayInteractor: Sendable {
        /// Begins the payment, or takes up one that waits; what becomes of it comes by `callback`.
        func execute(request: PayRequest, callback: @escaping @Sendable (PayDelegate) -> Void) async
        /// Says which address the payment's authentication page went to at its end; from 0.12 on.
        func threeDSecureRedirectHandle(url: String) async
        /// Sends what the provider wants to know besides, before the payment continues.
        func sendClarificationFields(fields: [ClarificationFieldValue]) async
        /// Sends what the merchant wants to know of the customer, before the payment continues.
        func sendCustomerFields(fields: [CustomerFieldValue]) async
    }

    /// The texts to show around a payment.
    public protocol StringResourceManager: Sendable {
        /// A text around a payment, such as that of `title_payment_methods`.
        func getStringByKey(key: String) async -> String?
    }

    /// Where the logos of payment methods are.
    public protocol SecureLogoResourceManager: Sendable {
        /// The address of a payment method's logo, such as that of `visa`.
        func getLogoUrl(key: String) async -> String?
    }

    /// The server leg: signs a payment's parameters and may add to them; no secret key is on the phone.
    ///
    /// The document also lets a test project's key stand in the application's `Info.plist`; here is no place for it.
    public typealias Signer = @Sendable (_ parameters: String, _ paymentInfo: PaymentInfo) async throws -> PaymentInfo

    /// What the SDK reports while a session is opened; no payment was asked for yet.
    public enum InitDelegate: Hashable, Sendable {
        /// The session is open, with the payment methods and saved instruments of its customer.
        case onInitReceived(paymentMethods: [PaymentMethod], savedAccounts: [SavedAccount])
        /// The session is open for a payment whose identifier was used before.
        case onPaymentRestored(payment: Payment)
        /// The session could not be opened.
        case onError(code: ErrorCode, message: String)
    }

    /// What the SDK reports of a payment.
    public enum PayDelegate: Hashable, Sendable {
        /// The payment exists at the platform.
        case onPaymentCreated
        /// The payment's status changed.
        case onStatusChanged(status: PaymentStatus, payment: Payment)
        /// The merchant's own questions to the customer come before the payment continues.
        case onCustomerFields(customerFields: [CustomerField])
        /// The customer has to authenticate the payment on a page.
        case onThreeDSecure(threeDSecurePage: ThreeDSecurePage, isCascading: Bool, payment: Payment)
        /// The platform has taken the end of the payment's authentication page.
        case onThreeDSecureRedirectComplete
        /// The provider's further questions come before the payment continues.
        case onClarificationFields(clarificationFields: [ClarificationField], payment: Payment)
        /// The payment was made.
        case onCompleteWithSuccess(payment: Payment)
        /// The payment was declined; with `isTryAgain` it isn't over, and may still be paid.
        case onCompleteWithDecline(isTryAgain: Bool, paymentMessage: String?, payment: Payment)
        /// Something went wrong, with or without an end of the payment.
        case onError(code: ErrorCode, message: String)
    }
}

extension SDKEvidence {
    /// Takes in what the SDK told of a payment; from the first event that has a payment on, it exists.
    public mutating func see(_ event: EcommpayPhoneSDK.PayDelegate) {
        switch event {
        case .onPaymentCreated, .onStatusChanged, .onThreeDSecure, .onThreeDSecureRedirectComplete,
            .onClarificationFields, .onCompleteWithDecline:
            raise(to: .submitted)
        case .onCompleteWithSuccess: self = .approved
        case .onCustomerFields, .onError: break
        }
    }
}

extension EcommpayPhoneSDK {
    /// Where a session's payment is made.
    public struct MSDKCoreSessionConfig: Hashable, Sendable {
        /// How the SDK makes the configuration.
        public let companion: Companion
        /// The host of the platform's payments.
        public let apiHost: String
        /// The host that reports a payment's progress.
        public let wsApiHost: String

        /// Says where payments are made.
        public init(_ companion: Companion, apiHost: String, wsApiHost: String) {
            (self.companion, self.apiHost, self.wsApiHost) = (companion, apiHost, wsApiHost)
        }
    }

    /// How the SDK makes a session's configuration for payments.
    public struct Companion: SDKTextCode {
        /// The maker's name.
        public let rawValue: String
        /// Takes a maker's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The only maker that the document shows, for test and production payments alike.
        public static let debug = Self(rawValue: "debug")
        /// The maker for real payments in the SDK's public header.
        public static let release = Self(rawValue: "release")
    }

    /// The payment that a session is opened for.
    public struct PaymentInfo: Hashable, Sendable {
        /// The merchant's project.
        public var projectId: Int32
        /// The payment's identifier, unique within the project.
        public var paymentId: String
        /// The payment's amount in minor units; 0 to check a card.
        public var paymentAmount: Int64
        /// The payment's currency.
        public var paymentCurrency: String
        /// The customer's identifier within the project; tokens and card checks need it.
        public var customerId: String?
        /// What the payment is for.
        public var paymentDescription: String?
        /// The country of the payment.
        public var regionCode: String?
        /// The token of the payment's card, where the request pays with one.
        public var token: Secret?
        /// The language of the payment's texts, as two letters; from the SDK's public header.
        public var languageCode: String?
        /// The code of the payment method to begin with.
        public var forcePaymentMethod: String?
        /// Whether saved payment instruments are left out.
        public var hideSavedWallets: Bool?
        /// The server's signature of the payment's parameters.
        public var signature: String?

        /// Names a payment.
        public init(projectId: Int32, paymentId: String, paymentAmount: Int64, paymentCurrency: String) {
            (self.projectId, self.paymentId) = (projectId, paymentId)
            (self.paymentAmount, self.paymentCurrency) = (paymentAmount, paymentCurrency)
        }
    }

    /// What opens a payment's session.
    public struct InitRequest: Hashable, Sendable {
        /// The payment, signed.
        public var paymentInfo: PaymentInfo
        /// What the payment puts on file for later debits, if anything.
        public var recurrentInfo: RecurrentInfo?
        /// What is known of the customer and the bill, for the payment's authentication.
        public var additionalFields: [CustomerFieldValue]

        /// Opens a payment's session.
        public init(
            paymentInfo: PaymentInfo, recurrentInfo: RecurrentInfo? = nil,
            additionalFields: [CustomerFieldValue] = []
        ) {
            (self.paymentInfo, self.recurrentInfo) = (paymentInfo, recurrentInfo)
            self.additionalFields = additionalFields
        }
    }

    /// A field about the customer that goes with a payment's session, as the vendor's own screens spell it to the SDK since
    /// 0.14; the document's dictionary has other keys, such as `customerEmail`.
    public struct AdditionalField: SDKTextCode {
        /// The spelling of the customer's field.
        public let rawValue: String
        /// Takes the spelling of a customer's field.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer's e-mail address.
        public static let customerEmail = Self(rawValue: "email")
        /// The customer's telephone number, its digits alone.
        public static let customerPhone = Self(rawValue: "phone")
        /// The country of the customer's bill.
        public static let billingCountry = Self(rawValue: "billing_country")
        /// The postcode of the customer's bill.
        public static let billingPostal = Self(rawValue: "billing_postal")
        /// The city of the customer's bill.
        public static let billingCity = Self(rawValue: "billing_city")
        /// The street of the customer's bill.
        public static let billingAddress = Self(rawValue: "billing_address")
    }

    /// What a payment puts on file for later debits; the document names one member and refers to another article.
    public struct RecurrentInfo: Hashable, Sendable {
        /// Whether the payment registers the card for later debits.
        public var register: Bool
        /// Further members of the registration, by the names of that other article; a day and a month have two digits.
        public var fields: [String: String]
        /// Single debits, where they follow no rule; from the SDK's public header.
        public var schedule: [RecurrentInfoSchedule] = []

        /// Registers the payment's card for later debits.
        public init(register: Bool = true, fields: [String: String] = [:]) {
            (self.register, self.fields) = (register, fields)
        }
    }

    /// A single debit of a registration.
    public struct RecurrentInfoSchedule: Hashable, Sendable {
        /// The day of the debit, as `DD-MM-YYYY`.
        public let date: String
        /// The debit's amount in the payment's minor units.
        public let amount: Int64

        /// Makes a single debit.
        public init(date: String, amount: Int64) { (self.date, self.amount) = (date, amount) }
    }
}

extension EcommpayPhoneSDK {
    /// The SDK's calls that can end with an error, by the interactor that makes them.
    public enum Call: String, SDKCall {
        /// Opens a payment's session.
        case getInitInteractor
        /// Makes a payment or carries on with it.
        case getPayInteractor

        /// Whether the call may pay.
        public var isAboutMoney: Bool { self == .getPayInteractor }
    }

    /// What an error of the SDK proves about the payment's money.
    ///
    /// A payment that was seen to exist continues whatever the error says, so only its own end decides then.
    public static func outcome(of code: ErrorCode, in call: Call, seen evidence: SDKEvidence) -> SDKOutcome {
        table.outcome(of: code.rawValue, in: call, seen: evidence)
    }

    /// What an event proves about the payment's money when it ends the payment without success; nil for any other.
    public static func outcome(of event: PayDelegate, seen evidence: SDKEvidence) -> SDKOutcome? {
        switch event {
        case .onError(let code, _): outcome(of: code, in: .getPayInteractor, seen: evidence)
        case .onCompleteWithDecline(isTryAgain: false, _, _):
            endings.outcome(of: "onCompleteWithDecline", in: Call.getPayInteractor, seen: evidence)
        // It waits for another try, so that it has no end yet.
        case .onCompleteWithDecline(isTryAgain: true, _, _), .onPaymentCreated, .onStatusChanged, .onCustomerFields,
            .onThreeDSecure, .onThreeDSecureRedirectComplete, .onClarificationFields, .onCompleteWithSuccess:
            nil
        }
    }

    /// The outcome rules of a session's and a payment's errors: the document's rows, then those of the public header.
    public static let table = SDKErrorTable(documentRows + exampleRows + headerRows)

    /// The outcome rules of a payment's ends that are no success.
    public static let endings = SDKErrorTable([
        SDKErrorRule(
            "onCompleteWithDecline", .declined, .declined, at(422), why: "the payment is complete, and was declined")
    ])

    private static let correct = SDKErrorAdvice(.afterFix, "put the request right")

    private static let documentRows: [SDKErrorRule] = [
        SDKErrorRule(
            "CLARIFICATION_FIELDS_ERROR", .unknown, .invalidRequest, at(433),
            advice: SDKErrorAdvice(.afterFix, "send the answers again"),
            why: "the payment waits for its answers; it has not ended"),
        refused("CUSTOMER_ID_NOT_EXIST", 434, .invalidRequest, correct, "the request was not taken"),
        refused("ILLEGAL_ARGUMENTS", 435, .invalidRequest, correct, "the request was not taken"),
        refused(
            "INTERACTOR_NOT_RUNNING", 436, .configuration, SDKErrorAdvice(.afterFix, "begin the payment first"),
            "no payment was begun"),
        SDKErrorRule(
            "NETWORK_ERROR", .unknown, .network, at(437), advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "on which side of the request the connection failed is not said"),
        SDKErrorRule(
            "NETWORK_IS_NOT_AVAILABLE", .unknown, .network, at(438), advice: SDKErrorAdvice(.later),
            why: "on which side of the request the network was gone is not said"),
        SDKErrorRule(
            "NETWORK_TIMEOUT", .unknown, .timedOut, at(439), advice: SDKErrorAdvice(.later),
            why: "declined for a timeout; the document does not say by whom"),
        SDKErrorRule(
            "PAYMENT_ALREADY_EXIST", .unknown, .conflict, at(440), elsewhere: .unknown,
            advice: SDKErrorAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "a payment of this identifier exists: ours, from before"),
        SDKErrorRule(
            "PAYMENT_HAS_FINAL_STATUS", .unknown, .conflict, at(441), elsewhere: .unknown,
            advice: SDKErrorAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "the payment of this identifier has ended; which way is not said"),
        refused(
            "PAYMENT_METHOD_NOT_AVAILABLE", 442, .invalidRequest, SDKErrorAdvice(.afterFix, "another payment method"),
            "refused for its method"),
        SDKErrorRule(
            "PAYMENT_NOT_FOUND", .unknown, .notFound, at(443),
            advice: SDKErrorAdvice(.again, "then ask the vendor's support"),
            why: "the SDK lacks the payment, which says nothing of the platform's books"),
        refused(
            "PAYMENT_TOKEN_NOT_EXIST", 444, .invalidRequest, SDKErrorAdvice(.afterFix, "name the token"),
            "the request was not taken"),
        SDKErrorRule(
            "SERVER_API_ERROR", .unknown, .providerFailed, at(445),
            advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "the SDK failed, and when is not said"),
        refused(
            "SESSION_NOT_INITIALIZED", 446, .configuration, SDKErrorAdvice(.afterFix, "open the session first"),
            "no payment can be begun without a session"),
        SDKErrorRule(
            "SERVER_CONTENT_PARSING_ERROR", .unknown, .unreadableReply, at(447), advice: correct,
            why: "an answer came and can't be read"),
        SDKErrorRule(
            "SERVER_METHOD_NOT_FOUND", .unknown, .configuration, at(448), advice: correct,
            why: "404, which a gateway gives as well, whatever the platform behind it has done"),
        SDKErrorRule(
            "SERVER_UNAUTHORIZED", .unknown, .network, at(449), advice: SDKErrorAdvice(.later),
            why: "the name speaks of a refusal, the document of a connection error; the careful reading counts"),
    ]

    private static let exampleRows: [SDKErrorRule] = [
        SDKErrorRule(
            "Network & Server API", .unknown, .unreadableReply, at(407, 424),
            why: "the server's own code stands in the message, and no list of those is given")
    ]

    private static let headerRows: [SDKErrorRule] = [
        SDKErrorRule(
            "PAYMENT_REQUEST_TYPE_NOT_EXIST", .notExecuted, .invalidRequest, header(214, 225),
            why: "there is no such request, so none was taken"),
        SDKErrorRule(
            "ILLEGAL_STATE", .unknown, .configuration, header(215, 225),
            why: "another call has to come first; what the payment's own had done is not said"),
        SDKErrorRule("UNKNOWN", .unknown, .providerFailed, header(225), why: "unexpected, and no more is said"),
    ]

    /// A row whose document says that the request was refused for what it is.
    private static func refused(
        _ code: String, _ line: Int, _ cause: SDKErrorCause, _ advice: SDKErrorAdvice, _ why: String
    ) -> SDKErrorRule {
        SDKErrorRule(code, .notExecuted, cause, at(line), advice: advice, why: why)
    }

    private static func at(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("seeds/ecommpay.txt", $0) }
    }
    private static func header(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("wire/ecommpay.md", $0) }
    }
}

extension EcommpayPhoneSDK {
    /// The code of an error in a session or a payment; open, since the document's own example shows one more.
    public struct ErrorCode: SDKTextCode {
        /// The code's spelling.
        public let rawValue: String
        /// Takes a code's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The answers to a payment's further questions were wrong.
        public static let clarificationFieldsError = Self(rawValue: "CLARIFICATION_FIELDS_ERROR")
        /// A token or a card check lacked the customer.
        public static let customerIdNotExist = Self(rawValue: "CUSTOMER_ID_NOT_EXIST")
        /// The payment's request had wrong values.
        public static let illegalArguments = Self(rawValue: "ILLEGAL_ARGUMENTS")
        /// Something was sent for a payment that was not begun.
        public static let interactorNotRunning = Self(rawValue: "INTERACTOR_NOT_RUNNING")
        /// The connection failed in the payment.
        public static let networkError = Self(rawValue: "NETWORK_ERROR")
        /// There is no connection for the payment.
        public static let networkIsNotAvailable = Self(rawValue: "NETWORK_IS_NOT_AVAILABLE")
        /// An answer in the payment took too long.
        public static let networkTimeout = Self(rawValue: "NETWORK_TIMEOUT")
        /// The payment's identifier was used before.
        public static let paymentAlreadyExist = Self(rawValue: "PAYMENT_ALREADY_EXIST")
        /// The payment of that identifier has ended, one way or the other.
        public static let paymentHasFinalStatus = Self(rawValue: "PAYMENT_HAS_FINAL_STATUS")
        /// The project doesn't take payments by that method.
        public static let paymentMethodNotAvailable = Self(rawValue: "PAYMENT_METHOD_NOT_AVAILABLE")
        /// The SDK did not find the payment.
        public static let paymentNotFound = Self(rawValue: "PAYMENT_NOT_FOUND")
        /// A payment by token came without its token.
        public static let paymentTokenNotExist = Self(rawValue: "PAYMENT_TOKEN_NOT_EXIST")
        /// The SDK itself failed in the payment.
        public static let serverApiError = Self(rawValue: "SERVER_API_ERROR")
        /// The payment's session was not opened.
        public static let sessionNotInitialized = Self(rawValue: "SESSION_NOT_INITIALIZED")
        /// An answer in the payment could not be read.
        public static let serverContentParsingError = Self(rawValue: "SERVER_CONTENT_PARSING_ERROR")
        /// The platform has no such call for payments.
        public static let serverMethodNotFound = Self(rawValue: "SERVER_METHOD_NOT_FOUND")
        /// The platform refused the payment's session; the document speaks of a connection error.
        public static let serverUnauthorized = Self(rawValue: "SERVER_UNAUTHORIZED")
        /// What the document's example shows in place of a code: the server's own is in the payment's message.
        public static let networkAndServerAPI = Self(rawValue: "Network & Server API")
    }
}

// The codes that the SDK's public header has and the document leaves out.
extension EcommpayPhoneSDK.ErrorCode {
    /// There is no such request for a payment.
    public static let paymentRequestTypeNotExist = Self(rawValue: "PAYMENT_REQUEST_TYPE_NOT_EXIST")
    /// Another call has to come before this one of the payment.
    public static let illegalState = Self(rawValue: "ILLEGAL_STATE")
    /// Something unexpected happened in the payment.
    public static let unknown = Self(rawValue: "UNKNOWN")
}
