import PaymentProviderKit

extension ErrorTable {
    /// What Acme's refusals mean; whatever is not listed may have been executed.
    static let acme = ErrorTable([
        Row("badKey", "access", .configuration, .refused, userAction: true, "the key is wrong"),
        Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
        Row("unknownOrder", "request", .notFound, .refused, "nothing came under this order"),
        Row(
            "busy", "service", .providerUnavailable, .refused, isRetryable: true, "busy for a moment, nothing was done"),
    ])
}
