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
        /// The SDK could not be told the merchant's data.
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
