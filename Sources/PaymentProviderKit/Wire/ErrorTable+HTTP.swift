public import PaymentAbstraction
public import PaymentBase
internal import PaymentTransport

extension ErrorTable {
    /// Sorts what an adapter over HTTP throws: a refusal by the code in its body, else by its status as `http.404`.
    ///
    /// A failure of the server may have been executed, whatever code it names. So may what was refused without a code that
    /// is in the table, where a code of the table says that the request came before: it may have stood there.
    public func failure(_ error: any Error, _ said: (JSON?) -> (code: String, message: String)) -> RequestFailure {
        switch error {
        case let refusal as HTTPErrorResponse:
            let (code, message) = said(refusal.body)
            let known = refusal.status >= 500 ? "" : code
            var fault = failure(code: known, fallback: "http.\(refusal.status)", message: message)
            if fault.delivery != .maybeSent, self[known] == nil, isRetryable(refusal.status) {
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
    /// and it wasn't turned away before anybody looked at it.
    private func isRetryable(_ status: Int) -> Bool {
        let isAtTheDoor = [401, 403, 407, 413, 429, 431].contains(status)
        return !isAtTheDoor
            && rows.contains { $0.category == .conflict && $0.delivery == .maybeSent && !$0.code.hasPrefix("http.") }
    }
}
