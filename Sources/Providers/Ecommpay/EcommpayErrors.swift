internal import PaymentAbstraction
internal import PaymentBase

extension ErrorTable {
    /// The names of the provider's kit, its result codes, and the statuses of its interfaces; what is not listed may
    /// have been executed.
    static let ecommpay = ErrorTable(kit + ecommpayCodes + statuses)

    /// What the kit for phones calls what goes wrong.
    private static let kit: [Row] = [
        Row(
            "CLARIFICATION_FIELDS_ERROR", "sdk", .invalidRequest, .maybeSent,
            "what was answered does not fit, and the payment waits for it"),
        Row("CUSTOMER_ID_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "the customer is not named"),
        Row("ILLEGAL_ARGUMENTS", "sdk", .invalidRequest, .notSent, retry: .never, "the request is to be corrected"),
        Row("ILLEGAL_STATE", "sdk", .configuration, .notSent, "another call has to come first"),
        Row("INTERACTOR_NOT_RUNNING", "sdk", .configuration, .notSent, "the payment has to be begun first"),
        Row("NETWORK_ERROR", "sdk", .network, .maybeSent, "the connection failed"),
        Row("NETWORK_IS_NOT_AVAILABLE", "sdk", .network, .notSent, "there is no network; try later"),
        Row("NETWORK_TIMEOUT", "sdk", .timedOut, .maybeSent, "no answer came in time"),
        Row("PAYMENT_ALREADY_EXIST", "sdk", .conflict, .maybeSent, "a payment of this name is there; look it up"),
        Row("PAYMENT_HAS_FINAL_STATUS", "sdk", .conflict, .maybeSent, "the payment is final; look it up"),
        Row("PAYMENT_METHOD_NOT_AVAILABLE", "sdk", .invalidRequest, .refused, "the project has no such method"),
        Row("PAYMENT_NOT_FOUND", "sdk", .notFound, .maybeSent, "not found so far, which is never final"),
        Row("PAYMENT_REQUEST_TYPE_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "no such request"),
        Row("PAYMENT_TOKEN_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "the token is missing"),
        Row("SERVER_API_ERROR", "sdk", .providerFailed, .maybeSent, "the provider's side failed"),
        Row("SERVER_CONTENT_PARSING_ERROR", "sdk", .unreadableReply, .maybeSent, "the answer could not be read"),
        Row("SERVER_METHOD_NOT_FOUND", "sdk", .configuration, .maybeSent, "there is nothing under this address"),
        Row(
            "SERVER_UNAUTHORIZED", "sdk", .authentication, .refused, retry: .safe,
            "the session is unknown or has lapsed; a new one is opened by trying later"),
        Row("SESSION_NOT_INITIALIZED", "sdk", .configuration, .notSent, "a session has to be opened first"),
        Row("UNKNOWN", "sdk", .providerFailed, .maybeSent, "something unexpected happened"),
    ]

    private static let statuses: [Row] = [
        Row("http.400", "http", .invalidRequest, .refused, "the request is not valid"),
        Row(
            "http.401", "http", .authentication, .maybeSent,
            "the session is unknown or has lapsed; a new one is opened by trying later"),
        Row("http.403", "http", .permission, .maybeSent, userAction: true, "the address is not allowed in"),
        Row("http.404", "http", .notFound, .maybeSent, "there is no such thing"),
        Row("http.409", "http", .conflict, .maybeSent, retry: .afterStatusCheck, "its state does not allow this"),
        Row("http.422", "http", .invalidRequest, .refused, "the request could not be read"),
        Row("http.429", "http", .rateLimited, .maybeSent, isRetryable: true, "too many requests"),
        Row("http.500", "http", .providerFailed, .maybeSent, "the platform failed"),
        Row(
            "http.502", "http", .providerUnavailable, .maybeSent, "the platform could not be reached behind its gateway"
        ),
        Row("http.503", "http", .providerUnavailable, .maybeSent, "the platform is down for now"),
        Row("http.504", "http", .providerUnavailable, .maybeSent, "the platform did not answer its gateway in time"),
    ]
}
