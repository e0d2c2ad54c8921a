public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension Inspection {
    /// What a verdict says, as the adapter's own mapping gives it; nil is a hint to look again.
    public init(_ message: String, _ verdict: Verdict?) {
        switch verdict {
        case .approved(let approval):
            self.init(message, .approved, .executed)
            amount = approval.amount
        case .declined(let declined):
            self.init(message, declined.reason == .failedAfterApproval ? .failed : .declined, .notExecuted)
            decline = declined
        case .cancelled: self.init(message, .cancelled, .notExecuted)
        case .pending: self.init(message, .pending, .unknown)
        case nil: self.init(message, .none, .unknown)
        }
    }

    /// A body that reports an error, sorted by the adapter's own table: a failure of the server proves nothing.
    public init(_ message: String, code: String, words: String, httpStatus: Int?, _ table: ErrorTable) {
        let isServer = (httpStatus ?? 0) >= 500
        let fallback = httpStatus.map { "http.\($0)" }
        let fault = table.failure(code: isServer ? "" : code, fallback: fallback, message: words)
        let isRefused = fault.delivery == .refused
        self.init(message, isRefused ? .failed : .unknown, isRefused ? .notExecuted : .unknown)
        problem = Problem(code.isEmpty ? fallback ?? "" : code, fault.code, words)
    }
}
