extension HaloPhoneSDK {
    /// The code of a payment that was not approved; open, since the document lists only the common ones.
    public struct HaloErrorCode: SDKTextCode {
        /// The code's spelling.
        public let rawValue: String
        /// Takes a code's spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payment was cancelled, on the reader's screen or by the application.
        public static let userCancelled = Self(rawValue: "USER_CANCELLED")
        /// The card's issuer declined the payment.
        public static let cardDeclined = Self(rawValue: "CARD_DECLINED")
        /// The connection failed in the payment.
        public static let networkError = Self(rawValue: "NETWORK_ERROR")
        /// Another payment is being taken; the constant's name follows the pattern of those that are shown.
        public static let paymentInProgress = Self(rawValue: "PAYMENT_IN_PROGRESS")
        /// The device can't take contactless payments.
        public static let deviceNotSupported = Self(rawValue: "DEVICE_NOT_SUPPORTED")
        /// The screen was recorded or mirrored in the payment.
        public static let screenCaptureDetected = Self(rawValue: "SCREEN_CAPTURE_DETECTED")
        /// The SDK was not made ready for payments.
        public static let notInitialized = Self(rawValue: "NOT_INITIALIZED")
        /// An answer in the payment took too long.
        public static let timeout = Self(rawValue: "TIMEOUT")
        /// The payment's token was refused twice.
        public static let authTokenUnauthorized = Self(rawValue: "AUTH_TOKEN_UNAUTHORIZED")
        /// What goes with each payment is missing or can't be read, from 1.0.95 on.
        public static let invalidPassthroughFields = Self(rawValue: "invalidPassthroughFields")
        /// The vendor's server is not set up for the merchant's payments.
        public static let serverConfiguration = Self(rawValue: "104")
        /// The card's data came to the vendor more than 60 seconds after the tap.
        public static let requestTooOld = Self(rawValue: "PPS-4003")
        /// The same refusal of old card data, in words.
        public static let requestExpired = Self(rawValue: "Request Expired")
        /// The application may not use the card reader, in the words of the document's last chapter.
        public static let entitlementMissing = Self(rawValue: "Entitlement missing")
    }

    /// An error of the SDK's life, rather than of one payment.
    public enum HaloError: Error, Hashable, Sendable {
        /// The SDK was not made ready for payments.
        case notInitialized
        /// The device can't take contactless payments.
        case deviceNotSupported(HaloReason)
        /// The device is not safe enough for payments.
        case deviceNotCompliant
        /// Another payment is being taken.
        case paymentInProgress
        /// The connection to the vendor of payments failed.
        case networkError(HaloReason)
        /// The token for payments was refused, or the token provider threw.
        case authTokenUnauthorized
        /// The merchant's account is not linked to the device.
        case accountLinkingError(HaloReason)
        /// The reader's token is missing or refused.
        case tokenError(HaloReason, detail: String?)
        /// The card reader failed.
        case readerError(HaloReason, detail: String?)
        /// The phone's place must be known and is not, from 1.0.81 on.
        case locationError(HaloReason)
        /// The payment was cancelled.
        case userCancelled
        /// The card's issuer declined the payment.
        case cardDeclined
        /// The card itself declined the payment, before anything was submitted; from 1.0.86 on.
        case offlineDeclined
        /// The card can't be paid with in this way, from 1.0.86 on.
        case cardNotSupported
        /// Any other error of the SDK, under its own name.
        case other(name: String, description: String)

        /// The error's documented name, as the outcome table has it; another error's own name.
        public var name: String {
            switch self {
            case .notInitialized: "HaloError.notInitialized"
            case .deviceNotSupported: "HaloError.deviceNotSupported"
            case .deviceNotCompliant: "HaloError.deviceNotCompliant"
            case .paymentInProgress: "HaloError.paymentInProgress"
            case .networkError: "HaloError.networkError"
            case .authTokenUnauthorized: "HaloError.authTokenUnauthorized"
            case .accountLinkingError: "HaloError.accountLinkingError"
            case .tokenError: "HaloError.tokenError"
            case .readerError: "HaloError.readerError"
            case .locationError: "HaloError.locationError"
            case .userCancelled: "HaloError.userCancelled"
            case .cardDeclined: "HaloError.cardDeclined"
            case .offlineDeclined: "HaloError.offlineDeclined"
            case .cardNotSupported: "HaloError.cardNotSupported"
            case .other(let name, _): "HaloError.\(name)"
            }
        }
    }

    /// Why the SDK or its reader failed.
    public struct HaloReason: SDKTextCode {
        /// The spelling of the reader's reason.
        public let rawValue: String
        /// Takes the spelling of a reader's reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device's model can't take payments.
        public static let modelNotSupported = Self(rawValue: "modelNotSupported")
        /// The device's system is too old to take payments.
        public static let osVersionNotSupported = Self(rawValue: "osVersionNotSupported")
        /// The phone's services of location are switched off.
        public static let servicesDisabled = Self(rawValue: "servicesDisabled")
        /// The application may not know the phone's place.
        public static let permissionDenied = Self(rawValue: "permissionDenied")
        /// The phone's place was not found in time.
        public static let timeout = Self(rawValue: "timeout")
        /// The phone's place can't be found.
        public static let unavailable = Self(rawValue: "unavailable")
    }

    /// What the SDK itself says of an error; nothing about money follows from it.
    public struct HaloErrorTraits: Hashable, Sendable {
        /// Whether the SDK says that the operation may be tried again.
        public let isRetryable: Bool
        /// Whether a person has to act before the next payment.
        public let requiresUserAction: Bool
        /// Whether the device should no longer offer contactless payments.
        public let isFatal: Bool
        /// Whether the server has to sign a new token for payments.
        public let requiresTokenRefresh: Bool

        /// Copies what the SDK says of an error.
        public init(isRetryable: Bool, requiresUserAction: Bool, isFatal: Bool, requiresTokenRefresh: Bool) {
            (self.isRetryable, self.requiresUserAction) = (isRetryable, requiresUserAction)
            (self.isFatal, self.requiresTokenRefresh) = (isFatal, requiresTokenRefresh)
        }
    }
}

// The SDK's codes in both spellings: up to 1.0.86 in capitals, from 1.0.90 on in Apple's lower camel case, and more of them.
extension HaloPhoneSDK {
    /// The codes whose older spelling means one newer code alone.
    private static let renamed = [
        "CARD_DECLINED": ("cardDeclined", 3),
        "NETWORK_ERROR": ("networkError", 4),
        "TIMEOUT": ("timeout", 7), "PAYMENT_IN_PROGRESS": ("paymentInProgress", 16),
        "NOT_INITIALIZED": ("notInitialized", 18),
        "AUTH_TOKEN_UNAUTHORIZED": ("authTokenUnauthorized", 19),
    ]

    /// The rows of a document's codes once more, under their spelling since 1.0.90.
    static func respelt(_ rows: [SDKErrorRule]) -> [SDKErrorRule] {
        rows.compactMap { row in
            guard let (code, line) = renamed[row.code] else { return nil }
            return SDKErrorRule(
                code, row.outcome, row.cause, row.citations + [published(line)], holds: row.holdsAfterSubmission,
                advice: row.advice, why: row.why)
        }
    }

    /// The rows of the codes that came after the document which the first rows are of.
    static let laterRows: [SDKErrorRule] =
        noReadRows
        + [
            before(["readNotAllowedDuringCall"], 9, .readerUnavailable, "the read isn't allowed, so no card was read"),
            before(["deviceBanned", "DEVICE_BANNED"], 15, .deviceCompromised, "the device is barred from payments"),
            before(
                ["locationError", "LOCATION_ERROR"], 20, .locationRequired,
                "the document says that it fails before the reader's screen"),
            before(
                ["prepareFailed"], 31, .readerUnavailable, "the reader was being prepared, so no card was read"),
            before(["readerMemoryFull"], 35, .readerUnavailable, "no card can be read"),
            before(["notAllowed"], 38, .configuration, "the entitlement or the set-up is missing, so no card was read"),
            before(
                ["invalidPassthroughFields"], 39, .invalidRequest,
                "the document says that it is declined before the reader's screen"),
            before(["invalidAmount", "INVALID_AMOUNT"], 44, .invalidRequest, "the request was not taken"),
            before(["invalidCurrency", "INVALID_CURRENCY"], 45, .invalidRequest, "the request was not taken"),
            before(["invalidReference", "INVALID_REFERENCE"], 46, .invalidRequest, "the request was not taken"),
            before(
                ["offlineDeclined", "OFFLINE_DECLINED"], 48, .declined,
                "the document says that the card declined before a submission"),
        ].flatMap { $0 } + undecidedRows

    /// No card can be read: by the device, or without the merchant's account.
    private static let noReadRows: [SDKErrorRule] = [
        before(["modelNotSupported"], 11, .deviceUnsupported, "no card can be read"),
        before(["osVersionNotSupported"], 12, .deviceUnsupported, "no card can be read"),
        before(["passcodeDisabled"], 13, .deviceUnsupported, "no card can be read"),
        before(["unsupported"], 14, .deviceUnsupported, "no card can be read"),
        before(["accountNotLinked", "ACCOUNT_LINKING_ERROR"], 21, .accountNotLinked, linking),
        before(["accountLinkingRequiresiCloudSignIn"], 22, .accountNotLinked, linking),
        before(["accountLinkingFailed"], 23, .accountNotLinked, linking),
        before(["accountLinkingCheckFailed"], 24, .accountNotLinked, linking),
        before(["accountLinkingCancelled"], 25, .termsNotAccepted, linking),
        before(["accountAlreadyLinked"], 26, .conflict, "the account is linked already, and no payment was begun"),
        before(["accountDeactivated"], 27, .permission, linking),
        before(["invalidReaderToken"], 28, .configuration, "the reader's session is not made without its token"),
        before(["emptyReaderToken"], 29, .configuration, "the reader's session is not made without its token"),
    ].flatMap { $0 }

    private static let linking = "no card is read before the account is linked"

    /// The codes of which the document doesn't say when in a payment they come.
    ///
    /// A cancel proves nothing by its own words: whether a card was seen is shown by the payment's steps.
    private static let undecidedRows: [SDKErrorRule] = [
        undecided(["userCancelled"], 2, .cancelled), undecided(["screenCaptureDetected"], 17, .deviceCompromised),
        undecided(["networkAuthenticationError"], 5, .network),
        undecided(["serviceConnectionError"], 6, .providerUnavailable),
        undecided(["backgroundRequestNotAllowed", "APP_IN_BACKGROUND"], 8, .readerUnavailable),
        undecided(["requestInterrupted"], 10, .readerUnavailable),
        undecided(["tokenExpired", "TOKEN_ERROR"], 30, .configuration),
        undecided(["readerBusy"], 32, .readerBusy), undecided(["notReady", "READER_ERROR"], 33, .readerUnavailable),
        undecided(["prepareExpired"], 34, .readerUnavailable),
        undecided(["merchantBlocked", "MERCHANT_BLOCKED"], 36, .permission),
        undecided(["invalidMerchant", "MERCHANT_NOT_ALLOWED"], 37, .configuration),
        undecided(["storeAndForwardNotAllowed", "STORE_FORWARD_ERROR"], 40, .configuration),
        undecided(["storeAndForwardSessionExpired"], 41, .configuration),
        undecided(["storeAndForwardSessionInvalidated"], 42, .configuration),
        undecided(["storeAndForwardTokenIssuerChanged"], 43, .configuration),
        undecided(["transactionError"], 47, .providerFailed),
        undecided(["cardNotSupported", "CARD_NOT_SUPPORTED"], 49, .declined),
        undecided(["unknown"], 50, .providerFailed),
        undecided(["systemError", "SYSTEM_ERROR"], 51, .providerFailed),
    ].flatMap { $0 }

    private static func before(_ codes: [String], _ line: Int, _ cause: SDKErrorCause, _ why: String) -> [SDKErrorRule]
    {
        codes.map { SDKErrorRule($0, .notExecuted, cause, [published(line)], why: why) }
    }

    private static func undecided(_ codes: [String], _ line: Int, _ cause: SDKErrorCause) -> [SDKErrorRule] {
        codes.map {
            SDKErrorRule($0, .unknown, cause, [published(line)], why: "when in a payment it comes is not said")
        }
    }

    private static func published(_ line: Int) -> DocumentCitation {
        DocumentCitation("Tests/Contracts/sdk/halo-codes.tsv", line)
    }
}
