internal import PaymentAbstraction
internal import PaymentBase

extension ErrorTable {
    /// What the memory provider's refusals mean; what is not listed may have been executed.
    static let memory = ErrorTable([
        Row("tokenRefused", "access", .authentication, .refused, "the token is unknown or has lapsed"),
        Row("badCredentials", "access", .configuration, .refused, userAction: true, "the client's secret is wrong"),
        Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
        Row("incomplete", "request", .invalidRequest, .refused, "something is missing in the request"),
        Row("cardData", "request", .invalidRequest, .refused, "the card's data does not fit the request"),
        Row("unknownAttempt", "request", .notFound, .refused, "nothing came under this reference"),
        Row("unknownPayment", "request", .notFound, .refused, "there is no such payment"),
        Row("unknownPath", "request", .unsupported, .refused, "the provider has no such thing"),
        Row("unknownVerb", "request", .unsupported, .refused, "the provider has no such operation"),
        Row("unknownDevice", "request", .notFound, .refused, "there is no such device"),
        Row("tooMuch", "state", .amountTooHigh, .refused, "more was asked for than is left"),
        Row("notVoidable", "state", .conflict, .refused, retry: .never, "it can't be undone any more"),
        Row("notAdjustable", "state", .conflict, .refused, retry: .never, "nothing is held that could be changed"),
        Row("notWaiting", "state", .conflict, .refused, retry: .afterStatusCheck, "the payment waits for nothing"),
        Row(
            "closed", "service", .providerUnavailable, .refused, isRetryable: true,
            "closed for a moment, nothing was done"),
        Row("full", "service", .providerUnavailable, .refused, "no more payments are kept"),
        Row("broken", "service", .providerFailed, .maybeSent, "something broke on the way"),
    ])
}
