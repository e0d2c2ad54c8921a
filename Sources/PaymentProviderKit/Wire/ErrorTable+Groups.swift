public import PaymentAbstraction
public import PaymentBase

extension ErrorTable {
    /// The rows of codes that mean the same, with spaces between the codes.
    ///
    /// ```swift
    /// static let acme = ErrorTable(
    ///     rows("100 117 118", "request", .authentication, .refused, "the token was refused or has lapsed")
    ///         + [Row("122", "request", .notFound, .refused, "there is no such thing")])
    /// ```
    public static func rows(
        _ codes: String, _ family: String, _ category: PaymentError.Code, _ delivery: Delivery,
        retry: RetryAdvice? = nil, userAction: Bool? = nil, mayRepeat: Bool = false, _ message: String
    ) -> [Row] {
        codes.split(whereSeparator: \.isWhitespace).map { code in
            Row(
                String(code), family, category, delivery, retry: retry, userAction: userAction, isRetryable: mayRepeat,
                message)
        }
    }
}
