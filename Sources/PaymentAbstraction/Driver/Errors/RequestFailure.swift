public import PaymentBase

/// One failed exchange, sorted by an adapter's table.
public struct RequestFailure: Sendable {
    /// What kind of error it is.
    public let code: PaymentError.Code
    /// What is proven about the exchange.
    public let delivery: Delivery
    /// What the provider said.
    public var provider: ProviderMessage?
    /// Our advice, where it is not what follows from the code.
    public var retry: RetryAdvice?
    /// Whether a person must act, where it is not what follows from the code.
    public var requiresUserAction: Bool?
    /// Whether the exchange may be repeated at once, with a fresh try. A request for money whose delivery is `maybeSent` is
    /// repeated only after the provider has shown that it never arrived.
    public var isRetryable: Bool
    /// How long to wait before that, in milliseconds.
    public var retryAfterMilliseconds: Int64?
    /// What was wrong, in our words.
    public var detail = ""

    /// Makes a fault; by default only what was never sent may be repeated.
    public init(_ code: PaymentError.Code, _ delivery: Delivery, provider: ProviderMessage? = nil, detail: String = "")
    {
        (self.code, self.delivery, self.provider, self.detail) = (code, delivery, provider, detail)
        isRetryable = delivery == .notSent
    }

    /// The same, of an exchange that was shown not to have been executed.
    var refused: RequestFailure {
        var fault = RequestFailure(code, .refused, provider: provider, detail: detail)
        (fault.retry, fault.requiresUserAction) = (retry, requiresUserAction)
        (fault.isRetryable, fault.retryAfterMilliseconds) = (isRetryable, retryAfterMilliseconds)
        return fault
    }

    /// The sorting that needs no table: whatever is not listed may have been executed.
    public init(_ error: any Error) {
        switch error {
        case let error as PaymentError:
            self.init(error.code, error.outcome == .unknown ? .maybeSent : .refused, provider: error.provider)
            retry = error.retry
            requiresUserAction = error.requiresUserAction
            detail = error.detail
        case let error as any DeliveryEvidence: self.init(.network, error.delivery)
        case is CancellationError: self.init(.cancelled, .maybeSent)
        default: self.init(.unreadableReply, .maybeSent)
        }
    }
}
