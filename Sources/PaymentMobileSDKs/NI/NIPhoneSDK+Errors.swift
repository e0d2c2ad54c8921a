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
