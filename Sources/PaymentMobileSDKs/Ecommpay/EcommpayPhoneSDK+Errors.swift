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
        /// What the document's example shows in place of a code: the server's own stands in the payment's message.
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
