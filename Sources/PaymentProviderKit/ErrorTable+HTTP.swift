public import PaymentBase
public import PaymentDriverKit
internal import PaymentTransport

extension ErrorTable {
    /// Sorts what an adapter over HTTP throws: a refusal by the code in its body, else by its status as `http.404`.
    ///
    /// A failure of the server may have been executed, whatever code it names and whatever the row of its status says. So
    /// may what was refused without a code that is in the table, where a code of the table says that the request came
    /// before: it may have stood there.
    public func failure(_ error: any Error, _ said: (JSON?) -> (code: String, message: String)) -> RequestFailure {
        switch error {
        case let refusal as HTTPErrorResponse:
            let (code, message) = said(refusal.body)
            let known = refusal.status >= 500 ? "" : code
            var fault = failure(code: known, fallback: "http.\(refusal.status)", message: message)
            if refusal.status >= 500, fault.delivery != .maybeSent {
                // The row's advice is that of a request that was not executed.
                let isRetryable = fault.isRetryable
                fault = RequestFailure(
                    fault.code, .maybeSent, provider: fault.provider,
                    detail: "the server failed, and may have executed the request before")
                fault.isRetryable = isRetryable
            } else if fault.delivery != .maybeSent, self[known] == nil, isRetryable(refusal.status) {
                fault = RequestFailure(
                    .unreadableReply, .maybeSent, provider: fault.provider,
                    detail: "refused, and no known code says why; it may have come before")
            }
            if known.isEmpty, !code.isEmpty { fault.provider = ProviderMessage(code: code, message: message) }
            fault.retryAfterMilliseconds = refusal.retryAfterMilliseconds
            return fault
        case let coded as ProviderCodeError: return failure(code: coded.code, message: coded.message)
        default: return RequestFailure(error)
        }
    }

    /// Whether a refusal of this status can be the second answer to what came twice: this provider has a code for that,
    /// and it wasn't turned away before it was read.
    private func isRetryable(_ status: Int) -> Bool {
        let isAtTheDoor = [401, 403, 407, 413, 429, 431].contains(status)
        return !isAtTheDoor
            && rows.contains { $0.category == .conflict && $0.delivery == .maybeSent && !$0.code.hasPrefix("http.") }
    }
}

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
        retry: PaymentError.RetryAdvice? = nil, userAction: Bool? = nil, mayRepeat: Bool = false, _ message: String
    ) -> [Row] {
        codes.split(whereSeparator: \.isWhitespace).map { code in
            Row(
                String(code), family, category, delivery, retry: retry, userAction: userAction, isRetryable: mayRepeat,
                message)
        }
    }
}

extension PaymentError {
    /// A word for an outcome that no table lists: it proves nothing.
    public static func unmapped(_ word: String) -> PaymentError {
        PaymentError(
            .unreadableReply, outcome: .unknown, provider: ProviderMessage(code: word),
            detail: "the word does not say what happened")
    }
}

/// What goes wrong on the device or with an answer, under one of the provider's own codes.
///
/// An adapter throws it; its ``ErrorTable`` says what the code means.
public struct ProviderCodeError: Error, Hashable, Sendable {
    /// The code, as the adapter's table lists it.
    public let code: String
    /// What the provider or the device said.
    public var message = ""

    /// Makes a failure of a code and what was said.
    public init(_ code: String, _ message: String = "") { (self.code, self.message) = (code, message) }
}
