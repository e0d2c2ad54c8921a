extension ARISEPhoneSDK {
    /// The rows of the codes that errors of tapped payments carry, in the document's order.
    ///
    /// A code that the document gives only to configuring or resuming comes before the card. All others may come at any
    /// time of a payment, also those for which the document names no use.
    static let codeRows: [SDKErrorRule] = [
        before("DEV003", .deviceUnsupported, 1598, SDKErrorAdvice(.never, "another phone")),
        before(
            "GPS003", .locationRequired, 1599, SDKErrorAdvice(.afterFix, "restart; make the SDK on the main thread")),
        before("GPS005", .permission, 1600, nil),
        before("GPS006", .locationRequired, 1601, nil),
        during("ATT018", .providerUnavailable, 1602, signIn),
        during("ATT019", .configuration, 1603, SDKErrorAdvice(.afterFix, "name the team in the application")),
        during("ATT020", .configuration, 1604, SDKErrorAdvice(.afterFix, "name the bundle in the application")),
        during("ATT021", .deviceCompromised, 1605, signIn),
        during("ATT022", .deviceCompromised, 1606, signIn),
        during("ATT023", .deviceCompromised, 1607, signIn),
        during("ATT024", .configuration, 1608, signIn),
        unplaced("DATA001", .notFound, 1609, check),
        unplaced("DATA002", .invalidRequest, 1610, check),
        unplaced("DATA003", .invalidRequest, 1611, check),
        unplaced("DATA005", .deviceCompromised, 1612, SDKErrorAdvice(.never, "ask the vendor's support")),
        clearing("DATA008", 1613),
        clearing("DATA009", 1614),
        clearing("DATA010", 1615),
        unplaced("DATA011", .unreadableReply, 1616, later),
        unplaced("DATA012", .unreadableReply, 1617, later),
        unplaced("CRYPTO001", .network, 1618, later),
        unplaced("CRYPTO002", .unreadableReply, 1619, later),
        unplaced("CRYPTO003", .providerFailed, 1620, later),
        unplaced("CRYPTO004", .unreadableReply, 1621, later),
        unplaced("CRYPTO005", .configuration, 1622, later),
        unplaced("CRYPTO006", .unreadableReply, 1623, later),
        during("SEC005", .configuration, 1624, later),
        during("SEC008", .deviceCompromised, 1625, SDKErrorAdvice(.never, "reinstall, then ask the vendor's support")),
        during("SEC001", .authentication, 1626, SDKErrorAdvice(.afterFix, "sign in again")),
        unplaced("DEC_04", .authentication, 1627, SDKErrorAdvice(.afterFix, "sign in again")),
        before("MER003", .configuration, 1628, support),
        before("MER004", .configuration, 1629, support),
        before("MER005", .configuration, 1630, support),
        before("MER006", .configuration, 1631, support),
        before("MER007", .configuration, 1632, support),
        before("MER008", .configuration, 1633, support),
        during("EC_02", .providerFailed, 1634, later),
        during("EC_500", .providerFailed, 1635, later),
        during("EC_502", .providerUnavailable, 1636, SDKErrorAdvice(.again)),
        during("EC_503", .providerUnavailable, 1637, SDKErrorAdvice(.again)),
        during("EC_504", .timedOut, 1638, SDKErrorAdvice(.again)),
        unplaced("AUTH_001", .authentication, 1639, SDKErrorAdvice(.afterFix, "a valid token")),
        SDKErrorRule(
            "MISSING_REQUIRED_FIELD", .notExecuted, .configuration, at(1640),
            advice: SDKErrorAdvice(.never, "name the sub-merchant"), why: "the request was not taken"),
        SDKErrorRule(
            "PARTNER_UNAUTHORIZED", .notExecuted, .permission, at(1641),
            advice: SDKErrorAdvice(.never, "ask the partner"),
            why: "the partner doesn't serve phones of this system, so no card is asked for"),
    ]

    private static let signIn = SDKErrorAdvice(.afterFix, "sign in again or reinstall")
    private static let check = SDKErrorAdvice(.never, "check the request")
    private static let later = SDKErrorAdvice(.later, "if it stays, ask the vendor's support")
    private static let support = SDKErrorAdvice(.never, "ask the vendor's support")

    /// A code that the document gives to configuring and resuming alone.
    private static func before(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .notExecuted, cause, at(line), advice: advice, why: "belongs to what comes before the card")
    }

    /// A code that the document gives to performing a transaction as well.
    private static func during(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .unknown, cause, at(line), advice: advice, why: "may come while the payment is made")
    }

    /// A code for which the document names no use.
    private static func unplaced(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .unknown, cause, at(line), advice: advice, why: "when it comes is not said")
    }

    /// A code of the phone's key store, in configuring or in clearing up, which may be after a payment.
    private static func clearing(_ code: String, _ line: Int) -> SDKErrorRule {
        SDKErrorRule(
            code, .unknown, .providerFailed, at(line), advice: later,
            why: "given to configuring and to clearing a session, of which the second may follow on a payment")
    }
}

extension ARISEPhoneSDK {
    /// How a transaction came to be made.
    public struct CreateMethodId: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// By a person in the merchant's portal.
        public static let portal = Self(rawValue: 1)
        /// By a program that calls the platform for a transaction.
        public static let apiToken = Self(rawValue: 2)
        /// At a card terminal.
        public static let terminal = Self(rawValue: 3)
        /// By paying an invoice.
        public static let invoice = Self(rawValue: 4)
        /// By a quick payment.
        public static let quickPayment = Self(rawValue: 5)
        /// By a payment form in a web page.
        public static let webComponent = Self(rawValue: 6)
        /// By the schedule of repeated payments.
        public static let subscription = Self(rawValue: 7)
        /// In the merchant's mobile application.
        public static let mobileApp = Self(rawValue: 8)
        /// By tapping a card on a phone.
        public static let tapToPay = Self(rawValue: 9)
    }

    /// The currency of a transaction, as a number.
    public struct Currency: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The dollar of the United States, the only currency that is listed.
        public static let usd = Self(rawValue: 1)
    }

    /// How a merchant passes the cost of card payments on.
    public struct ZeroCostProcessingOption: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The merchant bears the cost of card payments.
        public static let noZeroCost = Self(rawValue: 1)
        /// By a discount on cash payments.
        public static let cashDiscount = Self(rawValue: 2)
        /// By a price for cards and one for cash payments.
        public static let dualPricing = Self(rawValue: 3)
        /// By a surcharge on card payments.
        public static let surcharge = Self(rawValue: 4)
    }

    /// What is done in a transaction, as a number.
    public struct OperationType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An authorization hold.
        public static let authorization = Self(rawValue: 1)
        /// A sale.
        public static let sale = Self(rawValue: 2)
        /// A capture of an authorization.
        public static let capture = Self(rawValue: 3)
        /// A void before the settlement.
        public static let void = Self(rawValue: 4)
        /// A refund after the settlement.
        public static let refund = Self(rawValue: 5)
    }

    /// What a transaction is paid with.
    public struct PaymentMethodType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A card.
        public static let card = Self(rawValue: 1)
        /// A bank account, by electronic check.
        public static let electronicCheck = Self(rawValue: 2)
        /// Cash, paid by hand.
        public static let cash = Self(rawValue: 3)
    }

    /// The kind of bank account behind a payment.
    public struct AccountType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A checking account.
        public static let checking = Self(rawValue: 1)
        /// A savings account.
        public static let savings = Self(rawValue: 2)
    }

    /// Whose bank account is behind a payment.
    public struct AccountHolderType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A company's account.
        public static let business = Self(rawValue: 1)
        /// A person's account.
        public static let personal = Self(rawValue: 2)
    }

    /// Where a transaction's card is kept as a token.
    public struct CardTokenType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// At the merchant's own system.
        public static let local = Self(rawValue: 1)
        /// At the card's network.
        public static let network = Self(rawValue: 2)
    }

    /// What follows from comparing a customer's address; the numbers' meaning is in no interface.
    public struct AvsAction: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// A group of codes for a customer's address; the numbers' meaning is in no interface.
    public struct AvsCodeGroupType: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// Whether a customer's address passed; the numbers' meaning is in no interface.
    public struct AvsResponseResult: SDKIntegerCode {
        /// The SDK's number.
        public let rawValue: Int
        /// Takes the SDK's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
}

extension ARISEPhoneSDK {
    /// What is done in a transaction, as a word.
    public struct TransactionType: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An authorization hold.
        public static let authorization = Self(rawValue: "Authorization")
        /// A sale.
        public static let sale = Self(rawValue: "Sale")
        /// A capture of an authorization.
        public static let capture = Self(rawValue: "Capture")
        /// A void before the settlement.
        public static let void = Self(rawValue: "Void")
        /// A refund after the settlement.
        public static let refund = Self(rawValue: "Refund")
        /// A check of a card without a payment.
        public static let cardAuthentication = Self(rawValue: "CardAuthentication")
        /// A refund without an earlier transaction.
        public static let refundWORef = Self(rawValue: "RefundWORef")
        /// A change of a transaction's tip.
        public static let tipAdjustment = Self(rawValue: "TipAdjustment")
        /// A debit of a bank account.
        public static let achDebit = Self(rawValue: "AchDebit")
        /// A refund to a bank account.
        public static let achRefund = Self(rawValue: "AchRefund")
        /// A debit that is held back.
        public static let achHold = Self(rawValue: "AchHold")
        /// A held debit that is let go.
        public static let achUnHold = Self(rawValue: "AchUnHold")
        /// A debit that is cancelled.
        public static let achCancel = Self(rawValue: "AchCancel")
        /// A credit to a bank account.
        public static let achCredit = Self(rawValue: "AchCredit")
    }

    /// Where a transaction is.
    public struct TransactionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The amount is held and not captured.
        public static let authorized = Self(rawValue: "Authorized")
        /// The amount is captured.
        public static let captured = Self(rawValue: "Captured")
        /// The transaction was voided before the settlement.
        public static let voided = Self(rawValue: "Voided")
        /// The amount was refunded after the settlement.
        public static let refunded = Self(rawValue: "Refunded")
        /// The card was checked without a payment.
        public static let verified = Self(rawValue: "Verified")
        /// The amount was transferred.
        public static let settled = Self(rawValue: "Settled")
        /// A part of the amount is held.
        public static let partiallyAuthorized = Self(rawValue: "PartiallyAuthorized")
        /// The transaction is there for information.
        public static let informational = Self(rawValue: "Informational")
        /// The bank debit waits for its day.
        public static let scheduled = Self(rawValue: "Scheduled")
        /// The bank debit was cancelled.
        public static let cancelled = Self(rawValue: "Cancelled")
        /// The bank debit was charged back.
        public static let chargedBack = Self(rawValue: "ChargedBack")
        /// The bank debit is on its way.
        public static let inProgress = Self(rawValue: "InProgress")
        /// The bank debit is through.
        public static let cleared = Self(rawValue: "Cleared")
        /// The bank debit is held back.
        public static let held = Self(rawValue: "Held")
        /// The bank debit is held back by the processor.
        public static let heldByProcessor = Self(rawValue: "HeldByProcessor")
    }

    /// Why a card's chip gave way to its stripe.
    public struct EMVFallbackCondition: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The terminal had an error with the card's chip.
        public static let iccTerminalError = Self(rawValue: "iccTerminalError")
        /// The card's chip had no application in common with the terminal.
        public static let noCandidateList = Self(rawValue: "noCandidateList")
    }

    /// How a card's chip was read the time before.
    public struct EMVFallbackLastChipRead: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The card's chip was read.
        public static let successful = Self(rawValue: "successful")
        /// The card's chip was not read.
        public static let failed = Self(rawValue: "failed")
        /// The card was not used by its chip.
        public static let notAChipTransaction = Self(rawValue: "notAChipTransaction")
        /// It is unknown how the card was read.
        public static let unknown = Self(rawValue: "unknown")
    }

    /// Whether the application may know the phone's place, which card payments need.
    public struct LocationPermissionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The merchant has allowed it.
        public static let granted = Self(rawValue: "granted")
        /// The merchant has refused it.
        public static let denied = Self(rawValue: "denied")
        /// The merchant was not asked yet.
        public static let undetermined = Self(rawValue: "undetermined")
    }

    /// Whether Apple lets the application take cards.
    public struct TapToPayEntitlementStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Apple lets the application take cards.
        public static let available = Self(rawValue: "available")
        /// Apple doesn't let the application take cards.
        public static let unavailable = Self(rawValue: "unavailable")
    }

    /// Whether the phone is activated for taking cards.
    public struct TTPStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The phone can take cards.
        public static let active = Self(rawValue: "active")
        /// The phone has yet to be activated for taking cards.
        public static let inactive = Self(rawValue: "inactive")
    }

    /// How a tapped payment ended.
    public struct TTPTransactionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The processor approved the payment.
        public static let approved = Self(rawValue: "approved")
        /// The processor declined the payment.
        public static let declined = Self(rawValue: "declined")
        /// The payment was cancelled, by a person or by the system.
        public static let cancelled = Self(rawValue: "cancelled")
        /// The payment failed, and when is not said.
        public static let failed = Self(rawValue: "failed")
    }
}

extension ARISEPhoneSDK {
    /// Everything that the SDK throws, by the document's four types of errors; a payment's outcome depends on which.
    public enum Failure: Error, Hashable, Sendable {
        /// The platform refused or failed.
        case api(AriseApiError)
        /// Taking cards by tapping failed.
        case ttp(TTPError)
        /// Signing the merchant in failed.
        case authentication(AuthenticationError)
        /// Apple's card reader failed.
        case cardReader(PaymentCardReaderError)
        /// An error that the document doesn't list, such as one in making the SDK.
        case other(name: String, description: String)

        /// The error's name in the outcome table; another error's own name.
        public var name: String {
            switch self {
            case .api(let error): "AriseApiError.\(error.name)"
            case .ttp(let error): "TTPError.\(error.name)"
            case .authentication(let error): "AuthenticationError.\(error.rawValue)"
            case .cardReader(let error): "PaymentCardReaderError.\(error.rawValue)"
            case .other(let name, _): name
            }
        }
    }

    /// An error of the platform's interface, with what it says.
    public enum AriseApiError: Hashable, Sendable {
        /// The payment's request is malformed or has a wrong value; HTTP 400.
        case badRequest(String)
        /// The token is missing or not valid; HTTP 401.
        case unauthorized(String)
        /// The merchant's credentials may not do this; HTTP 403.
        case forbidden(String)
        /// There is no such transaction; HTTP 404.
        case notFound(String)
        /// The platform failed; HTTP 500.
        case serverError(String)
        /// Something unexpected went wrong in the merchant's call.
        case unknown(String)
        /// The platform's answer can't be read.
        case invalidResponse(String)
        /// The connection to the platform of payments failed.
        case networkError(String)

        /// The error's documented name.
        public var name: String {
            switch self {
            case .badRequest: "badRequest"
            case .unauthorized: "unauthorized"
            case .forbidden: "forbidden"
            case .notFound: "notFound"
            case .serverError: "serverError"
            case .unknown: "unknown"
            case .invalidResponse: "invalidResponse"
            case .networkError: "networkError"
            }
        }
    }

    /// An error of taking cards by tapping, with its code where the document gives it one.
    public enum TTPError: Hashable, Sendable {
        /// The phone can't take cards, and why.
        case notCompatible(incompatibilityReasons: [String])
        /// The phone isn't activated for taking cards.
        case notActive
        /// The SDK was not made ready for payments.
        case sdkNotInitialized
        /// The SDK could not be given the merchant's data.
        case configurationFailed(TTPErrorCode, String)
        /// The phone could not be activated for taking cards.
        case activationFailed(TTPErrorCode, String)
        /// The payment failed.
        case transactionFailed(TTPErrorCode, String)
        /// The payment could not be stopped, since its card is being read.
        case failedToAbortTransaction(TTPErrorCode, String)
        /// Something unexpected went wrong in the merchant's call.
        case unknown(TTPErrorCode, String)

        /// The error's documented name.
        public var name: String {
            switch self {
            case .notCompatible: "notCompatible"
            case .notActive: "notActive"
            case .sdkNotInitialized: "sdkNotInitialized"
            case .configurationFailed: "configurationFailed"
            case .activationFailed: "activationFailed"
            case .transactionFailed: "transactionFailed"
            case .failedToAbortTransaction: "failedToAbortTransaction"
            case .unknown: "unknown"
            }
        }

        /// The error's code, where it has one.
        public var code: TTPErrorCode? {
            switch self {
            case .notCompatible, .notActive, .sdkNotInitialized: nil
            case .configurationFailed(let code, _), .activationFailed(let code, _), .transactionFailed(let code, _),
                .failedToAbortTransaction(let code, _), .unknown(let code, _):
                code
            }
        }
    }

    /// The code of an error of tapped payments; open, and the outcome table has a row for each listed one.
    public struct TTPErrorCode: SDKTextCode {
        /// The code's spelling.
        public let rawValue: String
        /// Takes a code's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An error of signing the merchant in; open.
    public struct AuthenticationError: SDKTextCode {
        /// The error's spelling.
        public let rawValue: String
        /// Takes an error's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The merchant's credentials are wrong.
        public static let invalidCredentials = Self(rawValue: "invalidCredentials")
        /// The connection to the platform of payments failed.
        public static let networkError = Self(rawValue: "networkError")
        /// The answer about the merchant can't be read.
        public static let invalidResponse = Self(rawValue: "invalidResponse")
        /// The merchant's token has lapsed.
        public static let tokenExpired = Self(rawValue: "tokenExpired")
        /// Something unexpected went wrong in the merchant's call.
        public static let unknown = Self(rawValue: "unknown")
    }

    /// An error of Apple's card reader under Apple's name; the document lists one of them.
    public struct PaymentCardReaderError: SDKTextCode {
        /// The error's spelling.
        public let rawValue: String
        /// Takes an error's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Apple doesn't let the application take cards.
        public static let notAllowed = Self(rawValue: "notAllowed")
    }
}
