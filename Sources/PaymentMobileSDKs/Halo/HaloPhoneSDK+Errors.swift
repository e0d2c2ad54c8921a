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
        /// Whether somebody has to do something before the next payment.
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
