public import PaymentBase

/// Network International's Apple Tap to Pay SDK, which takes contactless payments, as values and protocols.
///
/// The SDK answers every call by `onSuccess` or `onError`; here the one is the function's value, the other its throw.
public enum NIPhoneSDK {
    /// The SDK's manager, one for the whole application: payments, and what follows on them.
    public protocol AppleTapToPayManager: TapToPay, TransactionManagement {}

    /// The SDK's calls around the card reader and its payments; an application makes the SDK conform.
    public protocol TapToPay: Sendable {
        /// Learns of errors that belong to no call for a payment.
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

extension NIPhoneSDK {
    /// What a payment's call gives; of its members the document names three, and shows the rest for authorisations.
    public struct PaymentResponse: Hashable, Sendable {
        /// The payment's reference.
        public let reference: String
        /// The reference of the order that the payment belongs to.
        public let orderReference: String
        /// The payment's state; the document lists no values for a purchase.
        public let state: String
        /// When the payment changed last, as the platform writes it.
        public var updateDateTime: String?
        /// The payment's amount.
        public var amount: Amount?
        /// The merchant's outlet.
        public var outletId: String?
        /// What the acquirer said of the payment.
        public var authResponse: AuthResponse?

        /// Makes the answer to a payment.
        public init(reference: String, orderReference: String, state: String) {
            (self.reference, self.orderReference, self.state) = (reference, orderReference, state)
        }
    }

    /// An amount of a payment in minor units.
    public struct Amount: Hashable, Sendable {
        /// The amount's currency.
        public let currencyCode: String
        /// The amount in minor units.
        public let value: Int64
        /// Makes an amount.
        public init(currencyCode: String, value: Int64) { (self.currencyCode, self.value) = (currencyCode, value) }
    }

    /// What the acquirer said of a payment.
    public struct AuthResponse: Hashable, Sendable {
        /// The payment's authorization code.
        public var authorizationCode: String?
        /// Whether the payment was approved.
        public let success: Bool
        /// The acquirer's result code; `00` is an approval of the payment.
        public var resultCode: String?
        /// The acquirer's result in words.
        public var resultMessage: String?
        /// The merchant's number at the acquirer.
        public var mid: String?
        /// Makes an acquirer's word on a payment.
        public init(success: Bool) { self.success = success }
    }

    /// A page of the merchant's transactions.
    public struct GetTransactionsResponse: Hashable, Sendable {
        /// The page's transactions.
        public let items: [Transaction]
        /// Makes a page of transactions.
        public init(items: [Transaction]) { self.items = items }
    }

    /// A transaction in the merchant's list.
    public struct Transaction: Hashable, Sendable {
        /// The transaction's reference.
        public let reference: String
        /// When the transaction was made, as the platform writes it.
        public var createdDateTime: String?
        /// What the transaction did, such as `PURCHASE`.
        public var action: String?
        /// The transaction's currency.
        public var currencyCode: String?
        /// The transaction's amount in major units, unlike the amount that a payment takes.
        public var amount: SDKDecimal?
        /// How much of the transaction was refunded, in major units.
        public var refundedAmount: SDKDecimal?
        /// The transaction's status, such as `SUCCESS`.
        public var status: String?
        /// Where the transaction came from.
        public var channel: String?
        /// The name of the merchant's outlet.
        public var outletName: String?
        /// The card's scheme.
        public var cardScheme: String?
        /// The cardholder's name.
        public var cardholderName: PersonalData?
        /// The card's number, masked.
        public var cardPan: String?
        /// What happened to the transaction last.
        public var lastEvent: String?
        /// The acquirer's retrieval reference number of the transaction.
        public var rrn: String?
        /// The transaction's authorization code.
        public var authCode: String?
        /// Makes an item of the merchant's list.
        public init(reference: String) { self.reference = reference }
    }

    /// What can still be done with a payment; all else is to be asked for at the platform.
    public struct GetTransactionDetailsResponse: Hashable, Sendable {
        /// Whether the payment can be refunded.
        public let refundEnabled: Bool
        /// Whether the payment can be voided.
        public let voidEnabled: Bool
        /// Says what can still be done with a payment.
        public init(refundEnabled: Bool, voidEnabled: Bool) {
            (self.refundEnabled, self.voidEnabled) = (refundEnabled, voidEnabled)
        }
    }

    /// What a refund's call gives.
    public struct RefundTransactionResponse: Hashable, Sendable {
        /// The refund's identifier.
        public let refundId: String
        /// The refund's status, such as `SUCCESS`.
        public let status: String
        /// Makes the answer to a refund.
        public init(refundId: String, status: String) { (self.refundId, self.status) = (refundId, status) }
    }

    /// What a void's call gives.
    public struct VoidTransactionResponse: Hashable, Sendable {
        /// The void's identifier.
        public let voidId: String
        /// The void's status, such as `SUCCESS`.
        public let status: String
        /// Makes the answer to a void.
        public init(voidId: String, status: String) { (self.voidId, self.status) = (voidId, status) }
    }
}

extension NIPhoneSDK {
    /// The SDK's calls.
    public enum Call: String, SDKCall {
        /// Makes the SDK's manager.
        case initialize
        /// Makes the reader ready for payments.
        case prepare
        /// Asks whether the merchant's account is linked.
        case isAccountLinked
        /// Links the merchant's account.
        case linkAccount
        /// Takes a payment.
        case processPayment
        /// Lists transactions.
        case getTransactions
        /// Asks what can be done with a payment.
        case getTransactionDetails
        /// Refunds a payment.
        case refundTransaction
        /// Voids a payment.
        case voidTransaction

        /// Whether the call pays or takes back.
        public var isAboutMoney: Bool {
            switch self {
            case .processPayment, .refundTransaction, .voidTransaction: true
            case .initialize, .prepare, .isAccountLinked, .linkAccount, .getTransactions, .getTransactionDetails: false
            }
        }
    }

    /// What an error of the SDK proves about the money of the call that it ended.
    ///
    /// The SDK reports its progress in hundredths without saying what they mean, so a payment's own error decides alone.
    public static func outcome(of error: AppleTapToPaySDKError, in call: Call) -> SDKOutcome {
        table.outcome(of: error.key, in: call, seen: .nothingSeen)
    }

    /// What a payment's or transaction's answer proves when it carries the acquirer's refusal; nil for any other.
    public static func outcome(of answer: AuthResponse) -> SDKOutcome? { answer.success ? nil : .declined }

    /// The outcome rules of payments, refunds and voids, in the order of the document's last list.
    public static let table = SDKErrorTable(sdkRows + paymentRows + readerRows + locationRows)

    private static let sdkRows: [SDKErrorRule] = [
        SDKErrorRule(
            "1", .unknown, .providerFailed, at(376, 521, 630, 685, 727, 751), why: "unexpected, and no more is said"),
        SDKErrorRule(
            "100", .notExecuted, .deviceUnsupported, at(195, 365, 752),
            advice: SDKErrorAdvice(.never, "a newer iPhone"),
            why: "no card can be read"),
        SDKErrorRule(
            "101", .notExecuted, .configuration, at(196, 366, 517, 753),
            advice: SDKErrorAdvice(.afterFix, "read the SDK's message"), why: "nothing is there to send with"),
        SDKErrorRule(
            "102", .notExecuted, .authentication, at(259, 519, 754),
            why: "the token is refused before anything is carried out"),
        SDKErrorRule(
            "110", .unknown, .network, at(260, 375, 518, 628, 680, 723, 755), why: "on the way there or on the way back"
        ),
        SDKErrorRule(
            "111", .unknown, .authentication, at(374, 629, 683, 725, 756),
            why: "401 and 403, which a gateway gives as well, whatever the platform behind it has done"),
        SDKErrorRule(
            "112", .notExecuted, .configuration, at(757, 35), why: "the merchant is not set up for payments by phone"),
        SDKErrorRule("113", .declined, .declined, at(758), why: "refused for the card's number"),
        SDKErrorRule("114", .declined, .declined, at(759), why: "refused for the card's scheme"),
        SDKErrorRule(
            "115", .notExecuted, .configuration, at(760, 731), why: "refused for the terminal, not for the card"),
        SDKErrorRule("116", .notExecuted, .conflict, at(761), why: "refused for what was to be done with the order"),
        SDKErrorRule("118", .declined, .declined, at(762), why: "refused for the amount"),
        SDKErrorRule(
            "119", .unknown, .conflict, at(763),
            why: "why it can't be carried out, and whether it was begun, is not said"),
    ]

    private static let paymentRows: [SDKErrorRule] = [
        SDKErrorRule("201", .notExecuted, .invalidRequest, at(768), why: "the request was not taken"),
        SDKErrorRule("202", .notExecuted, .invalidRequest, at(367, 769), why: "the request was not taken"),
        SDKErrorRule("203", .notExecuted, .invalidRequest, at(368, 682, 770), why: "the request was not taken"),
        SDKErrorRule("210", .unknown, .unreadableReply, at(373, 771), why: "an answer came and can't be read"),
        SDKErrorRule(
            "301", .unknown, .providerUnavailable, at(776), why: "an error of lists; in a payment it says nothing"),
        SDKErrorRule(
            "310", .unknown, .unreadableReply, at(520, 777), why: "an error of lists; in a payment it says nothing"),
        SDKErrorRule(
            "invalidTransactionId", .notExecuted, .notFound, at(681, 724),
            why: "there is no payment to refund or void by that reference"),
        SDKErrorRule("610", .unknown, .unreadableReply, at(684, 782), why: "an answer came and can't be read"),
        SDKErrorRule("710", .unknown, .unreadableReply, at(726, 787), why: "an answer came and can't be read"),
    ]

    private static let readerRows: [SDKErrorRule] = [
        reader(
            "501", .providerUnavailable, at(261, 369, 792),
            SDKErrorAdvice(.afterFix, "prepare again before the token lapses")),
        reader("510", .readerUnavailable, at(370, 793), SDKErrorAdvice(.afterFix, "prepare again")),
        reader("515", .providerUnavailable, at(794)),
        reader("516", .configuration, at(795)),
        reader("520", .termsNotAccepted, at(262, 371, 796), SDKErrorAdvice(.afterFix, "accept the terms")),
        reader("530", .readerUnavailable, at(372, 797)),
    ]

    private static let locationRows: [SDKErrorRule] = [
        location("801", 802), location("802", 803), location("803", 804), location("810", 805),
    ]

    private static func reader(
        _ code: String, _ cause: SDKErrorCause, _ citations: [DocumentCitation], _ advice: SDKErrorAdvice? = nil
    ) -> SDKErrorRule {
        SDKErrorRule(
            code, .notExecuted, cause, citations, advice: advice, why: "the reader gave no card, so nothing was sent")
    }

    private static func location(_ code: String, _ line: Int) -> SDKErrorRule {
        SDKErrorRule(
            code, .notExecuted, .locationRequired, at(line), why: "the phone's place is sought before the card is")
    }

    private static func at(_ lines: Int...) -> [DocumentCitation] { lines.map { DocumentCitation("seeds/ni.txt", $0) } }
}

extension NIPhoneSDK {
    /// An error of the SDK: the document's number, its name where it has one, and the SDK's words; open.
    public struct AppleTapToPaySDKError: Error, Hashable, Sendable {
        /// The number; nil for the one error that the document lists without.
        public let code: Int?
        /// The case's name; one that the document doesn't give is made of its description.
        public let name: String
        /// What the SDK says of the error.
        public var errorMessage: String

        /// Makes an error of a payment's call.
        public init(_ code: Int?, _ name: String, errorMessage: String = "") {
            (self.code, self.name, self.errorMessage) = (code, name, errorMessage)
        }

        /// The same error with the SDK's words.
        public func saying(_ errorMessage: String) -> Self { Self(code, name, errorMessage: errorMessage) }

        /// How the outcome table calls the error: by its number, or by its name where it has none.
        public var key: String { code.map(String.init) ?? name }
    }
}

// The errors under the names that the document gives them.
extension NIPhoneSDK.AppleTapToPaySDKError {
    /// Something unexpected happened in the payment's call.
    public static let genericError = Self(1, "genericError")
    /// The device can't take payments.
    public static let deviceNotSupported = Self(100, "deviceNotSupported")
    /// The SDK was not made ready for payments.
    public static let initializationError = Self(101, "initializationError")
    /// The device token for payments is missing, wrong or lapsed.
    public static let invalidAuthToken = Self(102, "invalidAuthToken")
    /// The connection to the platform failed.
    public static let networkError = Self(110, "networkError")
    /// The platform refused the payment's call with 401 or 403.
    public static let networkUnauthorizedError = Self(111, "networkUnauthorizedError")
    /// The payment's currency is not three letters of ISO 4217.
    public static let invalidCurrencyCode = Self(202, "invalidCurrencyCode")
    /// The payment's amount is negative, or the refund's is more than was paid.
    public static let invalidAmount = Self(203, "invalidAmount")
    /// The platform's answer to a payment can't be read.
    public static let invalidPaymentProcessResponse = Self(210, "invalidPaymentProcessResponse")
    /// The reader's token was not to be had, so no payment can be taken.
    public static let readerTokenNotAvailable = Self(501, "readerTokenNotAvailable")
    /// The reader's token is missing or wrong.
    public static let readerTokenInvalid = Self(510, "readerTokenInvalid")
    /// The merchant has not accepted the terms for taking payments.
    public static let termsAndConditionsError = Self(520, "termsAndConditionsError")
    /// The card reader's screen was closed or not shown.
    public static let processPaymentReadError = Self(530, "processPaymentReadError")
    /// The transaction to refund or void is not there.
    public static let invalidTransactionId = Self(nil, "invalidTransactionId")

    /// An answer of the platform can't be read; its number says of which call.
    public static func dataParsingError(_ code: Int) -> Self { Self(code, "dataParsingError") }
}
